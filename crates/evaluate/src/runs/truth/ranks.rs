//! Reads and writes `ranks.txt`, the accepted ranks of a folder's tasks, one line per task.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::verdict::Verdict;

/// Its first line.
const HEADER: &str = "# Written by `foreword-evaluate truth --accept`; see docs/truth.md.\n";

const NAME: &str = "ranks.txt";

/// The accepted ranks by task; empty without the file.
pub fn read(folder: &Path) -> Result<BTreeMap<String, String>> {
    let path = folder.join(NAME);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let mut res = BTreeMap::new();
    for (idx, line) in text.lines().enumerate().filter(|it| !it.1.starts_with('#')) {
        let pair = line.split_once(": ");
        let (task, ranks) = pair.with_context(|| {
            format!("{}:{}: a line should read `TASK: RANKS`", path.display(), idx + 1)
        })?;
        res.insert(task.to_owned(), ranks.to_owned());
    }
    Ok(res)
}

/// Writes the ranks of all tasks of a folder.
pub fn write(folder: &Path, verdicts: &[Verdict]) -> Result<()> {
    let path = folder.join(NAME);
    fs::write(&path, text(verdicts)).with_context(|| format!("cannot write {}", path.display()))
}

fn text(verdicts: &[Verdict]) -> String {
    let mut lines: Vec<&Verdict> = verdicts.iter().collect();
    lines.sort_by(|a, b| a.task.cmp(&b.task));
    let mut res = HEADER.to_owned();
    for it in lines {
        let _ = writeln!(res, "{}: {}", it.task, it.ranks);
    }
    res
}
