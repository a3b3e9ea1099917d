//! Whether the evidence is enough to answer: what the best of it has of what the question is about.
//!
//! A question is about its telling words. A word that occurs nowhere in the repository and that few repositories have
//! (`graphql`, `kafka`) is what the question is about, and the repository has nothing of it. A word that occurs nowhere but
//! in most other repositories (`collecting`, `dynamic`) is a way of putting it. So each word weighs as much as it tells, and
//! the strength is the part of that weight that one result has.

use std::sync::LazyLock;

use foreword_chunk::Kind;
use rustc_hash::FxHashSet;

use super::find::Found;
use super::types::{AskRequest, QuestionKind};
use super::understand::Understanding;
use crate::fuzzy;
use crate::index::terms::{identifiers, terms_of};
use crate::index::{FileRole, Snapshot};
use crate::retrieve::QuestionWord;
use crate::retrieve::query::is_code;
use crate::search::SearchResult;

/// Words that at least half of 71 public repositories have (`train/common_words`): that one of them is absent from a
/// repository says little.
static COMMON: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| include_str!("common_words.txt").split_whitespace().collect());

/// What a common word weighs, of one that is rare everywhere.
const COMMON_WORD: f32 = 0.6;

/// What a word in the form of a verb or an adjective weighs that the repository does not have: it says how something is done,
/// and what is done is another word.
const INFLECTED: f32 = 0.5;

/// What a word weighs that the repository has, but not where the others are: it may be put in other words there.
const APART: f32 = 0.3;

/// Of how much of the question's weight a definition that it names by a name of code is evidence.
const NAMED: f32 = 0.6;

/// Evidence of less strength is not enough. Chosen on one half of 60 questions about things that are not there and of
/// semble's questions, run `benchmarks/results/2026-11-22-ask.md`.
pub const ENOUGH: f32 = 0.5;

/// How much a result counts for a word that it has in another form, or only as part of a longer one.
const OTHER_FORM: f32 = 0.8;

/// How many results are looked at.
const RESULTS: usize = 10;

/// How strong the evidence is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strength {
    /// 0 to 1: which part of what the question is about the best evidence has; 1 where a place is named outright.
    pub score: f32,
    /// Words of the question that occur nowhere in the repository, as they were written, the most telling first.
    pub absent: Vec<String>,
    /// Words that occur, but not where the others do.
    pub apart: Vec<String>,
    /// The words that were weighed, the heaviest first.
    pub words: Vec<WordStrength>,
}

/// A word of a question, and what the best evidence has of it.
#[derive(Clone, Debug, PartialEq)]
pub struct WordStrength {
    /// The word in lower case.
    pub word: String,
    /// What it tells.
    pub weight: f32,
    /// In how many chunks it is, in any form.
    pub frequency: u32,
    /// Whether most repositories have it.
    pub is_common: bool,
    /// What the best evidence has of it: 0, 1, or between where it has another form.
    pub found: f32,
}

/// Why the evidence is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// Nothing of what the question asks for was found.
    Nothing,
    /// Words of the question occur nowhere.
    Absent(Vec<String>),
    /// All words occur, but nowhere together.
    Apart(Vec<String>),
}

impl Strength {
    /// Whether the evidence is enough to answer.
    pub fn is_enough(&self) -> bool {
        self.score >= ENOUGH
    }

    /// What is missing; `None` if the evidence is enough.
    pub fn weakness(&self) -> Option<Weakness> {
        match (self.is_enough(), self.absent.is_empty(), self.apart.is_empty()) {
            (true, ..) => None,
            (_, false, _) => Some(Weakness::Absent(self.absent.clone())),
            (_, _, false) => Some(Weakness::Apart(self.apart.clone())),
            _ => Some(Weakness::Nothing),
        }
    }
}

/// A word of a question and what it tells.
struct Weighed<'w> {
    word: &'w QuestionWord,
    weight: f32,
    frequency: u32,
    is_absent: bool,
    is_common: bool,
}

/// How strong the found evidence is.
pub(super) fn measure(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
    found: &Found,
) -> Strength {
    let is_certain = understood.is(QuestionKind::Overview) || !understood.places.is_empty();
    if is_certain && snapshot.totals().files > 0 {
        return Strength { score: 1.0, ..Strength::default() };
    }
    let words = weighed(snapshot, request, &found.query.words);
    if words.iter().all(|it| it.weight <= 0.0) {
        let score = if found.items.is_empty() { 0.0 } else { 1.0 };
        return Strength { score, ..Strength::default() };
    }
    let (score, best) = best(&words, &found.results);
    let asked = |(it, has): (&Weighed<'_>, &f32)| {
        if *has == 0.0 && !it.is_absent { APART * it.weight } else { it.weight }
    };
    let total: f32 = words.iter().zip(&best).map(asked).sum();
    let named = |it: &&Weighed<'_>| it.is_absent && !it.is_common;
    let text = |it: &Weighed<'_>| it.word.forms[0].term.clone();
    let mut absent: Vec<&Weighed<'_>> = words.iter().filter(named).collect();
    if absent.is_empty() {
        absent = words.iter().filter(|it| it.is_absent).collect();
    }
    let apart = words.iter().zip(&best).filter(|(it, has)| !it.is_absent && **has == 0.0);
    let floor = if is_named(snapshot, request, understood) { NAMED } else { 0.0 };
    let told = words.iter().zip(&best).map(|(it, found)| WordStrength {
        word: text(it),
        weight: it.weight,
        frequency: it.frequency,
        is_common: it.is_common,
        found: *found,
    });
    Strength {
        score: (score / total.max(f32::MIN_POSITIVE)).max(floor),
        words: told.collect(),
        absent: absent.into_iter().map(text).collect(),
        apart: apart.map(|it| text(it.0)).collect(),
    }
}

