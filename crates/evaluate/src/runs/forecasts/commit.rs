//! The names that a task's commit defines or imports.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use foreword_chunk::{Config, Language, analyze};

use crate::tasks::git::file_at;
use crate::tasks::task::Task;

/// Looks for a definition or an import of `name` in the files that the task's commit changed; false for a task without a
/// commit.
pub(super) fn introduces(git_dir: &Path, task: &Task, name: &str) -> Result<bool> {
    let Some(commit) = &task.meta.commit else { return Ok(false) };
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(git_dir).args(["diff-tree", "-r", "-z", "--root"]);
    command.args(["--no-commit-id", "--name-only", "--diff-filter=d"]).arg(commit);
    let output = command.output().context("cannot run git")?;
    ensure!(output.status.success(), "{} has no commit {commit}", git_dir.display());
    let paths = String::from_utf8_lossy(&output.stdout);
    Ok(paths.split('\0').filter(|it| !it.is_empty()).any(|path| {
        // A file that is no text binds nothing.
        file_at(git_dir, commit, path).is_ok_and(|text| binds(path, &text, name))
    }))
}

fn binds(path: &str, text: &str, name: &str) -> bool {
    if !text.contains(name) {
        return false;
    }
    let language = Language::of_path(path, &text[..text.floor_char_boundary(4096)]);
    let symbols = analyze(text.as_bytes(), language, &Config::default()).symbols;
    let mut imported = symbols.imports.iter().flat_map(|it| &it.names);
    symbols.definitions.iter().any(|it| it.name.of(text) == name)
        || imported.any(|it| it.alias.as_deref().unwrap_or(&it.name) == name)
}
