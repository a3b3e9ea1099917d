//! The truth folders pass, and detect changes of the numbers that decide ranking.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use foreword_evaluate::runs::truth::check::{IndexedFolder, check_all, complaint, prepare};
use foreword_evaluate::runs::truth::mutate::{Stop, mutate_all, set};
use foreword_evaluate::runs::truth::{Presets, default_dir};

/// Numbers that no task depends on, with reasons. `foreword-evaluate truth --mutate` lists these too.
const EXCUSED: &[(&str, &str)] = &[
    (
        "search.budget.",
        "a search composes no prompt; what its excerpts are worth is recall within tokens",
    ),
    (".fuse.weights.dense", "of no effect without an embedding model"),
    (".fuse.weights.speculated", "a plan is no list of retrieval"),
    ("search.query.lines_", "a query has no lines"),
    ("search.query.half_life", "a query has no lines"),
    ("search.query.after", "a query has no lines"),
    ("search.query.changed", "a query has no edits"),
    ("search.query.scope", "a query has no scope"),
    ("search.query.callee", "a query types no call"),
    ("search.query.intent", "a query is the intent"),
    ("search.names.", "a query has no cursor"),
    ("search.fuse.whole_name", "names of a question have no distance"),
    ("search.rerank.alike", "a query stands in no lines"),
    ("search.rerank.own_file", "a query has no file"),
    ("search.query.max_", "a limit on work: a question has few terms"),
    (
        "search.fuse.weights.symbol",
        "so small that it only decides between equals: ranks change at 0 (`doc-comment-answers-question`) and from 0.4 on",
    ),
    ("search.fuse.weights.graph", "a search has no graph list"),
    ("search.fuse.weights.package", "a search has no package list"),
    ("search.fuse.weights.recent", "a search has no recent list"),
    ("search.fuse.weights.diff", "a search has no diff list"),
    ("search.fuse.weights.head", "a search has no head list"),
    (".list", "a limit on work, far above the number of chunks here"),
    (".depth", "a limit on work, far above the number of chunks here"),
    ("context.rerank.re_export", "what only passes on names is measured for questions"),
    ("context.rerank.defines_name", "no hit at a cursor has the reason that it is about"),
    ("context.rerank.named_file", "a cursor names no file"),
    ("context.rerank.no_function", "definitions are measured for questions"),
    ("context.rerank.answers_by_", "definitions are measured for questions"),
];

fn ready() -> Vec<IndexedFolder> {
    prepare(&default_dir(), &[]).unwrap()
}

#[test]
fn every_task_meets_its_demands_and_keeps_its_ranks() {
    let checked = check_all(&ready(), &Presets::default()).unwrap();
    if let Some(complaint) = complaint(&checked) {
        panic!("{complaint}");
    }
}

#[test]
fn a_changed_number_is_a_complaint_that_names_the_task_and_the_command() {
    let mut presets = Presets::default();
    set(&mut presets, "search.rerank.tests=1").unwrap();
    let complaint = complaint(&check_all(&ready(), &presets).unwrap()).unwrap();
    for part in ["test-file-not-first/", "    was ", "    is  ", "truth --accept"] {
        assert!(complaint.contains(part), "no {part:?} in\n{complaint}");
    }
}

#[test]
fn every_number_that_decides_ranking_is_noticed_by_a_task() {
    let is_asked =
        |key: &str| !EXCUSED.iter().any(|it| key.starts_with(it.0) || key.ends_with(it.0));
    let mutations = mutate_all(&ready(), Stop::AtFirst, &is_asked).unwrap();
    assert!(mutations.len() > 40, "only {} numbers were changed", mutations.len());
    let blind: Vec<&str> =
        mutations.iter().filter(|it| !it.is_noticed()).map(|it| it.key.as_str()).collect();
    assert!(
        blind.is_empty(),
        "no task notices {blind:?}: add one (or a `watch` to one), or say here why none can"
    );
}
