//! Searches the repository for a text, for every step that looks for words.

use super::types::AskRequest;
use super::understand::Understanding;
use crate::custom::Subject;
use crate::index::Snapshot;
use crate::pipeline::Control;
use crate::preset::constants::ask::{PASSAGE_LINES, PASSAGES};
use crate::retrieve::Question;
use crate::search::{SearchRequest, SearchResult, search};

/// Runs the search of the command `search`.
pub(super) fn results(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    query: &str,
    limit: usize,
) -> Vec<SearchResult> {
    let accept = |file, definition, bytes| {
        let subject = Subject { snapshot, file, definition, bytes };
        request.tags.is_none_or(|it| it.passes(&subject))
    };
    let question = Question {
        text: query,
        kinds: &[],
        keep: request.keep,
        meanings: request.meanings,
        prior: request.prior,
        accept: request.tags.map(|_| &accept as &dyn Fn(_, _, _) -> bool),
    };
    let preset = &request.config().search;
    let request = SearchRequest { question, limit, tokens: None };
    search(snapshot, &request, preset, &str::len, &mut Control::default()).results
}

/// A search result that a model may reorder.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The file.
    pub path: String,
    /// First line of `text`, 1-based.
    pub start_line: u32,
    /// Dotted name of the definition; empty where there is none.
    pub symbol: String,
    /// The best-matching lines.
    pub text: String,
}

/// Returns the passages for a question, best first.
pub fn passages(snapshot: &Snapshot, request: &AskRequest<'_>) -> Vec<Passage> {
    let understood = Understanding::new(snapshot, request);
    let passage = |it: &SearchResult| {
        let excerpt = it.excerpt(PASSAGE_LINES);
        let (start_line, text) = (excerpt.start_line, excerpt.text.to_owned());
        Passage { path: it.path.clone(), start_line, symbol: it.symbol.clone(), text }
    };
    results(snapshot, request, &understood.query, PASSAGES).iter().map(passage).collect()
}
