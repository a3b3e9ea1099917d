//! Outcomes of parses in an index: kills leave no mark, expensive texts wait for nobody's answer, crashes are tried twice.

#[cfg(unix)]
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use foreword_chunk::ParseOutcome;
use foreword_engine::index::{FileId, Snapshot};
use foreword_load::{Analyzer, Effort, Progress, Reuse, SyncOutcome, WorkLimits, WorkerCommand};
use foreword_session::host::Host;
use foreword_session::setup::{Setup, SyncRequest};

use crate::Repository;
use crate::parse_workers::workers;

/// Workers that begin with a line of a shell.
#[cfg(unix)]
fn shell(line: &str) -> Analyzer {
    let line = format!("{line}; exec {} parse-worker", env!("CARGO_BIN_EXE_foreword"));
    let args = vec!["-c".into(), line.into()];
    Analyzer::in_workers(WorkerCommand { program: "/bin/sh".into(), args })
}

/// Workers with no time for the functions of [`python`] in a round, and enough afterwards.
fn hasty() -> Analyzer {
    let own_time = Duration::from_millis(100);
    let none = Duration::ZERO;
    let limits =
        WorkLimits { own_time, own_time_per_byte: 0, batch_time: none, ..WorkLimits::default() };
    workers().with_limits(WorkLimits { file_time: Duration::from_mins(5), ..limits })
}

fn python(functions: usize) -> String {
    (0..functions).map(|it| format!("def f{it}(a, b):\n    return a + b * {it}\n\n")).collect()
}

fn setup(repository: &Repository, analyzer: Analyzer) -> Setup {
    let index_dir = Some(repository.index());
    Setup { index_dir, analyzer: Arc::new(analyzer), threads: 2, here: true, ..Setup::default() }
}

fn sync_with(
    setup: &Setup,
    repository: &Repository,
    effort: Effort,
    progress: &(dyn Fn(Progress) + Sync),
) -> SyncOutcome {
    let workspace = setup.discover(&repository.root()).unwrap();
    let store = setup.store(&workspace).unwrap();
    let wait = Duration::ZERO;
    let (reuse, partial, cancel) = (Reuse::Stored, None, None);
    let request = SyncRequest { wait, waiting: None, reuse, effort, progress, partial, cancel };
    setup.sync(&workspace, &store, request).unwrap()
}

fn sync(setup: &Setup, repository: &Repository, effort: Effort) -> SyncOutcome {
    sync_with(setup, repository, effort, &|_| {})
}

fn outcomes(snapshot: &Snapshot) -> Vec<(String, ParseOutcome)> {
    snapshot.files().map(|it| (snapshot.path(it).to_owned(), snapshot.outcome(it))).collect()
}

/// All that is known about the files.
fn contents(snapshot: &Snapshot) -> Vec<String> {
    let content = |it: FileId| format!("{} {:?}", snapshot.path(it), snapshot.record(it));
    snapshot.files().map(content).collect()
}

/// What an index has that nobody disturbed.
fn undisturbed(repository: &Repository) -> (String, Vec<String>) {
    let index = tempfile::tempdir().unwrap();
    let analyzer = Arc::new(Analyzer::in_process());
    let setup =
        Setup { index_dir: Some(index.path().into()), analyzer, here: true, ..Setup::default() };
    let snapshot = sync(&setup, repository, Effort::Full).snapshot;
    (snapshot.id().to_owned(), contents(&snapshot))
}

