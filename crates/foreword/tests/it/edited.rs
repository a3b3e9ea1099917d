//! A repository in which only an edit of one file leads to a piece of another, for every door that knows a session.

use crate::Repository;

/// The file that is edited.
pub(crate) const LEDGER: &str = "def book(entry, amount):\n    total = entry.total(amount)\n    return total\n\n\ndef close(entry):\n    entry.closed = True\n    return entry\n";

/// The line that is written into it, which uses what [`FOUND`] defines.
const WRITTEN: &str = "    settle_zloty(entry, when=today)\n";

/// What the prompt of `report.py` has once that was written.
pub(crate) const FOUND: &str = "def settle_zloty";

/// Many alike files, more than a prompt holds, and one that only the edit leads to.
pub(crate) fn repository() -> Repository {
    let rows: String = (0..40).map(|it| format!("    report.row('{it}', amount)\n")).collect();
    let pages = (0..60).map(|it| {
        format!("//- pages/page_{it}.py\ndef page_{it}(report, amount):\n{rows}    return report\n")
    });
    let pages: String = pages.collect();
    let vault = format!("{FOUND}(entry, when):\n    entry.settled = when\n    return entry\n");
    Repository::new(&format!(
        "{pages}//- vault/settle.py\n{vault}//- ledger.py\n{LEDGER}//- report.py\n{}",
        report("")
    ))
}

/// The file whose prompt is asked for, with lines in its function.
pub(crate) fn report(body: &str) -> String {
    format!("def print_report(report, amount):\n    report.head(amount)\n{body}    return report\n")
}

/// The edited file up to its new line, and after it.
pub(crate) fn edited() -> (String, &'static str) {
    let at = LEDGER.find("    return total").unwrap();
    (format!("{}{WRITTEN}", &LEDGER[..at]), &LEDGER[at..])
}

/// Has the user's settings say that nothing is remembered.
pub(crate) fn forget(repository: &Repository) {
    let directory = repository.dir.path().join("home/config/foreword");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("config.toml"), "remember = \"off\"\n").unwrap();
}
