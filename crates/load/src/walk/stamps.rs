//! Stamps of everything a walk depended on, to check by metadata alone whether it would return the same.
//!
//! A walk lists directories and matches every name against ignore files. Most of the time nothing has changed, and
//! comparing stamps takes a fraction of the time. Stamped are the files, the directories (adding or removing a name
//! changes its directory), paths skipped for their content, and the ignore files, including those above the root and
//! git's own.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::entries::{FileEntry, Walk, WalkConfig};
use super::ignore_rules;
use crate::git;
use crate::stamp::{Stamp, proves_unchanged, stamp_of};
use crate::workspace::Workspace;

/// Stamps of everything a walk depended on.
#[derive(Debug)]
pub struct WalkStamps {
    root: PathBuf,
    /// The clock before the walk began.
    at_ns: i64,
    files: Vec<FileEntry>,
    dependencies: Vec<Dependency>,
}

/// A path that affects a walk; the stamp is `None` if it did not exist.
#[derive(Debug)]
struct Dependency {
    path: PathBuf,
    stamp: Option<Stamp>,
}

/// Number of paths for each task; a single stat is too cheap.
const STATS_PER_TASK: usize = 256;

impl WalkStamps {
    /// Takes the stamps of a walk of the workspace. `at_ns` is the clock before that walk began.
    pub fn new(workspace: &Workspace, walk: Walk, config: &WalkConfig, at_ns: i64) -> Self {
        let root = &workspace.root;
        let Walk { files, skipped, directories } = match workspace.revision {
            // A commit does not change.
            Some(_) => Walk::default(),
            None => walk,
        };
        let mut paths: Vec<PathBuf> = skipped
            .iter()
            .map(|it| root.join(&it.path))
            .chain(config.global_excludes.clone())
            .collect();
        let above = git::top_of(root).map_or_else(Vec::new, |top| {
            let between = root.ancestors().skip(1).take_while(|it| it.starts_with(&top.work_tree));
            between.map(Path::to_path_buf).collect()
        });
        let below = directories.iter().map(|it| root.join(it)).collect::<Vec<_>>();
        let of_directories = above.par_iter().chain(&below).flat_map_iter(|dir| rule_files(dir));
        paths.extend(of_directories.collect::<Vec<_>>());
        paths.extend(above);
        paths.extend(below);
        let dependencies =
            paths.into_iter().map(|path| Dependency { stamp: stamp(&path), path }).collect();
        Self { root: root.clone(), at_ns, files, dependencies }
    }

    /// Whether it is certain that nothing has changed. Never true for paths modified just before the walk
    /// ([`proves_unchanged`]).
    pub fn is_current(&self) -> bool {
        let files = self.files.par_iter().with_min_len(STATS_PER_TASK);
        let dependencies = self.dependencies.par_iter().with_min_len(STATS_PER_TASK);
        dependencies.all(|it| self.proves(stamp(&it.path), it.stamp))
            && files.all(|it| self.proves(stamp(&self.root.join(&it.path)), Some(it.stamp)))
    }

    fn proves(&self, now: Option<Stamp>, then: Option<Stamp>) -> bool {
        match (now, then) {
            (Some(now), Some(then)) => proves_unchanged(&now, &then, self.at_ns),
            (None, None) => true,
            _ => false,
        }
    }
}

/// The possible ignore files of a directory, including those of git for a repository whose top it is.
fn rule_files(dir: &Path) -> Vec<PathBuf> {
    let named = ignore_rules::file_names().map(|it| dir.join(it)).filter(|it| it.exists());
    let dot_git = dir.join(".git");
    let storage = dot_git.exists().then(|| git::top_at(dir)).flatten().and_then(|it| it.storage);
    let of_git = storage.map(|it| it.common_dir.join("info").join("exclude"));
    named.chain(of_git).collect()
}

fn stamp(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().map(|it| stamp_of(&it))
}
