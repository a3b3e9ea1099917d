//! As many of the best definitions as fit, as text.

use std::collections::BTreeSet;

use super::MapFile;
use super::shelf::{Pick, Shelf};
use crate::trim::Count;

/// What fits.
#[derive(Default)]
pub(super) struct Page {
    pub(super) entries: Vec<MapFile>,
    pub(super) text: String,
    pub(super) tokens: usize,
}

/// The page with the most picks, of all that were tried, that has `tokens` tokens at the most.
pub(super) fn fill(shelves: &[Shelf], picks: &[Pick], tokens: usize, count: Count<'_>) -> Page {
    let mut best = (String::new(), 0, 0);
    let (mut low, mut high) = (1, picks.len());
    while low <= high {
        let n = usize::midpoint(low, high);
        let text = text_of(shelves, &with_parents(shelves, &picks[..n]));
        let n_tokens = count(&text);
        if n_tokens <= tokens {
            best = (text, n_tokens, n);
            low = n + 1;
        } else {
            high = n - 1;
        }
    }
    let (text, tokens, n) = best;
    Page { entries: entries_of(shelves, &with_parents(shelves, &picks[..n])), text, tokens }
}

/// The picks and all that they lie in, in order of (rank of the file, place).
fn with_parents(shelves: &[Shelf], picks: &[Pick]) -> Vec<Pick> {
    let mut res = BTreeSet::new();
    for &(shelf, idx) in picks {
        let mut next = Some(idx);
        while let Some(idx) = next {
            if !res.insert((shelf, idx)) {
                break;
            }
            next = shelves[shelf as usize].definitions[idx as usize].parent;
        }
    }
    res.into_iter().collect()
}

fn text_of(shelves: &[Shelf], shown: &[Pick]) -> String {
    let mut res = String::new();
    for group in shown.chunk_by(|a, b| a.0 == b.0) {
        let shelf = &shelves[group[0].0 as usize];
        res.push_str(&shelf.path);
        res.push('\n');
        for &(_, idx) in group {
            let it = &shelf.definitions[idx as usize].definition;
            (0..=it.depth).for_each(|_| res.push_str("  "));
            res.push_str(&it.signature);
            res.push('\n');
        }
    }
    res
}

fn entries_of(shelves: &[Shelf], shown: &[Pick]) -> Vec<MapFile> {
    let file = |group: &[Pick]| {
        let shelf = &shelves[group[0].0 as usize];
        let definitions =
            group.iter().map(|it| shelf.definitions[it.1 as usize].definition.clone());
        MapFile { path: shelf.path.clone(), rank: shelf.rank, definitions: definitions.collect() }
    };
    shown.chunk_by(|a, b| a.0 == b.0).map(file).collect()
}
