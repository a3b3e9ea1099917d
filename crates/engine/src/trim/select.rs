//! Which candidates go into the prompt, and in which form.
//!
//! First each candidate, best first, in the preferred form of those that fit; then, while tokens are left, the best ones
//! with their whole chunks.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::budget::{Budget, Count};
use super::draft::{Attempt, Draft, Form, Subject};
use super::excerpt::{LEAST_LINES, Words, telling_lines, unseen};
use super::line_reader::LineReader;
use super::lines::{trimmed, with_endings};
use super::open_file::OpenFile;
use super::ranges::{behind_blank_lines, between, lines_at, meet};
use super::shown::{Content, ShownText};
use super::standing::Standing;
use super::surroundings::{Surroundings, line_hash};
use super::window::Window;
use crate::evidence::{DropReason, PerSignal, Reason, Signal, SignalScore};
use crate::fuse::Candidate;
use crate::index::bm25::WeightedQuery;
use crate::index::{ChunkId, FileId, HeadPlace, Snapshot};
use crate::order::Position;
use crate::sorting::sort_by_key;

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
    /// The score after reranking; less where the text around the cursor shows a part of its chunk.
    pub score: f32,
    /// What each signal says of its chunk.
    pub signals: PerSignal<Option<SignalScore>>,
    /// Why it is here.
    pub reasons: Vec<Reason>,
    /// Where it stands in the prompt.
    pub position: Position,
}

/// A candidate that is not in the prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct DroppedCandidate {
    /// The file.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// The chunk.
    pub chunk: ChunkId,
    /// The score after reranking; less where the text around the cursor shows a part of its chunk.
    pub score: f32,
    /// Why not.
    pub why: DropReason,
}

/// What goes into the prompt and what does not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// In the order of the prompt.
    pub pieces: Vec<Piece>,
    /// Best first.
    pub dropped: Vec<DroppedCandidate>,
}

/// Tokens that a path above a piece costs beside its own: separators and line ends.
const PIECE_OVERHEAD: usize = 6;

/// About the cost of a few lines under a path. When less is left, and that is a small part of all tokens, no more files
/// are unpacked: with 40 to 60 left, 34 of 540 candidates found a form that fitted, for a quarter of a context's time
/// (`benchmarks/results/speed.md`).
const LEAST_TOKENS: usize = 60;

/// Where less than this share of the tokens is left, and no form of [`MISSES`] candidates in a row fitted, no more are tried.
/// On the development tasks 1,618 of 17,534 candidates were tried after that, and 90 of them found a form; they made the
/// slowest answers (`benchmarks/results/speed.md`).
const LITTLE: f32 = 0.1;

/// See [`LITTLE`].
const MISSES: usize = 6;

/// What the prompt shows of the cursor's own file.
#[derive(Clone, Copy, Debug)]
pub struct VisibleText<'s> {
    /// The cursor's file.
    pub file: Option<FileId>,
    /// The text around the cursor.
    pub window: &'s Window,
    /// Where the cursor is in the head of its file; `None` below that.
    pub head: Option<HeadPlace>,
}

/// What may be spent on pieces.
#[derive(Clone, Copy)]
pub struct PieceBudget<'s> {
    /// Shares and limits.
    pub budget: &'s Budget,
    /// Tokens for all pieces.
    pub tokens: usize,
    /// How tokens are counted.
    pub count: Count<'s>,
}

