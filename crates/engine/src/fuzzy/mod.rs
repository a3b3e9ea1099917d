//! Identifiers and terms that a mistyped word may mean.
//!
//! One edit is an insertion, a deletion, a substitution or a transposition of neighbours. Short words allow none, medium
//! ones one, long ones two: a word of four letters has thousands of neighbours at two edits.

mod automaton;

use std::cmp::Reverse;

use foreword_chunk::Kind;

use crate::index::terms::terms_of;
use crate::index::{DefinitionSite, FileRole, Snapshot};
use crate::preset;
use crate::preset::constants::fuzzy::{
    ONE_EDIT_FROM, ONE_EDIT_WEIGHT, TWO_EDITS_FROM, TWO_EDITS_WEIGHT,
};
use crate::retrieve::query::is_code;
use crate::retrieve::question_query;
use crate::sorting::sort_by;

use self::automaton::EditAutomaton;

/// Terms that replace an unknown word.
const MAX_VARIANTS: usize = 4;

/// A name or a term that is similar to a given word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Similar {
    /// A name as it is written, or a term in lower case.
    pub name: String,
    /// How many edits away; 0 for another spelling in case and underscores.
    pub distance: u32,
    /// Whether something of that name is defined or referred to; otherwise it is only a word of the text.
    pub is_name: bool,
}

/// The names and terms nearest to `word`, without `word` itself: by distance, then defined names before used names before
/// terms, then by frequency, then by name.
///
/// A term is dropped if a name of the same letters is already in the result.
pub fn similar(snapshot: &Snapshot, word: &str, limit: usize) -> Vec<Similar> {
    let Some(near) = EditAutomaton::new(word, edits_for(word)) else { return Vec::new() };
    let mut found: Vec<SimilarCandidate> = snapshot
        .names_like(&near)
        .into_iter()
        .filter(|it| it != word)
        .filter_map(|name| name_candidate(snapshot, &near, name))
        .collect();
    let own = whole_term(word);
    let mut known: Vec<String> = found.iter().map(|it| whole_term(&it.name)).collect();
    known.push(own.clone());
    known.sort_unstable();
    found.extend(
        terms_near(snapshot, &own).into_iter().filter(|it| known.binary_search(&it.name).is_err()),
    );
    found.sort_unstable_by(|a, b| a.key().cmp(&b.key()));
    found.truncate(limit);
    found.into_iter().map(SimilarCandidate::similar).collect()
}

