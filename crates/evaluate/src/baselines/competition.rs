//! The baselines of the context collection competition of 2025 (JetBrains and Mistral at ASE): one whole file of the
//! language, at random, by BM25, or by recent edits.
//!
//! The BM25 is rank_bm25's with its defaults, over runs of letters and digits in lower case; the query is the whole of
//! prefix and suffix. Candidates include the cursor's own file, which matches its own text best and so is often shown
//! once more. The competition gave all files that the commit modifies; that reveals the future, so this one chooses
//! from the files of earlier commits. Contexts were trimmed from the left, so the end of a long file remains. The
//! smallest context window there was 8,000 tokens.

use foreword_engine::index::FileId;

use super::bm25::{RANK_BM25, best};
use super::input::BaselineInput;
use super::offer::{Offer, Overflow};
use super::words::{Chunking, Lexer, WordCache};

/// The smallest context window.
const OWN: usize = 8000;

/// Minimum length of a random file.
const LEAST_LINES: u32 = 10;

/// A random file of at least 10 lines.
pub(super) fn random(at: &BaselineInput<'_>) -> Offer {
    let mut files = at.others();
    files.retain(|it| at.snapshot.size(*it).1 >= LEAST_LINES);
    one(at, drawn(at, &files))
}

/// The file with the highest BM25.
pub(super) fn bm25(words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
    let mut files = at.others();
    files.extend(at.snapshot.file(at.cursor.path()));
    let documents = words.documents(at.snapshot, &files, Chunking::File, Lexer::Alphanumeric);
    let mut query = words.word_ids(at.cursor.prefix(), Lexer::Alphanumeric);
    query.extend(words.word_ids(at.cursor.suffix(), Lexer::Alphanumeric));
    let found = best(&documents, &query, words.len(), &RANK_BM25, 1);
    one(at, found.first().map(|it| it.file))
}

/// A random recently edited file of the language.
pub(super) fn recent(at: &BaselineInput<'_>) -> Offer {
    one(at, drawn(at, &at.edited_in_language()))
}

fn drawn(at: &BaselineInput<'_>, files: &[FileId]) -> Option<FileId> {
    files.get(at.random().below(files.len())).copied()
}

fn one(at: &BaselineInput<'_>, file: Option<FileId>) -> Offer {
    let pieces = file.map(|it| at.whole(it, Overflow::KeepEnd)).into_iter().collect();
    Offer { pieces, own: Some(OWN), ..Offer::default() }
}
