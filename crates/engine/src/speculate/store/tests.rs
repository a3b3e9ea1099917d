//! Plans survive damage to files, or are made again.
#![expect(clippy::disallowed_methods, reason = "tests damage files")]

use super::super::plan::{FilePlan, Forecast, Input, Target};
use super::super::quote::block_of_lines;
use super::super::sketch::sketch;
use super::*;
use crate::index::{IndexConfig, Snapshot};
use crate::source::{ContentHash, Source};

fn key(name: &str) -> PlannerKey {
    PlannerKey { name: name.into(), fingerprint: "1".into() }
}

fn plan(path: &str, text: &str) -> FilePlan {
    FilePlan {
        path: path.into(),
        hash: ContentHash::of(text.as_bytes()),
        sketch: sketch(text),
        planner: key("agents"),
        inputs: vec![Input { path: "b.py".into(), hash: ContentHash::of(b"b = 1\n") }],
        blocks: vec![block_of_lines("b = 1\n", "b.py", 1, 1).unwrap()],
        forecasts: Vec::new(),
    }
}

fn store(dir: &Path, planner: &str) -> PlanStore {
    let store = Store::new(dir.to_owned(), IndexConfig::default());
    PlanStore::new(&store, "view", key(planner))
}

fn write(store: &PlanStore, plans: &[FilePlan]) {
    store.try_write().unwrap().unwrap().append(plans, 7).unwrap();
}

#[test]
fn plans_are_read_as_they_were_written_and_by_their_planner_only() {
    let dir = tempfile::tempdir().unwrap();
    let (own, other) = (store(dir.path(), "agents"), store(dir.path(), "a model/7B"));
    assert!(own.load().is_empty());
    write(&own, &[plan("a.py", "1"), plan("é.py", "1")]);
    write(&other, &[plan("c.py", "1")]);
    let plans = own.load();
    assert_eq!(plans.len(), 2);
    assert_eq!(plans.plan("é.py", None), Some(plan("é.py", "1")));
    assert_eq!(plans.plan("c.py", None), None);
    assert_eq!(other.load().len(), 1);
    // Plans of other settings share the file.
    let settings = PlannerKey { fingerprint: "2".into(), ..key("agents") };
    let changed = PlanStore { key: settings, ..own };
    assert!(changed.load().is_empty());
    write(&changed, &[plan("d.py", "1")]);
    assert_eq!(changed.load().len(), 1);
}

#[test]
fn a_branch_switch_finds_the_plan_of_its_own_text() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path(), "agents");
    write(&store, &[plan("a.py", "main")]);
    write(&store, &[plan("a.py", "branch")]);
    let plans = store.load();
    let of = |text: &str| plans.plan("a.py", Some(ContentHash::of(text.as_bytes()))).unwrap().hash;
    assert_eq!(of("main"), ContentHash::of(b"main"));
    assert_eq!(of("branch"), ContentHash::of(b"branch"));
    // A text without a plan gets the latest one.
    assert_eq!(of("third"), ContentHash::of(b"branch"));
}

#[test]
fn a_second_process_does_not_write_and_reads_what_the_first_has_written() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (store(dir.path(), "agents"), store(dir.path(), "agents"));
    let mut writer = one.try_write().unwrap().unwrap();
    assert!(two.try_write().unwrap().is_none());
    writer.append(&[plan("a.py", "1")], 7).unwrap();
    assert_eq!(two.load().len(), 1);
    drop(writer);
    assert!(two.try_write().unwrap().is_some());
}

#[test]
fn a_file_that_is_cut_anywhere_loses_its_last_frame_only_and_is_written_on() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path(), "agents");
    write(&store, &[plan("a.py", "1")]);
    let first = store.size() as usize;
    write(&store, &[plan("b.py", "1")]);
    let whole = std::fs::read(store.path()).unwrap();
    for cut in first..whole.len() {
        std::fs::write(store.path(), &whole[..cut]).unwrap();
        assert_eq!(store.load().len(), 1, "{cut}");
    }
    write(&store, &[plan("c.py", "1")]);
    assert_eq!(store.load().len(), 2);
    for at in [0, 5, 9, 13, 20, 30, first - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        std::fs::write(store.path(), damaged).unwrap();
        assert!(store.load().is_empty(), "{at}");
    }
    write(&store, &[plan("c.py", "1")]);
    assert_eq!(store.load().len(), 1);
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let error = store(&dir.path().join("file"), "agents").try_write().err().unwrap().to_string();
    assert!(error.contains("plans") && error.contains("--index-dir"), "{error}");
}

#[test]
fn superseded_plans_are_removed() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path(), "agents");
    for round in 0..10 {
        write(&store, &[plan("a.py", &round.to_string()), plan("old.py", "1")]);
    }
    let before = store.size();
    let mut writer = store.try_write().unwrap().unwrap();
    writer.compact().unwrap();
    writer.append(&[plan("b.py", "1")], 9).unwrap();
    let plans = store.load();
    assert!(store.size() < before / 2);
    assert_eq!(plans.len(), 3);
    // Compaction keeps the times.
    assert_eq!(plans.all("a.py"), [(plan("a.py", "8"), 7), (plan("a.py", "9"), 7)]);
    assert_eq!(plans.plan_with_time("b.py", None), Some((plan("b.py", "1"), 9)));
    assert_eq!(plans.last_made(), Some(9));
}

#[test]
fn a_plan_is_current_while_what_it_cites_and_most_of_its_file_are_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path(), "agents");
    write(&store, &[plan("a.py", "a = 1\n")]);
    let current = |a: &str, b: &str| {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![source("a.py", a), source("b.py", b)];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        store.load().is_current(&snapshot, "a.py")
    };
    assert!(current("a = 1\n", "b = 1\n"));
    assert!(!current("a = 2\n", "b = 1\n"));
    assert!(!current("a = 1\n", "b = 2\n"));
    // A line beside the cited ones does not matter.
    assert!(current("a = 1\n", "c = 3\nb = 1\n"));
    assert!(current("a = 1\n\na = 2\n", "b = 1\n"));
    assert!(!current("a = 1\na = 2\na = 3\n", "b = 1\n"));
}

#[test]
fn a_plan_of_an_earlier_text_is_current_until_all_that_it_foretells_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path(), "agents");
    let text = "def f():\n    return 1\n\ndef g():\n    return 2\n";
    let forecast = |name: &str| Forecast {
        name: name.into(),
        code: format!("def {name}():\n    return f() + g()\n"),
        target: Target { path: "a.py".into(), line: 6 },
        evidence: Vec::new(),
        score: 0.1,
    };
    let (both, none) = (vec![forecast("h"), forecast("k")], Vec::new());
    let with = |forecasts: Vec<Forecast>| FilePlan { forecasts, ..plan("a.py", text) };
    let current = |it: &FilePlan, now: &str| {
        write(&store, std::slice::from_ref(it));
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![source("a.py", now), source("b.py", "b = 1\n")];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        store.load().is_current(&snapshot, "a.py")
    };
    let first = format!("{text}\ndef h():\n    return f() + g()\n");
    let second = format!("{first}\ndef k():\n    return f() + g()\n");
    assert!(current(&with(both.clone()), text));
    assert!(current(&with(both.clone()), &first));
    assert!(!current(&with(both), &second));
    // A plan that says nothing is one of its text alone.
    let empty = FilePlan { blocks: Vec::new(), inputs: Vec::new(), ..with(none) };
    assert!(current(&empty, text));
    assert!(!current(&empty, &first));
}
