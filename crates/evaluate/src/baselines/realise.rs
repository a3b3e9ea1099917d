//! REALISE Lab's entry to the context collection competition of 2025 ("Beyond More Context"), the best one with context
//! from the task's own revision only.
//!
//! Documents are top-level definitions in its Python setting and functions, below the first lines of their enclosing
//! classes, in its Kotlin setting; here both apply to every language. rank_bm25's BM25 with its defaults, the whole of
//! prefix and suffix as query, over words in lower case; the best 5, best last; in the Kotlin setting 3 more when the 5
//! have fewer than 2,000 tokens together. Its Python chunks also group expression statements of the top level; ours
//! omit code outside of definitions. It also trims the text around the cursor to the last top-level definition; here
//! all baselines have the same window. The competition trimmed contexts from the left.

use super::bm25::{RANK_BM25, best};
use super::input::BaselineInput;
use super::offer::{Offer, Order, Overflow};
use super::words::{Chunking, Lexer, WordCache, piece};

/// The smallest context window of the competition.
const OWN: usize = 8000;
const BEST: usize = 5;
const MORE: usize = 3;
const FEW_TOKENS: usize = 2000;

/// The Python setting.
pub(super) fn python(words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
    ranked(words, at, Chunking::Outermost, BEST)
}

/// The Kotlin setting.
pub(super) fn kotlin(words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
    let mut offer = ranked(words, at, Chunking::Functions, BEST + MORE);
    let first = offer.pieces.iter().take(BEST);
    if first.map(|it| (at.count)(&it.text)).sum::<usize>() >= FEW_TOKENS {
        offer.pieces.truncate(BEST);
    }
    offer
}

fn ranked(words: &mut WordCache, at: &BaselineInput<'_>, cut: Chunking, n: usize) -> Offer {
    let documents = words.documents(at.snapshot, &at.others(), cut, Lexer::Alphanumeric);
    let mut query = words.word_ids(at.cursor.prefix(), Lexer::Alphanumeric);
    query.extend(words.word_ids(at.cursor.suffix(), Lexer::Alphanumeric));
    let found = best(&documents, &query, words.len(), &RANK_BM25, n);
    let show = |it: &super::bm25::ScoredDocument<'_>| {
        piece(at.snapshot, it.file, it.document, Overflow::KeepEnd)
    };
    let pieces = found.iter().map(show).collect();
    Offer { pieces, order: Order::BestLast, own: Some(OWN), by_file: false }
}
