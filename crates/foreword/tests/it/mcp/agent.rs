//! An agent at work: it finds what it has just changed, across branch switches and killed processes, over stdio and HTTP.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Client, SMALL, many, text_of};
use crate::Repository;
use crate::lsp::Editor;
use crate::serve::Server;

/// An agent with its own server process, or one that is configured with a URL.
enum Agent {
    Stdio(Client),
    Http(Server),
}

/// An agent over each transport.
const TRANSPORTS: [fn(&Repository) -> Agent; 2] =
    [|it| Agent::Stdio(Client::of(it)), |it| Agent::Http(Server::embedded(it))];

impl Agent {
    #[track_caller]
    fn answer(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        match self {
            Self::Stdio(client) => client.answer(tool, arguments),
            Self::Http(server) => {
                let res = server.call(tool, arguments);
                assert_eq!(res["isError"], false, "{res}");
                (text_of(&res), res["structuredContent"].clone())
            }
        }
    }

    /// The paths that a search finds.
    #[track_caller]
    fn paths(&mut self, query: &str) -> Vec<String> {
        let (_, found) = self.answer("search", json!({ "query": query }));
        assert_eq!(found["complete"], true, "{found}");
        crate::paths(&found).into_iter().map(str::to_owned).collect()
    }

    fn end(self) {
        match self {
            Self::Stdio(client) => client.end(),
            Self::Http(server) => drop(server),
        }
    }
}

#[test]
fn an_edit_is_found_by_the_next_call() {
    TRANSPORTS.into_iter().for_each(edit_and_find);
}

fn edit_and_find(start: fn(&Repository) -> Agent) {
    let repository = Repository::new(SMALL);
    let mut client = start(&repository);
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
fn nothing_of_the_old_branch_is_found_after_a_switch() {
    TRANSPORTS.into_iter().for_each(switch_and_find);
}

fn switch_and_find(start: fn(&Repository) -> Agent) {
    let repository = Repository::new(SMALL);
    repository.git(&["init", "-q"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "first"]);
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.write("src/clock.py", "def tick():\n    return 1\n");
    repository.write("src/only_here.py", "def only_here():\n    return 1\n");
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "second"]);
    let mut client = start(&repository);
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
fn a_server_that_was_killed_while_indexing_answers_correctly_after_a_restart() {
    TRANSPORTS.into_iter().for_each(kill_and_find);
}

fn kill_and_find(start: fn(&Repository) -> Agent) {
    let repository = many();
    for delay in [30, 100, 250] {
        let mut client = start(&repository);
        let asked = json!({ "query": "needle_in_haystack", "wait_ms": 0 });
        client.answer("search", asked);
        std::thread::sleep(Duration::from_millis(delay));
        drop(client);
    }
    repository.write("src/m0/f0.py", "def function_replaced():\n    pass\n");
    let mut client = start(&repository);
    assert_eq!(client.paths("needle_in_haystack"), ["needle.py"]);
    let (_, found) = client.answer("symbols", json!({ "name": "function_0_1" }));
    assert_eq!((&found["definitions"], &found["files"]), (&0.into(), &301.into()), "{found}");
    client.end();
    assert_eq!(repository.run(&["doctor"]).code, 0);
}

#[test]
fn a_call_with_no_wait_is_answered_at_once_from_what_is_indexed_and_says_so_first() {
    let repository = many();
    let start = Instant::now();
    let mut client = Client::of(&repository);
    client.ask("server/discover", json!({}));
    let arguments =
        json!({ "name": "search", "arguments": { "query": "needle_in_haystack", "wait_ms": 0 } });
    let answer = client.ask("tools/call", arguments)["result"].clone();
    // 100 ms on an idle machine (benchmarks); here only that the call does not wait for all files.
    assert!(start.elapsed() < Duration::from_secs(5));
    let (text, fields) = (super::text_of(&answer), &answer["structuredContent"]);
    let complete = fields["complete"] == true;
    assert_eq!(text.starts_with("INCOMPLETE"), !complete, "{text}");
    assert_eq!(client.paths("needle_in_haystack"), ["needle.py"]);
    client.end();
}

#[test]
fn several_agents_and_editors_work_on_one_repository() {
    let repository = Repository::new(SMALL);
    let mut agents: Vec<Agent> = (0..4).map(|n| TRANSPORTS[n % 2](&repository)).collect();
    let mut editors = [Editor::of(&repository), Editor::of(&repository)];
    for n in 0..5 {
        let name = format!("invented_{n}");
        repository.write("src/new.py", &format!("def {name}():\n    return {n}\n"));
        std::thread::scope(|scope| {
            for agent in &mut agents {
                scope.spawn(|| assert_eq!(agent.paths(&name), ["src/new.py"]));
            }
            for editor in &mut editors {
                scope.spawn(|| find(editor, &name));
            }
        });
    }
    // Unsaved text is visible to its own editor only.
    editors[0].open(&repository, "src/new.py", "def unsaved():\n    pass\n");
    find(&mut editors[0], "unsaved");
    let (text, _) = agents[0].answer("symbols", json!({ "name": "unsaved" }));
    assert!(text.contains("nothing matched"), "{text}");
    // One agent and one server are killed; the others continue.
    agents.truncate(2);
    repository.write("src/new.py", "def invented_last():\n    return 0\n");
    for agent in &mut agents {
        assert_eq!(agent.paths("invented_last"), ["src/new.py"]);
    }
    find(&mut editors[1], "invented_last");
    agents.into_iter().for_each(Agent::end);
    editors.into_iter().for_each(Editor::end);
}

/// Requests a symbol from an editor's server until the first indexing is done.
#[track_caller]
fn find(editor: &mut Editor, name: &str) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        let found = editor.ask("workspace/symbol", &json!({ "query": name }))["result"].clone();
        if found[0]["name"] == name {
            return;
        }
    }
    panic!("{name} is not found");
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

#[test]
fn what_an_agent_writes_and_reads_counts_in_its_next_context() {
    let repository = crate::edited::repository();
    let mut client = Client::of(&repository);
    let context = |client: &mut Client| {
        client.answer("context", json!({ "file": "report.py:2", "tokens": 1000 })).0
    };
    assert!(!context(&mut client).contains(crate::edited::FOUND));
    let (before, after) = crate::edited::edited();
    repository.write("ledger.py", &(before + after));
    let text = context(&mut client);
    assert!(text.contains(crate::edited::FOUND), "{text}");
    // A file that was only read is near, too.
    client.answer("context", json!({ "file": "pages/page_7.py:1", "tokens": 300 }));
    let text = context(&mut client);
    assert!(text.contains("pages/page_7.py"), "{text}");
    client.end();
}
