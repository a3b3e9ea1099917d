//! Which repositories are likely to answer a question: those with the files whose features promise most.

use std::collections::BTreeSet;

use foreword_engine::index::bm25::WeightedTerm;
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::preset;
use foreword_engine::retrieve::{FormKind, Query, WordForm, question_query};
use serde_json::{Value, json};

use super::access::Access;
use crate::client::Cluster;
use crate::error::ClusterError;

/// Different terms that are counted: a word has some twenty forms, of which a few are written anywhere.
const MOST_COUNTED: usize = 128;

/// Files of which the repositories are looked at. The best files of all are found without a look at most others, the best
/// file of each repository only by a look at all of them: that took six to ten times as long.
const MOST_FILES: usize = 1000;

/// Rounds of such looks, each without the repositories that are known, before the best file of each of the others is
/// asked for.
const MOST_ROUNDS: usize = 4;

/// Terms that are asked for, of those that some file has.
const MOST_TERMS: usize = 64;

/// Weight of a word that says little about the code, as in the engine.
const LIGHT_WORD: f32 = 0.3;

/// The words of a question and their forms with weights, whichever repository is asked: of each word one form after the
/// other, itself first, so that a long question keeps all of its words.
pub(super) fn question_terms(question: &str) -> QuestionTerms {
    let nothing = Snapshot::of_sources(Vec::new(), IndexConfig::default());
    let Ok(nothing) = nothing else { return QuestionTerms::default() };
    let query = question_query(question, &nothing, &preset::search().query);
    let name = compound_name(&query).map(str::to_owned);
    let most = query.words.iter().map(|it| it.forms.len()).max().unwrap_or(0);
    let mut known = BTreeSet::new();
    let mut res = Vec::new();
    for n in 0..most {
        for word in &query.words {
            let Some(it) = word.forms.get(n).filter(|it| known.insert(&it.term)) else { continue };
            let share = if word.is_light { LIGHT_WORD } else { 1.0 };
            res.push(WeightedTerm { term: it.term.clone(), weight: it.weight * share });
        }
    }
    res.truncate(MOST_COUNTED);
    QuestionTerms { terms: res, name }
}

/// The term of the name that is asked for, if that is one name of several words: who asks for `parseConfig` means no
/// repository that has `parse` and `config`.
fn compound_name(query: &Query) -> Option<&str> {
    let [word] = &*query.words else { return None };
    let is_whole = |it: &&WordForm| it.kind == FormKind::Word;
    let has_parts = query.is_symbol && word.forms.len() > 1;
    word.forms.iter().find(is_whole).filter(|_| has_parts).map(|it| it.term.as_str())
}

/// The terms of a question.
#[derive(Debug, Default)]
pub(super) struct QuestionTerms {
    /// All of them, with weights.
    pub(super) terms: Vec<WeightedTerm>,
    /// The one that a repository must have, if any repository has it.
    name: Option<String>,
}

/// A repository that may answer a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The repository.
    pub repository: String,
    /// Upper bound of the score of its best file, by the frequencies of terms in all repositories that may be read.
    pub score: f32,
}

/// Repositories that may answer a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidates {
    /// Best first.
    pub candidates: Vec<Candidate>,
    /// Terms with their weights, times the logarithm of how rare they are in all repositories that may be read.
    pub terms: Vec<WeightedTerm>,
    /// Shards that did not answer; repositories there are missing.
    pub failed_shards: u64,
    /// All shards.
    pub shards: u64,
}

impl Candidates {
    /// Adds the repositories of files, best first; the number of files.
    fn add(&mut self, reply: &Value, access: &Access) -> usize {
        let hits = reply["hits"]["hits"].as_array().map(Vec::as_slice).unwrap_or_default();
        for hit in hits {
            let repository = hit["fields"]["repository"][0].as_str();
            let is_known = |it: &Candidate| Some(it.repository.as_str()) == repository;
            if !self.candidates.iter().any(is_known) {
                self.candidates.extend(candidate(hit, access));
            }
        }
        let shard = |it: &str| reply["_shards"][it].as_u64().unwrap_or_default();
        self.failed_shards = self.failed_shards.max(shard("failed"));
        self.shards = shard("total");
        hits.len()
    }
}

