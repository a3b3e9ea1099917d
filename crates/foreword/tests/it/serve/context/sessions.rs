//! What was edited in one file counts in the prompts of others, also after a restart.

use serde_json::json;

use super::{infill, prompt, stub};
use crate::edited::{FOUND, LEDGER, edited, forget, report, repository};
use crate::serve::stub::Stub;
use crate::serve::{Reply, Server};

/// Asks in `report.py`.
#[track_caller]
fn ask(server: &Server) -> Reply {
    let text = report("    report.");
    let at = text.find("    return").unwrap();
    let reply = infill(server, &text[..at], &text[at..]);
    assert!(reply.header("x-foreword-match").starts_with("report.py"), "{reply:?}");
    reply
}

/// The prompt there.
#[track_caller]
fn in_report(server: &Server, stub: &Stub) -> String {
    ask(server);
    prompt(stub)
}

#[track_caller]
fn edit(server: &Server) {
    let (before, after) = edited();
    let reply = infill(server, &before, after);
    assert!(reply.header("x-foreword-match").starts_with("ledger.py:4"), "{reply:?}");
}

#[test]
fn an_edit_in_one_file_leads_to_pieces_in_the_next() {
    let (repository, stub) = (repository(), stub());
    let server = Server::with_upstream(&repository, &stub.url);
    assert!(!in_report(&server, &stub).contains(FOUND));
    edit(&server);
    let after = in_report(&server, &stub);
    assert!(after.contains(FOUND), "{after}");
    // The place that was visited is shown, too, without its unsaved text.
    assert!(after.contains("<|file_sep|>ledger.py"), "{after}");
    let session = &server.record(&ask(&server))["trace"]["session"];
    assert_eq!(session["files"][0], json!({ "path": "ledger.py", "lines": [4] }), "{session}");
    assert_eq!(session["edited"], json!(["    settle_zloty(entry, when=today)"]));
    assert!(session["tokens"].as_u64().unwrap() > 20, "{session}");
}

#[test]
fn a_session_goes_on_after_a_restart_unless_the_user_does_not_want_that() {
    for is_remembered in [true, false] {
        let (repository, stub) = (repository(), stub());
        if !is_remembered {
            forget(&repository);
        }
        let server = Server::with_upstream(&repository, &stub.url);
        in_report(&server, &stub);
        edit(&server);
        server.stop();
        let server = Server::with_upstream(&repository, &stub.url);
        assert_eq!(in_report(&server, &stub).contains(FOUND), is_remembered);
    }
}

#[test]
fn files_that_a_client_cites_are_recent() {
    let (repository, stub) = (repository(), stub());
    let server = Server::with_upstream(&repository, &stub.url);
    let text = report("    report.");
    let at = text.find("    return").unwrap();
    let extra = json!([
        { "filename": "elsewhere.py", "text": "nothing = 1\n" },
        { "filename": "ledger.py", "text": LEDGER.split_once("\n\n").unwrap().0 },
    ]);
    let body = json!({
        "input_prefix": text[..at], "input_suffix": text[at..], "prompt": "", "input_extra": extra,
    });
    let reply = server.post("/infill", &body);
    let session = &server.record(&reply)["trace"]["session"];
    assert_eq!(session["files"], json!([{ "path": "ledger.py", "lines": [] }]), "{session}");
}
