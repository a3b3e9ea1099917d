//! Identifiers and terms that a mistyped word may mean.
//!
//! One edit is an insertion, a deletion, a substitution or a transposition of neighbours. Short words allow none, medium
//! ones one, long ones two: a word of four letters has thousands of neighbours at two edits.

mod automaton;
mod correct;
mod parts;

use std::cmp::Reverse;

use crate::index::Snapshot;
use crate::index::terms::terms_of;
use crate::preset::constants::fuzzy::{BY_PARTS, ONE_EDIT_FROM, TWO_EDITS_FROM};

use self::automaton::EditAutomaton;
pub(crate) use self::correct::{corrected, variants};
use self::parts::names_with_parts;

/// A name or a term that is similar to a given word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Similar {
    /// A name as it is written, or a term in lower case.
    pub name: String,
    /// How many edits away; 0 for another spelling in case and underscores, 3 for a name that only has parts of the word.
    pub distance: u32,
    /// Whether something of that name is defined or referred to; otherwise it is only a word of the text.
    pub is_name: bool,
}

/// The names and terms nearest to `word`, without `word` itself: by distance, then defined names before used names before
/// terms, then by frequency, then by name.
///
/// A term is dropped if a name of the same letters is already in the result. Where nothing is near, names that have the
/// parts of the word are returned.
pub fn similar(snapshot: &Snapshot, word: &str, limit: usize) -> Vec<Similar> {
    let Some(near) = EditAutomaton::new(word, edits_for(word)) else { return Vec::new() };
    let mut found: Vec<SimilarCandidate> = snapshot
        .names_like(&near.question(), &near, &|_| true)
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
    if !found.is_empty() {
        return found.into_iter().map(SimilarCandidate::similar).collect();
    }
    let by_parts = names_with_parts(snapshot, word, limit);
    by_parts.into_iter().map(|name| Similar { name, distance: BY_PARTS, is_name: true }).collect()
}

/// How many edits `text` is from `word`, without regard to case and underscores; `None` if these are too many for a word of
/// this length.
pub fn distance(word: &str, text: &str) -> Option<u32> {
    EditAutomaton::new(word, edits_for(word))?.distance(text)
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
    snapshot.terms_like(&near.question(), &near).into_iter().filter_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::preset;
    use crate::retrieve::query::FormKind;
    use crate::retrieve::question_query;
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
    fn a_name_is_similar_part_by_part_where_nothing_is_near_as_a_whole() {
        let snapshot = snapshot(&[
            (
                "sessions.py",
                "class SecureCookieSession: pass\ndef open_session(): pass\ndef cookie_name(): pass\n",
            ),
            ("test_sessions.py", "def test_session_cookie(): pass\n"),
        ]);
        let names = |word: &str| -> Vec<String> {
            similar(&snapshot, word, 10).into_iter().map(|it| it.name).collect()
        };
        let both = ["SecureCookieSession", "test_session_cookie"];
        assert_eq!(names("sesion_cookie"), both);
        assert_eq!(names("get_sesion_cookie"), both);
        // A part that nothing is like, and a single word.
        assert_eq!(names("sesion_zebra"), Vec::<String>::new());
        assert_eq!(names("zebra"), Vec::<String>::new());
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
    fn two_edits_weigh_less_than_one() {
        let variants = |word: &str| -> Vec<(String, f32)> {
            variants(&sample(), word).into_iter().map(|it| (it.term, it.weight)).collect()
        };
        // The parts of a name are corrected only if nothing is like the whole.
        assert_eq!(variants("parse_reqeust"), [("parserequest".to_owned(), 0.8)]);
        assert_eq!(variants("send_reqeust"), [("request".to_owned(), 0.8)]);
        assert_eq!(variants("seperater"), [("separator".to_owned(), 0.4)]);
        assert_eq!(variants("parse_request"), []);
        assert_eq!(variants(""), []);
    }

    #[test]
    fn two_words_written_as_one_are_both_looked_for() {
        let files = [
            (".pre-commit-config.yaml", "repos:\n  - id: check\n"),
            ("a.py", "def commit(pre):\n    return window(pre)\n"),
        ];
        let snapshot = snapshot(&files);
        let told = |question: &str| -> Vec<String> {
            let query = question_query(question, &snapshot, &preset::search().query);
            let query = corrected(query, &snapshot);
            let terms: Vec<&str> = query.terms.iter().map(|it| it.term.as_str()).collect();
            let both = terms.contains(&"pre") && terms.contains(&"commit");
            assert_eq!(both, question.contains("precommit"), "{question}: {terms:?}");
            query.unknown.into_iter().flat_map(|it| it.similar).collect()
        };
        assert_eq!(told("where are precommit hooks"), ["pre commit"]);
        // One letter is likelier wrong than a blank missing, and both words must be there.
        assert_eq!(told("where is the windov"), ["window"]);
        assert_eq!(told("where is the prezebra"), Vec::<String>::new());
    }

    /// The names that are looked for instead of misspelled ones, and the unknown words with what is similar.
    fn check(question: &str, names: &[&str], unknown: &[(&str, &[&str])]) {
        let snapshot = sample();
        let query = question_query(question, &snapshot, &preset::search().query);
        let query = corrected(query, &snapshot);
        assert_eq!(query.corrections, names, "{question}");
        let told: Vec<(&str, Vec<&str>)> = query
            .unknown
            .iter()
            .map(|it| (it.word.as_str(), it.similar.iter().map(String::as_str).collect()))
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            unknown.iter().map(|(word, similar)| (*word, similar.to_vec())).collect();
        assert_eq!(told, expected, "{question}");
    }

    #[test]
    fn a_misspelt_name_means_the_nearest_definition_however_it_joins_its_words() {
        let both = &["parse_request", "ParseRequest"];
        check("pasreRequest", both, &[("pasreRequest", both)]);
        check("curll", &["curl"], &[("curll", &["curl"])]);
        check("where is parse_reqeust called", both, &[("parse_reqeust", both)]);
    }

    #[test]
    fn a_misspelt_word_of_a_sentence_means_a_word_of_the_text() {
        check("where is a seperator", &[], &[("seperator", &["separator"])]);
    }

    #[test]
    fn what_is_named_like_the_corrected_word_is_named_like_the_question() {
        let snapshot = sample();
        let query = question_query("where is a seperator", &snapshot, &preset::search().query);
        let query = corrected(query, &snapshot);
        let word = query.words.iter().find(|it| it.forms[0].term == "seperator").unwrap();
        let form = word.forms.iter().find(|it| it.term == "separator").unwrap();
        assert_eq!(form.kind, FormKind::Correction, "`ask` does not take it for the word");
    }

    #[test]
    fn an_unknown_name_without_a_neighbour_is_told() {
        check("follow_zebra_limit", &[], &[("follow_zebra_limit", &[])]);
    }

    #[test]
    fn known_words_are_kept_in_every_form() {
        check("parse_request", &[], &[]);
        check("parsing of requests", &[], &[]);
        check("where are separators", &[], &[]);
        // Most repositories have these two words.
        check("does anything happen before the request", &[], &[]);
    }
}
