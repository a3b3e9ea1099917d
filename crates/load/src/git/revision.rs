//! Resolves a user's name for a commit to its hash.

use super::Storage;
use super::objects::{ObjectId, Objects};
use super::refs;

/// Maximum number of tags in a row: a tag may name a tag.
const MAX_TAGS: usize = 5;

/// The commit with a name: a branch, a tag, a remote branch, `HEAD`, a full ref, or at least four digits of a unique
/// hash, optionally with steps to ancestors, as in `main~2` and `v1.0^2`.
pub(crate) fn commit_named(storage: &Storage, objects: &Objects, name: &str) -> Option<ObjectId> {
    let (start, mut steps) = name.split_at(name.find(['~', '^']).unwrap_or(name.len()));
    let mut commit = tip(storage, objects, start)?;
    while let Some(step) = steps.chars().next() {
        let rest = &steps[1..];
        let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        let number: usize = if end == 0 { 1 } else { rest[..end].parse().ok()? };
        commit = match step {
            '~' => (0..number).try_fold(commit, |it, _| parent(objects, it, 1))?,
            '^' if number == 0 => commit,
            '^' => parent(objects, commit, number)?,
            _ => return None,
        };
        steps = &rest[end..];
    }
    Some(commit)
}

/// The commit of a name without steps, resolved in git's order.
fn tip(storage: &Storage, objects: &Objects, name: &str) -> Option<ObjectId> {
    if let Some(id) = ObjectId::from_hex(name) {
        return peeled(objects, id);
    }
    let of_ref = |name: &str| refs::resolve(storage, name);
    let named = match name {
        "HEAD" | "@" => refs::head(storage).0,
        _ => ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]
            .iter()
            .find_map(|it| of_ref(&format!("{it}{name}")))
            .or_else(|| of_ref(&format!("refs/remotes/{name}/HEAD"))),
    };
    if let Some(hash) = named {
        return peeled(objects, ObjectId::from_hex(&hash)?);
    }
    let abbreviated = objects.beginning_with(name).into_iter();
    let commits: Vec<ObjectId> = abbreviated.filter_map(|it| peeled(objects, it)).collect();
    (commits.len() == 1).then(|| commits[0])
}

/// The commit itself, or the commit of a tag.
fn peeled(objects: &Objects, mut id: ObjectId) -> Option<ObjectId> {
    for _ in 0..MAX_TAGS {
        if objects.commit(id).is_some() {
            return Some(id);
        }
        let tag = objects.tag(id)?;
        id = hash_of(tag.strip_prefix(b"object ")?)?;
    }
    None
}

/// A parent of a commit, counted from 1.
fn parent(objects: &Objects, commit: ObjectId, number: usize) -> Option<ObjectId> {
    objects.commit(commit)?.parents.get(number.checked_sub(1)?).copied()
}

/// The hexadecimal hash at the start of a line.
fn hash_of(line: &[u8]) -> Option<ObjectId> {
    ObjectId::from_hex(std::str::from_utf8(line.get(..40)?).ok()?)
}
