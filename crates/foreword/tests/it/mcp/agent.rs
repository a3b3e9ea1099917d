//! An agent at work: what it changes is what it finds, whatever happens to branches and processes.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Client, SMALL, many};
use crate::Repository;

#[test]
fn an_edit_is_found_by_the_next_question() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    assert_eq!(client.paths("open_session")[0], "src/session.py");
    for n in 0..5 {
        repository.write("src/new.py", &format!("def invented_{n}():\n    return {n}\n"));
        assert_eq!(client.paths(&format!("invented_{n}")), ["src/new.py"]);
        if n > 0 {
            let (text, _) =
                client.answer("symbols", json!({ "name": format!("invented_{}", n - 1) }));
            assert!(text.contains("nothing matched"), "{text}");
        }
    }
    std::fs::remove_file(repository.root().join("src/new.py")).unwrap();
    let (text, found) = client.answer("search", json!({ "query": "invented_4", "mode": "exact" }));
    assert!(text.contains("nothing matched") && found["total"] == 0, "{text}");
    client.end();
}

#[test]
fn a_switch_of_branches_leaves_no_ghosts() {
    let repository = Repository::new(SMALL);
    repository.git(&["init", "-q"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "first"]);
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.write("src/clock.py", "def tick():\n    return 1\n");
    repository.write("src/only_here.py", "def only_here():\n    return 1\n");
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "second"]);
    let mut client = Client::of(&repository);
    assert_eq!(client.paths("only_here"), ["src/only_here.py"]);
    repository.git(&["checkout", "-q", "main"]);
    let (text, _) = client.answer("symbols", json!({ "name": "only_here" }));
    assert!(text.contains("nothing matched"), "{text}");
    let (_, found) = client.answer("search", json!({ "query": "tick", "mode": "symbol" }));
    assert_eq!(found["total"], 0, "{found}");
    let (_, found) = client.answer("search", json!({ "query": "now", "mode": "symbol" }));
    assert_eq!(crate::paths(&found), ["src/clock.py"]);
    repository.git(&["checkout", "-q", "topic"]);
    assert_eq!(client.paths("only_here"), ["src/only_here.py"]);
    client.end();
}

#[test]
fn a_server_killed_in_the_middle_of_indexing_is_started_again_and_right() {
    let repository = many();
    for delay in [30, 100, 250] {
        let mut client = Client::of(&repository);
        let asked = json!({ "query": "needle_in_haystack", "wait_ms": 0 });
        client.answer("search", asked);
        std::thread::sleep(Duration::from_millis(delay));
        drop(client);
    }
    repository.write("src/m0/f0.py", "def function_replaced():\n    pass\n");
    let mut client = Client::of(&repository);
    assert_eq!(client.paths("needle_in_haystack"), ["needle.py"]);
    let (_, found) = client.answer("symbols", json!({ "name": "function_0_1" }));
    assert_eq!((&found["definitions"], &found["files"]), (&0.into(), &301.into()), "{found}");
    client.end();
    assert_eq!(repository.run(&["doctor"]).code, 0);
}

#[test]
fn a_cold_repository_is_answered_at_once_from_what_is_there() {
    let repository = many();
    let start = Instant::now();
    let mut client = Client::of(&repository);
    client.ask("server/discover", json!({}));
    let arguments = json!({ "name": "search", "arguments": { "query": "needle_in_haystack" } });
    let answer = client.ask("tools/call", arguments)["result"].clone();
    // 100 ms where nothing else runs (benchmarks); here only that nobody waits for the whole.
    assert!(start.elapsed() < Duration::from_secs(5));
    let (text, fields) = (super::text_of(&answer), &answer["structuredContent"]);
    let complete = fields["complete"] == true;
    assert_eq!(text.contains("INCOMPLETE"), !complete, "{text}");
    assert_eq!(client.paths("needle_in_haystack"), ["needle.py"]);
    client.end();
}

#[test]
fn several_agents_work_on_one_repository() {
    let repository = Repository::new(SMALL);
    let mut clients: Vec<Client> = (0..4).map(|_| Client::of(&repository)).collect();
    for n in 0..5 {
        repository.write("src/new.py", &format!("def invented_{n}():\n    return {n}\n"));
        std::thread::scope(|scope| {
            for client in &mut clients {
                scope.spawn(move || {
                    assert_eq!(client.paths(&format!("invented_{n}")), ["src/new.py"]);
                });
            }
        });
    }
    // One of them dies; the others go on.
    drop(clients.pop());
    repository.write("src/new.py", "def invented_last():\n    return 0\n");
    for client in &mut clients {
        assert_eq!(client.paths("invented_last"), ["src/new.py"]);
    }
    clients.into_iter().for_each(Client::end);
}

#[test]
fn nothing_is_written_into_the_repository() {
    let repository = Repository::new(SMALL);
    let list = || {
        let mut names: Vec<_> = std::fs::read_dir(repository.root())
            .unwrap()
            .map(|it| it.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    let before = list();
    let mut client = Client::of(&repository);
    client.paths("now");
    client.end();
    assert_eq!(list(), before);
}
