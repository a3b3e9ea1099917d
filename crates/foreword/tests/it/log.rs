//! The log of the commands that are no language server: on stderr alone, and only where it belongs.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::Repository;

const ONE: &str = "
//- a.py
def alpha():
    pass
";

#[test]
fn commands_that_end_by_themselves_log_nothing_by_default() {
    let repository = Repository::new(ONE);
    for args in [&["search", "alpha"][..], &["map"], &["status"], &["context", "a.py:1"]] {
        let run = repository.run(args);
        let note = run.err.lines().all(|it| it.starts_with("foreword: "));
        assert!(run.code == 0 && note, "{run:?}");
    }
    let broken = repository.run(&["context", "gone.py:1"]);
    assert!(broken.code == 2 && broken.err.starts_with("error: "), "{broken:?}");
    assert_eq!(broken.err.lines().count(), 1, "{broken:?}");
}

#[test]
fn an_unknown_level_is_refused_with_those_there_are() {
    let run = Repository::new(ONE).run(&["search", "alpha", "--log", "loud"]);
    run.fails(2, &["--log", "loud", "warn", "trace"]);
}

#[test]
fn the_server_for_agents_logs_its_start_and_end_on_stderr_and_answers_on_stdout() {
    let repository = Repository::new(ONE);
    let mut command = repository.command(&["mcp", "--log", "info"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    writeln!(child.stdin.take().unwrap(), "{ping}").unwrap();
    let output = child.wait_with_output().unwrap();
    let (out, log) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr).unwrap());
    for line in out.unwrap().lines() {
        assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
    }
    assert!(log.contains("the MCP server starts") && log.contains("ends"), "{log}");
    let quiet = repository.command(&["mcp"]).output().unwrap();
    assert!(quiet.stderr.is_empty(), "{}", String::from_utf8_lossy(&quiet.stderr));
}
