//! How well paths match a query: the share of the file's name that its words cover, and the share of the query's words
//! in paths that this path has. Words are weighted by their rarity among the candidates' paths: `schema` says little if
//! half of them contain it.

use rustc_hash::FxHashMap;

use crate::index::PathFeatures;
use crate::index::bm25::idf;
use crate::preset::constants::retrieve::CONVERSATIONAL_WORD;
use crate::retrieve::words::is_stop_word;
use crate::retrieve::{Query, QuestionWord};

/// The words of a query, by form.
pub(super) struct PathQuery<'q> {
    /// For each form, the words that have it, with its weight for each (0 to 1).
    forms: FxHashMap<&'q str, Vec<(usize, f32)>>,
    /// Weight of each term of the query, at most 1.
    terms: FxHashMap<&'q str, f32>,
    n_words: usize,
    /// What each word of a question says; empty at a cursor.
    said: Vec<f32>,
}

/// How well a path matches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PathCoverage {
    /// Share of the stem that the query covers.
    pub(super) stem: f32,
    /// Share of the query's words in paths that this path has.
    pub(super) words: f32,
    /// Share of the question's words that this path has; 0 at a cursor.
    pub(super) question: f32,
}

impl<'q> PathQuery<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        // A query at a cursor has terms but no words: each term is a word.
        let n_words = if query.words.is_empty() { query.terms.len() } else { query.words.len() };
        let mut forms: FxHashMap<&str, Vec<(usize, f32)>> = FxHashMap::default();
        if query.words.is_empty() {
            for (word, it) in query.terms.iter().enumerate() {
                forms.entry(&it.term).or_default().push((word, it.weight.min(1.0)));
            }
        }
        for (word, of_word) in query.words.iter().enumerate() {
            for it in &of_word.forms {
                forms.entry(&it.term).or_default().push((word, it.weight));
            }
        }
        let terms = query.terms.iter().map(|it| (it.term.as_str(), it.weight.min(1.0))).collect();
        let says = |it: &QuestionWord| if it.is_light { CONVERSATIONAL_WORD } else { 1.0 };
        let said = query.words.iter().map(says).collect();
        Self { forms, terms, n_words, said }
    }

    /// Weight of a term of the query, 0 to 1.
    fn weight(&self, term: &str) -> f32 {
        self.terms.get(term).copied().unwrap_or(0.0)
    }

    /// Measures each path.
    pub(super) fn coverages(&self, paths: &[&PathFeatures]) -> Vec<PathCoverage> {
        let n = paths.len() as f32;
        let matched: Vec<Vec<f32>> = paths.iter().map(|it| self.matched(it)).collect();
        let weight = |word| match matched.iter().filter(|it| it[word] > 0.0).count() {
            0 => 0.0,
            n_with => idf(n_with as f32, n),
        };
        let weights: Vec<f32> = (0..self.n_words).map(weight).collect();
        let all: f32 = weights.iter().sum();
        let coverage = |(path, matched): (&&PathFeatures, &Vec<f32>)| {
            let words: f32 = matched.iter().zip(&weights).map(|(it, weight)| it * weight).sum();
            let words = if all > 0.0 { words / all } else { 0.0 };
            PathCoverage { stem: self.stem(path), words, question: self.question(matched) }
        };
        paths.iter().zip(&matched).map(coverage).collect()
    }

    /// Share of the question that words of a path are, given what each matches.
    fn question(&self, matched: &[f32]) -> f32 {
        let all: f32 = self.said.iter().sum();
        let here: f32 = matched.iter().zip(&self.said).map(|(it, said)| it * said).sum();
        if all > 0.0 { here / all } else { 0.0 }
    }

    /// For each word, the weight of its best form in the path.
    fn matched(&self, path: &PathFeatures) -> Vec<f32> {
        let mut res = vec![0.0_f32; self.n_words];
        for term in path.stem.iter().chain(&path.directories) {
            for (word, weight) in self.forms.get(term.as_str()).into_iter().flatten() {
                res[*word] = res[*word].max(*weight);
            }
        }
        res
    }

    /// Share of the stem's words that the query has, without function words.
    fn stem(&self, path: &PathFeatures) -> f32 {
        let said = || path.stem.iter().filter(|it| !is_stop_word(it));
        let covered: f32 = said().map(|it| self.weight(it)).sum();
        covered / said().count().max(1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{FileRole, Snapshot};
    use crate::retrieve::{QueryConfig, question_query};

    fn features(path: &str) -> PathFeatures {
        let source = crate::source::Source { path: path.into(), text: "word = 1\n".into() };
        let snapshot =
            Snapshot::of_sources(vec![source], crate::index::IndexConfig::default()).unwrap();
        let it = snapshot.path_features(snapshot.file(path).unwrap());
        PathFeatures {
            role: FileRole::Code,
            stem: it.stem.clone(),
            directories: it.directories.clone(),
        }
    }

    /// All words with full weight.
    const QUERY: QueryConfig = QueryConfig {
        max_terms: 32,
        sub_word: 1.0,
        lines_before: 0,
        lines_after: 0,
        half_life: 1.0,
        after: 0.0,
        callee: 0.0,
        intent: 0.0,
        changed: 0.0,
        scope: 0.0,
        max_share: 1.0,
    };

    fn coverages(question: &str, paths: &[&str]) -> Vec<PathCoverage> {
        let snapshot = Snapshot::empty(crate::index::IndexConfig::default());
        let query = question_query(question, &snapshot, &QUERY);
        let paths: Vec<PathFeatures> = paths.iter().map(|it| features(it)).collect();
        PathQuery::new(&query).coverages(&paths.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_rare_word_of_a_path_says_more_than_one_that_many_have() {
        let paths = ["session/cookie.py", "session/store.py", "session/base.py", "conn.py"];
        let found = coverages("cookie store of a session", &paths);
        assert!(found[0].words > found[2].words && found[2].words > found[3].words, "{found:?}");
    }
}
