//! Blocks that a model names: which of them are lines of the repository that have to do with the file.

use std::collections::BTreeSet;

use foreword_chunk::Language;

use super::super::BLOCKS;
use super::super::forecast::lines_of;
use super::super::plan::{Block, Evidence, Place};
use super::super::quote::quote;
use super::{StatedLines, said};
use crate::index::Snapshot;
use crate::index::terms::{identifiers, terms_of};

/// A block as a model names it.
pub type StatedBlock = StatedLines;

/// Why a block is not taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockFlaw {
    /// There were more than are looked at, or than a plan has.
    TooMany,
    /// There is no such file in the index.
    UnknownFile,
    /// The file has no such lines.
    BadLines,
    /// Its lines are empty.
    Empty,
    /// A better one shows some of its lines.
    Duplicate,
    /// It has no name in common with the file that is not everywhere in the repository.
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

/// What became of the blocks that a model named.
#[derive(Clone, Debug, Default)]
pub struct CheckedBlocks {
    /// Those that hold, in the model's order.
    pub blocks: Vec<Block>,
    /// What was wrong with each of the others.
    pub flaws: Vec<BlockFlaw>,
}

/// More blocks of one answer are not looked at.
const MOST_STATED: usize = 64;

/// Lines of a block; of more the first ones are taken, since a prompt has no room for a whole file. As many as an excerpt of
/// live retrieval has (`preset`).
const MOST_LINES: u32 = 40;

/// A name is everywhere if more than one of so many chunks has it, and this many chunks at least.
const COMMON: (usize, usize) = (10, 20);

/// The blocks that are lines of the repository and have to do with the file at `path`, the best first.
pub fn stated_blocks(snapshot: &Snapshot, path: &str, stated: &[StatedBlock]) -> CheckedBlocks {
    let own = snapshot.file(path).map(|it| snapshot.text(it)).unwrap_or_default();
    let names = names_of(&own, path);
    let mut res = CheckedBlocks::default();
    for (at, it) in stated.iter().enumerate() {
        let is_over = at >= MOST_STATED || res.blocks.len() >= BLOCKS;
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
    let last_line = it.last_line.min(it.first_line + MOST_LINES - 1);
    let shown = whole_lines(&text, it.first_line, last_line);
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
    let quotation = quote(&text, shown);
    let place =
        Place { path: it.path.clone(), first_line: it.first_line, last_line, hash: quotation.hash };
    let evidence = vec![Evidence::Stated(said(&it.what))];
    Ok(Block { place, parts: quotation.parts, evidence, found_at: Vec::new(), score: 1.0 })
}

/// Lines of a text that are there, with their ends.
fn whole_lines(text: &str, first: u32, last: u32) -> &str {
    let mut ends = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|it| it + 1))
        .chain(std::iter::once(text.len()));
    let start = ends.nth(first as usize - 1).unwrap_or(text.len());
    let end = ends.nth((last - first) as usize).unwrap_or(text.len());
    &text[start..end]
}

/// The identifiers of a text, as terms of the index, without keywords.
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

/// Whether two texts have a name in common that is not everywhere.
fn is_related(snapshot: &Snapshot, a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let common: Vec<&str> = a.intersection(b).map(String::as_str).collect();
    let most = (snapshot.totals().chunks as usize / COMMON.0).max(COMMON.1);
    let frequencies = snapshot.document_frequencies(&common);
    frequencies.into_iter().any(|it| (1..=most).contains(&(it as usize)))
}
