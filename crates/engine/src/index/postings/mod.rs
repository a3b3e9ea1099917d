//! The encoded lists of a segment: where terms occur, and where names are defined and used.

mod frequency_codes;
mod list;
mod names;

pub(super) use frequency_codes::{FREQUENCIES, ONCE};
pub(super) use list::{BLOCK, Block, Postings, Seeker, each_posting, put_postings};
pub(super) use names::{NameEntry, StoredDefinition};
