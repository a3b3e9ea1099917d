//! `foreword next` in repositories that git makes.

use serde_json::{Value, json};

use crate::{Repository, foreword};

const SHOP: &str = "
//- fees.py
def late_fee(days):
    return days * 2
//- desk.py
from fees import late_fee


def pay(days):
    return late_fee(days)
//- .gitignore
secret.py
//- secret.py
late_fee = 'hidden'
";

fn committed() -> Repository {
    let shop = Repository::new(SHOP);
    shop.git(&["init", "-q"]);
    shop.git(&["add", "."]);
    shop.git(&["commit", "-qm", "first"]);
    shop
}

fn paths(answer: &Value) -> Vec<&str> {
    let places = answer["places"].as_array().unwrap();
    places.iter().filter_map(|it| it["path"].as_str()).collect()
}

#[test]
fn a_rename_leads_to_the_callers_and_never_to_what_is_ignored() {
    let shop = committed();
    shop.write("fees.py", "def overdue_fee(days):\n    return days * 2\n");
    let answer = shop.json(&["next", "--json"]);
    assert_eq!((&answer["version"], &answer["edits"]), (&1.into(), &1.into()));
    assert!(paths(&answer).contains(&"desk.py"), "{answer}");
    assert!(!paths(&answer).contains(&"secret.py"), "{answer}");
    let place = answer["places"].as_array().unwrap().iter().find(|it| it["path"] == "desk.py");
    let reasons = place.unwrap()["reasons"].to_string();
    assert!(reasons.contains("late_fee, which was renamed to overdue_fee"), "{reasons}");
    let text = shop.run(&["next", "fees.py:1"]).out;
    assert!(text.contains("desk.py:"), "{text}");
}

