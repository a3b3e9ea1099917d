//! Selects candidates for the prompt and the form of each.
//!
//! First each candidate, best first, in its preferred form that fits; then, while tokens are left, the best ones are
//! extended to whole chunks.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::budget::{Budget, Count};
use super::draft::{Attempt, Draft, DraftInput, Form};
use super::excerpt::{Words, telling_lines, unseen};
use super::line_reader::LineReader;
use super::lines::{trimmed, with_endings};
use super::open_file::OpenFile;
use super::ranges::{behind_blank_lines, between, lines_at, meet};
use super::ranked_candidate::RankedCandidate;
use super::shown::{Content, ShownText};
use super::surroundings::{Surroundings, line_hash};
use super::window::VisibleText;
use crate::evidence::{DropReason, PerSignal, Reason, Signal, SignalScore};
use crate::fuse::Candidate;
use crate::index::bm25::WeightedQuery;
use crate::index::{ChunkId, FileId, HeadPlace, Snapshot};
use crate::order::Position;
use crate::preset::constants::trim::{
    MISSES_IN_A_ROW, NEARLY_FULL, PIECE_OVERHEAD, SHORTEST_EXCERPT, SMALL_REMAINDER, SMALLEST_PIECE,
};
use crate::sorting::sort_by_key;

/// A piece of the prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Path of the file.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Its form.
    pub form: Form,
    /// The text shown.
    pub text: String,
    /// Tokens of `text` and of the path above it.
    pub tokens: usize,
    /// Score after reranking, reduced if the text around the cursor shows part of the chunk.
    pub score: f32,
    /// Score of each signal.
    pub signals: PerSignal<Option<SignalScore>>,
    /// Why it was found.
    pub reasons: Vec<Reason>,
    /// Position in the prompt.
    pub position: Position,
}

/// A candidate that is not in the prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct DroppedCandidate {
    /// Path of the file.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// The chunk.
    pub chunk: ChunkId,
    /// Score after reranking, reduced if the text around the cursor shows part of the chunk.
    pub score: f32,
    /// Why it was dropped.
    pub why: DropReason,
}

/// Selected pieces and dropped candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// In the order of the prompt.
    pub pieces: Vec<Piece>,
    /// Best first.
    pub dropped: Vec<DroppedCandidate>,
}

/// The token budget of the pieces.
#[derive(Clone, Copy)]
pub struct PieceBudget<'s> {
    /// Shares and limits.
    pub budget: &'s Budget,
    /// Tokens for all pieces.
    pub tokens: usize,
    /// Counts tokens.
    pub count: Count<'s>,
}