/// Selects candidates, which come best first, while tokens last; `positions` has the position of each.
pub fn select(
    snapshot: &Snapshot,
    visible: &VisibleText<'_>,
    weighed: &WeightedQuery,
    (candidates, positions): (&[Standing<'_>], &[Position]),
    allowance: &PieceBudget<'_>,
) -> Selection {
    let PieceBudget { budget, tokens, .. } = *allowance;
    let best = candidates.first().map_or(0.0, |it| it.score);
    let words = Words::new(weighed);
    let here = match budget.likeness > 0.0 {
        true => Surroundings::new(visible.window),
        false => Surroundings::without_names(visible.window),
    };
    let reader = RefCell::new(LineReader::new(&words, &here));
    let mut selector = Selector::new(snapshot, visible, (&here, &reader), allowance);
    let rest = LEAST_TOKENS.min(tokens / 33);
    for (it, position) in candidates.iter().copied().zip(positions) {
        if it.score < best * budget.least_score {
            selector.drop(it, it.left_out(DropReason::Weak));
        } else if selector.selected.len() >= budget.max_pieces {
            selector.drop(it, it.left_out(DropReason::Enough));
        } else if selector.left < rest || selector.is_nearly_full(tokens) {
            let needed = rest.max(selector.left + 1);
            let why = DropReason::Budget { needed, left: selector.left };
            selector.drop(it, it.left_out(why));
        } else {
            selector.offer(it, *position);
        }
    }
    for at in 0..selector.selected.len() {
        selector.upgrade(at);
    }
    selector.finish()
}

/// A candidate that was selected, in a form that can still change.
struct SelectedPiece<'a> {
    candidate: &'a Candidate,
    score: f32,
    position: Position,
    draft: Draft,
    /// With those of its path.
    tokens: usize,
    /// Those of its path.
    header: usize,
    offer: Offer,
}

/// What of a file may be shown for a candidate.
struct Offer {
    /// The part of its chunk that nothing else shows.
    unseen: Range<usize>,
    /// How far what is shown may go beyond that.
    bounds: Range<usize>,
}

struct Selector<'a> {
    snapshot: &'a Snapshot,
    /// Those of the candidates so far.
    files: FxHashMap<FileId, Rc<OpenFile>>,
    own: Option<FileId>,
    visible: &'a [Range<usize>],
    here: &'a Surroundings<'a>,
    reader: &'a RefCell<LineReader<'a>>,
    head: Option<HeadPlace>,
    selected: Vec<SelectedPiece<'a>>,
    /// What these show.
    shown: ShownText,
    left: usize,
    /// How many candidates since the last piece found no form for what is left.
    misses: usize,
    /// Tokens that one piece may take.
    most: usize,
    budget: &'a Budget,
    count: Count<'a>,
    dropped: Vec<DroppedCandidate>,
}

impl<'a> Selector<'a> {
    fn new(
        snapshot: &'a Snapshot,
        visible: &VisibleText<'a>,
        (here, reader): (&'a Surroundings<'a>, &'a RefCell<LineReader<'a>>),
        allowance: &PieceBudget<'a>,
    ) -> Self {
        let PieceBudget { budget, tokens, count } = *allowance;
        let window = visible.window;
        Self {
            snapshot,
            files: FxHashMap::default(),
            own: visible.file,
            visible: &window.visible,
            here,
            reader,
            head: visible.head,
            selected: Vec::new(),
            shown: ShownText::default(),
            left: tokens,
            misses: 0,
            most: (tokens as f32 * budget.piece) as usize,
            budget,
            count,
            dropped: Vec::new(),
        }
    }

    fn offer(&mut self, standing: Standing<'a>, position: Position) {
        let it = standing.candidate;
        let file = it.chunk.file;
        let open = self.open(file);
        let Some(chunk) = open.record.chunks.get(it.chunk.idx as usize) else { return };
        let offer = match self.offer_of(it, &open, chunk.span.range()) {
            Ok(offer) => offer,
            Err(why) => return self.drop(standing, why),
        };
        let header = (self.count)(self.snapshot.path(file)) + PIECE_OVERHEAD;
        let most = self.left.min(self.most).saturating_sub(header);
        let subject = self.subject(it, &open, &offer, most);
        let shortest = match subject.fitting() {
            Ok(draft) => return self.take((standing, position), draft, header, offer),
            Err(shortest) => shortest.map(|it| it + header),
        };
        let needed = header + (self.count)(first_lines(&open.text[subject.unseen]));
        // Every form was tried, so the shortest needs more than there is, whatever its first lines alone would need.
        let left = self.left.min(self.most);
        let needed = shortest.map_or(needed, |it| it.min(needed)).max(left + 1);
        self.misses += 1;
        self.drop(standing, standing.left_out(DropReason::Budget { needed, left }));
    }

    /// Selects a form that fits, unless a piece shows the same.
    fn take(
        &mut self,
        (standing, position): (Standing<'a>, Position),
        draft: Draft,
        header: usize,
        offer: Offer,
    ) {
        let Standing { candidate, score, .. } = standing;
        let content = self.shown.read(&draft.text);
        if let Some(same) = self.same_as(candidate.chunk.file, &draft, &content) {
            let why = self.same(same);
            return self.drop(standing, why);
        }
        let tokens = draft.tokens + header;
        self.left -= tokens;
        self.misses = 0;
        self.shown.add(content);
        self.selected.push(SelectedPiece {
            candidate,
            score,
            position,
            draft,
            tokens,
            header,
            offer,
        });
    }

    /// Whether it is not worth while to try more candidates.
    fn is_nearly_full(&self, tokens: usize) -> bool {
        self.misses >= MISSES && (self.left as f32) < tokens as f32 * LITTLE
    }

    /// A file, opened once.
    fn open(&mut self, file: FileId) -> Rc<OpenFile> {
        let open = || Rc::new(OpenFile::new(self.snapshot, file));
        Rc::clone(self.files.entry(file).or_insert_with(open))
    }

    fn subject<'s>(
        &'s self,
        candidate: &'s Candidate,
        open: &'s OpenFile,
        offer: &Offer,
        most: usize,
    ) -> Subject<'s, 'a> {
        let Self { here, reader, budget, count, .. } = *self;
        let free = self.free_around(candidate.chunk.file, offer);
        let unseen = offer.unseen.clone();
        Subject { candidate, open, unseen, free, reader, here, budget, most, count }
    }

