//! The simple baselines: whole files, blocks of lines and chunks, best first until the budget is spent.
//!
//! `bm25-lines` and `bm25-cast` are the plain retrieval that "Practical Code RAG at Scale" (arXiv 2510.20609) found
//! best for completion: BM25 over words, here with the 20 lines before the cursor as the query. The chunks of
//! `bm25-cast` are ours: cAST's (arXiv 2506.15655) size and splits, with complete coverage and small neighbours merged.
//! `bm25-lines-around` and `bm25-cast-around` add the 20 lines after the cursor, which an editor knows too.

use super::bm25::{Bm25, Idf, best};
use super::input::BaselineInput;
use super::offer::{Offer, Overflow};
use super::words::{Chunking, Lexer, WordCache, piece};

/// Lucene's formula with rank_bm25's constants, so that the three differ in their documents only.
const PLAIN: Bm25 = Bm25 { k1: 1.5, b: 0.75, idf: Idf::Smooth, most: u32::MAX };

/// Above the capacity of any budget here.
const MOST: usize = 300;

/// Lines on each side of the cursor in the query of blocks and chunks.
const QUERY_LINES: usize = 20;

/// The query of blocks and chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Query {
    /// The lines before the cursor.
    Before,
    /// The lines before and after it, with equal weight.
    Around,
}

/// Random files of the language.
pub(super) fn random(at: &BaselineInput<'_>) -> Offer {
    let mut files = at.others();
    at.random().shuffle(&mut files);
    files.truncate(MOST);
    let pieces = files.into_iter().map(|it| at.whole(it, Overflow::KeepStart)).collect();
    Offer { pieces, ..Offer::default() }
}

/// Edited files of the language, newest first.
pub(super) fn recent(at: &BaselineInput<'_>) -> Offer {
    let files = at.edited_in_language().into_iter();
    let pieces = files.map(|it| at.whole(it, Overflow::KeepStart)).collect();
    Offer { pieces, ..Offer::default() }
}

/// Other files of the language, with the whole of prefix and suffix as query.
pub(super) fn by_bm25(words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
    let documents = words.documents(at.snapshot, &at.others(), Chunking::File, Lexer::Alphanumeric);
    let mut query = words.word_ids(at.cursor.prefix(), Lexer::Alphanumeric);
    query.extend(words.word_ids(at.cursor.suffix(), Lexer::Alphanumeric));
    let found = best(&documents, &query, words.len(), &PLAIN, MOST);
    let pieces = found.into_iter().map(|it| at.whole(it.file, Overflow::KeepStart)).collect();
    Offer { pieces, ..Offer::default() }
}

/// Disjoint blocks of 40 lines.
pub(super) fn lines_by_bm25(words: &mut WordCache, at: &BaselineInput<'_>, query: Query) -> Offer {
    parts_by_bm25(words, at, Chunking::Lines { n: 40, step: 40 }, query)
}

/// Chunks of at most 2000 non-whitespace characters.
pub(super) fn chunks_by_bm25(words: &mut WordCache, at: &BaselineInput<'_>, query: Query) -> Offer {
    parts_by_bm25(words, at, Chunking::Cast, query)
}

/// Parts of all files of the language, except those in the window around the cursor.
fn parts_by_bm25(
    words: &mut WordCache,
    at: &BaselineInput<'_>,
    cut: Chunking,
    query: Query,
) -> Offer {
    let mut files = at.others();
    files.extend(at.snapshot.file(at.cursor.path()));
    let documents = words.documents(at.snapshot, &files, cut, Lexer::Alphanumeric);
    let mut asked = words.word_ids(at.lines_before(QUERY_LINES), Lexer::Alphanumeric);
    if query == Query::Around {
        asked.extend(words.word_ids(at.lines_after(QUERY_LINES), Lexer::Alphanumeric));
    }
    let mut found = best(&documents, &asked, words.len(), &PLAIN, MOST);
    found.retain(|it| !at.is_shown(it.file, &it.document.bytes));
    let show = |it: &super::bm25::ScoredDocument<'_>| {
        piece(at.snapshot, it.file, it.document, Overflow::KeepStart)
    };
    Offer { pieces: found.iter().map(show).collect(), ..Offer::default() }
}
