//! Pages that an editor opens: documents of ours where it can ask for their text (`workspace/textDocumentContent`), else
//! files in a temporary directory that goes with the server.

use std::collections::VecDeque;
use std::path::PathBuf;

use anyhow::Context as _;

/// What stands before the colon of our documents' URIs.
pub(super) const SCHEME: &str = "foreword";

/// Pages that can still be asked for.
const KEPT: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Pages {
    /// URIs and texts, the latest at the end.
    texts: VecDeque<(String, String)>,
    made: usize,
    /// Made when first needed, for this user alone.
    directory: Option<tempfile::TempDir>,
}

impl Pages {
    /// Keeps a page; gives the URI by which the editor asks for it.
    pub(super) fn add(&mut self, text: String) -> String {
        self.made += 1;
        let uri = format!("{SCHEME}:/context-{}.md", self.made);
        self.texts.push_back((uri.clone(), text));
        if self.texts.len() > KEPT {
            self.texts.pop_front();
        }
        uri
    }

    /// The text of a page.
    pub(super) fn get(&self, uri: &str) -> Option<&str> {
        self.texts.iter().find(|it| it.0 == uri).map(|it| it.1.as_str())
    }

    /// Writes a page to a file that is there until the server ends; gives its path.
    pub(super) fn write(&mut self, text: &str) -> anyhow::Result<PathBuf> {
        self.made += 1;
        if self.directory.is_none() {
            let made = tempfile::Builder::new().prefix("foreword-").tempdir();
            self.directory = Some(made.context("cannot make a temporary directory")?);
        }
        let directory = self.directory.as_ref().context("it was made")?;
        let path = directory.path().join(format!("context-{}.md", self.made));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_pages_are_kept_and_files_go_with_the_server() {
        let mut pages = Pages::default();
        let first = pages.add("one".into());
        assert_eq!((first.as_str(), pages.get(&first)), ("foreword:/context-1.md", Some("one")));
        let path = pages.write("two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        for _ in 0..KEPT {
            pages.add("more".into());
        }
        assert_eq!(pages.get(&first), None);
        drop(pages);
        assert!(!path.exists());
    }
}
