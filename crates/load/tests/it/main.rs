//! Tests of the crate's promises, on trees in temporary directories.
//!
//! One binary, so that the tests are linked once. [`Tree`] is the fixture of all modules.
#![expect(clippy::unwrap_used, reason = "the fixtures are as much test as the tests are")]

mod commit_diff;
mod damage;
mod entries;
mod explain;
mod git;
mod git_bombs;
mod git_outside;
mod history;
mod ignore_files;
#[cfg(unix)]
mod links;
mod model;
mod packs;
mod revision;
mod scale;
mod text;
#[cfg(target_os = "linux")]
mod walk_records;
mod walk_stamps;
mod workspace;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use foreword_load::{
    Analyzer, Effort, FileEntry, Limits, Options, Reuse, SkippedPath, SyncOptions, Walk,
    WalkConfig, Workspace, walk,
};

/// A temporary directory.
struct Tree {
    dir: tempfile::TempDir,
    /// The canonical path: on some systems temporary directories are behind a link.
    root: PathBuf,
}

impl Tree {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        Self { dir, root }
    }

    /// A tree with these files, each with a line of text.
    fn of(paths: &[&str]) -> Self {
        let tree = Self::new();
        for path in paths {
            tree.write(path, "text\n");
        }
        tree
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn workspace(&self) -> Workspace {
        let options = Options { root_is_path: true, ..Options::default() };
        Workspace::discover(&self.root, &options).unwrap()
    }

    fn walk(&self) -> Walk {
        self.walk_with(&everything())
    }

    fn walk_with(&self, config: &WalkConfig) -> Walk {
        walk(&self.root, config).unwrap()
    }

    /// The included paths, without the ignore files.
    fn files(&self) -> Vec<String> {
        paths(&self.walk())
    }

    fn found(&self, path: &str) -> FileEntry {
        self.walk()
            .files
            .into_iter()
            .find(|found| found.path == path)
            .expect("the walk finds the file")
    }

    /// The reason for `path`, as shown to users.
    fn reason(&self, path: &str) -> String {
        let walk = self.walk();
        reason_of(&walk.skipped, path).unwrap_or_else(|| format!("no reason in {:?}", walk.skipped))
    }
}

/// Records all skipped paths.
fn everything() -> WalkConfig {
    WalkConfig { record_ignored: true, ..WalkConfig::default() }
}

fn paths(walk: &Walk) -> Vec<String> {
    let name = |path: &str| Path::new(path).file_name().unwrap().to_string_lossy().into_owned();
    let is_source = |path: &String| !name(path).ends_with("ignore") && name(path) != ".aiexclude";
    walk.files.iter().map(|found| found.path.clone()).filter(is_source).collect()
}

fn reason_of(skipped: &[SkippedPath], path: &str) -> Option<String> {
    skipped.iter().find(|skipped| skipped.path == path).map(|skipped| skipped.reason.to_string())
}

/// Settings of a synchronisation with default limits, without waiting for another writer.
fn sync_options(analyzer: &Analyzer, threads: usize, reuse: Reuse) -> SyncOptions<'_> {
    SyncOptions {
        analyzer,
        walk: WalkConfig::default(),
        limits: Limits::default(),
        memory: 0,
        threads,
        wait: Duration::ZERO,
        waiting: None,
        reuse,
        effort: Effort::Round,
        progress: None,
        partial: None,
        cancel: None,
    }
}
