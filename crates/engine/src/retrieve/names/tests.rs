//! Which words of a text are names, and where they can be defined.

use super::*;
use crate::index::{IndexConfig, Snapshot};
use crate::scope::View;
use crate::source::Source;

const NAMES: NameConfig =
    NameConfig { plain: 0.5, unbound: 0.3, misfit: 0.3, rarity: 1.0, unused: 1.0, usual: 0.5 };

/// Names in the text of `path` with their reach, in order of occurrence; `others` are the other files of the
/// repository.
fn names(path: &str, text: &str, others: &[(&str, &str)]) -> Vec<(String, Reach)> {
    let source =
        |(path, text): &(&str, &str)| Source { path: (*path).to_owned(), text: (*text).to_owned() };
    let sources = others.iter().map(source).collect();
    let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    let cursor = Cursor::at_end(path, text);
    let view = View::new(&snapshot, &cursor).unwrap();
    let scope = view.scope(&cursor);
    let words = CodeWords::new(&cursor, &scope, &NAMES);
    let mut res = Vec::new();
    crate::index::terms::identifiers(text, |start, end| {
        res.extend(words.use_at(start, end).map(|it| (it.name.to_owned(), it.reach)));
    });
    res
}

#[track_caller]
fn check(path: &str, text: &str, others: &[(&str, &str)], expect: &[(&str, Reach)]) {
    let found = names(path, text, others);
    let found: Vec<(&str, Reach)> = found.iter().map(|it| (it.0.as_str(), it.1.clone())).collect();
    assert_eq!(found, expect, "{text}");
}

fn within(owner: &str) -> Reach {
    Reach::Within(owner.to_owned())
}

fn member(owner: &str) -> Reach {
    Reach::Member(Some(owner.to_owned()))
}

const USED: ImportedUse = ImportedUse::Used;

#[test]
fn words_of_comments_strings_and_builtins_are_no_names() {
    let text =
        "# defines and returns\nx = \"a function of http://host/path\"\nprint(len(rare_name(x)))\n";
    check("a.py", text, &[], &[("rare_name", Reach::Outermost)]);
    let text = "/**\n * Returns the author of the code.\n */\nfun f(call: Call) = promote(call)\n";
    let expect = [("Call", Reach::Anywhere), ("promote", Reach::Anywhere)];
    check("A.kt", text, &[], &expect);
}

#[test]
fn locals_and_loop_variables_are_no_names_and_their_members_are() {
    let text = "def f(items):\n    for item in items:\n        total = item.price_of(items)\n";
    check("a.py", text, &[], &[("price_of", Reach::Member(None))]);
}

#[test]
fn an_imported_name_is_looked_for_where_the_import_leads() {
    let others =
        [("pkg/util.py", "def real():\n    pass\n"), ("pkg/other.py", "def real(): pass\n")];
    let text = "from pkg.util import real as here\nfrom typing import Optional\nhere(Optional)\n";
    check("main.py", text, &others, &[("real", Reach::Import(0, USED))]);
}

#[test]
fn what_belongs_to_another_library_is_not_looked_for() {
    let others = [("render/reader.go", "package render\n\ntype Reader struct{}\n")];
    let text = "package main\n\nimport \"io\"\n\nfunc f(r io.Reader) { r.Read(nil) }\n";
    check("main.go", text, &others, &[]);
    let text = "import os\nos.path.join(given)\n";
    check("a.py", text, &[], &[("given", Reach::Outermost)]);
}

#[test]
fn a_receiver_says_which_type_a_member_is_of() {
    let text = "package main\n\nfunc f(e *Engine) { e.Copy(); g().Copy() }\n";
    let expect =
        [("Engine", Reach::Outermost), ("Copy", member("Engine")), ("Copy", Reach::Member(None))];
    check("main.go", text, &[], &expect);
    let text = "fn f() { Engine::start(); std::mem::swap(a, b); }\n";
    let found = names("src/a.rs", text, &[]);
    assert!(found.contains(&("start".to_owned(), within("Engine"))), "{found:?}");
    assert!(!found.iter().any(|it| it.0 == "swap"), "{found:?}");
}
