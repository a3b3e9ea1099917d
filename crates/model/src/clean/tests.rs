//! Examples of each step.

use super::{CutReason, InsertionPoint, Stream, Writer, clean, is_finished};
use crate::embedded::Extent;

#[track_caller]
fn check(marked: &str, raw: &str, expected: &str, cuts: &[CutReason]) {
    let (prefix, suffix) = marked.split_once('|').unwrap();
    let stop = ["<EOT>".to_owned()];
    let specials = ["<|fim_middle|>", "<|endoftext|>"];
    let extent = Extent::Block(20);
    let point = InsertionPoint {
        prefix,
        suffix,
        stop: &stop,
        specials: &specials,
        extent,
        writer: Writer::Base,
    };
    let cleaned = clean(raw, &point);
    assert_eq!((cleaned.text.as_str(), cleaned.cuts.as_slice()), (expected, cuts));
}

#[test]
fn what_fits_stays_as_it_is() {
    check("x = |\n", "f(1)", "f(1)", &[]);
    check("def f():\n    |\n\nx", "a = 1\n    return a\n", "a = 1\n    return a", &[]);
    check("def f():|\n", "\n    return 1", "\n    return 1", &[]);
}

#[test]
fn stop_strings_and_leaked_tokens_end_the_text() {
    check("x = |\n", "1<EOT>junk", "1", &[CutReason::Stop]);
    check("x = |\n", "1<|endoftext|>", "1", &[CutReason::Stop]);
    check("x = |\n", "<|fim_middle|>1", "", &[CutReason::Stop]);
}

#[test]
fn the_rest_of_the_line_is_not_written_again() {
    check("f(|)\n", "a, b)", "a, b", &[CutReason::Overlap]);
    check("f(|);\n", "a, b);", "a, b", &[CutReason::Overlap]);
    check("f(|)\n", "g(a))", "g(a)", &[CutReason::Overlap]);
    check("x = [|]\n", "1, 2", "1, 2", &[]);
    check("return | + 1\n", "a + b", "a + b", &[]);
}

#[test]
fn the_lines_below_are_not_written_again() {
    let text = "def f():\n    |\n    save(a)\n    return a\n";
    check(text, "a = 1\n    save(a)\n    return a\n", "a = 1", &[CutReason::Overlap]);
    check(text, "a = 1\n    save(a)\n    ret", "a = 1", &[CutReason::Overlap]);
    check(text, "save(a)\n    return a", "", &[CutReason::Overlap]);
    check("fn f() {\n    |\n}\n", "g();\n}", "g();", &[CutReason::Extent]);
    check("if a {\n|\n}\n", "    g();\n}", "    g();", &[CutReason::Overlap]);
}

#[test]
fn the_end_of_the_block_is_the_end() {
    let text = "class A:\n    def f(self):\n        |\n";
    check(text, "return 1\n\n    def g(self):\n        pass", "return 1", &[CutReason::Extent]);
}

#[test]
fn a_line_is_one_line() {
    let point = InsertionPoint { prefix: "x = ", ..InsertionPoint::default() };
    assert_eq!(clean("1\ny = 2", &point).text, "1");
    let point = InsertionPoint { prefix: "def f():", ..InsertionPoint::default() };
    assert_eq!(clean("\n    return 1\n", &point).text, "\n    return 1");
}

#[test]
fn circles_are_left() {
    check("|\n", "a()\nb()\na()\nb()\na()\nb()\na()", "a()\nb()", &[CutReason::Repetition]);
    check("|\n", "a()\na()\nb()", "a()\na()\nb()", &[]);
    check("|\n", "}\n}\n}\n", "", &[CutReason::Bracket]);
    check("{{{\n|\n", "}\n}\n}\n", "}\n}\n}", &[]);
}

#[test]
fn a_bracket_that_nothing_opened_ends_the_text() {
    check("x = |\n", "f(1))", "f(1)", &[CutReason::Bracket]);
    check("g(f(|\n", "1))", "1))", &[]);
}

#[test]
fn indentation_that_is_there_is_not_written_again() {
    check("def f():\n    |\n", "    return 1", "return 1", &[CutReason::Indent]);
    check("def f():\n|\n", "    return 1", "    return 1", &[]);
}

#[test]
fn carriage_returns_are_kept() {
    check("a\r\nif b:\r\n    |\r\n", "c()\n    d()", "c()\r\n    d()", &[]);
    check("f(|)\r\n", "a)\r\n", "a", &[CutReason::Overlap]);
    check("a\n|\n", "b()\r\nc()", "b()\nc()", &[]);
}

#[test]
fn talk_around_code_is_left_out() {
    let point = InsertionPoint {
        prefix: "x = f(",
        suffix: ")\n",
        writer: Writer::Chat,
        ..InsertionPoint::default()
    };
    let raw = "Here is the completion:\n\n```python\nx = f(1, 2)\n```\nIt calls `f`.";
    let cleaned = clean(raw, &point);
    assert_eq!(cleaned.text, "1, 2");
    assert_eq!(cleaned.cuts, [CutReason::Fence, CutReason::Overlap, CutReason::Overlap]);
}

#[test]
fn a_stream_never_takes_back_what_it_gave_and_ends_as_the_whole() {
    let suffix = "\n    save(a)\n    return a\n";
    let point = InsertionPoint {
        prefix: "def f():\n    ",
        suffix,
        extent: Extent::Block(9),
        ..InsertionPoint::default()
    };
    let raw = "a = 1\n    b = 2\n    save(a)\n    return a\n";
    let mut stream = Stream::new(point);
    let mut shown = String::new();
    for c in raw.chars() {
        shown.push_str(&stream.push(&c.to_string()));
    }
    let (rest, whole) = stream.finish();
    shown.push_str(&rest);
    assert_eq!(shown, whole.text);
    assert_eq!(shown, "a = 1\n    b = 2");
}

#[test]
fn a_text_is_over_when_nothing_more_of_it_can_be_shown() {
    let check = |prefix, extent, raw, expected| {
        let point = InsertionPoint { prefix, extent, ..InsertionPoint::default() };
        assert_eq!(is_finished(raw, &point), expected, "{raw:?}");
    };
    check("x = ", Extent::Line, "1\n", false);
    check("x = ", Extent::Line, "1\ny", true);
    check("def f():\n    ", Extent::Block(9), "a()\n    b()\n", false);
    check("def f():\n    ", Extent::Block(9), "a()\n    b()\nc", true);
    check("x = ", Extent::Line, "f(1))", true);
    check("", Extent::Block(9), "a()\na()\na()", false);
    check("", Extent::Block(9), "a()\na()\na()\n", true);
}
