//! Repositories that a call may name: for a local client those below the directories that its user allows, else those that
//! a server serves.

mod allowed_roots;
mod start_directory;

use std::path::PathBuf;
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
        /// The directory of calls that name none.
        start: StartDirectory,
    },
    /// Those that a server serves, in this order.
    Served(Vec<Arc<Repository>>),
}

impl Repositories {
    /// The repository that a call names, or the default one.
    pub fn find(&self, named: Option<&str>) -> anyhow::Result<Arc<Repository>> {
        match self {
            Self::Local { host, start } => {
                let directory = start.resolve(named);
                if named.is_some() {
                    start.check(&directory, host.setup())?;
                }
                host.repository(&directory).map_err(|error| {
                    error.context(
                    "this repository cannot be searched; pass `repository`, the path of a project",
                )
                })
            }
            Self::Served(served) => pick(served, named),
        }
    }

    /// The repositories that calls can use without a name.
    pub fn all(&self) -> anyhow::Result<Vec<Arc<Repository>>> {
        match self {
            Self::Local { .. } => Ok(vec![self.find(None)?]),
            Self::Served(served) => Ok(served.clone()),
        }
    }

    /// The description of the argument `repository`.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Local { .. } => "Another project's directory.".to_owned(),
            Self::Served(served) => {
                let all: Vec<String> = served.iter().map(name_of).collect();
                format!("One of: {} [default: the first].", all.join(", "))
            }
        }
    }
}

fn name_of(it: &Arc<Repository>) -> String {
    let workspace = it.workspace();
    format!("{} ({})", workspace.name, workspace.root.display())
}

/// Finds a repository by its name or by a path in it.
fn pick(served: &[Arc<Repository>], named: Option<&str>) -> anyhow::Result<Arc<Repository>> {
    let found = match named {
        None => served.first(),
        Some(named) => served
            .iter()
            .find(|it| it.workspace().name == named)
            .or_else(|| containing(served, named)),
    };
    found.cloned().ok_or_else(|| {
        let all: Vec<String> = served.iter().map(name_of).collect();
        let named = named.unwrap_or_default();
        usage(format!("repository {named}: not served here; there are {}", all.join(", ")))
    })
}

/// The innermost repository that contains a path.
fn containing<'s>(served: &'s [Arc<Repository>], named: &str) -> Option<&'s Arc<Repository>> {
    let path: PathBuf = crate::uri::path_of(named).unwrap_or_else(|| named.into());
    let path = dunce::canonicalize(&path).ok().filter(|_| path.is_absolute())?;
    let containing = served.iter().filter(|it| path.starts_with(&it.workspace().root));
    containing.max_by_key(|it| it.workspace().root.components().count())
}
