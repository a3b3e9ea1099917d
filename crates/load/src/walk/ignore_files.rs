//! Reads the text of ignore files.

use std::io::{self, Read as _};
use std::path::Path;

use super::directory::Tree;
use crate::relative;
use crate::root::{is_replaced, open_regular};

/// Ignore files are written by hand; the rest of a larger one is not read.
const MAX_IGNORE_FILE: u64 = 1 << 20;

/// The text of an ignore file.
pub(super) struct IgnoreFile {
    /// What messages call it.
    pub(super) source: String,
    pub(super) text: String,
    /// Whether messages may quote its lines.
    pub(super) quoting: Quoting,
}

/// Whether lines of a file are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    Allowed,
    /// A link in the tree leads to it, and it lies outside: its rules count, since they can only hide more than nothing,
    /// but the tree must not be able to have a file of the user shown.
    Denied,
}

/// The ignore file at `relative` in the tree. One that cannot be read has no rules; as a file of the tree it is reported
/// like any other that cannot be read.
pub(super) fn below(tree: &Tree<'_>, relative: &str) -> Option<IgnoreFile> {
    match tree.root.file(relative).and_then(text_of) {
        Ok(text) => {
            Some(IgnoreFile { source: relative.to_owned(), text, quoting: Quoting::Allowed })
        }
        Err(error) if is_replaced(&error) => linked(tree, relative),
        Err(error) => {
            tree.note(error);
            None
        }
    }
}

/// An ignore file that is a link.
fn linked(tree: &Tree<'_>, relative: &str) -> Option<IgnoreFile> {
    let root = tree.root.path();
    let target = dunce::canonicalize(root.join(relative)).ok()?;
    let source = relative.to_owned();
    if let Some(inside) = relative::below(root, &target) {
        let text = tree.root.file(&inside).and_then(text_of).ok()?;
        return Some(IgnoreFile { source, text, quoting: Quoting::Allowed });
    }
    let text = open_regular(&target).and_then(text_of).ok()?;
    Some(IgnoreFile { source, text, quoting: Quoting::Denied })
}

/// An ignore file that is not in the tree: above the root, git's own, the user's.
pub(super) fn at(path: &Path, root: &Path) -> Option<IgnoreFile> {
    let text = open_regular(path).and_then(text_of).ok()?;
    let source = relative::below(root, path).unwrap_or_else(|| path.to_string_lossy().into_owned());
    Some(IgnoreFile { source, text, quoting: Quoting::Allowed })
}

fn text_of(file: std::fs::File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(MAX_IGNORE_FILE).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}
