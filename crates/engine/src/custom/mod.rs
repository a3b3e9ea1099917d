//! Additions of a team and a user to a repository: answers to frequent questions, directory summaries, tags, pinned and
//! demoted paths, and sources beside the code (pages, issues, commit messages).
//!
//! A team's files are in the folder `.foreword/` of the repository. They are indexed with it, so that ignore files,
//! secret masks, links and revisions apply to them, and they belong to a snapshot's identity. They are not among its
//! files ([`Snapshot::customisation`](crate::index::Snapshot::customisation)) and change answers only through this
//! module. Everything in them is data.
//!
//! `types` has their values, `tags` decides which definitions have a tag, `export` makes exported issues readable,
//! `sources` searches answers and pages, and `page` cuts the matching lines.

mod export;
mod page;
mod sources;
mod tags;
mod types;

pub use export::readable_export;
pub use sources::{CustomSources, OwnPage, Statement};
pub(crate) use tags::is_test;
pub use tags::{BUILT_IN, Subject, TagFilter, TagRule, UnknownTag, names};
pub use types::{
    Customisation, DirectorySummary, FaqEntry, FaqPlace, Location, PathRules, SourceOrigin,
};

/// The folder of a team's files, with a trailing slash.
pub use crate::index::CUSTOMISATION_FOLDER as FOLDER;
