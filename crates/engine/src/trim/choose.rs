//! Which candidates go into the prompt, and in which form: the whole chunk, a skeleton, or a signature.

use std::fmt;
use std::ops::Range;

use foreword_chunk::{Kind, skeleton};
use rustc_hash::FxHashSet;
use twox_hash::XxHash3_64;

use super::{Budget, Count, Window};
use crate::fuse::Candidate;
use crate::index::{FileId, FileRecord, Snapshot};
use crate::order::Place;
use crate::retrieve::{Reason, Signal};

/// How a piece is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The chunk as it stands.
    Chunk,
    /// A definition with bodies folded.
    Skeleton,
    /// The line or lines that declare it.
    Signature,
}

impl Form {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Skeleton => "skeleton",
            Self::Signature => "signature",
        }
    }
}

/// A piece of the prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The file.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// How it is shown.
    pub form: Form,
    /// What is shown.
    pub text: String,
    /// Tokens of `text`, and of the path that stands above it.
    pub tokens: usize,
    /// The score after reranking.
    pub score: f32,
    /// Its place on each signal's list.
    pub ranks: Vec<(Signal, u32)>,
    /// Why it is here.
    pub reasons: Vec<Reason>,
    /// Where it stands.
    pub place: Place,
}

/// Why a candidate is not in the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is in the text around the cursor.
    Shown,
    /// A piece that was chosen before shows the same.
    Duplicate {
        /// `path:line` of that piece.
        of: String,
    },
    /// Not even its signature fits.
    Budget {
        /// Tokens of its shortest form.
        needed: usize,
        /// Tokens that were left.
        left: usize,
    },
    /// There are enough pieces.
    Enough,
    /// Its score is far below the best one's.
    Weak,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shown => f.write_str("shown around the cursor"),
            Self::Duplicate { of } => write!(f, "same as {of}"),
            Self::Budget { needed, left } => write!(f, "needs {needed} tokens, {left} left"),
            Self::Enough => f.write_str("enough pieces"),
            Self::Weak => f.write_str("score too far below the best"),
        }
    }
}

/// A candidate that is not in the prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// The file.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// The score after reranking.
    pub score: f32,
    /// Why not.
    pub why: Why,
}

/// What was chosen and what was not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// In the order of the prompt.
    pub pieces: Vec<Piece>,
    /// Best first.
    pub dropped: Vec<Dropped>,
}

/// Tokens that a path above a piece costs beside its own: separators and line ends.
const PIECE_OVERHEAD: usize = 6;

/// A definition found by name is shown whole up to this many tokens; above, its skeleton says enough.
const WHOLE_DEFINITION: usize = 160;

/// What the reader of the prompt sees of the cursor's own file.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'s> {
    /// The cursor's file.
    pub file: Option<FileId>,
    /// The text around the cursor.
    pub window: &'s Window,
}

/// What may be spent on pieces.
#[derive(Clone, Copy)]
pub struct Spend<'s> {
    /// Shares and limits.
    pub budget: &'s Budget,
    /// Tokens for all pieces.
    pub tokens: usize,
    /// How tokens are counted.
    pub count: Count<'s>,
}

/// Takes candidates, best first, while tokens last; each at its place.
pub fn choose(
    snapshot: &Snapshot,
    shown: &Shown<'_>,
    candidates: &[Candidate],
    places: &[Place],
    spend: &Spend<'_>,
) -> Choice {
    let Spend { budget, tokens, count } = *spend;
    let best = candidates.first().map_or(0.0, |it| it.score);
    let around = format!("{}\n{}", shown.window.prefix, shown.window.suffix);
    let mut chooser = Chooser {
        snapshot,
        own: shown.file,
        shown: &shown.window.shown,
        shown_lines: lines_of(&around),
        taken: Vec::new(),
        left: tokens,
        most: (tokens as f32 * budget.piece) as usize,
        count,
        res: Choice::default(),
    };
    for (it, place) in candidates.iter().zip(places) {
        if it.score < best * budget.least_score {
            chooser.drop(it, Why::Weak);
        } else if chooser.res.pieces.len() >= budget.max_pieces {
            chooser.drop(it, Why::Enough);
        } else {
            chooser.offer(it, *place);
        }
    }
    let mut res = chooser.res;
    res.pieces.sort_by_key(|it| it.place);
    res
}

/// Significant lines, by their hashes.
type Lines = FxHashSet<u64>;

/// What a piece that was taken shows, and the name it goes by.
struct Taken {
    file: FileId,
    span: Range<usize>,
    lines: Lines,
    name: String,
}

