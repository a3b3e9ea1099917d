//! How tokens are counted where no model is named.

use foreword_engine::compose::Format;
use foreword_model::{Counting, TokenCounter};

/// Counts for whatever model may read the answer: an estimate that is above the truth.
pub(crate) fn general() -> anyhow::Result<TokenCounter> {
    let format = Format::named("none")
        .ok_or_else(|| anyhow::anyhow!("the format `none` is in the table"))?;
    Ok(TokenCounter::for_format(format, None)?)
}

/// What a count is worth, in few words.
pub(crate) fn worth(counter: &TokenCounter) -> String {
    match counter.kind() {
        Counting::Exact { what } => format!("exact, by {what}"),
        Counting::Estimate { what, .. } => format!("estimated for {what}"),
        _ => counter.kind().sentence(),
    }
}
