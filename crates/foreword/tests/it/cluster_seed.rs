//! First answers of a clone that has no index, from the cluster of the user's configuration. Needs a real OpenSearch, whose
//! address `FOREWORD_OPENSEARCH` has.

use std::process::Command;
use std::time::{Duration, Instant};

use foreword_engine::index::{Store, Writer};
use foreword_session::setup::Setup;
use serde_json::{Value, json};

use crate::cluster::Pushed;
use crate::lsp::Editor;
use crate::mcp::Client;
use crate::{Repository, Run};

/// Names a cluster in the user's configuration.
fn configure(repository: &Repository, url: &str, more: &str) {
    let folder = repository.dir.path().join("home/config/foreword");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), format!("[cluster]\nurl = '{url}'\n{more}"))
        .unwrap();
}

/// A second index directory, whose index nobody can write while this holds it.
struct HeldIndex<'p> {
    pushed: &'p Pushed,
    store: Store,
}

impl<'p> HeldIndex<'p> {
    fn new(pushed: &'p Pushed) -> Self {
        let index_dir = Some(pushed.repository.dir.path().join("second"));
        let setup = Setup { index_dir, ..Setup::default() };
        let workspace = setup.discover(&pushed.repository.root()).unwrap();
        configure(&pushed.repository, &pushed.url, &format!("index = '{}'\n", pushed.index));
        Self { pushed, store: setup.store(&workspace).unwrap() }
    }

    fn hold(&self) -> Writer {
        self.store.try_write().unwrap().expect("nobody writes")
    }

    /// The program, with that directory.
    fn command(&self, args: &[&str]) -> Command {
        let mut res = self.pushed.repository.command(args);
        res.env("FOREWORD_INDEX_DIR", self.pushed.repository.dir.path().join("second"));
        res
    }
}

/// A repository with a commit, as it was pushed, and with changes.
fn changed_clone(test: &str) -> Option<Pushed> {
    let pushed = Pushed::new(test)?;
    let repository = &pushed.repository;
    repository.git(&["init", "-q", "-b", "main"]);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-qm", "one"]);
    pushed.run(&["push"]);
    repository.write("zebra.py", "def zebra_crossing():\n    return needle_in_haystack()\n");
    repository.write("needle.py", "def needle_in_haystack(zebra):\n    return other_3(zebra, 1)\n");
    std::fs::remove_file(repository.root().join("src/m4/f4.py")).unwrap();
    Some(pushed)
}

/// The same call of a server without an index and of one with it.
#[track_caller]
fn check_seeded(seeded: &mut Client, indexed: &mut Client, tool: &str, arguments: &Value) {
    let (there, found) = seeded.answer(tool, arguments.clone());
    let (here, expected) = indexed.answer(tool, arguments.clone());
    let lines = |it: &str| it.trim_end().rsplit_once('\n').map(|it| it.0.to_owned());
    assert_eq!(lines(&there), lines(&here), "{tool} {arguments}");
    assert!(there.ends_with(&format!(", snapshot {}]\n", found["snapshot"].as_str().unwrap())));
    assert!(there.contains("up to date, from the cluster while they are indexed here"), "{there}");
    assert_eq!(found["results"], expected["results"], "{tool} {arguments}");
    assert_eq!((&found["answered_from"], &found["complete"]), (&"cluster".into(), &true.into()));
    assert_eq!(expected.get("answered_from"), None);
}

#[test]
fn an_agent_in_a_clone_without_an_index_is_answered_from_the_cluster() {
    let Some(pushed) = changed_clone("seed-agent") else { return };
    let held = HeldIndex::new(&pushed);
    let lock = held.hold();
    let mut seeded = Client::spawn(held.command(&["mcp"]));
    let mut indexed = Client::of(&pushed.repository);
    for (tool, arguments) in [
        ("search", json!({ "query": "where is the zebra crossing" })),
        ("search", json!({ "query": "function_7_3", "mode": "symbol" })),
        ("search", json!({ "query": "other function value", "path": "src/m3", "limit": 3 })),
        ("search", json!({ "query": "no_such_name" })),
        ("symbols", json!({ "name": "needle_in_haystack" })),
        ("symbols", json!({ "file": "zebra.py" })),
        ("context", json!({ "task": "find the needle" })),
        ("context", json!({ "file": "zebra.py", "line": 2 })),
    ] {
        check_seeded(&mut seeded, &mut indexed, tool, &arguments);
    }
    // What changes now counts, too.
    pushed.repository.write("okapi.py", "def okapi_crossing():\n    return 1\n");
    check_seeded(&mut seeded, &mut indexed, "search", &json!({ "query": "okapi crossing" }));
    // What needs all texts is answered from what is indexed.
    let pattern = json!({ "query": "/zebra.crossing/", "wait_ms": 100 });
    let (text, found) = seeded.answer("search", pattern);
    assert!(text.starts_with("INCOMPLETE: "), "{text}");
    assert_eq!(found.get("answered_from"), None);
    // Once there is an index, it answers.
    drop(lock);
    let start = Instant::now();
    let question = json!({ "query": "okapi crossing" });
    let mut later = seeded.answer("search", question.clone());
    while later.1.get("answered_from").is_some() {
        assert!(start.elapsed().as_secs() < 60, "{later:?}");
        later = seeded.answer("search", question.clone());
    }
    assert_eq!(later, indexed.answer("search", question));
    seeded.end();
    indexed.end();
    pushed.run(&["push", "--remove-all"]);
}