    /// Shows the whole chunk of a piece, if there are tokens left for it.
    fn upgrade(&mut self, at: usize) {
        let it = &self.selected[at];
        if it.draft.form == Form::Chunk {
            return;
        }
        let file = it.candidate.chunk.file;
        let open = self.open(file);
        let it = &self.selected[at];
        let most = self.most.min(self.left + it.tokens).saturating_sub(it.header);
        let subject = self.subject(it.candidate, &open, &it.offer, most);
        // A line costs a token at least.
        let lines = |text: &str| with_endings(text).filter(|it| trimmed(it).len() > 3).count();
        let unseen = &it.offer.unseen;
        if lines(&open.text[unseen.clone()]) > lines(&it.draft.text) + self.left {
            return;
        }
        let with = match it.draft.form {
            Form::Excerpt => it.draft.span.clone(),
            _ => unseen.clone(),
        };
        let Some(draft) = subject.draft(&Attempt::Chunk(with)) else { return };
        let tokens = draft.tokens + it.header;
        let mut others = self.selected.iter().enumerate().filter(|other| other.0 != at);
        let overlaps = others.any(|(_, other)| {
            other.candidate.chunk.file == file && meet(&other.draft.span, &draft.span)
        });
        if tokens <= most + it.header && !overlaps {
            self.left = self.left + it.tokens - tokens;
            let it = &mut self.selected[at];
            (it.draft, it.tokens) = (draft, tokens);
        }
    }

    /// What may be shown for a candidate: the part of its chunk that neither the text around the cursor nor a piece shows,
    /// and that is neither a licence nor imports; if that is too little, why the candidate is dropped.
    fn offer_of(
        &self,
        it: &Candidate,
        open: &OpenFile,
        span: Range<usize>,
    ) -> Result<Offer, DropReason> {
        let text = &*open.text;
        let file = it.chunk.file;
        let around = self.visible.iter().filter(|it| Some(file) == self.own && meet(it, &span));
        let around: Vec<Range<usize>> = around.cloned().collect();
        let is_beside = !around.is_empty();
        let (span, filler) = self.without_filler(it, open, span);
        // Of a near copy the lines that the text around the cursor lacks are the best there are.
        let mut lines = with_endings(&text[span.clone()]).filter_map(line_hash).peekable();
        if lines.peek().is_some() && lines.all(|it| self.here.known().contains(&it)) {
            return Err(DropReason::Visible);
        }
        let telling = |it: Range<usize>| telling_lines(&text[it], LEAST_LINES);
        let enough = telling(unseen(text, &span, &filler));
        let is_enough = |it: &Range<usize>| telling(it.clone()) >= enough;
        if enough == 0 {
            return Err(DropReason::Filler);
        }
        let mut hidden = [filler.as_slice(), &around].concat();
        hidden.extend(self.verbatim(file).map(|it| it.draft.span.clone()));
        let new = unseen(text, &span, &hidden);
        if !is_enough(&new) {
            let mut of_file = self.selected.iter().filter(|it| it.candidate.chunk.file == file);
            let covering = of_file.find(|it| meet(&it.draft.span, &span));
            return Err(match covering {
                Some(it) => self.same(it),
                None if is_beside => DropReason::Beside,
                None => DropReason::Filler,
            });
        }
        hidden.extend(self.shown.runs(text, &span));
        let newest = unseen(text, &span, &hidden);
        let unseen = if is_enough(&newest) { newest } else { new };
        // A head is shown to its end; anything else may be completed from the lines around its chunk.
        let of_head = self.head.is_some() && it.signals[Signal::Head].is_some();
        let bounds = match of_head {
            true => span,
            false => behind_blank_lines(text, between(&filler, &unseen, text.len())),
        };
        Ok(Offer { unseen, bounds })
    }

