//! The forms in which a candidate can be shown.

use std::cell::RefCell;
use std::ops::Range;

use foreword_chunk::{Definition, Kind, skeleton};

use super::budget::{Budget, Count};
use super::line_reader::LineReader;
use super::open_file::OpenFile;
use super::passage::{FileLines, Passage};
use super::surroundings::Surroundings;
use crate::evidence::Reason;
use crate::fuse::Candidate;

/// The form of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The whole chunk.
    Chunk,
    /// The lines of a chunk with most of the query's words.
    Excerpt,
    /// A definition with folded bodies.
    Skeleton,
    /// The lines that declare a definition.
    Signature,
    /// Code that the repository does not have and that may be written.
    Forecast,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 5] =
        [Self::Chunk, Self::Excerpt, Self::Skeleton, Self::Signature, Self::Forecast];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Excerpt => "excerpt",
            Self::Skeleton => "skeleton",
            Self::Signature => "signature",
            Self::Forecast => "forecast",
        }
    }
}

/// A form of a candidate with its text.
pub(super) struct Draft {
    pub(super) form: Form,
    pub(super) span: Range<usize>,
    pub(super) text: String,
    /// Tokens of `text`.
    pub(super) tokens: usize,
}

/// A form to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The chunk, extended by or limited to these bytes.
    Chunk(Range<usize>),
    /// The most useful lines of the chunk or next to it; all lines of a short chunk.
    Excerpt,
    /// The definition, with bodies folded until it fits.
    Skeleton(u32),
    /// The header of the definition.
    Signature(u32),
}

/// A candidate and the inputs of its drafts.
pub(super) struct DraftInput<'a, 'r> {
    pub(super) candidate: &'a Candidate,
    pub(super) open: &'a OpenFile,
    /// The part of the chunk that is not shown yet.
    pub(super) unseen: Range<usize>,
    /// The range around it that is not shown yet.
    pub(super) free: Range<usize>,
    pub(super) reader: &'a RefCell<LineReader<'r>>,
    pub(super) here: &'a Surroundings<'a>,
    pub(super) budget: &'a Budget,
    /// Token limit.
    pub(super) most: usize,
    pub(super) count: Count<'a>,
}

impl DraftInput<'_, '_> {
    /// The forms to try, in order of preference: the best lines, then the interface of a definition found by name.
    /// Other orders (short definitions whole, long ones folded) showed less of what is needed at every budget:
    /// `benchmarks/results/cursor.md`.
    fn attempts(&self) -> Vec<Attempt> {
        let named = self.candidate.definitions.first().copied();
        let folded = named.map(|idx| [Attempt::Skeleton(idx), Attempt::Signature(idx)]);
        std::iter::once(Attempt::Excerpt).chain(folded.into_iter().flatten()).collect()
    }

    /// Returns the first form that fits; otherwise the tokens of the shortest form, if any.
    pub(super) fn fitting(&self) -> Result<Draft, Option<usize>> {
        let mut shortest: Option<usize> = None;
        for draft in self.attempts().iter().filter_map(|it| self.draft(it)) {
            if draft.tokens <= self.most {
                return Ok(draft);
            }
            shortest = Some(shortest.map_or(draft.tokens, |it| it.min(draft.tokens)));
        }
        Err(shortest)
    }

    /// Makes the text of a form; `None` if it does not apply or is clearly too long.
    pub(super) fn draft(&self, attempt: &Attempt) -> Option<Draft> {
        let file = FileLines::new(self.open);
        let draft = match attempt {
            Attempt::Chunk(with) => self.chunk(&file, with),
            Attempt::Excerpt => self.excerpt(&file),
            Attempt::Skeleton(idx) => self.skeleton(&file, *idx),
            Attempt::Signature(idx) => self.signature(&file, *idx),
        };
        draft.filter(|it| !it.text.trim().is_empty())
    }

    fn definition_of(&self, idx: u32) -> Option<&Definition> {
        self.open.record.symbols.definitions.get(idx as usize)
    }

    /// Tokens seldom have this many bytes, so longer texts need not be counted.
    fn is_far_too_long(&self, text: &str) -> bool {
        text.len() > self.most * BYTES_A_TOKEN
    }

    fn passage<'f>(&self, file: &'f FileLines<'f>) -> Passage<'f> {
        let lines = (&file.lines(&self.unseen), &file.lines(&self.free));
        let reader = &mut self.reader.borrow_mut();
        let passage = Passage::new(file, lines, reader, self.here, self.budget);
        let changed = self.candidate.reasons.iter().find_map(|it| match it {
            Reason::Changed { first_line, last_line, .. } => Some((*first_line, *last_line)),
            _ => None,
        });
        match changed {
            Some((first, last)) => passage.favouring(&(first as usize - 1..last as usize)),
            None => passage,
        }
    }

    /// The unseen part of the chunk under the headers of its enclosing definitions.
    fn chunk(&self, file: &FileLines<'_>, with: &Range<usize>) -> Option<Draft> {
        if self.is_far_too_long(self.open.text[self.unseen.clone()].trim()) {
            return None;
        }
        let own = file.whole(&file.lines(&self.unseen), &file.lines(&self.free));
        let with = file.lines(with);
        Some(self.part(file, Form::Chunk, own.start.min(with.start)..own.end.max(with.end)))
    }

