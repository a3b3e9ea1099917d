//! The task type. [`loader`](crate::tasks::loader) converts the rows of every source into tasks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A task, and a row of our own format.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Task {
    /// Unique in its file.
    pub id: String,
    /// Name of the data set.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) dataset: String,
    /// `nl2file`, `completion`, `issue2file`.
    pub(crate) task: String,
    /// `owner/name`.
    pub repo: String,
    /// In lower case.
    pub language: String,
    /// Location of the code.
    pub(crate) corpus: Corpus,
    /// The question, if any.
    pub(crate) query_text: Option<String>,
    /// The whole file before the hole.
    pub(crate) prefix: Option<String>,
    /// The whole file after the hole.
    pub(crate) suffix: Option<String>,
    /// The file with the hole, from the repository's root.
    pub(crate) target_file: Option<String>,
    /// The lines of the hole in that file.
    pub(crate) position: Option<Position>,
    /// The removed text.
    pub ground_truth: Option<String>,
    /// The locations to find.
    #[serde(default)]
    pub relevant: Vec<Relevant>,
    /// Lines that hold the answer and must not be indexed.
    #[serde(default)]
    pub(crate) exclude: Vec<Exclusion>,
    /// Edits since the commit, newest first. The corpus contains them, except for the unsaved text of the cursor's
    /// file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub session: Vec<SessionEdit>,
    /// Other facts from the data set.
    #[serde(default)]
    pub meta: Meta,
}

/// A recent replacement of lines.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SessionEdit {
    /// From the repository's root.
    pub(crate) path: String,
    /// First written line, 1-based, in the file at the hole, without the typed text around it.
    pub(crate) line: u32,
    /// The previous lines.
    pub(crate) removed: String,
    /// The written lines.
    pub(crate) added: String,
}

/// Lines or a file that must not be found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// From the repository's root.
    pub(crate) path: String,
    /// First line, 1-based; the whole file when both are absent.
    pub(crate) start_line: Option<u32>,
    /// Last line, inclusive.
    pub(crate) end_line: Option<u32>,
}

impl Exclusion {
    /// The first and the last line, 1-based; `None` for the whole file.
    pub fn lines(&self) -> Option<(usize, usize)> {
        let (first, last) = (self.start_line?, self.end_line?);
        Some((first as usize, last as usize))
    }
}

/// Lines of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Position {
    /// First line, 1-based.
    pub(crate) start_line: u32,
    /// Last line, inclusive.
    pub(crate) end_line: u32,
}

/// Location of a task's code.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Corpus {
    /// `git`, `dir`, `archive` or `none`.
    pub(crate) kind: String,
    /// The commit.
    pub(crate) rev: Option<String>,
    /// The path of the directory or archive, relative to `--dirs`.
    pub(crate) path: Option<String>,
    /// The searched part of the tree; all of it when absent.
    pub(crate) subdir: Option<String>,
    /// Files that differ from the commit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) edits: Vec<Edit>,
}

/// A file that differs from a commit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Edit {
    /// From the repository's root.
    pub(crate) path: String,
    /// The complete text; `null` for a deleted file.
    pub(crate) text: Option<String>,
}

/// A location that should be found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Relevant {
    /// From the repository's root.
    pub(crate) path: String,
    /// First line, 1-based; the whole file when absent.
    pub(crate) start_line: Option<u32>,
    /// Last line, inclusive.
    pub(crate) end_line: Option<u32>,
    /// 2 for a primary location, 1 for a supporting one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) grade: Option<u32>,
    /// The data set's name for its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<String>,
}

/// Further facts about a task.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Meta {
    /// The kind of question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) category: Option<String>,
    /// Whether the target file is a test.
    #[serde(default)]
    pub is_test_file: bool,
    /// The commit that wrote the removed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    /// Bytes at the end of the prefix that the corpus's file lacks.
    #[serde(default)]
    pub(crate) typed_before: usize,
    /// Bytes at the beginning of the suffix that the corpus's file lacks.
    #[serde(default)]
    pub(crate) typed_after: usize,
    /// All other fields.
    #[serde(flatten)]
    pub(crate) other: BTreeMap<String, Value>,
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

/// Whether `wanted` contains `repo`, by its whole name or the last part; an empty list selects all.
pub fn is_selected(repo: &str, wanted: &[String]) -> bool {
    wanted.is_empty()
        || wanted.iter().any(|it| it == repo || it == crate::tasks::split::short_name(repo))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_fields_are_empty_and_what_a_set_adds_is_kept() {
        let line = r#"{"id": "a", "task": "nl2file", "repo": "o/n", "language": "go", "meta": {"note": 1},
            "corpus": {"kind": "git", "rev": "abc", "subdir": null}, "query_text": "where"}"#;
        let task: Task = serde_json::from_str(line).unwrap();
        assert!(task.relevant.is_empty() && task.corpus.subdir.is_none());
        assert_eq!(task.meta.other["note"], 1);
        assert!(
            is_selected(&task.repo, &["n".to_owned()])
                && !is_selected(&task.repo, &["o".to_owned()])
        );
    }
}
