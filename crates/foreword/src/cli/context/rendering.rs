//! Output of `foreword context`: JSON (docs/json.md) and text.

use foreword_engine::trim::{DroppedCandidate, Piece};
use serde::Serialize;

use crate::cli::output::{self, DIM, GOOD, NAME};

/// JSON of `context --json`.
#[derive(Serialize)]
pub(super) struct ContextOutput<'s> {
    pub(super) version: u32,
    pub(super) snapshot: &'s str,
    pub(super) complete: bool,
    pub(super) model: &'static str,
    pub(super) path: &'s str,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) prompt: &'s str,
    pub(super) stop: &'s [String],
    pub(super) budget: BudgetOutput,
    pub(super) pieces: Vec<PieceOutput>,
    pub(super) dropped: Vec<DroppedOutput>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    pub(super) elapsed_ms: StageTimes,
}

/// Tokens by use.
#[derive(Serialize)]
pub(super) struct BudgetOutput {
    pub(super) total: usize,
    pub(super) used: usize,
    /// The text around the cursor, with the format's own tokens.
    pub(super) around: usize,
    pub(super) pieces: usize,
    /// Method of counting.
    pub(super) counted_by: String,
}

#[derive(Serialize)]
pub(super) struct PieceOutput {
    pub(super) path: String,
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    pub(super) form: &'static str,
    pub(super) tokens: usize,
    pub(super) score: f32,
    pub(super) ranks: Vec<SignalRank>,
    pub(super) reasons: Vec<String>,
    pub(super) text: String,
}

/// A piece's rank in a signal.
#[derive(Serialize)]
pub(super) struct SignalRank {
    pub(super) signal: &'static str,
    pub(super) rank: u32,
}

/// A candidate that is not in the prompt.
#[derive(Serialize)]
pub(super) struct DroppedOutput {
    pub(super) path: String,
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    pub(super) why: String,
}

/// Milliseconds by stage.
#[derive(Clone, Copy, Serialize, Default)]
pub(in crate::cli) struct StageTimes {
    pub(in crate::cli) open: f64,
    pub(in crate::cli) scope: f64,
    pub(in crate::cli) retrieve: f64,
    pub(in crate::cli) trim: f64,
    pub(in crate::cli) total: f64,
}

/// Maximum dropped candidates in the text.
const MAX_DROPPED: usize = 12;

/// Parts of the text output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Explanation,
    PromptAndExplanation,
}

impl ContextOutput<'_> {
    pub(super) fn text(&self, content: Content) -> String {
        let mut text = String::new();
        if content == Content::PromptAndExplanation {
            text.push_str(&output::plain(self.prompt));
            text.push_str(&format!("\n\n{DIM}{}{DIM:#}\n", "─".repeat(72)));
        }
        text.push_str(&self.summary());
        for note in &self.notes {
            text.push_str(&format!("note: {}\n", output::plain(note)));
        }
        text.push('\n');
        text.extend(self.pieces.iter().map(PieceOutput::text));
        text.push_str(&self.dropped());
        let StageTimes { open, scope, retrieve, trim, total } = self.elapsed_ms;
        text.push_str(&format!(
            "\n{DIM}{total:.1} ms: open and refresh {open:.1}, scope {scope:.1}, retrieve {retrieve:.1}, trim and compose {trim:.1}; snapshot {}{DIM:#}\n",
            self.snapshot
        ));
        text
    }

    /// The cursor, and the use of the budget.
    fn summary(&self) -> String {
        let BudgetOutput { total, used, around, pieces, counted_by } = &self.budget;
        format!(
            "{NAME}{}:{}:{}{NAME:#}  {}  {GOOD}{used} of {total} tokens{GOOD:#}: {around} around the cursor, {pieces} in {} pieces ({counted_by})\n",
            output::path(self.path),
            self.line,
            self.column,
            self.model,
            self.pieces.len()
        )
    }

    fn dropped(&self) -> String {
        let mut text = String::new();
        if !self.dropped.is_empty() {
            text.push_str(&format!("\ndropped: {}\n", self.dropped.len()));
        }
        for it in self.dropped.iter().take(MAX_DROPPED) {
            let location = format!("{}:{}-{}", output::path(&it.path), it.start_line, it.end_line);
            let why = output::plain(&it.why);
            text.push_str(&format!("              {location}  {DIM}{why}{DIM:#}\n"));
        }
        if self.dropped.len() > MAX_DROPPED {
            text.push_str(&format!("              {DIM}… --json shows all{DIM:#}\n"));
        }
        text
    }
}

impl PieceOutput {
    pub(super) fn of(it: &Piece) -> Self {
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

    fn text(&self) -> String {
        let mut text = format!(
            "{:>5} tokens  {NAME}{}:{}-{}{NAME:#}  {}  {DIM}score {:.2}{DIM:#}\n",
            self.tokens,
            output::path(&self.path),
            self.start_line,
            self.end_line,
            self.form,
            self.score
        );
        for reason in distinct(&self.reasons) {
            text.push_str(&format!("              {DIM}{}{DIM:#}\n", output::plain(reason)));
        }
        text
    }
}

impl DroppedOutput {
    pub(super) fn of(it: &DroppedCandidate) -> Self {
        Self {
            path: it.path.clone(),
            start_line: it.start_line,
            end_line: it.end_line,
            why: it.why.to_string(),
        }
    }
}

/// Removes duplicates.
fn distinct(reasons: &[String]) -> Vec<&String> {
    let mut res: Vec<&String> = Vec::new();
    for reason in reasons {
        if !res.contains(&reason) {
            res.push(reason);
        }
    }
    res
}
