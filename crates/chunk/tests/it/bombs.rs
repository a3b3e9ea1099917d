//! Texts that made a grammar abort, hang, or take memory or time without bounds (`docs/grammars.md`).
//!
//! Without its guard most of these end the test process or never end.

use std::time::{Duration, Instant};

use foreword_chunk::{Config, Language, Parse, Symbols};

use crate::cover::{check, check_chunks};

/// Checks that chunks are lossless and made within seconds, even in a debug build on a busy machine. Returns whether
/// there is a tree.
fn bounded(text: impl AsRef<[u8]>, language: Language) -> bool {
    let text = text.as_ref();
    let begin = Instant::now();
    let parsed = Parse::new(text, Some(language));
    let tree = parsed.has_tree();
    check_chunks(text, &parsed.chunks(&Symbols::default(), &Config::default()), &Config::default());
    assert!(begin.elapsed() < Duration::from_secs(20), "{language:?}: {:?}", begin.elapsed());
    tree
}

#[test]
fn an_annotation_at_the_end_of_a_kotlin_file_costs_only_itself() {
    for text in
        ["val i = 1\n@", "class A\n@B", "val i = 1\n@B(\"c d", "var a = 1\n  @get:B(c) ", "@"]
    {
        assert!(bounded(text, Language::Kotlin) || text.len() < 5, "{text}");
        check(text.as_bytes(), Some(Language::Kotlin), &Config::default());
    }
    let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/languages/kotlin.kt"));
    let file = file.unwrap();
    for at in (0..file.len()).filter(|it| it % 7 == 0 || file[*it] == b'@') {
        bounded([&file[..at], b"\n@"].concat(), Language::Kotlin);
    }
}

#[test]
fn a_kotlin_text_that_costs_too_many_reads_does_not_end_behind_an_annotation() {
    let annotations = "@A @B(c) ".repeat(4000);
    bounded(format!("class A {{\n{annotations}\n{annotations}"), Language::Kotlin);
}

#[test]
fn a_here_document_in_ruby_may_have_any_name() {
    for length in [1, 250, 255, 256, 257, 1000, 70_000] {
        let name = "n".repeat(length);
        for text in [
            format!("buf <<\"{name}\"\n"),
            format!("buf <<\"{name}\"\n{name}\n"),
            format!("buf <<~{name}\n  a\n{name}\nb = 1\n"),
            format!("buf <<'{name}"),
            format!("buf <<\"\n{name}"),
        ] {
            bounded(&text, Language::Ruby);
        }
    }
}

#[test]
fn a_here_document_that_is_being_typed_costs_only_its_line() {
    let methods = |name: &str| format!("def {name}(a)\n  a + 1\nend\n\n").repeat(40);
    let text = format!("{}x = <<~SQL\n{}", methods("first"), methods("second"));
    let parsed = Parse::new(text.as_bytes(), Some(Language::Ruby));
    assert_eq!(
        parsed.symbols().definitions.iter().filter(|it| it.name.of(&text) == "second").count(),
        40
    );
}

#[test]
fn many_here_documents_and_interpolations_in_ruby_abort_nothing() {
    for last in 1..8 {
        let names: Vec<String> = (0..4).map(|it| format!("<<{}{it}", "A".repeat(249))).collect();
        bounded(format!("f({}, <<{})\n", names.join(", "), "B".repeat(last)), Language::Ruby);
    }
    for depth in [40, 59, 60, 160, 195, 198, 199, 204, 210] {
        for length in [1, 4, 9, 14, 19, 24, 29, 219] {
            let name = "A".repeat(length);
            let text = format!("x = {} <<{name}\n{name}\n", "\"#{".repeat(depth));
            bounded(text, Language::Ruby);
        }
    }
    for length in 15..25 {
        let unit = format!("a <<{})%q{{)", "A".repeat(length));
        bounded(format!("x = [\n{}", unit.repeat(400)), Language::Ruby);
    }
}

#[test]
fn deep_indentation_in_python_aborts_nothing() {
    for step in [" ", "\t"] {
        for inner in ["\"x\"", "f\"{'x'}\"", "f\"{f'{\"x\"}'}\""] {
            for depth in [250, 298, 299, 383, 511, 512, 513, 600] {
                let lines = (0..depth).map(|it| format!("{}if a:\n", step.repeat(it)));
                let text = format!("{}{}{inner}\n", lines.collect::<String>(), step.repeat(depth));
                bounded(text, Language::Python);
            }
        }
    }
}

#[test]
fn type_arguments_that_are_never_closed_take_bounded_memory() {
    for language in [Language::Java, Language::CSharp, Language::Cpp] {
        for count in [900, 5_000, 30_000, 300_000] {
            bounded(format!("x = {}", "a<\n".repeat(count)), language);
            bounded(
                format!("x = {}", format!("{};\n", "a<".repeat(200)).repeat(count / 200)),
                language,
            );
        }
    }
}

#[test]
fn deep_elements_in_html_take_bounded_time() {
    for unit in ["<div>", "<li><p>", "<a b=\"", "<custom-element>", "<div\n"] {
        bounded(unit.repeat(100_000), Language::Html);
    }
    assert!(bounded(format!("<ul>{}</ul>", "<li>a <b>b</b>".repeat(5_000)), Language::Html));
}

#[test]
fn megabytes_of_brackets_take_bounded_memory() {
    for &language in Language::ALL {
        for unit in ["[", "(", "{", "f(", "[\n"] {
            bounded(unit.repeat(1 << 19), language);
        }
    }
}

/// The lexer's input ends with the budget of reads. If that is in the middle of a character, tree-sitter reads it from
/// address 0.
#[test]
fn a_text_that_costs_too_many_reads_may_be_cut_in_a_character() {
    for shift in 0..12 {
        let text = format!("{}local a = {}", "-".repeat(shift), "function “ (\n ".repeat(2500));
        bounded(text, Language::Lua);
    }
}

/// A step of error recovery takes longer the more constructs are open.
#[test]
fn errors_upon_errors_end() {
    for (unit, language) in [
        (", *\n", Language::C),
        (") !\r\n", Language::Zig),
        ("compute\n0\n=\n)\n}\n", Language::Swift),
        (" }\n-", Language::Tsx),
        ("<function\n", Language::Ruby),
        (" +) =", Language::CSharp),
        (" > )", Language::Css),
    ] {
        bounded(unit.repeat(1_000 / unit.len()), language);
    }
}
