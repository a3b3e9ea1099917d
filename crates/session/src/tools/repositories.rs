//! Repositories that a call may name: for a local client those below the directories that its user allows, else those that
//! a server serves.

mod allowed_roots;
mod start_directory;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use allowed_roots::Access;
pub use start_directory::StartDirectory;

use crate::host::{Host, Repository};
use crate::usage::usage;

/// The repositories of a door.
pub enum Repositories {
    /// Those below the allowed directories of a local client.
    Local {
        /// Opens repositories.
        host: Host,
        /// The directories of calls that name none.
        start: StartDirectory,
    },
    /// Those that a server serves, in this order.
    Served(Vec<Arc<Repository>>),
}

impl Repositories {
    /// The repositories that a call is about: the one that it names, else all.
    pub fn find(&self, named: Option<&str>) -> anyhow::Result<Vec<Arc<Repository>>> {
        let Some(named) = named else { return self.all() };
        let one = match self {
            Self::Served(served) => pick(served, named)?,
            Self::Local { host, start } => {
                let directory = start.resolve(named);
                match by_name(&self.all().unwrap_or_default(), named) {
                    NameMatch::One(it) if !directory.exists() => it,
                    _ => {
                        start.check(&directory, host.setup())?;
                        open(host, &directory)?
                    }
                }
            }
        };
        Ok(vec![one])
    }

    /// The repositories of calls that name none: those that are served, or that of the start directory and the client's
    /// roots. Roots without a repository are left out, unless there is no other.
    pub fn all(&self) -> anyhow::Result<Vec<Arc<Repository>>> {
        match self {
            Self::Served(served) => Ok(served.clone()),
            Self::Local { host, start } => {
                let mut all: Vec<Arc<Repository>> = Vec::new();
                let mut failed = None;
                for directory in start.directories() {
                    match open(host, &directory) {
                        Ok(it) if all.iter().any(|known| root(known) == root(&it)) => {}
                        Ok(it) => all.push(it),
                        Err(error) => failed = failed.or(Some(error)),
                    }
                }
                match failed {
                    Some(error) if all.is_empty() => Err(error),
                    _ => Ok(all),
                }
            }
        }
    }

    /// The description of the argument `repository`.
    pub fn describe(&self) -> String {
        match self {
            Self::Local { .. } => "Another project's directory.".to_owned(),
            Self::Served(served) => {
                format!("One of: {} [default: all].", with_roots(served).join(", "))
            }
        }
    }
}

fn open(host: &Host, directory: &Path) -> anyhow::Result<Arc<Repository>> {
    host.repository(directory).map_err(|error| {
        error
            .context("this repository cannot be searched; pass `repository`, the path of a project")
    })
}

fn root(it: &Repository) -> &Path {
    &it.workspace().root
}

/// The name of the directory of the files, which tells worktrees apart.
fn folder(it: &Repository) -> Cow<'_, str> {
    root(it).file_name().unwrap_or_default().to_string_lossy()
}

/// A name for each repository that no other has: that of its origin, else of its folder, else its path.
pub(super) fn names(all: &[Arc<Repository>]) -> Vec<String> {
    let is_only = |name: &String| {
        let others = all.iter().filter(|it| it.workspace().name == *name || folder(it) == *name);
        others.count() == 1
    };
    let name = |it: &Arc<Repository>| {
        let own = [it.workspace().name.clone(), folder(it).into_owned()];
        own.into_iter().find(is_only).unwrap_or_else(|| root(it).display().to_string())
    };
    all.iter().map(name).collect()
}

/// The names, each with its path.
fn with_roots(all: &[Arc<Repository>]) -> Vec<String> {
    let named = names(all).into_iter().zip(all);
    named
        .map(|(name, it)| match root(it).display().to_string() {
            path if path == name => path,
            path => format!("{name} ({path})"),
        })
        .collect()
}

/// The repositories that a name means.
enum NameMatch {
    None,
    One(Arc<Repository>),
    Several,
}

/// Finds a repository by the name of its folder or of its origin, also as `owner/name` or as a URL. The path of a directory
/// is no name: another one may end alike.
fn by_name(all: &[Arc<Repository>], named: &str) -> NameMatch {
    if Path::new(named).is_absolute() || crate::uri::path_of(named).is_some() {
        return NameMatch::None;
    }
    let last = named.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or(named);
    let last = last.strip_suffix(".git").unwrap_or(last);
    let one_of = |is_meant: &dyn Fn(&Repository) -> bool| {
        let mut meant = all.iter().filter(|it| is_meant(it));
        match (meant.next(), meant.next()) {
            (None, _) => NameMatch::None,
            (Some(it), None) => NameMatch::One(Arc::clone(it)),
            _ => NameMatch::Several,
        }
    };
    match one_of(&|it| folder(it) == named) {
        NameMatch::None => one_of(&|it| [named, last].contains(&&*it.workspace().name)),
        found => found,
    }
}

/// Finds a repository by its name or by a path in it.
fn pick(served: &[Arc<Repository>], named: &str) -> anyhow::Result<Arc<Repository>> {
    let why = match (containing(served, named), by_name(served, named)) {
        (Some(it), _) => return Ok(Arc::clone(it)),
        (None, NameMatch::One(it)) => return Ok(it),
        (None, NameMatch::Several) => "several have this name; pass the path of one",
        (None, NameMatch::None) => "not served here",
    };
    let all = with_roots(served).join(", ");
    Err(usage(format!("repository {named}: {why}; there are {all}")))
}

/// The innermost repository that contains a path.
fn containing<'s>(served: &'s [Arc<Repository>], named: &str) -> Option<&'s Arc<Repository>> {
    let path: PathBuf = crate::uri::path_of(named).unwrap_or_else(|| named.into());
    let path = dunce::canonicalize(&path).ok().filter(|_| path.is_absolute())?;
    let containing = served.iter().filter(|it| path.starts_with(&it.workspace().root));
    containing.max_by_key(|it| it.workspace().root.components().count())
}
