//! Texts are parsed in processes of their own: what those return, and what is left when they end.

use std::fs;
use std::time::Duration;

use foreword_chunk::{Analysis, Config, Language, ParseOutcome, analyze};
use foreword_load::{Analyzer, Job, WorkLimits, WorkerCommand};

use crate::Repository;

pub(crate) fn workers() -> Analyzer {
    Analyzer::in_workers(WorkerCommand {
        program: env!("CARGO_BIN_EXE_foreword").into(),
        args: vec!["parse-worker".into()],
    })
}

/// Workers that run a line of a shell instead of parsing.
#[cfg(unix)]
fn shell(line: &str) -> Analyzer {
    let args = vec!["-c".into(), line.into()];
    Analyzer::in_workers(WorkerCommand { program: "/bin/sh".into(), args })
}

/// Workers that greet and then run a line of a shell.
#[cfg(unix)]
fn greeting_shell(dir: &std::path::Path, line: &str) -> Analyzer {
    let greeting = dir.join("greeting");
    let worker = std::process::Command::new(env!("CARGO_BIN_EXE_foreword"))
        .arg("parse-worker")
        .stdin(std::process::Stdio::null())
        .output();
    fs::write(&greeting, worker.unwrap().stdout).unwrap();
    shell(&format!("cat {}; {line}", greeting.display()))
}

/// Workers of which the first runs a line of a shell, and the others parse.
#[cfg(unix)]
fn first_runs(dir: &std::path::Path, line: &str) -> Analyzer {
    let (flag, program) = (dir.join("flag"), env!("CARGO_BIN_EXE_foreword"));
    let flag = flag.display();
    let greeting = dir.join("greeting");
    drop(greeting_shell(dir, line));
    let first = format!("touch {flag}; cat {}; {line}", greeting.display());
    shell(&format!("[ -e {flag} ] || {{ {first}; }}; exec {program} parse-worker"))
}

/// The texts of the languages' tests.
fn texts() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../chunk/tests/languages");
    let paths = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut texts: Vec<_> = paths
        .filter_map(|it| Some((it.display().to_string(), fs::read_to_string(&it).ok()?)))
        .collect();
    texts.sort();
    texts
}

fn python(functions: usize) -> String {
    (0..functions).map(|it| format!("def f{it}(a, b):\n    return a + b * {it}\n\n")).collect()
}

#[test]
fn workers_analyze_as_this_process_does() {
    let texts = texts();
    assert!(texts.len() > 20);
    let config = Config::default();
    let jobs: Vec<Job<'_>> =
        texts.iter().map(|(path, text)| Job::file(path, text, &config)).collect();
    let expected: Vec<Analysis> =
        jobs.iter().map(|it| analyze(it.text.as_bytes(), it.language, &config)).collect();
    assert_eq!(workers().analyze_all(&jobs), expected);
    let (analyzer, in_process) = (workers(), Analyzer::in_process());
    std::thread::scope(|scope| {
        for jobs in jobs.chunks(7) {
            let analyzer = &analyzer;
            scope.spawn(move || {
                for it in jobs {
                    let expected = analyze(it.text.as_bytes(), it.language, &it.config);
                    assert_eq!(analyzer.analyze(it), expected);
                }
            });
        }
    });
    assert_eq!(in_process.analyze_all(&jobs), expected);
}

#[test]
fn a_batch_larger_than_a_pipe_is_answered() {
    let text = python(40_000);
    let (analyzer, config) = (workers(), Config::default());
    let jobs = [Job::file("a.py", &text, &config), Job::file("b.py", &text, &config)];
    let analyses = analyzer.analyze_all(&jobs);
    assert_eq!(analyses[0].symbols.definitions.len(), 40_000);
    assert_eq!(analyses[0], analyses[1]);
}

#[test]
fn an_edited_document_is_parsed_from_its_last_version() {
    let (analyzer, config) = (workers(), Config::default());
    let text = python(2000);
    let analyze_version = |text: &str| {
        let analysis = analyzer.analyze_document(&Job::document("a.py", text, &config));
        assert_eq!(analysis, analyze(text.as_bytes(), Some(Language::Python), &config));
    };
    analyze_version(&text);
    analyze_version(&text.replacen("f7(", "seven(", 1));
    analyze_version(&text.replacen("f8(", "eight(", 1));
}

