//! Which candidates go into the prompt, and in which form.
//!
//! First each, best first, in the form that is most wanted of those that fit; then, while tokens are left, the best with
//! their whole chunks.

use std::fmt;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use twox_hash::XxHash3_64;

use super::draft::{Attempt, Draft, Form, Subject};
use super::excerpt::{LEAST_LINES, Words, telling_lines, unseen};
use super::{Budget, Count, Window};
use crate::fuse::Candidate;
use crate::index::bm25::Weighed;
use crate::index::{ChunkId, FileId, FileRecord, Snapshot};
use crate::order::Place;
use crate::retrieve::{Reason, Signal};

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

impl Why {
    /// The kind of it, in one word.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Duplicate { .. } => "duplicate",
            Self::Budget { .. } => "budget",
            Self::Enough => "enough",
            Self::Weak => "weak",
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
    /// The chunk that it is of.
    pub chunk: ChunkId,
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

/// About what three lines under a path cost. When less is left, and that is little of all, no more files are unpacked
/// for it.
const LEAST_TOKENS: usize = 40;

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
    weighed: &Weighed,
    candidates: &[Candidate],
    places: &[Place],
    spend: &Spend<'_>,
) -> Choice {
    let Spend { budget, tokens, count } = *spend;
    let best = candidates.first().map_or(0.0, |it| it.score);
    let around = format!("{}\n{}", shown.window.prefix, shown.window.suffix);
    let words = Words::new(weighed);
    let mut chooser = Chooser {
        snapshot,
        own: shown.file,
        shown: &shown.window.shown,
        shown_lines: lines_of(&around),
        words: &words,
        taken: Vec::new(),
        line_index: FxHashMap::default(),
        left: tokens,
        most: (tokens as f32 * budget.piece) as usize,
        lines: budget.excerpt,
        count,
        dropped: Vec::new(),
    };
    let rest = LEAST_TOKENS.min(tokens / 50);
    for (it, place) in candidates.iter().zip(places) {
        if it.score < best * budget.least_score {
            chooser.drop(it, Why::Weak);
        } else if chooser.taken.len() >= budget.max_pieces {
            chooser.drop(it, Why::Enough);
        } else if chooser.left < rest {
            chooser.drop(it, Why::Budget { needed: rest, left: chooser.left });
        } else {
            chooser.offer(it, *place);
        }
    }
    for at in 0..chooser.taken.len() {
        chooser.upgrade(at);
    }
    chooser.finish()
}

/// Significant lines, by their hashes.
type Lines = FxHashSet<u64>;

/// A piece that was taken.
struct Taken<'a> {
    candidate: &'a Candidate,
    place: Place,
    draft: Draft,
    lines: Lines,
    /// With those of its path.
    tokens: usize,
    /// Those of its path.
    header: usize,
    /// What of its chunk was not shown by others.
    unseen: Range<usize>,
}

struct Chooser<'a> {
    snapshot: &'a Snapshot,
    own: Option<FileId>,
    shown: &'a [Range<usize>],
    shown_lines: Lines,
    words: &'a Words<'a>,
    taken: Vec<Taken<'a>>,
    /// Which of those taken have a line.
    line_index: FxHashMap<u64, Vec<u32>>,
    left: usize,
    /// Tokens that one piece may take.
    most: usize,
    /// Lines that an excerpt may have.
    lines: usize,
    count: Count<'a>,
    dropped: Vec<Dropped>,
}

impl<'a> Chooser<'a> {
    fn offer(&mut self, it: &'a Candidate, place: Place) {
        let file = it.chunk.file;
        let (text, record) = (self.snapshot.text(file), self.snapshot.record(file));
        let Some(chunk) = record.chunks.get(it.chunk.idx as usize) else { return };
        let unseen = match self.unseen_of(it, &text, chunk.span.range()) {
            Ok(unseen) => unseen,
            Err(why) => return self.drop(it, why),
        };
        let header = (self.count)(self.snapshot.path(file)) + PIECE_OVERHEAD;
        let most = self.left.min(self.most).saturating_sub(header);
        let subject = self.subject(it, &text, &record, unseen.clone(), most);
        let mut shortest = usize::MAX;
        for draft in subject.attempts().into_iter().filter_map(|it| subject.draft(it)) {
            let tokens = draft.tokens + header;
            shortest = shortest.min(tokens);
            if tokens <= most + header {
                if let Some(of) = self.same_as(file, &draft) {
                    return self.drop(it, Why::Duplicate { of });
                }
                self.left -= tokens;
                let lines = lines_of(&draft.text);
                self.take(Taken { candidate: it, place, draft, lines, tokens, header, unseen });
                return;
            }
        }
        let needed = header + (self.count)(first_lines(&text[subject.unseen]));
        self.drop(it, Why::Budget { needed: needed.min(shortest), left: self.left });
    }

