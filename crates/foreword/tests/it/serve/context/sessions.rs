//! What was edited in one file counts in the prompts of others.

use super::{infill, prompt, stub};
use crate::Repository;
use crate::serve::Server;

const LEDGER: &str = "def book(entry, amount):\n    total = entry.total(amount)\n    return total\n\n\ndef close(entry):\n    entry.closed = True\n    return entry\n";

/// A repository that is larger than a prompt: many alike files, and one that only the edit leads to.
fn repository() -> String {
    let rows: String = (0..40).map(|it| format!("    report.row('{it}', amount)\n")).collect();
    let pages = (0..60).map(|it| {
        format!("//- pages/page_{it}.py\ndef page_{it}(report, amount):\n{rows}    return report\n")
    });
    let pages: String = pages.collect();
    let vault = "def settle_zloty(entry, when):\n    entry.settled = when\n    return entry\n";
    format!(
        "{pages}//- vault/settle.py\n{vault}//- ledger.py\n{LEDGER}//- report.py\n{}",
        report("")
    )
}

fn report(body: &str) -> String {
    format!("def print_report(report, amount):\n    report.head(amount)\n{body}    return report\n")
}

#[test]
fn an_edit_in_one_file_leads_to_pieces_in_the_next() {
    let (repository, stub) = (Repository::new(&repository()), stub());
    let server = Server::with_upstream(&repository, &stub.url);
    let in_report = || {
        let text = report("    report.");
        let at = text.find("    return").unwrap();
        let reply = infill(&server, &text[..at], &text[at..]);
        assert!(reply.header("x-foreword-match").starts_with("report.py"), "{reply:?}");
        prompt(&stub)
    };
    assert!(!in_report().contains("def settle_zloty"));
    let at = LEDGER.find("    return total").unwrap();
    let edited = format!("{}    settle_zloty(entry, when=today)\n", &LEDGER[..at]);
    let reply = infill(&server, &edited, &LEDGER[at..]);
    assert!(reply.header("x-foreword-match").starts_with("ledger.py:4"), "{reply:?}");
    let after = in_report();
    assert!(after.contains("def settle_zloty"), "{after}");
    // The place that was visited is shown, too, without its unsaved text.
    assert!(after.contains("<|file_sep|>ledger.py"), "{after}");
}
