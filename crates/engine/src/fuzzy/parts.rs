//! Names with the parts of a half-remembered one: `sesion_cookie` means `SecureCookieSession`.

use std::cell::RefCell;
use std::cmp::Reverse;

use foreword_chunk::Kind;
use fst::automaton::AlwaysMatch;

use super::terms_near;
use crate::index::terms::terms_of;
use crate::index::{FileRole, Snapshot};
use crate::preset::constants::fuzzy::{MOST_OTHER_PARTS, MOST_PARTS};

/// The defined names that have all parts of `word` but one (both of two), each as it is or as the nearest term of the
/// repository: those that lack fewest parts first, then those with fewest others, then code, then by frequency. Reads all
/// names of the repository, some 25 ms for a million lines.
pub(super) fn names_with_parts(snapshot: &Snapshot, word: &str, limit: usize) -> Vec<String> {
    let parts = parts_of(word);
    let least = parts.len().saturating_sub(1).max(2);
    if !(least..=MOST_PARTS).contains(&parts.len()) {
        return Vec::new();
    }
    let known: Vec<String> = parts.iter().filter_map(|it| nearest(snapshot, it)).collect();
    if known.len() < least {
        return Vec::new();
    }
    let scratch = RefCell::new(String::new());
    // Parts of a name that are of the word, and others.
    let counts = |name: &str| {
        let (mut n_own, mut n_other) = (0, 0);
        terms_of(name, &mut scratch.borrow_mut(), |term, is_whole| {
            let is_own = known.iter().any(|it| it == term);
            n_own += usize::from(is_own);
            n_other += usize::from(!is_own && !is_whole);
        });
        (n_own, n_other)
    };
    let has_parts = |name: &str| {
        let (n_own, n_other) = counts(name);
        n_own >= least && n_other <= MOST_OTHER_PARTS
    };
    let question = format!("parts {least} {}", known.join(" "));
    let found = snapshot.names_like(&question, &AlwaysMatch, &has_parts).into_iter();
    let ranked = |name: String| {
        let (n_own, n_other) = counts(&name);
        let missing = parts.len().saturating_sub(n_own);
        Some((missing, n_other, importance(snapshot, &name)?, name))
    };
    let mut ranked: Vec<_> = found.filter_map(ranked).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|it| it.3).take(limit).collect()
}

/// The parts of a name, in lower case; empty for a single word.
fn parts_of(word: &str) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    terms_of(word, &mut String::new(), |term, is_whole| {
        if !is_whole && !res.iter().any(|it| it == term) {
            res.push(term.to_owned());
        }
    });
    res
}

/// The part itself, or the nearest and most frequent term that the repository has.
fn nearest(snapshot: &Snapshot, part: &str) -> Option<String> {
    if snapshot.document_frequency(part) > 0 {
        return Some(part.to_owned());
    }
    let mut near = terms_near(snapshot, part);
    near.sort_unstable_by(|a, b| a.key().cmp(&b.key()));
    near.into_iter().next().map(|it| it.name)
}

/// The rank of a name among similar ones: first those that code defines and not only tests and the like, then by number
/// of uses. `None` for what is not defined.
pub(super) fn importance(snapshot: &Snapshot, name: &str) -> Option<(bool, Reverse<u64>)> {
    let mut sites = snapshot.definitions(name);
    sites.retain(|it| it.kind != Kind::Section);
    let is_code = sites
        .iter()
        .any(|it| matches!(snapshot.role(it.file), FileRole::Code | FileRole::Gathering));
    let n_uses = snapshot.references(name).iter().map(|it| u64::from(it.1)).sum();
    (!sites.is_empty()).then_some((!is_code, Reverse(n_uses)))
}
