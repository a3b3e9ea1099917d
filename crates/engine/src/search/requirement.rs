//! What a result must have where a name is asked for that does not exist: parts of it alone match anything.

use rustc_hash::FxHashSet;

use crate::index::terms::{identifiers, terms_of};
use crate::preset::constants::search::REMEMBERED_PARTS;
use crate::retrieve::Query;

/// A result has all terms of one list, or a name with all parts but one of an unknown name.
pub(super) struct Requirement {
    lists: Vec<Vec<String>>,
    parts: Vec<Vec<String>>,
}

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
        let parts: Vec<Vec<String>> = query.unknown.iter().map(|it| terms(&it.word).1).collect();
        let lists = whole.chain(parts.iter().cloned()).filter(|it| !it.is_empty()).collect();
        Some(Self {
            lists,
            parts: parts.into_iter().filter(|it| it.len() >= REMEMBERED_PARTS).collect(),
        })
    }

    /// A text has what is required.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let mut left: Vec<FxHashSet<&str>> =
            self.lists.iter().map(|it| it.iter().map(String::as_str).collect()).collect();
        let (mut scratch, mut is_near) = (String::new(), false);
        // The parts found in one identifier, as bits: a part that is there twice counts once.
        let mut found = vec![0_u64; self.parts.len()];
        identifiers(text, |start, end| {
            found.fill(0);
            terms_of(&text[start..end], &mut scratch, |term, _| {
                for it in &mut left {
                    it.remove(term);
                }
                for (bits, parts) in found.iter_mut().zip(&self.parts) {
                    let part = parts.iter().position(|it| it == term);
                    *bits |= part.map_or(0, |it| 1 << it.min(63));
                }
            });
            let counts = found.iter().map(|it| it.count_ones() as usize);
            is_near |= counts.zip(&self.parts).any(|(n, parts)| n + 1 >= parts.len());
        });
        is_near || left.iter().any(FxHashSet::is_empty)
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
