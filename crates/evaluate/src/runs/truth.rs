//! Truth folders: small projects, each named after the property of ranking that it protects.
//!
//! `truth/PROPERTY/` holds `truth.toml` (why the property matters, and its tasks), one folder per project, and
//! `ranks.txt`, the current ranks. A project extends `truth/_base/LANGUAGE/`, the ordinary rest of a repository, so
//! that a location must be found among others; the first word of its folder's name is its language.
//!
//! A task is a mark in a file of a project, `<CURSOR: expected places>`, or a query in `truth.toml` ([`mark`],
//! [`folder`], [`location`]). Tasks run through the calls of the command line ([`ask`]).
//!
//! The check ([`check`]) reports two changes: a task that no longer meets its expectations, and a changed rank. The
//! second is often an improvement; `foreword-evaluate truth --accept` records the new ranks, so that a commit shows
//! them. Known failures keep their expectation and are marked `known`; the task fails once it succeeds, so that the
//! mark is removed. [`mutate`] finds the numbers of a preset that no task depends on.

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

/// The directory of this crate's truth folders.
pub fn default_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("truth")
}

/// The presets that tasks use.
#[derive(Clone, Debug)]
pub struct Presets {
    /// For cursors.
    pub context: Preset,
    /// For queries.
    pub search: Preset,
}

impl Default for Presets {
    fn default() -> Self {
        Self { context: preset::context(), search: preset::search() }
    }
}
