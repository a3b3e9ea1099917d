//! The complete prompt for a cursor, within its token budget.

use crate::compose::{self, Format, Hole, Keep, Part, compose};
use crate::evidence::DropReason;
use crate::order::Truncation;
use crate::pipeline::{Control, CursorRetrieval, Stage};
use crate::preset::Preset;
use crate::scope::{Cursor, View};
use crate::trim::{Budget, Count, DroppedCandidate, Piece, Selection, Window};

/// A prompt and its parts.
#[derive(Clone, Debug)]
pub struct PromptAnswer {
    /// The prompt.
    pub prompt: compose::Prompt,
    /// Selected pieces and dropped candidates.
    pub selection: Selection,
    /// Tokens of the whole prompt.
    pub tokens: usize,
    /// Tokens of the prompt without pieces.
    pub base_tokens: usize,
}

/// Error: the text around the cursor alone exceeds the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the budget of {budget} tokens is too small: the text around the cursor alone needs {needed}"
)]
pub struct TooSmall {
    /// The budget in tokens.
    pub budget: usize,
    /// Tokens that are needed.
    pub needed: usize,
}

/// The model that a prompt is for.
#[derive(Clone, Copy)]
pub struct Target<'t> {
    /// Prompt format of the model family.
    pub format: &'t Format,
    /// Name of the repository.
    pub repository: &'t str,
    /// Token counter of the model.
    pub count: Count<'t>,
}

/// Returns the prompt for a cursor.
pub fn prompt(
    view: View<'_>,
    cursor: &Cursor,
    preset: &Preset,
    target: Target<'_>,
    control: &mut Control<'_>,
) -> Result<PromptAnswer, TooSmall> {
    let retrieval = CursorRetrieval::new(view, cursor, preset, target.count, control);
    let res = retrieval.prompt(target);
    control.finish(Stage::Compose);
    res
}

impl CursorRetrieval<'_> {
    /// Composes the prompt. If the whole exceeds the budget although its parts fit, the last pieces are removed.
    pub fn prompt(&self, target: Target<'_>) -> Result<PromptAnswer, TooSmall> {
        let around = Around {
            path: self.cursor.path(),
            language: self.scope.language,
            window: &self.window,
            budget: &self.preset.budget,
        };
        around.prompt(target, |tokens, truncation| self.select(tokens, truncation, target.count))
    }
}

/// Contents of a prompt beside its pieces, and the budget.
pub(crate) struct Around<'a> {
    /// Path of the cursor's file.
    pub(crate) path: &'a str,
    /// Its language.
    pub(crate) language: Option<foreword_chunk::Language>,
    /// The text around the cursor.
    pub(crate) window: &'a Window,
    /// Shares of the budget.
    pub(crate) budget: &'a Budget,
}

impl Around<'_> {
    /// Composes the prompt with the pieces that `select` returns for a token budget and a truncation side.
    pub(crate) fn prompt(
        &self,
        target: Target<'_>,
        select: impl FnOnce(usize, Truncation) -> Selection,
    ) -> Result<PromptAnswer, TooSmall> {
        let Target { format, repository, count } = target;
        let budget = self.budget.total;
        let hole = Hole {
            repository,
            path: self.path,
            line_comment: self.language.and_then(foreword_chunk::Language::line_comment),
            language_name: self.language.map(foreword_chunk::Language::name),
            prefix: &self.window.prefix,
            suffix: &self.window.suffix,
        };
        let base_tokens = count(&compose(format, &hole, &[]).text);
        if base_tokens > budget {
            return Err(TooSmall { budget, needed: base_tokens });
        }
        let truncation = match format.keep {
            Keep::End => Truncation::Left,
            Keep::Start => Truncation::Right,
        };
        let truncation = self.budget.order.truncation(truncation);
        let mut selection = select(budget - base_tokens, truncation);
        loop {
            let labels = labels(format, &selection.pieces);
            let prompt = compose(format, &hole, &parts(&selection.pieces, &labels));
            let tokens = count(&prompt.text);
            if tokens <= budget || selection.pieces.is_empty() {
                return Ok(PromptAnswer { prompt, selection, tokens, base_tokens });
            }
            drop_worst(&mut selection, tokens - budget);
        }
    }
}

/// Label above each piece: its path, and in formats for readers its lines.
fn labels(format: &Format, pieces: &[Piece]) -> Vec<String> {
    let for_readers = format.name == "none";
    let label = |it: &Piece| match for_readers {
        true => format!("{}:{}-{}", it.path, it.start_line, it.end_line),
        false => it.path.clone(),
    };
    pieces.iter().map(label).collect()
}

fn parts<'p>(pieces: &'p [Piece], labels: &'p [String]) -> Vec<Part<'p>> {
    let pairs = pieces.iter().zip(labels);
    pairs.map(|(it, label)| Part { path: label, text: &it.text }).collect()
}

fn drop_worst(selection: &mut Selection, over: usize) {
    let by_score = |a: &(usize, &Piece), b: &(usize, &Piece)| {
        a.1.score.total_cmp(&b.1.score).then(b.1.position.cmp(&a.1.position))
    };
    let Some((idx, _)) = selection.pieces.iter().enumerate().min_by(by_score) else { return };
    let it = selection.pieces.remove(idx);
    selection.dropped.insert(
        0,
        DroppedCandidate {
            path: it.path,
            start_line: it.start_line,
            end_line: it.end_line,
            chunk: it.position.chunk(),
            score: it.score,
            why: DropReason::Budget { needed: it.tokens, left: it.tokens.saturating_sub(over) },
        },
    );
}
