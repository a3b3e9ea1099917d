//! Which repositories a server speaks of: any that its one client names, or those that are served to whoever asks.

use std::path::PathBuf;
use std::sync::Arc;

use super::place::Place;
use crate::host::{Host, Repository};
use crate::usage::usage;

/// Where calls find what they ask about.
pub(super) enum Home {
    /// One client's own: it may name any directory, since it could read it itself.
    Own { host: Host, place: Place },
    /// Those of a server, in the order in which they were named to it; there are no others.
    Served(Vec<Arc<Repository>>),
}

impl Home {
    /// The repository that a call means which names `repository`, or none.
    pub(super) fn repository(&self, named: Option<&str>) -> anyhow::Result<Arc<Repository>> {
        match self {
            Self::Own { host, place } => host.repository(&place.of(named)).map_err(|error| {
                error.context(
                    "this repository cannot be searched; pass `repository`, the path of a project",
                )
            }),
            Self::Served(served) => pick(served, named),
        }
    }

    /// All that can be asked about without a name.
    pub(super) fn all(&self) -> anyhow::Result<Vec<Arc<Repository>>> {
        match self {
            Self::Own { .. } => Ok(vec![self.repository(None)?]),
            Self::Served(served) => Ok(served.clone()),
        }
    }

    /// What a client is told of the parameter `repository`.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Own { .. } => {
                "The project's directory [default: the one this server was started in].".to_owned()
            }
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

/// By the name of a repository or a path in it.
fn pick(served: &[Arc<Repository>], named: Option<&str>) -> anyhow::Result<Arc<Repository>> {
    let found = match named {
        None => served.first(),
        Some(named) => {
            served.iter().find(|it| it.workspace().name == named).or_else(|| around(served, named))
        }
    };
    found.cloned().ok_or_else(|| {
        let all: Vec<String> = served.iter().map(name_of).collect();
        let named = named.unwrap_or_default();
        usage(format!("repository {named}: not served here; there are {}", all.join(", ")))
    })
}

/// The innermost repository that a path lies in.
fn around<'s>(served: &'s [Arc<Repository>], named: &str) -> Option<&'s Arc<Repository>> {
    let path: PathBuf = crate::uri::path_of(named).unwrap_or_else(|| named.into());
    let path = path.canonicalize().ok().filter(|_| path.is_absolute())?;
    let holds = served.iter().filter(|it| path.starts_with(&it.workspace().root));
    holds.max_by_key(|it| it.workspace().root.components().count())
}