/// Terms to search instead of the words of `query` that the snapshot lacks, with weights, for
/// [`Question::variants`](crate::retrieve::Question::variants). Each term comes once, sorted by weight and term; stop
/// words have none.
pub fn variants(snapshot: &Snapshot, query: &str) -> Vec<(String, f32)> {
    let mut res: Vec<(String, f32)> = Vec::new();
    for term in unknown_terms(snapshot, query) {
        let mut found = terms_near(snapshot, &term);
        found.sort_unstable_by(|a, b| a.key().cmp(&b.key()));
        for it in found.into_iter().take(MAX_VARIANTS) {
            let weight = if it.distance <= 1 { ONE_EDIT_WEIGHT } else { TWO_EDITS_WEIGHT };
            match res.iter_mut().find(|known| known.0 == it.name) {
                Some(known) => known.1 = known.1.max(weight),
                None => res.push((it.name, weight)),
            }
        }
    }
    sort_by(&mut res, |a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    res
}

/// The names that a misspelled name in `query` may mean, the likeliest first: by distance, then names with the same
/// first letter, then code before tests, then by frequency. For [`Question::corrections`](crate::retrieve::Question).
///
/// A query of one word counts as misspelled if nothing defines it; in a sentence, only a word that is spelled like code
/// and occurs nowhere.
pub fn corrections(snapshot: &Snapshot, query: &str) -> Vec<String> {
    let words = question_query(query, snapshot, &preset::search().query).names;
    let is_alone = words.len() == 1;
    let mut res: Vec<String> = Vec::new();
    for word in &words {
        let is_known = !is_alone && snapshot.document_frequency(&whole_term(&word.name)) > 0;
        if is_known
            || !(is_alone || is_code(&word.name))
            || !snapshot.definitions(&word.name).is_empty()
        {
            continue;
        }
        let names = defined_names_near(snapshot, &word.name);
        res.extend(names.into_iter().take(MAX_CORRECTIONS));
    }
    res
}

/// Corrections of one name.
const MAX_CORRECTIONS: usize = 5;

/// Defined names within the allowed edits of `word`, the likeliest first.
fn defined_names_near(snapshot: &Snapshot, word: &str) -> Vec<String> {
    let Some(near) = EditAutomaton::new(word, edits_for(word)) else { return Vec::new() };
    let first =
        |text: &str| text.trim_start_matches('_').chars().next().map(|it| it.to_ascii_lowercase());
    let own = first(word);
    let ranked = |name: String| {
        let distance = near.distance(&name)?;
        let sites = snapshot.definitions(&name);
        let is_code = |it: &DefinitionSite| {
            matches!(snapshot.role(it.file), FileRole::Code | FileRole::Gathering)
        };
        let is_section = sites.iter().all(|it| it.kind == Kind::Section);
        if sites.is_empty() || is_section {
            return None;
        }
        let count: u64 = snapshot.references(&name).iter().map(|it| u64::from(it.1)).sum();
        let is_aside = !sites.iter().any(is_code);
        Some(((distance, first(&name) != own, is_aside, Reverse(count)), name))
    };
    let mut res: Vec<_> = snapshot.names_like(&near).into_iter().filter_map(ranked).collect();
    res.sort_unstable();
    res.into_iter().map(|it| it.1).collect()
}

/// The terms of the query's words, as wholes and in parts, that no chunk has.
fn unknown_terms(snapshot: &Snapshot, query: &str) -> Vec<String> {
    let words = question_query(query, snapshot, &preset::search().query).names;
    let mut res: Vec<String> = Vec::new();
    let mut scratch = String::new();
    for word in &words {
        terms_of(&word.name, &mut scratch, |term, _| {
            if !res.iter().any(|it| it == term) && snapshot.document_frequency(term) == 0 {
                res.push(term.to_owned());
            }
        });
    }
    res
}

/// How many edits a word allows, by its length without underscores.
fn edits_for(word: &str) -> u32 {
    match word.chars().filter(|c| *c != '_').count() {
        TWO_EDITS_FROM.. => 2,
        ONE_EDIT_FROM.. => 1,
        _ => 0,
    }
}

/// The term of the whole identifier; empty if it has none.
fn whole_term(word: &str) -> String {
    let mut res = String::new();
    terms_of(word, &mut String::new(), |term, is_whole| {
        if is_whole {
            term.clone_into(&mut res);
        }
    });
    res
}

/// How names rank at equal distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Defined,
    Used,
    Term,
}

struct SimilarCandidate {
    name: String,
    distance: u32,
    rank: Rank,
    count: u64,
}

impl SimilarCandidate {
    fn key(&self) -> (u32, Rank, Reverse<u64>, &str) {
        (self.distance, self.rank, Reverse(self.count), &self.name)
    }

    fn similar(self) -> Similar {
        Similar { is_name: self.rank != Rank::Term, name: self.name, distance: self.distance }
    }
}

/// A name of this snapshot; `None` if only files outside the view have it.
fn name_candidate(
    snapshot: &Snapshot,
    near: &EditAutomaton,
    name: String,
) -> Option<SimilarCandidate> {
    let distance = near.distance(&name)?;
    let is_defined = !snapshot.definitions(&name).is_empty();
    let uses = snapshot.references(&name);
    let rank = match (is_defined, uses.is_empty()) {
        (true, _) => Rank::Defined,
        (false, false) => Rank::Used,
        (false, true) => return None,
    };
    let count = uses.iter().map(|it| u64::from(it.1)).sum();
    Some(SimilarCandidate { name, distance, rank, count })
}

