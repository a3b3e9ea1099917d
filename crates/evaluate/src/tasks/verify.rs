//! Checks tasks against their corpora: missing revisions and corpora, misaligned holes, missing relevant files. Fills
//! in prefix, suffix and truth that a row leaves to the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::tasks::corpora::Corpora;
use crate::tasks::corpus;
use crate::tasks::git::Git;
use crate::tasks::loader::hole::{HoleState, line_up};
use crate::tasks::loader::{Problem, TaskFile};
use crate::tasks::session;
use crate::tasks::task::{Exclusion, Task};

/// Checks each task against its corpus. Failures become problems; tasks without a corpus are unchanged.
pub fn verify(loaded: &mut TaskFile, corpora: &Corpora) {
    let mut trees = Trees::default();
    let all = std::mem::take(&mut loaded.tasks).into_iter().zip(std::mem::take(&mut loaded.lines));
    for (mut task, line) in all {
        match check(&mut task, corpora, &mut trees) {
            Ok(()) => {
                loaded.tasks.push(task);
                loaded.lines.push(line);
            }
            Err(error) => loaded.problems.push(Problem {
                file: loaded.file.clone(),
                line,
                what: format!("{}: {error:#}", task.id),
            }),
        }
    }
    loaded.problems.sort_by_key(|it| it.line);
}

fn check(task: &mut Task, corpora: &Corpora, trees: &mut Trees) -> Result<()> {
    if task.corpus.kind == "none" {
        return Ok(());
    }
    let place = corpora.place(task)?;
    let revision = task.corpus.rev.clone().filter(|_| task.corpus.kind == "git");
    let edits = task.corpus.edits.clone();
    let mut text_of = |path: &str| match edits.iter().rfind(|it| it.path == path) {
        Some(edit) => Ok(edit.text.clone()),
        None => trees.text(&place, revision.as_deref(), path),
    };
    let relevant = task.relevant.iter().map(|it| (&it.path, it.end_line, "relevant"));
    let excluded = task.exclude.iter().map(|it| (&it.path, it.end_line, "excluded"));
    for (path, end, what) in relevant.chain(excluded) {
        let text = text_of(path)?.with_context(|| format!("the corpus has no {path} ({what})"))?;
        let (lines, end) = (text.lines().count() as u32, end.unwrap_or(0));
        ensure!(end <= lines, "{path} has {lines} lines, line {end} is {what}");
    }
    let (Some(path), "completion") = (task.target_file.clone(), task.task.as_str()) else {
        return Ok(());
    };
    if !task.session.is_empty() {
        return session::check(task, |path| trees.text(&place, revision.as_deref(), path));
    }
    let text = text_of(&path)?;
    match text {
        // The competition's archives have an older text of the file, or none.
        _ if task.meta.other.get("older").is_some_and(|it| it == true) => {}
        // A file that the commit adds is absent from the corpus.
        None if task.prefix.is_some() && revision.is_some() => {}
        None => bail!("the corpus has no {path}"),
        Some(text) => {
            let seen = line_up(task, &text)?;
            if seen == HoleState::WithAnswer && task.exclude.is_empty() {
                let lines = task.position.context("the hole has no lines")?;
                let (start_line, end_line) = (lines.start_line, lines.end_line);
                let [start_line, end_line] = [start_line, end_line].map(Some);
                task.exclude.push(Exclusion { path, start_line, end_line });
            }
        }
    }
    Ok(())
}

/// Caches trees and repositories between tasks.
#[derive(Default)]
struct Trees {
    git: Option<(PathBuf, Git)>,
    tree: Option<(PathBuf, BTreeMap<String, String>)>,
}

impl Trees {
    fn text(&mut self, place: &Path, revision: Option<&str>, path: &str) -> Result<Option<String>> {
        ensure!(corpus::is_checked_out(place), "its corpus {} is not there", place.display());
        if let Some(revision) = revision {
            let known = self.git.take().filter(|it| it.0 == place);
            let (_, git) = self.git.insert(match known {
                Some(known) => known,
                None => (place.to_owned(), Git::open(place)?),
            });
            return git.file(revision, path);
        }
        if place.is_dir() {
            return Ok(std::fs::read_to_string(place.join(path)).ok());
        }
        if self.tree.as_ref().is_none_or(|it| it.0 != place) {
            let sources = corpus::sources(place)?.into_iter();
            let texts = sources.map(|it| (it.path, it.text)).collect();
            self.tree = Some((place.to_owned(), texts));
        }
        Ok(self.tree.as_ref().and_then(|it| it.1.get(path)).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::loader;

    #[test]
    fn a_hole_beside_its_directory_is_filled_or_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("own_r")).unwrap();
        std::fs::write(dir.path().join("own_r/a.py"), "def f():\n    return 1\nx\n").unwrap();
        let row = |id: u32, path: &str, line: u32| {
            format!(
                r#"{{"prompt": "def f():\n", "metadata": {{"task_id": "own_r/{id}", "ground_truth": "    return 1\n", "fpath_tuple": ["{path}"], "context_start_lineno": 0, "line_no": {line}}}}}"#
            ) + "\n"
        };
        let file = dir.path().join("rows.jsonl");
        let rows = row(0, "a.py", 1) + &row(1, "a.py", 2) + &row(2, "b.py", 1) + &row(3, "a.py", 9);
        std::fs::write(&file, rows).unwrap();
        let mut loaded = loader::load(&file, None).unwrap();
        let corpora = Corpora { git_dirs: None, dirs: Some(dir.path().to_owned()) };
        verify(&mut loaded, &corpora);
        assert_eq!(loaded.tasks.len(), 1);
        assert_eq!(loaded.tasks[0].suffix.as_deref(), Some("x\n"));
        assert_eq!(loaded.tasks[0].exclude[0].start_line, Some(2));
        let lines: Vec<usize> = loaded.problems.iter().map(|it| it.line).collect();
        assert_eq!(lines, [2, 3, 4]);
        assert!(loaded.problems[1].what.contains("has no b.py"), "{}", loaded.problems[1]);
    }

    #[test]
    fn a_corpus_that_is_not_there_is_named() {
        let row = r#"{"id": "a", "task": "nl2file", "repo": "o/n", "language": "go", "corpus": {"kind": "git", "rev": "c"}, "query_text": "where", "relevant": [{"path": "a.go"}]}"#;
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("rows.jsonl");
        std::fs::write(&file, row).unwrap();
        let mut loaded = loader::load(&file, None).unwrap();
        verify(&mut loaded, &Corpora { git_dirs: Some(dir.path().to_owned()), dirs: None });
        assert!(
            loaded.problems[0].what.contains("o+n/repo is not there"),
            "{}",
            loaded.problems[0]
        );
    }
}