/// The outcome of a text behind and before others.
fn outcomes(analyzer: &Analyzer, text: &str) -> [ParseOutcome; 3] {
    let config = Config::default();
    let jobs = ["def a(): pass\n", text, "def b(): pass\n"];
    let jobs = jobs.map(|it| Job::file("a.py", it, &config));
    let analyses = analyzer.analyze_all(&jobs);
    for (analysis, job) in analyses.iter().zip(&jobs) {
        assert!(analysis.fits(job.text));
    }
    [0, 1, 2].map(|it| analyses[it].outcome)
}

#[test]
fn a_text_that_takes_too_long_or_too_much_memory_is_the_only_one_without_a_tree() {
    let text = python(100_000);
    let limits = WorkLimits::default();
    let slow =
        workers().with_limits(WorkLimits { file_time: Duration::from_millis(500), ..limits });
    let parsed = ParseOutcome::Parsed;
    assert_eq!(outcomes(&slow, &text), [parsed, ParseOutcome::TimedOut, parsed]);
    let small = WorkLimits { memory: 8 << 20, memory_per_byte: 0, ..limits };
    let small = workers().with_limits(small);
    assert_eq!(outcomes(&small, &text), [parsed, ParseOutcome::OutOfMemory, parsed]);
}

#[test]
fn a_document_that_stopped_the_parser_does_not_stop_it_at_every_key() {
    let text = python(100_000);
    let limits = WorkLimits { document_time: Duration::from_millis(300), ..WorkLimits::default() };
    let (analyzer, config) = (workers().with_limits(limits), Config::default());
    let stopped = analyzer.analyze_document(&Job::document("a.py", &text, &config));
    assert_eq!(stopped.outcome, ParseOutcome::TimedOut);
    let next = analyzer.analyze_document(&Job::document("a.py", "x = 1\n", &config));
    assert_eq!(next.outcome, ParseOutcome::TimedOut);
    let other = analyzer.analyze_document(&Job::document("b.py", "x = 1\n", &config));
    assert_eq!(other.outcome, ParseOutcome::Parsed);
}

#[cfg(unix)]
#[test]
fn workers_that_end_are_replaced_and_cost_a_tree_at_most() {
    let dir = tempfile::tempdir().unwrap();
    let outcomes_of = |line| outcomes(&greeting_shell(dir.path(), line), "x = 1\n");
    let garbage = "head -c 100 /dev/zero | tr '\\0' '\\377'";
    for line in ["kill -ABRT $$", "kill -SEGV $$", garbage, "cat"] {
        assert_eq!(outcomes_of(line), [ParseOutcome::Crashed; 3], "{line}");
    }
    // No text ends its worker like this.
    for line in
        ["kill -KILL $$", "kill -TERM $$", "kill -HUP $$", "kill -XCPU $$", "exit 0", "exit 1"]
    {
        assert_eq!(outcomes_of(line), [ParseOutcome::Interrupted; 3], "{line}");
    }
    assert_eq!(outcomes_of("exit 91"), [ParseOutcome::TimedOut; 3]);
    assert_eq!(outcomes_of("exit 92"), [ParseOutcome::OutOfMemory; 3]);
}

#[cfg(unix)]
#[test]
fn a_worker_that_somebody_kills_once_costs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(outcomes(&first_runs(dir.path(), "kill -9 $$"), "x"), [ParseOutcome::Parsed; 3]);
}

