//! Finds the directories of a repository's objects.
//!
//! `objects/info/alternates` names further directories, as after `git clone --shared` and `--reference`. The file comes
//! with the repository, so it could name those of any other repository of the user. Only directories below the
//! repository's own and below those that the user allows are read.

use std::io;
use std::path::Path;

use super::budget::Budget;
use crate::git::GitProblem;
use crate::git::files::small_text;
use crate::root::DirectoryRoot;

/// Maximum depth, as in git.
const MAX_DEPTH: usize = 5;

/// Maximum number of directories.
const MAX_DIRECTORIES: usize = 64;

/// The directories of objects, the repository's own first.
pub(super) fn directories(
    common_dir: &Path,
    roots: &[&Path],
    budget: &Budget,
) -> Vec<DirectoryRoot> {
    let own = DirectoryRoot::open_canonical(common_dir).and_then(|it| it.enter("objects"));
    let own = own.inspect_err(|error| {
        let (path, error) = (common_dir.join("objects"), error.to_string());
        budget.note(|| GitProblem::Unreadable { path, error });
    });
    let mut res: Vec<DirectoryRoot> = own.into_iter().collect();
    let (mut level, mut depth) = (0..res.len(), 0);
    while !level.is_empty() && depth < MAX_DEPTH {
        let end = level.end;
        for at in level {
            let listed = small_text(&res[at], "info/alternates").unwrap_or_default();
            for line in listed.lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
                if res.len() == MAX_DIRECTORIES {
                    return res;
                }
                match alternate(&res[at].path().join(line), roots) {
                    Ok(found) if res.iter().any(|it| it.path() == found.path()) => {}
                    Ok(found) => res.push(found),
                    Err(problem) => budget.note(|| problem),
                }
            }
        }
        (level, depth) = (end..res.len(), depth + 1);
    }
    res
}

/// Opens another directory of objects if it lies below an allowed one.
fn alternate(path: &Path, roots: &[&Path]) -> Result<DirectoryRoot, GitProblem> {
    let unreadable = |error: io::Error| {
        let path = path.to_owned();
        GitProblem::Unreadable { path, error: error.to_string() }
    };
    let path = dunce::canonicalize(path).map_err(unreadable)?;
    if !roots.iter().any(|it| path.starts_with(it)) {
        return Err(GitProblem::Alternate { path });
    }
    // A link that takes the place of a directory in the meantime is an error.
    DirectoryRoot::open_canonical(&path).map_err(unreadable)
}
