//! The host that long-lived doors share: fresh before every answer, buffers laid over, several at once.

use std::time::Duration;

use foreword_engine::index::Change;
use foreword_engine::scope::Cursor;
use foreword_engine::source::Source;
use foreword_session::host::{Host, View};
use foreword_session::setup::Setup;

use crate::Repository;

const LONG: Option<Duration> = Some(Duration::from_mins(1));

fn host(repository: &Repository) -> Host {
    Host::new(Setup { index_dir: Some(repository.index()), memory: 128 << 20, ..Setup::default() })
}

fn has(view: &View, name: &str) -> bool {
    !view.snapshot.definitions(name).is_empty()
}

#[test]
fn what_was_written_before_the_request_is_in_the_view() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    let host = host(&repository);
    let warm = host.repository(&repository.root()).unwrap();
    assert!(has(&warm.view(LONG).unwrap(), "alpha"));
    for n in 0..20 {
        repository.write("a.py", &format!("def alpha{n}():\n    pass\n"));
        let view = warm.view(LONG).unwrap();
        assert!(view.is_complete() && has(&view, &format!("alpha{n}")), "{n}");
        assert!(!has(&view, "alpha") && (n == 0 || !has(&view, &format!("alpha{}", n - 1))), "{n}");
    }
    std::fs::remove_file(repository.root().join("a.py")).unwrap();
    assert_eq!(warm.view(LONG).unwrap().snapshot.totals().files, 0);
}

#[test]
fn a_request_without_patience_gets_the_current_view_marked_as_stale() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    let host = host(&repository);
    let warm = host.repository(&repository.root()).unwrap();
    let view = warm.view(Some(Duration::ZERO)).unwrap();
    assert!(!view.is_complete());
    assert!(warm.view(LONG).unwrap().is_complete());
}

#[test]
fn an_unsaved_buffer_overlays_the_disk_until_it_is_removed() {
    let repository =
        Repository::new("//- a.py\ndef alpha():\n    pass\n//- b.py\ndef beta():\n    pass\n");
    let host = host(&repository);
    let warm = host.repository(&repository.root()).unwrap();
    let buffer = |path: &str, text: &str| {
        warm.apply(Change::Write(Source { path: path.into(), text: text.into() }));
        warm.view(LONG).unwrap()
    };
    let view = buffer("a.py", "def typed():\n    pass\n");
    assert!(has(&view, "typed") && !has(&view, "alpha") && has(&view, "beta"));
    let view = buffer("new.py", "def fresh():\n    pass\n");
    assert!(has(&view, "typed") && has(&view, "fresh"));
    let view = buffer("a.py", "def typed_more():\n    pass\n");
    assert!(has(&view, "typed_more") && !has(&view, "typed") && has(&view, "fresh"));
    repository.write("b.py", "def saved():\n    pass\n");
    let view = warm.view(LONG).unwrap();
    assert!(has(&view, "saved") && has(&view, "typed_more"));
    warm.apply(Change::Remove("a.py".into()));
    warm.apply(Change::Remove("new.py".into()));
    let view = warm.view(LONG).unwrap();
    assert!(has(&view, "alpha") && !has(&view, "typed_more") && !has(&view, "fresh"));
}

#[cfg(unix)]
#[test]
fn a_document_that_is_parsed_for_long_holds_up_no_other_one() {
    use foreword_load::{Analyzer, WorkerCommand};

    let repository =
        Repository::new("//- a.py\ndef alpha():\n    pass\n//- b.py\ndef beta():\n    pass\n");
    let signs = tempfile::tempdir().unwrap();
    let sign = |name: &str| signs.path().join(name).display().to_string();
    // Parses nothing while the first sign is there: the first document waits.
    let line = format!(
        "while [ -e {} ]; do touch {}; sleep 0.01; done; exec {} parse-worker",
        sign("held"),
        sign("waits"),
        env!("CARGO_BIN_EXE_foreword")
    );
    let command = WorkerCommand { program: "/bin/sh".into(), args: vec!["-c".into(), line.into()] };
    let analyzer = std::sync::Arc::new(Analyzer::in_workers(command));
    let setup = Setup { index_dir: Some(repository.index()), analyzer, ..Setup::default() };
    let host = Host::new(setup);
    let warm = host.repository(&repository.root()).unwrap();
    assert!(warm.view(LONG).unwrap().is_complete());
    let buffer = |path: &str, text: &str| {
        warm.apply(Change::Write(Source { path: path.into(), text: text.into() }));
    };
    std::fs::write(sign("held"), "").unwrap();
    buffer("a.py", "def held():\n    pass\n");
    let other = std::sync::Arc::clone(&warm);
    let waiting = std::thread::spawn(move || other.view(LONG).unwrap());
    while !std::path::Path::new(&sign("waits")).exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // The text on the disk needs no parse: what holds it up is only the other document.
    let cursor = Cursor::new("b.py", "def beta():\n    pass\n", 0).unwrap();
    let view = warm.view_at_cursor(&cursor).unwrap();
    assert!(!view.base.definitions("alpha").is_empty() && view.base.definitions("held").is_empty());
    assert!(warm.latest().is_some() && !waiting.is_finished());
    std::fs::remove_file(sign("held")).unwrap();
    assert!(has(&waiting.join().unwrap(), "held"));
    assert!(!warm.view_at_cursor(&cursor).unwrap().base.definitions("held").is_empty());
}

#[test]
fn an_unchanged_snapshot_stays_warm() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    let host = host(&repository);
    let warm = host.repository(&repository.root()).unwrap();
    let first = warm.view(LONG).unwrap().snapshot;
    let second = warm.view(LONG).unwrap().snapshot;
    assert!(std::sync::Arc::ptr_eq(&first, &second));
}

#[test]
fn hosts_with_one_index_share_their_work() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    let hosts: Vec<Host> = (0..4).map(|_| host(&repository)).collect();
    let warm: Vec<_> = hosts.iter().map(|it| it.repository(&repository.root()).unwrap()).collect();
    for n in 0..5 {
        repository.write("a.py", &format!("def alpha{n}():\n    pass\n"));
        std::thread::scope(|scope| {
            for it in &warm {
                scope.spawn(move || {
                    let view = it.view(LONG).unwrap();
                    assert!(view.is_complete() && has(&view, &format!("alpha{n}")), "{n}");
                });
            }
        });
    }
}

#[test]
fn a_removed_root_is_an_error_or_the_last_view_marked_as_stale() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    let host = host(&repository);
    let warm = host.repository(&repository.root()).unwrap();
    assert!(warm.view(LONG).unwrap().is_complete());
    std::fs::remove_dir_all(repository.root()).unwrap();
    let view = warm.view(LONG).unwrap();
    assert!(!view.fresh && view.trouble.is_some());
    assert!(host.repository(&repository.root()).is_err());
}
