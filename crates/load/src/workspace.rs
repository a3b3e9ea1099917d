//! Finds the root of a workspace, its repository, and the directory of its index.
//!
//! # The root
//!
//! * A path inside a git work tree: the top of that work tree, so that every file of a project finds one index.
//! * Inside a submodule or a repository within a repository: the top of the innermost one.
//! * In a bare repository: none; there are no source files. With [`Options::revision`], the repository itself.
//! * Outside git: the directory itself; for a file, its directory. Parent directories are not searched.
//! * With [`Options::root_is_path`], the given directory (`index PATH`). git facts and the ignore files above it still
//!   count.
//!
//! # Two keys
//!
//! Results computed from file contents are the same in every work tree of a repository, so the key of the *store* comes
//! from their common storage. The list of files differs, so the key of the *view* comes from the root.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foreword_engine::visible::is_directional;

use crate::env::{self, Environment};
use crate::error::LoadError;
use crate::git::{self, Git};
use crate::revision::Revision;
use crate::root::{EntryType, Root};
use crate::threads;

/// Number of digits of the key in a directory name: 48 bits distinguish all repositories on a machine.
const SHORT_KEY: usize = 12;

/// The end of the keys of views of commits.
pub(crate) const REVISION_VIEW: &str = "-revision";

/// Maximum length of the readable part of a directory name; keeps paths short.
const MAX_NAME: usize = 40;

/// Settings of [`Workspace::discover`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether the given directory is the root even if it lies inside a work tree or is very large.
    pub root_is_path: bool,
    /// The user's home directory, which is not a project unless it is named explicitly.
    pub home: Option<PathBuf>,
    /// Directories below which git's object directories may lie outside of a repository, as after
    /// `git clone --shared`. From the user's settings, never from a repository.
    pub git_alternates: Vec<PathBuf>,
    /// The commit whose files are read instead of those on disk: a branch, a tag, `HEAD` or the beginning of a hash, with
    /// steps to ancestors as in `main~2`.
    pub revision: Option<String>,
}

impl Options {
    fn alternates(&self) -> Vec<PathBuf> {
        self.git_alternates.iter().filter_map(|it| dunce::canonicalize(it).ok()).collect()
    }
}

/// A directory with source files, and its repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The directory whose files are indexed (canonical).
    pub root: PathBuf,
    /// The repository around the root, if any.
    pub git: Option<Git>,
    /// The name of the repository: the last part of `origin`, or the name of the directory.
    pub name: String,
    /// The commit whose files are read instead of those on disk.
    pub revision: Option<Arc<Revision>>,
}

impl Workspace {
    /// Finds the workspace of a directory or file by the rules in the module's documentation.
    pub fn discover(path: &Path, options: &Options) -> Result<Self, LoadError> {
        threads::start_shared().map_err(|source| LoadError::Threads { source })?;
        let asked = env::absolute(path)
            .and_then(dunce::canonicalize)
            .map_err(|error| LoadError::from_io(path, error))?;
        let kind = fs::metadata(&asked).map_err(|error| LoadError::from_io(&asked, error))?;
        let explicit = options.root_is_path && kind.is_dir();
        let start = match asked.parent() {
            Some(parent) if !kind.is_dir() => parent.to_path_buf(),
            _ => asked,
        };
        if let Some(name) = &options.revision {
            return Self::at_revision(&start, name, options);
        }
        let top = git::top_of(&start);
        if let (None, false, Some(bare)) = (&top, explicit, git::bare_around(&start)) {
            return Err(LoadError::Bare { path: bare.to_owned() });
        }
        let git = top
            .as_ref()
            .and_then(git::Top::git)
            .map(|it| Git { alternates: options.alternates(), ..it });
        let root = if explicit { start } else { top.map_or(start, |top| top.work_tree) };
        if !explicit && is_too_broad(&root, options.home.as_deref()) {
            return Err(LoadError::TooBroad { path: root });
        }
        let name = repository_name(&root, git.as_ref());
        Ok(Self { root, git, name, revision: None })
    }

    /// The workspace of a commit of the repository around `start`. The root is the top, also of a bare repository, or
    /// with `root_is_path` the directory if the commit has it.
    fn at_revision(start: &Path, name: &str, options: &Options) -> Result<Self, LoadError> {
        let (revision, git) = Revision::find(start, name, options.alternates())?;
        let revision = Arc::new(revision);
        let is_below = options.root_is_path && revision.root(start).entry("").is_some();
        let root = if is_below { start.to_owned() } else { git.work_tree.clone() };
        let name = repository_name(&root, Some(&git));
        Ok(Self { root, git: Some(git), name, revision: Some(revision) })
    }

    /// Opens the files.
    pub fn open(&self) -> Result<Root, LoadError> {
        match &self.revision {
            Some(it) => Ok(Root::of_commit(it.root(&self.root))),
            None => {
                Root::open_canonical(&self.root).map_err(|it| LoadError::from_io(&self.root, it))
            }
        }
    }

