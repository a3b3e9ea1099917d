//! What a team and the user say about a question ([`crate::custom`]), as evidence: answers to frequent questions with the
//! places that they name, summaries of directories, pages, issues, commits. All of it is data, shown as what it is.

use super::explain::{Draft, lines_of, one_line};
use super::find::Found;
use super::strength::{coverage, weighed};
use super::types::{AskRequest, EvidenceItem, QuestionKind, Role, Why};
use super::understand::Understanding;
use crate::custom::{DirectorySummary, Origin, Shelf, Statement, Subject};
use crate::index::{FileId, Snapshot};
use crate::search::SearchResult;

/// Which part of what a question is about something must have to be evidence; answers to frequent questions less, since
/// their questions are put in few words. First guesses, tried on five repositories (docs/customise.md).
const ENOUGH: f32 = 0.6;
const ENOUGH_OF_FAQ: f32 = 0.5;

/// How many answers, pages and discussions are evidence.
const MOST: [usize; 3] = [2, 2, 3];

/// How many places of an answer are evidence, and how many lines of each.
const PLACES: usize = 3;
const PLACE_LINES: u32 = 16;

/// The longest summary, in characters.
const SUMMARY: usize = 2_000;

/// What is said about the question. What has enough of it counts when the strength of the evidence is measured.
pub(super) fn items(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
    found: &mut Found,
) -> Vec<Draft> {
    let Some(shelf) = request.shelf else { return Vec::new() };
    let words = weighed(snapshot, request, &found.query.words);
    let is_how_to = understood.is(QuestionKind::HowTo);
    let page_role = if is_how_to { Role::Guide } else { Role::Document };
    let [faq, pages, discussions] = MOST;
    let mut left = [(Role::Faq, faq), (page_role, pages), (Role::Discussion, discussions)];
    let mut res = Vec::new();
    for it in shelf.find(&understood.query) {
        let (role, least) = match it.origin {
            Origin::Faq(_) => (Role::Faq, ENOUGH_OF_FAQ),
            Origin::Directory(_) | Origin::Page(_) => (page_role, ENOUGH),
            Origin::Issue(..) | Origin::PullRequest(..) | Origin::Commit(..) => {
                (Role::Discussion, ENOUGH)
            }
        };
        let room = left.iter_mut().find(|it| it.0 == role && it.1 > 0);
        // By what is shown of it: a chunk of a log has several commits.
        let part = coverage(&words, &[&it.text, &it.origin.to_string()]);
        let is_new = role != Role::Discussion || !res.iter().any(|known| is_of(known, &it.origin));
        let Some(room) = room.filter(|_| part >= least && is_new) else { continue };
        room.1 -= 1;
        found.stated = found.stated.max(part);
        res.extend(drafts(snapshot, it, role));
    }
    res
}

/// Whether a piece is of that source.
fn is_of(known: &Draft, origin: &Origin) -> bool {
    known.item.source.as_ref() == Some(origin)
}

/// Something that was said, and the places that it names.
fn drafts(snapshot: &Snapshot, it: Statement, role: Role) -> Vec<Draft> {
    let why = it.result.reasons.iter().cloned().map(Why::Ranked).collect();
    let faq = it.faq.clone();
    let mut res = vec![draft(it, role, why)];
    let Some(faq) = faq else { return res };
    let gone: Vec<String> = faq.dead_places(snapshot).iter().map(ToString::to_string).collect();
    if let Some(first) = res.first_mut().filter(|_| !gone.is_empty()) {
        first.item.message = Some(format!("gone, so this may be outdated: {}", gone.join(", ")));
    }
    let alive = faq.places.iter().filter(|it| it.is_alive(snapshot));
    for place in alive.take(PLACES) {
        let Some(file) = snapshot.file(&place.path) else { continue };
        let (first, last) = place.lines.unwrap_or((1, PLACE_LINES));
        let lines = (first, last.min(first + PLACE_LINES - 1));
        res.push(lines_of(snapshot, file, lines, Role::Match, vec![Why::Told]));
    }
    res
}

fn draft(it: Statement, role: Role, why: Vec<Why>) -> Draft {
    let summary = it.summary.chars().take(SUMMARY).collect();
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
    // No file of the snapshot, and no definition: nothing is looked up by it.
    Draft { item, file: FileId(0), definition: None }
}

/// Has the parts of an overview say what the team says of them, and adds those that are none yet.
pub(super) fn add_summaries(snapshot: &Snapshot, request: &AskRequest<'_>, items: &mut Vec<Draft>) {
    for it in request.shelf.into_iter().flat_map(Shelf::directories) {
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
}

fn summary(it: &DirectorySummary) -> Draft {
    let said = Statement::of_directory(it, SearchResult::default());
    let mut draft = draft(said, Role::Part, vec![Why::Told]);
    draft.item.symbol.clone_from(&it.directory);
    draft
}

/// Takes out code with a tag that it must not have.
pub(super) fn hide(snapshot: &Snapshot, request: &AskRequest<'_>, items: &mut Vec<Draft>) {
    let Some(tags) = request.tags else { return };
    items.retain(|it| {
        let bytes = (it.item.bytes.start, it.item.bytes.end);
        let subject = Subject { snapshot, file: it.file, definition: it.definition, bytes };
        it.item.role == Role::Named || it.item.source.is_some() || !tags.hides(&subject)
    });
}
