//! Folded definitions and files.

use foreword_chunk::skeleton::{Skeleton, skeleton};
use foreword_chunk::{Config, Language, analyze};

/// Folds the definition called `name` (the file if empty) to at most `most` bytes.
fn folded(text: &str, language: Language, name: &str, most: usize) -> Skeleton {
    let symbols = analyze(text.as_bytes(), Some(language), &Config::default()).symbols;
    let idx = symbols.definitions.iter().position(|it| it.name.of(text) == name);
    assert!(idx.is_some() || name.is_empty(), "{name} is defined: {symbols:#?}");
    skeleton(text, &symbols, idx.map(|it| it as u32), &|it| it.len() <= most)
}

fn check(text: &str, language: Language, name: &str, most: usize, expect: &str) {
    let made = folded(text, language, name, most);
    assert_eq!(made.text, expect.trim_matches('\n'));
    assert_eq!(made.folded > 0, made.text.contains("..."), "{made:?}");
}

const PYTHON: &str = r#"
import os

LIMIT = 3

class A(B):
    """An A.

    It does.
    """

    size: int = 1

    @property
    def f(self, a):
        """Does f.

        At length.
        """
        if a:
            return 1
        return 2

    # About g.
    async def g(self):
        def inner():
            return 1
        return inner

def h(): return os.path.join("a", "b", "c")
"#;

#[test]
fn python_methods_keep_the_first_line_of_their_docs() {
    check(
        PYTHON,
        Language::Python,
        "A",
        1000,
        r#"
class A(B):
    """An A.

    It does.
    """

    size: int = 1

    @property
    def f(self, a):
        """Does f."""
        ...

    # About g.
    async def g(self):
        ...
"#,
    );
}

#[test]
fn docs_are_dropped_before_members() {
    check(
        PYTHON,
        Language::Python,
        "A",
        130,
        "
class A(B):

    size: int = 1

    @property
    def f(self, a):
        ...

    async def g(self):
        ...
",
    );
}

#[test]
fn members_are_dropped_from_the_last_one_on() {
    check(PYTHON, Language::Python, "A", 60, "class A(B):\n\n    size: int = 1\n\n    ...");
}

#[test]
fn the_signature_always_stays() {
    let made = folded(PYTHON, Language::Python, "A", 3);
    assert_eq!(made.text, "class A(B):");
    assert!(made.folded > 1);
}

#[test]
fn a_file_keeps_its_imports_and_constants() {
    check(
        PYTHON,
        Language::Python,
        "",
        200,
        "
import os

LIMIT = 3

class A(B):

    size: int = 1

    @property
    def f(self, a):
        ...

    async def g(self):
        ...

def h(): ...
",
    );
}

const RUST: &str = "
use a::b;

/// An A.
#[derive(Debug)]
pub struct A {
    /// The x.
    pub x: u32,
}

mod m {
    /// Of A.
    impl A {
        const C: u32 = 1;

        /// Makes.
        #[must_use]
        pub fn new(x: u32) -> Self
        where
            u32: Copy,
        {
            Self { x }
        }

        fn short(&self) -> u32 {
            self.x + 1 + 2 + 3
        }
    }
}
";

#[test]
fn a_block_folds_between_its_braces_and_the_indentation_is_the_definitions_own() {
    check(
        RUST,
        Language::Rust,
        "new",
        1000,
        "/// Makes.\n#[must_use]\npub fn new(x: u32) -> Self\nwhere\n    u32: Copy,\n{ ... }",
    );
}

#[test]
fn a_rust_file_folds_inside_its_modules() {
    check(
        RUST,
        Language::Rust,
        "",
        270,
        "
use a::b;

#[derive(Debug)]
pub struct A {
    pub x: u32,
}

mod m {
    impl A {
        const C: u32 = 1;

        #[must_use]
        pub fn new(x: u32) -> Self
        where
            u32: Copy,
        { ... }

        fn short(&self) -> u32 { ... }
    }
}
",
    );
}

#[test]
fn a_struct_has_nothing_to_fold_while_it_fits() {
    let made = folded(RUST, Language::Rust, "x", 1000);
    assert_eq!((made.text.as_str(), made.folded), ("/// The x.\npub x: u32", 0));
}

#[test]
fn the_closing_brace_stays_when_members_are_dropped() {
    let text = "class A {\n  x = 1;\n\n  f() {\n    return this.x + 1;\n  }\n\n  g() {\n    return this.x + 2;\n  }\n}\n";
    check(text, Language::TypeScript, "A", 45, "class A {\n  x = 1;\n\n  f() { ... }\n\n  ...\n}");
}

#[test]
fn ruby_keeps_its_ends() {
    let text = "class A < B\n  # F.\n  def f(x)\n    puts x, x\n    x + 1\n  end\nend\n";
    check(text, Language::Ruby, "A", 1000, "class A < B\n  # F.\n  def f(x)\n    ...\n  end\nend");
}

#[test]
fn lua_keeps_its_ends() {
    let text = "local function f(x)\n  print(x, x)\n  return x\nend\n";
    check(text, Language::Lua, "f", 1000, "local function f(x)\n  ...\nend");
}

#[test]
fn elixir_folds_between_do_and_end() {
    let text = "defmodule A do\n  def f(x) do\n    x + 1 + 2 + 3\n  end\nend\n";
    check(text, Language::Elixir, "A", 1000, "defmodule A do\n  def f(x) do ... end\nend");
}

#[test]
fn line_endings_stay_as_they_are() {
    let text = PYTHON.replace('\n', "\r\n");
    let made = folded(&text, Language::Python, "A", 1000);
    assert_eq!(made.text.matches('\n').count(), made.text.matches("\r\n").count());
    assert_eq!(made.text.replace("\r\n", "\n"), folded(PYTHON, Language::Python, "A", 1000).text);
}

