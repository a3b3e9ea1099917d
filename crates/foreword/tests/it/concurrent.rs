//! Several processes at once, branches and work trees.

use crate::{Repository, paths};

#[test]
fn many_processes_index_and_answer_at_once() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    for n in 0..200 {
        repository.write(&format!("src/f{n}.py"), &format!("def f{n}():\n    return alpha()\n"));
    }
    let children: Vec<_> = (0..6)
        .map(|_| {
            let mut command = repository.command(&["search", "alpha", "--json", "-k", "1"]);
            command
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let run = crate::Run::of(&child.wait_with_output().unwrap());
        let answer: serde_json::Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
        assert_eq!(paths(&answer), ["a.py"], "{run:?}");
        assert_eq!(answer["searched"]["files"], 201);
        assert!(
            !run.err.contains("damaged"),
            "what another process replaces is no damage: {run:?}"
        );
    }
}

#[test]
fn work_trees_share_what_is_computed_and_branches_leave_no_ghosts() {
    let repository =
        Repository::new("//- a.py\ndef alpha():\n    pass\n//- b.py\ndef beta():\n    pass\n");
    repository.git(&["init", "-q"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "first"]);
    assert_eq!(repository.json(&["index", "--json"])["parsed"], 2);
    let other = repository.dir.path().join("other");
    repository.git(&["worktree", "add", "-q", "-b", "topic", other.to_str().unwrap()]);
    let output =
        crate::foreword(&other, &repository.index()).args(["index", "--json"]).output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["read"], &answer["parsed"]), (&2.into(), &0.into()), "{answer}");

    repository.git(&["checkout", "-q", "-b", "second"]);
    repository.write("a.py", "def gamma():\n    pass\n");
    std::fs::remove_file(repository.root().join("b.py")).unwrap();
    repository.git(&["commit", "-qam", "second"]);
    assert_eq!(paths(&repository.json(&["search", "gamma", "--json"])), ["a.py"]);
    assert_eq!(repository.run(&["search", "beta"]).code, 1);
    repository.git(&["checkout", "-q", "main"]);
    assert_eq!(paths(&repository.json(&["search", "beta", "--json"])), ["b.py"]);
    assert_eq!(repository.run(&["search", "gamma"]).code, 1);
    let output = crate::foreword(&other, &repository.index())
        .args(["search", "alpha", "--json"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_renamed_file_is_not_parsed_again() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    repository.run(&["index"]);
    std::fs::rename(repository.root().join("a.py"), repository.root().join("z.py")).unwrap();
    let answer = repository.json(&["index", "--json"]);
    assert_eq!(
        (&answer["parsed"], &answer["removed"], &answer["files"]),
        (&0.into(), &1.into(), &1.into())
    );
    assert_eq!(paths(&repository.json(&["search", "alpha", "--json"])), ["z.py"]);
}

#[test]
fn a_sub_folder_finds_the_repository_around_it() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n//- sub/b.py\nalpha()\n");
    repository.git(&["init", "-q"]);
    let run = |args: &[&str]| {
        let output = crate::foreword(&repository.root().join("sub"), &repository.index())
            .args(args)
            .output()
            .unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    assert_eq!(paths(&run(&["search", "alpha", "--json"]))[0], "a.py");
    assert_eq!(run(&["search", "alpha", "--json", "--here"])["searched"]["files"], 1);
}
