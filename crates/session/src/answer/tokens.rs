//! Counts tokens without a named model.

use foreword_engine::compose::Format;
use foreword_model::{Counting, TokenCounter};

/// A counter for any model: an estimate that does not undercount.
pub fn general() -> anyhow::Result<TokenCounter> {
    let format = Format::named("none")
        .ok_or_else(|| anyhow::anyhow!("the format `none` is in the table"))?;
    Ok(TokenCounter::for_format(format, None)?)
}

/// How accurate a count is, in a few words.
pub fn accuracy(counter: &TokenCounter) -> String {
    match counter.kind() {
        Counting::Exact { what } => format!("exact, by {what}"),
        Counting::Estimate { what, .. } => format!("estimated for {what}"),
        _ => counter.kind().sentence(),
    }
}