    /// As many lines as fit together with their headers, by lowering a limit in bytes.
    fn excerpt(&self, file: &FileLines<'_>) -> Option<Draft> {
        let passage = self.passage(file);
        let mut bytes = self.most * BYTES_A_TOKEN;
        for _ in 0..MAX_TRIES {
            let lines = passage.best(self.budget.excerpt, bytes)?;
            let form = if lines == *passage.own() { Form::Chunk } else { Form::Excerpt };
            let draft = self.part(file, form, lines);
            if draft.tokens <= self.most {
                return Some(draft);
            }
            let fitting = draft.text.len() * self.most / draft.tokens;
            let around = draft.text.len().saturating_sub(draft.span.len());
            bytes = fitting.checked_sub(around)?.min(draft.span.len()) * 24 / 25;
        }
        None
    }

    /// Lines of the file under the headers of their enclosing definitions.
    fn part(&self, file: &FileLines<'_>, form: Form, lines: Range<usize>) -> Draft {
        let text = file.shown(lines.clone());
        self.of(form, file.bytes(&lines), text)
    }

    /// A type with as many headers of its members as fit, from the first.
    fn skeleton(&self, file: &FileLines<'_>, idx: u32) -> Option<Draft> {
        let it = self.definition_of(idx)?;
        if self.open.record.outline.is_empty() {
            return Some(self.folded(idx, it));
        }
        let lines = Head::of(file, it);
        let members = lines.members(file);
        let draft = |kept: usize| {
            let text = file.shown(lines.head(file).chain(members[..kept].concat()));
            self.of(Form::Skeleton, it.span.range(), text)
        };
        let fits = |it: &Draft| it.tokens <= self.most;
        let is_called =
            matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro);
        let (mut low, mut high) = (0, if is_called { 0 } else { members.len() });
        let mut found = None;
        while low < high {
            let kept = usize::midpoint(low, high) + 1;
            let made = draft(kept);
            if fits(&made) {
                (found, low) = (Some(made), kept);
            } else {
                high = kept - 1;
            }
        }
        found
    }

    /// The folded definition, in a file without an outline.
    fn folded(&self, idx: u32, it: &Definition) -> Draft {
        let fits = |text: &str| !self.is_far_too_long(text) && (self.count)(text) <= self.most;
        let folded =
            skeleton::skeleton(&self.open.text, &self.open.record.symbols, Some(idx), &fits);
        self.of(Form::Skeleton, it.span.range(), format!("{}\n", folded.text.trim_end()))
    }

    fn signature(&self, file: &FileLines<'_>, idx: u32) -> Option<Draft> {
        let it = self.definition_of(idx)?;
        let text = match self.open.record.outline.is_empty() {
            true => format!("{}\n", it.signature.of(&self.open.text).trim_end()),
            false => file.shown(Head::of(file, it).head(file)),
        };
        Some(self.of(Form::Signature, it.span.range(), text))
    }

    fn of(&self, form: Form, span: Range<usize>, text: String) -> Draft {
        let tokens = (self.count)(&text);
        Draft { form, span, text, tokens }
    }
}

/// The lines of a definition.
struct Head {
    lines: Range<usize>,
    level: usize,
}

impl Head {
    fn of(file: &FileLines<'_>, it: &Definition) -> Self {
        let named = file.line_of(it.name.start as usize);
        let first = file.outline().statement_start(named);
        let lines = first..file.outline().statement_end(first).min(file.count());
        Self { lines, level: file.outline().level(named) }
    }

    /// Lines of the header of the definition itself.
    fn head(&self, file: &FileLines<'_>) -> impl Iterator<Item = usize> {
        let (outline, level) = (file.outline(), self.level);
        self.lines.clone().filter(move |it| outline.level(*it) == level)
    }

    /// Header lines of each member; comments are not members.
    fn members(&self, file: &FileLines<'_>) -> Vec<Vec<usize>> {
        let outline = file.outline();
        let comments = file
            .language()
            .map_or([None; 2], |it| [it.line_comment(), it.block_comment().map(|it| it.0)]);
        let mut res: Vec<Vec<usize>> = Vec::new();
        let mut in_comment = false;
        for line in self.lines.clone().filter(|it| outline.level(*it) == self.level + 1) {
            let text = file.line(line).trim();
            if outline.begins_statement(line) {
                let is_comment = comments.iter().flatten().any(|it| text.starts_with(it));
                in_comment = is_comment || text.is_empty();
                if !in_comment {
                    res.push(vec![line]);
                }
            } else if let Some(last) = res.last_mut().filter(|_| !in_comment) {
                last.push(line);
            }
        }
        res
    }
}

/// Upper estimate of bytes per token.
const BYTES_A_TOKEN: usize = 12;

/// Attempts to shorten an excerpt.
const MAX_TRIES: usize = 5;