#[cfg(unix)]
#[test]
fn a_worker_that_is_stopped_is_replaced() {
    // Before it reads, with a batch that fills the pipe; within an analysis.
    for line in ["kill -STOP $$", "head -c 9; printf '\\100\\0\\0\\0half'; kill -STOP $$"] {
        let dir = tempfile::tempdir().unwrap();
        let text = python(4000);
        let parsed = outcomes(&first_runs(dir.path(), line), &text);
        assert_eq!(parsed, [ParseOutcome::Parsed; 3], "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_worker_that_writes_without_end_is_replaced() {
    let lengths = ["\\377\\377\\377\\377", "\\0\\0\\0\\40", "\\0\\0\\0\\1", ""];
    for line in lengths.map(|it| format!("printf '{it}'; exec cat /dev/zero")) {
        let dir = tempfile::tempdir().unwrap();
        let parsed = outcomes(&first_runs(dir.path(), &line), "x = 1\n");
        assert_eq!(parsed, [ParseOutcome::Parsed; 3], "{line}");
    }
}

/// Programs that are no workers of this version; the texts are parsed nevertheless.
#[cfg(unix)]
#[test]
fn a_program_that_is_no_worker_of_this_version_is_not_used() {
    for (line, reason) in [
        ("printf '\\3\\0\\0\\0old'", "another version"),
        ("exec yes", "no parser of foreword"),
        ("exec cat", "at once"),
        ("exit 2", "at once"),
    ] {
        // A program that waits for input ends with it.
        let analyzer = shell(&format!("exec </dev/null; {line}"));
        assert_eq!(outcomes(&analyzer, "x = 1\n"), [ParseOutcome::Parsed; 3], "{line}");
        let (fallback, checked) = (analyzer.fallback().unwrap(), analyzer.check().unwrap_err());
        assert!(fallback.contains(reason), "{line}: {fallback}");
        assert_eq!(checked.to_string(), fallback);
    }
}

/// The workers of commands that run in a directory.
#[cfg(target_os = "linux")]
fn workers_in(directory: &std::path::Path) -> usize {
    let is_worker = |process: &std::path::Path| {
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        line.starts_with(b"foreword-parser")
            && fs::read_link(process.join("cwd")).is_ok_and(|it| it == directory)
    };
    fs::read_dir("/proc").unwrap().filter(|it| is_worker(&it.as_ref().unwrap().path())).count()
}

/// Waits up to 8 seconds, less than the processor time that a text may take.
#[cfg(target_os = "linux")]
fn holds_soon(condition: impl Fn() -> bool) -> bool {
    (0..800).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        condition()
    })
}

#[cfg(target_os = "linux")]
#[test]
fn workers_of_a_killed_command_end_while_they_parse() {
    let repository = Repository::new("//- ok.rs\nfn hello() {}\n");
    // Takes all the time that a text may take.
    let bomb = format!("{}\n", "- , &'* ".repeat(8)).repeat(1000);
    fs::write(repository.root().join("slow.rs"), bomb).unwrap();
    let mut command = repository.command(&["index", "-q"]);
    let mut command = command.spawn().unwrap();
    let workers = || workers_in(&repository.root());
    assert!(holds_soon(|| workers() > 0));
    command.kill().unwrap();
    command.wait().unwrap();
    assert!(holds_soon(|| workers() == 0));
}

#[test]
fn without_a_program_texts_are_parsed_in_this_process() {
    let command = WorkerCommand { program: "no/such/program".into(), args: Vec::new() };
    let analyzer = Analyzer::in_workers(command);
    assert_eq!(outcomes(&analyzer, "x = 1\n"), [ParseOutcome::Parsed; 3]);
    assert!(analyzer.check().is_err() && analyzer.fallback().is_some());
    let workers = workers();
    assert_eq!(outcomes(&workers, "x = 1\n"), [ParseOutcome::Parsed; 3]);
    assert!(workers.check().is_ok() && workers.fallback().is_none());
}

/// Texts that hang, abort, or exhaust grammars as they are.
fn bombs() -> Vec<(&'static str, String)> {
    let nested: String = (0..512).map(|it| format!("{}if x:\n", " ".repeat(it))).collect();
    vec![
        ("hang.kt", "val i = 1\n@".to_owned()),
        ("abort.rb", format!("buf <<\"{}\"\nx = 1\n", "a".repeat(300))),
        ("abort.py", nested + &" ".repeat(512) + "\"s\"\n"),
        ("memory.java", format!("x = {}", "a<\n".repeat(15_000))),
        ("memory.cs", format!("x = {}", "a<\n".repeat(15_000))),
        ("slow.cpp", format!("x = {}", "a<\n".repeat(15_000))),
        ("brackets.py", "[\n".repeat(400_000)),
        ("quadratic.html", "<div>\n".repeat(40_000)),
    ]
}

#[test]
fn texts_that_stop_grammars_stop_no_command() {
    let repository = Repository::new("//- ok.rs\nfn hello() {}\n");
    for (path, text) in bombs() {
        fs::write(repository.root().join(path), text).unwrap();
    }
    assert_eq!(repository.run(&["index"]).code, 0);
    let found = repository.json(&["search", "hello", "--json"]);
    assert_eq!(found["results"][0]["path"], "ok.rs", "{found}");
    assert_eq!(found["complete"], true);
    let status = repository.json(&["status", "--json"]);
    assert_eq!(status["files"], 1 + bombs().len(), "{status}");
    for (path, _) in bombs() {
        assert_eq!(repository.run(&["chunk", path]).code, 0, "{path}");
        assert_eq!(repository.run(&["context", path, "--offset", "5"]).code, 0, "{path}");
    }
}
