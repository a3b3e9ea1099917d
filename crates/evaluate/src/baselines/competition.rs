//! The baselines of the context collection competition of 2025 (JetBrains and Mistral at ASE): one whole file of the
//! language, by chance, by BM25, or by what was edited.
//!
//! The BM25 is rank_bm25's with its defaults, over runs of letters and digits in lower case; the query is the whole of
//! prefix and suffix, and the cursor's own file is not left out: since it is the likeliest match of its own text, that
//! baseline often shows it once more. The competition gave all files that the commit modifies; to know these is to
//! know the future, so ours chooses from the files that earlier commits touched. Contexts were trimmed from the left,
//! so the end of a file that is too long is what remains. A context window of 8,000 tokens was the smallest there.

use foreword_engine::index::FileId;

use super::bm25::{RANK_BM25, best};
use super::input::BaselineInput;
use super::offer::{Offer, Overflow};
use super::words::{Chunking, Lexer, WordCache};

/// The smallest context window.
const OWN: usize = 8000;

/// Shorter files are not drawn.
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

/// A random one of the files of the language that were touched.
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
