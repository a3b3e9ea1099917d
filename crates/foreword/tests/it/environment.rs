//! What the environment may do to the program: empty variables, an index inside the repository, too few open files.

use std::path::Path;
#[cfg(unix)]
use std::process::Command;

use serde_json::Value;

use crate::{Repository, Run};

const FILES: &str = "//- a.py\ndef alpha():\n    pass\n//- b/c.py\nalpha()\n";

#[test]
fn an_empty_variable_counts_as_absent() {
    let repository = Repository::new(FILES);
    for variable in [
        "FOREWORD_INDEX_DIR",
        "FOREWORD_MEMORY",
        "FOREWORD_MODEL_URL",
        "FOREWORD_MODEL_API",
        "FOREWORD_GGUF",
        "FOREWORD_GGUF_CONTEXT",
        "FOREWORD_THREADS",
        "FOREWORD_MAX_FILE_SIZE",
        "FOREWORD_LOG",
        "FOREWORD_MODEL_KEY",
    ] {
        let mut command = repository.command(&["config", "--json"]);
        let run = Run::of(&command.env(variable, "").output().unwrap());
        assert_eq!(run.code, 0, "{variable}: {run:?}");
        assert!(!run.out.contains(&format!("${variable}")), "{variable}: {run:?}");
    }
    let mut command = repository.command(&["serve", "--host", "0.0.0.0", "--port", "0"]);
    let run = Run::of(&command.env("FOREWORD_TOKEN", "").output().unwrap());
    run.fails(2, &["--token"]);
}

/// What an index of the repository at `place`, as the variable says it, has in it.
fn indexed(repository: &Repository, place: &Path) -> Value {
    let mut command = repository.command(&["index", "--json"]);
    let output = command.env("FOREWORD_INDEX_DIR", place).output().unwrap();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    serde_json::json!([summary["snapshot"], summary["files"], summary["complete"]])
}

#[test]
fn an_index_inside_the_repository_does_not_index_itself() {
    let repository = Repository::new(FILES);
    let first = indexed(&repository, &repository.index());
    for place in [Path::new("./idx"), &repository.root().join("idx"), Path::new("idx")] {
        assert_eq!(indexed(&repository, place), first, "{}", place.display());
        assert_eq!(indexed(&repository, place), first, "{} again", place.display());
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("idx", repository.root().join("link")).unwrap();
        assert_eq!(indexed(&repository, Path::new("./link")), first);
        assert_eq!(indexed(&repository, &repository.index()), first);
    }
    // Another version's index has no mark.
    let old = std::fs::read_dir(repository.root().join("idx")).unwrap().next().unwrap().unwrap();
    std::fs::remove_file(old.path().join("CACHEDIR.TAG")).unwrap();
    repository.write(".forewordignore", "!idx/\n");
    let files = |it: &Value| it[1].as_u64().unwrap();
    assert_eq!(files(&indexed(&repository, &repository.index())), files(&first) + 1);
}

#[cfg(unix)]
#[test]
fn an_answer_with_too_few_open_files_is_an_error_or_right() {
    let fixture: String =
        (0..40).map(|it| format!("//- d{it}/f{it}.py\ndef alpha_{it}():\n    pass\n")).collect();
    let repository = Repository::new(&fixture);
    let mut failed = 0;
    for limit in [5, 6, 8, 12, 20] {
        let program = env!("CARGO_BIN_EXE_foreword");
        let search = format!("ulimit -n {limit} && exec {program} search alpha_7 --json");
        for _ in 0..2 {
            let mut command = Command::new("sh");
            command.args(["-c", &search]).current_dir(repository.root());
            command.env("HOME", repository.dir.path());
            command.env("FOREWORD_INDEX_DIR", repository.dir.path().join(limit.to_string()));
            let run = Run::of(&command.output().unwrap());
            if run.code == 0 {
                let answer: Value = serde_json::from_str(&run.out).unwrap();
                assert_eq!(answer["searched"]["files"], 40, "{limit}: {run:?}");
                assert_eq!(answer["complete"], true, "{limit}: {run:?}");
                continue;
            }
            failed += 1;
            assert!(run.err.contains("too many open files; raise the limit"), "{limit}: {run:?}");
        }
    }
    assert!((2..8).contains(&failed), "{failed} of 10 failed");
}