#[test]
fn an_editor_in_a_clone_without_an_index_completes_from_the_cluster() {
    let Some(pushed) = changed_clone("seed-editor") else { return };
    let held = HeldIndex::new(&pushed);
    let lock = held.hold();
    let mut seeded =
        Editor::with_status(held.command(&["lsp", "--log", "error"]), &pushed.repository);
    let indexed = pushed.repository.command(&["lsp", "--log", "error"]);
    let mut indexed = Editor::with_status(indexed, &pushed.repository);
    let text = "from needle import needle_in_haystack\n\ndef function_7_40(value):\n    return other_40(\n";
    let at = (3, "    return other_40(".len() as u32);
    let editors = [&mut seeded, &mut indexed];
    let [there, here] = editors.map(|it| {
        it.ready(&["zebra_crossing", "function_149_19"]);
        it.open(&pushed.repository, "src/m7/new.py", text);
        let symbols = it.ask("workspace/symbol", &json!({ "query": "needle_in_haystack" }));
        let ghost = it.ghost(&pushed.repository, "src/m7/new.py", at).expect("a suggestion");
        let page = it.context_page(&pushed.repository, "src/m7/new.py", at);
        (symbols["result"].clone(), ghost["insertText"].clone(), page, it.last_status())
    });
    let note = "\nFrom the cluster, while this clone is indexed.\n";
    assert!(there.2.contains(note) && there.2.contains("needle.py"), "{}", there.2);
    assert_eq!((&there.0, &there.1, there.2.replace(note, "")), (&here.0, &here.1, here.2));
    assert_eq!(there.3["answered_from"], "cluster", "{}", there.3);
    assert!(there.3["text"].as_str().unwrap().ends_with(", from the cluster"), "{}", there.3);
    assert_eq!(here.3.get("answered_from"), None, "{}", here.3);
    drop(lock);
    seeded.end();
    indexed.end();
    pushed.run(&["push", "--remove-all"]);
}

/// An address where connections are accepted, and nobody reads.
fn silent() -> (std::net::TcpListener, String) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

#[test]
fn a_cluster_that_hangs_delays_one_answer_of_an_agent_by_seconds() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    let (_listener, url) = silent();
    configure(&repository, &url, "");
    let mut client = Client::of(&repository);
    let start = Instant::now();
    // The index may be there before the first question is.
    for _ in 0..3 {
        let (text, found) = client.answer("search", json!({ "query": "alpha" }));
        assert!(text.contains("a.py"), "{text}");
        assert_eq!((found.get("answered_from"), &found["complete"]), (None, &true.into()));
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    client.end();
}

#[test]
fn a_cluster_that_hangs_delays_the_first_answer_by_seconds() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    let (_listener, url) = silent();
    configure(&repository, &url, "");
    let run = repository.run(&["search", "alpha"]);
    assert!(run.code == 0 && run.out.contains("a.py"), "{run:?}");
    // The deadline of the first answer, not the patience of a request, which is a minute.
    assert!(run.err.contains("did not answer in time"), "{run:?}");
}

/// Programs are told where a first answer came from.
fn check_programs(repository: &Repository) {
    let programs: [&[&str]; 3] = [
        &["search", "--json", "needle"],
        &["ask", "--json", "needle"],
        &["context", "--json", "zebra.py:2"],
    ];
    for (n, args) in programs.into_iter().enumerate() {
        let index = repository.dir.path().join(format!("third{n}"));
        let first = repository.command(args).env("FOREWORD_INDEX_DIR", &index).output().unwrap();
        let first: Value = serde_json::from_slice(&first.stdout).unwrap();
        assert_eq!(
            (&first["answered_from"], &first["complete"]),
            (&"cluster".into(), &true.into())
        );
        assert_eq!(repository.json(args).get("answered_from"), None);
    }
}

#[test]
fn a_clone_without_an_index_is_answered_from_the_cluster_of_the_configuration() {
    let Some(pushed) = Pushed::new("doors-seed") else { return };
    let repository = &pushed.repository;
    let key = repository.dir.path().join("key");
    std::fs::write(&key, "0123456789abcdef".repeat(4)).unwrap();
    let key = key.to_str().unwrap();
    pushed.run(&["push", "--cluster-key", key]);
    let more = format!("index = '{}'\nkey = '{key}'\n", pushed.index);
    configure(repository, &pushed.url, &more);
    let index = repository.dir.path().join("second");
    let run = |args: &[&str]| {
        Run::of(&repository.command(args).env("FOREWORD_INDEX_DIR", &index).output().unwrap())
    };
    let note = "answered from the cluster";
    repository.write("zebra.py", "def zebra_crossing():\n    return 1\n");
    let question = ["search", "where is the zebra crossing"];
    let first = run(&question);
    assert!(first.err.contains(note), "{first:?}");
    assert_eq!(first.out, repository.run(&question).out);
    // The index comes by itself, and then it answers.
    let start = Instant::now();
    let mut later = run(&question);
    while later.err.contains(note) {
        assert!(start.elapsed().as_secs() < 60, "{later:?}");
        assert_eq!(later.out, first.out);
        later = run(&question);
    }
    assert_eq!((later.out, &*later.err), (first.out, ""));
    check_programs(repository);
    // What the cluster cannot answer is answered as without it.
    std::fs::remove_dir_all(&index).unwrap();
    let pattern = run(&["search", "/zebra.crossing/"]);
    assert!(pattern.code == 0 && pattern.err.is_empty(), "{pattern:?}");
    std::fs::remove_dir_all(&index).unwrap();
    configure(repository, "http://127.0.0.1:9", &more);
    let alone = run(&["context", "--json", "zebra.py:2"]);
    assert!(alone.code == 0 && alone.err.contains("cannot be reached"), "{alone:?}");
    pushed.run(&["push", "--remove-all"]);
}
