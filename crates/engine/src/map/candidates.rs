//! Candidates of a map: the definitions of the best files, with signatures and scores, in the order in which they are
//! picked.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use foreword_chunk::{Definition, Kind, Language, LineIndex};
use rayon::prelude::*;

use super::centrality::Centrality;
use super::graph::Graph;
use super::rank::Ranks;
use super::read::{Role, component_name};
use super::signature::{is_hidden, signature};
use super::types::{MapConfig, MapDefinition};
use crate::index::{FileId, Snapshot};
use crate::sorting::sort_by;
use crate::source::directory_of;

/// Least number of candidates, however small the budget.
const MIN_CANDIDATES: usize = 256;

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
    /// Whether it may be shown on its own, and not only as the parent of others.
    is_candidate: bool,
    /// Whether it is never shown: a namespace that many files open says no more than their paths.
    pub(super) is_namespace: bool,
    pub(super) definition: MapDefinition,
}

/// The files with candidates, by their best definition; ties by path.
pub(super) fn candidates(
    snapshot: &Snapshot,
    graph: &Graph,
    ranks: &Ranks,
    centrality: &Centrality,
    tokens: usize,
    config: &MapConfig,
) -> Vec<CandidateFile> {
    let read = |file: FileId| {
        let at = file.0 as usize;
        let score = |idx: usize| centrality.score(file, idx);
        candidate_file(snapshot, file, ranks.files[at], &graph.read[at].roles, &score, config)
    };
    let files = centrality.best_files(tokens.max(MIN_CANDIDATES));
    let mut res: Vec<CandidateFile> = files.into_par_iter().map(read).collect();
    drop_twins(&mut res, config);
    let best = |it: &CandidateFile| it.definitions.iter().map(|it| it.score).fold(0.0, f64::max);
    let mut ranked: Vec<(f64, CandidateFile)> = res.into_iter().map(|it| (best(&it), it)).collect();
    sort_by(&mut ranked, |a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    ranked.into_iter().map(|it| it.1).collect()
}

fn candidate_file(
    snapshot: &Snapshot,
    file: FileId,
    rank: f64,
    roles: &[Role],
    score: &dyn Fn(usize) -> f64,
    config: &MapConfig,
) -> CandidateFile {
    let (text, record) = snapshot.contents(file);
    let lines = LineIndex::new(text.as_bytes());
    let candidate = |(idx, it): (usize, &Definition)| {
        let (start_line, end_line) = lines.lines_of(it.span);
        let signature = signature(&text, record.language, it, config.signature_chars);
        let is_hidden = is_hidden(&signature, it.name.of(&text), it.kind, record.language);
        let is_of_many = |it: &Definition| is_namespace(it, record.language);
        let definition = MapDefinition {
            start_line,
            end_line,
            kind: it.kind,
            signature,
            depth: record.symbols.ancestors(it.parent).filter(|it| !is_of_many(it)).count(),
        };
        let is_inner = roles.get(idx).is_none_or(|it| *it == Role::Inner);
        Candidate {
            score: score(idx) * if is_hidden { config.hidden } else { 1.0 },
            parent: it.parent,
            is_candidate: !is_inner && !is_of_many(it),
            is_namespace: is_of_many(it),
            definition,
        }
    };
    let mut definitions: Vec<Candidate> =
        record.symbols.definitions.iter().enumerate().map(candidate).collect();
    definitions.extend(component_name(snapshot, file).map(|name| Candidate {
        score: score(definitions.len()),
        parent: None,
        is_candidate: true,
        is_namespace: false,
        definition: MapDefinition {
            start_line: 1,
            end_line: record.lines.max(1),
            kind: Kind::Class,
            signature: format!("component {name}"),
            depth: 0,
        },
    }));
    CandidateFile { path: snapshot.path(file).to_owned(), rank, definitions }
}

/// Whether a definition is a namespace of a language whose files open one together.
fn is_namespace(definition: &Definition, language: Option<Language>) -> bool {
    let opened_by_many = [Language::Php, Language::CSharp, Language::Cpp].map(Some);
    definition.kind == Kind::Module && opened_by_many.contains(&language)
}

/// Lowers all but the best of the definitions with one signature in one directory: a prototype and its function, files
/// for two systems.
fn drop_twins(files: &mut [CandidateFile], config: &MapConfig) {
    let mut best: HashMap<(&str, &str), (f64, usize, usize)> = HashMap::new();
    let mut twins: Vec<(usize, usize)> = Vec::new();
    for (file, it) in files.iter().enumerate() {
        let directory = directory_of(&it.path);
        let outermost = it.definitions.iter().enumerate().filter(|(_, it)| it.parent.is_none());
        for (idx, candidate) in outermost.filter(|(_, it)| it.is_candidate) {
            let key = (directory, candidate.definition.signature.trim_end_matches(';'));
            let this = (candidate.score, file, idx);
            let known = best.entry(key).or_insert(this);
            if (known.1, known.2) != (file, idx) {
                let worse = if this.0 > known.0 { std::mem::replace(known, this) } else { this };
                twins.push((worse.1, worse.2));
            }
        }
    }
    for (file, idx) in twins {
        files[file].definitions[idx].score *= config.twin;
    }
}

/// A definition to show: numbers of its file among the candidates, and of the definition.
pub(super) type Pick = (u32, u32);

/// An entry of a queue: the best of what is left of a file or of a directory.
#[derive(PartialEq)]
struct QueueEntry {
    score: f64,
    pick: Pick,
}

impl Eq for QueueEntry {}

impl Ord for QueueEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.pick.cmp(&self.pick))
    }
}

