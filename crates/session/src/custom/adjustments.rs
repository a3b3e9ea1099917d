//! Adjustments of answers: votes on earlier answers, customisation by team and user, and requested tags.

use std::sync::Arc;

use foreword_engine::ask::AskRequest;
use foreword_engine::custom::{Customisation, TagFilter};
use foreword_engine::evidence::Feature;
use foreword_engine::feedback::{Config, Feedback, VoteWeights};
use foreword_engine::index::{ChunkId, FileId, Snapshot};
use foreword_load::Workspace;

use super::Additions;
use crate::feedback;
use crate::filter::Filter;
use crate::setup::Setup;

/// Votes, customisation and tags of an answer; none by default.
#[derive(Default)]
pub struct Adjustments {
    /// Votes on earlier answers.
    pub feedback: Arc<Feedback>,
    /// Additions of the team and the user.
    pub additions: Arc<Additions>,
    /// Required and excluded tags.
    pub tags: TagFilter,
}

impl Adjustments {
    /// Those of a repository, with tags as given: `async`, `!test`.
    pub fn new(
        setup: &Setup,
        workspace: &Workspace,
        snapshot: &Snapshot,
        tags: &[String],
    ) -> anyhow::Result<Self> {
        let feedback = feedback::of(setup, workspace);
        let additions = super::of(setup, workspace, snapshot);
        let tags = additions.tags(tags)?;
        Ok(Self { feedback, additions, tags })
    }

    /// Tags alone, of a repository whose customisation and votes are not here.
    pub fn of_tags(tags: &[String]) -> anyhow::Result<Self> {
        Ok(Self { tags: Additions::default().tags(tags)?, ..Self::default() })
    }

    /// Whether a file may have results.
    pub fn accepts(&self, filter: &Filter, snapshot: &Snapshot, file: FileId) -> bool {
        filter.accepts(snapshot, file) && self.tags.may_pass(snapshot, file)
    }

    /// Whether it excludes any files.
    pub(crate) fn restricts_files(&self, filter: &Filter) -> bool {
        filter.restricts_files() || !self.tags.is_empty()
    }

    /// The factors of scores for a question.
    pub fn weights<'w>(&'w self, snapshot: &'w Snapshot, question: &str) -> Weights<'w> {
        let votes =
            (!self.feedback.is_empty()).then(|| self.feedback.weigh(question, &Config::IN_FORCE));
        let said = &self.additions.said;
        Weights { snapshot, votes, rules: said.weighs().then_some(said) }
    }

    /// Passes a request with these adjustments to `work`.
    pub fn apply<T>(
        &self,
        request: &AskRequest<'_>,
        snapshot: &Snapshot,
        filter: &Filter,
        work: impl FnOnce(AskRequest<'_>) -> T,
    ) -> T {
        let accepts = |file| self.accepts(filter, snapshot, file);
        let weights = self.weights(snapshot, request.question);
        let factors = |chunk| weights.factors(chunk);
        work(AskRequest {
            keep: self.restricts_files(filter).then_some(&accepts as &dyn Fn(FileId) -> bool),
            prior: (!weights.is_empty()).then_some(&factors as &dyn Fn(ChunkId) -> _),
            tags: (!self.tags.is_empty()).then_some(&self.tags),
            custom: self.additions.sources.as_ref(),
            ..*request
        })
    }
}

/// Factors of scores.
pub struct Weights<'w> {
    snapshot: &'w Snapshot,
    votes: Option<VoteWeights<'w>>,
    rules: Option<&'w Customisation>,
}

impl Weights<'_> {
    /// Whether no score has a factor.
    pub fn is_empty(&self) -> bool {
        self.votes.is_none() && self.rules.is_none()
    }

    /// The factors of a chunk.
    pub fn factors(&self, chunk: ChunkId) -> Vec<(Feature, f32)> {
        let votes = self.votes.as_ref().and_then(|it| it.factor(self.snapshot, chunk));
        let rules = self.rules.and_then(|it| it.factor(self.snapshot, chunk));
        votes.into_iter().chain(rules).collect()
    }
}
