//! Pages to open in the editor: virtual documents if the editor supports `workspace/textDocumentContent`, else files in
//! a temporary directory, removed at the end.

use std::collections::VecDeque;
use std::path::PathBuf;

use anyhow::Context as _;

/// The command that shows the prompt at a position; its arguments are a URI and the position.
pub(super) const SHOW_COMMAND: &str = "foreword.showContext";

/// URI scheme of virtual documents.
pub(super) const SCHEME: &str = "foreword";

/// Maximum pages kept.
const MAX_PAGES: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Pages {
    /// URIs and texts, latest last.
    texts: VecDeque<(String, String)>,
    /// Number of pages so far, used to number them.
    count: usize,
    /// Created on demand, readable only by this user.
    directory: Option<tempfile::TempDir>,
}

impl Pages {
    /// Adds a page; returns its URI.
    pub(super) fn add(&mut self, text: String) -> String {
        self.count += 1;
        let uri = format!("{SCHEME}:/context-{}.md", self.count);
        self.texts.push_back((uri.clone(), text));
        if self.texts.len() > MAX_PAGES {
            self.texts.pop_front();
        }
        uri
    }

    /// The text of a page.
    pub(super) fn get(&self, uri: &str) -> Option<&str> {
        self.texts.iter().find(|it| it.0 == uri).map(|it| it.1.as_str())
    }

    /// Writes a page to a file that exists until the server ends; returns its path.
    pub(super) fn write(&mut self, text: &str) -> anyhow::Result<PathBuf> {
        self.count += 1;
        if self.directory.is_none() {
            let directory = tempfile::Builder::new().prefix("foreword-").tempdir();
            self.directory = Some(directory.context("cannot make a temporary directory")?);
        }
        let directory = self.directory.as_ref().context("it was made")?;
        let path = directory.path().join(format!("context-{}.md", self.count));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_pages_are_kept_and_files_are_removed_with_the_server() {
        let mut pages = Pages::default();
        let first = pages.add("one".into());
        assert_eq!((first.as_str(), pages.get(&first)), ("foreword:/context-1.md", Some("one")));
        let path = pages.write("two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        for _ in 0..MAX_PAGES {
            pages.add("more".into());
        }
        assert_eq!(pages.get(&first), None);
        drop(pages);
        assert!(!path.exists());
    }
}
