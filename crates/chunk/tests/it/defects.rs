//! The known defects of the released cAST chunkers (lost text, changed tabs, tiny chunks) do not occur here.

use foreword_chunk::{Config, Language, analyze};

use crate::cover::check;

fn chunked(text: &str, language: Language, max_size: u32) -> Vec<&str> {
    let chunks = check(text.as_bytes(), Some(language), &Config { max_size, ..Config::default() });
    chunks.iter().map(|it| it.span.of(text)).collect()
}

/// The name of each chunk's innermost definition, with its ancestors.
fn scopes(text: &str, language: Language, max_size: u32) -> Vec<(String, String)> {
    let analysis =
        analyze(text.as_bytes(), Some(language), &Config { max_size, ..Config::default() });
    let path = |scope| {
        let names: Vec<_> = analysis.symbols.ancestors(scope).map(|it| it.name.of(text)).collect();
        names.into_iter().rev().collect::<Vec<_>>().join(".")
    };
    analysis.chunks.iter().map(|it| (it.span.of(text).trim().to_owned(), path(it.scope))).collect()
}

fn check_scope(text: &str, language: Language, max_size: u32, inside: &str, expect: &str) {
    let scopes = scopes(text, language, max_size);
    let found: Vec<_> =
        scopes.iter().filter(|(chunk, _)| chunk.contains(inside)).map(|it| it.1.as_str()).collect();
    assert_eq!(found, [expect], "in {scopes:#?}");
}

#[test]
fn a_string_longer_than_a_chunk_survives() {
    let text = format!("A = 1\nDATA = \"\"\"{}\"\"\"\nB = 2\n", "x".repeat(500));
    let chunks = chunked(&text, Language::Python, 100);
    assert_eq!(chunks.concat().matches('x').count(), 500);
}

#[test]
fn a_comment_longer_than_a_chunk_survives() {
    let text = format!("a = 1\n# {}\nb = 2\n", "long ".repeat(60));
    assert_eq!(chunked(&text, Language::Python, 100).concat(), text);
}

#[test]
fn a_docstring_longer_than_a_chunk_is_cut_at_its_paragraphs() {
    let paragraph = format!("{}\n\n", "Some words of docs.\n".repeat(4));
    let text = format!("\"\"\"{}\"\"\"\nA = 1\n", paragraph.repeat(6));
    let chunks = chunked(&text, Language::Python, 150);
    assert_eq!(chunks.len(), 3);
    assert!(chunks[1..].iter().all(|it| it.starts_with("Some words")), "{chunks:#?}");
}

#[test]
fn tabs_stay_tabs() {
    let method = "\tdef f(self):\n\t\treturn 1\n\n";
    let text = format!("class A:\n{}", method.repeat(20));
    for chunk in &chunked(&text, Language::Python, 100)[1..] {
        assert!(chunk.starts_with("\tdef"), "{chunk:?}");
    }
}

#[test]
fn carriage_returns_stay_where_they_are() {
    let text = "def f():\r\n    return 1\r\n\r\n".repeat(20);
    for chunk in chunked(&text, Language::Python, 60) {
        assert!(chunk.starts_with("def") && chunk.ends_with("\r\n"), "{chunk:?}");
    }
}

#[test]
fn scope_is_right_in_python() {
    let method =
        |name| format!("    def {name}(self):\n        return {}\n\n", "1 + ".repeat(15) + "1");
    let text = format!("class A:\n{}{}{}", method("f"), method("g"), method("h"));
    check_scope(&text, Language::Python, 60, "def g", "A.g");
}

#[test]
fn scope_is_right_in_java() {
    let method =
        |name| format!("  int {name}() {{\n    return {};\n  }}\n\n", "1 + ".repeat(15) + "1");
    let text =
        format!("package p;\n\nclass A {{\n{}{}{}}}\n", method("f"), method("g"), method("h"));
    check_scope(&text, Language::Java, 60, "int g", "A.g");
}

#[test]
fn scope_is_right_in_csharp() {
    let method = |name| {
        format!("    int {name}()\n    {{\n      return {};\n    }}\n\n", "1 + ".repeat(15) + "1")
    };
    let text = format!(
        "namespace N\n{{\n  class A\n  {{\n{}{}{}  }}\n}}\n",
        method("F"),
        method("G"),
        method("H")
    );
    check_scope(&text, Language::CSharp, 60, "int G", "N.A.G");
}

#[test]
fn scope_is_right_in_typescript() {
    let method =
        |name| format!("  {name}(): number {{\n    return {};\n  }}\n\n", "1 + ".repeat(15) + "1");
    let text = format!("export class A {{\n{}{}{}}}\n", method("f"), method("g"), method("h"));
    check_scope(&text, Language::TypeScript, 60, "g()", "A.g");
}

#[test]
fn the_node_that_overflows_a_chunk_is_not_lost() {
    let text = "def f():\n    return 11111\n\n\ndef g():\n    return 22222\n\n\ndef h():\n    return 33333\n";
    let chunks = chunked(text, Language::Python, 40);
    assert_eq!(
        chunks.iter().map(|it| it.split('(').next().unwrap_or("")).collect::<Vec<_>>(),
        ["def f", "def h"]
    );
}

#[test]
fn a_file_of_one_line_is_chunked_between_its_nodes() {
    let text = "f(alpha, beta); g(gamma, delta); ".repeat(30);
    for chunk in chunked(&text, Language::JavaScript, 60) {
        assert!(chunk.starts_with(['f', 'g']) && chunk.ends_with("; "), "{chunk:?}");
    }
}

#[test]
fn tiny_chunks_are_few() {
    let big = |i: usize| {
        format!("def big{i}(a):\n{}\n\n", "    call_something(a, 1, 2, 3)\n".repeat(60 + i * 7))
    };
    let small = |i: usize| format!("def small{i}():\n    return {i}\n\n\n");
    let text: String = (0..20).map(|i| big(i) + &small(i)).collect();
    let chunks = check(text.as_bytes(), Some(Language::Python), &Config::default());
    assert!(
        chunks.iter().all(|it| it.size >= 200),
        "{:?}",
        chunks.iter().map(|it| it.size).collect::<Vec<_>>()
    );
}