    fn subject<'s>(
        &'s self,
        candidate: &'s Candidate,
        text: &'s str,
        record: &'s FileRecord,
        unseen: Range<usize>,
        most: usize,
    ) -> Subject<'s> {
        let Self { words, lines, count, .. } = *self;
        Subject { candidate, text, record, unseen, words, most, lines, count }
    }

    /// Shows the whole chunk of a piece, if there are tokens left for it.
    fn upgrade(&mut self, at: usize) {
        let it = &self.taken[at];
        if it.draft.form == Form::Chunk {
            return;
        }
        let file = it.candidate.chunk.file;
        let (text, record) = (self.snapshot.text(file), self.snapshot.record(file));
        let most = self.most.min(self.left + it.tokens).saturating_sub(it.header);
        let subject = self.subject(it.candidate, &text, &record, it.unseen.clone(), most);
        // A line costs a token at least.
        if lines_of(&text[it.unseen.clone()]).len() > it.lines.len() + self.left {
            return;
        }
        let Some(draft) = subject.draft(Attempt::Chunk) else { return };
        let tokens = draft.tokens + it.header;
        let mut others = self.taken.iter().enumerate().filter(|other| other.0 != at);
        let overlaps = others.any(|(_, other)| {
            other.candidate.chunk.file == file && meet(&other.draft.span, &draft.span)
        });
        if tokens <= most + it.header && !overlaps {
            self.left = self.left + it.tokens - tokens;
            let lines = lines_of(&draft.text);
            let it = &mut self.taken[at];
            (it.draft, it.lines, it.tokens) = (draft, lines, tokens);
        }
    }

    /// What of a candidate's chunk neither the text around the cursor nor a piece shows; why it is dropped when that is
    /// too little.
    fn unseen_of(
        &self,
        it: &Candidate,
        text: &str,
        span: Range<usize>,
    ) -> Result<Range<usize>, Why> {
        let file = it.chunk.file;
        // Touching is enough in the cursor's own file: what is left of the chunk is next to what is shown.
        if Some(file) == self.own && self.shown.iter().any(|it| meet(it, &span)) {
            return Err(Why::Shown);
        }
        let lines = lines_of(&text[span.clone()]);
        if Some(file) != self.own && mostly_in(&lines, &self.shown_lines) {
            return Err(Why::Shown);
        }
        let of_file = || self.taken.iter().filter(|it| it.candidate.chunk.file == file);
        let verbatim = of_file().filter(|it| matches!(it.draft.form, Form::Chunk | Form::Excerpt));
        let hidden: Vec<Range<usize>> = verbatim.map(|it| it.draft.span.clone()).collect();
        let rest = unseen(text, &span, &hidden);
        let same = self.same_lines(&lines);
        let covering = of_file().find(|it| meet(&it.draft.span, &span));
        let telling = |it: Range<usize>| telling_lines(&text[it], LEAST_LINES);
        let too_little = telling(rest.clone()) < telling(span);
        match (same, covering) {
            (Some(same), _) => Err(Why::Duplicate { of: self.name_of(same) }),
            (None, Some(covering)) if too_little => {
                Err(Why::Duplicate { of: self.name_of(covering) })
            }
            _ => Ok(rest),
        }
    }

    /// The first piece that has at least four of five of these lines.
    fn same_lines(&self, lines: &Lines) -> Option<&Taken<'a>> {
        let mut shared = vec![0; self.taken.len()];
        for at in lines.iter().filter_map(|it| self.line_index.get(it)).flatten() {
            shared[*at as usize] += 1;
        }
        let at = shared.iter().position(|it| is_most(*it, lines.len()))?;
        self.taken.get(at)
    }

    fn take(&mut self, it: Taken<'a>) {
        let at = self.taken.len() as u32;
        it.lines.iter().for_each(|line| self.line_index.entry(*line).or_default().push(at));
        self.taken.push(it);
    }

    /// The piece that shows what a draft shows: the same definition in whatever form, or text around it.
    fn same_as(&self, file: FileId, draft: &Draft) -> Option<String> {
        let shows = |it: &&Taken<'_>| {
            let span = &it.draft.span;
            let holds = span.start <= draft.span.start && draft.span.end <= span.end;
            let verbatim = it.draft.form == Form::Chunk;
            it.candidate.chunk.file == file && holds && (verbatim || *span == draft.span)
        };
        self.taken.iter().find(shows).map(|it| self.name_of(it))
    }

    /// `path:line` of a piece.
    fn name_of(&self, it: &Taken<'_>) -> String {
        let file = it.candidate.chunk.file;
        let (first, _) = lines_at(self.snapshot.text(file).as_bytes(), &it.draft.span);
        format!("{}:{first}", self.snapshot.path(file))
    }

    fn drop(&mut self, it: &Candidate, why: Why) {
        let info = self.snapshot.chunk(it.chunk);
        self.dropped.push(Dropped {
            path: self.snapshot.path(it.chunk.file).to_owned(),
            start_line: info.start_line,
            end_line: info.end_line,
            chunk: it.chunk,
            score: it.score,
            why,
        });
    }

    fn finish(self) -> Choice {
        let Self { snapshot, taken, dropped, .. } = self;
        let mut pieces: Vec<Piece> = taken.into_iter().map(|it| piece(snapshot, it)).collect();
        pieces.sort_by_key(|it| it.place);
        Choice { pieces, dropped }
    }
}

fn piece(snapshot: &Snapshot, it: Taken<'_>) -> Piece {
    let Taken { candidate, place, draft, tokens, .. } = it;
    let text = snapshot.text(candidate.chunk.file);
    let (start_line, end_line) = lines_at(text.as_bytes(), &draft.span);
    Piece {
        path: snapshot.path(candidate.chunk.file).to_owned(),
        start_line,
        end_line,
        form: draft.form,
        text: draft.text,
        tokens,
        score: candidate.score,
        ranks: candidate.ranks.clone(),
        reasons: candidate.reasons.clone(),
        place,
    }
}

/// The fewest lines that are worth a piece.
fn first_lines(text: &str) -> &str {
    let end = memchr::memchr_iter(b'\n', text.as_bytes()).nth(LEAST_LINES - 1);
    end.map_or(text, |end| &text[..=end])
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
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
    is_most(lines.intersection(known).count(), lines.len())
}

/// Whether `n` of `all` are at least four of five.
fn is_most(n: usize, all: usize) -> bool {
    all > 0 && n * 5 >= all * 4
}
