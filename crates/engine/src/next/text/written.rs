//! Checks what a model wrote for a region, and cuts it to the lines that change.
//!
//! A model may be wrong in any way, and its text is proposed where the user works. So the file must parse as well as
//! before, the latest work must stay, and most of the names must exist.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{defects, is_like};
use crate::index::Snapshot;
use crate::index::terms::term_of;
use crate::next::Edit;
use crate::next::change::words;
use crate::next::suggestion::ProposedEdit;
use crate::preset::constants::next::{MOST_DELETED_LINES, MOST_INVENTED_PART, MOST_WRITTEN_LINES};

/// Why the text of a model is not proposed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrittenFault {
    /// The file would have more syntax errors.
    #[error("the file would not parse with its text")]
    Syntax,
    /// It brings back what the user replaced.
    #[error("it would undo the latest edits")]
    Undoes,
    /// It deletes lines that the user wrote.
    #[error("it would delete what was just written: {0:?}")]
    DeletesWork(String),
    /// It deletes many lines.
    #[error("it would delete {0} lines")]
    Deletes(usize),
    /// It writes many lines.
    #[error("it would add {0} lines")]
    Long(usize),
    /// It uses names that occur nowhere.
    #[error("it uses names that are not in the repository: {}", .0.join(", "))]
    Invented(Vec<String>),
}

/// The edit that gives a region of a file a new text; `None` if nothing would change. `edits` are the latest ones.
///
/// # Errors
/// If the text must not be proposed.
pub fn written_edit(
    snapshot: &Snapshot,
    (path, region): (&str, Range<usize>),
    new: &str,
    edits: &[Edit],
) -> Result<Option<ProposedEdit>, WrittenFault> {
    let Some(file) = snapshot.file(path) else { return Ok(None) };
    let text = snapshot.text(file);
    let old = &text[region.clone()];
    let Some((range, lines)) = changed_lines(old, new) else { return Ok(None) };
    let (added, removed) = (lines.lines().count(), old[range.clone()].lines().count());
    if removed > added + MOST_DELETED_LINES {
        return Err(WrittenFault::Deletes(removed - added));
    }
    if added > removed + MOST_WRITTEN_LINES {
        return Err(WrittenFault::Long(added - removed));
    }
    let own: Vec<&Edit> = edits.iter().filter(|it| it.path == path).collect();
    keeps_work(&text, (&region, new), &own)?;
    let range = region.start + range.start..region.start + range.end;
    let mut after = text.to_string();
    after.replace_range(range.clone(), lines);
    let language = snapshot.language(file);
    if defects(&after, language) > defects(&text, language) {
        return Err(WrittenFault::Syntax);
    }
    let invented = invented(snapshot, &text, (old, new), edits);
    if !invented.is_empty() {
        return Err(WrittenFault::Invented(invented));
    }
    Ok(Some(ProposedEdit { kind: "model", range, text: lines.to_owned() }))
}

/// The bytes of the old text that differ, and what is there in the new one: whole lines.
fn changed_lines<'t>(old: &str, new: &'t str) -> Option<(Range<usize>, &'t str)> {
    if old == new {
        return None;
    }
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let start = common(old_lines.iter(), new_lines.iter());
    let most = old_lines.len().min(new_lines.len()) - start;
    let end = common(old_lines.iter().rev(), new_lines.iter().rev()).min(most);
    let length = |it: &[&str]| it.iter().map(|it| it.len()).sum::<usize>();
    let behind = length(&old_lines[old_lines.len() - end..]);
    let start = length(&old_lines[..start]);
    Some((start..old.len() - behind, &new[start..new.len() - behind]))
}

/// The number of first items that are equal.
fn common<T: PartialEq>(a: impl Iterator<Item = T>, b: impl Iterator<Item = T>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// Fails if a line that the user wrote in the region is gone without a successor.
fn keeps_work(
    text: &str,
    (region, new): (&Range<usize>, &str),
    own: &[&Edit],
) -> Result<(), WrittenFault> {
    let old_lines: FxHashSet<&str> = text[region.clone()].lines().map(str::trim).collect();
    let new_lines: FxHashSet<&str> = new.lines().map(str::trim).collect();
    for edit in own {
        let (start, end) = (edit.range.start.max(region.start), edit.range.end.min(region.end));
        let written = text.get(start..end).unwrap_or_default().lines().map(str::trim);
        let gone: Vec<&str> =
            written.filter(|it| !it.is_empty() && !new_lines.contains(it)).collect();
        let is_back =
            |it: &str| !it.is_empty() && new_lines.contains(it) && !old_lines.contains(it);
        let touches = edit.range.start <= region.end && region.start <= edit.range.end;
        let is_deletion = edit.range.is_empty() && touches;
        if (!gone.is_empty() || is_deletion) && edit.removed.lines().map(str::trim).any(is_back) {
            return Err(WrittenFault::Undoes);
        }
        let has_successor =
            |line: &str| new_lines.iter().any(|it| !old_lines.contains(it) && is_like(line, it));
        if let Some(line) = gone.into_iter().find(|it| !has_successor(it)) {
            return Err(WrittenFault::DeletesWork(line.to_owned()));
        }
    }
    Ok(())
}

/// The names that the new text adds and that occur nowhere; none if they are few among all that it adds.
fn invented(
    snapshot: &Snapshot,
    text: &str,
    (old, new): (&str, &str),
    edits: &[Edit],
) -> Vec<String> {
    let before: FxHashSet<&str> = words(old).into_iter().collect();
    let mut added: Vec<&str> = words(new).into_iter().filter(|it| !before.contains(it)).collect();
    added.sort_unstable();
    added.dedup();
    let mut near: FxHashSet<&str> = words(text).into_iter().collect();
    near.extend(edits.iter().flat_map(|it| words(&it.removed)));
    let is_known = |name: &str| {
        near.contains(name)
            || snapshot.files_with(&[term_of(name)]).contains(&true)
            || !snapshot.definitions(name).is_empty()
    };
    let unknown: Vec<String> =
        added.iter().filter(|it| !is_known(it)).map(|it| (*it).to_owned()).collect();
    match unknown.len() > 1 && unknown.len() * MOST_INVENTED_PART > added.len() {
        true => unknown,
        false => Vec::new(),
    }
}
