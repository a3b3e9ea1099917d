//! Queries: weighted terms and names. `question_query.rs` builds them from questions, `hole.rs` from the text around a
//! cursor.

use foreword_chunk::Kind;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

use super::names::Name;
use crate::index::bm25::{WeightedTerm, idf};
use crate::index::terms::terms_of;
use crate::index::{DefinitionSite, FileId, FileRole, Snapshot};
use crate::preset::constants::retrieve::{ALWAYS_RARE_CHUNKS, REPEATED_TERM};
use crate::sorting::sort_by;

/// Configuration of queries.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryConfig {
    /// Maximum number of terms; the heaviest by weight × idf are kept.
    pub max_terms: usize,
    /// Weight of a sub-word relative to its whole identifier.
    pub sub_word: f32,
    /// Lines read before the cursor.
    pub lines_before: usize,
    /// Lines read after the cursor.
    pub lines_after: usize,
    /// Distance in lines at which the weight of a word halves.
    pub half_life: f32,
    /// Weight of words after the cursor relative to words before it.
    pub after: f32,
    /// Added weight of the function whose arguments are being typed.
    pub callee: f32,
    /// Weight of words of the description of what is to be written.
    pub intent: f32,
    /// Added weight of words in changed lines.
    pub changed: f32,
    /// Weight of imported names, enclosing signatures and the file's name.
    pub scope: f32,
    /// Terms in more than this share of all chunks are dropped.
    pub max_share: f32,
}

/// A word of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionWord {
    /// The word in lower case, then its other forms.
    pub forms: Vec<WordForm>,
    /// Whether it says little about the code: a word of everyday English, or what the asker wants to do.
    pub is_light: bool,
}

/// A form in which the code may have a word of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct WordForm {
    /// The term.
    pub term: String,
    /// Its weight relative to the word itself, at most 1.
    pub weight: f32,
    /// The kind of form.
    pub kind: FormKind,
}

/// The kind of a form of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// The word itself, or another inflection of it.
    Word,
    /// A part of it, or it and the word before as one.
    Other,
    /// A word of similar spelling that the repository has, where it lacks all other forms.
    Correction,
}

/// A query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Terms for the lexical index, heaviest first.
    pub terms: Vec<WeightedTerm>,
    /// Names as written, heaviest first.
    pub names: Vec<Name>,
    /// Words of a question with their forms; empty at a cursor.
    pub words: Vec<QuestionWord>,
    /// Whether it reads as names rather than as a sentence.
    pub is_symbol: bool,
    /// Number of words, not counting sub-words and inflected forms.
    pub n_words: usize,
    /// Files that a question names by path or module.
    pub files: Vec<FileId>,
    /// Whether tests are not penalised.
    pub asks_for_tests: bool,
    /// Whether tests are wanted, and other code stands back.
    pub wants_tests: bool,
    /// Names that a misspelled one may mean, likeliest first; their definitions are ranked first.
    pub corrections: Vec<String>,
    /// Words of a question that occur nowhere.
    pub unknown: Vec<UnknownWord>,
}

/// A word of a question that occurs nowhere in the repository, in no form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    /// The word as written.
    pub word: String,
    /// Names and terms of similar spelling that are searched for instead, likeliest first.
    pub similar: Vec<String>,
}

pub(super) fn speaks_of_tests(terms: &[WeightedTerm]) -> bool {
    terms.iter().any(|it| matches!(it.term.as_str(), "test" | "tests"))
}

/// Whether a word looks like an identifier: it has an inner underscore or capital.
pub(crate) fn is_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    inner.contains('_') || inner.chars().skip(1).any(char::is_uppercase)
}

/// Whether a word is the code of an error or a rule: `E108`, `W0640`, `TS2322`. It means one thing, and has no spelling.
pub(crate) fn is_error_code(word: &str) -> bool {
    let digits = word.trim_start_matches(|it: char| it.is_ascii_uppercase());
    let n_letters = word.len() - digits.len();
    (1..=4).contains(&n_letters)
        && (3..=6).contains(&digits.len())
        && digits.bytes().all(|it| it.is_ascii_digit())
}

/// Whether a question wants tests themselves, not code about tests: "which tests check …", "tests for …", "where is …
/// tested".
pub(super) fn wants_tests(question: &str) -> bool {
    let words: Vec<String> = question
        .split(|it: char| !it.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let is_asked = |at: usize| match word(at) {
        "tests" => {
            at == 0
                || matches!(word(at - 1), "which" | "what")
                || matches!(word(at + 1), "for" | "of" | "that")
        }
        "tested" => matches!(word(0), "where" | "how" | "is" | "are"),
        _ => false,
    };
    (0..words.len()).any(is_asked)
}

/// Whether a word has lower-case ASCII letters only, as a word of a sentence.
pub(crate) fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_lowercase())
}

/// Whether the project's own code has a type or function of that name, and at most `most` definitions in all.
pub(crate) fn names_code(snapshot: &Snapshot, name: &str, most: usize) -> bool {
    let is_own = |it: &DefinitionSite| {
        let role = snapshot.role(it.file);
        matches!(role, FileRole::Code | FileRole::Gathering)
            && !matches!(it.kind, Kind::Section | Kind::Field | Kind::Constant)
    };
    snapshot.definitions_up_to(name, most).is_some_and(|it| it.iter().any(is_own))
}

/// Accumulates term weights. A repeated term has the weight of its heaviest occurrence, plus a fraction of the others.
pub(super) struct Weights<'c> {
    config: &'c QueryConfig,
    weights: FxHashMap<String, f32>,
    scratch: String,
}

/// Adds a further occurrence.
fn again(known: &mut f32, weight: f32) {
    *known = known.max(weight) + REPEATED_TERM * known.min(weight);
}

impl<'c> Weights<'c> {
    pub(super) fn new(config: &'c QueryConfig) -> Self {
        // A question of ten words has about two hundred forms.
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

    /// Returns the heaviest terms by weight × idf, without those that are too common, unless all are.
    pub(super) fn finish(self, snapshot: &Snapshot, config: &QueryConfig) -> Vec<WeightedTerm> {
        let chunks = snapshot.totals().chunks as f32;
        let mut weights: Vec<(String, f32)> = self.weights.into_iter().collect();
        weights.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let terms: Vec<&str> = weights.iter().map(|it| it.0.as_str()).collect();
        let frequencies = snapshot.document_frequencies(&terms);
        let known = weights.into_iter().zip(frequencies).filter_map(|((term, weight), n)| {
            let n = n as f32;
            let idf = idf(n, chunks);
            let tells = n <= chunks * config.max_share || n < ALWAYS_RARE_CHUNKS;
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
