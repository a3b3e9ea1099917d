//! Files near the cursor's: imported or importing files, files of the same directory, recently used files.

use foreword_chunk::Import;

use super::inputs::{HoleInputs, Inputs};
use super::list::Hit;
use crate::evidence::Reason;
use crate::index::bm25::{ScoredChunk, WeightedQuery};
use crate::index::{ChunkId, FileId, Snapshot};
use crate::preset::constants::retrieve::{
    IMPORTER, NEAR_CHUNKS_A_FILE, NEAR_WITHOUT_MATCH, NEARNESS, OLDER_VISIT, SIBLING_BY_NAME,
    VISITED_CHUNK,
};
use crate::scope::Activity;

/// Importers of the cursor's file that are considered.
const MAX_IMPORTERS: usize = 16;

/// A file near the cursor's, with its weight and reason.
struct NearFile {
    file: FileId,
    weight: f32,
    reason: Reason,
}

/// The signal `graph`: files that the cursor's file imports and files that import it, with their best-matching chunks.
pub(super) fn graph(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<Hit> {
    let scope = hole.scope;
    let mut files = Vec::new();
    for resolved in &scope.imports {
        let module = &scope.record.symbols.imports[resolved.import].module;
        let reason = Reason::Imported { module: module.clone() };
        let near = |file: &FileId| NearFile { file: *file, weight: 1.0, reason: reason.clone() };
        files.extend(resolved.files.iter().map(near));
    }
    let name = stem_of(hole.cursor.path());
    let importers = importers(inputs.snapshot, hole).into_iter();
    files.extend(importers.map(|file| NearFile {
        file,
        weight: IMPORTER,
        reason: Reason::Importer { name: name.to_owned() },
    }));
    best_by_scores(inputs, scope.file, &files)
}

/// The signal `package`: files of the same directory. Siblings by name (a test and its subject, a header and its
/// source) weigh more.
pub(super) fn package(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<Hit> {
    let own = bare_stem(hole.cursor.path());
    let near = |file: FileId| match bare_stem(inputs.snapshot.path(file)) == own {
        true => NearFile { file, weight: SIBLING_BY_NAME, reason: Reason::Sibling },
        false => NearFile { file, weight: 1.0, reason: Reason::SameDirectory },
    };
    let files: Vec<NearFile> = hole.scope.package.iter().copied().map(near).collect();
    best_by_scores(inputs, hole.scope.file, &files)
}

/// The signal `recent`: the best-matching chunks of recently opened or edited files, and positions that the cursor has
/// visited.
pub(super) fn recent(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<Hit> {
    let (snapshot, own) = (inputs.snapshot, hole.scope.file);
    let mut hits = best_by_scores(inputs, own, &opened(snapshot, hole.cursor.recent()));
    hits.extend(visited(snapshot, own, hole.view.activity()));
    hits
}

/// Like [`recent`], for the given files, latest first, without the cursor's own.
pub(crate) fn recent_files(
    (snapshot, weighed): (&Snapshot, &WeightedQuery),
    own: Option<FileId>,
    recent: &[String],
    activity: &Activity,
) -> Vec<Hit> {
    let look_up = |ids: &[FileId], limit: usize| snapshot.lexical_in(weighed, ids, limit);
    let mut hits = best_chunks(snapshot, look_up, own, &opened(snapshot, recent));
    hits.extend(visited(snapshot, own, activity));
    hits
}

fn opened(snapshot: &Snapshot, recent: &[String]) -> Vec<NearFile> {
    let known = recent.iter().filter_map(|it| snapshot.file(it));
    let near = |(age, file)| NearFile {
        file,
        weight: OLDER_VISIT.powi(age as i32),
        reason: Reason::Recent { age: age as u32 },
    };
    known.enumerate().map(near).collect()
}

/// Chunks that the cursor has visited, in files other than its own.
fn visited(snapshot: &Snapshot, own: Option<FileId>, activity: &Activity) -> Vec<Hit> {
    let hits = activity.visited.iter().enumerate().filter_map(|(age, (path, line))| {
        let file = snapshot.file(path).filter(|it| Some(*it) != own)?;
        let holds = |it: &ChunkId| snapshot.chunk(*it).end_line >= *line;
        let chunk = snapshot.chunks(file).find(holds)?;
        let reason = Reason::Recent { age: age as u32 };
        Some(hit(chunk, VISITED_CHUNK * OLDER_VISIT.powi(age as i32), reason))
    });
    hits.collect()
}

/// Files that import the cursor's file: those with the module's name among their imports that resolve to it.
fn importers(snapshot: &Snapshot, hole: &HoleInputs<'_>) -> Vec<FileId> {
    let Some(own) = hole.scope.file else { return Vec::new() };
    let directory = hole.cursor.path().rsplit('/').nth(1).unwrap_or_default();
    let stem = match stem_of(hole.cursor.path()) {
        "__init__" | "mod" | "lib" | "index" => directory,
        stem => stem,
    };
    // Most imports name neither the cursor's file nor its directory and need not be resolved.
    let may_lead_here = |import: &Import| {
        import.module.contains(stem)
            || (!directory.is_empty() && import.module.contains(directory))
            || import.names.iter().any(|it| it.name == stem)
    };
    let mentions = snapshot.references(stem).into_iter().map(|it| it.0).filter(|it| *it != own);
    let leads_here = |file: &FileId| {
        let record = snapshot.record(*file);
        let path = snapshot.path(*file);
        let mut imports = record.symbols.imports.iter().filter(|it| may_lead_here(it));
        imports.any(|it| {
            hole.view.resolver().resolve(snapshot, path, record.language, it).contains(&own)
        })
    };
    mentions.take(MAX_IMPORTERS).filter(leads_here).collect()
}

fn best_by_scores(inputs: &Inputs<'_>, own: Option<FileId>, files: &[NearFile]) -> Vec<Hit> {
    let Inputs { snapshot, scores, .. } = *inputs;
    best_chunks(snapshot, |ids, limit| snapshot.best_in(scores, ids, limit), own, files)
}

/// The best-matching chunks of each file, scored by the weight of the file and the match. `best` scores the chunks of a
/// batch of files.
fn best_chunks(
    snapshot: &Snapshot,
    best: impl Fn(&[FileId], usize) -> Vec<ScoredChunk>,
    own: Option<FileId>,
    files: &[NearFile],
) -> Vec<Hit> {
    let others = files.iter().map(|it| it.file).filter(|it| Some(*it) != own);
    let mut ids: Vec<FileId> = others.collect();
    ids.sort_unstable();
    ids.dedup();
    let limit = ids.len() * NEAR_CHUNKS_A_FILE * 2;
    let scored = best(&ids, limit);
    let highest = scored.first().map_or(1.0, |it| it.score);
    let mut taken = rustc_hash::FxHashMap::<FileId, usize>::default();
    let mut hits = Vec::new();
    for it in scored {
        let n = taken.entry(it.chunk.file).or_default();
        let Some(near) = files.iter().find(|near| near.file == it.chunk.file) else { continue };
        *n += 1;
        if *n <= NEAR_CHUNKS_A_FILE {
            let score = near.weight * (NEARNESS + it.score / highest);
            hits.push(hit(it.chunk, score, near.reason.clone()));
        }
    }
    // A near file without matching words may still be needed: its first chunk introduces it.
    let without_match =
        |it: &&NearFile| ids.binary_search(&it.file).is_ok() && !taken.contains_key(&it.file);
    for NearFile { file, weight, reason } in files.iter().filter(without_match) {
        if snapshot.chunks(*file).len() > 0 {
            hits.push(hit(
                ChunkId { file: *file, idx: 0 },
                weight * NEAR_WITHOUT_MATCH,
                reason.clone(),
            ));
        }
    }
    hits
}

fn hit(chunk: ChunkId, score: f32, reason: Reason) -> Hit {
    Hit { chunk, definition: None, score, reason }
}

fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// Name of a file without test affixes: `test_url.py`, `url_test.go`, `url.spec.ts`, `UrlTest.java` → `url`.
fn bare_stem(path: &str) -> String {
    let stem = stem_of(path);
    let bare = stem.strip_prefix("test_").or_else(|| stem.strip_suffix("_test")).unwrap_or(stem);
    let bare = bare.strip_suffix("Test").or_else(|| bare.strip_suffix("Tests")).unwrap_or(bare);
    bare.to_lowercase()
}
