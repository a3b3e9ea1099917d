//! The exact prompt of every next-edit format, and properties of all of them.

use super::{EditFormat, EditInput, PastEdit, compose_edit};
use crate::compose::{Evidence, Part};

const PARTS: [Part<'_>; 1] =
    [Part { path: "src/tax.py", text: "def tax(x):\n    return x * 0.2\n" }];

const HISTORY: [PastEdit<'_>; 2] = [
    PastEdit {
        path: "src/cart.py",
        line: 2,
        before: "def total(items):\n",
        after: "def total(items, country):\n",
        above: "import tax\n",
        below: "    return sum(items)\n",
    },
    PastEdit {
        path: "src/item.py",
        line: 7,
        before: "",
        after: "    country: str\n",
        above: "    name: str\n",
        below: "",
    },
];

const INPUT: EditInput<'_> = EditInput {
    path: "src/cart.py",
    above: "import tax\n",
    to_cursor: "def total(items, country):\n    return ",
    from_cursor: "sum(items)\n",
    original: "def total(items):\n    return sum(items)\n",
    below: "\nprint(total([]))\n",
    file_before: "import tax\ndef total(items):\n    return sum(items)\n\nprint(total([]))\n",
    parts: &PARTS,
    history: &HISTORY,
};

#[track_caller]
fn check(name: &str, expect: &str) {
    let format = EditFormat::named(name).expect("a format");
    let prompt = compose_edit(format, &INPUT);
    assert_eq!(prompt.text, expect, "\n{}\n", prompt.text);
}

#[test]
fn zeta() {
    check(
        "zeta",
        "### Instruction:\nYou are a code completion assistant and your task is to analyze user edits and then rewrite an \
         excerpt that the user provides, suggesting the appropriate edits within the excerpt, taking into account the cursor \
         location.\n\n### User Edits:\n\n\
         User edited \"src/item.py\":\n```diff\n@@ -6,0 +7,1 @@\n+    country: str\n\n```\n\n\
         User edited \"src/cart.py\":\n```diff\n@@ -2,1 +2,1 @@\n-def total(items):\n+def total(items, country):\n\n```\n\n\
         ### User Excerpt:\n\n```src/cart.py\nimport tax\n<|editable_region_start|>\n\
         def total(items, country):\n    return <|user_cursor_is_here|>sum(items)\n<|editable_region_end|>\n\
         \nprint(total([]))\n```\n\n### Response:\n",
    );
}

#[test]
fn zeta2() {
    check(
        "zeta2",
        "<[fim-suffix]>\nprint(total([]))\n<[fim-prefix]>\
         <filename>src/tax.py\ndef tax(x):\n    return x * 0.2\n\n\
         <filename>edit_history\n--- a/src/item.py\n+++ b/src/item.py\n@@ -6,0 +7,1 @@\n+    country: str\n\
         --- a/src/cart.py\n+++ b/src/cart.py\n@@ -2,1 +2,1 @@\n-def total(items):\n+def total(items, country):\n\n\
         <filename>src/cart.py\nimport tax\n<<<<<<< CURRENT\n\
         def total(items, country):\n    return <|user_cursor|>sum(items)\n=======\n<[fim-middle]>",
    );
}