/// Selects candidates, sorted best first, until the tokens are used up; `positions` has the position of each.
pub fn select(
    snapshot: &Snapshot,
    visible: &VisibleText<'_>,
    weighed: &WeightedQuery,
    (candidates, positions): (&[RankedCandidate<'_>], &[Position]),
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
    let rest = SMALLEST_PIECE.min(tokens / SMALL_REMAINDER);
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

/// A selected candidate, whose form may still change.
struct SelectedPiece<'a> {
    candidate: &'a Candidate,
    score: f32,
    position: Position,
    draft: Draft,
    /// Tokens including the path.
    tokens: usize,
    /// Tokens of the path.
    header: usize,
    offer: Offer,
}

/// The part of a file that may be shown for a candidate.
struct Offer {
    /// The part of its chunk that is not shown elsewhere.
    unseen: Range<usize>,
    /// Limits of the text that may be added around it.
    bounds: Range<usize>,
}

struct Selector<'a> {
    snapshot: &'a Snapshot,
    /// Files of the candidates so far.
    files: FxHashMap<FileId, Rc<OpenFile>>,
    own: Option<FileId>,
    visible: &'a [Range<usize>],
    here: &'a Surroundings<'a>,
    reader: &'a RefCell<LineReader<'a>>,
    head: Option<HeadPlace>,
    selected: Vec<SelectedPiece<'a>>,
    /// Lines and words of the selected pieces.
    shown: ShownText,
    left: usize,
    /// Candidates since the last piece that did not fit in any form.
    misses: usize,
    /// Token limit of one piece.
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

    fn offer(&mut self, ranked: RankedCandidate<'a>, position: Position) {
        let it = ranked.candidate;
        let file = it.chunk.file;
        let open = self.open(file);
        let Some(chunk) = open.record.chunks.get(it.chunk.idx as usize) else { return };
        let offer = match self.offer_of(it, &open, chunk.span.range()) {
            Ok(offer) => offer,
            Err(why) => return self.drop(ranked, why),
        };
        let header = (self.count)(self.snapshot.path(file)) + PIECE_OVERHEAD;
        let most = self.left.min(self.most).saturating_sub(header);
        let subject = self.subject(it, &open, &offer, most);
        let shortest = match subject.fitting() {
            Ok(draft) => return self.take((ranked, position), draft, header, offer),
            Err(shortest) => shortest.map(|it| it + header),
        };
        let needed = header + (self.count)(first_lines(&open.text[subject.unseen]));
        // Every form was tried, so the shortest does not fit, whatever its first lines need.
        let left = self.left.min(self.most);
        let needed = shortest.map_or(needed, |it| it.min(needed)).max(left + 1);
        self.misses += 1;
        self.drop(ranked, ranked.left_out(DropReason::Budget { needed, left }));
    }

    /// Selects a form that fits, unless a piece shows the same.
    fn take(
        &mut self,
        (ranked, position): (RankedCandidate<'a>, Position),
        draft: Draft,
        header: usize,
        offer: Offer,
    ) {
        let RankedCandidate { candidate, score, .. } = ranked;
        let content = self.shown.read(&draft.text);
        if let Some(same) = self.same_as(candidate.chunk.file, &draft, &content) {
            let why = self.same(same);
            return self.drop(ranked, why);
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

    /// Whether trying further candidates is not worth the time.
    fn is_nearly_full(&self, tokens: usize) -> bool {
        self.misses >= MISSES_IN_A_ROW && (self.left as f32) < tokens as f32 * NEARLY_FULL
    }

    /// Opens a file once.
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
    ) -> DraftInput<'s, 'a> {
        let Self { here, reader, budget, count, .. } = *self;
        let free = self.free_around(candidate.chunk.file, offer);
        let unseen = offer.unseen.clone();
        DraftInput { candidate, open, unseen, free, reader, here, budget, most, count }
    }

    /// Extends a piece to the whole chunk if it fits.
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
        // A line costs at least one token.
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

    /// The part of a chunk that may be shown: neither shown by the window or a piece, nor a licence or imports. If too
    /// little is left, the reason for dropping the candidate.
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
        // Of a near copy, the lines that the window lacks are the most useful.
        let mut lines = with_endings(&text[span.clone()]).filter_map(line_hash).peekable();
        if lines.peek().is_some() && lines.all(|it| self.here.known().contains(&it)) {
            return Err(DropReason::Visible);
        }
        let telling = |it: Range<usize>| telling_lines(&text[it], SHORTEST_EXCERPT);
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
        // A head is shown to its end; other excerpts may be completed from lines around the chunk.
        let of_head = self.head.is_some() && it.signals[Signal::Head].is_some();
        let bounds = match of_head {
            true => span,
            false => behind_blank_lines(text, between(&filler, &unseen, text.len())),
        };
        Ok(Offer { unseen, bounds })
    }

    /// The part of the chunk to consider, and the ranges of its file that are licence or imports. If the cursor is in a
    /// head, nothing is filler, and of other heads only the head is considered.
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

    /// Pieces of a file that show its lines verbatim.
    fn verbatim(&self, file: FileId) -> impl Iterator<Item = &SelectedPiece<'a>> {
        let is_verbatim = move |it: &&SelectedPiece<'a>| {
            it.candidate.chunk.file == file && matches!(it.draft.form, Form::Chunk | Form::Excerpt)
        };
        self.selected.iter().filter(is_verbatim)
    }

    /// The part of a file around an offer that neither the window nor a verbatim piece shows.
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

    /// The piece that shows the same as a draft: the same definition in any form, the text around it, or a copy.
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

    fn drop(&mut self, ranked: RankedCandidate<'_>, why: DropReason) {
        let RankedCandidate { candidate: it, score, .. } = ranked;
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

/// The shortest beginning that is worth a piece.
fn first_lines(text: &str) -> &str {
    let end = memchr::memchr_iter(b'\n', text.as_bytes()).nth(SHORTEST_EXCERPT - 1);
    end.map_or(text, |end| &text[..=end])
}
