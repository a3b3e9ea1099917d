//! The prompt of a request: its format and budget, the client's snippets that fit, and its rendering from a hole and the
//! pieces of the repository and of the client, without duplicates.

use foreword_chunk::Language;
use foreword_engine::compose::{self, Format, Hole, Origin, Part, Prompt};
use foreword_engine::evidence::DropReason;
use foreword_engine::preset::{MAX_BUDGET, Preset};
use foreword_engine::prompt::PromptAnswer;
use foreword_engine::trim::{Count, DroppedCandidate, Piece, Selection};
use foreword_model::TokenCounter;
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};
use foreword_session::answer::prompt::{PromptRequest, PromptRun};
use foreword_session::answer::trace::Trace;
use foreword_session::backend::Input;
use rustc_hash::FxHashSet;

use crate::serve::protocols::request::ClientRequest;

/// The settings of a prompt.
#[derive(Clone)]
pub(crate) struct PromptSettings {
    /// The prompt format; if no prompt is rendered, it is used to count the pieces.
    pub(crate) format: &'static Format,
    pub(crate) counter: TokenCounter,
    /// Token budget of the whole prompt.
    pub(crate) budget: usize,
    /// The ranking preset.
    pub(crate) preset: Preset,
    /// The kind of input that the model reads.
    pub(crate) input: Input,
    /// Completions below this confidence are withheld, if the model states one; `None` for the model's default.
    pub(crate) least_confidence: Option<f64>,
}

impl PromptSettings {
    /// The token budget minus the tokens that a tokenizer adds.
    pub(super) fn own_budget(&self) -> usize {
        self.budget.min(MAX_BUDGET).saturating_sub(self.counter.added())
    }

    /// The ranking preset with the budget of this prompt.
    pub(super) fn budgeted_preset(&self) -> Preset {
        let mut preset = self.preset.clone();
        preset.budget.total = self.own_budget();
        preset
    }
}

/// A prompt, and the origin of each part.
pub(super) struct SegmentedPrompt {
    pub(super) prompt: RenderedPrompt,
    pub(super) segments: Prompt,
}

impl SegmentedPrompt {
    pub(super) fn tokens(&self, count: Count<'_>) -> usize {
        count(&self.segments.text)
    }

    /// The prompt up to the end of the last piece, which stays the same while the user types.
    pub(super) fn head(&self) -> &str {
        let is_piece = |it: &&compose::Segment| matches!(it.origin, Origin::Part(_));
        let last = self.segments.segments.iter().rfind(is_piece);
        last.map_or("", |it| &self.segments.text[..it.range.end])
    }
}

/// The hole to render. Its own prompt and pieces are not read.
pub(super) struct HoleInFile<'h> {
    /// The name of the repository, for formats that show it.
    pub(super) repository: &'h str,
    pub(super) path: &'h str,
    pub(super) language: Option<Language>,
    pub(super) fill: &'h Fill,
}

/// Renders a hole with pieces.
pub(super) fn render(
    format: &'static Format,
    it: &HoleInFile<'_>,
    pieces: &[ContextPiece],
) -> SegmentedPrompt {
    let hole = Hole {
        repository: it.repository,
        path: it.path,
        line_comment: it.language.and_then(Language::line_comment),
        language_name: it.language.map(Language::name),
        prefix: &it.fill.prefix,
        suffix: &it.fill.suffix,
    };
    let parts: Vec<Part<'_>> =
        pieces.iter().map(|it| Part { path: &it.path, text: &it.text }).collect();
    let segments = compose::compose(format, &hole, &parts);
    let prompt = RenderedPrompt {
        format: format.name,
        text: segments.text.clone(),
        stop: segments.stop.clone(),
    };
    SegmentedPrompt { prompt, segments }
}

/// Maximum share of the token budget for the client's snippets.
const MAX_SHARE: f32 = 0.25;

/// Maximum bytes per remaining token: a longer text does not fit, and is not counted.
const MAX_TOKEN_BYTES: usize = 64;

/// Minimum share of lines found elsewhere that makes a text a duplicate.
const DUPLICATE_SHARE: f32 = 0.8;

/// The client's snippets that go into the prompt, and the tokens that they take.
pub(super) fn fitting_snippets(
    request: &ClientRequest,
    settings: &PromptSettings,
) -> (Vec<ContextPiece>, usize) {
    let most = (settings.own_budget() as f32 * MAX_SHARE) as usize;
    let around = [request.prefix.as_str(), request.suffix.as_str()];
    newest_within(&request.snippets, around, most, &|text| settings.counter.count(text))
}

