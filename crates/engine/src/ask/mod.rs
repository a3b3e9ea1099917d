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
mod pasted;
mod resolve;
mod select;
mod stages;
mod statements;
mod strength;
mod types;
mod understand;
mod verify;

#[cfg(test)]
mod tests;

pub use config::AskConfig;
pub use find::{Passage, passages};
pub use pasted::{Origin, Pasted, Place};
pub use stages::{AskStages, FUSED, LineRange, stages};
pub use strength::{ENOUGH, Standing, Strength, Weakness, WordStrength};
pub use types::{AskRequest, EvidenceItem, Gathered, KeyLine, QuestionKind, Role, Why};
pub use verify::{Checked, Problem, Verified, Verifier, verify};

use crate::index::Snapshot;
use crate::trim::Count;
use explain::Draft;
use understand::Understanding;

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

/// Everything that was found for a question, before some of it is selected.
struct Collected {
    understood: Understanding,
    drafts: Vec<Draft>,
    strength: Strength,
}

impl Collected {
    fn select(self, request: &AskRequest<'_>, count: Count<'_>) -> Gathered {
        let Self { understood, drafts, strength } = self;
        let evidence = select::select(drafts, &understood, request.tokens, count);
        Gathered { kinds: understood.kinds, evidence, strength, messages: understood.messages }
    }
}

/// Gathers the evidence for a question.
pub fn gather(snapshot: &Snapshot, request: &AskRequest<'_>, count: Count<'_>) -> Gathered {
    collect(snapshot, request, count).select(request, count)
}

fn collect(snapshot: &Snapshot, request: &AskRequest<'_>, count: Count<'_>) -> Collected {
    let understood = Understanding::new(snapshot, request);
    let mut drafts = find::places(snapshot, request, &understood);
    let mut found = find::matches(snapshot, request, &understood);
    let said = statements::items(snapshot, request, &understood, &mut found);
    let strength = strength::measure(snapshot, request, &understood, &found);
    drafts.extend(found.items);
    if understood.kinds.contains(&QuestionKind::Overview) {
        drafts.extend(overview::items(snapshot, request, count));
        statements::add_summaries(snapshot, request, &mut drafts);
    } else {
        let around = around::items(snapshot, request, &understood, &drafts);
        drafts.extend(around);
    }
    drafts.extend(around::documents(snapshot, request, &understood));
    // The places that a team names come before what is found.
    drafts.splice(0..0, said);
    statements::hide(snapshot, request, &mut drafts);
    drafts.extend(select::earlier(snapshot, request));
    Collected { understood, drafts, strength }
}
