//! What a walk saw, so that stats alone tell later whether another walk would find anything else.
//!
//! A walk lists directories and matches every name against the ignore files; most of the time nothing has changed, and
//! a list of stamps shows it in a fraction of the time. What is stamped is all that a walk depends on: the files, the
//! directories (a name that comes or goes touches its directory), what was left out by its content, and the ignore
//! files, those above the root and git's own among them.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::rules;
use crate::stamp::{proves_unchanged, stamp_of};
use crate::walk::{Found, Walk, WalkConfig};
use crate::{Stamp, git};

/// What a walk saw.
#[derive(Debug)]
pub struct Seen {
    root: PathBuf,
    /// The clock before the walk began.
    at_ns: i64,
    files: Vec<Found>,
    others: Vec<Other>,
}

/// A path that decides what a walk finds; no stamp where there was nothing.
#[derive(Debug)]
struct Other {
    path: PathBuf,
    stamp: Option<Stamp>,
}

/// Stats are so cheap that a thread should have many.
const STATS_A_TASK: usize = 256;

impl Seen {
    /// Keeps what `walk` saw below `root` (canonical). `at_ns` is the clock before that walk began.
    pub fn new(root: &Path, walk: Walk, config: &WalkConfig, at_ns: i64) -> Self {
        let Walk { files, skipped, directories } = walk;
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
        let others = paths.into_iter().map(|path| Other { stamp: stamp(&path), path }).collect();
        Self { root: root.to_path_buf(), at_ns, files, others }
    }

    /// Whether everything is as it was, for certain: what was touched within [`RACY_NS`](crate::RACY_NS) before the
    /// walk never is.
    pub fn holds(&self) -> bool {
        let files = self.files.par_iter().with_min_len(STATS_A_TASK);
        let others = self.others.par_iter().with_min_len(STATS_A_TASK);
        others.all(|it| self.proves(stamp(&it.path), it.stamp))
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

/// The ignore files that are in a directory, and where git keeps those of a repository that begins there.
fn rule_files(dir: &Path) -> Vec<PathBuf> {
    let named = rules::file_names().map(|it| dir.join(it)).filter(|it| it.exists());
    let dot_git = dir.join(".git");
    let storage = dot_git.exists().then(|| git::top_at(dir)).flatten().and_then(|it| it.storage);
    let of_git = storage.map(|it| it.common_dir.join("info").join("exclude"));
    named.chain(of_git).collect()
}

fn stamp(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().map(|it| stamp_of(&it))
}