    /// The type of the file or directory at a path of a user, following links on disk; `None` if there is none.
    pub fn entry(&self, path: &Path) -> Option<EntryType> {
        let Some(revision) = &self.revision else {
            return fs::metadata(path).ok().map(|it| EntryType::of(it.file_type()));
        };
        revision.root(&self.root).entry(&self.relative(path).ok()?)
    }

    /// The key of the store, shared by all work trees of a repository.
    pub fn store_key(&self) -> String {
        match &self.git {
            Some(git) => key("git", git.common_dir.as_os_str()),
            None => key("directory", self.root.as_os_str()),
        }
    }

    /// The key of the view: every work tree, subdirectory and plain directory has its own.
    pub fn view_key(&self) -> String {
        let view = key("view", self.root.as_os_str());
        match &self.revision {
            Some(it) => key(&it.commit(), view.as_ref()) + REVISION_VIEW,
            None => view,
        }
    }
}

/// The directory for the indexes of a workspace: `<base>/<readable name>-<start of store key>`. The engine's store adds
/// a subdirectory for the version of the index.
///
/// `base` overrides the environment. The readable part comes from the location of the repository, not from `origin`, so
/// that it is the same in every work tree and survives the renaming of a remote.
pub fn index_dir(
    workspace: &Workspace,
    base: Option<&Path>,
    environment: &Environment,
) -> Result<PathBuf, LoadError> {
    let base = base
        .map(Path::to_path_buf)
        .or_else(|| environment.index_base())
        .ok_or(LoadError::NoIndexDir)?;
    let directory = directory_name(&workspace.root, workspace.git.as_ref());
    let key = workspace.store_key();
    Ok(base.join(format!("{}-{}", readable(&directory), &key[..SHORT_KEY])))
}

fn key(kind: &str, path: &OsStr) -> String {
    let mut hasher = blake3::Hasher::new_derive_key("foreword 2026 workspace key");
    hasher.update(kind.as_bytes()).update(b"\0").update(path.as_encoded_bytes());
    hasher.finalize().to_hex().to_string()
}

/// Whether the root is the whole file system or the home directory, which a stray file must not cause to be indexed.
fn is_too_broad(root: &Path, home: Option<&Path>) -> bool {
    root.parent().is_none()
        || home.and_then(|home| dunce::canonicalize(home).ok()).is_some_and(|home| home == root)
}

impl Workspace {
    /// The name of the repository among those of an organisation: `owner/name` by the address of `origin`, or
    /// [`Self::name`].
    pub fn full_name(&self) -> String {
        let git = self.git.as_ref();
        git.and_then(|it| git::origin_path(&it.common_dir)).unwrap_or_else(|| self.name.clone())
    }
}

/// A name for messages and prompts.
fn repository_name(root: &Path, git: Option<&Git>) -> String {
    let is_hidden = |it: char| it.is_control() || is_directional(it);
    git.and_then(|git| git::origin_name(&git.common_dir))
        .unwrap_or_else(|| directory_name(root, git).replace(is_hidden, "?"))
}

/// The name of the repository's directory: `/x/name/.git`, `/x/name.git`, `.git/modules/name`; outside git that of the
/// root.
fn directory_name(root: &Path, git: Option<&Git>) -> String {
    let place = match git {
        Some(git) if git.common_dir.file_name() == Some(OsStr::new(".git")) => {
            git.common_dir.parent().unwrap_or(root)
        }
        Some(git) => &git.common_dir,
        None => root,
    };
    let name =
        place.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = name.strip_suffix(".git").unwrap_or(&name);
    if name.is_empty() { "root".to_string() } else { name.to_string() }
}

/// A name that is valid in every file system and needs no quoting in a shell.
fn readable(name: &str) -> String {
    let plain =
        |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let name: String = name.chars().map(plain).take(MAX_NAME).collect();
    let name = name.trim_start_matches(['.', '-']);
    if name.is_empty() { "root".to_string() } else { name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_readable_name_is_safe_everywhere() {
        assert_eq!(readable("foreword"), "foreword");
        assert_eq!(readable(".a b/\u{fc}\"c"), "a-b---c");
        assert_eq!(readable("..."), "root");
        assert_eq!(readable(&"x".repeat(99)).len(), MAX_NAME);
    }

    #[test]
    fn the_same_path_has_different_keys_for_different_uses() {
        let path = OsStr::new("/x");
        assert_ne!(key("git", path), key("view", path));
        assert_eq!(key("git", path).len(), 64);
    }

    #[test]
    fn a_bare_storage_gives_the_name_without_its_suffix() {
        let git = Git {
            work_tree: "/w".into(),
            git_dir: "/srv/tool.git/worktrees/w".into(),
            common_dir: "/srv/tool.git".into(),
            head: None,
            branch: None,
            is_worktree: true,
            is_submodule: false,
            alternates: Vec::new(),
        };
        assert_eq!(directory_name(Path::new("/w"), Some(&git)), "tool");
    }
}
