//! The forms in which a candidate can be shown.

use std::ops::Range;

use foreword_chunk::{Definition, Kind, skeleton};

use super::budget::Count;
use super::excerpt::{Lines, Words};
use crate::fuse::Candidate;
use crate::index::FileRecord;

/// How a piece is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The chunk as it stands.
    Chunk,
    /// The lines of a chunk that have most of the words looked for.
    Excerpt,
    /// A definition with bodies folded.
    Skeleton,
    /// The line or lines that declare it.
    Signature,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Chunk, Self::Excerpt, Self::Skeleton, Self::Signature];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Excerpt => "excerpt",
            Self::Skeleton => "skeleton",
            Self::Signature => "signature",
        }
    }
}

/// A form in which a candidate could be shown.
pub(super) struct Draft {
    pub(super) form: Form,
    pub(super) span: Range<usize>,
    pub(super) text: String,
    /// Those of `text`.
    pub(super) tokens: usize,
}

/// A form to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The chunk.
    Chunk,
    /// Some lines of the chunk; all of them where they are few.
    Excerpt,
    /// The definition with its bodies folded until it fits.
    Skeleton(u32),
    /// The definition's head.
    Signature(u32),
}

/// A candidate with what is drafted from.
pub(super) struct Subject<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) text: &'a str,
    pub(super) record: &'a FileRecord,
    /// What of the chunk may be shown: the rest is already.
    pub(super) unseen: Range<usize>,
    pub(super) words: &'a Words<'a>,
    /// Tokens that a text may take.
    pub(super) most: usize,
    /// Lines that an excerpt may have.
    pub(super) lines: usize,
    pub(super) count: Count<'a>,
}

impl Subject<'_> {
    /// The forms to try, the most wanted first: the lines that say most; of what was found by name its interface, where
    /// there is no room for more. Other forms first (short definitions whole, long ones folded) showed less of what
    /// holes need at every budget: `benchmarks/results/context-tuning.md`.
    pub(super) fn attempts(&self) -> Vec<Attempt> {
        let named = self.candidate.definitions.first().copied();
        let folded = named.map(|idx| [Attempt::Skeleton(idx), Attempt::Signature(idx)]);
        std::iter::once(Attempt::Excerpt).chain(folded.into_iter().flatten()).collect()
    }

    /// The text of a form; `None` where there is none, or it is known to be too long.
    pub(super) fn draft(&self, attempt: Attempt) -> Option<Draft> {
        let draft = match attempt {
            Attempt::Chunk => self.chunk(),
            Attempt::Excerpt => self.excerpt(),
            Attempt::Skeleton(idx) => self.skeleton(idx),
            Attempt::Signature(idx) => self.signature(idx),
        };
        draft.filter(|it| !it.text.trim().is_empty())
    }

    fn definition_of(&self, idx: u32) -> Option<&Definition> {
        self.record.symbols.definitions.get(idx as usize)
    }

    /// A token seldom has as many bytes, so what is longer need not be counted.
    fn is_far_too_long(&self, text: &str) -> bool {
        text.len() > self.most * BYTES_A_TOKEN
    }

    /// What of the chunk is not shown yet, under the headers of the definitions that it is inside of.
    fn chunk(&self) -> Option<Draft> {
        let shown = &self.text[self.unseen.clone()];
        if self.is_far_too_long(shown.trim()) {
            return None;
        }
        Some(self.part(Form::Chunk, self.unseen.clone()))
    }

    /// As many lines as fit, by a number of bytes that is lowered until they do.
    fn excerpt(&self) -> Option<Draft> {
        let lines = Lines::new(self.text, &self.unseen, self.words);
        let mut bytes = self.most * BYTES_A_TOKEN;
        for _ in 0..TRIES {
            let range = lines.best(self.lines, bytes)?;
            let form = if range == self.unseen { Form::Chunk } else { Form::Excerpt };
            let draft = self.part(form, range);
            if draft.tokens <= self.most {
                return Some(draft);
            }
            let fitting = draft.text.len() * self.most / draft.tokens;
            bytes = fitting.min(bytes) * 24 / 25;
        }
        None
    }

    /// A part of the chunk under the headers of the definitions around it.
    fn part(&self, form: Form, span: Range<usize>) -> Draft {
        let (text, symbols) = (self.text, &self.record.symbols);
        let mut shown = String::new();
        let innermost = symbols.enclosing(span.start);
        let around: Vec<_> = symbols.ancestors(innermost).collect();
        for definition in around.iter().rev() {
            let at = definition.name.start as usize;
            let line_start = text[..at].rfind('\n').map_or(0, |at| at + 1);
            let line = text[line_start..].lines().next().unwrap_or_default();
            if line_start < span.start && !matches!(definition.kind, Kind::Section) {
                shown.push_str(line);
                shown.push('\n');
            }
        }
        let part = &text[span.clone()];
        shown.push_str(part.trim_start_matches(['\n', '\r']).trim_end());
        shown.push('\n');
        self.of(form, span, shown)
    }

    fn skeleton(&self, idx: u32) -> Option<Draft> {
        let record = self.record;
        let span = self.definition_of(idx)?.span.range();
        let fits = |text: &str| !self.is_far_too_long(text) && (self.count)(text) <= self.most;
        let folded = skeleton::skeleton(self.text, &record.symbols, Some(idx), &fits);
        Some(self.of(Form::Skeleton, span, format!("{}\n", folded.text.trim_end())))
    }

    fn signature(&self, idx: u32) -> Option<Draft> {
        let it = self.definition_of(idx)?;
        let text = format!("{}\n", it.signature.of(self.text).trim_end());
        Some(self.of(Form::Signature, it.span.range(), text))
    }

    fn of(&self, form: Form, span: Range<usize>, text: String) -> Draft {
        let tokens = (self.count)(&text);
        Draft { form, span, text, tokens }
    }
}

/// A text seldom has more bytes a token.
const BYTES_A_TOKEN: usize = 12;

/// How often an excerpt is made shorter until it fits.
const TRIES: usize = 5;
