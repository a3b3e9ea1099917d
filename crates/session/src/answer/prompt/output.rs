//! A prompt and its pieces, in the form of `context --json` (docs/json.md).

use foreword_engine::prompt::PromptAnswer;
use foreword_engine::trim::{DroppedCandidate, Piece};
use serde::Serialize;

use super::{PromptRequest, StageTime};
use crate::answer::tokens;

/// JSON of `context --json`.
#[derive(Serialize)]
pub struct ContextOutput<'s> {
    version: u32,
    /// Identifies the state that the prompt was made from.
    pub snapshot: &'s str,
    complete: bool,
    /// `cluster` for the first answers of a clone, which come from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_from: Option<&'static str>,
    /// Name of the prompt format.
    pub model: &'static str,
    /// The cursor's file.
    pub path: &'s str,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// The prompt.
    pub prompt: &'s str,
    stop: &'s [String],
    /// Tokens by use.
    pub budget: BudgetOutput,
    /// Pieces of the prompt beside the text around the cursor.
    pub pieces: Vec<PieceOutput>,
    /// Candidates that it does not show.
    pub dropped: Vec<DroppedOutput>,
    /// Warnings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Times.
    pub elapsed_ms: StageTimes,
}

/// Tokens by use.
#[derive(Serialize)]
pub struct BudgetOutput {
    /// The most that the prompt may have.
    pub total: usize,
    /// Those of the prompt.
    pub used: usize,
    /// The text around the cursor, with the format's own tokens.
    pub around: usize,
    /// All pieces.
    pub pieces: usize,
    /// Method of counting.
    pub counted_by: String,
}

/// A piece of a prompt.
#[derive(Serialize)]
pub struct PieceOutput {
    /// Its file.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// How much of the code is shown.
    pub form: &'static str,
    /// Its size.
    pub tokens: usize,
    /// Its score.
    pub score: f32,
    ranks: Vec<SignalRank>,
    /// Why it is there, in words.
    pub reasons: Vec<String>,
    text: String,
}

/// A piece's rank in a signal.
#[derive(Serialize)]
struct SignalRank {
    signal: &'static str,
    rank: u32,
}

/// A candidate that is not in the prompt.
#[derive(Serialize)]
pub struct DroppedOutput {
    /// Its file.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// Why it was dropped, in words.
    pub why: String,
}

/// Milliseconds by stage.
#[derive(Clone, Copy, Serialize, Default)]
pub struct StageTimes {
    /// Opening the index.
    pub open: f64,
    /// Finding the cursor's scope.
    pub scope: f64,
    /// Finding and ordering candidates.
    pub retrieve: f64,
    /// Choosing pieces and writing the prompt.
    pub trim: f64,
    /// All of it.
    pub total: f64,
}

impl StageTimes {
    /// The times of a composed prompt, after `open` milliseconds.
    pub fn new(open: f64, stages: &[StageTime]) -> Self {
        let took = |names: &[&str]| {
            stages.iter().filter(|it| names.contains(&it.stage)).map(|it| it.ms).sum()
        };
        Self {
            open,
            scope: took(&["scope"]),
            retrieve: took(&["query", "retrieve", "fuse", "rerank"]),
            trim: took(&["window", "compose"]),
            total: open + stages.iter().map(|it| it.ms).sum::<f64>(),
        }
    }
}

impl<'s> ContextOutput<'s> {
    /// The answer to a request; `lines_before` is the number of lines of the file before the cursor's text.
    pub fn new(
        request: &PromptRequest<'s>,
        answer: &'s PromptAnswer,
        lines_before: usize,
        elapsed_ms: StageTimes,
    ) -> Self {
        let PromptRequest { snapshot, cursor, preset, format, counter, .. } = *request;
        let prefix = cursor.prefix();
        Self {
            version: 1,
            snapshot: snapshot.id(),
            complete: snapshot.is_complete(),
            answered_from: None,
            model: format.name,
            path: cursor.path(),
            line: lines_before + prefix.matches('\n').count() + 1,
            column: prefix.rsplit('\n').next().unwrap_or("").chars().count() + 1,
            prompt: &answer.prompt.text,
            stop: &answer.prompt.stop,
            budget: BudgetOutput {
                total: preset.budget.total + counter.added(),
                used: answer.tokens + counter.added(),
                around: answer.base_tokens,
                pieces: answer.tokens - answer.base_tokens.min(answer.tokens),
                counted_by: tokens::accuracy(counter),
            },
            pieces: answer.selection.pieces.iter().map(PieceOutput::of).collect(),
            dropped: answer.selection.dropped.iter().map(DroppedOutput::of).collect(),
            notes: Vec::new(),
            elapsed_ms,
        }
    }
}

impl PieceOutput {
    fn of(it: &Piece) -> Self {
        let ranks = it.signals.iter().filter_map(|(signal, it)| {
            Some(SignalRank { signal: signal.name(), rank: it?.rank.get() })
        });
        Self {
            path: it.path.clone(),
            start_line: it.start_line,
            end_line: it.end_line,
            form: it.form.name(),
            tokens: it.tokens,
            score: it.score,
            ranks: ranks.collect(),
            reasons: it.reasons.iter().map(ToString::to_string).collect(),
            text: it.text.clone(),
        }
    }
}

impl DroppedOutput {
    fn of(it: &DroppedCandidate) -> Self {
        Self {
            path: it.path.clone(),
            start_line: it.start_line,
            end_line: it.end_line,
            why: it.why.to_string(),
        }
    }
}