struct Chooser<'a> {
    snapshot: &'a Snapshot,
    own: Option<FileId>,
    shown: &'a [Range<usize>],
    shown_lines: Lines,
    taken: Vec<Taken>,
    left: usize,
    most: usize,
    count: Count<'a>,
    res: Choice,
}

/// A form in which a candidate could be shown.
struct Draft {
    form: Form,
    span: Range<usize>,
    text: String,
}

/// A form to try.
#[derive(Clone, Copy)]
enum Attempt {
    /// The definition with this number, whole, if it is short.
    Definition(u32),
    /// The definition with its bodies folded until it fits.
    Skeleton(u32),
    Chunk,
    Signature(u32),
}

/// A candidate with what is drafted from.
struct Subject<'a> {
    candidate: &'a Candidate,
    text: &'a str,
    record: &'a FileRecord,
    /// Tokens that its text may take.
    most: usize,
    count: Count<'a>,
}

impl Chooser<'_> {
    fn offer(&mut self, it: &Candidate, place: Place) {
        let file = it.chunk.file;
        let (text, record) = (self.snapshot.text(file), self.snapshot.record(file));
        let Some(chunk) = record.chunks.get(it.chunk.idx as usize) else { return };
        let (span, lines) = (chunk.span.range(), lines_of(chunk.span.of(&text)));
        if self.is_shown(file, &span, &lines) {
            return self.drop(it, Why::Shown);
        }
        if let Some(of) = self.duplicate_of(file, &span, &lines) {
            return self.drop(it, Why::Duplicate { of });
        }
        let path = self.snapshot.path(file).to_owned();
        let header = (self.count)(&path) + PIECE_OVERHEAD;
        let most = self.left.min(self.most).saturating_sub(header);
        let (record, count) = (&*record, self.count);
        let subject = Subject { candidate: it, text: &text, record, most, count };
        let mut needed = usize::MAX;
        for attempt in subject.attempts() {
            let Some(draft) = subject.draft(attempt) else { continue };
            let tokens = (self.count)(&draft.text);
            needed = needed.min(tokens + header);
            if tokens <= most && !draft.text.trim().is_empty() {
                return self.take(it, place, &path, &text, draft, tokens + header);
            }
        }
        self.drop(it, Why::Budget { needed, left: self.left });
    }

    fn take(
        &mut self,
        it: &Candidate,
        place: Place,
        path: &str,
        text: &str,
        draft: Draft,
        tokens: usize,
    ) {
        let (start_line, end_line) = lines_at(text.as_bytes(), &draft.span);
        self.left -= tokens;
        self.taken.push(Taken {
            file: it.chunk.file,
            span: draft.span,
            lines: lines_of(&draft.text),
            name: format!("{path}:{start_line}"),
        });
        self.res.pieces.push(Piece {
            path: path.to_owned(),
            start_line,
            end_line,
            form: draft.form,
            text: draft.text,
            tokens,
            score: it.score,
            ranks: it.ranks.clone(),
            reasons: it.reasons.clone(),
            place,
        });
    }

    fn drop(&mut self, it: &Candidate, why: Why) {
        let info = self.snapshot.chunk(it.chunk);
        self.res.dropped.push(Dropped {
            path: self.snapshot.path(it.chunk.file).to_owned(),
            start_line: info.start_line,
            end_line: info.end_line,
            score: it.score,
            why,
        });
    }

    /// Whether the text around the cursor shows the chunk already: by its place in the cursor's own file (touching
    /// is enough: what is left of it is next to what is shown), by its lines elsewhere.
    fn is_shown(&self, file: FileId, span: &Range<usize>, lines: &Lines) -> bool {
        if Some(file) == self.own {
            return self.shown.iter().any(|it| it.start < span.end && span.start < it.end);
        }
        mostly_in(lines, &self.shown_lines)
    }

    fn duplicate_of(&self, file: FileId, span: &Range<usize>, lines: &Lines) -> Option<String> {
        let same = |it: &&Taken| {
            let covers = it.file == file && it.span.start <= span.start && span.end <= it.span.end;
            covers || mostly_in(lines, &it.lines)
        };
        self.taken.iter().find(same).map(|it| it.name.clone())
    }
}

