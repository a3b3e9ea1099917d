//! The files that may be shown, read: their definitions with signatures and scores.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use foreword_chunk::{Definition, Kind, LineIndex};
use rayon::prelude::*;

use super::graph::{Files, Graph};
use super::rank::Ranks;
use super::read::Role;
use super::{MapConfig, MapDefinition};
use crate::index::{FileId, Snapshot};

/// Fewer definitions than this are not considered, however small the budget is.
const MIN_CANDIDATES: usize = 64;

/// A line has about this many tokens at least. More definitions than fit by that are not considered.
const MIN_LINE_TOKENS: usize = 3;

/// A file with what may be shown of it.
pub(super) struct Shelf {
    pub(super) path: String,
    pub(super) rank: f64,
    /// By the definitions' numbers in the record.
    pub(super) definitions: Vec<Slot>,
}

/// A definition with its score and the number of the definition around it.
pub(super) struct Slot {
    pub(super) score: f64,
    pub(super) parent: Option<u32>,
    /// Whether it may be shown for its own sake; else only for what lies in it.
    is_candidate: bool,
    pub(super) definition: MapDefinition,
}

/// The files that may be shown, by rank; ties by path.
pub(super) fn shelves(
    snapshot: &Snapshot,
    files: &Files,
    graph: &Graph,
    ranks: &Ranks,
    tokens: usize,
    config: &MapConfig,
) -> Vec<Shelf> {
    let scores = scores(graph, ranks);
    let most = (tokens / MIN_LINE_TOKENS).max(MIN_CANDIDATES);
    let mut by_rank: Vec<FileId> =
        snapshot.files().filter(|it| files.worth[it.0 as usize] > 0.0).collect();
    by_rank.sort_by(|a, b| {
        let (rank_a, rank_b) = (ranks.files[a.0 as usize], ranks.files[b.0 as usize]);
        rank_b.total_cmp(&rank_a).then(a.cmp(b))
    });
    let mut wanted: BTreeSet<FileId> = best(&scores, most).into_iter().map(|it| it.file).collect();
    // What nothing refers to is worth something in a file that is worth much.
    wanted.extend(by_rank.iter().take(most));
    by_rank.retain(|it| wanted.contains(it));
    let shelf = |file: &FileId| {
        let first = scores.partition_point(|it| it.file < *file);
        let after = scores.partition_point(|it| it.file <= *file);
        let at = file.0 as usize;
        let roles = &graph.read[at].roles;
        shelf(snapshot, *file, ranks.files[at], &scores[first..after], roles, config)
    };
    by_rank.par_iter().map(shelf).collect()
}

/// What a definition gets by its name.
#[derive(Clone, Copy)]
struct Scored {
    file: FileId,
    definition: u32,
    score: f64,
}

/// The definitions to which rank flows, by file and number.
fn scores(graph: &Graph, ranks: &Ranks) -> Vec<Scored> {
    let mut res = Vec::new();
    for link in &graph.links {
        let definers = link.definitions.chunk_by(|a, b| a.0 == b.0);
        for (definitions, (file, flow)) in definers.zip(ranks.flows(link)) {
            // Several of one name in one file share what it gets.
            let score = flow / definitions.len() as f64;
            if score > 0.0 {
                res.extend(definitions.iter().map(|it| Scored { file, definition: it.1, score }));
            }
        }
    }
    res.sort_unstable_by_key(|it| (it.file, it.definition));
    res
}

/// The `most` best, in no order.
fn best(scores: &[Scored], most: usize) -> Vec<Scored> {
    let mut res = scores.to_vec();
    if res.len() > most {
        res.select_nth_unstable_by(most, |a, b| {
            let place = |it: &Scored| (it.file, it.definition);
            b.score.total_cmp(&a.score).then_with(|| place(a).cmp(&place(b)))
        });
        res.truncate(most);
    }
    res
}

fn shelf(
    snapshot: &Snapshot,
    file: FileId,
    rank: f64,
    scores: &[Scored],
    roles: &[Role],
    config: &MapConfig,
) -> Shelf {
    let (text, record) = (snapshot.text(file), snapshot.record(file));
    let lines = LineIndex::new(text.as_bytes());
    let mut n_before = 0;
    let slot = |(idx, it): (usize, &Definition)| {
        let score = scores.binary_search_by_key(&(idx as u32), |it| it.definition);
        let score = score.map_or(0.0, |at| scores[at].score);
        let is_candidate = roles.get(idx).is_some_and(|it| *it != Role::Inner);
        let unused = if is_candidate { unused(rank, n_before, it, config) } else { 0.0 };
        n_before += u32::from(is_candidate);
        let (start_line, end_line) = lines.lines_of(it.span);
        let definition = MapDefinition {
            start_line,
            end_line,
            kind: it.kind,
            signature: signature(&text, it, config.signature_chars),
            depth: record.symbols.ancestors(it.parent).count(),
        };
        Slot { score: score + unused, parent: it.parent, is_candidate, definition }
    };
    let definitions = record.symbols.definitions.iter().enumerate().map(slot).collect();
    Shelf { path: snapshot.path(file).to_owned(), rank, definitions }
}

/// What a definition is worth that nothing refers to: the later in the file, the less.
fn unused(rank: f64, n_before: u32, definition: &Definition, config: &MapConfig) -> f64 {
    let kind = match definition.kind {
        Kind::Field | Kind::Constant => 0.2,
        _ if definition.parent.is_some() => 0.5,
        _ => 1.0,
    };
    config.unused * kind * rank / f64::from(n_before + 1)
}

/// The signature in one line, from the line of the name on (decorators stand above it).
fn signature(text: &str, definition: &Definition, max_chars: usize) -> String {
    let span = definition.signature;
    let head = &text[..(definition.name.start as usize).min(text.len())];
    let line = head.rfind('\n').map_or(0, |at| at + 1) as u32;
    let whole = foreword_chunk::Span { start: span.start.max(line), end: span.end }.of(text);
    // The values of data are not part of what it is called.
    let is_data = matches!(definition.kind, Kind::Field | Kind::Constant | Kind::Section);
    let shown = if is_data { whole.lines().next().unwrap_or(whole) } else { whole };
    let mut res = String::new();
    for word in shown.split_whitespace() {
        if !res.is_empty() {
            res.push(' ');
        }
        res.push_str(word);
        if res.len() > 4 * max_chars {
            break;
        }
    }
    if let Some((end, _)) = res.char_indices().nth(max_chars) {
        let last = res[..end].char_indices().next_back().map_or(0, |it| it.0);
        res.truncate(last);
        res.push('…');
    }
    res
}

/// A definition to show: the number of its shelf, and its own.
pub(super) type Pick = (u32, u32);

/// All definitions that may be shown, best first; ties by (rank of the file, place).
pub(super) fn picks(shelves: &[Shelf]) -> Vec<Pick> {
    let mut res: Vec<(f64, Pick)> = Vec::new();
    for (shelf, it) in shelves.iter().enumerate() {
        let candidates = it.definitions.iter().enumerate().filter(|(_, slot)| slot.is_candidate);
        res.extend(candidates.map(|(idx, slot)| (slot.score, (shelf as u32, idx as u32))));
    }
    let best_first =
        |a: &(f64, Pick), b: &(f64, Pick)| -> Ordering { b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)) };
    res.sort_unstable_by(best_first);
    res.into_iter().map(|it| it.1).collect()
}
