//! The text of a map: as many of the best definitions as fit.

use std::collections::BTreeSet;

use super::candidates::{CandidateFile, Pick};
use super::types::MapFile;
use crate::trim::Count;
use crate::visible::one_line;

/// The fitting part of a map.
#[derive(Default)]
pub(super) struct Page {
    pub(super) entries: Vec<MapFile>,
    pub(super) text: String,
    pub(super) tokens: usize,
}

/// The page with the most picks, of those tried, within `tokens` tokens.
pub(super) fn fill(
    files: &[CandidateFile],
    picks: &[Pick],
    tokens: usize,
    count: Count<'_>,
) -> Page {
    let mut best = (String::new(), 0, 0);
    let (mut low, mut high) = (1, picks.len());
    while low <= high {
        let n = usize::midpoint(low, high);
        let text = text_of(files, &with_parents(files, &picks[..n]));
        let n_tokens = count(&text);
        if n_tokens <= tokens {
            best = (text, n_tokens, n);
            low = n + 1;
        } else {
            high = n - 1;
        }
    }
    let (text, tokens, n) = best;
    Page { entries: entries_of(files, &with_parents(files, &picks[..n])), text, tokens }
}

/// The picks and the definitions that enclose them, in order of (rank of the file, position).
fn with_parents(files: &[CandidateFile], picks: &[Pick]) -> Vec<Pick> {
    let mut res = BTreeSet::new();
    for &(file, idx) in picks {
        let mut next = Some(idx);
        while let Some(idx) = next {
            if !res.insert((file, idx)) {
                break;
            }
            next = files[file as usize].definitions[idx as usize].parent;
        }
    }
    let is_shown = |it: &Pick| !files[it.0 as usize].definitions[it.1 as usize].is_namespace;
    res.into_iter().filter(is_shown).collect()
}

fn text_of(files: &[CandidateFile], shown: &[Pick]) -> String {
    let mut res = String::new();
    for group in shown.chunk_by(|a, b| a.0 == b.0) {
        let file = &files[group[0].0 as usize];
        res.push_str(&one_line(&file.path));
        res.push('\n');
        for &(_, idx) in group {
            let it = &file.definitions[idx as usize].definition;
            (0..=it.depth).for_each(|_| res.push_str("  "));
            res.push_str(&it.signature);
            res.push('\n');
        }
    }
    res
}

fn entries_of(files: &[CandidateFile], shown: &[Pick]) -> Vec<MapFile> {
    let entry = |group: &[Pick]| {
        let file = &files[group[0].0 as usize];
        let definitions = group.iter().map(|it| file.definitions[it.1 as usize].definition.clone());
        MapFile { path: file.path.clone(), rank: file.rank, definitions: definitions.collect() }
    };
    shown.chunk_by(|a, b| a.0 == b.0).map(entry).collect()
}
