//! Forecasts for one file of a commit while all of its other files are written already: what an edit elsewhere implies
//! here.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use foreword_chunk::Language;
use foreword_engine::index::{Change, CommitDiff, FileDiff, Snapshot};
use foreword_engine::scope::Resolver;
use foreword_engine::source::Source;

use super::history::{HistorySettings, LoggedCommit, log};
use super::{JudgedFile, judge};
use crate::random::Random;
use crate::tasks::corpora::git_dir;
use crate::tasks::git::Git;

/// Larger commits are imports, moves and reformatting.
const MOST_FILES: usize = 20;

/// Judges the forecasts for files of some commits of a repository.
pub fn staged(settings: &HistorySettings, repo: &str) -> Result<Vec<JudgedFile>> {
    let dir = git_dir(&settings.git_dirs, repo);
    let mut log = log(&dir, settings.commits)?;
    log.retain(|it| (2..=MOST_FILES).contains(&it.paths.len()));
    Random::of_name(repo).shuffle(&mut log);
    log.truncate(settings.states);
    let mut git = Git::open(&dir)?;
    let mut res = Vec::new();
    for commit in &log {
        res.extend(of_commit(settings, repo, &mut git, commit)?);
    }
    Ok(res)
}

fn of_commit(
    settings: &HistorySettings,
    repo: &str,
    git: &mut Git,
    commit: &LoggedCommit,
) -> Result<Vec<JudgedFile>> {
    let parent = format!("{}^", commit.id);
    if !git.has(&parent)? {
        return Ok(Vec::new());
    }
    let before = git.snapshot(&parent)?;
    let mut texts: Vec<(&str, Option<String>)> = Vec::new();
    for path in &commit.paths {
        texts.push((path, git.text(&format!("{}:{path}", commit.id))?));
    }
    let is_code = |path: &str| {
        before.file(path).is_some_and(|it| before.language(it).is_some_and(Language::is_code))
    };
    let mut res = Vec::new();
    let targets = texts.iter().filter(|it| it.1.is_some() && is_code(it.0));
    for (path, text) in targets.take(settings.files) {
        let others = texts.iter().filter(|it| it.0 != *path);
        let snapshot = with(&before, others)?;
        let Some(file) = snapshot.file(path) else { continue };
        let resolver = Resolver::new(&snapshot);
        let mut later: [Vec<String>; 4] = Default::default();
        later[0].extend(text.clone());
        let mut judged = judge(&snapshot, &resolver, file, &later);
        (judged.repo, judged.state) = (repo.to_owned(), commit.id.clone());
        res.push(judged);
    }
    Ok(res)
}

/// A snapshot with other texts for some files, which it has as edited since the commit.
fn with<'t>(
    before: &Snapshot,
    texts: impl Iterator<Item = &'t (&'t str, Option<String>)>,
) -> Result<Snapshot> {
    let (mut changes, mut diff) = (Vec::new(), CommitDiff::default());
    for (path, text) in texts {
        let Some(text) = text else {
            changes.push(Change::Remove((*path).to_owned()));
            continue;
        };
        let committed = before.file(path).map(|it| before.text(it));
        diff.files.extend(FileDiff::new(*path, committed, text));
        changes.push(Change::Write(Source { path: (*path).to_owned(), text: text.clone() }));
    }
    let changed = before.with_changes(changes).context("cannot index the changes")?;
    Ok(changed.with_diff(Arc::new(diff)))
}
