//! Questions about a repository: gathers the evidence that an answer needs, in reading order.
//!
//! `pipeline` runs the steps: `understand` finds the kind of question and its names and places (`pasted` reads what
//! came with it, `resolve` finds the files), `find` retrieves matches (`search`), `statements` adds what a team and the
//! user wrote, `strength` judges whether that is enough, `overview`, `activity` and `environment` answer questions about
//! the whole and `around` adds definitions, callers, tests and documents, `select` keeps what fits. [`Verifier`] checks
//! an answer against the evidence. `stages` keeps the output of every step for the evaluation.
//!
//! A piece of evidence is whole, unchanged lines of one file, so that anybody can check a citation.

mod activity;
mod around;
mod config;
mod environment;
mod explain;
mod find;
mod overview;
mod paragraph;
mod pasted;
mod pipeline;
mod resolve;
mod search;
mod select;
mod stages;
mod statements;
mod strength;
mod types;
mod understand;
mod verify;
mod whole;

#[cfg(test)]
mod tests;

pub use crate::preset::constants::ask::{ENOUGH, FUSED};
pub use config::AskConfig;
pub use pasted::{Origin, PastedText, Place};
pub use pipeline::gather;
pub use search::{Passage, passages};
pub use stages::{AskStages, LineRange, stages};
pub use strength::{Occurrence, Strength, Weakness, WordStrength};
pub use types::{AskRequest, EvidenceItem, EvidenceSet, KeyLine, QuestionKind, Role, Why};
pub use verify::inert::{InertLine, InertMarkdown, inert_quotations};
pub use verify::{AnswerCheck, LineCheck, Problem, Verifier, lacks_information, verify};

use crate::index::Snapshot;
use crate::trim::Count;

/// Lines of a file as evidence, 1-based, inclusive, for a model that asks to read them. `None` if there is no such
/// file.
pub fn read(
    snapshot: &Snapshot,
    path: &str,
    lines: (u32, u32),
    count: Count<'_>,
) -> Option<EvidenceItem> {
    let file = snapshot.file(path)?;
    let mut item = explain::lines_of(snapshot, file, lines, Role::Named, vec![Why::Path]).item;
    item.tokens = count(&item.text);
    Some(item)
}