impl Cluster {
    /// The repositories with the files that can score best for the words of a question, at most so many.
    pub fn candidates(
        &self,
        question: &str,
        access: &Access,
        most: usize,
    ) -> Result<Candidates, ClusterError> {
        let QuestionTerms { terms, name } = question_terms(question);
        if terms.is_empty() || !self.has_index()? {
            return Ok(Candidates::default());
        }
        let mut allowed = filters(&self.filters_of(access)?);
        let mut terms = self.weighed(terms, &allowed)?;
        let name = name.filter(|name| terms.iter().any(|it| it.term == *name));
        allowed.extend(name.map(|it| self.rank_feature("terms", &it, 1.0)));
        terms.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.term.cmp(&b.term)));
        terms.truncate(MOST_TERMS);
        self.best_of(terms, (&allowed, access), most)
    }

    /// The repositories with the best files for weighted terms, at most so many.
    fn best_of(
        &self,
        terms: Vec<WeightedTerm>,
        (allowed, access): (&[Value], &Access),
        most: usize,
    ) -> Result<Candidates, ClusterError> {
        let should: Vec<Value> =
            terms.iter().map(|it| self.rank_feature("terms", &it.term, it.weight)).collect();
        let mut res = Candidates { terms, ..Candidates::default() };
        for round in 0.. {
            let known: Vec<&String> = res.candidates.iter().map(|it| &it.repository).collect();
            let mut body = json!({
                "size": MOST_FILES, "_source": false, "track_total_hits": false,
                "stored_fields": "_none_", "docvalue_fields": ["repository"],
                "query": { "bool": {
                    "filter": allowed, "must_not": { "terms": { "repository": known } },
                    "should": should, "minimum_should_match": 1,
                } },
            });
            let is_last = round == MOST_ROUNDS;
            if is_last {
                body["size"] = most.into();
                body["collapse"] = json!({ "field": "repository" });
            }
            let reply = self.search_shards(&body)?;
            let n_hits = res.add(&reply, access);
            let is_all = is_last || n_hits < MOST_FILES || res.candidates.len() >= most;
            if is_all || reply["timed_out"] == true {
                break;
            }
        }
        res.candidates.truncate(most);
        Ok(res)
    }

    /// Multiplies weights by how rare the terms are among the files that may be read; terms without a file are left out.
    fn weighed(
        &self,
        terms: Vec<WeightedTerm>,
        allowed: &[Value],
    ) -> Result<Vec<WeightedTerm>, ClusterError> {
        let named = |(n, it): (usize, &WeightedTerm)| {
            (format!("{n}"), self.rank_feature("terms", &it.term, 1.0))
        };
        let counted: serde_json::Map<String, Value> = terms.iter().enumerate().map(named).collect();
        let body = json!({
            "size": 0, "track_total_hits": true,
            "query": { "bool": { "filter": allowed } },
            "aggs": { "terms": { "filters": { "filters": counted } } },
        });
        let reply = self.search_shards(&body)?;
        let all = reply["hits"]["total"]["value"].as_f64().unwrap_or_default();
        let weigh = |(n, it): (usize, WeightedTerm)| {
            let bucket = &reply["aggregations"]["terms"]["buckets"][n.to_string()];
            let files = bucket["doc_count"].as_f64().filter(|it| *it > 0.0)?;
            let rarity = (1.0 + (all - files + 0.5) / (files + 0.5)).ln();
            Some(WeightedTerm { weight: it.weight * rarity as f32, ..it })
        };
        Ok(terms.into_iter().enumerate().filter_map(weigh).collect())
    }
}

/// All files that may be read, without those that another version of foreword pushed, which this one could not answer from.
/// Of early pushes the version is not known.
fn filters(of_access: &[Value]) -> Vec<Value> {
    let mut res = of_access.to_vec();
    res.push(json!({ "term": { "kind": "file" } }));
    let analysis = IndexConfig::default().exported_version().to_string();
    let is_unknown = json!({ "bool": { "must_not": { "exists": { "field": "analysis" } } } });
    let is_ours = json!({ "term": { "analysis": analysis } });
    res.push(json!({ "bool": { "should": [is_ours, is_unknown], "minimum_should_match": 1 } }));
    res
}

fn candidate(hit: &Value, access: &Access) -> Option<Candidate> {
    let repository = hit["fields"]["repository"][0].as_str()?;
    let score = hit["_score"].as_f64()? as f32;
    let res = Candidate { repository: repository.to_owned(), score };
    access.reads_repository(repository).then_some(res)
}
