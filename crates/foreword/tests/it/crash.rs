//! kill -9 at any instant loses at most the unfinished batch.

use std::process::Stdio;
use std::time::Duration;

use crate::Repository;

/// Enough files that indexing takes a while, with a word that only one file has.
fn many() -> Repository {
    let repository = Repository::new("//- needle.py\ndef needle_in_haystack():\n    pass\n");
    for n in 0..400 {
        let function = |it: usize| {
            format!("def function_{n}_{it}(value):\n    return other_{it}(value, {n})\n\n")
        };
        let text: String = (0..60).map(function).collect();
        repository.write(&format!("src/m{}/f{n}.py", n % 20), &text);
    }
    repository
}

#[test]
fn a_killed_run_leaves_an_index_that_answers_right() {
    let repository = many();
    for delay in [5, 20, 40, 60, 90, 120, 160, 220, 300, 400] {
        let mut child = repository
            .command(&["index", "--memory", "1M"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        let _ = child.kill();
        child.wait().unwrap();
        if delay == 60 {
            repository.write("src/m0/f0.py", "def function_replaced():\n    pass\n");
        }
    }
    let answer = repository.json(&["search", "needle_in_haystack", "--json"]);
    assert_eq!(crate::paths(&answer), ["needle.py"]);
    assert_eq!(answer["searched"]["files"], 401);
    assert_eq!(answer["complete"], true);
    let ghost = repository.run(&["symbols", "function_0_1"]);
    assert_eq!(ghost.code, 1, "{ghost:?}");
    assert_eq!(repository.run(&["doctor"]).code, 0);
}

#[test]
fn an_index_that_is_damaged_as_a_whole_is_built_anew() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    repository.run(&["index"]);
    let files = |kind: &str| -> Vec<std::path::PathBuf> {
        let store = repository.store();
        std::fs::read_dir(store.join(kind)).unwrap().map(|it| it.unwrap().path()).collect()
    };
    for kind in ["segments", "views"] {
        for damage in [&b""[..], b"not what was written"] {
            for file in files(kind) {
                std::fs::write(file, damage).unwrap();
            }
            let run = repository.run(&["search", "alpha"]);
            assert_eq!(run.code, 0, "{kind}: {run:?}");
            assert!(run.err.contains("damaged"), "{kind}: {run:?}");
            assert!(repository.run(&["search", "alpha"]).err.is_empty());
        }
    }
}