    /// The part of a candidate's chunk that is looked at, and what of its file is a licence or an import. In the head of a
    /// file nothing is filler, and of the heads of other files no more is looked at.
    fn without_filler(
        &self,
        it: &Candidate,
        open: &OpenFile,
        span: Range<usize>,
    ) -> (Range<usize>, Vec<Range<usize>>) {
        let head = &open.layout.head;
        let Some(place) = self.head else { return (span, head.filler().cloned().collect()) };
        if it.signals[Signal::Head].is_none() {
            return (span, Vec::new());
        }
        let shown = head.seen_from(&open.text, place);
        let start = shown.start.clamp(span.start, span.end);
        (start..shown.end.clamp(start, span.end), Vec::new())
    }

    /// The pieces of a file that show its lines as they stand.
    fn verbatim(&self, file: FileId) -> impl Iterator<Item = &SelectedPiece<'a>> {
        let is_verbatim = move |it: &&SelectedPiece<'a>| {
            it.candidate.chunk.file == file && matches!(it.draft.form, Form::Chunk | Form::Excerpt)
        };
        self.selected.iter().filter(is_verbatim)
    }

    /// The part of a file around what is offered that neither the text around the cursor nor a verbatim piece shows.
    fn free_around(&self, file: FileId, offer: &Offer) -> Range<usize> {
        let pieces = self.verbatim(file).map(|it| &it.draft.span);
        let visible = self.visible.iter().filter(|_| Some(file) == self.own);
        let taken: Vec<Range<usize>> = pieces.chain(visible).cloned().collect();
        let free = between(&taken, &offer.unseen, offer.bounds.end);
        free.start.max(offer.bounds.start)..free.end
    }

    fn same(&self, it: &SelectedPiece<'_>) -> DropReason {
        DropReason::Duplicate { of: self.name_of(it) }
    }

    /// The piece that shows what a draft shows: the same definition in any form, or the text around it, or a copy of it.
    fn same_as(
        &self,
        file: FileId,
        draft: &Draft,
        content: &Content,
    ) -> Option<&SelectedPiece<'a>> {
        let shows = |it: &&SelectedPiece<'_>| {
            let span = &it.draft.span;
            let holds = span.start <= draft.span.start && draft.span.end <= span.end;
            let verbatim = it.draft.form == Form::Chunk;
            it.candidate.chunk.file == file && holds && (verbatim || *span == draft.span)
        };
        let copied = || self.shown.copy_of(content, self.budget.news);
        self.selected.iter().find(shows).or_else(|| self.selected.get(copied()?))
    }

    /// `path:line` of a piece.
    fn name_of(&self, it: &SelectedPiece<'_>) -> String {
        let file = it.candidate.chunk.file;
        let (first, _) = lines_at(self.snapshot.text(file).as_bytes(), &it.draft.span);
        format!("{}:{first}", self.snapshot.path(file))
    }

    fn drop(&mut self, standing: Standing<'_>, why: DropReason) {
        let Standing { candidate: it, score, .. } = standing;
        let info = self.snapshot.chunk(it.chunk);
        self.dropped.push(DroppedCandidate {
            path: self.snapshot.path(it.chunk.file).to_owned(),
            start_line: info.start_line,
            end_line: info.end_line,
            chunk: it.chunk,
            score,
            why,
        });
    }

    fn finish(self) -> Selection {
        let Self { snapshot, selected, dropped, .. } = self;
        let mut pieces: Vec<Piece> = selected.into_iter().map(|it| piece(snapshot, it)).collect();
        sort_by_key(&mut pieces, |it| it.position);
        Selection { pieces, dropped }
    }
}

fn piece(snapshot: &Snapshot, it: SelectedPiece<'_>) -> Piece {
    let SelectedPiece { candidate, score, position, draft, tokens, .. } = it;
    let text = snapshot.text(candidate.chunk.file);
    let (start_line, end_line) = lines_at(text.as_bytes(), &draft.span);
    Piece {
        path: snapshot.path(candidate.chunk.file).to_owned(),
        start_line,
        end_line,
        form: draft.form,
        text: draft.text,
        tokens,
        score,
        signals: candidate.signals,
        reasons: candidate.reasons.clone(),
        position,
    }
}

/// The fewest lines that are worth a piece.
fn first_lines(text: &str) -> &str {
    let end = memchr::memchr_iter(b'\n', text.as_bytes()).nth(LEAST_LINES - 1);
    end.map_or(text, |end| &text[..=end])
}
