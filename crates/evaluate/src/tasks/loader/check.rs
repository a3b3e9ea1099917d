//! Checks the tasks of every format.

use anyhow::{Context as _, Result, bail, ensure};

use crate::tasks::task::{Position, Task};

/// Checks a task without its corpus.
pub(super) fn task(task: &Task) -> Result<()> {
    ensure!(!task.id.is_empty(), "the id is empty");
    corpus(task)?;
    for it in &task.exclude {
        let is_whole = it.start_line.is_none() && it.end_line.is_none();
        let is_sound = is_whole || it.lines().is_some_and(|it| it.0 >= 1 && it.0 <= it.1);
        ensure!(!it.path.is_empty(), "an entry of `exclude` has no path");
        ensure!(is_sound, "`exclude`: {} has lines that are no lines", it.path);
    }
    match task.task.as_str() {
        "completion" => completion(task),
        "nl2file" | "issue2file" => question(task),
        other => bail!("`{other}` is no kind of task; there are completion, nl2file, issue2file"),
    }
}

fn corpus(task: &Task) -> Result<()> {
    let corpus = &task.corpus;
    let has = |field: Option<&String>| field.is_some_and(|it| !it.is_empty());
    match corpus.kind.as_str() {
        "git" => ensure!(has(corpus.rev.as_ref()), "a git corpus needs `rev`"),
        "dir" | "archive" => {
            ensure!(has(corpus.path.as_ref()), "a corpus of kind {} needs `path`", corpus.kind);
        }
        "none" => {}
        other => bail!("`{other}` is no kind of corpus; there are git, dir, archive, none"),
    }
    Ok(())
}

fn question(task: &Task) -> Result<()> {
    let text = task.query_text.as_deref().unwrap_or_default();
    ensure!(!text.trim().is_empty(), "empty question (`query_text`)");
    ensure!(!task.relevant.is_empty(), "empty ground truth (`relevant`)");
    for it in &task.relevant {
        let (start, end) = (it.start_line.unwrap_or(1), it.end_line.unwrap_or(u32::MAX));
        ensure!(!it.path.is_empty(), "a relevant place has no path");
        ensure!(start >= 1 && start <= end, "{} lines {start}-{end} are no lines", it.path);
    }
    Ok(())
}

fn completion(task: &Task) -> Result<()> {
    let target = task.target_file.as_deref().unwrap_or_default();
    ensure!(!target.is_empty(), "no file with the hole (`target_file`)");
    let truth = task.ground_truth.as_deref();
    ensure!(truth.is_none_or(|it| !it.trim().is_empty()), "empty ground truth (`ground_truth`)");
    let Some(position) = task.position else {
        task.prefix.as_ref().context("neither `prefix` nor `position` says where the hole is")?;
        return Ok(());
    };
    let Position { start_line, end_line } = position;
    ensure!(
        start_line >= 1 && start_line <= end_line,
        "lines {start_line}-{end_line} are no lines"
    );
    // A prefix that starts at the top of the file ends in the hole's first line.
    if let Some(prefix) = task.prefix.as_deref().filter(|_| is_whole(task)) {
        let line = lines(prefix);
        ensure!(
            line == start_line,
            "the hole begins in line {start_line}, the prefix ends in {line}"
        );
        if let Some(truth) = truth {
            let last = start_line + lines(truth.strip_suffix('\n').unwrap_or(truth)) - 1;
            ensure!(last == end_line, "the hole ends in line {end_line}, the truth in line {last}");
        }
    }
    Ok(())
}

/// Whether prefix and suffix cover the whole file around the hole.
pub(super) fn is_whole(task: &Task) -> bool {
    task.meta.other.get("cut").is_none_or(|it| it != true)
}

/// Number of the text's last line.
fn lines(text: &str) -> u32 {
    text.matches('\n').count() as u32 + 1
}
