//! An answer as it is written: lines are checked when they are whole, and an answer that does not end is stopped.

use std::sync::Arc;

use foreword_engine::ask::{EvidenceItem, Problem, Verifier};
use foreword_engine::index::Snapshot;
use tokio::sync::Notify;

use crate::ask::without_controls;
use crate::request::Sink;

/// The same line so often in a row is no answer any more.
const REPEATS: usize = 12;

/// Checks the lines of an answer.
pub(super) struct LineStream<'v> {
    verifier: Verifier<'v>,
    /// The line that is being written.
    line: String,
    end: StreamEnd,
    /// Bytes that may still come.
    left: usize,
    last: String,
    repeats: usize,
    /// Is notified when nothing more is wanted.
    pub(super) stopped: Arc<Notify>,
}

/// What was written.
#[derive(Default)]
pub(super) struct StreamEnd {
    /// With marks.
    pub(super) text: String,
    pub(super) cited: Vec<u32>,
    pub(super) problems: Vec<Problem>,
    /// Why it was stopped; `None` if it was not.
    pub(super) stopped_by: Option<&'static str>,
}

impl<'v> LineStream<'v> {
    pub(super) fn new(snapshot: &'v Snapshot, evidence: &'v [EvidenceItem], left: usize) -> Self {
        Self {
            verifier: Verifier::new(snapshot, evidence),
            line: String::new(),
            end: StreamEnd::default(),
            left,
            last: String::new(),
            repeats: 0,
            stopped: Arc::default(),
        }
    }

    /// Takes the next piece of text.
    pub(super) fn push(&mut self, text: &str, sink: Sink<'_>) {
        if self.end.stopped_by.is_some() {
            return;
        }
        for part in text.split_inclusive('\n') {
            self.left = self.left.saturating_sub(part.len());
            if self.left == 0 {
                return self.stop("too_long");
            }
            self.line.push_str(part);
            if part.ends_with('\n') {
                self.take_line(&mut *sink);
            }
            if self.repeats >= REPEATS {
                return self.stop("repeats");
            }
        }
    }

    fn stop(&mut self, why: &'static str) {
        self.end.stopped_by = Some(why);
        self.stopped.notify_one();
    }

    fn take_line(&mut self, sink: Sink<'_>) {
        let line = std::mem::take(&mut self.line);
        let clean = without_controls(line.trim_end_matches(['\n', '\r']));
        let bare = &*clean;
        let is_again = !bare.trim().is_empty() && bare == self.last;
        self.repeats = if is_again { self.repeats + 1 } else { 0 };
        let checked = self.verifier.line(bare);
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let shown = format!("{}{end}", Verifier::marked(bare, &checked));
        sink(&shown);
        self.end.text.push_str(&shown);
        self.end.cited.extend(checked.cited);
        self.end.problems.extend(checked.problems);
        bare.clone_into(&mut self.last);
    }

    /// The end of the answer: what was written of the last line counts as a line.
    pub(super) fn finish(mut self, sink: Sink<'_>) -> StreamEnd {
        if !self.line.is_empty() {
            self.take_line(sink);
        }
        self.end
    }
}
