//! Locates a hole in the text of its file: fills in prefix, suffix and truth of rows that only locate the hole, and
//! checks those of other rows.

use anyhow::{Context as _, Result, ensure};

use super::check::is_whole;
use crate::tasks::task::{Position, Task};

/// State of the hole's file in the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleState {
    /// Contains the answer: the hole must be cut out.
    WithAnswer,
    /// Lacks the answer: prefix + suffix.
    Before,
}

/// Completes prefix, suffix and truth of a task from the text of its file, or reports the mismatch.
///
/// Rows with bare line feeds also match files with carriage returns.
pub fn line_up(task: &mut Task, text: &str) -> Result<HoleState> {
    let has_returns = |it: &Option<String>| it.as_ref().is_some_and(|it| it.contains('\r'));
    let row_has_returns = has_returns(&task.prefix) || has_returns(&task.ground_truth);
    if text.contains("\r\n") && !row_has_returns {
        return line_up_as_is(task, &text.replace("\r\n", "\n"));
    }
    line_up_as_is(task, text)
}

fn line_up_as_is(task: &mut Task, text: &str) -> Result<HoleState> {
    match &task.prefix {
        Some(prefix) if is_whole(task) => compare(task, prefix, text),
        _ => fill_in(task, text),
    }
}

/// Compares a row's own prefix with the text of the file.
fn compare(task: &Task, prefix: &str, text: &str) -> Result<HoleState> {
    let suffix = task.suffix.as_deref().unwrap_or_default();
    let typed = prefix.len().saturating_sub(task.meta.typed_before);
    let parts = prefix.get(..typed).zip(suffix.get(task.meta.typed_after..));
    if parts.is_some_and(|(before, after)| text.strip_prefix(before) == Some(after)) {
        return Ok(HoleState::Before);
    }
    let rest = text
        .strip_prefix(prefix)
        .context("the hole does not line up: the file does not begin with the prefix")?;
    let truth = task.ground_truth.as_deref().context("the task has no truth")?;
    let after = rest
        .strip_prefix(truth)
        .context("the hole does not line up: neither truth nor suffix follow it")?;
    ensure!(after.trim_end() == suffix.trim_end(), "the hole does not line up: the suffix differs");
    Ok(HoleState::WithAnswer)
}

/// Takes prefix, suffix and truth from the text of the file.
fn fill_in(task: &mut Task, text: &str) -> Result<HoleState> {
    let (start, end) = match task.position {
        Some(position) => {
            signature(task, text)?;
            of_lines(text, position)?
        }
        None => of_function(task, text)?,
    };
    let found = &text[start..end];
    if let Some(truth) = &task.ground_truth {
        let same = found.trim() == truth.trim();
        ensure!(same, "the hole does not line up: the file has {:?} there", head_of(found));
    }
    ensure!(!found.trim().is_empty(), "empty ground truth: the file has nothing there");
    task.ground_truth = Some(found.to_owned());
    task.prefix = Some(text[..start].to_owned());
    task.suffix = Some(text[end..].to_owned());
    let start_line = text[..start].matches('\n').count() as u32 + 1;
    let end_line = start_line + height_of(found) - 1;
    task.position = Some(Position { start_line, end_line });
    task.meta.other.remove("cut");
    Ok(HoleState::WithAnswer)
}

fn of_lines(text: &str, position: Position) -> Result<(usize, usize)> {
    let mut ends = vec![0];
    ends.extend(text.match_indices('\n').map(|it| it.0 + 1));
    if !text.ends_with('\n') {
        ends.push(text.len());
    }
    let Position { start_line, end_line } = position;
    let (first, last) = (start_line as usize - 1, end_line as usize);
    let lines = ends.len() - 1;
    ensure!(last <= lines, "the hole does not line up: it ends in line {end_line} of {lines}");
    Ok((ends[first], ends[last]))
}

/// Checks the function's head, which DevEval records: other lines are from another copy of the file.
fn signature(task: &Task, text: &str) -> Result<()> {
    let Some(lines) = task.meta.other.get("signature_position") else { return Ok(()) };
    let line = |idx: usize| lines.get(idx).and_then(serde_json::Value::as_u64);
    let (first, last) = line(0).zip(line(1)).context("`signature_position` is no pair of lines")?;
    let height = (last + 1).saturating_sub(first) as usize;
    let head: Vec<&str> = text.lines().skip((first as usize).max(1) - 1).take(height).collect();
    let name = task.id.rsplit('.').next().unwrap_or_default();
    let found = head.join("\n");
    let names_it = found.contains(&format!("def {name}"));
    ensure!(
        names_it,
        "the hole does not line up: line {first} is {:?}, not `def {name}`",
        head_of(&found)
    );
    Ok(())
}

