//! Many repositories on OpenSearch (docs/scale.md).
//!
//! The cluster has three kinds of documents, all routed by repository: *files* (one per repository, path and content,
//! shared by branches), *pages* (parts of a branch's table of files and dictionary, by content) and one *repository*
//! document, whose list of branches names the first page of each. A push writes files and pages that are not there, and
//! the list last. A search reads a branch's table, answers from it, gets what was missing, and answers again
//! ([`foreword_engine::index::Partial`]); the code that ranks is the engine's and does not know.
//!
//! * `error`: what can go wrong, with what to do.
//! * `client`: requests, their repetition and counts of them; `bulk`: those that write many documents.
//! * `keys`: identifiers of documents, hashed terms, contents in the clear or encrypted.
//! * `mapping`: versions of the index, and how one becomes the next.
//! * `layout`: pages and the state of a repository as bytes.
//! * `repository`: its document, compared and swapped.
//! * `push`, `remove`, `sweep`: writing.
//! * `read`: answers; `kept`: what a server keeps for the next ones.
//! * `holders`: which repositories have a name.
//! * `diagnose`: whether the cluster can be used.
//! * `across`: which repositories may be read, and which are likely to answer a question.
#![deny(missing_docs)]

mod across;
mod bulk;
mod client;
mod diagnose;
mod error;
mod holders;
mod kept;
mod keys;
mod layout;
mod mapping;
mod push;
mod read;
mod remove;
mod repository;
mod sweep;

pub use across::{Access, Candidate, Candidates, MergeInput, Pattern, PatternError, Rule, merge};
pub use client::{Cluster, Meter, READ_PATIENCE};
pub use diagnose::Finding;
pub use error::ClusterError;
pub use holders::{NameHolder, NameHolders};
pub use keys::ClusterKey;
pub use push::{PushProgress, PushReport, PushRequest};
pub use read::{Branch, ReadCost};
pub use repository::BranchState;
