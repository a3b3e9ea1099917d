//! `foreword context` as text.

use foreword_session::answer::prompt::output::{
    BudgetOutput, ContextOutput, PieceOutput, StageTimes,
};

use crate::cli::output::{self, DIM, GOOD, NAME};

/// Maximum dropped candidates in the text.
const MAX_DROPPED: usize = 12;

/// Parts of the text output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Explanation,
    PromptAndExplanation,
}

pub(super) fn text(it: &ContextOutput<'_>, content: Content) -> String {
    let mut text = String::new();
    if content == Content::PromptAndExplanation {
        text.push_str(&output::plain(it.prompt));
        text.push_str(&format!("\n\n{DIM}{}{DIM:#}\n", "─".repeat(72)));
    }
    text.push_str(&summary(it));
    for note in &it.notes {
        text.push_str(&format!("note: {}\n", output::plain(note)));
    }
    text.push('\n');
    text.extend(it.pieces.iter().map(piece));
    text.push_str(&dropped(it));
    let StageTimes { open, scope, retrieve, trim, total } = it.elapsed_ms;
    text.push_str(&format!(
        "\n{DIM}{total:.1} ms: open and refresh {open:.1}, scope {scope:.1}, retrieve {retrieve:.1}, trim and compose {trim:.1}; snapshot {}{DIM:#}\n",
        it.snapshot
    ));
    text
}

/// The cursor, and the use of the budget.
fn summary(it: &ContextOutput<'_>) -> String {
    let BudgetOutput { total, used, around, pieces, counted_by } = &it.budget;
    format!(
        "{NAME}{}:{}:{}{NAME:#}  {}  {GOOD}{used} of {total} tokens{GOOD:#}: {around} around the cursor, {pieces} in {} pieces ({counted_by})\n",
        output::path(it.path),
        it.line,
        it.column,
        it.model,
        it.pieces.len()
    )
}

fn dropped(it: &ContextOutput<'_>) -> String {
    let mut text = String::new();
    if !it.dropped.is_empty() {
        text.push_str(&format!("\ndropped: {}\n", it.dropped.len()));
    }
    for it in it.dropped.iter().take(MAX_DROPPED) {
        let location = format!("{}:{}-{}", output::path(&it.path), it.start_line, it.end_line);
        let why = output::plain(&it.why);
        text.push_str(&format!("              {location}  {DIM}{why}{DIM:#}\n"));
    }
    if it.dropped.len() > MAX_DROPPED {
        text.push_str(&format!("              {DIM}… --json shows all{DIM:#}\n"));
    }
    text
}

fn piece(it: &PieceOutput) -> String {
    let mut text = format!(
        "{:>5} tokens  {NAME}{}:{}-{}{NAME:#}  {}  {DIM}score {:.2}{DIM:#}\n",
        it.tokens,
        output::path(&it.path),
        it.start_line,
        it.end_line,
        it.form,
        it.score
    );
    for reason in distinct(&it.reasons) {
        text.push_str(&format!("              {DIM}{}{DIM:#}\n", output::plain(reason)));
    }
    text
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
