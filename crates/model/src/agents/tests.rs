//! Tests without a server: tools, parsing of answers, and transcripts.

use foreword_engine::history::{CoChange, CoChangeConfig, History, PastCommit};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::source::Source;
use serde_json::{Value, json};

use super::tools::Toolbox;
use super::transcript::key;
use super::*;
use crate::chat::{ChatRequest, ChatResponse, Message, ToolCall};

const STORE: &str = "def open_store(path):\n    return path\n\n\nclass Store:\n    def close(self):\n        open_store('x')\n";

fn snapshot() -> Snapshot {
    let source = |(path, text): (&str, &str)| Source { path: path.into(), text: text.into() };
    let files = [("shop/store.py", STORE), ("shop/cart.py", "x = 1\n"), ("main.py", "y = 2\n")];
    Snapshot::of_sources(files.map(source).into(), IndexConfig::default()).unwrap()
}

fn history() -> History {
    let paths = vec!["shop/store.py".to_owned(), "shop/cart.py".to_owned(), ".env".to_owned()];
    let commit = |files: &[u32], days: i64| PastCommit {
        id: [7; 20],
        time: days * 86_400,
        n_files: files.len() as u32,
        files: files.to_vec(),
        moves: Vec::new(),
    };
    History { commits: vec![commit(&[1], 9), commit(&[0, 1, 2], 4)], paths }
}

#[test]
fn tools_answer_from_the_snapshot_and_nothing_else() {
    let (snapshot, history) = (snapshot(), history());
    let together = CoChange::new(history.clone(), CoChangeConfig::measured());
    let (path, repository) = ("shop/store.py", "shop");
    let subject =
        Subject { snapshot: &snapshot, repository, path, history: &history, together: &together };
    let mut toolbox = Toolbox::new(subject, 4000);
    let mut call = |name: &str, arguments: Value| {
        let arguments = arguments.to_string();
        toolbox.call(&ToolCall { id: "1".into(), name: name.into(), arguments })
    };
    let read = call("read", json!({ "path": "./shop/store.py", "start_line": 1, "end_line": 2 }));
    assert_eq!(read, "shop/store.py:1-2\n1| def open_store(path):\n2|     return path\n\n");
    let symbols = call("symbols", json!({ "name": "open_store" }));
    assert!(symbols.contains("defined shop/store.py:1-2: def open_store(path)"), "{symbols}");
    assert!(symbols.contains("used shop/store.py:7: open_store('x')"), "{symbols}");
    assert!(call("symbols", json!({ "path": "shop/store.py" })).contains("class Store"));
    assert_eq!(call("list", json!({ "path": "" })), "main.py\nshop/\n");
    assert_eq!(call("list", json!({ "path": "shop/" })), "cart.py\nstore.py\n");
    // Files outside of the index are not named.
    let log = call("log", json!({ "path": "shop/store.py" }));
    assert_eq!(log, "07070707, 5 days before the last commit: 1 other files shop/cart.py\n");
    assert!(call("search", json!({ "query": "open_store" })).contains("1| def open_store"));
    for path in ["/etc/passwd", "../x", ".env", "shop"] {
        assert!(call("read", json!({ "path": path, "start_line": 1 })).contains("no such file"));
        assert!(call("log", json!({ "path": path })).contains("no such file"));
    }
    assert!(call("list", json!({ "path": "/etc" })).contains("no such directory"));
    assert!(call("read", json!({ "path": "main.py", "start_line": 99 })).contains("has 1 lines"));
    assert!(call("read", json!("main.py")).contains("needs `path`"));
}

