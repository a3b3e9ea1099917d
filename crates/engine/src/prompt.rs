//! The whole prompt for a cursor, within its budget by the count in force.

use crate::compose::{Format, Hole, Keep, Part, Prompt, compose};
use crate::context::{Ranked, Situation, pieces};
use crate::order::Truncation;
use crate::preset::Preset;
use crate::scope::{Cursor, Scope};
use crate::trim::{Choice, Count, Dropped, Piece, Why, Window};

/// A prompt and what it is made of.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The prompt.
    pub prompt: Prompt,
    /// What was chosen and what was not.
    pub choice: Choice,
    /// Tokens of the whole prompt.
    pub tokens: usize,
    /// Tokens of the prompt without pieces.
    pub base_tokens: usize,
}

/// The text around the cursor alone is more than the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the budget of {budget} tokens is too small: the text around the cursor alone needs {needed}"
)]
pub struct TooSmall {
    /// Tokens that were allowed.
    pub budget: usize,
    /// Tokens that are needed.
    pub needed: usize,
}

/// What a prompt is made for.
#[derive(Clone, Copy)]
pub struct Target<'t> {
    /// The model family's format.
    pub format: &'t Format,
    /// The repository's name.
    pub repository: &'t str,
    /// The token counter of the model.
    pub count: Count<'t>,
}

/// Composes the prompt. Never over budget: should the whole count more than its parts did, the last pieces go.
pub fn prompt(
    situation: &Situation<'_>,
    cursor: &Cursor,
    scope: &Scope,
    window: &Window,
    ranked: &Ranked,
    preset: &Preset,
    target: Target<'_>,
) -> Result<Composed, TooSmall> {
    let budget = preset.budget.total;
    let hole = Hole {
        repository: target.repository,
        path: &cursor.path,
        line_comment: scope.language.and_then(foreword_chunk::Language::line_comment),
        language_name: scope.language.map(foreword_chunk::Language::name),
        prefix: &window.prefix,
        suffix: &window.suffix,
    };
    let base_tokens = (target.count)(&compose(target.format, &hole, &[]).text);
    if base_tokens > budget {
        return Err(TooSmall { budget, needed: base_tokens });
    }
    let truncation = match target.format.keep {
        Keep::End => Truncation::Left,
        Keep::Start => Truncation::Right,
    };
    let left = budget - base_tokens;
    let mut choice =
        pieces(situation, scope, window, ranked, preset, truncation, left, target.count);
    loop {
        let labels = labels(target.format, &choice.pieces);
        let prompt = compose(target.format, &hole, &parts(&choice.pieces, &labels));
        let tokens = (target.count)(&prompt.text);
        if tokens <= budget || choice.pieces.is_empty() {
            return Ok(Composed { prompt, choice, tokens, base_tokens });
        }
        drop_worst(&mut choice, tokens - budget);
    }
}

/// What stands above each piece: its path, for readers with its lines.
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

fn drop_worst(choice: &mut Choice, over: usize) {
    let by_score = |a: &(usize, &Piece), b: &(usize, &Piece)| {
        a.1.score.total_cmp(&b.1.score).then(b.1.place.cmp(&a.1.place))
    };
    let Some((idx, _)) = choice.pieces.iter().enumerate().min_by(by_score) else { return };
    let it = choice.pieces.remove(idx);
    choice.dropped.insert(
        0,
        Dropped {
            path: it.path,
            start_line: it.start_line,
            end_line: it.end_line,
            chunk: it.place.chunk(),
            score: it.score,
            why: Why::Budget { needed: it.tokens, left: it.tokens.saturating_sub(over) },
        },
    );
}
