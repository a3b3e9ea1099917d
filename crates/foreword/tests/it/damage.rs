//! A damaged index, on the command line and in the doors that stay: every answer is that of an index that was built just
//! now, stderr says what was damaged, and the damage is mended.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use foreword_engine::grep::{GrepRequest, grep};
use foreword_session::host::Host;
use foreword_session::setup::Setup;
use foreword_session::tools::{BudgetScope, CallContext, Repositories, call};
use serde_json::{Value, json};

use crate::{Repository, Run};

/// What is done to an index, in words.
type Damage = (&'static str, fn(&Repository));

/// Commands whose output has no times in it.
const COMMANDS: [&[&str]; 8] = [
    &["search", "how is a part read", "-k", "30"],
    &["search", "--exact", "LIMIT", "-k", "9999", "--brief"],
    &["search", "raed_part_2"],
    &["symbols", "read_part_3"],
    &["symbols", "--file", "pkg/m1.py"],
    &["map", "--tokens", "500"],
    &["context", "pkg/m2.py:9", "--prompt"],
    &["status", "--json"],
];

/// Modules that use each other, and words that compress badly: most blocks of the index are read by few queries.
fn repository() -> Repository {
    let repository = Repository::new("//- keep.txt\nkept\n");
    for n in 0..6 {
        let function = |it: usize| {
            format!(
                "def read_part_{it}(größe):\n    return read_part_{}(größe) + LIMIT\n\n\n",
                it + 1
            )
        };
        let functions: String = (0..8).map(function).collect();
        repository.write(&format!("pkg/m{n}.py"), &format!("LIMIT = {n}\n\n\n{functions}"));
    }
    let mut word = 1_u64;
    for n in 0..24 {
        let mut text = String::new();
        for at in 0..800 {
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(&format!("{word:x}{}", if at % 8 == 7 { "\n" } else { " " }));
        }
        repository.write(&format!("notes/n{n:02}.txt"), &text);
    }
    // A file that was just written is read again.
    std::thread::sleep(Duration::from_millis(2100));
    repository.run(&["index"]);
    repository
}

/// What a command printed, without what depends on how the index was built.
fn stdout(run: &Run) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(&run.out) else {
        return run.out.clone();
    };
    fields.retain(|key, _| !["index_bytes", "segments", "generation"].contains(&key.as_str()));
    Value::Object(fields).to_string()
}

fn file(repository: &Repository, kind: &str) -> PathBuf {
    let mut entries = fs::read_dir(repository.store().join(kind)).unwrap();
    entries.next().unwrap().unwrap().path()
}

/// Flips bits of the byte at a hundredth part of the segment.
fn flip(repository: &Repository, hundredth: usize) {
    let segment = file(repository, "segments");
    let mut bytes = fs::read(&segment).unwrap();
    let at = bytes.len() * hundredth / 100;
    bytes[at] ^= 0x55;
    fs::write(segment, bytes).unwrap();
}

#[test]
fn every_command_that_meets_damage_says_so_answers_right_and_mends_it() {
    let repository = repository();
    let expect: Vec<String> = COMMANDS.map(|it| stdout(&repository.run(it))).to_vec();
    let damages: [Damage; 8] = [
        ("a byte of the first block", |it| flip(it, 2)),
        ("a byte of the texts", |it| flip(it, 10)),
        ("a byte of the middle", |it| flip(it, 50)),
        ("a byte of the table", |it| flip(it, 98)),
        ("a segment cut off", |it| {
            let segment = file(it, "segments");
            fs::File::options().write(true).open(segment).unwrap().set_len(5000).unwrap();
        }),
        ("a segment removed", |it| fs::remove_file(file(it, "segments")).unwrap()),
        ("a manifest of zeros", |it| fs::write(file(it, "views"), [0; 500]).unwrap()),
        ("junk behind the manifest", |it| {
            let manifest = file(it, "views");
            let bytes = fs::read(&manifest).unwrap();
            fs::write(manifest, [&bytes[..], b"junk"].concat()).unwrap();
        }),
    ];
    for (what, damage) in damages {
        damage(&repository);
        let mut notes = 0;
        for (command, expect) in COMMANDS.iter().zip(&expect).filter(|it| it.0[0] != "status") {
            let run = repository.run(command);
            assert_eq!(stdout(&run), *expect, "{what}: {command:?}");
            let lines: Vec<&str> = run.err.lines().filter(|it| it.contains("damaged")).collect();
            assert!(lines.len() <= 1, "{what}: {run:?}");
            notes += lines.len();
        }
        assert_eq!(notes, 1, "{what}: one command says what was damaged, and the others need not");
        assert_eq!(stdout(&repository.run(COMMANDS[7])), expect[7], "{what}");
    }
}