#[test]
fn tools_have_no_more_tokens_than_they_were_given() {
    let (snapshot, history) = (snapshot(), History::default());
    let together = CoChange::new(history.clone(), CoChangeConfig::measured());
    let (path, repository) = ("shop/store.py", "shop");
    let subject =
        Subject { snapshot: &snapshot, repository, path, history: &history, together: &together };
    let mut toolbox = Toolbox::new(subject, 60);
    let mut written = 0;
    for at in 0..200 {
        let arguments = json!({ "path": format!("nowhere/{at}"), "start_line": 1 }).to_string();
        written += toolbox.call(&ToolCall { id: "1".into(), name: "read".into(), arguments }).len();
    }
    assert!(written < 400, "{written}");
}

#[test]
fn answers_are_read_in_whatever_text_they_stand() {
    let block = json!({ "path": "./a.py", "start_line": "3", "end_line": 9, "reason": "x" });
    let plain = json!({ "blocks": [block] }).to_string();
    for text in
        [plain.clone(), format!("Sure!\n```json\n{plain}\n```\n"), json!([block]).to_string()]
    {
        let found = answer::blocks(&text).unwrap();
        assert_eq!(
            (found[0].path.as_str(), found[0].first_line, found[0].last_line),
            ("a.py", 3, 9)
        );
    }
    for wrong in ["", "no", "{\"blocks\": [", "{\"block\": []}", "}{"] {
        assert!(answer::blocks(wrong).is_err(), "{wrong}");
    }
    let odd =
        answer::functions("{\"functions\": [7, {\"code\": null, \"evidence\": \"x\"}]}").unwrap();
    assert!(odd.len() == 2 && odd.iter().all(|it| it.code.is_empty() && it.line == 0));
}

#[test]
fn a_transcript_that_was_cut_off_is_used_as_far_as_it_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t/x.jsonl");
    let header = || TranscriptHeader { path: "a.py".into(), hash: "1".into(), planner: "2".into() };
    let request = |text: &str| ChatRequest {
        messages: vec![Message::User(text.into())],
        ..ChatRequest::default()
    };
    let keys = ["one", "two", "three"].map(|it| key("retriever", &request(it)));
    let mut first = Transcript::resume(&path, header());
    for (key, text) in keys.iter().zip(["one", "two", "three"]) {
        let response = ChatResponse { text: text.to_uppercase(), ..ChatResponse::default() };
        assert!(first.answer(key).unwrap().is_none());
        first.record(("retriever", key, &request(text)), &response, &Cost::default()).unwrap();
    }
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let mut second = Transcript::resume(&path, header());
    assert_eq!(second.left(), 2);
    assert_eq!(second.answer(&keys[0]).unwrap().unwrap().text, "ONE");
    // After a different request the later answers are discarded.
    assert!(second.answer(&keys[2]).unwrap().is_none());
    let response = ChatResponse::default();
    second.record(("retriever", &keys[2], &request("three")), &response, &Cost::default()).unwrap();
    assert_eq!(Transcript::resume(&path, header()).left(), 2);
    let mut replay = Transcript::replay(&path, header()).unwrap();
    assert!(replay.answer(&keys[0]).is_ok());
    let error = replay.answer(&keys[1]).unwrap_err().to_string();
    assert!(error.contains("a.py differs at request 2"), "{error}");
    let other = TranscriptHeader { hash: "3".into(), ..header() };
    assert_eq!(Transcript::resume(&path, other.clone()).left(), 0);
    assert!(Transcript::replay(&path, other).unwrap_err().to_string().contains("another text"));
}

#[test]
fn plans_are_keyed_by_the_model_the_prompts_and_the_limits() {
    let usual = AgentConfig::usual();
    let key = |model: &str, config: &AgentConfig| config.key(model).fingerprint;
    assert_eq!(key("a", &usual), key("a", &AgentConfig::usual()));
    assert_ne!(key("a", &usual), key("b", &usual));
    assert_ne!(key("a", &usual), key("a", &AgentConfig { max_tokens: 7, ..usual.clone() }));
    let small = usual.within(8192);
    assert!(small.max_tokens + small.tool_tokens + small.file_tokens < 8192, "{small:?}");
}
