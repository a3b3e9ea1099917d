//! Ends of chunks: related code stays together, and cuts are at the lowest cost.

use foreword_chunk::{Config, Granularity, Language};

use crate::cover::check;

/// Expects cuts exactly at the `¦` marks.
fn check_cuts(marked: &str, language: Language, config: &Config) {
    let text = marked.replace('¦', "");
    let chunks = check(text.as_bytes(), Some(language), config);
    let made: Vec<_> = chunks.iter().map(|it| it.span.of(&text)).collect();
    assert_eq!(made.join("¦"), marked);
}

fn cast(max_size: u32) -> Config {
    Config { max_size, ..Config::default() }
}

fn by(granularity: Granularity) -> Config {
    Config { granularity, ..Config::default() }
}

#[test]
fn comments_and_decorators_stay_with_what_follows() {
    check_cuts(
        "import os\nimport sys\n\n¦# About f.\n@decorated\ndef f():\n    return 1\n\n\n¦# About g.\ndef g():\n    return 22222\n",
        Language::Python,
        &cast(42),
    );
}

#[test]
fn attributes_and_docs_stay_with_what_follows() {
    check_cuts(
        "use a::b;\nuse c::d;\n\n¦/// F.\n#[inline]\nfn f() -> u32 {\n    1\n}\n\n¦/// G.\nfn g() -> u32 {\n    22222222\n}\n",
        Language::Rust,
        &cast(32),
    );
}

#[test]
fn a_comment_that_trails_stays_with_what_precedes() {
    check_cuts(
        "a = 1111  # about a\n¦b = 2222  # about b\n¦c = 3333  # about c\n",
        Language::Python,
        &cast(16),
    );
}

#[test]
fn a_closing_bracket_stays_with_what_it_closes() {
    check_cuts(
        "fn f() {\n    aaaaaaaa();\n    bbbbbbbb();\n¦    cccccccc();\n    dddddddd();\n}\n\n¦fn g() {\n    1111111111111111\n}\n",
        Language::Rust,
        &cast(30),
    );
}

#[test]
fn a_class_that_fits_is_not_cut_to_fill_a_chunk() {
    check_cuts(
        "def f():\n    return 1111\n\n\n¦class A:\n    def g(self):\n        return 1\n\n    def h(self):\n        return 2\n",
        Language::Python,
        &cast(50),
    );
}

#[test]
fn the_remainder_of_a_large_definition_shares_a_chunk_with_its_neighbours() {
    check_cuts(
        "a = 1\n\n\nclass A:\n    def g(self):\n        return 1111111111\n\n¦    def h(self):\n        return 2222222222\n\n\nb = 2\n",
        Language::Python,
        &cast(46),
    );
}

#[test]
fn a_header_stays_with_its_body() {
    check_cuts(
        "x = 11111111\ny = 22222222\n\n\n¦def f(a):\n    aaaa(1)\n    bbbb(2)\n\n¦    cccc(3)\n    dddd(4)\n    eeee(5)\n",
        Language::Python,
        &cast(24),
    );
}

/// The class does not fit, so its header is a chunk apart from its members, and so is the code after it.
#[test]
fn merging_may_stop_at_the_borders_of_a_node_or_not_happen() {
    let marks = |text: &str, granularity| {
        check_cuts(text, Language::Python, &Config { max_size: 46, ..by(granularity) });
    };
    marks(
        "a = 1\n¦class A:\n¦    def g(self):\n        return 1111111111\n\n¦    def h(self):\n        return 2222222222\n\n\n¦b = 2\nc = 3\n",
        Granularity::CastSiblings,
    );
    marks(
        "a = 1\n\n¦class ¦A¦:\n¦    def g(self):\n        return 1111111111\n\n¦    def h(self):\n        return 2222222222\n\n\n¦b = 2\n¦c = 3\n",
        Granularity::CastUnmerged,
    );
}

#[test]
fn a_definition_may_be_a_chunk_of_its_own() {
    check_cuts(
        "import os\n\n¦# F.\ndef f():\n    return 1\n\n\n¦class A:\n    def g(self):\n        return 1\n\n    def h(self):\n        return 2\n\n\n¦B = 1\n",
        Language::Python,
        &by(Granularity::Definition),
    );
}

#[test]
fn a_method_may_be_a_chunk_of_its_own() {
    check_cuts(
        "use a;\n\nimpl A {\n    const C: u32 = 1;\n\n¦    /// F.\n    fn f() {}\n\n¦    fn g() {}\n}\n\n¦fn h() {}\n",
        Language::Rust,
        &by(Granularity::Method),
    );
}

#[test]
fn overlap_begins_at_a_line_of_the_chunk_before() {
    let text = "aaaa\nbbbb\ncccc\ndddd\n";
    let chunks = check(
        text.as_bytes(),
        None,
        &Config { max_size: 8, overlap_lines: 1, ..Config::default() },
    );
    assert_eq!(chunks.iter().map(|it| it.overlap).collect::<Vec<_>>(), [0, 5]);
}
