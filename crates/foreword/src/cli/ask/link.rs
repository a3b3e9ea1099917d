//! Terminal links (OSC 8): a citation opens its file, at its line if the editor's URLs support lines.

use std::io::IsTerminal as _;
use std::path::{MAIN_SEPARATOR, PathBuf};

use foreword_load::Workspace;

use crate::cli::args::LinkTarget;

/// Creates links for citations.
pub(super) struct Links {
    target: LinkTarget,
    root: PathBuf,
}

impl Links {
    /// Links to files on disk, if stdout is a terminal. `auto` depends on the terminal program.
    pub(super) fn new(wanted: LinkTarget, workspace: &Workspace) -> Self {
        let is_terminal = std::io::stdout().is_terminal() && workspace.revision.is_none();
        let in_code = std::env::var("TERM_PROGRAM").is_ok_and(|it| it == "vscode");
        let target = match wanted {
            _ if !is_terminal => LinkTarget::Never,
            LinkTarget::Auto if in_code => LinkTarget::Vscode,
            LinkTarget::Auto => LinkTarget::File,
            it => it,
        };
        Self { target, root: workspace.root.clone() }
    }

    /// The text, linked to a line of a file.
    pub(super) fn linked(&self, path: &str, line: u32, text: &str) -> String {
        let address = encoded(&self.root.join(path).display().to_string());
        let slash = if address.starts_with('/') { "" } else { "/" };
        let address = match self.target {
            LinkTarget::Never => return text.to_owned(),
            LinkTarget::Vscode => format!("vscode://file{slash}{address}:{line}"),
            LinkTarget::File | LinkTarget::Auto => format!("file://{slash}{address}#L{line}"),
        };
        format!("\u{1b}]8;;{address}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\")
    }
}

/// Percent-encodes a path; no character can end the link.
fn encoded(path: &str) -> String {
    let mut res = String::with_capacity(path.len());
    for byte in path.replace(MAIN_SEPARATOR, "/").bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' | b':' => res.push(byte as char),
            it if it.is_ascii_alphanumeric() => res.push(it as char),
            it => res.push_str(&format!("%{it:02X}")),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_holds_nothing_that_ends_it() {
        let links = |target| Links { target, root: PathBuf::from("/a b") };
        let file = links(LinkTarget::File).linked("x\u{1b}y.rs", 3, "T");
        assert_eq!(file, "\u{1b}]8;;file:///a%20b/x%1By.rs#L3\u{1b}\\T\u{1b}]8;;\u{1b}\\");
        let code = links(LinkTarget::Vscode).linked("y.rs", 3, "T");
        assert_eq!(code, "\u{1b}]8;;vscode://file/a%20b/y.rs:3\u{1b}\\T\u{1b}]8;;\u{1b}\\");
        assert_eq!(links(LinkTarget::Never).linked("y.rs", 3, "T"), "T");
    }
}
