//! The candidates of a map: the definitions of the best files, with signatures and scores.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use foreword_chunk::{Definition, Kind, LineIndex};
use rayon::prelude::*;

use super::graph::{Files, Graph};
use super::rank::Ranks;
use super::read::Role;
use super::types::{MapConfig, MapDefinition};
use crate::index::{FileId, Snapshot};

/// At least this many definitions are considered, however small the budget.
const MIN_CANDIDATES: usize = 64;

/// A line has at least about this many tokens, which bounds how many definitions are considered.
const MIN_LINE_TOKENS: usize = 3;

/// A file with its candidates.
pub(super) struct CandidateFile {
    pub(super) path: String,
    pub(super) rank: f64,
    /// By the numbers of the definitions in the record.
    pub(super) definitions: Vec<Candidate>,
}

/// A definition with its score and the number of its parent.
pub(super) struct Candidate {
    pub(super) score: f64,
    pub(super) parent: Option<u32>,
    /// Whether it may be shown for itself, and not only as the parent of others.
    is_candidate: bool,
    pub(super) definition: MapDefinition,
}

/// The files with candidates, by rank; ties by path.
pub(super) fn candidates(
    snapshot: &Snapshot,
    files: &Files,
    graph: &Graph,
    ranks: &Ranks,
    tokens: usize,
    config: &MapConfig,
) -> Vec<CandidateFile> {
    let scores = scores(graph, ranks);
    let most = (tokens / MIN_LINE_TOKENS).max(MIN_CANDIDATES);
    let mut by_rank: Vec<FileId> =
        snapshot.files().filter(|it| files.worth[it.0 as usize] > 0.0).collect();
    by_rank.sort_by(|a, b| {
        let (rank_a, rank_b) = (ranks.files[a.0 as usize], ranks.files[b.0 as usize]);
        rank_b.total_cmp(&rank_a).then(a.cmp(b))
    });
    let mut considered: BTreeSet<FileId> =
        best(&scores, most).into_iter().map(|it| it.file).collect();
    // In a highly ranked file definitions without references are candidates too.
    considered.extend(by_rank.iter().take(most));
    by_rank.retain(|it| considered.contains(it));
    let read = |file: &FileId| {
        let first = scores.partition_point(|it| it.file < *file);
        let after = scores.partition_point(|it| it.file <= *file);
        let at = file.0 as usize;
        let roles = &graph.read[at].roles;
        candidate_file(snapshot, *file, ranks.files[at], &scores[first..after], roles, config)
    };
    by_rank.par_iter().map(read).collect()
}

/// The rank that flows to a definition by its name.
#[derive(Clone, Copy)]
struct DefinitionScore {
    file: FileId,
    definition: u32,
    score: f64,
}

/// The definitions to which rank flows, by file and number.
fn scores(graph: &Graph, ranks: &Ranks) -> Vec<DefinitionScore> {
    let mut res = Vec::new();
    for link in &graph.links {
        let definers = link.definitions.chunk_by(|a, b| a.0 == b.0);
        for (definitions, (file, flow)) in definers.zip(ranks.flows(link)) {
            // Definitions of one name in one file share the rank.
            let score = flow / definitions.len() as f64;
            if score > 0.0 {
                res.extend(definitions.iter().map(|it| DefinitionScore {
                    file,
                    definition: it.1,
                    score,
                }));
            }
        }
    }
    res.sort_unstable_by_key(|it| (it.file, it.definition));
    res
}

/// The `most` best, in no order.
fn best(scores: &[DefinitionScore], most: usize) -> Vec<DefinitionScore> {
    let mut res = scores.to_vec();
    if res.len() > most {
        res.select_nth_unstable_by(most, |a, b| {
            let place = |it: &DefinitionScore| (it.file, it.definition);
            b.score.total_cmp(&a.score).then_with(|| place(a).cmp(&place(b)))
        });
        res.truncate(most);
    }
    res
}

fn candidate_file(
    snapshot: &Snapshot,
    file: FileId,
    rank: f64,
    scores: &[DefinitionScore],
    roles: &[Role],
    config: &MapConfig,
) -> CandidateFile {
    let (text, record) = snapshot.contents(file);
    let lines = LineIndex::new(text.as_bytes());
    let mut n_before = 0;
    let candidate = |(idx, it): (usize, &Definition)| {
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
        Candidate { score: score + unused, parent: it.parent, is_candidate, definition }
    };
    let definitions = record.symbols.definitions.iter().enumerate().map(candidate).collect();
    CandidateFile { path: snapshot.path(file).to_owned(), rank, definitions }
}

/// The score of a definition without references: the later in the file, the lower.
fn unused(rank: f64, n_before: u32, definition: &Definition, config: &MapConfig) -> f64 {
    let kind = match definition.kind {
        Kind::Field | Kind::Constant => 0.2,
        _ if definition.parent.is_some() => 0.5,
        _ => 1.0,
    };
    config.unused * kind * rank / f64::from(n_before + 1)
}

/// The signature in one line, from the line of the name on (without decorators).
fn signature(text: &str, definition: &Definition, max_chars: usize) -> String {
    let span = definition.signature;
    let head = &text[..(definition.name.start as usize).min(text.len())];
    let line = head.rfind('\n').map_or(0, |at| at + 1) as u32;
    let whole = foreword_chunk::Span { start: span.start.max(line), end: span.end }.of(text);
    // The value of a constant is not part of its signature.
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

/// A definition to show: the number of its file among the candidates, and its own.
pub(super) type Pick = (u32, u32);

/// All candidates, best first; ties by (rank of the file, position).
pub(super) fn picks(files: &[CandidateFile]) -> Vec<Pick> {
    let mut res: Vec<(f64, Pick)> = Vec::new();
    for (file, it) in files.iter().enumerate() {
        let candidates = it.definitions.iter().enumerate().filter(|(_, it)| it.is_candidate);
        res.extend(candidates.map(|(idx, it)| (it.score, (file as u32, idx as u32))));
    }
    let best_first =
        |a: &(f64, Pick), b: &(f64, Pick)| -> Ordering { b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)) };
    res.sort_unstable_by(best_first);
    res.into_iter().map(|it| it.1).collect()
}
