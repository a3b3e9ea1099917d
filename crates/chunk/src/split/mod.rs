//! Splits a text with its tree into chunks: measures sizes, collects cuts, chooses among them, makes the chunks.
//!
//! `cuts` collects the allowed cuts with their costs (from `tree` and `boundary`, from `plain` without a tree, from
//! `mixed` with several trees). `fences` and `published` are mandatory cuts. `pack` chooses the cheapest, `finish`
//! makes the chunks.

mod boundary;
mod cuts;
mod fences;
mod finish;
mod mixed;
mod pack;
mod plain;
mod published;
mod tree;

use std::ops::Range;

use tree_sitter::Tree;

use self::cuts::{CutPoint, Cuts};
use self::fences::fences;
use self::finish::finish;
use self::pack::pack;
use self::published::Merging;
use crate::chunk::Chunk;
use crate::config::{Config, Granularity};
use crate::language::Language;
use crate::size::Sizes;
use crate::symbol::Symbols;

/// The tree of a text, or of its parts in one language.
pub(crate) struct SyntaxTree<'t> {
    /// The parsed text, as long as the file.
    pub(crate) text: &'t [u8],
    pub(crate) language: Language,
    pub(crate) tree: &'t Tree,
    /// Regions of an embedded language, ascending; `None` for the host tree.
    pub(crate) regions: Option<&'t [Range<usize>]>,
}

/// The chunks of a text. They cover the text; none is empty.
pub(crate) fn chunks(
    text: &[u8],
    trees: &[SyntaxTree<'_>],
    symbols: &Symbols,
    config: &Config,
) -> Vec<Chunk> {
    if text.is_empty() {
        return Vec::new();
    }
    let sizes = Sizes::new(text);
    let ends = match config.granularity {
        Granularity::File => vec![text.len() as u32],
        Granularity::Lines(lines) => ends_of_lines(text, lines.max(1)),
        _ => packed_ends(text, &sizes, trees, symbols, config),
    };
    finish(text, &sizes, &ends, symbols, config.overlap_lines)
}

fn ends_of_lines(text: &[u8], lines: u32) -> Vec<u32> {
    let newlines =
        memchr::memchr_iter(b'\n', text).skip(lines as usize - 1).step_by(lines as usize);
    let mut ends: Vec<u32> = newlines.map(|at| at as u32 + 1).collect();
    if ends.last() != Some(&(text.len() as u32)) {
        ends.push(text.len() as u32);
    }
    ends
}

fn packed_ends(
    text: &[u8],
    sizes: &Sizes,
    trees: &[SyntaxTree<'_>],
    symbols: &Symbols,
    config: &Config,
) -> Vec<u32> {
    let max = config.max_size.max(1);
    let fences = match (trees.first(), config.granularity) {
        (Some(it), Granularity::CastSiblings) => {
            published::fences(text, sizes, it.tree, max, Merging::Siblings)
        }
        (Some(it), Granularity::CastUnmerged) => {
            published::fences(text, sizes, it.tree, max, Merging::Never)
        }
        _ => fences(text, symbols, config.granularity),
    };
    if fences.is_empty() && sizes.of(0..text.len()) <= max {
        return vec![text.len() as u32];
    }
    let mut cuts = Cuts::new(text, sizes, max);
    match trees {
        [] => plain::split(text, &mut cuts),
        [tree] if tree.regions.is_none() => {
            tree::split(tree, sizes, max, &mut |at, cost| cuts.push(at, cost));
        }
        _ => mixed::split(trees, sizes, max, &mut cuts),
    }
    let mut ends = Vec::new();
    for part in fenced(&cuts.finish(), sizes, &fences) {
        pack(&part, max, &mut ends);
    }
    ends
}

/// The cuts between each pair of neighbouring fences, inclusive. A fence after only whitespace is dropped.
fn fenced(cuts: &[CutPoint], sizes: &Sizes, fences: &[u32]) -> Vec<Vec<CutPoint>> {
    let (mut part, mut parts) = (vec![cuts[0]], Vec::new());
    let mut fences = fences
        .iter()
        .map(|&at| CutPoint { at, cost: 0, before: sizes.before(at as usize) })
        .peekable();
    for cut in &cuts[1..] {
        while let Some(fence) = fences.next_if(|it| it.at <= cut.at) {
            if fence.before > part[0].before && fence.before < cuts[cuts.len() - 1].before {
                part.push(fence);
                parts.push(std::mem::replace(&mut part, vec![fence]));
            }
        }
        if part.last().is_some_and(|it| it.at < cut.at) {
            part.push(*cut);
        }
    }
    parts.push(part);
    parts
}
