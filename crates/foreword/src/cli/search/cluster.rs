//! `foreword search --cluster`: the same answer from a cluster with many repositories.

use std::time::{Duration, Instant};

use foreword_cluster::{Branch, ClusterError};
use foreword_engine::index::IndexConfig;
use foreword_engine::search::SearchAnswer;
use foreword_session::answer::search::ranked;
use foreword_session::custom::Adjustments;
use foreword_session::embedding::QuestionMeaning;
use foreword_session::filter::Filter;

use super::{Detail, SearchScope, output_of, question, render, several};
use crate::cli::args::SearchArgs;
use crate::cli::config::Settings;
use crate::cli::push::{connect, repositories};
use crate::cli::{Outcome, output, usage};

/// Answers from the cluster of the arguments.
pub(super) fn run(args: &SearchArgs, query: &str, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    if args.limit == Some(0) {
        return Err(usage("-k 0: one result is the least that can be asked for"));
    }
    let filter = Filter::new(&args.path, &args.lang, &args.kind)?;
    let named = args.at.repository.as_deref().unwrap_or_default();
    let access = repositories(Some(named))?;
    if access.single().is_none() {
        return several::run(args, query, (&access, &filter), settings);
    }
    let repository = named.to_owned();
    let cluster = connect(&args.at)?;
    let adjustments = Adjustments::of_tags(&args.tags.tag)?;
    let meaning = QuestionMeaning::default();
    let question = question(args, query, &meaning, &adjustments);
    let name = args.at.branch.as_deref();
    let attempt = || -> anyhow::Result<_> {
        let mut branch = cluster.open(&repository, name, IndexConfig::default())?;
        super::check_filter(&filter, branch.snapshot())?;
        let answer = branch.answer(|snapshot| ranked(snapshot, &question, &filter))??;
        Ok((branch, answer))
    };
    // A push that replaced the branch may have removed what the answer began with.
    let (branch, answer) = attempt().or_else(|it| match it.downcast_ref() {
        Some(ClusterError::Missing { .. }) => attempt(),
        _ => Err(it),
    })?;
    if branch.cost().is_cut && !settings.quiet {
        output::note(
            "more files could have matching lines than were read; ask with rarer words or --path",
        );
    }
    show(args, query, (&repository, &branch), answer, start.elapsed())
}

/// Prints an answer.
fn show(
    args: &SearchArgs,
    query: &str,
    (repository, branch): (&str, &Branch<'_>),
    answer: SearchAnswer,
    elapsed: Duration,
) -> anyhow::Result<Outcome> {
    let is_empty = answer.results.is_empty();
    if args.json {
        let scope = scope(args, query, repository, branch);
        let of = (branch.snapshot(), scope, "");
        output::json(&output_of(Detail::of(args), of, answer, elapsed))?;
    } else if is_empty {
        let files = branch.snapshot().totals().files;
        output::text(&format!("nothing in {files} files of {repository} matches {query}\n"))?;
    } else {
        output::text(&render::results(&answer, Detail::of(args)))?;
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

fn scope<'s>(
    args: &SearchArgs,
    query: &'s str,
    repository: &str,
    branch: &Branch<'_>,
) -> SearchScope<'s> {
    let url = args.at.cluster.as_deref().unwrap_or_default();
    let totals = branch.snapshot().totals();
    SearchScope {
        root: format!("{} {repository} {}", url.trim_end_matches('/'), branch.name),
        query,
        terms: Vec::new(),
        files: totals.files,
        chunks: totals.chunks,
        unread: None,
        deferred: None,
        embedded: None,
        meaning: None,
    }
}

/// Patterns need every file.
pub(super) fn refuse_pattern() -> anyhow::Error {
    usage(
        "--cluster answers questions, words and names; search patterns in a clone, without --cluster",
    )
}
