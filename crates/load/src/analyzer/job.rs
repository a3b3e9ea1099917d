//! A text to analyse.

use std::time::Duration;

use foreword_chunk::{Config, Language};

/// The processor time that the text of a file may take. Code takes a second for ten megabytes; the work of a parse is
/// limited to about five seconds by the budget of steps ([`foreword_chunk::Parse`]).
const FILE_TIME: Duration = Duration::from_secs(10);

/// The processor time that a text may take while somebody waits for it.
const DOCUMENT_TIME: Duration = Duration::from_secs(2);

/// A text to analyse.
#[derive(Clone, Copy, Debug)]
pub struct Job<'t> {
    /// The text.
    pub text: &'t str,
    /// Its language.
    pub language: Option<Language>,
    /// How it is cut.
    pub config: Config,
    /// A name under which the syntax tree of the text is kept, so that its next version is parsed incrementally; `None`
    /// for a text that nobody is editing.
    pub document: Option<&'t str>,
}

impl<'t> Job<'t> {
    /// A text on the disk at `path`.
    pub fn file(path: &str, text: &'t str, config: &Config) -> Self {
        let head = &text[..text.floor_char_boundary(4096)];
        Self { text, language: Language::of_path(path, head), config: *config, document: None }
    }

    /// A text that is being edited at `path`.
    pub fn document(path: &'t str, text: &'t str, config: &Config) -> Self {
        Self { document: Some(path), ..Self::file(path, text, config) }
    }

    /// A text in no language.
    pub(super) fn plain(text: &'t str) -> Self {
        Self { text, language: None, config: Config::default(), document: None }
    }

    /// The processor time that it may take.
    pub(super) fn time(&self) -> Duration {
        if self.document.is_some() { DOCUMENT_TIME } else { FILE_TIME }
    }
}