#[test]
fn a_long_table_folds_between_its_brackets() {
    let text = format!("TABLE = [\n{}]\n\nLAST = 1\n", "    (1, 2),\n".repeat(30));
    check(&text, Language::Python, "", 1000, "TABLE = [ ... ]\n\nLAST = 1");
}

#[test]
fn folding_never_fails() {
    for &language in Language::ALL {
        let text = crate::snippets::snippet(language);
        let symbols = analyze(text.as_bytes(), Some(language), &Config::default()).symbols;
        for most in [0, 10, 30, 60, 100, 200, 1000] {
            for idx in (0..symbols.definitions.len() as u32).map(Some).chain([None, Some(9999)]) {
                let made = skeleton(text, &symbols, idx, &|it| it.len() <= most);
                assert!(idx.is_some_and(|it| it < 9999) || made.text.len() <= text.len().max(3));
            }
        }
    }
}

#[test]
fn members_are_dropped_at_their_borders_and_not_inside_unnamed_code() {
    check(
        "class A {\n    int f() { return 1; }\n\n    static {\n        g(1);\n        g(2);\n    }\n\n    int h() { return 2; }\n}\n",
        Language::Java,
        "A",
        72,
        "
class A {
    int f() { ... }

    ...
}",
    );
}

#[test]
fn a_nested_class_begins_at_the_margin_with_its_doc_or_without() {
    let text = "class A {\n    /** A long story about B, in many words. */\n    class B {\n        int f() { return 1; }\n    }\n}\n";
    check(
        text,
        Language::Java,
        "B",
        1000,
        "
/** A long story about B, in many words. */
class B {
    int f() { ... }
}",
    );
    check(
        text,
        Language::Java,
        "B",
        40,
        "
class B {
    int f() { ... }
}",
    );
}

#[test]
fn a_function_that_gives_a_type_keeps_its_members_in_zig() {
    check(
        "pub fn List(comptime T: type) type {\n    return struct {\n        items: []T,\n        fn add(self: *@This(), it: T) void {\n            self.items[0] = it;\n        }\n    };\n}\n",
        Language::Zig,
        "List",
        1000,
        "
pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        fn add(self: *@This(), it: T) void { ... }
    };
}",
    );
}

#[test]
fn what_does_not_fit_whole_is_opened() {
    let class = |name: &str| {
        format!(
            "  class {name}\n    LIMIT = 1\n\n    def one(a)\n      a + 1\n    end\n\n    def two(b)\n      b + 2\n    end\n  end\n"
        )
    };
    let text = format!("require 'a'\n\nmodule M\n{}\n{}end\n", class("A"), class("B"));
    check(
        &text,
        Language::Ruby,
        "",
        110,
        "
require 'a'

module M
  class A
    ...

    def one(a)
      ...
    end

    ...
  end
  ...
end",
    );
    check(&text, Language::Ruby, "M", 30, "module M\n  ...\nend");
}

const JAVA: &str = "/*\n * Licence of some length, with a warranty.\n */\nimport java.util.List;\nimport java.util.Map;\n\n/** Keeps things. */\nclass Store {\n    int size() { return 1; }\n    int max() { return 2; }\n}\n";

#[test]
fn in_a_file_signatures_come_before_docs_before_imports_before_licences() {
    check(
        JAVA,
        Language::Java,
        "",
        100,
        "...\n\n/** Keeps things. */\nclass Store {\n    int size() { ... }\n    int max() { ... }\n}",
    );
    check(
        JAVA,
        Language::Java,
        "",
        75,
        "...\n\nclass Store {\n    int size() { ... }\n    int max() { ... }\n}",
    );
    // The licence is dropped with the docs; the imports stay where there is room for them.
    let long = JAVA.replace("Keeps things.", &"Keeps things. ".repeat(9));
    check(
        &long,
        Language::Java,
        "",
        130,
        "...\n\nimport java.util.List;\nimport java.util.Map;\n\nclass Store {\n    int size() { ... }\n    int max() { ... }\n}",
    );
}

#[test]
fn in_a_file_methods_come_before_fields() {
    let field = |idx| format!("    private final String name{idx} = \"a long value\";\n\n");
    let fields: String = (0..5).map(field).collect();
    let text = format!(
        "class A {{\n{fields}    int f() {{ return 1; }}\n    int g() {{ return 2; }}\n}}\n"
    );
    check(
        &text,
        Language::Java,
        "",
        70,
        "class A {\n    ...\n\n    int f() { ... }\n    int g() { ... }\n}",
    );
}

#[test]
fn where_no_definition_fits_there_are_first_lines_of_signatures() {
    let fields = "a_long_name_of_a_parameter: Int,\n    ".repeat(9);
    let text = format!(
        "import a.b\n\nclass Api(\n    {fields}last: Int) {{\n  def one(a: Int): Int = {{\n    a\n  }}\n  def two(a: Int): Int = {{\n    a\n  }}\n}}\n"
    );
    let made = folded(&text, Language::Scala, "", 60);
    assert!(made.text.starts_with("class Api(\n  def one(a: Int): Int"), "{made:?}");
}

#[test]
fn imports_in_a_namespace_of_the_whole_file_are_dropped_too() {
    check(
        "<?php\n\nnamespace A;\n\nuse B\\C\\D\\E;\nuse F\\G\\H\\I\\J;\n\nclass K\n{\n    function f() { return 1; }\n}\n",
        Language::Php,
        "",
        64,
        "<?php\n\nnamespace A;\n\n...\n\nclass K\n{\n    function f() { ... }\n}",
    );
}
