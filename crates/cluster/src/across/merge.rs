//! One list of the results of several repositories.
//!
//! The engine's scores are comparable within one answer only: they depend on how rare words are in that repository. So a
//! result counts by the product of that score and two that are comparable: how much of the question its text has, with
//! the weights of all repositories that may be read, and the score of its repository as a candidate. A product has no
//! constants to choose; the numbers are in docs/scale.md.

use foreword_engine::index::bm25::WeightedTerm;
use foreword_engine::index::terms::{identifiers, terms_of};
use foreword_engine::search::SearchResult;
use rustc_hash::FxHashMap;

/// Occurrences of a term after which more of them count little, and the share of the length in that, as in BM25.
const SATURATION: f32 = 1.2;
const LENGTH_SHARE: f32 = 0.6;

/// Terms of a usual result.
const USUAL_LENGTH: f32 = 250.0;

/// How often a term of the path counts.
const PATH_TERM: f32 = 2.0;

/// The results of a repository.
pub struct MergeInput<'r> {
    /// Its score as a candidate; above 0.
    pub score: f32,
    /// Its results, best first.
    pub results: &'r [SearchResult],
}

/// The order of all results: for each, the place of its repository among the inputs, and its rank there from 0.
pub fn merge(inputs: &[MergeInput<'_>], terms: &[WeightedTerm]) -> Vec<(usize, usize)> {
    let mut res: Vec<(f32, usize, usize)> = Vec::new();
    for (repository, it) in inputs.iter().enumerate() {
        for (rank, result) in it.results.iter().enumerate() {
            let score = it.score * result.score * text_score(result, terms);
            res.push((score, rank, repository));
        }
    }
    // Without terms that are known everywhere, by turns.
    res.sort_by(|a, b| {
        let likelier = || inputs[b.2].score.total_cmp(&inputs[a.2].score);
        b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then_with(likelier).then(a.2.cmp(&b.2))
    });
    res.into_iter().map(|(_, rank, repository)| (repository, rank)).collect()
}

/// How much of the question a result has.
fn text_score(it: &SearchResult, terms: &[WeightedTerm]) -> f32 {
    let mut counts: FxHashMap<&str, f32> = terms.iter().map(|it| (&*it.term, 0.0)).collect();
    let mut length = 0.0;
    let mut scratch = String::new();
    let mut count = |text: &str, factor: f32| {
        identifiers(text, |start, end| {
            terms_of(&text[start..end], &mut scratch, |term, _| {
                length += 1.0;
                if let Some(n) = counts.get_mut(term) {
                    *n += factor;
                }
            });
        });
    };
    count(&it.path, PATH_TERM);
    count(&it.text, 1.0);
    let most = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length / USUAL_LENGTH);
    let score = |it: &WeightedTerm| {
        let n = counts.get(&*it.term).copied().unwrap_or_default();
        it.weight * n / (n + most)
    };
    terms.iter().map(score).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(text: &str, score: f32) -> SearchResult {
        SearchResult { text: text.to_owned(), score, ..SearchResult::default() }
    }

    fn term(term: &str, weight: f32) -> WeightedTerm {
        WeightedTerm { term: term.to_owned(), weight }
    }

    #[test]
    fn what_has_the_rare_words_comes_first_wherever_it_is() {
        let many = [result("fn parse() {}", 3.0), result("fn read() {}", 2.0)];
        let right = [result("fn parse_cookie_jar() {}", 2.5)];
        let inputs =
            [MergeInput { score: 1.1, results: &many }, MergeInput { score: 1.0, results: &right }];
        let terms = [term("parse", 1.0), term("cookie", 5.0)];
        assert_eq!(merge(&inputs, &terms), [(1, 0), (0, 0), (0, 1)]);
    }

    #[test]
    fn without_terms_repositories_take_turns() {
        let [a, b] = [[result("a", 9.0), result("b", 8.0)], [result("c", 1.0), result("d", 0.5)]];
        let inputs =
            [MergeInput { score: 1.0, results: &a }, MergeInput { score: 2.0, results: &b }];
        assert_eq!(merge(&inputs, &[]), [(1, 0), (0, 0), (1, 1), (0, 1)]);
    }
}