impl PartialOrd for QueueEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The candidates of a file that are left, the best last, and how many were picked.
struct FileQueue {
    left: Vec<QueueEntry>,
    taken: i32,
}

/// The files of a directory that have candidates left, by their best, and how many candidates were picked.
#[derive(Default)]
struct DirectoryQueue {
    files: BinaryHeap<QueueEntry>,
    taken: i32,
}

/// All candidates, best first. Each pick lowers the others of its file and directory; ties by (rank of the file,
/// position). A pick lowers all candidates of a file by one factor and all of a directory by another, so only the best
/// of a file competes in its directory, and only the best of a directory with other directories.
pub(super) fn picks(files: &[CandidateFile], config: &MapConfig) -> Vec<Pick> {
    let directory_of = directories(files);
    let mut left: Vec<FileQueue> = (0..).zip(files).map(|(at, it)| file_queue(at, it)).collect();
    let in_directory = |file: &FileQueue| {
        let next = file.left.last()?;
        let score = next.score * config.same_file.powi(file.taken);
        Some(QueueEntry { score, pick: next.pick })
    };
    let mut directories: Vec<DirectoryQueue> = Vec::new();
    directories.resize_with(files.len(), DirectoryQueue::default);
    for (file, it) in left.iter().enumerate() {
        directories[directory_of[file]].files.extend(in_directory(it));
    }
    let among_all = |directory: &DirectoryQueue| {
        let next = directory.files.peek()?;
        let score = next.score * config.same_directory.powi(directory.taken);
        Some(QueueEntry { score, pick: next.pick })
    };
    let mut queue: BinaryHeap<QueueEntry> = directories.iter().filter_map(among_all).collect();
    let mut res = Vec::new();
    while let Some(QueueEntry { pick, .. }) = queue.pop() {
        res.push(pick);
        let file = &mut left[pick.0 as usize];
        file.left.pop();
        file.taken += 1;
        let directory = &mut directories[directory_of[pick.0 as usize]];
        directory.files.pop();
        directory.files.extend(in_directory(file));
        directory.taken += 1;
        queue.extend(among_all(directory));
    }
    res
}

fn file_queue(file: u32, it: &CandidateFile) -> FileQueue {
    let candidates = (0..).zip(&it.definitions).filter(|it| it.1.is_candidate);
    let mut left: Vec<QueueEntry> =
        candidates.map(|(idx, it)| QueueEntry { score: it.score, pick: (file, idx) }).collect();
    left.sort_unstable();
    FileQueue { left, taken: 0 }
}

/// For each file, the number of the first file in its directory.
fn directories(files: &[CandidateFile]) -> Vec<usize> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut res = Vec::with_capacity(files.len());
    for (at, it) in files.iter().enumerate() {
        let directory = directory_of(&it.path);
        res.push(*known.entry(directory).or_insert(at));
    }
    res
}
