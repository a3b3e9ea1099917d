//! Questions that are asked at commits: which tasks, read from which repositories, and what was left out. Shared by
//! [`definitions`](crate::runs::definitions) and [`issues`](crate::runs::issues).

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use rayon::prelude::*;

use crate::tasks::corpus::is_checked_out;
use crate::tasks::git::Git;
use crate::tasks::loader;
use crate::tasks::split::Split;
use crate::tasks::task::{Task, by_repository, is_wanted};

/// Which tasks, and where their repositories are.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The file of tasks.
    pub tasks: PathBuf,
    /// Bare repositories at `owner+name/repo` in it.
    pub git_dirs: PathBuf,
    /// Only these repositories; all when empty.
    pub repos: Vec<String>,
    /// Only this part.
    pub split: Split,
}

/// What came of a selection.
pub(crate) struct Asked<T> {
    /// Which tasks: [`loader::TaskFile::revision`].
    pub(crate) data: String,
    /// Rows that were no tasks, tasks that could not be asked, repositories that were not there.
    pub(crate) left_out: Vec<String>,
    /// One by one.
    pub(crate) outcomes: Vec<T>,
}

/// Asks every task of a selection that `is_meant`. Repositories are asked side by side, the tasks of one in turn.
pub(crate) fn ask_all<T: Send>(
    selection: &Selection,
    is_meant: impl Fn(&Task) -> bool,
    ask: impl Fn(&mut Git, &Task) -> Result<T> + Sync,
) -> Result<Asked<T>> {
    let loaded = loader::load(&selection.tasks, None)?;
    let (data, mut left_out) = (loaded.revision.clone(), Vec::from_iter(loaded.notice()));
    let mut tasks = loaded.tasks;
    tasks.retain(|it| it.corpus.kind == "git" && is_meant(it) && selection.split.has(&it.repo));
    tasks.retain(|it| is_wanted(&it.repo, &selection.repos));
    let (name, split) = (selection.tasks.display(), selection.split.name());
    ensure!(!tasks.is_empty(), "{name} has no task of this kind in the split {split}");
    let place = |repo: &str| selection.git_dirs.join(repo.replace('/', "+")).join("repo");
    let (there, absent): (Vec<_>, Vec<_>) =
        by_repository(tasks).into_iter().partition(|it| is_checked_out(&place(&it.0)));
    let gone = absent.iter().map(|it| format!("{}: {} tasks, no repository", it.0, it.1.len()));
    left_out.extend(gone);
    let one = |(repo, tasks): (String, Vec<Task>)| -> Result<Vec<Result<T, String>>> {
        let mut git = Git::open(&place(&repo))?;
        let mut asked = |it: &Task| ask(&mut git, it).map_err(|why| format!("{}: {why:#}", it.id));
        Ok(tasks.iter().map(&mut asked).collect())
    };
    let asked: Vec<Result<Vec<Result<T, String>>>> = there.into_par_iter().map(one).collect();
    let mut outcomes = Vec::new();
    for it in asked {
        for it in it? {
            match it {
                Ok(outcome) => outcomes.push(outcome),
                Err(why) => left_out.push(why),
            }
        }
    }
    Ok(Asked { data, left_out, outcomes })
}

/// The commit of a task.
pub(crate) fn revision(task: &Task) -> Result<&str> {
    task.corpus.rev.as_deref().context("the task names no commit")
}

/// The first line of a run: what was left out, or that nothing was.
pub(crate) fn first_line(asked: usize, left_out: &[String]) -> String {
    match left_out {
        [] => format!("{asked} tasks asked, none left out"),
        some => format!("{asked} tasks asked; left out: {}", some.join("; ")),
    }
}
