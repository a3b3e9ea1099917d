//! The table of languages: one entry for each, in the order of [`Language`](super::Language).

use super::entry::LanguageEntry;
use super::{code, documents, mixed, more_code};

/// The parts of the table, in order.
const TABLES: [&[LanguageEntry]; 4] =
    [code::ENTRIES, more_code::ENTRIES, mixed::ENTRIES, documents::ENTRIES];

/// Number of languages.
pub(super) const LEN: usize = {
    let (mut len, mut table) = (0, 0);
    while table < TABLES.len() {
        len += TABLES[table].len();
        table += 1;
    }
    len
};

/// All entries.
pub(super) fn entries() -> impl Iterator<Item = &'static LanguageEntry> {
    TABLES.into_iter().flatten()
}

/// The entry with this index, below [`LEN`].
pub(super) const fn entry(mut idx: usize) -> &'static LanguageEntry {
    let mut table = 0;
    while idx >= TABLES[table].len() {
        idx -= TABLES[table].len();
        table += 1;
    }
    &TABLES[table][idx]
}

/// True for entries in the tables of programming languages and of files with code.
pub(super) fn is_code(language: super::Language) -> bool {
    !documents::ENTRIES.iter().any(|it| it.language == language)
}