/// Locates the body of a function that the row contains in full, below its head.
fn of_function(task: &Task, text: &str) -> Result<(usize, usize)> {
    let of = |name: &str| task.meta.other.get(name).and_then(serde_json::Value::as_str);
    let (full, head) =
        of("full_function").zip(of("head")).context("nothing says where the hole is")?;
    let (full, head) = (full.trim_end(), head.trim_end());
    let at = text.find(full).context("the hole does not line up: the file has no such function")?;
    ensure!(text[at + 1..].find(full).is_none(), "the function is in the file twice");
    ensure!(full.starts_with(head), "the prompt is not the beginning of the function");
    // The rest of the head's last line belongs to the head.
    let rest = full[head.len()..].find('\n').map_or(full.len(), |it| head.len() + it + 1);
    ensure!(rest < full.len(), "empty ground truth: the function is all head");
    Ok((at + rest, at + full.len()))
}

fn height_of(text: &str) -> u32 {
    text.strip_suffix('\n').unwrap_or(text).matches('\n').count() as u32 + 1
}

fn head_of(text: &str) -> String {
    text.trim().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "a\ndef f(x):\n    \"\"\"Doc.\"\"\"\n    return x\nb\n";

    fn task(prefix: Option<&str>, truth: Option<&str>, lines: Option<(u32, u32)>) -> Task {
        Task {
            prefix: prefix.map(str::to_owned),
            suffix: prefix.map(|_| "b\n".to_owned()),
            ground_truth: truth.map(str::to_owned),
            position: lines.map(|it| Position { start_line: it.0, end_line: it.1 }),
            ..Task::default()
        }
    }

    #[test]
    fn lines_are_filled_in_from_the_file() {
        let mut it = task(None, None, Some((4, 4)));
        assert_eq!(line_up(&mut it, FILE).unwrap(), HoleState::WithAnswer);
        assert_eq!(it.ground_truth.as_deref(), Some("    return x\n"));
        assert_eq!(it.prefix.unwrap() + "    return x\n" + &it.suffix.unwrap(), FILE);
        let mut returns = task(None, None, Some((4, 4)));
        assert!(line_up(&mut returns, &FILE.replace('\n', "\r\n")).is_ok());
        assert!(line_up(&mut task(None, None, Some((4, 9))), FILE).is_err());
        assert!(line_up(&mut task(None, Some("return y"), Some((4, 4))), FILE).is_err());
    }

    #[test]
    fn a_head_in_another_line_is_no_head() {
        let mut it = task(None, None, Some((4, 4)));
        it.id = "deveval/m.f".into();
        it.meta.other.insert("signature_position".into(), serde_json::json!([2, 2]));
        assert!(line_up(&mut it.clone(), FILE).is_ok());
        it.meta.other.insert("signature_position".into(), serde_json::json!([1, 1]));
        let error = line_up(&mut it, FILE).unwrap_err().to_string();
        assert!(error.contains("not `def f`"), "{error}");
    }

    #[test]
    fn a_whole_row_is_compared_with_the_file() {
        let prefix = "a\ndef f(x):\n    \"\"\"Doc.\"\"\"\n";
        let mut with = task(Some(prefix), Some("    return x\n"), None);
        assert_eq!(line_up(&mut with, FILE).unwrap(), HoleState::WithAnswer);
        let before = FILE.replace("    return x\n", "");
        assert_eq!(line_up(&mut with, &before).unwrap(), HoleState::Before);
        let error = line_up(&mut with, "other").unwrap_err().to_string();
        assert!(error.contains("does not line up"), "{error}");
    }

    #[test]
    fn a_function_is_cut_below_its_head() {
        let mut it = task(None, None, None);
        let other = &mut it.meta.other;
        other.insert(
            "full_function".into(),
            "def f(x):\n    \"\"\"Doc.\"\"\"\n    return x\n".into(),
        );
        other.insert("head".into(), "def f(x):\n    \"\"\"Doc.\"\"\"".into());
        line_up(&mut it, FILE).unwrap();
        assert_eq!(it.ground_truth.as_deref(), Some("    return x"));
        assert_eq!(it.position.map(|it| (it.start_line, it.end_line)), Some((4, 4)));
    }
}
