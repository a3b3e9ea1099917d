//! Resolves a user's name for a commit to its hash, and lists the files of a commit.

use super::Storage;
use super::objects::{ObjectId, Objects};
use super::refs;

/// Maximum number of tags in a row: a tag may name a tag.
const MAX_TAGS: usize = 5;

/// Maximum number of entries of a commit, more than any real repository has. A few trees can name billions.
const MAX_ENTRIES: usize = 1 << 22;

/// Maximum length of a path; systems open no longer ones. And of all paths of a commit.
const MAX_PATH: usize = 4096;
const MAX_PATHS: usize = 256 << 20;

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommitFile {
    /// Relative to the top, separated by `/`.
    pub(crate) path: String,
    pub(crate) blob: ObjectId,
}

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

/// The files of a commit, directory by directory: no links, no submodules, and no names that lead outside their
/// directory. `None` if a tree is missing.
pub(crate) fn files_of(objects: &Objects, commit: ObjectId) -> Option<Vec<CommitFile>> {
    let mut res = Vec::new();
    let mut left = Left { entries: MAX_ENTRIES, path_bytes: MAX_PATHS };
    add_files(objects, objects.tree_of(commit)?, "", &mut left, &mut res)?;
    Some(res)
}

/// What a commit may still list.
struct Left {
    entries: usize,
    path_bytes: usize,
}

fn add_files(
    objects: &Objects,
    tree: ObjectId,
    directory: &str,
    left: &mut Left,
    res: &mut Vec<CommitFile>,
) -> Option<()> {
    let entries = objects.tree(tree)?;
    for entry in entries.iter() {
        left.entries = left.entries.checked_sub(1)?;
        let Some(name) = std::str::from_utf8(entry.name).ok().filter(|it| is_plain(it)) else {
            continue;
        };
        let path = format!("{directory}{name}");
        if path.len() > MAX_PATH {
            continue;
        }
        if entry.is_tree() {
            add_files(objects, entry.id, &format!("{path}/"), left, res)?;
        } else if entry.is_file() {
            left.path_bytes = left.path_bytes.checked_sub(path.len())?;
            res.push(CommitFile { path, blob: entry.id });
        }
    }
    Some(())
}

/// Whether a name is a plain entry name on every system, and not git's own data.
fn is_plain(name: &str) -> bool {
    let leads_elsewhere = |it: char| it == '/' || it == '\0' || cfg!(windows) && "\\:".contains(it);
    !matches!(name, "" | "." | "..")
        && !name.eq_ignore_ascii_case(".git")
        && !name.contains(leads_elsewhere)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_elsewhere_is_not_plain() {
        for name in ["", ".", "..", "../x", "a/b", "/etc", ".git", ".GIT", "a\0b"] {
            assert!(!is_plain(name), "{name}");
        }
        assert!(is_plain("...") && is_plain(".gitignore") && is_plain("a b"));
    }
}
