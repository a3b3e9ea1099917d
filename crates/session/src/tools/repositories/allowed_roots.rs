//! Directories that a local client may use. A model names the directory of a request, and may have read that name in an
//! untrusted text.

use std::path::{Component, Path, PathBuf};

use crate::setup::Setup;
use crate::usage::usage;

/// Directories given when the program starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// These directories and all below them, besides the client's roots and the repository of the working directory. Relative
    /// paths are relative to the working directory.
    Roots(Vec<PathBuf>),
    /// Any directory.
    Any,
}

/// Canonical directories whose repositories are allowed, with all below them.
pub(super) struct AllowedRoots(Vec<PathBuf>);

impl AllowedRoots {
    /// The `named` directories, each with its enclosing repository, and the repository around `working`. Directories that do
    /// not exist are omitted, and so is a working directory that is no project, such as the root of the file system.
    pub(super) fn new<'d>(
        named: impl IntoIterator<Item = &'d Path>,
        working: &Path,
        setup: &Setup,
    ) -> Self {
        let repository = |it: &Path| Some(setup.discover(it).ok()?.root);
        let mut roots = Vec::new();
        for directory in named {
            roots.extend(dunce::canonicalize(directory));
            roots.extend(repository(directory));
        }
        roots.extend(repository(working));
        roots.sort();
        roots.dedup();
        Self(roots)
    }

    /// Refuses a directory whose repository is not below an allowed one. Links and `..` are followed first.
    pub(super) fn check(&self, directory: &Path, setup: &Setup) -> anyhow::Result<()> {
        let is_allowed = match dunce::canonicalize(directory) {
            Ok(path) => {
                let root = setup.discover(&path).map(|it| it.root);
                self.contains(&path) && root.is_ok_and(|it| self.contains(&it))
            }
            // The error about a missing path reveals nothing, since the place is allowed.
            Err(_) => self.contains(&without_dots(directory)),
        };
        if is_allowed { Ok(()) } else { Err(self.refusal(directory)) }
    }

    fn contains(&self, path: &Path) -> bool {
        self.0.iter().any(|it| path.starts_with(it))
    }

    fn refusal(&self, directory: &Path) -> anyhow::Error {
        let roots: Vec<String> = self.0.iter().map(|it| it.display().to_string()).collect();
        let allowed = match roots.as_slice() {
            [] => "no directory is allowed".to_owned(),
            roots => format!("allowed is what is below {}", roots.join(", ")),
        };
        usage(format!(
            "repository {}: not allowed here; {allowed}. The user can allow more: `foreword mcp DIRECTORY…`, `mcp_roots` in foreword's configuration, or `foreword mcp --allow-any`",
            directory.display()
        ))
    }
}

/// Removes `.` and `..` from a path without looking at the disk.
fn without_dots(path: &Path) -> PathBuf {
    let mut res = PathBuf::new();
    for it in path.components() {
        match it {
            Component::ParentDir => drop(res.pop()),
            Component::CurDir => {}
            it => res.push(it),
        }
    }
    res
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_is_refused_however_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let base = dunce::canonicalize(folder.path()).unwrap();
        for it in ["in/deep", "in-not", "out"] {
            std::fs::create_dir_all(base.join(it)).unwrap();
        }
        std::os::unix::fs::symlink(base.join("out"), base.join("in/link")).unwrap();
        std::os::unix::fs::symlink(base.join("in"), base.join("out/back")).unwrap();
        let (setup, inside) = (Setup::default(), base.join("in"));
        let allowed = AllowedRoots::new([inside.as_path()], Path::new("/"), &setup);
        let is_allowed = |it: &str| allowed.check(&base.join(it), &setup).is_ok();
        for it in ["in", "in/deep", "in/./deep/..", "out/back", "in/missing"] {
            assert!(is_allowed(it), "{it}");
        }
        for it in ["", "out", "in/..", "in-not", "in/link", "in/deep/../../out", "in/../missing"] {
            assert!(!is_allowed(it), "{it}");
        }
        let refusal = allowed.check(&base.join("out"), &setup).unwrap_err().to_string();
        assert!(refusal.contains(&inside.display().to_string()), "{refusal}");
        assert!(refusal.contains("--allow-any"), "{refusal}");
    }

    #[test]
    fn a_directory_stands_for_the_repository_around_it_and_for_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let base = dunce::canonicalize(folder.path()).unwrap();
        for it in ["whole/.git/objects", "whole/.git/refs", "whole/part", "other"] {
            std::fs::create_dir_all(base.join(it)).unwrap();
        }
        std::fs::write(base.join("whole/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let setup = Setup::default();
        // Naming a directory also allows its enclosing repository.
        let part = base.join("whole/part");
        let allowed = AllowedRoots::new([part.as_path()], Path::new("/"), &setup);
        assert!(allowed.check(&base.join("whole"), &setup).is_ok());
        assert!(allowed.check(&base.join("other"), &setup).is_err());
        // The working directory's repository is allowed, the rest of the file system is not.
        let allowed = AllowedRoots::new([], &base.join("other"), &setup);
        assert!(allowed.check(&base.join("other"), &setup).is_ok());
        assert!(allowed.check(&part, &setup).is_err());
        assert!(
            AllowedRoots::new([], Path::new("/"), &setup).check(Path::new("/"), &setup).is_err()
        );
    }
}