/// Whether the question names a definition of the code by a name that is no word of English, and not that of the repository.
fn is_named(snapshot: &Snapshot, request: &AskRequest<'_>, understood: &Understanding) -> bool {
    let own = request.repository.to_lowercase();
    let is_definition = |it: &crate::index::DefinitionSite| {
        matches!(snapshot.role(it.file), FileRole::Code | FileRole::Gathering)
            && !matches!(it.kind, Kind::Section | Kind::Field)
    };
    let is_meant = |it: &&str| is_code(it) && !own.contains(&it.to_lowercase());
    let mut names = understood.names.iter().map(|it| it.name.as_str()).filter(is_meant);
    names.any(|it| snapshot.definitions(it).iter().any(is_definition))
}

/// The result that has most, and what it has of each word.
fn best(words: &[Weighed<'_>], results: &[SearchResult]) -> (f32, Vec<f32>) {
    let mut res = (0.0, vec![0.0; words.len()]);
    for it in results.iter().take(RESULTS) {
        let terms = terms_in(it);
        let has: Vec<f32> = words.iter().map(|it| share(it.word, &terms)).collect();
        let sum = has.iter().zip(words).map(|(has, it)| has * it.weight).sum();
        if sum > res.0 {
            res = (sum, has);
        }
    }
    res
}

/// The terms of a result: of its text, its path and its name.
fn terms_in(it: &SearchResult) -> FxHashSet<String> {
    let mut res = FxHashSet::default();
    let mut scratch = String::new();
    for text in [it.text.as_str(), it.path.as_str(), it.symbol.as_str()] {
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

/// What terms have of a word, 0 to 1.
fn share(word: &QuestionWord, terms: &FxHashSet<String>) -> f32 {
    let has = |it: &crate::index::bm25::WeightedTerm| terms.contains(&it.term);
    match word.forms.iter().position(has) {
        Some(0) => 1.0,
        Some(_) => OTHER_FORM,
        None => 0.0,
    }
}

/// The words of a question that tell something, with what each tells.
fn weighed<'w>(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    words: &'w [QuestionWord],
) -> Vec<Weighed<'w>> {
    let most = (snapshot.totals().chunks as f32 + 1.0).ln().max(1.0);
    let own = request.repository.to_lowercase();
    let mut res = Vec::new();
    // A word of one letter has no term of its own, only one together with the next word.
    let whole = |it: &&QuestionWord| it.forms.first().is_some_and(|it| it.weight >= 1.0);
    for word in words.iter().filter(whole) {
        let written = word.forms[0].term.as_str();
        if written.chars().count() < 2 || own.split(['-', '_', '.', '/']).any(|it| it == written) {
            continue;
        }
        let frequency = frequency(snapshot, word);
        let is_common = word.forms.iter().any(|it| COMMON.contains(it.term.as_str()));
        let is_absent = frequency == 0 && !is_misspelt(snapshot, written);
        let tells = if is_absent { most } else { idf(snapshot, frequency.max(1)) };
        let common = if is_common { COMMON_WORD } else { 1.0 };
        let inflected = if is_absent && is_inflected(written) { INFLECTED } else { 1.0 };
        let weight = tells * common * inflected;
        res.push(Weighed { word, weight, frequency, is_absent, is_common });
    }
    res.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    res
}

/// In how many chunks the word or the most frequent other form of it is.
fn frequency(snapshot: &Snapshot, word: &QuestionWord) -> u32 {
    word.forms.iter().map(|it| snapshot.document_frequency(&it.term)).max().unwrap_or(0)
}

/// Whether a word has the form of a verb, an adjective, an adverb or of a noun that is made of one of them.
fn is_inflected(word: &str) -> bool {
    let endings = [
        "ed", "ing", "able", "ible", "ive", "ly", "ous", "ful", "less", "tion", "tions", "ment",
        "ity", "ness", "ance", "ence", "ies", "izes", "ates",
    ];
    word.len() > 5 && endings.iter().any(|it| word.ends_with(it))
}

fn idf(snapshot: &Snapshot, frequency: u32) -> f32 {
    let (n, total) = (frequency as f32, snapshot.totals().chunks as f32);
    ((total - n + 0.5).max(0.5) / (n + 0.5)).ln_1p()
}

/// Whether a longer word that occurs nowhere is one typing error away from one that does.
fn is_misspelt(snapshot: &Snapshot, word: &str) -> bool {
    word.chars().count() >= LONG && fuzzy::variants(snapshot, word).iter().any(|it| it.1 > NEAR)
}

/// Shorter words have other words for neighbours.
const LONG: usize = 7;

/// The weight of a variant at more than one edit.
const NEAR: f32 = 0.5;