#[test]
fn nothing_is_likely_where_nothing_was_changed() {
    let shop = committed();
    let run = shop.run(&["next"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("no uncommitted changes"), "{}", run.out);
    assert_eq!(shop.json(&["next", "--json"])["places"], json!([]));
    let answer = shop.json(&["next", "fees.py:1", "--json"]);
    assert!(paths(&answer).contains(&"desk.py"), "{answer}");
    // The line after the last one, as in an editor.
    assert_ne!(shop.run(&["next", "fees.py:3"]).code, 2);
    assert_eq!(shop.run(&["next", "fees.py:99"]).code, 2);
    assert_eq!(shop.run(&["next", "secret.py:1"]).code, 2);
}

#[test]
fn the_edits_of_a_rename_are_a_patch_that_git_takes_and_can_be_written() {
    let rename = |shop: &Repository| {
        shop.write("fees.py", "def overdue_fee(days):\n    return days * 2\n");
    };
    let renamed = SHOP.replace("late_fee", "overdue_fee");
    let desk = renamed.split("//- desk.py\n").nth(1).unwrap().split("//- ").next().unwrap();
    let read = |shop: &Repository| std::fs::read_to_string(shop.root().join("desk.py")).unwrap();

    let shop = committed();
    assert_eq!(shop.run(&["next", "--diff"]).code, 1);
    rename(&shop);
    let patch = shop.run(&["next", "--diff"]);
    shop.write("next.patch", &patch.out);
    shop.git(&["apply", "next.patch"]);
    assert_eq!(read(&shop), desk, "{}", patch.out);

    let shop = committed();
    rename(&shop);
    let answer = shop.json(&["next", "--json"]);
    let has_edits = |it: &Value| it["edits"].as_array().is_some_and(|it| !it.is_empty());
    let n = answer["places"].as_array().unwrap().iter().position(has_edits).unwrap() + 1;
    let wrong = shop.run(&["next", "--apply", "99"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains(&format!("places with edits are {n}")), "{}", wrong.err);
    let run = shop.run(&["next", "--apply", &n.to_string()]);
    assert_eq!((run.code, read(&shop)), (0, desk.to_owned()), "{}", run.err);
}

#[test]
fn outside_of_git_and_before_the_first_commit_the_cursor_is_all_that_is_known() {
    let plain = Repository::new(SHOP);
    let run = plain.run(&["next"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("no git here"), "{}", run.out);
    let answer = plain.json(&["next", "fees.py:1", "--json"]);
    assert!(paths(&answer).contains(&"desk.py"), "{answer}");
    plain.git(&["init", "-q"]);
    plain.git(&["add", "."]);
    let run = plain.run(&["next"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("no commit here yet"), "{}", run.out);
    assert!(paths(&plain.json(&["next", "fees.py:1", "--json"])).contains(&"desk.py"));
}

#[test]
fn the_prompt_of_a_next_edit_model_has_the_edits_and_the_region_as_it_was() {
    let shop = committed();
    shop.write("fees.py", "def overdue_fee(days):\n    return days * 2\n");
    let sweep = shop.run(&["next", "fees.py:1", "--format", "sweep"]).out;
    let edit = "<|file_sep|>fees.py.diff\noriginal:\ndef late_fee(days):\nupdated:\ndef overdue_fee(days):\n";
    assert!(sweep.contains(edit), "{sweep}");
    let original = "<|file_sep|>original/fees.py\ndef late_fee(days):\n    return days * 2\n";
    assert!(sweep.contains(original), "{sweep}");
    assert!(sweep.ends_with("<|file_sep|>updated/fees.py\n"), "{sweep}");
    assert!(!sweep.contains("hidden"), "{sweep}");
    // Without a position: where the next edit is likely, which is the caller.
    let zeta = shop.run(&["next", "--format", "zeta2"]).out;
    assert!(zeta.contains("<filename>desk.py\n"), "{zeta}");
    assert!(
        zeta.contains("--- a/fees.py\n+++ b/fees.py\n@@ -1,1 +1,1 @@\n-def late_fee(days):\n"),
        "{zeta}"
    );
    let wrong = shop.run(&["next", "--format", "zeta9"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .err
            .contains("there are zeta, zeta2, zeta2_1, sweep, sweep2, mercury, instinct, chat"),
        "{}",
        wrong.err
    );
}

#[test]
fn where_git_is_not_read_nothing_is_said_of_changes() {
    let shop = committed();
    // As `git clone --shared` does.
    let objects = shop.root().join(".git/objects");
    let others = tempfile::tempdir().unwrap();
    std::fs::write(objects.join("info/alternates"), others.path().to_str().unwrap()).unwrap();
    for it in std::fs::read_dir(&objects).unwrap().map(Result::unwrap) {
        if it.file_name().len() == 2 {
            std::fs::rename(it.path(), others.path().join(it.file_name())).unwrap();
        }
    }
    shop.write("fees.py", "def overdue_fee(days):\n    return days * 2\n");
    let run = shop.run(&["next"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("the changes are not known"), "{}", run.out);
    assert!(run.err.contains("alternates"), "{}", run.err);
}

/// The reasons of all places that `next` tells in a directory below a repository's.
fn reasons_in(repository: &Repository, directory: &str) -> String {
    let root = repository.root().join(directory);
    let output = foreword(&root, &repository.index()).args(["next", "--json"]).output().unwrap();
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["places"].to_string()
}

#[test]
fn submodules_partial_and_shallow_clones_have_as_much_history_as_is_there() {
    let shop = committed();
    for more in ["# one\n", "# two\n"] {
        for file in ["fees.py", "desk.py"] {
            let text = std::fs::read_to_string(shop.root().join(file)).unwrap();
            shop.write(file, &(text + more));
        }
        shop.git(&["commit", "-qam", "more"]);
    }
    shop.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", shop.root().display());
    let clones = Repository::new("//- README.md\nclones\n");
    clones.git(&["init", "-q"]);
    clones.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "module"]);
    clones.git(&["clone", "-q", "--filter=blob:none", &url, "blobless"]);
    clones.git(&["clone", "-q", "--filter=tree:0", &url, "treeless"]);
    clones.git(&["clone", "-q", "--depth=1", &url, "shallow"]);
    for (clone, has_history) in
        [("module", true), ("blobless", true), ("treeless", false), ("shallow", false)]
    {
        clones.write(&format!("{clone}/fees.py"), "def overdue_fee(days):\n    return days * 2\n");
        let reasons = reasons_in(&clones, clone);
        assert!(
            reasons.contains("late_fee, which was renamed to overdue_fee"),
            "{clone}: {reasons}"
        );
        let together = reasons.contains("changed together with fees.py in 2 commits");
        assert_eq!(together, has_history, "{clone}: {reasons}");
    }
}
