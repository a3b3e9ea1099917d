//! Parses a patch without context lines into its insertions and the lines that it removes.

use std::collections::BTreeSet;

/// Lines that a commit inserted between two lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Insertion {
    /// Path, the same in the parent.
    pub(super) path: String,
    /// Number of lines of the parent's file before it.
    pub(super) after: usize,
    /// Number of lines of the commit's file before it.
    pub(super) before_in_new: usize,
    pub(super) text: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Patch {
    pub(super) insertions: Vec<Insertion>,
    /// Trimmed significant lines that the commit removed.
    pub(super) removed: BTreeSet<String>,
}

/// Whether a line is more than a bracket.
pub(super) fn is_significant(line: &str) -> bool {
    line.trim().len() > 3
}

impl Patch {
    /// Parses the output of `git diff-tree -p -U0 --no-renames`. Takes insertions from files that exist before and
    /// after; removed lines from all files.
    pub(super) fn parse(patch: &str) -> Self {
        let mut reader = Reader::default();
        patch.split_inclusive('\n').for_each(|line| reader.line(line));
        reader.finish_hunk();
        reader.res
    }
}

#[derive(Default)]
struct Reader {
    res: Patch,
    in_header: bool,
    old: Option<String>,
    new: Option<String>,
    hunk: Option<Hunk>,
}

struct Hunk {
    after: usize,
    removes: bool,
    before_in_new: usize,
    text: String,
    ends_in_line_break: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if line.starts_with("diff --git ") {
            self.finish_hunk();
            (self.in_header, self.old, self.new) = (true, None, None);
        } else if let Some(hunk) = line.strip_prefix("@@ ") {
            self.finish_hunk();
            self.in_header = false;
            self.hunk = Hunk::of_header(hunk);
        } else if self.in_header {
            let name = |it: &str| it.trim_end_matches(['\n', '\t']).to_owned();
            if let Some(path) = line.strip_prefix("--- a/") {
                self.old = Some(name(path));
            } else if let Some(path) = line.strip_prefix("+++ b/") {
                self.new = Some(name(path));
            }
        } else if let Some(removed) = line.strip_prefix('-') {
            if is_significant(removed) {
                self.res.removed.insert(removed.trim().to_owned());
            }
        } else if let (Some(added), Some(hunk)) = (line.strip_prefix('+'), &mut self.hunk) {
            hunk.text.push_str(added);
        } else if let (true, Some(hunk)) = (line.starts_with('\\'), &mut self.hunk) {
            hunk.ends_in_line_break = false;
        }
    }

    fn finish_hunk(&mut self) {
        let Some(hunk) = self.hunk.take() else { return };
        let same = self.old.is_some() && self.old == self.new;
        if let (true, false, true, Some(path)) =
            (same, hunk.removes, hunk.ends_in_line_break, self.new.clone())
        {
            let Hunk { after, before_in_new, text, .. } = hunk;
            self.res.insertions.push(Insertion { path, after, before_in_new, text });
        }
    }
}

impl Hunk {
    /// Parses a header: `-12,0 +13,4 @@ …`.
    fn of_header(header: &str) -> Option<Self> {
        let mut parts = header.split(' ');
        let (old, removed) = range(parts.next()?.strip_prefix('-')?)?;
        let (new, _) = range(parts.next()?.strip_prefix('+')?)?;
        Some(Self {
            after: old,
            removes: removed > 0,
            before_in_new: new.saturating_sub(1),
            text: String::new(),
            ends_in_line_break: true,
        })
    }
}

pub(super) fn range(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((start, n)) => Some((start.parse().ok()?, n.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pure_insertions_into_old_files_are_insertions() {
        let patch = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -2,0 +3,2 @@ def a\n+one()\n++++ b/y\n\
            @@ -7 +9 @@\n-old_line()\n+new_line()\n\
            diff --git a/new.py b/new.py\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n\
            diff --git a/gone.py b/gone.py\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone()\n\
            diff --git a/z.py b/z.py\n--- a/z.py\n+++ b/z.py\n@@ -1,0 +2 @@\n+last\n\\ No newline at end of file\n";
        let patch = Patch::parse(patch);
        let expect = Insertion {
            path: "x.py".into(),
            after: 2,
            before_in_new: 2,
            text: "one()\n+++ b/y\n".into(),
        };
        assert_eq!(patch.insertions, [expect]);
        let removed: Vec<&str> = patch.removed.iter().map(String::as_str).collect();
        assert_eq!(removed, ["gone()", "old_line()"]);
    }
}
