//! Merges the repository's pieces and the client's own snippets into one prompt, without duplicates.

use foreword_chunk::Language;
use foreword_engine::compose::{Origin, Prompt};
use foreword_engine::evidence::DropReason;
use foreword_engine::prompt::PromptAnswer;
use foreword_engine::trim::{DroppedCandidate, Piece};
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};
use foreword_session::answer::prompt::{PromptRequest, PromptRun};
use foreword_session::answer::trace::Trace;

use super::prompt::{HoleInFile, render};
use super::snippets::KnownLines;

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
    let selected = &mut run.answer.selection.pieces;
    let own = selected.len().min(pieces.len());
    selected.drain(..selected.len() - own);
    let own = selected.clone();
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
    let dropped = |it: Piece| DroppedCandidate {
        chunk: it.position.chunk(),
        path: it.path,
        start_line: it.start_line,
        end_line: it.end_line,
        score: it.score,
        why: DropReason::Duplicate { of: "what the client sent".to_owned() },
    };
    selection.dropped.extend(Vec::from_iter(duplicates).into_iter().map(dropped));
    let shown = |it: &Piece| ContextPiece { path: it.path.clone(), text: it.text.clone() };
    selection.pieces.iter().map(shown).collect()
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
