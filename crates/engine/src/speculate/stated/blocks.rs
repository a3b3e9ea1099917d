//! Checks the blocks that a model proposes: they must be lines of the repository that are related to the file.

use std::collections::BTreeSet;

use foreword_chunk::Language;

use super::super::plan::{Block, MAX_BLOCKS};
use super::super::quote::block_of_lines;
use super::super::validate::lines_of;
use super::{StatedLines, remark};
use crate::index::terms::{identifiers, terms_of};
use crate::index::{FileRole, Snapshot};
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
    /// It shares too little with the file: see [`stated_blocks`].
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

/// Checks the blocks proposed for the file at `path`, the best first. A block of code must be among the lines that the model
/// has read (`shown`), or share with the file a name that is not common in the repository. A model cannot have read what
/// it guesses, and what it has read it may judge. A block of prose or data must share such a name that is no word
/// (`open_store`), read or not: every plan could cite the licence.
pub fn stated_blocks(
    snapshot: &Snapshot,
    path: &str,
    stated: &[StatedBlock],
    shown: &[StatedLines],
) -> CheckedBlocks {
    let own = snapshot.file(path).map(|it| snapshot.text(it)).unwrap_or_default();
    let of = Subject { path, names: names_of(&own, path, |_| true), shown };
    let mut res = CheckedBlocks::default();
    for (at, it) in stated.iter().enumerate() {
        let is_over = at >= MAX_STATED || res.blocks.len() >= MAX_BLOCKS;
        let checked = match is_over {
            true => Err(BlockFlaw::TooMany),
            false => check(snapshot, &of, it, &res.blocks),
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

/// The planned file.
struct Subject<'a> {
    path: &'a str,
    names: BTreeSet<String>,
    shown: &'a [StatedLines],
}

impl Subject<'_> {
    /// Whether most of the lines are among those that the model has read.
    fn has_shown(&self, path: &str, (first, last): (u32, u32)) -> bool {
        let common = |it: &StatedLines| {
            (it.last_line.min(last) + 1).saturating_sub(it.first_line.max(first))
        };
        let of_file = self.shown.iter().filter(|it| it.path == path);
        of_file.map(common).max().unwrap_or(0) * 2 > last - first
    }
}

fn check(
    snapshot: &Snapshot,
    of: &Subject<'_>,
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
    let is_about = it.path == of.path
        || match snapshot.role(file) {
            FileRole::Prose | FileRole::Data => {
                is_related(snapshot, &of.names, &names_of(shown, &it.path, is_compound))
            }
            _ => {
                of.has_shown(&it.path, (it.first_line, last_line))
                    || is_related(snapshot, &of.names, &names_of(shown, &it.path, |_| true))
            }
        };
    if !is_about {
        return Err(BlockFlaw::Unrelated);
    }
    Ok(Block { reason: remark(&it.what), ..block })
}

/// The identifiers of a text that are wanted, as terms of the index, without keywords.
fn names_of(text: &str, path: &str, is_wanted: fn(&str) -> bool) -> BTreeSet<String> {
    let keywords = Language::of_path(path, "").map_or(&[][..], Language::keywords);
    let mut res = BTreeSet::new();
    let mut scratch = String::new();
    identifiers(text, |start, end| {
        let word = &text[start..end];
        if word.len() > 2 && is_wanted(word) && keywords.binary_search(&word).is_err() {
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

/// Whether a word is written as only names are: `open_store`, `openStore`.
fn is_compound(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_hump =
        || inner.chars().any(char::is_lowercase) && inner.chars().skip(1).any(char::is_uppercase);
    inner.contains('_') || has_hump()
}
