//! Paths as in the index: relative, separated by `/`.

use std::path::{Component, Path, PathBuf};

use crate::error::LoadError;

/// A relative path separated by `/`, as in the index.
pub(crate) fn slashed(path: &Path) -> Result<String, LoadError> {
    let mut text = String::new();
    for component in path.components() {
        let name = component
            .as_os_str()
            .to_str()
            .ok_or_else(|| LoadError::NotUnicode { path: path.into() })?;
        if !text.is_empty() {
            text.push('/');
        }
        text.push_str(name);
    }
    Ok(text)
}

/// The path of `name` in `directory`, both as in the index.
pub(crate) fn join(directory: &str, name: &str) -> String {
    // Once for each file of a walk: `format!` takes several times as long.
    if directory.is_empty() { name.to_owned() } else { [directory, "/", name].concat() }
}

/// The target of a link relative to `root`, if it lies below.
pub(crate) fn below(root: &Path, target: &Path) -> Option<String> {
    target.strip_prefix(root).ok().and_then(|below| slashed(below).ok())
}

/// Removes `.` and `..` from a path without looking at the disk.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut res = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(res.pop()),
            Component::CurDir => {}
            it => res.push(it),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_slashes() {
        assert_eq!(slashed(&Path::new("a").join("b").join("c.rs")).unwrap(), "a/b/c.rs");
    }
}
