//! A text to analyse.

use std::time::Duration;

use foreword_chunk::{Config, Language};

/// What one text may take before its worker is stopped.
#[derive(Clone, Copy, Debug)]
pub struct WorkLimits {
    /// Processor time for the text of a file. Code takes a second for ten megabytes; the work of a parse is limited to
    /// about five seconds by the budget of steps ([`foreword_chunk::Parse`]). Default 10 seconds.
    pub file_time: Duration,
    /// Processor time for a text while somebody waits for it. Default 2 seconds.
    pub document_time: Duration,
    /// Bytes of memory, beside what the worker has for grammars and for the texts before. Default 192 MiB.
    pub memory: u64,
    /// More bytes of memory for each byte of the text; a tree of code takes 10 to 20. Default 64.
    pub memory_per_byte: u64,
}

impl Default for WorkLimits {
    fn default() -> Self {
        Self {
            file_time: Duration::from_secs(10),
            document_time: Duration::from_secs(2),
            memory: 192 << 20,
            memory_per_byte: 64,
        }
    }
}

impl WorkLimits {
    /// The processor time that a job may take.
    pub(super) fn time_of(&self, job: &Job<'_>) -> Duration {
        if job.document.is_some() { self.document_time } else { self.file_time }
    }

    /// The bytes of memory that a job may take.
    pub(super) fn memory_of(&self, job: &Job<'_>) -> u64 {
        self.memory + self.memory_per_byte * job.text.len() as u64
    }
}

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
}
