//! Turns a disk into values: which workspace a path means, which files are in it and why the others are not, what
//! text they hold, and whether they changed.
//!
//! # Overview
//!
//! * [`Workspace::discover`] finds the root and what git knows of it; [`index_dir`] says where its index lives.
//! * [`walk`] lists the files, with a reason for everything that is left out; [`explain`] answers for one path.
//! * [`read`] turns a file into [`Text`], or into the reason why it has none.
//! * [`Stamp`] tells without reading whether a file may have changed.
//! * [`Seen`] tells by stats alone whether a walk would find anything new.
//! * [`sync`] brings an index up to date with the disk, as one writer among many readers.
//! * [`Environment`] is all that the process environment has to say.
#![deny(missing_docs)]

mod decode;
mod directory;
mod env;
mod error;
mod explain;
mod git;
mod handwritten;
mod names;
mod relative;
mod rules;
mod seen;
mod skip;
mod stamp;
mod sync;
mod walk;
mod workspace;

pub use decode::{DEFAULT_MAX_FILE_SIZE, Encoding, Limits, Text, decode, read, read_named};
pub use env::Environment;
pub use error::LoadError;
pub use explain::explain;
pub use git::Git;
pub use seen::Seen;
pub use skip::{SkipReason, Skipped};
pub use stamp::{RACY_NS, Stamp, now_ns, proves_unchanged};
pub use sync::{Progress, Report, SyncError, SyncOptions, Synced, open_as_is, sync};
pub use walk::{Found, Walk, WalkConfig, walk, walk_until};
pub use workspace::{Options, Workspace, index_dir};
