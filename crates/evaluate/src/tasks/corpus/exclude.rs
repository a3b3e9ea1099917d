//! Blanks the lines that hold a task's answer.
//!
//! Excluded lines become empty, so that all others keep their numbers; an entry without lines removes the whole file.
//! The file with the hole keeps only prefix and suffix. An entry must name existing lines: a wrong path would silently
//! leave the answer in the corpus.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::index::{Change, Snapshot};
use foreword_engine::source::Source;

use crate::tasks::loader::hole::{HoleState, line_up};
use crate::tasks::task::{Exclusion, Task};

/// The snapshot without the lines and files that the task excludes. `root` is the part of the repository that the
/// snapshot covers.
pub(crate) fn blank_excluded(
    snapshot: &Arc<Snapshot>,
    task: &Task,
    root: &str,
) -> Result<Arc<Snapshot>> {
    let mut by_path: BTreeMap<&str, Vec<&Exclusion>> = BTreeMap::new();
    for it in &task.exclude {
        by_path.entry(&it.path).or_default().push(it);
    }
    let mut changes = Vec::new();
    for (whole, places) in by_path {
        let path = whole.strip_prefix(root).unwrap_or(whole).trim_start_matches('/');
        let file = snapshot.file(path);
        let file = file.with_context(|| format!("`exclude`: the corpus has no {whole}"))?;
        changes.extend(change(task, path, &snapshot.text(file), &places)?);
    }
    if changes.is_empty() {
        return Ok(Arc::clone(snapshot));
    }
    let made = snapshot.with_changes(changes).context("cannot blank the excluded lines")?;
    Ok(Arc::new(made))
}

fn change(task: &Task, path: &str, text: &str, places: &[&Exclusion]) -> Result<Option<Change>> {
    let write = |text| Some(Change::Write(Source { path: path.to_owned(), text }));
    let has_hole = task.target_file.as_deref() == Some(path);
    if let (true, Some(prefix)) = (has_hole, &task.prefix) {
        let around = format!("{prefix}{}", task.suffix.as_deref().unwrap_or_default());
        let seen = line_up(&mut task.clone(), text)?;
        return Ok(if seen == HoleState::WithAnswer { write(around) } else { None });
    }
    if places.iter().any(|it| it.lines().is_none()) {
        return Ok(Some(Change::Remove(path.to_owned())));
    }
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (first, last) in places.iter().filter_map(|it| it.lines()) {
        let n = lines.len();
        ensure!(last <= n, "`exclude`: {path} has {n} lines, and line {last} is excluded");
        for line in &mut lines[first - 1..last] {
            *line = if line.ends_with('\n') { "\n" } else { "" };
        }
    }
    Ok(write(lines.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;

    fn snapshot() -> Arc<Snapshot> {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("a.py", "def f():\n    return 1\nf()\n"),
            source("b.py", "one = 1\ntwo = 2\nthree = 3"),
            source("c.py", "copied = 1\n"),
        ];
        Arc::new(Snapshot::of_sources(sources, IndexConfig::default()).unwrap())
    }

    fn task(exclude: &str) -> Task {
        let row = format!(
            r#"{{"id": "x", "task": "completion", "repo": "o/n", "language": "python", "corpus": {{"kind": "none"}},
            "target_file": "a.py", "prefix": "def f():\n", "suffix": "f()\n", "ground_truth": "    return 1\n",
            "exclude": {exclude}}}"#
        );
        serde_json::from_str(&row).unwrap()
    }

    fn text(exclude: &str, path: &str) -> Result<Option<String>> {
        let made = blank_excluded(&snapshot(), &task(exclude), "")?;
        Ok(made.file(path).map(|it| made.text(it).to_string()))
    }

    #[test]
    fn excluded_lines_are_blank_and_the_others_keep_their_numbers() {
        let exclude = r#"[{"path": "b.py", "start_line": 2, "end_line": 3}]"#;
        assert_eq!(text(exclude, "b.py").unwrap().unwrap(), "one = 1\n\n");
        assert_eq!(text(exclude, "c.py").unwrap().unwrap(), "copied = 1\n");
    }

    #[test]
    fn without_lines_the_file_goes() {
        assert_eq!(text(r#"[{"path": "c.py"}]"#, "c.py").unwrap(), None);
    }

    #[test]
    fn of_the_file_with_the_hole_prefix_and_suffix_are_left() {
        let exclude = r#"[{"path": "a.py", "start_line": 2, "end_line": 2}]"#;
        assert_eq!(text(exclude, "a.py").unwrap().unwrap(), "def f():\nf()\n");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let why = |exclude| format!("{:#}", text(exclude, "b.py").unwrap_err());
        assert!(why(r#"[{"path": "d.py"}]"#).contains("the corpus has no d.py"));
        let beyond = why(r#"[{"path": "b.py", "start_line": 1, "end_line": 9}]"#);
        assert!(beyond.contains("b.py has 3 lines, and line 9 is excluded"), "{beyond}");
    }
}
