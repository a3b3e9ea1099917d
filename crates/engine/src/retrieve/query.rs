//! What to look for: the terms of a query with their weights. A question is read in `question_query.rs`, the text around a
//! hole in `hole.rs`.

use crate::sorting::sort_by;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

use super::names::Name;
use crate::index::Snapshot;
use crate::index::bm25::WeightedTerm;
use crate::index::terms::terms_of;

/// How queries are made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryConfig {
    /// How many terms a query has at the most, the heaviest by weight × idf.
    pub max_terms: usize,
    /// Sub-words weigh this much of a whole identifier.
    pub sub_word: f32,
    /// How many lines before the hole are read.
    pub lines_before: usize,
    /// How many lines after the hole are read.
    pub lines_after: usize,
    /// The distance, in lines, at which a word weighs half as much as at the hole.
    pub half_life: f32,
    /// The weight of words after the hole, against those before it.
    pub after: f32,
    /// What is added for the name of the call whose arguments are being typed.
    pub callee: f32,
    /// The weight of the words that say what is to be written.
    pub intent: f32,
    /// What is added for a word in lines that the user changed.
    pub changed: f32,
    /// The weight of imported names, enclosing signatures and the file's own name.
    pub scope: f32,
    /// Terms in more than this share of all chunks say nothing.
    pub max_share: f32,
}

/// A word of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionWord {
    /// The word in lower case, then other forms of it and its parts, with weights of at most 1.
    pub forms: Vec<WeightedTerm>,
}

/// What to look for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Terms for the lexical index, the heaviest first.
    pub terms: Vec<WeightedTerm>,
    /// Names as written, the heaviest first.
    pub names: Vec<Name>,
    /// The words of a question, each with its forms; empty for a hole.
    pub words: Vec<QuestionWord>,
    /// Whether it reads as one or several names rather than as a sentence.
    pub is_symbol: bool,
    /// How many words it has (terms that sub-words and variants gave are not counted).
    pub n_words: usize,
    /// Whether tests are as welcome as other code.
    pub asks_for_tests: bool,
    /// Names that a misspelt one may mean, the likeliest first; what defines them comes before all else.
    pub corrections: Vec<String>,
}

/// Words that say nothing in a question.
pub(super) const STOP_WORDS: &[&str] = &[
    "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "between", "by", "can",
    "code", "could", "did", "do", "does", "each", "find", "for", "from", "get", "given", "has",
    "have", "how", "if", "in", "into", "is", "it", "its", "me", "of", "on", "or", "other", "out",
    "place", "places", "should", "show", "so", "some", "such", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "to", "up", "used", "uses", "using", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "would",
    "you",
];

pub(super) fn speaks_of_tests(terms: &[WeightedTerm]) -> bool {
    terms.iter().any(|it| matches!(it.term.as_str(), "test" | "tests"))
}

/// Whether a word in lower case says nothing in a question.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether only code has such a word.
pub(crate) fn is_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    inner.contains('_') || inner.chars().skip(1).any(char::is_uppercase)
}

/// The weight of another form of a word.
pub(super) const VARIANT: f32 = 0.5;

/// Words of fewer letters have no other forms: `x` is not `xor`, `a` not `aed`.
const SHORTEST_INFLECTED: usize = 3;

