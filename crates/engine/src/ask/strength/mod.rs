//! Judges whether the evidence is enough to answer the question.
//!
//! A rare word that occurs nowhere in the repository (`graphql`, `kafka`) is what the question is about, and the
//! repository lacks it. An absent word that most other repositories have (`collecting`, `dynamic`) is only phrasing. A
//! word in comments, tests and documents alone is mentioned; a word in names of definitions is what the code does.
//! `words` weighs each word, `occurrence` finds where it occurs, `score` combines both, `verdict` has the result.

mod occurrence;
mod score;
mod verdict;
mod words;

use foreword_chunk::Kind;
use rustc_hash::FxHashSet;

use super::find::Matches;
use super::types::{AskRequest, QuestionKind};
use super::understand::Understanding;
use crate::index::terms::identifiers;
use crate::index::{FileRole, Snapshot};
use crate::preset::constants::ask::{
    JUDGED_RESULTS, LEADING_MATCHES, NAMED_DEFINITION, SCATTERED_WORD,
};
use crate::preset::constants::search::{REMEMBERED_PARTS, SHORTEST_PART};
use crate::retrieve::query::is_code;
use crate::search::SearchResult;

pub use verdict::{Occurrence, Strength, Weakness, WordStrength};
use words::{WordWeight, parts, share, terms_in};
pub(super) use words::{coverage, word_weights};

/// Returns the strength of the evidence; `stated` is the coverage of the team's statements.
pub(super) fn measure(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
    (matches, stated): (&Matches, f32),
) -> Strength {
    let is_certain = understood.is(QuestionKind::Overview) || !understood.places.is_empty();
    if is_certain && snapshot.totals().files > 0 {
        return Strength { score: 1.0, ..Strength::default() };
    }
    let words = word_weights(snapshot, request, &matches.query.words);
    let results = &matches.results;
    if words.iter().all(|it| it.weight <= 0.0) {
        let score = if matches.drafts.is_empty() { 0.0 } else { 1.0 };
        return Strength { score, ..Strength::default() };
    }
    let text = |it: &SearchResult| terms_in(&[&it.text, &it.path, &it.symbol]);
    let title = |it: &SearchResult| terms_in(&[&it.path, &it.symbol]);
    let (covered, found_in_best) = best(&words, results, text);
    let (_, titled) = best(&words, results, title);
    let near = covered_by_all(&words, results);
    let told = word_strengths(snapshot, request, &words, [&found_in_best, &titled, &near]);
    let score = match is_about_documents(understood, &told) {
        true => covered / question_weight(&words, &found_in_best).max(f32::MIN_POSITIVE),
        false => score::score(&told),
    };
    let is_named = is_named(snapshot, request, understood) || is_half_remembered(matches);
    let named = if is_named { NAMED_DEFINITION } else { 0.0 };
    let only = |occurrence: Occurrence| -> Vec<String> {
        let is_only = |it: &&WordStrength| it.occurrence == occurrence && !it.is_common;
        told.iter().filter(is_only).map(|it| it.word.clone()).collect()
    };
    let (outside, in_bodies) = (only(Occurrence::Outside), only(Occurrence::Body));
    let scattered =
        words.iter().zip(&found_in_best).filter(|(it, has)| !it.is_absent && **has == 0.0);
    let scattered = scattered.map(|it| it.0.written.clone()).collect();
    let score = score.max(named).max(stated);
    Strength { score, absent: absent(&words), scattered, outside, in_bodies, words: told }
}

/// Absent words: the rare ones, if there are any.
fn absent(words: &[WordWeight]) -> Vec<String> {
    let (common, rare): (Vec<&WordWeight>, Vec<&WordWeight>) =
        words.iter().filter(|it| it.is_absent).partition(|it| it.is_common);
    let all = if rare.is_empty() { common } else { rare };
    all.into_iter().map(|it| it.written.clone()).collect()
}

/// Weight of the whole question; a word outside the best evidence counts less.
fn question_weight(words: &[WordWeight], found: &[f32]) -> f32 {
    let asked = |(it, has): (&WordWeight, &f32)| {
        if *has == 0.0 && !it.is_absent { SCATTERED_WORD * it.weight } else { it.weight }
    };
    words.iter().zip(found).map(asked).sum()
}

/// Whether the answer is in documents rather than in code: a question about how to do something, or a repository
/// without code.
fn is_about_documents(understood: &Understanding, words: &[WordStrength]) -> bool {
    let is_code = |it: &WordStrength| it.occurrence > Occurrence::Outside;
    understood.is(QuestionKind::HowTo) || !words.iter().any(is_code)
}

/// The strength of each word; the shares are those of the best result, of the best title, and of all results.
fn word_strengths(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    words: &[WordWeight],
    shares: [&[f32]; 3],
) -> Vec<WordStrength> {
    let [found, titled, near] = shares;
    let told = |(n, it): (usize, &WordWeight)| WordStrength {
        word: it.written.clone(),
        weight: it.weight,
        frequency: it.frequency,
        is_common: it.is_common,
        found: found[n],
        near: near[n],
        titled: titled[n],
        occurrence: occurrence::occurrence(snapshot, request, &it.forms),
        is_name: it.is_name,
    };
    words.iter().enumerate().map(told).collect()
}

/// Whether the question names a definition by a name that only code has, other than the repository's.
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

/// A name in the question is half remembered if a name in the first results has all of its parts, in full or shortened:
/// `ParseNetAddr` may mean `ParseNetworkAddress`.
fn is_half_remembered(matches: &Matches) -> bool {
    let is_part = |a: &String, b: &String| {
        a.len().min(b.len()) >= SHORTEST_PART
            && (a.starts_with(b.as_str()) || b.starts_with(a.as_str()))
    };
    let is_like = |name: &[String], written: &str| {
        let written = parts(written);
        name.iter().all(|part| written.iter().any(|it| is_part(it, part)))
    };
    let has = |name: &[String], text: &str| {
        let mut has = false;
        identifiers(text, |start, end| has = has || is_like(name, &text[start..end]));
        has
    };
    let names = matches.query.names.iter().filter(|it| is_code(&it.name)).map(|it| parts(&it.name));
    let mut names = names.filter(|it| it.len() >= REMEMBERED_PARTS);
    names.any(|name| matches.results.iter().take(LEADING_MATCHES).any(|it| has(&name, &it.text)))
}

/// Coverage of the best result, and its share of each word.
fn best(
    words: &[WordWeight],
    results: &[SearchResult],
    terms: impl Fn(&SearchResult) -> FxHashSet<String>,
) -> (f32, Vec<f32>) {
    let mut res = (0.0, vec![0.0; words.len()]);
    for it in results.iter().take(JUDGED_RESULTS) {
        let terms = terms(it);
        let has: Vec<f32> = words.iter().map(|it| share(it, &terms)).collect();
        let sum = has.iter().zip(words).map(|(has, it)| has * it.weight).sum();
        if sum > res.0 {
            res = (sum, has);
        }
    }
    res
}

/// Share of each word that all results together have.
fn covered_by_all(words: &[WordWeight], results: &[SearchResult]) -> Vec<f32> {
    let texts = results.iter().take(JUDGED_RESULTS).flat_map(|it| [&it.text, &it.path, &it.symbol]);
    let texts: Vec<&str> = texts.map(String::as_str).collect();
    let terms = terms_in(&texts);
    words.iter().map(|it| share(it, &terms)).collect()
}
