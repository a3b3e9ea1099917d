//! Verifies an answer line by line while it is streamed, and stops a runaway answer.

use std::sync::Arc;

use foreword_engine::ask::{EvidenceItem, Problem, Verifier};
use foreword_engine::index::Snapshot;
use tokio::sync::Notify;

use super::super::preset::MAX_REPEATS;
use crate::ask::without_controls;
use crate::request::Sink;

/// Verifies the lines of an answer.
pub(super) struct LineStream<'v> {
    verifier: Verifier<'v>,
    /// The unfinished line.
    line: String,
    end: StreamEnd,
    /// Bytes left of the limit.
    left: usize,
    last: String,
    repeats: usize,
    /// Notified when the answer must stop.
    pub(super) stopped: Arc<Notify>,
}

/// The streamed answer.
#[derive(Default)]
pub(super) struct StreamEnd {
    /// With marks.
    pub(super) text: String,
    pub(super) cited: Vec<u32>,
    pub(super) problems: Vec<Problem>,
    /// Reason for stopping early.
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

    /// Adds streamed text.
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
            if self.repeats >= MAX_REPEATS {
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

    /// Ends the answer; an unfinished last line is verified too.
    pub(super) fn finish(mut self, sink: Sink<'_>) -> StreamEnd {
        if !self.line.is_empty() {
            self.take_line(sink);
        }
        self.end
    }
}
