//! Chunks that differ from the last commit. Those with names of the query come first; among equals, those of the most
//! recently written file.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::inputs::{HoleInputs, Inputs};
use super::list::Hit;
use crate::evidence::Reason;
use crate::index::bm25::WeightedQuery;
use crate::index::terms::{identifiers, terms_of};
use crate::index::{ChunkId, FileDiff, FileId, Hunk, Snapshot};
use crate::preset::constants::retrieve::{
    CHANGED_CHUNK, DIFF_CHUNKS_A_FILE, DIFF_NAMES, OLDER_CHANGED_FILE,
};
use crate::sorting::sort_by;

/// Returns chunks with hunks from the `most` last changed files, except the cursor's own file.
pub(crate) fn diff(
    snapshot: &Snapshot,
    weighed: &WeightedQuery,
    own: &str,
    most: usize,
) -> Vec<Hit> {
    let worth: FxHashMap<&str, f32> = weighed.weights().collect();
    let files = snapshot.diff().files.iter().filter(|it| it.path != own).take(most);
    let mut hits = Vec::new();
    for (age, it) in (0..).zip(files) {
        let Some(file) = snapshot.file(&it.path) else { continue };
        let mut found = hits_in(snapshot, file, it, &worth);
        sort_by(&mut found, |a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        found.truncate(DIFF_CHUNKS_A_FILE);
        let older = OLDER_CHANGED_FILE.powi(age);
        hits.extend(found.into_iter().map(|it| Hit { score: it.score * older, ..it }));
    }
    hits
}

/// Returns the chunks of a file that contain hunks, scored by the query words that the hunks add and remove.
fn hits_in(
    snapshot: &Snapshot,
    file: FileId,
    diff: &FileDiff,
    worth: &FxHashMap<&str, f32>,
) -> Vec<Hit> {
    let text = snapshot.text(file);
    let hunks = diff.hunks_of(&text);
    let mut res = Vec::new();
    for hunk in &hunks {
        let removed: f32 = hunk.removed.iter().map(|it| worth_of(it, worth)).sum();
        for (chunk, part) in parts(snapshot, file, &hunk.range) {
            let matched = worth_in(&text[part.clone()], worth) + removed;
            let reason = changed(diff, hunk, &text, &part, worth);
            res.push(Hit { chunk, definition: None, score: CHANGED_CHUNK + matched, reason });
        }
    }
    res
}

/// For a removed name that no file defines any more: the chunks of the hunks that removed it, with the new code.
pub(super) fn replaced(inputs: &Inputs<'_>, hole: &HoleInputs<'_>, name: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    for it in inputs.snapshot.diff().files.iter().filter(|it| it.path != hole.cursor.path()) {
        let removes = |it: &Hunk| it.removed.iter().any(|it| it == name);
        let Some(file) = inputs.snapshot.file(&it.path) else { continue };
        let text = inputs.snapshot.text(file);
        for hunk in it.hunks_of(&text).iter().filter(|it| removes(it)) {
            let first = parts(inputs.snapshot, file, &hunk.range).into_iter().next();
            hits.extend(first.map(|(chunk, part)| {
                let mut hunk = hunk.clone();
                hunk.removed = vec![name.to_owned()];
                let reason = changed(it, &hunk, &text, &part, &FxHashMap::default());
                Hit { chunk, definition: None, score: 1.0, reason }
            }));
        }
    }
    hits
}

/// The chunks that a hunk touches, each with its part of the hunk.
fn parts(snapshot: &Snapshot, file: FileId, hunk: &Range<usize>) -> Vec<(ChunkId, Range<usize>)> {
    let part = |chunk: ChunkId| {
        let info = snapshot.chunk(chunk);
        let (start, end) = (info.start as usize, info.end as usize);
        let part = hunk.start.max(start)..hunk.end.min(end);
        // A pure deletion belongs to the chunk that continues after it.
        let touches =
            part.start < part.end || (hunk.is_empty() && start <= hunk.start && hunk.start < end);
        touches.then_some((chunk, part))
    };
    let mut res: Vec<_> = snapshot.chunks(file).filter_map(part).collect();
    if let (true, true, Some(last)) =
        (res.is_empty(), hunk.is_empty(), snapshot.chunks(file).last())
    {
        res.push((last, hunk.clone()));
    }
    res
}

fn changed(
    diff: &FileDiff,
    hunk: &Hunk,
    text: &str,
    part: &Range<usize>,
    worth: &FxHashMap<&str, f32>,
) -> Reason {
    let line = |at: usize| 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u32;
    let first_line = line(part.start);
    let last_line = line(part.end.saturating_sub(1).max(part.start));
    let told = |names: &[String]| -> Vec<String> {
        let mut ranked: Vec<&String> = names.iter().collect();
        sort_by(&mut ranked, |a, b| worth_of(b, worth).total_cmp(&worth_of(a, worth)));
        ranked.into_iter().take(DIFF_NAMES).cloned().collect()
    };
    let added: Vec<String> = match diff.committed {
        Some(_) => told(&hunk.added),
        None => Vec::new(),
    };
    let is_new = diff.committed.is_none();
    Reason::Changed { first_line, last_line, added, removed: told(&hunk.removed), is_new }
}

/// Sum of the weights of the distinct words of a text.
fn worth_in(text: &str, worth: &FxHashMap<&str, f32>) -> f32 {
    let mut met = FxHashSet::default();
    let mut sum = 0.0;
    identifiers(text, |start, end| {
        if met.insert(&text[start..end]) {
            sum += worth_of(&text[start..end], worth);
        }
    });
    sum
}

/// Weight of a name as a whole; its parts are too common to distinguish changes.
fn worth_of(name: &str, worth: &FxHashMap<&str, f32>) -> f32 {
    let mut res = 0.0;
    terms_of(name, &mut String::new(), |term, is_whole| {
        res += worth.get(term).copied().filter(|_| is_whole).unwrap_or(0.0);
    });
    res
}
