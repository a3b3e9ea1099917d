//! Encoded lists of a segment: occurrences of terms, definitions and uses of names.

mod frequency_codes;
mod list;
mod names;

pub(super) use frequency_codes::{FREQUENCIES, ONCE_CODE};
pub(super) use list::{BLOCK, Block, Postings, Seeker, each_posting, put_postings};
pub(super) use names::{NameEntry, StoredDefinition};
