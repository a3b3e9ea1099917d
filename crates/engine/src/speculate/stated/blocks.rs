//! Checks the blocks that a model proposes: they must be lines of the repository that are related to the file.

use std::collections::BTreeSet;

use foreword_chunk::Language;

use super::super::plan::{Block, MAX_BLOCKS};
use super::super::quote::block_of_lines;
use super::super::validate::lines_of;
use super::{StatedLines, remark};
use crate::index::Snapshot;
use crate::index::terms::{identifiers, terms_of};
use crate::preset::constants::speculate::{COMMON_CHUNKS, COMMON_SHARE};

/// A block as a model proposes it, unchecked.
pub type StatedBlock = StatedLines;

/// Why a block is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockFlaw {
    /// Too many blocks in the answer or in the plan.
    TooMany,
    /// The file is not in the index.
    UnknownFile,
    /// The file does not have these lines.
    BadLines,
    /// The lines are blank.
    Empty,
    /// It overlaps a better block.
    Duplicate,
    /// It shares no name with the file, apart from names that are common in the repository.
    Unrelated,
}

impl BlockFlaw {
    /// The flaw in one word, for programs and tables.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooMany => "too_many",
            Self::UnknownFile => "unknown_file",
            Self::BadLines => "bad_lines",
            Self::Empty => "empty",
            Self::Duplicate => "duplicate",
            Self::Unrelated => "unrelated",
        }
    }
}

/// Accepted blocks, and the flaws of the others.
#[derive(Clone, Debug, Default)]
pub struct CheckedBlocks {
    /// Accepted blocks, in the model's order.
    pub blocks: Vec<Block>,
    /// The flaw of each rejected block.
    pub flaws: Vec<BlockFlaw>,
}

/// Maximum blocks of one answer; later ones are rejected.
const MAX_STATED: usize = 64;

/// Maximum lines of a block; a longer one is cut, since a prompt has no room for whole files. The same as the excerpts of live
/// retrieval (`preset`).
const MAX_LINES: u32 = 40;

/// Checks the blocks proposed for the file at `path`, the best first.
pub fn stated_blocks(snapshot: &Snapshot, path: &str, stated: &[StatedBlock]) -> CheckedBlocks {
    let own = snapshot.file(path).map(|it| snapshot.text(it)).unwrap_or_default();
    let names = names_of(&own, path);
    let mut res = CheckedBlocks::default();
    for (at, it) in stated.iter().enumerate() {
        let is_over = at >= MAX_STATED || res.blocks.len() >= MAX_BLOCKS;
        let checked = match is_over {
            true => Err(BlockFlaw::TooMany),
            false => check(snapshot, (path, &names), it, &res.blocks),
        };
        match checked {
            Ok(block) => res.blocks.push(block),
            Err(flaw) => res.flaws.push(flaw),
        }
    }
    let n = res.blocks.len().max(1) as f32;
    for (rank, it) in res.blocks.iter_mut().enumerate() {
        it.score = 1.0 - rank as f32 / n / 2.0;
    }
    res
}

fn check(
    snapshot: &Snapshot,
    (path, names): (&str, &BTreeSet<String>),
    it: &StatedBlock,
    known: &[Block],
) -> Result<Block, BlockFlaw> {
    let file = snapshot.file(&it.path).ok_or(BlockFlaw::UnknownFile)?;
    let text = snapshot.text(file);
    lines_of(&text, it.first_line, it.last_line).ok_or(BlockFlaw::BadLines)?;
    let last_line = it.last_line.min(it.first_line + MAX_LINES - 1);
    let block = block_of_lines(&text, &it.path, it.first_line, last_line);
    let block = block.ok_or(BlockFlaw::BadLines)?;
    let shown = &text[block.start as usize..(block.start + block.len) as usize];
    if shown.trim().is_empty() {
        return Err(BlockFlaw::Empty);
    }
    let overlaps = |known: &Block| {
        let place = &known.place;
        place.path == it.path && it.first_line <= place.last_line && place.first_line <= last_line
    };
    if known.iter().any(overlaps) {
        return Err(BlockFlaw::Duplicate);
    }
    if it.path != path && !is_related(snapshot, names, &names_of(shown, &it.path)) {
        return Err(BlockFlaw::Unrelated);
    }
    Ok(Block { reason: remark(&it.what), ..block })
}

/// The identifiers of a text as terms of the index, without keywords.
fn names_of(text: &str, path: &str) -> BTreeSet<String> {
    let keywords = Language::of_path(path, "").map_or(&[][..], Language::keywords);
    let mut res = BTreeSet::new();
    let mut scratch = String::new();
    identifiers(text, |start, end| {
        let word = &text[start..end];
        if word.len() > 2 && keywords.binary_search(&word).is_err() {
            terms_of(word, &mut scratch, |term, is_whole| {
                if is_whole {
                    res.insert(term.to_owned());
                }
            });
        }
    });
    res
}

/// Whether two texts share a name that is not common in the repository.
fn is_related(snapshot: &Snapshot, a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let common: Vec<&str> = a.intersection(b).map(String::as_str).collect();
    let most = (snapshot.totals().chunks as usize / COMMON_SHARE).max(COMMON_CHUNKS);
    let frequencies = snapshot.document_frequencies(&common);
    frequencies.into_iter().any(|it| (1..=most).contains(&(it as usize)))
}
