//! The truth folders hold, and they notice when a number that decides ranking changes.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use foreword_evaluate::truth::check::{Ready, check_all, complaint, prepare};
use foreword_evaluate::truth::mutate::{Mutation, Stop, mutate_all, set};
use foreword_evaluate::truth::{Presets, default_dir};

/// Numbers that no task can notice, and why.
const UNNOTICED: [(&str, &str); 16] = [
    ("context.rerank.defines_name", "no hit at a cursor has that reason, see `rerank`"),
    ("search.query.lines_before", "a query has no lines"),
    ("search.query.lines_after", "a query has no lines"),
    ("search.query.half_life", "a query has no lines"),
    ("search.query.after", "a query has no lines"),
    ("search.query.changed", "a query has no edits"),
    ("search.query.scope", "a query has no scope"),
    ("search.fuse.w2", "a search has no graph list"),
    ("search.fuse.w3", "a search has no package list"),
    ("search.fuse.w4", "a search has no recent list"),
    ("search.budget.total", "a search composes no prompt"),
    ("search.budget.prefix", "a search composes no prompt"),
    ("search.budget.suffix", "a search composes no prompt"),
    ("search.budget.piece", "a search composes no prompt"),
    ("search.budget.max_pieces", "a search composes no prompt"),
    ("search.budget.least_score", "a search composes no prompt"),
];

fn ready() -> Vec<Ready> {
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
    let mutations = mutate_all(&ready(), Stop::AtFirst).unwrap();
    let reason = |it: &Mutation| UNNOTICED.iter().find(|known| known.0 == it.key);
    let blind: Vec<&str> = mutations
        .iter()
        .filter(|it| !it.is_noticed() && reason(it).is_none())
        .map(|it| it.key.as_str())
        .collect();
    assert!(blind.is_empty(), "no task notices {blind:?}: add one, or say here why none can");
    let stale: Vec<&str> = mutations
        .iter()
        .filter(|it| it.is_noticed() && reason(it).is_some())
        .map(|it| it.key.as_str())
        .collect();
    assert!(stale.is_empty(), "{stale:?} are noticed now: take them out of this list");
}