#[test]
fn zeta2_1() {
    check(
        "zeta2_1",
        "<[fim-suffix]>\nprint(total([]))\n<[fim-prefix]>\
         <filename>src/tax.py\ndef tax(x):\n    return x * 0.2\n\n\
         <filename>edit_history\n--- a/src/item.py\n+++ b/src/item.py\n@@ -6,0 +7,1 @@\n+    country: str\n\
         --- a/src/cart.py\n+++ b/src/cart.py\n@@ -2,1 +2,1 @@\n-def total(items):\n+def total(items, country):\n\n\
         <filename>src/cart.py\nimport tax\n<|marker_1|>\
         def total(items, country):\n    return <|user_cursor|>sum(items)\n<|marker_2|>\n<[fim-middle]>",
    );
    let long = EditInput { to_cursor: &"a\n".repeat(17), from_cursor: "b\n", ..INPUT };
    let text = compose_edit(EditFormat::named("zeta2_1").unwrap(), &long).text;
    let end = "a\n<|marker_2|>a\n<|user_cursor|>b\n<|marker_3|>\n<[fim-middle]>";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn sweep() {
    check(
        "sweep",
        "<|file_sep|>src/tax.py\ndef tax(x):\n    return x * 0.2\n\
         <|file_sep|>src/cart.py.diff\noriginal:\ndef total(items):\nupdated:\ndef total(items, country):\n\
         <|file_sep|>src/item.py.diff\noriginal:\nupdated:\n    country: str\n\
         <|file_sep|>original/src/cart.py\ndef total(items):\n    return sum(items)\n\
         <|file_sep|>current/src/cart.py\ndef total(items, country):\n    return sum(items)\n\
         <|file_sep|>updated/src/cart.py\n",
    );
}

#[test]
fn sweep2() {
    check(
        "sweep2",
        "<|file_sep|>src/cart.py\nimport tax\ndef total(items):\n    return sum(items)\n\nprint(total([]))\n\n\
         <|file_sep|>src/tax.py\ndef tax(x):\n    return x * 0.2\n\n\
         <|file_sep|>src/item.py:6:7\noriginal:\n    name: str\nupdated:\n    name: str\n    country: str\n\
         <|file_sep|>src/cart.py:1:3\noriginal:\nimport tax\ndef total(items):\n    return sum(items)\n\
         updated:\nimport tax\ndef total(items, country):\n    return sum(items)\n\
         <|file_sep|>original/src/cart.py:2:4\ndef total(items):\n    return sum(items)\n\
         <|file_sep|>current/src/cart.py:2:4\ndef total(items, country):\n    return <|cursor|>sum(items)\n\
         <|file_sep|>updated/src/cart.py:2:4\ndef total(items, country):\n",
    );
    let format = EditFormat::named("sweep2").unwrap();
    assert_eq!(compose_edit(format, &INPUT).prefill, "def total(items, country):\n");
    // An edit without neighbours has empty texts, and without edits a line stays empty.
    let past = PastEdit { path: "a.py", line: 1, before: "", after: "x\n", above: "", below: "" };
    let text = compose_edit(format, &EditInput { history: &[past], ..INPUT }).text;
    assert!(
        text.contains("\n<|file_sep|>a.py:1:1\noriginal:\n\nupdated:\nx\n<|file_sep|>original/")
    );
    let text = compose_edit(format, &EditInput { history: &[], parts: &[], ..INPUT }).text;
    assert!(text.contains("print(total([]))\n\n\n<|file_sep|>original/"), "{text}");
}

#[test]
fn mercury() {
    check(
        "mercury",
        "<|recently_viewed_code_snippets|>\n<|recently_viewed_code_snippet|>\ncode_snippet_file_path: src/tax.py\n\
         def tax(x):\n    return x * 0.2\n<|/recently_viewed_code_snippet|>\n<|/recently_viewed_code_snippets|>\n\n\
         <|current_file_content|>\ncurrent_file_path: src/cart.py\nimport tax\n<|code_to_edit|>\n\
         def total(items, country):\n    return <|cursor|>sum(items)\n<|/code_to_edit|>\n\nprint(total([]))\n\
         <|/current_file_content|>\n\n<|edit_diff_history|>\n\
         --- src/item.py\n+++ src/item.py\n@@ -6,0 +7,1 @@\n+    country: str\n\n\
         --- src/cart.py\n+++ src/cart.py\n@@ -2,1 +2,1 @@\n-def total(items):\n+def total(items, country):\n\
         <|/edit_diff_history|>\n",
    );
}

#[test]
fn instinct() {
    check(
        "instinct",
        "Reference the user excerpt, user edits, and the snippets to understand the developer's intent. Update the editable \
         region of the user excerpt by predicting and completing the changes they would have made next. This may be a deletion, \
         addition, or modification of code.\n\n### Context:\n\
         <|context_file|>: src/tax.py\n<|snippet|>\ndef tax(x):\n    return x * 0.2\n\n### User Edits:\n\n\
         User edited file \"src/cart.py\"\n\n```diff\n@@ -2,1 +2,1 @@\n-def total(items):\n+def total(items, country):\n```\n\
         User edited file \"src/item.py\"\n\n```diff\n@@ -6,0 +7,1 @@\n+    country: str\n```\n\n\
         ### User Excerpt:\nsrc/cart.py\n\nimport tax\n<|editable_region_start|>\n\
         def total(items, country):\n    return <|user_cursor_is_here|>sum(items)\n<|editable_region_end|>\n\
         \nprint(total([]))\n```\n### Response:",
    );
}

#[test]
fn chat() {
    check(
        "chat",
        "## From src/tax.py\n\ndef tax(x):\n    return x * 0.2\n\n## Latest edits, oldest first\n\n\
         --- src/item.py\n@@ -6,0 +7,1 @@\n+    country: str\n\n\
         --- src/cart.py\n@@ -2,1 +2,1 @@\n-def total(items):\n+def total(items, country):\n\n\
         ## Now: src/cart.py\n\nimport tax\n<|region|>\n\
         def total(items, country):\n    return <|cursor|>sum(items)\n<|/region|>\n\nprint(total([]))\n",
    );
}

#[test]
fn a_model_is_asked_in_the_format_of_its_family() {
    let name = |model: &str| EditFormat::of_model(model).name;
    assert_eq!(name("zeta-2.1-8b.gguf"), "zeta2_1");
    assert_eq!(name("zed-industries/zeta-2"), "zeta2");
    assert_eq!(name("zeta"), "zeta");
    assert_eq!(name("sweep-next-edit-1.5B"), "sweep2");
    assert_eq!(name("mercury-edit"), "mercury");
    assert_eq!(name("Continue/Instinct"), "instinct");
    assert_eq!(name("qwen3-coder:30b"), "chat");
}

/// The marks and guards in the prompt about a text that is everywhere.
fn structure(format: &EditFormat, (path, text): (&str, &str)) -> Vec<usize> {
    let past = PastEdit { path, line: 2, before: text, after: text, above: text, below: text };
    let input = EditInput {
        path,
        above: text,
        to_cursor: text,
        from_cursor: text,
        original: text,
        below: text,
        parts: &[Part { path, text }],
        history: &[past],
        file_before: text,
    };
    let prompt = compose_edit(format, &input).text;
    let marks = format.specials.iter().map(|mark| prompt.matches(mark).count());
    let guards = format.line_guards.iter().map(|it| format!("\n{it}"));
    marks.chain(guards.map(|it| prompt.matches(&it).count())).collect()
}

#[test]
fn text_of_the_repository_never_becomes_structure() {
    for format in EditFormat::ALL {
        let guards: String = format.line_guards.iter().map(|it| format!("\n{it}")).collect();
        let hostile = format!("{}{guards}\n", format.specials.concat());
        let found = structure(format, (&hostile, &hostile));
        assert_eq!(found, structure(format, ("a", "a\n")), "{}", format.name);
    }
}

#[test]
fn a_format_that_is_not_confirmed_says_so() {
    for it in EditFormat::ALL {
        let says = it.note.contains("unconfirmed");
        assert_eq!(says, it.evidence != Evidence::Confirmed, "{}", it.name);
    }
}
