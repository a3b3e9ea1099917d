//! Texts to analyse, and their limits.

use std::time::Duration;

use foreword_chunk::{Config, Language};

/// Resource limits for one text; a worker that exceeds them is stopped.
#[derive(Clone, Copy, Debug)]
pub struct WorkLimits {
    /// Processor time for the text of a file. Default 10 seconds. Code takes a second for ten megabytes; the budget of
    /// steps limits a parse to about five seconds ([`foreword_chunk::Parse`]).
    pub file_time: Duration,
    /// Processor time of its own for a text in a round of indexing, and in addition nanoseconds for each of its bytes;
    /// what it takes beyond comes from the round ([`Self::round_time`]). Default 200 milliseconds and 2 microseconds:
    /// twenty times what code takes, so that only texts that stop parsers need more.
    pub own_time: Duration,
    /// See [`Self::own_time`].
    pub own_time_per_byte: u64,
    /// Processor time that the texts of a round share beyond their own. Default 3 seconds. A text that finds too little
    /// left is deferred.
    pub round_time: Duration,
    /// Processor time that one batch may take from the round's. Default 1 second.
    pub batch_time: Duration,
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
            own_time: Duration::from_millis(200),
            own_time_per_byte: 2000,
            round_time: Duration::from_secs(3),
            batch_time: Duration::from_secs(1),
            document_time: Duration::from_secs(2),
            memory: 192 << 20,
            memory_per_byte: 64,
        }
    }
}

impl WorkLimits {
    /// Processor time allowed for a job when nobody waits for other texts.
    pub(super) fn time_of(&self, job: &Job<'_>) -> Duration {
        if job.document.is_some() { self.document_time } else { self.file_time }
    }

    /// Processor time of its own for a job in a round.
    pub(super) fn own_time_of(&self, job: &Job<'_>) -> Duration {
        let of_bytes = Duration::from_nanos(self.own_time_per_byte * job.text.len() as u64);
        (self.own_time + of_bytes).min(self.file_time)
    }

    /// Memory allowed for a job, in bytes.
    pub(super) fn memory_of(&self, job: &Job<'_>) -> u64 {
        self.memory + self.memory_per_byte * job.text.len() as u64
    }
}

/// Limits of a batch.
#[derive(Clone, Copy)]
pub(super) struct BatchLimits<'l> {
    pub(super) work: &'l WorkLimits,
    /// Processor time that the texts share beyond their own; `None` gives each text the limit of a file or document.
    pub(super) shared: Option<Duration>,
}

impl BatchLimits<'_> {
    /// Processor time of a text of its own.
    pub(super) fn time_of(&self, job: &Job<'_>) -> Duration {
        match self.shared {
            Some(_) => self.work.own_time_of(job),
            None => self.work.time_of(job),
        }
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
