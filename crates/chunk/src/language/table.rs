//! The table of languages: one entry for each, in the order of [`Language`](super::Language).

use super::entry::LanguageEntry;
use super::{code, documents};

/// How many languages there are.
pub(super) const LEN: usize = code::ENTRIES.len() + documents::ENTRIES.len();

/// All entries.
pub(super) fn entries() -> impl Iterator<Item = &'static LanguageEntry> {
    code::ENTRIES.iter().chain(documents::ENTRIES)
}

/// The entry with this number, below [`LEN`].
pub(super) const fn entry(idx: usize) -> &'static LanguageEntry {
    match idx.checked_sub(code::ENTRIES.len()) {
        None => &code::ENTRIES[idx],
        Some(idx) => &documents::ENTRIES[idx],
    }
}
