//! Verifies an answer line by line while it is streamed, makes its images inert, and stops a runaway answer.

use std::sync::Arc;

use foreword_engine::ask::{EvidenceItem, InertMarkdown, Problem, Verifier};
use foreword_engine::index::Snapshot;
use foreword_engine::visible::printable;
use tokio::sync::Notify;

use super::super::preset::MAX_REPEATS;
use crate::request::Sink;

/// Verifies the lines of an answer.
pub(super) struct LineStream<'v> {
    verifier: Verifier<'v>,
    markdown: InertMarkdown,
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
    /// Citations and places in it.
    pub(super) references: usize,
    /// Reason for stopping early.
    pub(super) stopped_by: Option<&'static str>,
}

impl<'v> LineStream<'v> {
    pub(super) fn new(snapshot: &'v Snapshot, evidence: &'v [EvidenceItem], left: usize) -> Self {
        Self {
            verifier: Verifier::new(snapshot, evidence),
            markdown: InertMarkdown::default(),
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
        let clean = printable(line.trim_end_matches(['\n', '\r']));
        let bare = &*clean;
        let is_again = !bare.trim().is_empty() && bare == self.last;
        self.repeats = if is_again { self.repeats + 1 } else { 0 };
        let mut checked = self.verifier.line(bare);
        if self.markdown.clone().line(bare).was_active {
            checked.problems.push(Problem::Loads);
        }
        let end = if line.ends_with('\n') { "\n" } else { "" };
        // The mark may quote the line.
        let marked = Verifier::marked(bare, &checked);
        let shown = format!("{}{end}", self.markdown.line(&marked).text);
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
        self.end.references = self.verifier.n_references();
        self.end
    }
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::IndexConfig;

    use super::*;

    /// What is shown of an answer that comes in these parts.
    fn shown<'p>(parts: impl IntoIterator<Item = &'p str>) -> (String, Vec<Problem>) {
        let snapshot = Snapshot::empty(IndexConfig::default());
        let mut stream = LineStream::new(&snapshot, &[], 1 << 20);
        let mut text = String::new();
        let mut sink = |it: &str| text.push_str(it);
        for part in parts {
            stream.push(part, &mut sink);
        }
        let end = stream.finish(&mut sink);
        assert_eq!(end.text, text);
        (text, end.problems)
    }

    #[test]
    fn an_image_is_shown_as_text_wherever_the_stream_is_cut() {
        let answer =
            "See \u{e9}![x](http://e/?q=secret).\n```\nlet a = vec![1];\n```\n<img src=http://e>";
        let (whole, problems) = shown([answer]);
        assert!(
            whole.starts_with("See \u{e9}!\\[x](http://e/?q=secret). [⚠ unverified: "),
            "{whole}"
        );
        assert!(whole.contains("\\<img src") && whole.contains("vec![1]"), "{whole}");
        assert_eq!(problems.iter().filter(|it| **it == Problem::Loads).count(), 2);
        for at in (0..answer.len()).filter(|it| answer.is_char_boundary(*it)) {
            let (before, after) = answer.split_at(at);
            assert_eq!(shown([before, after]).0, whole, "{at}");
        }
        let each: Vec<String> = answer.chars().map(String::from).collect();
        assert_eq!(shown(each.iter().map(String::as_str)).0, whole);
    }
}