#[test]
fn index_finds_and_mends_damage_that_no_query_has_met() {
    let repository = repository();
    let expect = repository.run(COMMANDS[1]).out;
    flip(&repository, 10);
    assert_eq!(repository.run(&["doctor"]).code, 1);
    let index = repository.run(&["index"]);
    assert!(index.code == 0 && index.err.contains("damaged"), "{index:?}");
    let search = repository.run(COMMANDS[1]);
    assert_eq!((search.out, search.err), (expect, String::new()));
    assert_eq!(repository.run(&["doctor"]).code, 0);
    let summary = repository.json(&["index", "--json"]);
    assert_eq!((&summary["rebuilt"], &summary["damage"]), (&json!(false), &json!([])));
}

#[test]
fn status_says_what_is_damaged_and_changes_nothing() {
    let repository = repository();
    fs::write(file(&repository, "views"), b"").unwrap();
    for _ in 0..2 {
        let status = repository.run(&["status"]);
        assert!(status.err.contains("damaged") && status.code == 0, "{status:?}");
        assert_eq!(repository.json(&["status", "--json"])["complete"], false);
    }
}

#[test]
fn an_index_that_cannot_be_written_is_mended_in_memory() {
    let repository = repository();
    let expect = repository.run(COMMANDS[1]).out;
    flip(&repository, 10);
    let lock = repository.store().join("writer.lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(lock).unwrap();
    for _ in 0..2 {
        let search = repository.run(COMMANDS[1]);
        assert_eq!(search.out, expect);
        assert!(search.err.contains("damaged") && search.err.contains("not written"), "{search:?}");
    }
}

fn host(repository: &Repository) -> Host {
    Host::new(Setup { index_dir: Some(repository.index()), memory: 128 << 20, ..Setup::default() })
}

#[test]
fn an_open_repository_mends_itself_before_the_next_view() {
    let repository = repository();
    let host = host(&repository);
    let long = Some(Duration::from_mins(1));
    let warm = host.repository(&repository.root()).unwrap();
    let request = GrepRequest { pattern: "LIMIT", limit: 9999, ..GrepRequest::default() };
    // Every text is read from the index, and not from memory.
    flip(&repository, 10);
    let view = warm.view(long).unwrap();
    drop(grep(&view.snapshot, &request));
    assert!(view.snapshot.is_damaged() && !view.is_complete());
    let view = warm.view(long).unwrap();
    assert_eq!(grep(&view.snapshot, &request).unwrap().total, 54);
    assert!(view.is_complete());
    assert_eq!(repository.run(&["doctor"]).code, 0);
}

#[test]
fn an_agent_is_answered_from_the_mended_index_at_once() {
    let repository = repository();
    let host = host(&repository);
    let warm = host.repository(&repository.root()).unwrap();
    drop(warm.view(Some(Duration::from_mins(1))));
    flip(&repository, 10);
    let repositories = Repositories::Served(vec![warm]);
    let mut on_indexing = |_| {};
    let counted = BudgetScope::TextAndStructured;
    let mut context =
        CallContext { repositories: &repositories, on_indexing: &mut on_indexing, counted };
    let arguments = json!({ "query": "LIMIT", "mode": "exact", "wait_ms": 60_000 });
    let answer = call("search", arguments, &mut context).unwrap();
    assert_eq!(answer.structured["complete"], true, "{}", answer.text);
    assert_eq!(answer.structured["total"], 54, "{}", answer.text);
}

/// What `doctor` says of the files, and of the index.
fn doctor(repository: &Repository) -> (String, bool, String) {
    let run = repository.run(&["doctor", "--json"]);
    let it: Value = serde_json::from_str(&run.out).unwrap();
    let check = |name: &str| it["checks"].as_array().unwrap().iter().find(|it| it["check"] == name);
    let text = |name: &str| check(name).unwrap()["found"].as_str().unwrap().to_owned();
    (text("files"), check("index").unwrap()["ok"] == true, text("index"))
}

#[test]
fn doctor_and_status_say_the_same_in_the_same_numbers() {
    let repository = repository();
    let agree = |what: &str, is_damaged: bool| {
        let status = repository.json(&["status", "--json"]);
        let stale = &status["stale"];
        let (files, index_is_good, index) = doctor(&repository);
        let numbers = format!(
            "{} indexed; since then {} changed, {} new, {} gone",
            status["files"], stale["changed"], stale["added"], stale["removed"]
        );
        assert_eq!(files, numbers, "{what}");
        assert_eq!(index_is_good, !is_damaged, "{what}: {index}");
        let said = repository.run(&["status"]).out;
        assert_eq!(said.contains("damaged"), is_damaged, "{what}: {said}");
        assert!(!said.contains("not indexed yet"), "{what}: {said}");
    };
    agree("whole", false);
    let root = repository.root();
    let first = fs::read_dir(root.join("pkg")).unwrap().next().unwrap().unwrap().path();
    fs::write(&first, "changed = 1\n").unwrap();
    fs::write(root.join("pkg/new.py"), "new = 1\n").unwrap();
    agree("changed", false);
    fs::write(file(&repository, "views"), [0; 500]).unwrap();
    agree("a manifest of zeros", true);
    repository.run(&["index"]);
    agree("mended", false);
    fs::remove_file(file(&repository, "segments")).unwrap();
    agree("a segment removed", true);
}
