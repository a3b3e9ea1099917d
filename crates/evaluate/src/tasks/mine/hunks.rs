//! The hunks of a commit, and its files after some of them.

use std::ops::Range;

use super::patch::range;

/// A file that a commit changes or adds.
#[derive(Clone, Debug)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    /// `None` for a file that the commit adds.
    pub(super) old: Option<String>,
    pub(super) new: String,
    /// Hunks from the top of the file.
    pub(super) hunks: Vec<Hunk>,
}

/// Replacement of whole lines, as byte ranges of the old and the new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// A hunk by the numbers of its file and itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HunkId {
    pub(super) file: usize,
    pub(super) hunk: usize,
}

impl ChangedFile {
    /// Pairs a file with its hunks; `None` when the text does not match the patch.
    pub(super) fn new(header: FileHeader, old: Option<String>, new: String) -> Option<Self> {
        let (old_lines, new_lines) =
            (line_starts(old.as_deref().unwrap_or_default()), line_starts(&new));
        let hunk = |it: &(Lines, Lines)| {
            Some(Hunk { old: bytes(&old_lines, it.0)?, new: bytes(&new_lines, it.1)? })
        };
        let hunks: Vec<Hunk> = header.hunks.iter().map(hunk).collect::<Option<_>>()?;
        let res = Self { path: header.path, old, new, hunks };
        (res.with(|_| true) == res.new).then_some(res)
    }

    fn before(&self) -> &str {
        self.old.as_deref().unwrap_or_default()
    }

    /// The lines that a hunk removes.
    pub(super) fn removed(&self, hunk: usize) -> &str {
        &self.before()[self.hunks[hunk].old.clone()]
    }

    /// The lines that a hunk adds.
    pub(super) fn added(&self, hunk: usize) -> &str {
        &self.new[self.hunks[hunk].new.clone()]
    }

    /// The text after some hunks.
    pub(super) fn with(&self, is_applied: impl Fn(usize) -> bool) -> String {
        let (mut res, mut at) = (String::new(), 0);
        for (idx, it) in self.hunks.iter().enumerate() {
            res.push_str(&self.before()[at..it.old.start]);
            res.push_str(if is_applied(idx) { self.added(idx) } else { self.removed(idx) });
            at = it.old.end;
        }
        res.push_str(&self.before()[at..]);
        res
    }

    /// Number of lines before a hunk when some are applied.
    pub(super) fn lines_before(&self, hunk: usize, is_applied: impl Fn(usize) -> bool) -> usize {
        let (mut res, mut at) = (0, 0);
        for (idx, it) in self.hunks[..hunk].iter().enumerate() {
            res += newlines(&self.before()[at..it.old.start]);
            res += newlines(if is_applied(idx) { self.added(idx) } else { self.removed(idx) });
            at = it.old.end;
        }
        res + newlines(&self.before()[at..self.hunks[hunk].old.start])
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|it| *it == b'\n').count()
}

/// First line, 0-based, and number of lines.
type Lines = (usize, usize);

/// The hunks of a file in a patch.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileHeader {
    pub(super) path: String,
    pub(super) is_added: bool,
    hunks: Vec<(Lines, Lines)>,
}

/// The changed files of a patch of `git diff-tree -p -U0 --no-renames`; `None` if it deletes a file or a file name
/// cannot be parsed.
pub(super) fn headers(patch: &str) -> Option<Vec<FileHeader>> {
    let mut res: Vec<FileHeader> = Vec::new();
    let (mut in_header, mut is_added) = (false, false);
    for line in patch.lines() {
        if line.starts_with("diff --git ") {
            (in_header, is_added) = (true, false);
        } else if let Some(hunk) = line.strip_prefix("@@ ") {
            in_header = false;
            res.last_mut()?.hunks.push(hunk_lines(hunk)?);
        } else if in_header && line.starts_with("--- ") {
            is_added = line == "--- /dev/null";
        } else if let Some(name) = line.strip_prefix("+++ ").filter(|_| in_header) {
            let path = name.trim_end_matches('\t').strip_prefix("b/")?.to_owned();
            res.push(FileHeader { path, is_added, hunks: Vec::new() });
        }
    }
    Some(res)
}

/// Parses the old and the new lines of a header `-12,0 +13,4 @@ …`.
fn hunk_lines(header: &str) -> Option<(Lines, Lines)> {
    let mut parts = header.split(' ');
    let lines = |(start, n): (usize, usize)| (if n == 0 { start } else { start - 1 }, n);
    let old = range(parts.next()?.strip_prefix('-')?)?;
    let new = range(parts.next()?.strip_prefix('+')?)?;
    Some((lines(old), lines(new)))
}

/// The offset of each line, and the end of the text.
fn line_starts(text: &str) -> Vec<usize> {
    let mut res = vec![0];
    res.extend(text.match_indices('\n').map(|it| it.0 + 1));
    if !text.is_empty() && !text.ends_with('\n') {
        res.push(text.len());
    }
    res
}

fn bytes(starts: &[usize], (first, n): Lines) -> Option<Range<usize>> {
    Some(*starts.get(first)?..*starts.get(first + n)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,0 +2 @@ a\n+++ two\n@@ -3,2 +4 @@\n\
        -c\n-d\n+C\ndiff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+n\n\
        \\ No newline at end of file\n";

    #[test]
    fn any_of_a_files_hunks_can_be_applied() {
        let mut headers = headers(PATCH).unwrap();
        assert_eq!(headers.len(), 2);
        let added = headers.pop().unwrap();
        assert!(added.is_added && added.path == "new.py");
        let new = ChangedFile::new(added, None, "n".into()).unwrap();
        assert_eq!((new.with(|_| false), new.with(|_| true)), (String::new(), "n".into()));
        let old = "a\nb\nc\nd\n".to_owned();
        let file = ChangedFile::new(headers.pop().unwrap(), Some(old), "a\n++ two\nb\nC\n".into());
        let file = file.unwrap();
        assert_eq!(file.with(|it| it == 0), "a\n++ two\nb\nc\nd\n");
        assert_eq!(file.with(|it| it == 1), "a\nb\nC\n");
        assert_eq!((file.lines_before(1, |_| true), file.lines_before(1, |_| false)), (3, 2));
        assert_eq!((file.removed(1), file.added(0)), ("c\nd\n", "++ two\n"));
    }

    #[test]
    fn what_does_not_fit_its_patch_and_what_deletes_files_is_refused() {
        let header = headers(PATCH).unwrap().remove(0);
        assert!(ChangedFile::new(header, Some("a\n".into()), "a\nb\n".into()).is_none());
        let gone = "diff --git a/x b/x\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        assert_eq!(headers(gone), None);
    }
}
