//! Selects the tasks of a run, and records the omitted ones.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use rayon::prelude::*;
use serde::Serialize;

use crate::tasks::loader;
use crate::tasks::split::Split;
use crate::tasks::task::{Task, by_repository, is_selected};

/// Filters on a task file.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The file of tasks.
    pub file: PathBuf,
    /// Only these repositories; all when empty.
    pub repos: Vec<String>,
    /// Only repositories of this split.
    pub split: Split,
    /// Only tasks whose id contains one of these; all when empty.
    pub ids: Vec<String>,
    /// Maximum number of tasks per repository, evenly spaced.
    pub limit: Option<usize>,
}

/// The kind of task of a run.
pub struct TaskKind {
    /// Its name in messages.
    pub(crate) name: &'static str,
    pub(crate) matches: fn(&Task) -> bool,
    /// Whether its code is published; `None` to skip this check.
    pub(crate) has_corpus: Option<fn(&Task) -> bool>,
}

/// Tasks that a run omits, with reasons.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LeftOut {
    /// Rows that could not be converted, and unknown fields.
    pub(crate) notice: Option<String>,
    /// Tasks whose code is not published with their data set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) without_code: Option<usize>,
    /// Repositories that are not available locally.
    pub(crate) skipped: Vec<AbsentRepository>,
    /// Errors of failed tasks.
    pub failed: Vec<String>,
}

/// A repository that is not available locally. Serialised as its name.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct AbsentRepository {
    pub(crate) name: String,
    #[serde(skip)]
    pub(crate) tasks: usize,
}

/// The selected tasks by repository.
pub struct TaskBatch {
    /// Identifies the data: [`loader::TaskFile::revision`].
    pub(crate) data: String,
    pub(crate) split: Split,
    /// Each repository with its tasks, in the order of the file.
    pub(crate) repositories: Vec<(String, Vec<Task>)>,
    /// Omissions up to now.
    pub left_out: LeftOut,
}

impl Selection {
    /// Reads the tasks of a kind. `is_present` tells whether the code of a task is available.
    pub fn read(&self, kind: &TaskKind, is_present: impl Fn(&Task) -> bool) -> Result<TaskBatch> {
        let file = loader::load(&self.file, None)?;
        let mut left_out = LeftOut { notice: file.notice(), ..LeftOut::default() };
        let mut tasks = file.tasks;
        tasks.retain(kind.matches);
        if let Some(has_corpus) = kind.has_corpus {
            let all = tasks.len();
            tasks.retain(has_corpus);
            left_out.without_code = Some(all - tasks.len());
        }
        tasks.retain(|it| self.selects(it));
        let (name, split) = (self.file.display(), self.split.name());
        ensure!(!tasks.is_empty(), "no {} task is left in {name}, split {split}", kind.name);
        let mut repositories = Vec::new();
        for (name, tasks) in by_repository(tasks) {
            if is_present(&tasks[0]) {
                repositories.push((name, evenly(tasks, self.limit)));
            } else {
                left_out.skipped.push(AbsentRepository { name, tasks: tasks.len() });
            }
        }
        Ok(TaskBatch { data: file.revision, split: self.split, repositories, left_out })
    }

    fn selects(&self, task: &Task) -> bool {
        is_selected(&task.repo, &self.repos)
            && self.split.has(&task.repo)
            && (self.ids.is_empty() || self.ids.iter().any(|it| task.id.contains(it)))
    }
}

impl TaskBatch {
    /// Runs the tasks of all repositories, the repositories in parallel. Records failures with their reason.
    pub fn ask<T: Send>(
        &mut self,
        ask: impl Fn(&[Task]) -> Vec<Result<T, String>> + Sync,
    ) -> Vec<T> {
        let repositories = std::mem::take(&mut self.repositories);
        let answers: Vec<Vec<Result<T, String>>> =
            repositories.into_par_iter().map(|(_, tasks)| ask(&tasks)).collect();
        let mut res = Vec::new();
        for answer in answers.into_iter().flatten() {
            match answer {
                Ok(it) => res.push(it),
                Err(why) => self.left_out.failed.push(why),
            }
        }
        res
    }
}

impl LeftOut {
    /// The first line of a run over `asked` tasks.
    pub fn first_line(&self, asked: usize) -> String {
        let counts = [
            (self.failed.len(), "failed"),
            (self.without_code.unwrap_or_default(), "without code"),
            (self.skipped.len(), "repositories not there"),
        ];
        first_line(asked, self.notice.as_deref(), &counts)
    }

    /// Why no task was asked: repositories that are not there, and the errors of tasks.
    pub(crate) fn reasons(&self) -> String {
        let absent = self.skipped_names().map(|it| format!("{it} is not there"));
        absent.chain(self.failed.iter().cloned()).collect::<Vec<_>>().join("; ")
    }

    /// Names of the repositories that are not available locally.
    pub fn skipped_names(&self) -> impl Iterator<Item = &str> {
        self.skipped.iter().map(|it| it.name.as_str())
    }
}

/// The first line of a run: the number of tasks, and of omitted ones.
pub fn first_line(asked: usize, notice: Option<&str>, left_out: &[(usize, &str)]) -> String {
    let counts = left_out.iter().filter(|it| it.0 > 0).map(|(n, what)| format!("{n} {what}"));
    let parts: Vec<String> = notice.map(str::to_owned).into_iter().chain(counts).collect();
    match parts.as_slice() {
        [] => format!("{asked} tasks asked, none left out"),
        some => format!("{asked} tasks asked; left out: {}", some.join("; ")),
    }
}

/// Runs tasks in turn; an error names its task.
pub fn ask_each<T>(
    tasks: &[Task],
    mut ask: impl FnMut(&Task) -> Result<T>,
) -> Vec<Result<T, String>> {
    tasks.iter().map(|task| ask(task).map_err(|why| format!("{}: {why:#}", task.id))).collect()
}

/// At most `limit` items, evenly spaced.
pub fn evenly<T>(items: Vec<T>, limit: Option<usize>) -> Vec<T> {
    let (n, limit) = (items.len(), limit.unwrap_or(usize::MAX).min(items.len()));
    let chosen = |idx: usize| (idx + 1) * limit / n > idx * limit / n;
    items.into_iter().enumerate().filter(|it| chosen(it.0)).map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_says_what_was_left_out() {
        assert_eq!(first_line(3, None, &[(0, "failed")]), "3 tasks asked, none left out");
        let line = first_line(3, Some("skipped 1 of 4 rows"), &[(2, "failed"), (0, "gone")]);
        assert_eq!(line, "3 tasks asked; left out: skipped 1 of 4 rows; 2 failed");
    }

    #[test]
    fn a_limit_takes_items_from_all_over() {
        let chosen = |limit| evenly((0..10).collect::<Vec<_>>(), limit);
        assert_eq!(chosen(Some(3)), [3, 6, 9]);
        assert_eq!(chosen(Some(20)).len(), 10);
        assert_eq!(chosen(None).len(), 10);
    }

    #[test]
    fn an_absent_repository_is_its_name_in_json() {
        let skipped = vec![AbsentRepository { name: "o/n".into(), tasks: 2 }];
        let left_out = LeftOut { skipped, ..LeftOut::default() };
        let json = serde_json::to_value(&left_out).unwrap();
        assert_eq!(json, serde_json::json!({"notice": null, "skipped": ["o/n"], "failed": []}));
        let failed = vec!["t: no such file".into()];
        assert_eq!(LeftOut { failed, ..left_out }.reasons(), "o/n is not there; t: no such file");
    }
}