/// Other forms of an English word that a text about the same thing may have.
pub(super) fn variants(word: &str) -> Vec<String> {
    let mut res = Vec::new();
    if word.chars().count() < SHORTEST_INFLECTED {
        return res;
    }
    let mut stems = vec![word.to_owned()];
    for (suffix, replacements) in [
        ("ies", &["y"][..]),
        ("sses", &["ss"]),
        ("es", &["e", ""]),
        ("s", &[""]),
        ("ing", &["", "e"]),
        ("ed", &["", "e"]),
        ("er", &["", "e"]),
        ("or", &["", "e"]),
        ("ation", &["ate", "e"]),
        ("tion", &["t", "te"]),
        ("ment", &[""]),
        ("ity", &["", "e"]),
        ("ety", &["e"]),
    ] {
        if let Some(stem) = word.strip_suffix(suffix).filter(|it| it.len() >= 3) {
            stems.extend(replacements.iter().map(|it| format!("{stem}{it}")));
            // running → run
            let mut last = stem.chars().rev();
            if last.next() == last.next() {
                stems.push(stem[..stem.len() - 1].to_owned());
            }
        }
    }
    for stem in stems {
        let short = stem.strip_suffix('e').unwrap_or(&stem);
        res.extend(["s", "ing", "ed", "er", "or"].map(|it| format!("{short}{it}")));
        res.push(format!("{stem}s"));
        res.push(stem);
    }
    res.retain(|it| it != word && it.len() > 2);
    res.sort_unstable();
    res.dedup();
    res
}

/// Term weights in the making: a term met several times weighs as its nearest occurrence, and a little more.
pub(super) struct Weights<'c> {
    config: &'c QueryConfig,
    weights: FxHashMap<String, f32>,
    scratch: String,
}

/// A term is met again.
fn again(known: &mut f32, weight: f32) {
    *known = known.max(weight) + REPEATED * known.min(weight);
}

/// What each further occurrence adds of its own weight.
const REPEATED: f32 = 0.2;

impl<'c> Weights<'c> {
    pub(super) fn new(config: &'c QueryConfig) -> Self {
        // A question of ten words has some two hundred forms of them.
        let weights = FxHashMap::with_capacity_and_hasher(256, FxBuildHasher);
        Self { config, weights, scratch: String::new() }
    }

    pub(super) fn config(&self) -> &'c QueryConfig {
        self.config
    }

    pub(super) fn add(&mut self, identifier: &str, weight: f32) {
        let mut scratch = std::mem::take(&mut self.scratch);
        terms_of(identifier, &mut scratch, |term, is_whole| {
            self.add_term(term, if is_whole { weight } else { weight * self.config.sub_word });
        });
        self.scratch = scratch;
    }

    pub(super) fn add_term(&mut self, term: &str, weight: f32) {
        match self.weights.get_mut(term) {
            Some(known) => again(known, weight),
            None => drop(self.weights.insert(term.to_owned(), weight)),
        }
    }

    pub(super) fn add_owned(&mut self, term: String, weight: f32) {
        self.weights.entry(term).and_modify(|known| again(known, weight)).or_insert(weight);
    }

    /// The terms that the snapshot has and that tell chunks apart, by weight × idf; all that it has when none does.
    pub(super) fn finish(self, snapshot: &Snapshot, config: &QueryConfig) -> Vec<WeightedTerm> {
        let chunks = snapshot.totals().chunks as f32;
        let mut weights: Vec<(String, f32)> = self.weights.into_iter().collect();
        weights.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let terms: Vec<&str> = weights.iter().map(|it| it.0.as_str()).collect();
        let frequencies = snapshot.document_frequencies(&terms);
        let known = weights.into_iter().zip(frequencies).filter_map(|((term, weight), n)| {
            let n = n as f32;
            let idf = ((chunks - n + 0.5) / (n + 0.5)).ln_1p();
            let tells = n <= chunks * config.max_share || n < 10.0;
            (n > 0.0).then_some((tells, weight * idf, WeightedTerm { term, weight }))
        });
        let known: Vec<(bool, f32, WeightedTerm)> = known.collect();
        let any_tells = known.iter().any(|it| it.0);
        let kept = known.into_iter().filter(|it| it.0 || !any_tells);
        let mut ranked: Vec<(f32, WeightedTerm)> = kept.map(|it| (it.1, it.2)).collect();
        sort_by(&mut ranked, |a, b| b.0.total_cmp(&a.0).then_with(|| a.1.term.cmp(&b.1.term)));
        ranked.truncate(config.max_terms);
        ranked.into_iter().map(|it| it.1).collect()
    }
}
