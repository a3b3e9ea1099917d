//! The steps from a question to the evidence for it, in their order. Each step reads values that earlier steps made, and
//! names no later step.

use super::activity::{activity_question, guides};
use super::environment::{accesses, environment_question};
use super::explain::Draft;
use super::find::Matches;
use super::strength::Strength;
use super::types::{AskRequest, EvidenceSet, QuestionKind};
use super::understand::Understanding;
use super::{around, find, overview, select, statements, strength};
use crate::index::Snapshot;
use crate::trim::Count;

/// Everything found for a question, before the selection.
pub(super) struct Collection {
    pub(super) understood: Understanding,
    pub(super) drafts: Vec<Draft>,
    strength: Strength,
}

/// Gathers the evidence for a question.
pub fn gather(snapshot: &Snapshot, request: &AskRequest<'_>, count: Count<'_>) -> EvidenceSet {
    collect(snapshot, request, count).select(request, count)
}

/// All steps before the selection.
pub(super) fn collect(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    count: Count<'_>,
) -> Collection {
    let understood = Understanding::new(snapshot, request);
    let places = find::places(snapshot, request, &understood);
    let guides = how_to(snapshot, request, &understood);
    let is_guided = !guides.is_empty();
    let told = if is_guided { guides } else { environment(snapshot, request, &understood) };
    let is_told = !told.is_empty();
    let matches = match is_told {
        true => Matches::without_search(snapshot, request, &understood, told),
        false => find::matches(snapshot, request, &understood),
    };
    let stated = statements::statements(snapshot, request, &understood, &matches.query);
    let strength = match is_told {
        true => Strength { score: 1.0, ..Strength::default() },
        false => strength::measure(snapshot, request, &understood, (&matches, stated.coverage)),
    };
    let mut drafts = places;
    drafts.extend(matches.drafts);
    let surroundings = match understood.is(QuestionKind::Overview) {
        true => {
            statements::with_summaries(snapshot, request, overview::items(snapshot, request, count))
        }
        false if is_told => Vec::new(),
        false => around::items(snapshot, request, &understood, &drafts),
    };
    drafts.extend(surroundings);
    if !is_guided {
        drafts.extend(around::documents(snapshot, request, &understood));
    }
    // The team's answers come first.
    drafts.splice(0..0, stated.drafts);
    statements::hide(snapshot, request, &mut drafts);
    drafts.extend(select::earlier(snapshot, request));
    Collection { understood, drafts, strength }
}

/// Sections of the project's guides about the activity that is asked for.
fn how_to(snapshot: &Snapshot, request: &AskRequest<'_>, understood: &Understanding) -> Vec<Draft> {
    let names_code = !understood.names.is_empty() || !understood.places.is_empty();
    let asked = activity_question(request)
        .filter(|_| !names_code && !understood.is(QuestionKind::Overview));
    asked.map(|it| guides(snapshot, request, &it)).unwrap_or_default()
}

/// The places that read environment variables, for a question about which there are.
fn environment(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
) -> Vec<Draft> {
    let is_of_all = understood.places.is_empty() && request.tags.is_none();
    let asked = environment_question(request).filter(|_| is_of_all);
    asked.map(|it| accesses(snapshot, request, &it)).unwrap_or_default()
}

impl Collection {
    /// The evidence that fits into the budget.
    pub(super) fn select(self, request: &AskRequest<'_>, count: Count<'_>) -> EvidenceSet {
        let Self { understood, drafts, strength } = self;
        let evidence = select::select(drafts, &understood, request.tokens, count);
        EvidenceSet { kinds: understood.kinds, evidence, strength, messages: understood.messages }
    }
}
