//! Weights of the words of a question, and the forms in which the repository may have them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::types::AskRequest;
use crate::fuzzy;
use crate::index::Snapshot;
use crate::index::bm25::WeightedTerm;
use crate::index::terms::{identifiers, terms_of};
use crate::preset::constants::ask::{
    ABSENT_INFLECTED_WORD, COMMON_WORD, OTHER_FORM, TYPO_CHARS, TYPO_WEIGHT,
};
use crate::retrieve::QuestionWord;
use crate::retrieve::query::FormKind;
use crate::retrieve::query::is_code;
use crate::retrieve::words::is_common;
use crate::sorting::sort_by;

/// A query word and its weight.
pub(in super::super) struct WordWeight {
    /// As in the question.
    pub(super) written: String,
    /// The word as a term, then other forms of it.
    pub(super) forms: Vec<String>,
    /// Inverse document frequency, reduced for common and inflected words.
    pub(super) weight: f32,
    /// Number of chunks with the most frequent form.
    pub(super) frequency: u32,
    /// Whether no file has any form.
    pub(super) is_absent: bool,
    /// Whether most repositories have it.
    pub(super) is_common: bool,
    /// Whether the question writes it as a name.
    pub(super) is_name: bool,
}

/// The terms of texts.
pub(super) fn terms_in(texts: &[&str]) -> FxHashSet<String> {
    let mut res = FxHashSet::default();
    let mut scratch = String::new();
    for text in texts {
        identifiers(text, |start, end| {
            terms_of(&text[start..end], &mut scratch, |term, _| {
                if !res.contains(term) {
                    res.insert(term.to_owned());
                }
            });
        });
    }
    res
}

/// The words of a question by their terms: as first written, and whether it is as a name, with an inner underscore or a
/// capital that does not begin a sentence.
fn spellings(question: &str) -> FxHashMap<String, (&str, bool)> {
    let mut res = FxHashMap::default();
    identifiers(question, |start, end| {
        let word = &question[start..end];
        let before = question[..start].trim_end();
        let begins = before.is_empty() || before.ends_with(['.', '?', '!', ':']);
        let is_name =
            is_code(word) || word.chars().skip(usize::from(begins)).any(char::is_uppercase);
        terms_of(word, &mut String::new(), |term, is_whole| {
            if is_whole {
                let known = res.entry(term.to_owned()).or_insert((word, is_name));
                known.1 |= is_name;
            }
        });
    });
    res
}

/// Share of a word, 0 to 1, that terms cover.
pub(super) fn share(word: &WordWeight, terms: &FxHashSet<String>) -> f32 {
    match word.forms.iter().position(|it| terms.contains(it)) {
        Some(0) => 1.0,
        Some(_) => OTHER_FORM,
        None => 0.0,
    }
}

/// Share of a question's weight, 0 to 1, that texts cover.
pub(in super::super) fn coverage(words: &[WordWeight], texts: &[&str]) -> f32 {
    let terms = terms_in(texts);
    let all: f32 = words.iter().map(|it| it.weight).sum();
    let has: f32 = words.iter().map(|it| it.weight * share(it, &terms)).sum();
    if all > 0.0 { has / all } else { 0.0 }
}

/// Weighs the words of a question, the heaviest first.
pub(in super::super) fn word_weights(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    words: &[QuestionWord],
) -> Vec<WordWeight> {
    let own = request.repository.to_lowercase();
    // A word of one letter has a term only together with the next word.
    let is_whole = |it: &&QuestionWord| it.forms.first().is_some_and(|it| it.weight >= 1.0);
    let tells = |it: &&QuestionWord| {
        let written = it.forms[0].term.as_str();
        written.chars().count() >= 2 && !own.split(['-', '_', '.', '/']).any(|it| it == written)
    };
    let spellings = spellings(request.question);
    let words = words.iter().filter(is_whole).filter(tells);
    let mut res: Vec<WordWeight> = words.map(|it| weigh(snapshot, &spellings, it)).collect();
    sort_by(&mut res, |a, b| b.weight.total_cmp(&a.weight));
    res
}

fn weigh(
    snapshot: &Snapshot,
    spellings: &FxHashMap<String, (&str, bool)>,
    word: &QuestionWord,
) -> WordWeight {
    let most = (snapshot.totals().chunks as f32 + 1.0).ln().max(1.0);
    let term = &word.forms[0].term;
    let spelling = spellings.get(term);
    let written = spelling.map_or(term.as_str(), |it| it.0).to_owned();
    let name = spelling.filter(|it| it.1).map(|it| it.0);
    // Of what is spelt alike, `near_spellings` counts.
    let own = word.forms.iter().filter(|it| it.kind != FormKind::Correction);
    let mut forms: Vec<String> = own.clone().map(|it| it.term.clone()).collect();
    // Parts of a name that the code lacks are unrelated words: `JavaScript` is not a script of Java.
    if let Some(parts) = name.map(parts).filter(|it| !it.is_empty())
        && snapshot.definitions(name.unwrap_or_default()).is_empty()
    {
        forms.retain(|it| !parts.contains(it));
    }
    let mut frequency = frequency(snapshot, &forms);
    let near = if frequency == 0 { near_spellings(snapshot, term) } else { Vec::new() };
    let is_absent = frequency == 0 && near.is_empty();
    if frequency == 0 {
        frequency = self::frequency(snapshot, &near);
        forms.extend(near);
    }
    let is_common = own.clone().any(|it| is_common(&it.term));
    let tells = if is_absent { most } else { snapshot.idf_of(frequency.max(1)) };
    let common = if is_common { COMMON_WORD } else { 1.0 };
    let inflected = if is_absent && is_inflected(term) { ABSENT_INFLECTED_WORD } else { 1.0 };
    let weight = tells * common * inflected;
    WordWeight { written, forms, weight, frequency, is_absent, is_common, is_name: name.is_some() }
}

/// The parts of a name with inner capitals.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut res = Vec::new();
    terms_of(name, &mut String::new(), |term, is_whole| {
        if !is_whole {
            res.push(term.to_owned());
        }
    });
    res
}

/// Number of chunks with the most frequent form.
fn frequency(snapshot: &Snapshot, forms: &[String]) -> u32 {
    forms.iter().map(|it| snapshot.document_frequency(it)).max().unwrap_or(0)
}

/// Whether a word has the ending of a verb, an adjective, an adverb or a noun derived from one.
fn is_inflected(word: &str) -> bool {
    let endings = [
        "ed", "ing", "able", "ible", "ive", "ly", "ous", "ful", "less", "tion", "tions", "ment",
        "ity", "ness", "ance", "ence", "ies", "izes", "ates", "tten", "oken", "aken", "iven",
    ];
    word.len() > 5 && endings.iter().any(|it| word.ends_with(it))
}

/// Words that are one typing error away from a word that occurs nowhere. A short word (`saml`, `sentry`) has others near
/// it by chance: of those only words count that most repositories have and that begin and end alike (`eror`).
fn near_spellings(snapshot: &Snapshot, word: &str) -> Vec<String> {
    let is_long = word.chars().count() >= TYPO_CHARS;
    let ends = |it: &str| (it.chars().next(), it.chars().next_back());
    let is_usual = |it: &str| is_common(it) && ends(it) == ends(word);
    let is_meant = |it: &WeightedTerm| it.weight > TYPO_WEIGHT && (is_long || is_usual(&it.term));
    let variants = fuzzy::variants(snapshot, word).into_iter();
    variants.filter(is_meant).map(|it| it.term).collect()
}
