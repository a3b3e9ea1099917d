//! Reads the text of ignore files.

use std::io::{self, Read};
use std::path::Path;

use crate::index_path;
use crate::root::{Root, is_replaced, open_regular};

/// Maximum bytes to read. Ignore files are written by hand.
const MAX_IGNORE_FILE: u64 = 1 << 20;

/// The text of an ignore file.
pub(super) struct IgnoreFile {
    /// Name in messages.
    pub(super) source: String,
    pub(super) text: String,
    /// Whether messages may quote its lines.
    pub(super) quoting: Quoting,
}

/// Whether messages may show lines of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    Allowed,
    /// An ignore file outside the tree, reached by a symlink, is honoured: it can only hide files. But the tree must
    /// not be able to reveal a user's file.
    Denied,
}

/// The ignore file at `relative` below the root. An unreadable one has no rules; `note` receives the error.
pub(super) fn below(
    root: &Root,
    relative: &str,
    note: impl FnOnce(io::Error),
) -> Option<IgnoreFile> {
    match root.file(relative, MAX_IGNORE_FILE).and_then(|it| text_of(it.bytes)) {
        Ok(text) => {
            Some(IgnoreFile { source: relative.to_owned(), text, quoting: Quoting::Allowed })
        }
        Err(error) if is_replaced(&error) => linked(root, relative),
        Err(error) => {
            note(error);
            None
        }
    }
}

/// An ignore file reached by a link.
fn linked(root: &Root, relative: &str) -> Option<IgnoreFile> {
    let target = root.target(relative).ok()?;
    let source = relative.to_owned();
    if let Some(inside) = index_path::below(root.path(), &target) {
        let file = root.file(&inside, MAX_IGNORE_FILE);
        let text = file.and_then(|it| text_of(it.bytes)).ok()?;
        return Some(IgnoreFile { source, text, quoting: Quoting::Allowed });
    }
    if root.commit().is_some() {
        // The disk is not part of a commit.
        return None;
    }
    let text = open_regular(&target).and_then(text_of).ok()?;
    Some(IgnoreFile { source, text, quoting: Quoting::Denied })
}

/// An ignore file of a directory between the root and the top of its repository.
pub(super) fn above(root: &Root, path: &Path) -> Option<IgnoreFile> {
    let Some(commit) = root.commit() else { return at(path, root.path()) };
    let text = commit.file_above(path, MAX_IGNORE_FILE).and_then(|it| text_of(it.bytes)).ok()?;
    Some(IgnoreFile {
        source: path.to_string_lossy().into_owned(),
        text,
        quoting: Quoting::Allowed,
    })
}

/// An ignore file outside the tree: above the root, git's own, or the user's.
pub(super) fn at(path: &Path, root: &Path) -> Option<IgnoreFile> {
    let text = open_regular(path).and_then(text_of).ok()?;
    let source =
        index_path::below(root, path).unwrap_or_else(|| path.to_string_lossy().into_owned());
    Some(IgnoreFile { source, text, quoting: Quoting::Allowed })
}

fn text_of(file: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(MAX_IGNORE_FILE).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}
