//! SWE-bench (Jimenez et al. 2024), Lite and Verified: an issue, the commit before its fix, and the fix as a unified
//! diff. The targets are the lines of old files that the fix replaces; files that it adds cannot be found.

use anyhow::{Context as _, Result, ensure};

use super::format::{Format, FormatSpec, RowContext};
use super::row::JsonRow;
use crate::tasks::task::{Corpus, Meta, Relevant, Task};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Swebench,
    telltale: &["instance_id", "base_commit", "problem_statement"],
    fields: &[
        "instance_id",
        "repo",
        "base_commit",
        "patch",
        "test_patch",
        "problem_statement",
        "hints_text",
        "created_at",
        "version",
        "FAIL_TO_PASS",
        "PASS_TO_PASS",
        "environment_setup_commit",
        "difficulty",
    ],
    task,
};

fn task(row: JsonRow<'_>, _: &RowContext) -> Result<Task> {
    let relevant = patched(&row.text("patch")?).context("field `patch`")?;
    let kept = ["base_commit", "created_at", "version", "hints_text", "patch"];
    Ok(Task {
        id: format!("swebench/{}", row.text("instance_id")?),
        dataset: "swebench".into(),
        task: "issue2file".into(),
        repo: row.text("repo")?,
        language: "python".into(),
        corpus: Corpus {
            kind: "git".into(),
            rev: Some(row.text("base_commit")?),
            ..Corpus::default()
        },
        query_text: Some(row.text("problem_statement")?),
        relevant,
        meta: Meta { other: row.kept(&kept), ..Meta::default() },
        ..Task::default()
    })
}

/// The old lines that each hunk of a unified diff replaces, without context lines. A hunk that only adds lines yields
/// the line before.
fn patched(diff: &str) -> Result<Vec<Relevant>> {
    let mut res = Vec::new();
    let mut file: Option<String> = None;
    let mut hunk: Option<Hunk> = None;
    for line in diff.lines() {
        if let Some(open) = hunk.as_mut().filter(|it| !it.is_over()) {
            open.line(line);
            if open.is_over() {
                res.extend(hunk.take().zip(file.clone()).and_then(|(it, path)| it.place(path)));
            }
        } else if let Some(path) = line.strip_prefix("--- ") {
            let path = path.split('\t').next().unwrap_or(path);
            file = path.strip_prefix("a/").map(str::to_owned);
        } else if let Some(header) = line.strip_prefix("@@ -") {
            hunk = Some(Hunk::new(header).with_context(|| format!("`{line}` is no hunk"))?);
        }
    }
    ensure!(hunk.is_none(), "the diff ends within a hunk");
    Ok(res)
}

struct Hunk {
    /// The next line of the old file.
    at: u32,
    old_left: u32,
    new_left: u32,
    changed: Option<(u32, u32)>,
}

impl Hunk {
    /// Parses `7,5 +7,6 @@ …`.
    fn new(header: &str) -> Option<Self> {
        let (old, rest) = header.split_once(" +")?;
        let new = rest.split(' ').next()?;
        let pair = |it: &str| -> Option<(u32, u32)> {
            let (start, count) = it.split_once(',').unwrap_or((it, "1"));
            Some((start.parse().ok()?, count.parse().ok()?))
        };
        let ((at, old_left), (_, new_left)) = (pair(old)?, pair(new)?);
        Some(Self { at, old_left, new_left, changed: None })
    }

    fn is_over(&self) -> bool {
        self.old_left == 0 && self.new_left == 0
    }

    fn line(&mut self, line: &str) {
        match line.as_bytes().first() {
            Some(b'-') => {
                self.change(self.at);
                self.at += 1;
                self.old_left = self.old_left.saturating_sub(1);
            }
            Some(b'+') => {
                self.change(self.at.saturating_sub(1).max(1));
                self.new_left = self.new_left.saturating_sub(1);
            }
            // "\ No newline at end of file" counts for neither side.
            Some(b'\\') => {}
            _ => {
                self.at += 1;
                self.old_left = self.old_left.saturating_sub(1);
                self.new_left = self.new_left.saturating_sub(1);
            }
        }
    }

    fn change(&mut self, line: u32) {
        let (first, last) = self.changed.unwrap_or((line, line));
        self.changed = Some((first.min(line), last.max(line)));
    }

    fn place(&self, path: String) -> Option<Relevant> {
        let (start, end) = self.changed?;
        Some(Relevant {
            path,
            start_line: Some(start),
            end_line: Some(end),
            grade: Some(2),
            kind: Some("patched-lines".into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_lines_are_named_and_new_files_are_not() {
        let diff = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -3,4 +3,5 @@ def f():\n a\n-b\n+B\n+C\n d\n e\n\
            @@ -20,2 +21,3 @@\n t\n+new\n u\n--- /dev/null\n+++ b/y.py\n@@ -0,0 +1 @@\n+z\n";
        let found = patched(diff).unwrap();
        let spans: Vec<_> =
            found.iter().map(|it| (it.path.as_str(), it.start_line, it.end_line)).collect();
        assert_eq!(spans, [("x.py", Some(4), Some(4)), ("x.py", Some(20), Some(20))]);
    }

    #[test]
    fn a_removed_line_that_looks_like_a_header_stays_a_line() {
        let diff = "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1 @@\n--- comment\n select\n";
        assert_eq!(patched(diff).unwrap()[0].path, "q.sql");
        assert!(patched("--- a/q\n+++ b/q\n@@ -1,9 +1,9 @@\n x\n").is_err());
        assert!(patched("--- a/q\n+++ b/q\n@@ -x @@\n").is_err());
    }
}
