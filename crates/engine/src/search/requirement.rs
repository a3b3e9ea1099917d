//! What a result must have where a name is asked for that does not exist: parts of it alone match anything.

use rustc_hash::FxHashSet;

use crate::index::terms::{identifiers, terms_of};
use crate::retrieve::Query;

/// Lists of terms; a result has all terms of one list.
pub(super) struct Requirement(Vec<Vec<String>>);

impl Requirement {
    /// For names, some of which occur nowhere: one of the other names, a similar one, or all parts of an unknown one.
    /// `None` for other queries.
    pub(super) fn of(query: &Query) -> Option<Self> {
        if !query.is_symbol || query.unknown.is_empty() {
            return None;
        }
        let is_unknown = |name: &str| query.unknown.iter().any(|it| it.word == name);
        let known = query.names.iter().map(|it| it.name.as_str()).filter(|it| !is_unknown(it));
        let similar = query.unknown.iter().flat_map(|it| &it.similar).map(String::as_str);
        let whole = known.chain(similar).map(|it| terms(it).0);
        let parts = query.unknown.iter().map(|it| terms(&it.word).1);
        Some(Self(whole.chain(parts).filter(|it| !it.is_empty()).collect()))
    }

    /// Whether a text has all terms of one list.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let Self(lists) = self;
        let mut left: Vec<FxHashSet<&str>> =
            lists.iter().map(|it| it.iter().map(String::as_str).collect()).collect();
        let mut scratch = String::new();
        identifiers(text, |start, end| {
            terms_of(&text[start..end], &mut scratch, |term, _| {
                for it in &mut left {
                    it.remove(term);
                }
            });
        });
        left.iter().any(FxHashSet::is_empty)
    }
}

/// The term of a name as a whole, and those of its parts.
fn terms(name: &str) -> (Vec<String>, Vec<String>) {
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    terms_of(name, &mut String::new(), |term, is_whole| {
        let list = if is_whole { &mut whole } else { &mut parts };
        list.push(term.to_owned());
    });
    (whole, parts)
}
