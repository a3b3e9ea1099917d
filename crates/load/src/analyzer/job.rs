//! Texts to analyse, and their limits.

use std::time::Duration;

use foreword_chunk::{Config, Language};

/// Resource limits for one text; a worker that exceeds them is stopped.
#[derive(Clone, Copy, Debug)]
pub struct WorkLimits {
    /// Processor time for the text of a file. Default 10 seconds. Code takes a second for ten megabytes; the budget of
    /// steps limits a parse to about five seconds ([`foreword_chunk::Parse`]).
    pub file_time: Duration,
    /// Processor time for the text of an open document, which a user waits for. Default 2 seconds.
    pub document_time: Duration,
    /// Bytes of memory, in addition to the worker's memory for grammars and earlier texts. Default 192 MiB.
    pub memory: u64,
    /// Additional bytes of memory for each byte of text; a tree of code takes 10 to 20. Default 64.
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
    /// Processor time allowed for a job.
    pub(super) fn time_of(&self, job: &Job<'_>) -> Duration {
        if job.document.is_some() { self.document_time } else { self.file_time }
    }

    /// Memory allowed for a job, in bytes.
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
    /// Settings of chunking.
    pub config: Config,
    /// Key under which the syntax tree is kept, so that the next version is parsed incrementally; `None` for a text
    /// that is not being edited.
    pub document: Option<&'t str>,
}

impl<'t> Job<'t> {
    /// A file on disk at `path`.
    pub fn file(path: &str, text: &'t str, config: &Config) -> Self {
        let head = &text[..text.floor_char_boundary(4096)];
        Self { text, language: Language::of_path(path, head), config: *config, document: None }
    }

    /// An open document at `path`.
    pub fn document(path: &'t str, text: &'t str, config: &Config) -> Self {
        Self { document: Some(path), ..Self::file(path, text, config) }
    }

    /// A text without a language.
    pub(super) fn plain(text: &'t str) -> Self {
        Self { text, language: None, config: Config::default(), document: None }
    }
}
