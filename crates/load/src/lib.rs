//! Reads repositories from disk: the workspace of a path, its files with the reasons for skipped ones, their text, and
//! whether they have changed.
//!
//! # Overview
//!
//! * [`Workspace::discover`] finds the root and its git repository; [`index_dir`] returns the directory of its index.
//! * [`walk`] lists the files, with a reason for every skipped path; [`explain`] does so for one path.
//! * [`read`] returns the [`Text`] of a file, or the reason why it has none.
//! * [`Stamp`] shows whether a file may have changed, without reading it.
//! * [`WalkStamps`] shows whether a walk would return the same, by metadata alone.
//! * [`Analyzer`] parses texts in worker processes.
//! * [`sync`] brings an index up to date with the disk, as one writer among many readers.
//! * [`Revision`] is a commit whose files are read instead of those on disk, also from a bare repository.
//! * [`commit_diff`] compares the files with the last commit.
//! * [`history`] lists the changes of the last commits.
//! * [`import_scip`] takes what a compiler said of names.
//! * [`WorkingCopy`] tells which files differ from a snapshot that is kept elsewhere.
//! * [`Environment`] holds the settings of the process environment.
#![deny(missing_docs)]

mod admission;
mod analyzer;
mod commit_diff;
mod env;
mod error;
mod explain;
mod git;
mod history;
mod index_path;
mod relative;
mod revision;
mod root;
mod scip;
mod skip;
mod stamp;
mod sync;
mod text;
mod threads;
mod walk;
mod workspace;

pub use admission::{SecretName, admit};
pub use analyzer::{Analyzer, Job, WorkLimits, WorkerCommand, run_worker};
pub use commit_diff::{GitState, commit_diff};
pub use env::Environment;
pub use error::LoadError;
pub use explain::explain;
pub use git::{Git, GitProblem};
pub use history::{
    GitHistory, HistoryLimits, git_problem, has_commit, history, history_at, last_files,
};
pub use revision::Revision;
pub use root::{EntryType, Root, open_regular};
pub use scip::{import_scip, own_scip};
pub use skip::{SkipReason, SkippedPath};
pub use stamp::{RACY_NS, Stamp, now_ns, proves_unchanged};
pub use sync::{
    DeferredTexts, Effort, Progress, Report, Reuse, StoredView, SyncError, SyncOptions,
    SyncOutcome, Unreadable, WorkingCopy, WorkingCopyError, open_as_is, sync,
};
pub use text::{
    DEFAULT_MAX_FILE_SIZE, Encoding, Limits, Text, decode, minified, read, read_as_stored,
    read_below, read_named, readable,
};
pub use walk::{FileEntry, Inclusion, Masking, Walk, WalkConfig, WalkStamps, walk, walk_until};
pub use workspace::{Options, Workspace, index_dir};
