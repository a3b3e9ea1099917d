//! How central each definition is, by the files that use its name, its kind, its size and its visibility.
//!
//! A new reader of a repository asks for its central types first, then for the functions that create and use them.

use foreword_chunk::Kind;
use rayon::prelude::*;

use super::graph::{Files, Graph, by_role};
use super::rank::Ranks;
use super::read::Role;
use super::types::MapConfig;
use crate::index::{FileId, FileRecord, Snapshot};
use crate::preset::constants::map::{DEFINITION_BY_ROLE, LINE_BYTES, USE_BY_ROLE};
use crate::source::directory_of;

/// Scores of all definitions, before texts are read.
pub(super) struct Centrality {
    /// By the numbers of files and definitions; 0 for definitions that are not candidates.
    scores: Vec<Vec<f64>>,
}

impl Centrality {
    pub(super) fn new(
        snapshot: &Snapshot,
        files: &Files,
        graph: &Graph,
        ranks: &Ranks,
        config: &MapConfig,
    ) -> Self {
        let uses = uses(snapshot, files, graph, ranks, config);
        let of_file = |file: FileId| {
            let (at, worth) = (file.0 as usize, shown_worth(snapshot, files, file));
            if worth <= 0.0 {
                return Vec::new();
            }
            let roles = &graph.read[at].roles;
            let (path, record) = (snapshot.path(file), snapshot.record(file));
            let rank = ranks.files[at] * ranks.files.len() as f64;
            let rank =
                rank.max(f64::MIN_POSITIVE).powf(if files.has_focus { 1.0 } else { config.rank });
            let seclusion = if is_internal(path) { config.internal } else { 1.0 };
            let base = if files.in_focus[at] { 1.0 } else { config.unused };
            let score = |(idx, role): (usize, &Role)| match role {
                Role::Inner => 0.0,
                Role::Data if !files.in_focus[at] => worth * rank * base * config.data,
                _ => {
                    let used = uses[at].get(idx).copied().unwrap_or(0.0).sqrt() + base;
                    used * worth * rank * seclusion * weight(&record, idx, config)
                }
            };
            roles.iter().enumerate().map(score).collect()
        };
        let all: Vec<FileId> = snapshot.files().collect();
        Self { scores: all.into_par_iter().map(of_file).collect() }
    }

    /// The score of a definition.
    pub(super) fn score(&self, file: FileId, definition: usize) -> f64 {
        self.scores[file.0 as usize].get(definition).copied().unwrap_or(0.0)
    }

    /// The files of the `most` best definitions, in order.
    pub(super) fn best_files(&self, most: usize) -> Vec<FileId> {
        let mut all: Vec<(f64, u32)> = Vec::new();
        for (file, scores) in (0..).zip(&self.scores) {
            all.extend(scores.iter().filter(|it| **it > 0.0).map(|it| (*it, file)));
        }
        if all.len() > most {
            all.select_nth_unstable_by(most, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            all.truncate(most);
        }
        let mut res: Vec<FileId> = all.into_iter().map(|it| FileId(it.1)).collect();
        res.sort_unstable();
        res.dedup();
        res
    }
}

/// By the numbers of files and definitions: how many files use the name, the unsure ones in part.
fn uses(
    snapshot: &Snapshot,
    files: &Files,
    graph: &Graph,
    ranks: &Ranks,
    config: &MapConfig,
) -> Vec<Vec<f64>> {
    let mut res: Vec<Vec<f64>> = graph.read.iter().map(|it| vec![0.0; it.roles.len()]).collect();
    let n = ranks.files.len() as f64;
    let user = |file: FileId| {
        let near = if files.has_focus { ranks.files[file.0 as usize] * n } else { 1.0 };
        near * by_role(snapshot.role(file), USE_BY_ROLE)
    };
    for link in &graph.links {
        let unsure: f64 = link.unresolved.iter().map(|it| user(it.0)).sum();
        let unsure = config.unsure_use * unsure / link.n_definers as f64;
        for (file, definition) in &link.definitions {
            res[file.0 as usize][*definition as usize] += unsure;
        }
        for of_definer in link.resolved.chunk_by(|a, b| a.definer == b.definer) {
            let sum: f64 = of_definer.iter().map(|it| user(it.user)).sum();
            let definer = of_definer[0].definer;
            let start = link.definitions.partition_point(|it| it.0 < definer);
            let own = link.definitions[start..].iter().take_while(|it| it.0 == definer);
            for (file, definition) in own {
                res[file.0 as usize][*definition as usize] += sum;
            }
        }
    }
    res
}

/// Weight of a definition by the role of its file.
fn shown_worth(snapshot: &Snapshot, files: &Files, file: FileId) -> f64 {
    let at = file.0 as usize;
    if files.worth[at] <= 0.0 || files.in_focus[at] {
        return files.worth[at];
    }
    by_role(snapshot.role(file), DEFINITION_BY_ROLE)
}

/// Weight of a definition by its kind, its nesting and its size.
fn weight(record: &FileRecord, idx: usize, config: &MapConfig) -> f64 {
    let definitions = &record.symbols.definitions;
    // A component is as long as its file.
    let Some(it) = definitions.get(idx) else {
        return f64::from(record.lines.max(1)).powf(config.size);
    };
    let kind = match it.kind {
        Kind::Class | Kind::Interface | Kind::Implementation => 1.0,
        Kind::Type | Kind::Module => config.alias,
        Kind::Enum | Kind::Function => config.function,
        Kind::Macro => config.macros,
        Kind::Method | Kind::Constructor => config.method,
        Kind::Field | Kind::Constant | Kind::Section => config.data,
    };
    let around = record.symbols.ancestors(it.parent).filter(|it| it.kind != Kind::Module).count();
    let lines = f64::from(it.span.end - it.span.start) / LINE_BYTES;
    kind * config.nested.powi(around as i32) * lines.max(1.0).powf(config.size)
}

/// Whether a path marks its contents as internal to the repository.
fn is_internal(path: &str) -> bool {
    let directory = directory_of(path);
    directory.split('/').any(|it| {
        matches!(
            it,
            "internal" | "_internal" | "internals" | "private" | "detail" | "details" | "impl"
        )
    })
}
