//! Edits as a patch that `git apply` takes, and written into a file.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use foreword_engine::index::Snapshot;
use foreword_engine::next::ProposedEdit;
use foreword_engine::sorting::sort_by_key;

/// Unchanged lines around a change.
const AROUND: usize = 3;

/// The file's text if it still is that of the snapshot, which the edits refer to.
///
/// # Errors
/// If it differs, is not there, or lies outside the root.
pub fn current(root: &Path, snapshot: &Snapshot, path: &str) -> anyhow::Result<String> {
    let file = snapshot.file(path).with_context(|| format!("{path} is not in the index"))?;
    let place = root.join(path);
    let is_file = std::fs::symlink_metadata(&place).is_ok_and(|it| it.is_file());
    let directory = place.parent().map(dunce::canonicalize).transpose()?.unwrap_or_default();
    ensure!(
        is_file && directory.starts_with(dunce::canonicalize(root)?),
        "{path} is no file below {}; remove the link",
        root.display()
    );
    let bytes = std::fs::read(&place).with_context(|| format!("cannot read {path}"))?;
    let text = snapshot.text(file);
    ensure!(
        bytes == text.as_bytes(),
        "{path} differs from its text in the index: it changed just now, is not UTF-8, or has secrets, which are not \
         indexed; nothing was written"
    );
    Ok(text.to_string())
}

/// A unified diff of the edits of one file.
///
/// # Errors
/// If the file is not the one that was indexed.
pub fn patch(
    root: &Path,
    snapshot: &Snapshot,
    (path, edits): (&str, &[ProposedEdit]),
) -> anyhow::Result<String> {
    let text = current(root, snapshot, path)?;
    Ok(diff(path, &text, edits))
}

/// Writes the edits of one file; another program sees the old or the new text, never a part.
///
/// # Errors
/// If the file is not the one that was indexed, or cannot be written.
pub fn apply(
    root: &Path,
    snapshot: &Snapshot,
    (path, edits): (&str, &[ProposedEdit]),
) -> anyhow::Result<()> {
    let mut text = current(root, snapshot, path)?;
    for it in in_order(edits).into_iter().rev() {
        text.replace_range(it.range.clone(), &it.text);
    }
    let place = root.join(path);
    let directory = place.parent().unwrap_or(root);
    let mut file = tempfile::NamedTempFile::new_in(directory)
        .with_context(|| format!("cannot write beside {path}"))?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(std::fs::metadata(&place)?.permissions())?;
    current(root, snapshot, path)?;
    file.persist(&place).with_context(|| format!("cannot write {path}"))?;
    Ok(())
}

fn in_order(edits: &[ProposedEdit]) -> Vec<&ProposedEdit> {
    let mut res: Vec<&ProposedEdit> = edits.iter().collect();
    sort_by_key(&mut res, |it| it.range.start);
    res
}

/// Replaced lines by number, and the new text.
type Change<'e> = (std::ops::Range<usize>, &'e str);

fn diff(path: &str, text: &str, edits: &[ProposedEdit]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|it| it.0 + 1));
    let line = |at: usize| starts.partition_point(|it| *it < at);
    let change = |it: &ProposedEdit| {
        let (first, last) = (line(it.range.start), line(it.range.end));
        first..last.min(lines.len())
    };
    let edits = in_order(edits);
    let changes: Vec<Change<'_>> = edits.iter().map(|it| (change(it), it.text.as_str())).collect();
    let mut hunks: Vec<Vec<Change<'_>>> = Vec::new();
    for it in changes {
        match hunks.last_mut() {
            Some(hunk) if hunk.last().is_some_and(|last| it.0.start <= last.0.end + 2 * AROUND) => {
                hunk.push(it);
            }
            _ => hunks.push(vec![it]),
        }
    }
    let (from, to) = (quoted("a", path), quoted("b", path));
    let mut res = format!("diff --git {from} {to}\n--- {from}\n+++ {to}\n");
    let mut moved = 0_isize;
    for it in hunks {
        moved += hunk(&mut res, &lines, &it, moved);
    }
    res
}

/// Adds a hunk; returns by how many lines it makes the file longer.
fn hunk(out: &mut String, lines: &[&str], changes: &[Change<'_>], moved: isize) -> isize {
    let first = changes.first().map_or(0, |it| it.0.start.saturating_sub(AROUND));
    let last = changes.last().map_or(0, |it| (it.0.end + AROUND).min(lines.len()));
    let mut body = String::new();
    let mut add = |mark: char, line: &str| {
        body.push(mark);
        body.push_str(line);
        if !line.ends_with('\n') {
            body.push_str("\n\\ No newline at end of file\n");
        }
    };
    let (mut at, mut longer) = (first, 0);
    for (replaced, text) in changes {
        lines[at..replaced.start].iter().for_each(|it| add(' ', it));
        lines[replaced.clone()].iter().for_each(|it| add('-', it));
        text.split_inclusive('\n').for_each(|it| add('+', it));
        longer += text.split_inclusive('\n').count() as isize - replaced.len() as isize;
        at = replaced.end;
    }
    lines[at..last].iter().for_each(|it| add(' ', it));
    let (n, start) = (last - first, first as isize + 1);
    let _ = writeln!(out, "@@ -{start},{n} +{},{} @@", start + moved, n as isize + longer);
    out.push_str(&body);
    longer
}

/// A path of a patch, in quotes where git expects them.
fn quoted(side: &str, path: &str) -> String {
    let is_plain = |it: char| !it.is_control() && it != '"' && it != '\\';
    if path.chars().all(is_plain) {
        return format!("{side}/{path}");
    }
    let escape = |it: u8| match it {
        b'"' | b'\\' => format!("\\{}", char::from(it)),
        0x20..=0x7e => char::from(it).to_string(),
        _ => format!("\\{it:03o}"),
    };
    format!("\"{side}/{}\"", path.bytes().map(escape).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_edits_share_a_hunk_and_the_end_of_the_file_is_kept() {
        let text = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm";
        let edit = |old: &str, new: &str| {
            let start = text.find(old).unwrap();
            ProposedEdit { kind: "again", range: start..start + old.len(), text: new.into() }
        };
        let found = diff("x.py", text, &[edit("m", "M"), edit("b\n", "B\nB\n")]);
        let expect = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,5 +1,6 @@\n a\n-b\n+B\n+B\n c\n d\n e\n\
                      @@ -10,4 +11,4 @@\n j\n k\n l\n-m\n\\ No newline at end of file\n+M\n\\ No newline at end of file\n";
        assert_eq!(found, expect);
        assert_eq!(quoted("a", "x \"y\".py"), "\"a/x \\\"y\\\".py\"");
    }
}
