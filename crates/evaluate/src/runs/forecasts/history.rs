//! Forecasts of past states, judged by the commits that followed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use foreword_chunk::Language;
use foreword_engine::scope::Resolver;

use super::{HORIZONS, JudgedFile, judge};
use crate::random::Random;
use crate::tasks::corpora::git_dir;
use crate::tasks::git::Git;

/// Which states of which repositories.
#[derive(Clone, Debug)]
pub struct HistorySettings {
    /// Bare repositories at `owner+name/repo` in it.
    pub git_dirs: PathBuf,
    /// The last so many commits of a history that are no merges.
    pub commits: usize,
    /// States of a repository, evenly over these commits; or commits, for [`super::staged`].
    pub states: usize,
    /// Files of a state, drawn from those that are touched later.
    pub files: usize,
}

/// A commit and the files that it touches.
pub(super) struct LoggedCommit {
    pub(super) id: String,
    pub(super) paths: Vec<String>,
}

/// The last commits of a history, the oldest first.
pub(super) fn log(dir: &Path, commits: usize) -> Result<Vec<LoggedCommit>> {
    let most = format!("--max-count={commits}");
    let output = Command::new("git")
        .arg("--git-dir")
        .arg(dir)
        .args(["-c", "core.quotePath=false", "log", "--no-merges", "--no-renames"])
        .args(["--format=%x00%H", "--name-only", &most, "HEAD"])
        .output()
        .context("cannot run git")?;
    ensure!(output.status.success(), "{} has no history", dir.display());
    let text = String::from_utf8_lossy(&output.stdout);
    let commit = |it: &str| {
        let mut lines = it.lines().filter(|it| !it.is_empty());
        let id = lines.next()?.to_owned();
        Some(LoggedCommit { id, paths: lines.map(str::to_owned).collect() })
    };
    let mut all: Vec<LoggedCommit> = text.split('\0').filter_map(commit).collect();
    all.reverse();
    Ok(all)
}

/// Judges the forecasts for the files of some states of a repository.
pub fn history(settings: &HistorySettings, repo: &str) -> Result<Vec<JudgedFile>> {
    let dir = git_dir(&settings.git_dirs, repo);
    let log = log(&dir, settings.commits)?;
    let mut git = Git::open(&dir)?;
    let mut res = Vec::new();
    for n in 0..settings.states {
        let at = log.len() * n / settings.states;
        let Some(commit) = log.get(at) else { continue };
        res.extend(of_state(settings, repo, &mut git, commit, &log[at + 1..])?);
    }
    Ok(res)
}

fn of_state(
    settings: &HistorySettings,
    repo: &str,
    git: &mut Git,
    state: &LoggedCommit,
    later: &[LoggedCommit],
) -> Result<Vec<JudgedFile>> {
    let snapshot = git.snapshot(&state.id)?;
    let mut touched: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for commit in later {
        for path in &commit.paths {
            touched.entry(path).or_default().push(&commit.id);
        }
    }
    touched.retain(|path, _| {
        snapshot.file(path).is_some_and(|it| snapshot.language(it).is_some_and(Language::is_code))
    });
    let mut files: Vec<(&str, Vec<&str>)> = touched.into_iter().collect();
    Random::of_name(&format!("{repo} {}", state.id)).shuffle(&mut files);
    files.truncate(settings.files);
    let resolver = Resolver::new(&snapshot);
    let mut res = Vec::new();
    for (path, commits) in files {
        let Some(file) = snapshot.file(path) else { continue };
        let texts = later_texts(git, path, &commits)?;
        let mut judged = judge(&snapshot, &resolver, file, &texts);
        (judged.repo, judged.state) = (repo.to_owned(), state.id.clone());
        res.push(judged);
    }
    Ok(res)
}

/// The texts of a file between the horizons; between far ones only some are read.
fn later_texts(
    git: &mut Git,
    path: &str,
    commits: &[&str],
) -> Result<[Vec<String>; HORIZONS.len()]> {
    let mut res: [Vec<String>; HORIZONS.len()] = Default::default();
    let mut first = 0;
    for (texts, horizon) in res.iter_mut().zip(HORIZONS) {
        let end = horizon.min(commits.len());
        let step = (end - first).div_ceil(4).max(1);
        let mut at = end;
        while at > first {
            texts.extend(git.text(&format!("{}:{path}", commits[at - 1]))?);
            at = at.saturating_sub(step);
        }
        first = end;
    }
    Ok(res)
}
