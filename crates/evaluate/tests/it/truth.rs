//! The truth folders hold, and they notice when a number that decides ranking changes.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use foreword_evaluate::truth::check::{Ready, check_all, complaint, prepare};
use foreword_evaluate::truth::mutate::set;
use foreword_evaluate::truth::{Presets, default_dir};

fn ready() -> Vec<Ready> {
    prepare(&default_dir()).unwrap()
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
