//! Tasks as the files have them: one JSON object a line.

use std::io::BufRead as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// One row.
#[derive(Clone, Debug, Deserialize)]
pub struct Task {
    /// Unique in its file.
    pub id: String,
    /// `nl2file`, `completion`, `issue2file`.
    pub task: String,
    /// `owner/name`.
    pub repo: String,
    /// In lower case.
    pub language: String,
    /// Where the code is.
    pub corpus: Corpus,
    /// The question, where there is one.
    pub query_text: Option<String>,
    /// The whole file before the hole.
    pub prefix: Option<String>,
    /// The whole file after the hole.
    pub suffix: Option<String>,
    /// The file with the hole, from the repository's root.
    pub target_file: Option<String>,
    /// What was in the hole.
    pub ground_truth: Option<String>,
    /// What should be found.
    #[serde(default)]
    pub relevant: Vec<Relevant>,
    /// Lines that hold the answer and must not be indexed.
    #[serde(default)]
    pub exclude: Vec<serde_json::Value>,
    /// What else the set says.
    #[serde(default)]
    pub meta: Meta,
}

/// Where the code of a task is.
#[derive(Clone, Debug, Deserialize)]
pub struct Corpus {
    /// `git`, `dir` or `none`.
    pub kind: String,
    /// The commit.
    pub rev: Option<String>,
    /// The directory, from where directories are kept.
    pub path: Option<String>,
    /// The part of the tree that is searched; all of it when absent.
    pub subdir: Option<String>,
}

/// A place that should be found.
#[derive(Clone, Debug, Deserialize)]
pub struct Relevant {
    /// From the repository's root.
    pub path: String,
    /// First line, 1-based; the whole file when absent.
    pub start_line: Option<u32>,
    /// Last line, inclusive.
    pub end_line: Option<u32>,
}

/// What else a set says of a task.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Meta {
    /// The kind of question.
    pub category: Option<String>,
    /// Whether the target file is a test.
    #[serde(default)]
    pub is_test_file: bool,
    /// How many bytes at the end of the prefix the corpus's file does not have.
    #[serde(default)]
    pub typed_before: usize,
    /// How many bytes at the beginning of the suffix.
    #[serde(default)]
    pub typed_after: usize,
}

/// Reads a file of tasks.
pub fn read(path: &Path) -> Result<Vec<Task>> {
    let shown = path.display();
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let mut res = Vec::new();
    for (idx, line) in std::io::BufReader::new(file).lines().enumerate() {
        let line = line.with_context(|| format!("cannot read {shown}"))?;
        if !line.trim().is_empty() {
            let task = serde_json::from_str(&line);
            res.push(task.with_context(|| format!("{shown}:{}: no task", idx + 1))?);
        }
    }
    Ok(res)
}

/// Groups tasks by repository, both in the order of the file.
pub fn by_repository(tasks: Vec<Task>) -> Vec<(String, Vec<Task>)> {
    let mut res: Vec<(String, Vec<Task>)> = Vec::new();
    for task in tasks {
        match res.iter_mut().find(|it| it.0 == task.repo) {
            Some(group) => group.1.push(task),
            None => res.push((task.repo.clone(), vec![task])),
        }
    }
    res
}

/// Whether `repo` is among the wanted ones, by its whole name or the last part of it; all are when none is named.
pub fn is_wanted(repo: &str, wanted: &[String]) -> bool {
    wanted.is_empty() || wanted.iter().any(|it| it == repo || it == crate::split::short_name(repo))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_are_passed_over_and_missing_ones_are_empty() {
        let line = r#"{"id": "a", "task": "nl2file", "repo": "o/n", "language": "go", "new": 1,
            "corpus": {"kind": "git", "rev": "abc", "subdir": null}, "query_text": "where"}"#;
        let task: Task = serde_json::from_str(line).unwrap();
        assert!(task.relevant.is_empty() && task.corpus.subdir.is_none());
        assert!(
            is_wanted(&task.repo, &["n".to_owned()]) && !is_wanted(&task.repo, &["o".to_owned()])
        );
    }
}
