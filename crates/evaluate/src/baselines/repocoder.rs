//! RepoCoder's first retrieval (Zhang et al. 2023): windows of 20 lines, a new one every 10, by the Jaccard similarity
//! of their sets of tokens with that of the last 20 lines before the cursor.
//!
//! It shows the window half a step after the match: the lines after those that resemble the lines before the cursor. At
//! most 10 windows, best last, within 1,000 tokens for a model of 2,048; windows that do not fit are skipped. Windows
//! of the cursor's file are candidates up to the beginning of the text around the cursor. Its tokens are a model's;
//! here they are words in lower case.

use foreword_engine::index::FileId;

use super::input::BaselineInput;
use super::offer::{Offer, Order, Overflow, Piece};
use super::words::{Chunking, Lexer, WordCache};

const WINDOW: usize = 20;
const STEP: usize = 10;
const BEST: usize = 10;
/// Number of candidates when some do not fit.
const CANDIDATES: usize = 20;
const OWN: usize = 1000;

pub(super) fn offer(words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
    let own = at.snapshot.file(at.cursor.path());
    let mut files = at.others();
    files.extend(own);
    let cut = Chunking::Lines { n: WINDOW, step: STEP };
    let documents = words.documents(at.snapshot, &files, cut, Lexer::Alphanumeric);
    let mut query = words.word_ids(at.lines_before(WINDOW), Lexer::Alphanumeric);
    query.sort_unstable();
    query.dedup();
    let mut scored: Vec<(f64, FileId, usize)> = Vec::new();
    for it in &documents {
        let score = |it: &super::words::Document| jaccard(&query, &it.counts);
        scored.extend(it.all.iter().map(|doc| (score(doc), it.file, doc.bytes.start)));
    }
    scored.retain(|it| it.0 > 0.0);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let context_start = context_start(at);
    let mut pieces: Vec<Piece> = Vec::new();
    for (_, file, start) in scored {
        let text = at.snapshot.text(file);
        let until = if own == Some(file) { context_start } else { text.len() };
        let next = window_after(&text[..until], at.snapshot.path(file), start);
        pieces.extend(next.filter(|it| !pieces.contains(it)));
        if pieces.len() == CANDIDATES {
            break;
        }
    }
    pieces.truncate(BEST);
    Offer { pieces, order: Order::BestLast, own: Some(OWN), by_file: false }
}

/// Start of the text shown around the cursor.
fn context_start(at: &BaselineInput<'_>) -> usize {
    let offset = at.cursor.offset();
    let before = at.window.visible.iter().find(|it| it.start <= offset && offset <= it.end);
    before.map_or(offset, |it| it.start)
}

/// The window half a window after the one at byte `start`; near the end of the text, the last whole one.
fn window_after(text: &str, path: &str, start: usize) -> Option<Piece> {
    if start >= text.len() {
        return None;
    }
    let first = text[..start].bytes().filter(|it| *it == b'\n').count();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = (first + STEP + WINDOW).min(lines.len());
    let first = end.saturating_sub(WINDOW);
    Some(Piece {
        path: path.to_owned(),
        start_line: first as u32 + 1,
        end_line: end as u32,
        text: lines[first..end].concat(),
        overflow: Overflow::Skip,
    })
}

/// Jaccard similarity of a sorted set and the words of a document.
fn jaccard(query: &[u32], words: &[(u32, u32)]) -> f64 {
    let common = words.iter().filter(|it| query.binary_search(&it.0).is_ok()).count();
    let all = query.len() + words.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}