/// The terms of this snapshot that are similar to `term`, which is in lower case, without `term` itself.
fn terms_near(snapshot: &Snapshot, term: &str) -> Vec<SimilarCandidate> {
    let Some(near) = EditAutomaton::new(term, edits_for(term)).filter(|_| edits_for(term) > 0)
    else {
        return Vec::new();
    };
    let found = |name: String| {
        let distance = near.distance(&name).filter(|it| *it > 0)?;
        let count = u64::from(snapshot.document_frequency(&name));
        (count > 0).then_some(SimilarCandidate { name, distance, rank: Rank::Term, count })
    };
    snapshot.terms_like(&near).into_iter().filter_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    fn snapshot(files: &[(&str, &str)]) -> Snapshot {
        let source = |it: &(&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
        Snapshot::of_sources(files.iter().map(source).collect(), IndexConfig::default()).unwrap()
    }

    fn sample() -> Snapshot {
        snapshot(&[
            (
                "a.py",
                "def parse_request(text):\n    return tokenize(text)\n\ndef ParseRequest():\n    pass\n",
            ),
            (
                "b.py",
                "from a import parse_request\n\nparse_request('x')\nparse_request('y')\n# separator\n",
            ),
            ("c.py", "class URL:\n    pass\n\ndef curl():\n    pass\n"),
        ])
    }

    fn names(word: &str) -> Vec<(String, u32, bool)> {
        let found = similar(&sample(), word, 10);
        found.into_iter().map(|it| (it.name, it.distance, it.is_name)).collect()
    }

    #[test]
    fn a_swapped_pair_of_letters_is_one_edit() {
        assert_eq!(names("parse_reqeust")[0], ("parse_request".into(), 1, true));
    }

    #[test]
    fn another_case_is_no_edit_and_the_word_itself_is_left_out() {
        assert_eq!(names("parse_request"), [("ParseRequest".into(), 0, true)]);
        assert_eq!(names("url"), [("URL".into(), 0, true)]);
    }

    #[test]
    fn short_words_allow_no_edit() {
        assert_eq!(names("crl"), []);
        assert_eq!(names("crul"), [("curl".into(), 1, true)]);
    }

    #[test]
    fn words_of_the_text_come_after_names() {
        assert_eq!(names("seperator"), [("separator".into(), 1, false)]);
        let found = names("tokenise");
        assert_eq!(found[0], ("tokenize".into(), 1, true));
    }

    #[test]
    fn a_definition_comes_before_what_is_only_used() {
        let snapshot = snapshot(&[
            ("a.py", "def handler_b():\n    handler_a()\n    handler_a()\n"),
            ("b.py", "handler_a()\n"),
        ]);
        let found = similar(&snapshot, "handler_c", 10);
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["handler_b", "handler_a", "handler"]);
    }

    #[test]
    fn names_of_files_that_are_gone_are_not_offered() {
        let before = snapshot(&[("a.py", "def parse_request(): pass\n"), ("b.py", "x = 1\n")]);
        let after = before.with_changes(vec![crate::index::Change::Remove("a.py".into())]).unwrap();
        assert_eq!(similar(&after, "parse_reqest", 10), []);
    }

    #[test]
    fn only_unknown_words_of_a_query_have_variants() {
        assert_eq!(
            variants(&sample(), "where is parse_reqeust"),
            [("parserequest".to_owned(), 0.6), ("request".to_owned(), 0.6)]
        );
        assert_eq!(variants(&sample(), "parse_request separator"), []);
        assert_eq!(variants(&sample(), ""), []);
    }

    #[test]
    fn a_misspelt_name_means_the_nearest_definition_however_it_joins_its_words() {
        assert_eq!(corrections(&sample(), "pasreRequest"), ["parse_request", "ParseRequest"]);
        assert_eq!(corrections(&sample(), "curll"), ["curl"]);
        assert_eq!(corrections(&sample(), "parse_request"), Vec::<String>::new());
        assert_eq!(
            corrections(&sample(), "where is parse_reqeust called"),
            ["parse_request", "ParseRequest"]
        );
        assert_eq!(corrections(&sample(), "where is a seperator"), Vec::<String>::new());
    }

    #[test]
    fn two_edits_weigh_less_than_one() {
        assert_eq!(variants(&sample(), "seperater"), [("separator".to_owned(), 0.4)]);
    }
}
