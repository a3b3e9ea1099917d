//! The blocks of a plan at a cursor: those that are still there, ranked by the plan, by how near the cursor is to where
//! they were wanted, and by the words around it. Nothing is retrieved and nothing is parsed.

use std::ops::Range;

use super::config::RecallConfig;
use super::plan::{Block, FilePlan, FoundAt, Part};
use super::quote::{Quote, requote};
use super::words::CursorWords;
use crate::index::{FileId, Snapshot};
use crate::retrieve::QueryConfig;
use crate::scope::{Cursor, PlannedLines};
use crate::source::ContentHash;
use crate::trim::Window;

/// A block of a plan that still holds.
#[derive(Clone, Debug)]
pub struct Recalled<'p> {
    /// The block.
    pub block: &'p Block,
    /// What it shows.
    pub text: String,
    /// First line, 1-based, as the file is now.
    pub first_line: u32,
    /// Last line, 1-based, inclusive.
    pub last_line: u32,
    /// The file has changed since, but not these lines.
    pub is_old: bool,
    /// How much it is wanted, against the others.
    pub score: f32,
}

/// The blocks of a plan that still hold and that the window does not show, the best first.
pub fn recall<'p>(
    plan: &'p FilePlan,
    snapshot: &Snapshot,
    (cursor, window): (&Cursor, &Window),
    (query, config): (&QueryConfig, &RecallConfig),
) -> Vec<Recalled<'p>> {
    let words = CursorWords::new(cursor, snapshot, query);
    let line = 1 + memchr::memchr_iter(b'\n', cursor.prefix().as_bytes()).count() as u32;
    let anchors = nearest(plan, line);
    let mut res: Vec<Recalled<'_>> = Vec::new();
    for block in &plan.blocks {
        let Some(mut it) = find(plan, block, snapshot, (cursor, window)) else { continue };
        it.score = config.plan * block.score
            + config.near * near(&block.found_at, anchors)
            + config.words * words.share_in(&it.text);
        res.push(it);
    }
    // Equal scores keep the order of the plan.
    res.sort_by(|a, b| b.score.total_cmp(&a.score));
    res
}

/// The same for the signal of live retrieval.
pub fn planned_lines(recalled: &[Recalled<'_>]) -> Vec<PlannedLines> {
    let lines = |it: &Recalled<'_>| PlannedLines {
        path: it.block.place.path.clone(),
        first_line: it.first_line,
        last_line: it.last_line,
        score: it.score,
        why: it.block.evidence.iter().map(ToString::to_string).collect(),
        is_old: it.is_old,
    };
    recalled.iter().map(lines).collect()
}

/// The places of the plan before a line, or at it, and after it.
fn nearest(plan: &FilePlan, line: u32) -> [Option<u32>; 2] {
    let lines = || plan.blocks.iter().flat_map(|it| &it.found_at).map(|it| it.line);
    [lines().filter(|it| *it <= line).max(), lines().filter(|it| *it > line).min()]
}

/// How much, of 1, a block was wanted at the nearest places; that before the cursor counts twice.
fn near(found_at: &[FoundAt], [before, after]: [Option<u32>; 2]) -> f32 {
    let at = |line: Option<u32>| {
        let found = found_at.iter().find(|it| Some(it.line) == line);
        found.map_or(0.0, |it| f32::from(it.percent) / 100.0)
    };
    match (before, after) {
        (Some(_), Some(_)) => (2.0 * at(before) + at(after)) / 3.0,
        _ => at(before).max(at(after)),
    }
}

/// A block as it is now; `None` if its lines are gone, or the window shows them.
fn find<'p>(
    plan: &FilePlan,
    block: &'p Block,
    snapshot: &Snapshot,
    (cursor, window): (&Cursor, &Window),
) -> Option<Recalled<'p>> {
    let is_own = block.place.path == cursor.path();
    let (quote, is_old) = match is_own {
        true => {
            let quote = requote(block, cursor.text())?;
            let is_visible =
                spans(block, &quote).any(|it| window.visible.iter().any(|seen| meet(seen, &it)));
            if is_visible {
                return None;
            }
            (quote, ContentHash::of(cursor.text().as_bytes()) != plan.hash)
        }
        false => {
            let file = snapshot.file(&block.place.path)?;
            let known = plan.inputs.binary_search_by(|it| it.path.cmp(&block.place.path)).ok()?;
            match snapshot.hash(file) == plan.inputs[known].hash {
                true => (as_it_was(block, snapshot, file)?, false),
                false => (requote(block, &snapshot.text(file))?, true),
            }
        }
    };
    let by = quote.moved.map_or(0, |bytes| match is_own {
        true => lines_moved(block, bytes, cursor.text()),
        false => snapshot
            .file(&block.place.path)
            .map_or(0, |it| lines_moved(block, bytes, &snapshot.text(it))),
    });
    let moved = |line: u32| (i64::from(line) + by).max(1) as u32;
    let (first_line, last_line) = (moved(block.place.first_line), moved(block.place.last_line));
    Some(Recalled { block, text: quote.text, first_line, last_line, is_old, score: 0.0 })
}

/// A block of a file that has not changed, reading no more than it cites.
fn as_it_was(block: &Block, snapshot: &Snapshot, file: FileId) -> Option<Quote> {
    let ranges: Vec<Range<usize>> = block.parts.iter().filter_map(range).collect();
    let mut read = snapshot.parts(file, &ranges).into_iter();
    let mut text = String::new();
    for part in &block.parts {
        match part {
            Part::Lines { .. } => text.push_str(&read.next()?),
            Part::Literal(literal) => text.push_str(literal),
        }
    }
    (ContentHash::of(text.as_bytes()) == block.place.hash).then_some(Quote { text, moved: None })
}

fn range(part: &Part) -> Option<Range<usize>> {
    match part {
        Part::Lines { start, len, .. } => Some(*start as usize..*start as usize + *len as usize),
        Part::Literal(_) => None,
    }
}

/// Where the quoted lines are now.
fn spans<'b>(block: &'b Block, quote: &Quote) -> impl Iterator<Item = Range<usize>> + 'b {
    let by = quote.moved.unwrap_or(0);
    let moved = move |at: usize| (at as i64 + by).max(0) as usize;
    block.parts.iter().filter_map(range).map(move |it| moved(it.start)..moved(it.end))
}

/// By how many lines the last part has moved, which has moved by so many bytes.
fn lines_moved(block: &Block, bytes: i64, text: &str) -> i64 {
    let Some(last) = block.parts.iter().rev().find_map(range) else { return 0 };
    let start = ((last.start as i64 + bytes).max(0) as usize).min(text.len());
    let now = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..start]).count() as i64;
    let lines =
        memchr::memchr_iter(b'\n', &text.as_bytes()[start..(start + last.len()).min(text.len())]);
    now + lines.count() as i64 - 1 - i64::from(block.place.last_line)
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
