//! What a team and a user add to a repository: answers to frequent questions, what directories are for, tags, pinned and
//! demoted paths, and sources beside the code (pages, issues, commit messages).
//!
//! The files of a team lie in the folder `.foreword/` of the repository. They are indexed with it, so ignore files, secret
//! masks, links and revisions are dealt with as for all others, and they are part of a snapshot's identity; but they are
//! none of its files ([`Snapshot::customisation`](crate::index::Snapshot::customisation)), so that they change no answer
//! except through what is here. Everything in them is data.
//!
//! `types` is what the files say, `tags` which definitions a tag is on, `export` makes exported issues readable, and
//! `shelf` finds what is said about a question, of which `page` shows some lines.

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

/// The folder of a team's files, with a slash at its end.
pub use crate::index::CUSTOMISATION_FOLDER as FOLDER;