/// The newest snippets that fit and are not in the text around the cursor, and the tokens that they take.
fn newest_within(
    snippets: &[ContextPiece],
    around: [&str; 2],
    most: usize,
    count: Count<'_>,
) -> (Vec<ContextPiece>, usize) {
    let mut known = KnownLines::of(around);
    let mut taken = 0;
    let mut res = Vec::new();
    for it in snippets.iter().rev() {
        if it.text.len() > most.saturating_mul(MAX_TOKEN_BYTES) {
            continue;
        }
        let tokens = count(&it.text) + count(&it.path);
        if known.has_most_of(&it.text) || taken + tokens > most {
            continue;
        }
        taken += tokens;
        known.add(&it.text);
        res.push(it.clone());
    }
    res.reverse();
    (res, taken)
}

/// The lines of texts, without surrounding blanks and without lines of less than three letters or digits.
pub(super) struct KnownLines<'t>(FxHashSet<&'t str>);

impl<'t> KnownLines<'t> {
    pub(super) fn of(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self(texts.into_iter().flat_map(significant_lines).collect())
    }

    fn add(&mut self, text: &'t str) {
        self.0.extend(significant_lines(text));
    }

    /// Whether a text is a duplicate of these lines.
    pub(super) fn has_most_of(&self, text: &str) -> bool {
        let (mut all, mut known) = (0, 0);
        for line in significant_lines(text) {
            all += 1;
            known += usize::from(self.0.contains(line));
        }
        all == 0 || known as f32 / all as f32 >= DUPLICATE_SHARE
    }
}

fn significant_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_significant = |it: &&str| it.chars().filter(|c| c.is_alphanumeric()).nth(2).is_some();
    text.lines().map(str::trim).filter(is_significant)
}

/// A prompt and its parts.
pub(super) struct MergedPrompt {
    pub(super) prompt: RenderedPrompt,
    /// In the order of the prompt.
    pub(super) pieces: Vec<ContextPiece>,
    /// The text before the cursor that is in the prompt.
    pub(super) prefix: String,
    /// The text after the cursor that is in the prompt.
    pub(super) suffix: String,
    /// The repository's pieces.
    pub(super) own: Vec<Piece>,
}

/// Merges the client's snippets into a composed prompt, within a token budget. `run` then describes the merged prompt.
pub(super) fn merge(
    request: &PromptRequest<'_>,
    run: &mut PromptRun<'_>,
    snippets: Vec<ContextPiece>,
    budget: usize,
) -> MergedPrompt {
    let PromptRequest { repository, cursor, format, counter, .. } = *request;
    let count = |text: &str| counter.count(text);
    let fill = Fill {
        prefix: std::mem::take(&mut run.retrieval.window.prefix),
        suffix: std::mem::take(&mut run.retrieval.window.suffix),
        ..Fill::default()
    };
    let (path, language) = (cursor.path(), run.retrieval.scope.language);
    let hole = HoleInFile { repository, path, language, fill: &fill };
    let composed_pieces = run.answer.selection.pieces.len();
    let own = drop_duplicates(&mut run.answer, &snippets);
    let is_as_composed = snippets.is_empty() && own.len() == composed_pieces;
    // The client's snippets change least from one request to the next, so they come first, where the server's prompt cache
    // keeps them.
    let mut pieces = [snippets, own].concat();
    let mut rendered = render(format, &hole, &pieces);
    let mut tokens = if is_as_composed { run.answer.tokens } else { rendered.tokens(&count) };
    while tokens > budget && !pieces.is_empty() {
        pieces.remove(0);
        rendered = render(format, &hole, &pieces);
        tokens = rendered.tokens(&count);
    }
    keep_last(&mut run.answer.selection, pieces.len());
    let own = run.answer.selection.pieces.clone();
    run.answer.tokens = tokens;
    run.answer.prompt = renumber(rendered.segments, pieces.len() - own.len(), own.len());
    let Fill { prefix, suffix, .. } = fill;
    MergedPrompt { prompt: rendered.prompt, pieces, prefix, suffix, own }
}

/// Drops the repository's pieces that are among the client's snippets, and returns the others as they are shown.
fn drop_duplicates(answer: &mut PromptAnswer, snippets: &[ContextPiece]) -> Vec<ContextPiece> {
    let known = KnownLines::of(snippets.iter().map(|it| it.text.as_str()));
    let selection = &mut answer.selection;
    let (duplicates, others) = std::mem::take(&mut selection.pieces)
        .into_iter()
        .partition(|it| !snippets.is_empty() && known.has_most_of(&it.text));
    selection.pieces = others;
    let why = || DropReason::Duplicate { of: "what the client sent".to_owned() };
    let duplicates = Vec::from_iter(duplicates).into_iter();
    selection.dropped.extend(duplicates.map(|it| dropped(it, why())));
    let shown = |it: &Piece| ContextPiece { path: it.path.clone(), text: it.text.clone() };
    selection.pieces.iter().map(shown).collect()
}

