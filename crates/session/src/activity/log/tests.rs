//! The order, the bounds and the restart of a log.

use foreword_engine::index::IndexConfig;
use foreword_engine::source::Source;

use super::*;

/// A repository with these files, each of one line.
fn snapshot(paths: impl IntoIterator<Item = String>) -> Snapshot {
    let source = |path: String| Source { path, text: "x\n".to_owned() };
    let sources = paths.into_iter().map(source).collect();
    Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
}

fn named(paths: &[&str]) -> Snapshot {
    snapshot(paths.iter().map(|it| (*it).to_owned()))
}

fn old(text: &str) -> impl FnOnce() -> Option<String> {
    let text = text.to_owned();
    || Some(text)
}

#[test]
fn edits_of_other_files_are_known_latest_first() {
    let (log, files) = (ActivityLog::default(), named(&["a.py", "b.py", "c.py"]));
    log.edit("a.py", "one\ntwo\nthree\n", old("one\n"));
    log.visit("a.py", 2);
    log.visit("b.py", 1);
    log.edit("ignored.py", "secret\n", old(""));
    log.edit("c.py", "new\n", || None);
    let seen = log.elsewhere("c.py", &files);
    assert_eq!(seen.recent, ["b.py", "a.py"]);
    assert_eq!(seen.activity.visited, [("b.py".to_owned(), 1), ("a.py".to_owned(), 2)]);
    assert_eq!(seen.activity.edited, ["two", "three"]);
    // A save does not end the comparison with the text as it was first.
    log.edit("a.py", "one\ntwo\n3\n", old("one\ntwo\nthree\n"));
    log.change_on_disk("a.py", "one\ntwo\n3\n", None);
    let seen = log.elsewhere("c.py", &files);
    assert_eq!(
        (seen.activity.edited, seen.recent),
        (vec!["two".into(), "3".into()], vec!["a.py".into(), "b.py".into()])
    );
    assert!(log.elsewhere("a.py", &files).activity.edited.is_empty());
}

#[test]
fn files_places_and_bytes_are_bounded() {
    let log = ActivityLog::default();
    let files = snapshot((0..100).map(|it| format!("{it}.py")));
    for idx in 0..100 {
        log.visit(&format!("{idx}.py"), 1);
        log.visit("0.py", idx * MERGE_LINES);
    }
    let seen = log.elsewhere("", &files);
    assert_eq!((seen.recent.len(), seen.activity.visited.len()), (MAX_FILES, MAX_VISITS));
    log.edit("1.py", &"x\n".repeat(MAX_BYTES), old("y\n"));
    let seen = log.elsewhere("", &files);
    assert_eq!((seen.recent[0].as_str(), seen.activity.edited.len()), ("1.py", 0));
    log.visit("0.py", 99 * MERGE_LINES + 1);
    assert_eq!(log.elsewhere("", &files).activity.visited[0], ("0.py".to_owned(), 1981));
}

#[test]
fn a_session_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let files = named(&["a.py", "b.py"]);
    let open = || ActivityLog::resume(Some(StoredLog::new(folder.path(), "0123456789abcdef")));
    let log = open();
    log.edit("a.py", "one\ntwo\n", old("one\n"));
    log.visit("a.py", 2);
    log.store();
    let again = open();
    assert_eq!(again.elsewhere("b.py", &files), log.elsewhere("b.py", &files));
    assert_eq!(again.elsewhere("b.py", &files).activity.edited, ["two"]);
    // What is edited now comes before what was edited then.
    again.edit("a.py", "one\ntwo\nthree\n", old("one\ntwo\n"));
    again.store();
    assert_eq!(open().elsewhere("b.py", &files).activity.edited, ["three", "two"]);
    // Where nothing is stored, nothing is remembered.
    let forgetful = ActivityLog::resume(None);
    forgetful.edit("b.py", "x\ny\n", old("x\n"));
    forgetful.store();
    assert_eq!(open().elsewhere("", &files).recent, ["a.py"]);
}