impl Subject<'_> {
    /// The forms to try, the most wanted first. What was found by name is wanted for its interface; what was found by
    /// its words, for its text.
    fn attempts(&self) -> Vec<Attempt> {
        let it = self.candidate;
        let found_by_words =
            it.ranks.iter().any(|(signal, rank)| *signal != Signal::Symbol && *rank <= 3);
        let named = it.definitions.first().copied();
        let mut res = Vec::new();
        if let (Some(idx), false) = (named, found_by_words) {
            res.extend([Attempt::Definition(idx), Attempt::Skeleton(idx)]);
        }
        res.push(Attempt::Chunk);
        if let Some(idx) = named.or_else(|| self.record.title_of(it.chunk.idx)) {
            res.extend([Attempt::Skeleton(idx), Attempt::Signature(idx)]);
        }
        res
    }

    /// The text of a form; `None` where it is known to be too long.
    fn draft(&self, attempt: Attempt) -> Option<Draft> {
        match attempt {
            Attempt::Definition(idx) => self.definition(idx),
            Attempt::Skeleton(idx) => self.skeleton(idx),
            Attempt::Chunk => self.chunk(),
            Attempt::Signature(idx) => self.signature(idx),
        }
    }

    /// A token seldom has as many bytes, so what is longer need not be counted.
    fn is_far_too_long(&self, text: &str) -> bool {
        text.len() > self.most * 12
    }

    /// The chunk, under the headers of the definitions that it is inside of.
    fn chunk(&self) -> Option<Draft> {
        let (text, symbols) = (self.text, &self.record.symbols);
        let chunk = self.record.chunks.get(self.candidate.chunk.idx as usize)?;
        if self.is_far_too_long(chunk.span.of(text).trim()) {
            return None;
        }
        let mut shown = String::new();
        let around: Vec<_> = symbols.ancestors(chunk.scope).collect();
        for definition in around.iter().rev().filter(|it| it.span.start < chunk.span.start) {
            let line_start =
                text[..definition.name.start as usize].rfind('\n').map_or(0, |at| at + 1);
            let line = text[line_start..].lines().next().unwrap_or_default();
            if !matches!(definition.kind, Kind::Section) {
                shown.push_str(line);
                shown.push('\n');
            }
        }
        shown.push_str(chunk.span.of(text).trim_start_matches(['\n', '\r']).trim_end());
        shown.push('\n');
        Some(Draft { form: Form::Chunk, span: chunk.span.range(), text: shown })
    }

    /// The definition with its doc comment, whole, if it is short.
    fn definition(&self, idx: u32) -> Option<Draft> {
        let (text, most) = (self.text, WHOLE_DEFINITION.min(self.most));
        let it = self.record.symbols.definitions.get(idx as usize)?;
        let start = it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start)) as usize;
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let start = if text[line_start..start].trim().is_empty() { line_start } else { start };
        let span = start..it.span.end as usize;
        let whole = text.get(span.clone())?;
        if whole.len() > most * 12 || (self.count)(whole) > most {
            return None;
        }
        Some(Draft { form: Form::Chunk, span, text: format!("{}\n", whole.trim_end()) })
    }

    fn skeleton(&self, idx: u32) -> Option<Draft> {
        let record = self.record;
        let it = record.symbols.definitions.get(idx as usize)?;
        let fits = |text: &str| !self.is_far_too_long(text) && (self.count)(text) <= self.most;
        let folded =
            skeleton::skeleton(self.text, record.language, &record.symbols, Some(idx), &fits);
        let text = format!("{}\n", folded.text.trim_end());
        Some(Draft { form: Form::Skeleton, span: it.span.range(), text })
    }

    fn signature(&self, idx: u32) -> Option<Draft> {
        let it = self.record.symbols.definitions.get(idx as usize)?;
        let text = format!("{}\n", it.signature.of(self.text).trim_end());
        Some(Draft { form: Form::Signature, span: it.span.range(), text })
    }
}

/// The first and the last line, 1-based, of a range that is not empty.
fn lines_at(text: &[u8], range: &Range<usize>) -> (u32, u32) {
    let newlines = |range: Range<usize>| memchr::memchr_iter(b'\n', &text[range]).count() as u32;
    let first = 1 + newlines(0..range.start);
    (first, first + newlines(range.start..range.end.saturating_sub(1).max(range.start)))
}

/// The lines that say something: trimmed, longer than a bracket.
fn lines_of(text: &str) -> Lines {
    let lines = text.lines().map(str::trim).filter(|it| it.len() > 3);
    lines.map(|it| XxHash3_64::oneshot(it.as_bytes())).collect()
}

/// Whether at least four of five lines are in `known`.
fn mostly_in(lines: &Lines, known: &Lines) -> bool {
    let n = lines.len();
    n > 0 && lines.intersection(known).count() * 5 >= n * 4
}