/// Drops the first pieces, for which the client's snippets left no tokens, and keeps the last `n`.
fn keep_last(selection: &mut Selection, n: usize) {
    let over = selection.pieces.len().saturating_sub(n);
    let removed = selection.pieces.drain(..over);
    selection.dropped.extend(removed.map(|it| {
        let why = DropReason::Budget { needed: it.tokens, left: 0 };
        dropped(it, why)
    }));
}

/// A piece that is not in the prompt after all.
fn dropped(it: Piece, why: DropReason) -> DroppedCandidate {
    DroppedCandidate {
        chunk: it.position.chunk(),
        path: it.path,
        start_line: it.start_line,
        end_line: it.end_line,
        score: it.score,
        why,
    }
}

/// Numbers the repository's pieces from 0, and the client's snippets, which come first in the prompt, after them.
fn renumber(mut prompt: Prompt, snippets: usize, own: usize) -> Prompt {
    for segment in &mut prompt.segments {
        if let Origin::Part(at) = &mut segment.origin {
            *at = if *at < snippets { *at + own } else { *at - snippets };
        }
    }
    prompt
}

/// The explanation of a merged prompt with `own` pieces of the repository, as JSON. The client's snippets are a segment
/// kind of their own.
pub(super) fn explain(mut trace: Trace, own: usize, budget: usize) -> anyhow::Result<String> {
    for segment in &mut trace.segments {
        if segment.piece.is_some_and(|it| it >= own) {
            segment.source = "client";
            segment.piece = None;
        }
    }
    trace.budget.total = budget + trace.budget.added;
    // The client's snippets use the same budget.
    trace.settings.budget = trace.budget.total;
    Ok(serde_json::to_string(&trace)?)
}

/// A hole without pieces and prompt.
pub(super) fn hole(path: &str, language: Option<Language>, prefix: String, suffix: String) -> Fill {
    Fill {
        path: path.to_owned(),
        language: language.map(Language::name),
        line_comment: language.and_then(Language::line_comment),
        prefix,
        suffix,
        ..Fill::default()
    }
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::{IndexConfig, Snapshot};
    use foreword_engine::pipeline::Control;
    use foreword_engine::preset;
    use foreword_engine::prompt::{Target, prompt};
    use foreword_engine::scope::{Cursor, View};
    use foreword_engine::source::Source;

    use super::*;

    fn snippet(path: &str, text: &str) -> ContextPiece {
        ContextPiece { path: path.to_owned(), text: text.to_owned() }
    }

    /// The selection for a call of a function that two other files define.
    fn selection() -> Selection {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let files = vec![
            source("a.py", "def total(cart):\n    return sum(cart.prices())\n"),
            source("b.py", "def total(order):\n    return order.total_of(order.lines)\n"),
        ];
        let snapshot = Snapshot::of_sources(files, IndexConfig::default()).unwrap();
        let text = "def pay(cart):\n    return total(".to_owned();
        let cursor = Cursor::new("c.py".to_owned(), text.clone(), text.len()).unwrap();
        let view = View::new(&snapshot, &cursor).unwrap();
        let target = Target { format: &Format::ALL[0], repository: "r", count: &|it| it.len() / 4 };
        let preset = preset::context();
        prompt(view, &cursor, &preset, target, &mut Control::default()).unwrap().selection
    }

    #[test]
    fn a_piece_that_the_clients_snippets_leave_no_room_for_is_dropped_with_a_reason() {
        let mut selection = selection();
        let [first, second] = &selection.pieces[..] else { panic!("{selection:?}") };
        let (first, second) = (first.clone(), second.clone());
        let known = selection.dropped.len();
        keep_last(&mut selection, 1);
        assert_eq!(selection.pieces, [second]);
        let expected = dropped(first.clone(), DropReason::Budget { needed: first.tokens, left: 0 });
        assert_eq!(selection.dropped[known..], [expected]);
        keep_last(&mut selection, 5);
        assert_eq!((selection.pieces.len(), selection.dropped.len()), (1, known + 1));
    }

    #[test]
    fn snippets_in_the_window_or_in_a_newer_snippet_are_left_out() {
        let around = ["def first():\n    return 1\n", ""];
        let snippets = [
            snippet("a.py", "def first():\n    return 1\n"),
            snippet("b.py", "def second():\n    pass\n"),
            snippet("c.py", "def second():\n    pass\n"),
            snippet("d.py", "\n\n"),
        ];
        let (kept, taken) = newest_within(&snippets, around, 100, &|it: &str| it.len());
        assert_eq!(kept, [snippets[2].clone()]);
        assert_eq!(taken, snippets[2].text.len() + 4);
    }

    #[test]
    fn the_newest_snippets_stay_when_there_is_no_room_for_all() {
        let snippets = [snippet("a", "alpha beta\n"), snippet("b", "gamma delta\n")];
        let (kept, _) = newest_within(&snippets, ["", ""], 15, &|it: &str| it.len());
        assert_eq!(kept, snippets[1..]);
    }
}
