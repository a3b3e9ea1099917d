//! Questions about a repository: what is needed to answer one, in the order in which one reads it to understand.
//!
//! `pasted` reads what came with the question, `understand` says what kind of question it is and what it is about,
//! `find` retrieves (by words, names and places), `around` adds what the found code needs (definitions that it uses,
//! callers, tests, documents), `overview` answers questions about the whole, `strength` says whether all that is enough to
//! answer, `statements` adds what a team and the user say, and `select` keeps one set within a budget. [`Verifier`] checks what
//! somebody then says about it. `config` says how much of each is gathered, `stages` what each stage had.
//!
//! Every piece of evidence is whole lines of one file as they stand, so that a citation can be checked by anybody.

mod around;
mod config;
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
pub use verify::{AnswerCheck, LineCheck, Problem, Verifier, verify};

use crate::index::Snapshot;
use crate::trim::Count;

/// Lines of a file as evidence, 1-based, inclusive: what a model asks to read. `None` if there is no such file.
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
