//! Reads repositories from the disk: which workspace a path belongs to, which files are in it and why the others are not,
//! what text they hold, and whether they have changed.
//!
//! # Overview
//!
//! * [`Workspace::discover`] finds the root and its git repository; [`index_dir`] is where its index is kept.
//! * [`walk`] lists the files, with a reason for every path that is skipped; [`explain`] does so for one path.
//! * [`read`] turns a file into [`Text`], or into the reason why it has none.
//! * [`Stamp`] tells without reading a file whether it may have changed.
//! * [`WalkStamps`] tells by metadata alone whether a walk would return the same.
//! * [`Analyzer`] parses texts in processes of their own.
//! * [`sync`] brings an index up to date with the disk, as one writer among many readers.
//! * [`Revision`] has the files of a commit, also of a bare repository.
//! * [`commit_diff`] is what the files have that the last commit has not.
//! * [`history`] is what the last commits changed.
//! * [`Environment`] is what the process environment configures.
#![deny(missing_docs)]

mod analyzer;
mod commit_diff;
mod env;
mod error;
mod explain;
mod git;
mod history;
mod relative;
mod revision;
mod root;
mod skip;
mod stamp;
mod sync;
mod text;
mod walk;
mod workspace;

pub use analyzer::{Analyzer, Job, WorkLimits, WorkerCommand, run_worker};
pub use commit_diff::{GitState, commit_diff};
pub use env::Environment;
pub use error::LoadError;
pub use explain::explain;
pub use git::Git;
pub use history::{HistoryLimits, history, history_at};
pub use revision::Revision;
pub use root::Root;
pub use skip::{SkipReason, SkippedPath};
pub use stamp::{RACY_NS, Stamp, now_ns, proves_unchanged};
pub use sync::{
    Progress, Report, Reuse, StoredView, SyncError, SyncOptions, SyncOutcome, Unreadable,
    open_as_is, sync,
};
pub use text::{
    DEFAULT_MAX_FILE_SIZE, Encoding, Limits, Text, decode, read, read_below, read_named, readable,
};
pub use walk::{FileEntry, Inclusion, Masking, Walk, WalkConfig, WalkStamps, walk, walk_until};
pub use workspace::{Options, Workspace, index_dir};
