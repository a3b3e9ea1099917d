//! `search` by words and names, ranked.

use foreword_engine::search::SearchResult;
use serde_json::{Map, json};

use super::{LINES, Query, nothing_matched};
use crate::answer::excerpt::of_result;
use crate::answer::search::{Question, ranked, unknown_words};
use crate::feedback::Place;
use crate::tools::evidence::{EvidenceReason, Locator, SiteKind};
use crate::tools::page::{Entry, Page};
use crate::tools::target::Target;

/// Ranked results.
pub(super) fn page(target: &Target<'_>, query: &Query<'_>) -> anyhow::Result<Page> {
    let snapshot = &target.view.snapshot;
    // One more than is shown tells whether there are more.
    let limit = query.offset + query.limit + 1;
    let adjustments = &target.origin.adjustments(snapshot, &query.tags)?;
    let meaning = target.origin.meaning(snapshot, query.text);
    let meanings = meaning.meanings();
    let question = Question { query: query.text, limit, tokens: None, meanings, adjustments };
    let mut answer = ranked(snapshot, &question, &query.filter)?;
    let note = match answer.results.is_empty() {
        true => Some(nothing_matched(target, query)),
        false => meaning.note(),
    };
    let more = answer.results.len() == limit;
    answer.results.truncate(limit - 1);
    target.origin.searched(query.text, answer.results.iter().skip(query.offset).map(place));
    let lines = query.lines.unwrap_or(LINES);
    let locator = Locator::new(snapshot);
    let results = answer.results.iter().skip(query.offset);
    Ok(Page {
        entries: results.map(|it| entry(&locator, it, lines)).collect(),
        offset: query.offset,
        total: None,
        more,
        caution: unknown_words(&answer).filter(|_| !answer.results.is_empty()),
        note,
        fields: Map::new(),
        question: None,
    })
}

/// The place of a result, for feedback.
fn place(it: &SearchResult) -> Place {
    let (start_line, end_line) = it.focus_lines();
    Place { path: it.path.clone(), start_line, end_line, symbol: it.symbol.clone() }
}

fn entry(locator: &Locator<'_>, it: &SearchResult, lines: usize) -> Entry {
    let (start, text) = it.focus_text();
    let evidence = locator
        .text(&it.path, start, it.focus_lines(), text)
        .named(&it.symbol, it.kind.map(SiteKind::Definition))
        .because(it.reasons.iter().cloned().map(EvidenceReason::Ranked));
    let mut entry = Entry::of(evidence, of_result(it, lines));
    entry.fields["score"] = json!((f64::from(it.score) * 100.0).round() / 100.0);
    entry
}
