//! Measures how often `ask` detects that a repository lacks the answer.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use foreword_engine::ask::{AskRequest, gather};
use foreword_engine::index::Snapshot;
use foreword_model::TokenCounter;
use rayon::prelude::*;
use serde::Serialize;

use super::AbsentSource;
use super::outcome::StrengthOutcome;
use crate::tasks::corpora::git_dir;
use crate::tasks::git::Git;
use crate::tasks::split::short_name;

/// A question without an answer in its repository.
#[derive(Clone, Debug, Serialize)]
pub struct AbsentOutcome {
    pub(crate) repo: String,
    /// The half of the file it is in: thresholds are chosen on one.
    pub(crate) half: String,
    pub(crate) question: String,
    /// Strength of the evidence; it should be insufficient.
    pub(crate) strength: StrengthOutcome,
}

/// Runs each question of the file, over the last commit of its repository.
pub fn ask_absent(source: &AbsentSource, tokens: usize) -> Result<Vec<AbsentOutcome>> {
    let shown = source.file.display();
    let text =
        std::fs::read_to_string(&source.file).with_context(|| format!("cannot read {shown}"))?;
    let mut by_repository: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (n, line) in text.lines().enumerate().skip(1) {
        let mut parts = line.split('\t');
        let row = (parts.next(), parts.next(), parts.next());
        let (Some(repo), Some(half), Some(question)) = row else {
            anyhow::bail!("{shown}:{}: repository, half and question are expected", n + 1);
        };
        by_repository.entry(repo).or_default().push((half, question));
    }
    let dirs =
        source.corpora.git_dirs.as_deref().context("the repositories are in git: --git-dirs")?;
    let ask = |(repo, rows): (&str, Vec<(&str, &str)>)| {
        let mut git = Git::open(&git_dir(dirs, repo))?;
        let snapshot = git.snapshot("HEAD")?;
        let outcome = |(half, question): (&str, &str)| AbsentOutcome {
            repo: repo.to_owned(),
            half: half.to_owned(),
            question: question.to_owned(),
            strength: strength(&snapshot, repo, question, tokens),
        };
        Ok(rows.into_iter().map(outcome).collect())
    };
    let all: Vec<Result<Vec<AbsentOutcome>>> = by_repository.into_par_iter().map(ask).collect();
    let all: Result<Vec<Vec<AbsentOutcome>>> = all.into_iter().collect();
    Ok(all?.concat())
}

fn strength(snapshot: &Snapshot, repo: &str, question: &str, tokens: usize) -> StrengthOutcome {
    let counter = TokenCounter::general();
    let repository = short_name(repo);
    let request = AskRequest { question, repository, tokens, ..AskRequest::default() };
    StrengthOutcome::new(&gather(snapshot, &request, &|text| counter.count(text)).strength)
}
