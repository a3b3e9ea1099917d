//! Tabby's code search for a completion: its server's chunks, filters and budget.
//!
//! Chunks have at most 512 characters (some 400 without whitespace). The query is the text before the cursor alone, of
//! which its client sends 20 lines; words are `\w+` as written, and the index stores no frequencies, so a word counts
//! once per chunk. Files of the cursor's language except its own; at most 2 chunks per file; BM25 above 8; bodies of
//! 768 characters in all, stopping at the first that does not fit.
//!
//! Tabby fuses this list with a second one by embeddings, and indexes nothing without an embedding model; only this
//! list is implemented. Declarations from a language server, which Tabby shows first, are not implemented either.

use std::collections::BTreeMap;

use foreword_chunk::Language;
use foreword_engine::index::FileId;

use super::bm25::{Bm25, Idf, best};
use super::input::BaselineInput;
use super::offer::{Offer, Overflow};
use super::words::{Chunking, Lexer, WordCache, piece};

/// tantivy's constants.
const TANTIVY: Bm25 = Bm25 { k1: 1.2, b: 0.75, idf: Idf::Smooth, most: 1 };
const CHUNK: u32 = 400;
const QUERY_LINES: usize = 20;
const SCORED: usize = 40;
const LEAST_SCORE: f64 = 8.0;
const OF_A_FILE: usize = 2;
const CHARACTERS: usize = 768;

pub(super) fn offer(words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
    let language = at.scope.language.map(family);
    let own = at.snapshot.file(at.cursor.path());
    let alike = |it: &FileId| at.snapshot.language(*it).map(family) == language;
    let files: Vec<FileId> =
        at.snapshot.files().filter(|it| Some(*it) != own).filter(alike).collect();
    let documents = words.documents(at.snapshot, &files, Chunking::Small(CHUNK), Lexer::Word);
    let query = words.word_ids(at.lines_before(QUERY_LINES), Lexer::Word);
    let found = best(&documents, &query, words.len(), &TANTIVY, SCORED);
    let mut of_file: BTreeMap<FileId, usize> = BTreeMap::new();
    let mut left = CHARACTERS;
    let mut pieces = Vec::new();
    for it in found.iter().filter(|it| it.score > LEAST_SCORE) {
        let taken = of_file.entry(it.file).or_default();
        *taken += 1;
        if *taken > OF_A_FILE {
            continue;
        }
        let next = piece(at.snapshot, it.file, it.document, Overflow::Stop);
        if next.text.len() > left {
            break;
        }
        left -= next.text.len();
        pieces.push(next);
    }
    Offer { pieces, ..Offer::default() }
}

/// Tabby treats JavaScript and TypeScript as one language.
fn family(language: Language) -> Language {
    match language {
        Language::TypeScript | Language::Tsx => Language::JavaScript,
        other => other,
    }
}
