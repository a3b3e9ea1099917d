//! Whether the evidence is enough to answer: what of the question the repository is about.
//!
//! A question is about its telling words. A word that occurs nowhere in the repository and that few repositories have
//! (`graphql`, `kafka`) is what the question is about, and the repository has nothing of it. A word that occurs nowhere but
//! in most other repositories (`collecting`, `dynamic`) is a way of putting it. A word that only a comment, a test or a
//! document has is mentioned, and one that definitions of the code are called by is what the code does. `words` says what each
//! word tells, `standing` where it stands, and `score` what follows from that.

mod score;
mod standing;
mod words;

use foreword_chunk::Kind;
use rustc_hash::FxHashSet;

use super::find::Found;
use super::types::{AskRequest, QuestionKind};
use super::understand::Understanding;
use crate::index::{FileRole, Snapshot};
use crate::retrieve::query::is_code;
use crate::search::SearchResult;

pub use standing::Standing;
use words::{Weighed, share, terms_in};
pub(super) use words::{coverage, weighed};

/// What a word weighs that the repository has, but not where the others are: it may be put in other words there.
const APART: f32 = 0.3;

/// Of how much of the question's weight a definition that it names by a name of code is evidence.
const NAMED: f32 = 0.6;

/// Evidence of less strength is not enough (`score` is fitted so that this is the threshold).
pub const ENOUGH: f32 = 0.5;

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
    /// Words that only comments, tests, documents or data have, and that few repositories have.
    pub aside: Vec<String>,
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
    /// What any of the results has of it.
    pub near: f32,
    /// What the path and the name of the result with the best path and name have of it.
    pub titled: f32,
    /// Where it stands in the repository.
    pub standing: Standing,
    /// Whether the question writes it as a name: with a capital, inside of the sentence.
    pub is_name: bool,
}

/// Why the evidence is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// Nothing of what the question asks for was found.
    Nothing,
    /// Words of the question occur nowhere.
    Absent(Vec<String>),
    /// Words of the question are only mentioned: in comments, tests, documents or data.
    Aside(Vec<String>),
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
        match () {
            () if self.is_enough() => None,
            () if !self.absent.is_empty() => Some(Weakness::Absent(self.absent.clone())),
            () if !self.aside.is_empty() => Some(Weakness::Aside(self.aside.clone())),
            () if !self.apart.is_empty() => Some(Weakness::Apart(self.apart.clone())),
            () => Some(Weakness::Nothing),
        }
    }
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
    let results = &found.results;
    if words.iter().all(|it| it.weight <= 0.0) {
        let score = if found.items.is_empty() { 0.0 } else { 1.0 };
        return Strength { score, ..Strength::default() };
    }
    let text = |it: &SearchResult| terms_in(&[&it.text, &it.path, &it.symbol]);
    let title = |it: &SearchResult| terms_in(&[&it.path, &it.symbol]);
    let (covered, found_in_best) = best(&words, results, text);
    let (_, titled) = best(&words, results, title);
    let near = near(&words, results);
    let told = told(snapshot, request, &words, [&found_in_best, &titled, &near]);
    let score = match is_about_documents(understood, &told) {
        true => covered / asked(&words, &found_in_best).max(f32::MIN_POSITIVE),
        false => score::score(&told),
    };
    let named = if is_named(snapshot, request, understood) { NAMED } else { 0.0 };
    let is_known_elsewhere = |it: &&WordStrength| {
        matches!(it.standing, Standing::Outside | Standing::Body) && !it.is_common
    };
    let aside = told.iter().filter(is_known_elsewhere).map(|it| it.word.clone()).collect();
    let apart = words.iter().zip(&found_in_best).filter(|(it, has)| !it.is_absent && **has == 0.0);
    let apart = apart.map(|it| it.0.written.clone()).collect();
    let score = score.max(named).max(found.stated);
    Strength { score, absent: absent(&words), apart, aside, words: told }
}

/// Words that no file has: those that few repositories have, if there are such.
fn absent(words: &[Weighed]) -> Vec<String> {
    let (common, rare): (Vec<&Weighed>, Vec<&Weighed>) =
        words.iter().filter(|it| it.is_absent).partition(|it| it.is_common);
    let all = if rare.is_empty() { common } else { rare };
    all.into_iter().map(|it| it.written.clone()).collect()
}

/// What a question asks for in all; a word that stands apart from the others asks for less.
fn asked(words: &[Weighed], found: &[f32]) -> f32 {
    let asked = |(it, has): (&Weighed, &f32)| {
        if *has == 0.0 && !it.is_absent { APART * it.weight } else { it.weight }
    };
    words.iter().zip(found).map(asked).sum()
}

/// Whether what is asked stands in documents rather than in code: how something is done, or a repository without code.
fn is_about_documents(understood: &Understanding, words: &[WordStrength]) -> bool {
    let is_code = |it: &WordStrength| it.standing > Standing::Outside;
    understood.is(QuestionKind::HowTo) || !words.iter().any(is_code)
}

/// What is said of each word; the shares are those of the best result, of the best title and of all results together.
fn told(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    words: &[Weighed],
    shares: [&[f32]; 3],
) -> Vec<WordStrength> {
    let [found, titled, near] = shares;
    let told = |(n, it): (usize, &Weighed)| WordStrength {
        word: it.written.clone(),
        weight: it.weight,
        frequency: it.frequency,
        is_common: it.is_common,
        found: found[n],
        near: near[n],
        titled: titled[n],
        standing: standing::standing(snapshot, request, &it.forms),
        is_name: it.is_name,
    };
    words.iter().enumerate().map(told).collect()
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
fn best(
    words: &[Weighed],
    results: &[SearchResult],
    terms: impl Fn(&SearchResult) -> FxHashSet<String>,
) -> (f32, Vec<f32>) {
    let mut res = (0.0, vec![0.0; words.len()]);
    for it in results.iter().take(RESULTS) {
        let terms = terms(it);
        let has: Vec<f32> = words.iter().map(|it| share(it, &terms)).collect();
        let sum = has.iter().zip(words).map(|(has, it)| has * it.weight).sum();
        if sum > res.0 {
            res = (sum, has);
        }
    }
    res
}

/// What all results together have of each word.
fn near(words: &[Weighed], results: &[SearchResult]) -> Vec<f32> {
    let texts = results.iter().take(RESULTS).flat_map(|it| [&it.text, &it.path, &it.symbol]);
    let texts: Vec<&str> = texts.map(String::as_str).collect();
    let terms = terms_in(&texts);
    words.iter().map(|it| share(it, &terms)).collect()
}