#[cfg(unix)]
#[test]
fn thirty_kills_of_workers_leave_no_mark_in_the_index() {
    let repository = Repository::new("//- README.md\n# Made\n");
    for n in 0..120 {
        repository.write(&format!("part{}/file{n}.py", n % 7), &python(10 + n % 5));
    }
    let killed = tempfile::tempdir().unwrap();
    let dir = killed.path().display();
    // The process that is killed later is the worker, since `exec` keeps its number.
    let line = format!(
        "cd {dir}; n=$(ls | wc -l); \
         if [ $n -lt 30 ]; then touch $$; (sleep 0.0$((n % 4 * 2)); kill -9 $$) </dev/null >/dev/null 2>&1 & fi"
    );
    let setup = setup(&repository, shell(&line));
    for _ in 0..40 {
        sync(&setup, &repository, Effort::Round);
        // Each time some files are new.
        let n = std::fs::read_dir(killed.path()).unwrap().count();
        repository.write(&format!("part0/file{n}.py"), &python(20 + n));
        if n >= 30 {
            break;
        }
    }
    assert_eq!(std::fs::read_dir(killed.path()).unwrap().count(), 30);
    let snapshot = sync(&setup, &repository, Effort::Round).snapshot;
    let (id, expected) = undisturbed(&repository);
    assert_eq!(contents(&snapshot), expected);
    assert_eq!(snapshot.id(), id);
}

#[test]
fn an_expensive_text_is_deferred_once_and_parsed_when_nobody_waits() {
    let repository = Repository::new("//- a.py\ndef a(): pass\n//- b.py\ndef b(): pass\n");
    repository.write("long.py", &python(10_000));
    let setup = setup(&repository, hasty());
    let deferred = |it: &SyncOutcome| it.snapshot.outcome(it.snapshot.file("long.py").unwrap());
    let first = sync(&setup, &repository, Effort::Round);
    assert_eq!(deferred(&first), ParseOutcome::Deferred);
    let others = outcomes(&first.snapshot);
    assert_eq!(others.iter().filter(|it| it.1 == ParseOutcome::Parsed).count(), 2, "{others:?}");
    let second = sync(&setup, &repository, Effort::Round);
    assert_eq!((deferred(&second), second.report.parsed), (ParseOutcome::Deferred, 0));
    let full = sync(&setup, &repository, Effort::Full);
    assert_eq!(deferred(&full), ParseOutcome::Parsed);
    assert_ne!(full.snapshot.id(), second.snapshot.id());
    assert_eq!((full.snapshot.id().to_owned(), contents(&full.snapshot)), undisturbed(&repository));
}

#[test]
fn a_run_that_ends_early_keeps_the_outcomes_of_the_texts_before() {
    use ParseOutcome::{Deferred, Parsed};
    let repository = Repository::new("//- a.py\ndef a(): pass\n");
    for n in 0..3 {
        repository.write(&format!("long{n}.py"), &python(10_000 + n));
    }
    let setup = Setup { threads: 1, ..setup(&repository, hasty()) };
    assert!(outcomes(&sync(&setup, &repository, Effort::Round).snapshot).len() == 4);
    let interrupted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        // Deferred texts are counted on this thread, files on others.
        let thread = std::thread::current().id();
        let is_here = || std::thread::current().id() == thread;
        let end = |it: Progress| assert!(it.done != 2 || !is_here(), "interrupted");
        sync_with(&setup, &repository, Effort::Full, &end);
    }));
    assert!(interrupted.is_err());
    let workspace = setup.discover(&repository.root()).unwrap();
    let stored = foreword_load::open_as_is(&workspace, &setup.store(&workspace).unwrap()).unwrap();
    let found: Vec<ParseOutcome> = outcomes(&stored.snapshot).into_iter().map(|it| it.1).collect();
    assert_eq!(found, [Parsed, Parsed, Deferred, Deferred]);
}

