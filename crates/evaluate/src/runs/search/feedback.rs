//! Simulates feedback: a voter judges the answers to half of a repository's questions, with errors; the run measures
//! the other half. It also measures a voter who is always wrong, a loop that accepts the first result each time, and
//! the voted questions again.

use foreword_engine::feedback::{Config, Feedback, Vote};
use foreword_engine::index::Snapshot;
use foreword_engine::pipeline::Control;
use foreword_engine::preset::Preset;
use foreword_engine::search::{SearchRequest, SearchResult, search};
use serde::Serialize;

use super::questions::{Question, QuestionSet, Repository};
use super::{DEPTH, gold_ranks};
use crate::measures::{Estimate, mean, ndcg, paired_difference};
use crate::random::Random;

/// Rounds of the loop.
const ROUNDS: usize = 5;

/// A simulated voter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Voter {
    /// No votes.
    Nobody,
    /// Knows the answer, with this percentage of errors.
    Honest(usize),
    /// Rejects the right files, and accepts the best wrong one.
    Wrong,
    /// Accepts the first result, five times, each time of the updated list.
    FirstShown,
}

/// Scores after the votes, in nDCG@10 of files over chunks.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    /// The voter.
    pub voter: Voter,
    /// The other half of the questions.
    pub held_out: Means,
    /// Questions of the other half whose answer is in a file that answers a question of the first half.
    pub near: Means,
    /// The voted questions, repeated.
    pub again: Means,
}

/// Means of repositories.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Means {
    /// Repositories with such questions, with the mean of each.
    pub(crate) by_repository: Vec<(String, f64)>,
    /// Total number of questions.
    pub questions: usize,
}

impl Means {
    fn add(&mut self, repository: &str, values: &[f64]) {
        if !values.is_empty() {
            self.by_repository.push((repository.to_owned(), mean(values)));
            self.questions += values.len();
        }
    }

    /// The mean of the repositories' means.
    pub fn mean(&self) -> f64 {
        mean(&self.values())
    }

    /// The difference to another voter over the same questions, paired by repository.
    pub fn more_than(&self, others: &Self) -> Estimate {
        paired_difference(&self.values(), &others.values())
    }

    fn values(&self) -> Vec<f64> {
        self.by_repository.iter().map(|it| it.1).collect()
    }
}

/// Simulates each voter.
pub fn simulate(questions: &QuestionSet, preset: &Preset, config: &Config) -> Vec<Effect> {
    let voters = [
        Voter::Nobody,
        Voter::Honest(0),
        Voter::Honest(20),
        Voter::Honest(40),
        Voter::FirstShown,
        Voter::Wrong,
    ];
    voters.into_iter().map(|it| effect(questions, preset, config, it)).collect()
}

fn effect(questions: &QuestionSet, preset: &Preset, config: &Config, voter: Voter) -> Effect {
    let (held_out, near, again) = Default::default();
    let mut res = Effect { voter, held_out, near, again };
    for it in &questions.repositories {
        let feedback = after_votes(it, preset, config, voter);
        let of = |asked: Vec<&Question>| -> Vec<f64> {
            let all = asked.into_iter();
            all.map(|question| measured(it, question, preset, config, &feedback)).collect()
        };
        let is_near = |question: &&Question| {
            half(it, 0).any(|voted| voted.gold.iter().any(|gold| question.gold.contains(gold)))
        };
        res.held_out.add(it.name(), &of(half(it, 1).collect()));
        res.near.add(it.name(), &of(half(it, 1).filter(is_near).collect()));
        res.again.add(it.name(), &of(half(it, 0).collect()));
    }
    res
}

/// Every other question.
fn half(it: &Repository, part: usize) -> impl Iterator<Item = &Question> {
    it.questions.iter().skip(part).step_by(2)
}

/// The feedback after votes on the first half.
fn after_votes(it: &Repository, preset: &Preset, config: &Config, voter: Voter) -> Feedback {
    let mut votes = Vec::new();
    let mut res = Feedback::default();
    let rounds = if voter == Voter::FirstShown { ROUNDS } else { 1 };
    for _ in 0..rounds {
        for question in half(it, 0) {
            let results = results(it, question, preset, config, &res);
            votes.extend(votes_of(question, &results, voter));
        }
        res = Feedback::new(&votes, config);
    }
    res
}

/// The votes on one answer.
fn votes_of(question: &Question, results: &[SearchResult], voter: Voter) -> Vec<Vote> {
    let is_right = |it: &&SearchResult| question.gold.contains(&it.path);
    let vote = |it: &SearchResult, weight| Vote {
        path: it.path.clone(),
        symbol: it.symbol.clone(),
        line: it.start_line,
        question: question.text.clone(),
        weight,
        days: 0.0,
    };
    let right = || results.iter().find(is_right);
    let wrong = || results.iter().find(|it| !is_right(it));
    let (good, bad) = match voter {
        Voter::Nobody => (None, None),
        Voter::FirstShown => (results.first(), None),
        Voter::Wrong => (wrong(), right()),
        Voter::Honest(errors) => match Random::of_name(&question.task.id).below(100) < errors {
            true => (wrong(), right()),
            false => (right(), wrong()),
        },
    };
    good.map(|it| vote(it, 1.0)).into_iter().chain(bad.map(|it| vote(it, -1.0))).collect()
}

fn snapshot<'q>(it: &'q Repository, question: &'q Question) -> &'q Snapshot {
    question.blanked.as_ref().unwrap_or(&it.snapshot)
}

fn results(
    it: &Repository,
    question: &Question,
    preset: &Preset,
    config: &Config,
    feedback: &Feedback,
) -> Vec<SearchResult> {
    let snapshot = snapshot(it, question);
    let weighed = feedback.weigh(&question.text, config);
    let prior = |chunk| weighed.factor(snapshot, chunk).into_iter().collect();
    let mut asked = question.asked();
    asked.prior = (!feedback.is_empty()).then_some(&prior as &dyn Fn(_) -> _);
    let request = SearchRequest { question: asked, limit: DEPTH, tokens: None };
    search(snapshot, &request, preset, &str::len, &mut Control::default()).results
}

fn measured(
    it: &Repository,
    question: &Question,
    preset: &Preset,
    config: &Config,
    feedback: &Feedback,
) -> f64 {
    let results = results(it, question, preset, config, feedback);
    let chunks: Vec<&str> = results.iter().map(|it| it.path.as_str()).collect();
    let gold = gold_ranks(&question.gold, &chunks, &[]);
    let ranks: Vec<_> = gold.iter().map(|it| it.chunk).collect();
    ndcg(&ranks, DEPTH)
}
