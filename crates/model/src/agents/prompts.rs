//! The instructions of the agents.

/// Instructions of the retriever; the first line names their version.
pub(super) const RETRIEVER: &str = include_str!("prompts/retriever.md");

/// Instructions of the forecaster; the first line names their version.
pub(super) const FORECASTER: &str = include_str!("prompts/forecaster.md");

/// The instructions without their first line.
pub(super) fn without_version(text: &str) -> String {
    text.split_once('\n').map_or(text, |it| it.1).trim().to_owned()
}