#[cfg(unix)]
#[test]
fn a_crash_is_tried_again_once_and_then_final() {
    use ParseOutcome::{Crashed, CrashedTwice, Deferred, Parsed};
    let found = |analyzer: Analyzer, repository: &Repository, effort| {
        let snapshot = sync(&setup(repository, analyzer), repository, effort).snapshot;
        snapshot.outcome(snapshot.file("a.py").unwrap())
    };
    let dir = tempfile::tempdir().unwrap();
    let greeting = dir.path().join("greeting");
    let worker = Command::new(env!("CARGO_BIN_EXE_foreword"))
        .arg("parse-worker")
        .stdin(Stdio::null())
        .output();
    std::fs::write(&greeting, worker.unwrap().stdout).unwrap();
    let crash = || shell(&format!("cat {}; kill -SEGV $$", greeting.display()));
    let repository = Repository::new("//- a.py\ndef a(): pass\n");
    assert_eq!(found(crash(), &repository, Effort::Round), Deferred);
    assert_eq!(found(workers(), &repository, Effort::Round), Deferred);
    assert_eq!(found(crash(), &repository, Effort::Full), Crashed);
    assert_eq!(found(workers(), &repository, Effort::Full), Parsed);
    repository.write("a.py", "def other(): pass\n");
    for expected in [Crashed, CrashedTwice, CrashedTwice] {
        assert_eq!(found(crash(), &repository, Effort::Full), expected);
    }
    assert_eq!(found(workers(), &repository, Effort::Full), CrashedTwice);
}

#[cfg(unix)]
#[test]
fn workers_that_cannot_start_leave_no_outcome() {
    let repository = Repository::new("//- a.py\ndef a(): pass\n");
    // As another version of the program would.
    let other = setup(&repository, shell("exit 1"));
    let found = |it: &SyncOutcome| outcomes(&it.snapshot)[0].1;
    assert_ne!(found(&sync(&other, &repository, Effort::Full)), ParseOutcome::Crashed);
    let own = setup(&repository, workers());
    assert_eq!(found(&sync(&own, &repository, Effort::Round)), ParseOutcome::Parsed);
}

#[test]
fn a_server_answers_from_the_rest_and_parses_deferred_texts_afterwards() {
    let repository = Repository::new("//- a.py\ndef alpha(): pass\n");
    repository.write("long.py", &python(10_000));
    let host = Host::new(setup(&repository, hasty()));
    let warm = host.repository(&repository.root()).unwrap();
    let patience = Some(Duration::from_mins(1));
    let view = warm.view(patience).unwrap();
    assert_eq!(view.snapshot.definitions("alpha").len(), 1);
    let trouble = view.trouble.unwrap_or_default();
    assert!(
        trouble.contains("1 file has no syntax tree yet") && trouble.contains("long.py"),
        "{trouble}"
    );
    for _ in 0..600 {
        let view = warm.view(patience).unwrap();
        let long = view.snapshot.file("long.py").unwrap();
        if view.snapshot.outcome(long) == ParseOutcome::Parsed {
            assert_eq!(view.trouble, None);
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("never parsed");
}

#[test]
fn commands_name_the_files_without_a_tree() {
    let repository =
        Repository::new("//- a.py\ndef a(): pass\n//- broken.json\n]]]]}}}}{{{{ x y z ]]]\n");
    // Takes ten seconds of processor time.
    repository.write("bomb.zig", &") !\r\n".repeat(1800));
    let found = repository.run(&["search", "a"]);
    assert_eq!(found.code, 0);
    assert!(
        found.err.contains("1 file has no syntax tree yet") && found.err.contains("bomb.zig"),
        "{found:?}"
    );
    let found = repository.json(&["search", "a", "--json"]);
    assert!(
        found["searched"]["deferred"].as_str().unwrap().contains("`foreword index`"),
        "{found}"
    );
    assert_eq!(repository.json(&["status", "bomb.zig", "--json"])["unparsed"], "deferred");
    assert!(repository.run(&["status", "bomb.zig"]).out.contains("parsing it takes long"));
    let doctor = repository.run(&["doctor"]);
    assert!(doctor.out.contains("1 deferred (bomb.zig)"), "{doctor:?}");
    std::fs::remove_file(repository.root().join("bomb.zig")).unwrap();
    let index = repository.run(&["index"]);
    let expected =
        "1 file has no syntax tree, so that symbols are guessed by lines: 1 invalid (broken.json)";
    assert!(index.err.contains(expected), "{index:?}");
    assert!(repository.run(&["doctor"]).out.contains(expected));
}
