//! Truth folders: small projects, each named after the property of ranking that it protects.
//!
//! `truth/PROPERTY/` holds `truth.toml` (why the property matters, and its tasks), one folder for each project, and
//! `ranks.txt`, the ranks of today. A project lies over `truth/_base/LANGUAGE/`, the ordinary rest of a repository, so
//! that a location must be found among others; its language is the first word of its folder's name.
//!
//! A task is a mark in a file of a project, `<CURSOR: expected places>`, or a query in `truth.toml`
//! ([`mark`], [`folder`], [`location`]). Tasks go through the calls that the command line makes ([`ask`]).
//!
//! Two changes must not go unnoticed ([`check`]): a task no longer meets its expectations, and a rank changes. The
//! second is often an improvement; `foreword-evaluate truth --accept` records the new ranks, so that a commit shows
//! them. What the engine gets wrong today is expected all the same and marked `known`; the task fails once it is right,
//! so that the mark is removed. [`mutate`] finds the numbers of a preset that no task depends on.

pub mod ask;
pub mod check;
pub mod expectations;
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
#[derive(Clone, Debug)]
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
