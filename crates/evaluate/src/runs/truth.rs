//! Truth folders: small projects, each named by the property of ranking that it protects.
//!
//! `truth/PROPERTY/` holds `truth.toml` (why the property matters, and its tasks), one folder for each project, and
//! `ranks.txt`, the ranks of today. A project lies over `truth/_base/LANGUAGE/`, the ordinary rest of a repository, so
//! that a place must be found among others; its language is the first word of its folder's name.
//!
//! A task is a mark in a file of a project, `<CURSOR: expected places>`, or a query in `truth.toml`
//! ([`mark`], [`folder`], [`location`]). Tasks go through the calls that the command line makes ([`ask`]).
//!
//! Two things may not happen unseen ([`check`]): that a task loses what it demands, and that a rank changes. The second
//! is often an improvement; `foreword-evaluate truth --accept` writes the new ranks down, so that a commit shows them.
//! What the engine gets wrong today is demanded all the same and marked `known`; it fails once it comes right, so that
//! the mark goes. [`mutate`] says which numbers of a preset no task would notice.

pub mod ask;
pub mod check;
pub mod folder;
pub mod location;
pub mod mark;
pub mod mutate;
pub mod print;
pub mod project;
pub mod ranks;
pub mod show;
pub mod verdict;

use std::path::{Path, PathBuf};

use foreword_engine::preset::{self, Preset};

/// Where this crate keeps its truth folders.
pub fn default_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("truth")
}

/// The settings that tasks are asked with.
#[derive(Clone, Copy, Debug)]
pub struct Presets {
    /// For cursors.
    pub context: Preset,
    /// For queries.
    pub search: Preset,
}

impl Default for Presets {
    /// Those in use.
    fn default() -> Self {
        Self { context: preset::context(), search: preset::search() }
    }
}
