//! Adds what the team and the user wrote about a question ([`crate::custom`]): answers to frequent questions with their
//! places, directory summaries, pages, issues, commits. All of it is data, and shown with its source.

use super::explain::{Draft, lines_of, one_line};
use super::strength::{coverage, word_weights};
use super::types::{AskRequest, EvidenceItem, QuestionKind, Role, Why};
use super::understand::Understanding;
use crate::custom::{CustomSources, DirectorySummary, SourceOrigin, Statement, Subject};
use crate::index::{FileId, Snapshot};
use crate::preset::constants::ask::{
    FAQ_COVERAGE, FAQ_PLACE_LINES, FAQ_PLACES, STATEMENT_CHARS, STATEMENT_COVERAGE, STATEMENTS,
};
use crate::retrieve::Query;
use crate::search::SearchResult;

/// Statements about a question as evidence.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) drafts: Vec<Draft>,
    /// Largest share of the question's weight, 0 to 1, that one statement covers; part of the evidence's strength.
    pub(super) coverage: f32,
}

/// Returns the statements that cover enough of the question.
pub(super) fn statements(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
    query: &Query,
) -> Statements {
    let Some(custom) = request.custom else { return Statements::default() };
    let words = word_weights(snapshot, request, &query.words);
    let is_how_to = understood.is(QuestionKind::HowTo);
    let page_role = if is_how_to { Role::Guide } else { Role::Document };
    let [faq, pages, discussions] = STATEMENTS;
    let mut left = [(Role::Faq, faq), (page_role, pages), (Role::Discussion, discussions)];
    let mut res = Statements::default();
    for it in custom.find(&understood.query) {
        let (role, least) = match it.origin {
            SourceOrigin::Faq(_) => (Role::Faq, FAQ_COVERAGE),
            SourceOrigin::Directory(_) | SourceOrigin::Page(_) => (page_role, STATEMENT_COVERAGE),
            SourceOrigin::Issue(..) | SourceOrigin::PullRequest(..) | SourceOrigin::Commit(..) => {
                (Role::Discussion, STATEMENT_COVERAGE)
            }
        };
        let room = left.iter_mut().find(|it| it.0 == role && it.1 > 0);
        // Judged by the shown lines: a chunk of a log holds several commits.
        let part = coverage(&words, &[&it.text, &it.origin.to_string()]);
        let is_new =
            role != Role::Discussion || !res.drafts.iter().any(|known| is_of(known, &it.origin));
        let Some(room) = room.filter(|_| part >= least && is_new) else { continue };
        room.1 -= 1;
        res.coverage = res.coverage.max(part);
        res.drafts.extend(drafts(snapshot, it, role));
    }
    res
}

/// Whether a piece is from that source.
fn is_of(known: &Draft, origin: &SourceOrigin) -> bool {
    known.item.source.as_ref() == Some(origin)
}

/// A statement, and the places that it names.
fn drafts(snapshot: &Snapshot, it: Statement, role: Role) -> Vec<Draft> {
    let why = it.result.reasons.iter().cloned().map(Why::Ranked).collect();
    let faq = it.faq.clone();
    let mut res = vec![draft(it, role, why)];
    let Some(faq) = faq else { return res };
    let gone: Vec<String> = faq.missing_places(snapshot).iter().map(ToString::to_string).collect();
    if let Some(first) = res.first_mut().filter(|_| !gone.is_empty()) {
        first.item.message = Some(format!("may be outdated; missing: {}", gone.join(", ")));
    }
    let present = faq.places.iter().filter(|it| it.exists(snapshot));
    for place in present.take(FAQ_PLACES) {
        let Some(file) = snapshot.file(&place.path) else { continue };
        let (first, last) = place.lines.unwrap_or((1, FAQ_PLACE_LINES));
        let lines = (first, last.min(first + FAQ_PLACE_LINES - 1));
        res.push(lines_of(snapshot, file, lines, Role::Match, vec![Why::TeamAnswer]));
    }
    res
}

fn draft(it: Statement, role: Role, why: Vec<Why>) -> Draft {
    let summary = it.summary.chars().take(STATEMENT_CHARS).collect();
    let item = EvidenceItem {
        role,
        bytes: 0..it.text.len(),
        path: it.path,
        start_line: it.lines.0,
        end_line: it.lines.1,
        symbol: one_line(&it.origin.to_string(), 160),
        kind: None,
        extent: it.lines,
        signature: String::new(),
        summary,
        key_lines: Vec::new(),
        why,
        source: Some(it.origin),
        message: None,
        text: it.text,
        tokens: 0,
    };
    // No file of the snapshot: nothing may be looked up by this id.
    Draft { item, file: FileId(0), definition: None }
}

/// Replaces the directories of an overview by the team's summaries, and adds directories that only the team describes.
pub(super) fn with_summaries(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    mut items: Vec<Draft>,
) -> Vec<Draft> {
    for it in request.custom.into_iter().flat_map(CustomSources::directories) {
        let is_there = snapshot.files_under(&it.directory).next().is_some();
        if !is_there {
            continue;
        }
        let known = items
            .iter_mut()
            .find(|known| known.item.role == Role::Part && known.item.symbol == it.directory);
        match known {
            Some(known) => *known = summary(it),
            None => items.push(summary(it)),
        }
    }
    items
}

fn summary(it: &DirectorySummary) -> Draft {
    let said = Statement::of_directory(it, SearchResult::default());
    let mut draft = draft(said, Role::Part, vec![Why::TeamAnswer]);
    draft.item.symbol.clone_from(&it.directory);
    draft
}

/// Removes code with an excluded tag.
pub(super) fn hide(snapshot: &Snapshot, request: &AskRequest<'_>, items: &mut Vec<Draft>) {
    let Some(tags) = request.tags else { return };
    items.retain(|it| {
        let bytes = (it.item.bytes.start, it.item.bytes.end);
        let subject = Subject { snapshot, file: it.file, definition: it.definition, bytes };
        it.item.role == Role::Named || it.item.source.is_some() || !tags.hides(&subject)
    });
}
