//! The costs of planning, one JSON object a line, for the hourly budget and for `status`.
//!
//! A line is written after each request, before its answer is used, and after each file. A line that a crash cut off is
//! ignored. In a long file, lines older than an hour are summed up.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use super::budget::Usage;
use crate::clock::unix_seconds;

/// A line: a request, a planned file, or the sum of earlier lines.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Seconds since 1970.
    pub(super) at: u64,
    /// Earliest time in a sum; 0 for a single request or file.
    pub(super) since: u64,
    /// Number of requests to the model.
    pub requests: u64,
    /// Tokens of the prompts.
    pub prompt_tokens: u64,
    /// Tokens of the answers.
    pub answer_tokens: u64,
    /// Time waiting for the model, in milliseconds.
    pub millis: u64,
    /// Cost in US dollars.
    pub usd: f64,
    /// Planned files.
    pub files: u64,
    /// Number of accepted blocks.
    pub blocks: u64,
    /// Number of accepted forecasts.
    pub forecasts: u64,
    /// Rejected blocks and forecasts.
    pub thrown_out: u64,
}

impl Entry {
    fn add(&mut self, it: &Self) {
        let first = if it.since > 0 { it.since } else { it.at };
        self.since = if self.since > 0 { self.since.min(first) } else { first };
        self.at = self.at.max(it.at);
        self.requests = self.requests.saturating_add(it.requests);
        self.prompt_tokens = self.prompt_tokens.saturating_add(it.prompt_tokens);
        self.answer_tokens = self.answer_tokens.saturating_add(it.answer_tokens);
        self.millis = self.millis.saturating_add(it.millis);
        self.usd += it.usd;
        self.files = self.files.saturating_add(it.files);
        self.blocks = self.blocks.saturating_add(it.blocks);
        self.forecasts = self.forecasts.saturating_add(it.forecasts);
        self.thrown_out = self.thrown_out.saturating_add(it.thrown_out);
    }

    fn used(&self) -> Usage {
        Usage {
            time: Duration::from_millis(self.millis),
            tokens: self.prompt_tokens.saturating_add(self.answer_tokens),
            usd: self.usd,
        }
    }
}

/// A longer ledger, in bytes, is shortened when it is opened.
const MAX_SIZE: u64 = 1 << 20;

/// An hour, in seconds.
const HOUR: u64 = 3600;

/// The costs of one view's plans.
pub struct Ledger {
    path: PathBuf,
    /// Sum of the entries older than an hour.
    before: Entry,
    /// Later entries, the oldest first.
    last: Vec<Entry>,
}

impl Ledger {
    /// Reads the ledger; empty if there is none.
    pub fn open(path: PathBuf) -> Self {
        let bytes = if path.is_file() { std::fs::read(&path) } else { Ok(Vec::new()) };
        let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        let mut res = Self { path, before: Entry::default(), last: Vec::new() };
        let from = unix_seconds().saturating_sub(HOUR);
        for it in text.lines().filter_map(|it| serde_json::from_str::<Entry>(it).ok()) {
            match it.since == 0 && it.at > from {
                true => res.last.push(it),
                false => res.before.add(&it),
            }
        }
        if text.len() as u64 > MAX_SIZE {
            // A failure is repeated when the ledger is next opened.
            let _ = res.shorten();
        }
        res
    }

    /// Appends a line.
    pub fn add(&mut self, entry: Entry) -> anyhow::Result<()> {
        let entry = Entry { at: unix_seconds(), ..entry };
        let line = serde_json::to_string(&entry)? + "\n";
        self.append(&line).with_context(|| {
            format!(
                "the cost cannot be recorded in {}; make room, or move the index with --index-dir",
                self.path.display()
            )
        })?;
        self.last.push(entry);
        Ok(())
    }

    fn append(&self, line: &str) -> std::io::Result<()> {
        if let Some(dir) = self.path.parent() {
            std::fs::create_dir_all(dir)?;
        }
        let mut file = File::options().create(true).append(true).open(&self.path)?;
        // A single call, so that lines of two processes do not mix.
        file.write_all(line.as_bytes())
    }

    fn shorten(&self) -> anyhow::Result<()> {
        let mut text = serde_json::to_string(&self.before)? + "\n";
        for it in &self.last {
            text.push_str(&(serde_json::to_string(it)? + "\n"));
        }
        let dir = self.path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(text.as_bytes())?;
        file.persist(&self.path)?;
        Ok(())
    }

    /// Usage in the last hour, and the seconds until its first entry is an hour old.
    pub fn last_hour(&self) -> (Usage, u64) {
        let from = unix_seconds().saturating_sub(HOUR);
        let mut of_hour = self.last.iter().filter(|it| it.at > from && it.requests > 0).peekable();
        let wait = of_hour.peek().map_or(0, |it| it.at.saturating_sub(from));
        (of_hour.map(Entry::used).fold(Usage::default(), Usage::and), wait)
    }

    /// Sum of all entries; `None` if there are none.
    pub fn total(&self) -> Option<Entry> {
        let mut res = self.before;
        self.last.iter().for_each(|it| res.add(it));
        (res.at > 0).then_some(res)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_kept_and_a_cut_off_line_is_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("plans/x.ledger");
        let entry = || Entry {
            requests: 1,
            prompt_tokens: 10,
            answer_tokens: 2,
            usd: 0.5,
            ..Entry::default()
        };
        let mut ledger = Ledger::open(path.clone());
        ledger.add(entry()).unwrap();
        ledger.add(entry()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let old = "{\"at\":1000,\"requests\":3,\"prompt_tokens\":7}\n";
        std::fs::write(&path, format!("{old}{}", &text[..text.len() - 9])).unwrap();
        let read = Ledger::open(path);
        assert_eq!((read.last_hour().0.tokens, read.last_hour().0.usd), (12, 0.5));
        assert_eq!(read.total().unwrap().prompt_tokens, 17);
    }

    #[test]
    fn a_shortened_ledger_has_the_same_total() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.ledger");
        let line =
            format!("{{\"at\":1000,\"requests\":1,\"prompt_tokens\":2{}}}\n", " ".repeat(1000));
        std::fs::write(&path, line.repeat(1100)).unwrap();
        let total = |it: &Ledger| it.total().map(|it| (it.requests, it.prompt_tokens, it.at));
        assert_eq!(total(&Ledger::open(path.clone())), Some((1100, 2200, 1000)));
        assert!(std::fs::metadata(&path).unwrap().len() < 1000);
        assert_eq!(total(&Ledger::open(path)), Some((1100, 2200, 1000)));
    }
}
