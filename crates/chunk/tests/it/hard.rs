//! Texts that break parsers, overflow stacks or take too long.

use foreword_chunk::{Config, Language, Parse, Symbols, analyze};

use crate::cover::{check, check_chunks};

/// Checks chunks only: symbols of such texts are too expensive.
fn check_without_symbols(text: &[u8], language: Language) {
    let chunks = Parse::new(text, Some(language)).chunks(&Symbols::default(), &Config::default());
    check_chunks(text, &chunks, &Config::default());
}

fn check_all(text: &[u8]) {
    for &language in Language::ALL {
        check(text, Some(language), &Config::default());
    }
    check(text, None, &Config::default());
}

#[test]
fn deep_nesting_overflows_no_stack() {
    let nested = |open: &str, close: &str| {
        format!("x = {}1{}\n", open.repeat(100_000), close.repeat(100_000))
    };
    for language in [Language::Python, Language::JavaScript, Language::Rust] {
        check_without_symbols(nested("[", "]").as_bytes(), language);
    }
    check_without_symbols(nested("f(", ")").as_bytes(), Language::JavaScript);
    check_without_symbols(nested("[\n", "]\n").as_bytes(), Language::Python);
}

#[test]
fn deep_nesting_in_yaml_does_not_abort_the_process() {
    let steps =
        |unit: &str| (0..600).map(|i| format!("{}{unit}\n", " ".repeat(i))).collect::<String>();
    for text in [
        "- ".repeat(20_000),
        "? ".repeat(20_000),
        ": ".repeat(20_000),
        steps("a:"),
        steps("- a:"),
        steps("- "),
    ] {
        check(text.as_bytes(), Some(Language::Yaml), &Config::default());
    }
}

#[test]
fn brackets_that_are_never_closed_overflow_no_stack() {
    check_all("(".repeat(5_000).as_bytes());
    check_all("if (a) {\n".repeat(1_000).as_bytes());
}

#[test]
fn a_line_of_a_megabyte_is_covered() {
    check_without_symbols(&b"a = b + c; ".repeat(100_000), Language::JavaScript);
    check_without_symbols(&b"[1,2,3],".repeat(30_000), Language::Json);
    check_without_symbols(&b"x".repeat(1 << 20), Language::Python);
}

#[test]
fn tens_of_megabytes_are_fast_without_a_tree() {
    for text in [b"x".repeat(50_000_000), b"\n".repeat(50_000_000), b"a b\n".repeat(2_500_000)] {
        let chunks = analyze(&text, None, &Config::default()).chunks;
        assert_eq!(chunks.last().map(|it| it.span.end as usize), Some(text.len()));
    }
}

#[test]
fn null_bytes_and_byte_order_marks_are_ordinary_bytes() {
    check_all(b"\0\0\0\0");
    check_all(b"def f():\n\0\n    return 1\n");
    check_all("\u{feff}def f():\n    return 1\n".as_bytes());
    check_all(b"\xff\xfed\0e\0f\0 \0f\0(\0)\0:\0\n\0");
}

#[test]
fn mixed_indentation_is_covered() {
    check_all(b"class A:\n\tdef f(self):\n\t    x = 1\n        y = 2\n  z = 3\n");
}

#[test]
fn an_error_in_the_middle_costs_only_its_surroundings() {
    let method = |name: &str| format!("def {name}():\n    return {name}_value\n\n\n");
    let text = format!("{}def broken(:\n    )\n\n\n{}", method("first"), method("second"));
    let analysis = analyze(
        text.as_bytes(),
        Some(Language::Python),
        &Config { max_size: 36, ..Config::default() },
    );
    assert!(analysis.outcome.is_parsed());
    assert!(analysis.chunks.iter().any(|it| it.span.of(&text) == method("first")));
    assert!(
        analysis
            .chunks
            .iter()
            .any(|it| it.span.of(&text).contains("def second():\n    return second_value\n"))
    );
}

#[test]
fn comments_around_an_error_do_not_count_as_errors() {
    let method = |name: &str| {
        let told =
            "     * Why it is so is told at length here, and how it came about.\n".repeat(12);
        format!("    /**\n{told}     */\n    public function {name}() {{ return 1; }}\n\n")
    };
    let methods: String = ["a", "b", "c", "d"].map(method).concat();
    let text = format!("<?php\nclass A {{\n    public $y = foo((\n{methods}}}\n");
    let analysis = analyze(text.as_bytes(), Some(Language::Php), &Config::default());
    assert!(analysis.outcome.is_parsed());
    assert_eq!(analysis.symbols.definitions[0].name.of(&text), "A");
}

#[test]
fn prose_has_no_tree() {
    let text = "It was, they said; a most (unlikely, thing) to come by -- \"or so? No! never.\n\n"
        .repeat(50);
    assert!(
        !analyze(text.as_bytes(), Some(Language::Rust), &Config::default()).outcome.is_parsed()
    );
}

#[test]
fn a_text_that_is_too_long_has_no_tree() {
    let text = b"a = 1\n".repeat(3_000_000);
    assert!(!analyze(&text, Some(Language::Python), &Config::default()).outcome.is_parsed());
}
