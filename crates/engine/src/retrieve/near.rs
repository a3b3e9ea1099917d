//! Files that are near the cursor's: by imports, by directory, by time.

use foreword_chunk::Import;

use super::{Hit, RankedList, Reason, Signal};
use crate::index::bm25::Weighed;
use crate::index::{ChunkId, FileId, Snapshot};
use crate::scope::{Activity, Cursor, Resolver, Scope};

/// How many chunks of one near file can be hits: near alone is a weak reason.
const CHUNKS_A_FILE: usize = 3;

/// How many files that import the cursor's file are looked at.
const MAX_IMPORTERS: usize = 16;

/// Files that the cursor's file imports, and files that import it; of each the chunks that fit the query best.
pub fn graph(
    snapshot: &Snapshot,
    resolver: &Resolver,
    cursor: &Cursor,
    scope: &Scope,
    weighed: &Weighed,
    limit: usize,
) -> RankedList {
    let mut files: Vec<(FileId, f32, Reason)> = Vec::new();
    for resolved in &scope.imports {
        let module = &scope.record.symbols.imports[resolved.import].module;
        let reason = Reason::Imported { module: module.clone() };
        files.extend(resolved.files.iter().map(|it| (*it, 1.0, reason.clone())));
    }
    for file in importers(snapshot, resolver, cursor, scope) {
        files.push((file, 0.5, Reason::Importer { name: stem_of(&cursor.path).to_owned() }));
    }
    let hits = best_chunks(snapshot, scope, &files, weighed);
    RankedList::new(Signal::Graph, hits, limit)
}

/// Files beside the cursor's; siblings by name (a test and what it tests, a header and its source) before others.
pub fn package(
    snapshot: &Snapshot,
    cursor: &Cursor,
    scope: &Scope,
    weighed: &Weighed,
    limit: usize,
) -> RankedList {
    let own = bare_stem(&cursor.path);
    let is_sibling = |file: &FileId| bare_stem(snapshot.path(*file)) == own;
    let mut files: Vec<(FileId, f32, Reason)> = Vec::new();
    for file in scope.package.iter().copied() {
        let (weight, reason) = match is_sibling(&file) {
            true => (2.0, Reason::Sibling),
            false => (1.0, Reason::SameDirectory),
        };
        files.push((file, weight, reason));
    }
    let hits = best_chunks(snapshot, scope, &files, weighed);
    RankedList::new(Signal::Package, hits, limit)
}

/// Files that were open or edited lately, of each the chunks that fit the query best; and places where the cursor was.
pub fn recent(
    snapshot: &Snapshot,
    cursor: &Cursor,
    scope: &Scope,
    activity: &Activity,
    weighed: &Weighed,
    limit: usize,
) -> RankedList {
    let known = cursor.recent.iter().filter_map(|it| snapshot.file(it));
    let files: Vec<(FileId, f32, Reason)> = known
        .enumerate()
        .map(|(age, file)| (file, 0.9_f32.powi(age as i32), Reason::Recent { age: age as u32 }))
        .collect();
    let mut hits = best_chunks(snapshot, scope, &files, weighed);
    hits.extend(visited(snapshot, scope, activity));
    RankedList::new(Signal::Recent, hits, limit)
}

/// What a visited place counts: as much as the best chunk of a file that is open.
const VISITED: f32 = 1.2;

/// The chunks where the cursor was, in files other than its own.
fn visited(snapshot: &Snapshot, scope: &Scope, activity: &Activity) -> Vec<Hit> {
    let places = activity.visited.iter().enumerate().filter_map(|(age, (path, line))| {
        let file = snapshot.file(path).filter(|it| Some(*it) != scope.file)?;
        let holds = |it: &ChunkId| snapshot.chunk(*it).end_line >= *line;
        let chunk = snapshot.chunks(file).find(holds)?;
        let reason = Reason::Recent { age: age as u32 };
        Some(hit(chunk, VISITED * 0.9_f32.powi(age as i32), reason))
    });
    places.collect()
}

/// Files that import the cursor's file: those that mention its name among their imports, if it leads here.
fn importers(
    snapshot: &Snapshot,
    resolver: &Resolver,
    cursor: &Cursor,
    scope: &Scope,
) -> Vec<FileId> {
    let Some(own) = scope.file else { return Vec::new() };
    let directory = cursor.path.rsplit('/').nth(1).unwrap_or_default();
    let stem = match stem_of(&cursor.path) {
        "__init__" | "mod" | "lib" | "index" => directory,
        stem => stem,
    };
    // Most imports of a file name neither the cursor's file nor its directory: they need not be followed.
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
        imports.any(|it| resolver.resolve(snapshot, path, record.language, it).contains(&own))
    };
    mentions.take(MAX_IMPORTERS).filter(leads_here).collect()
}

/// The chunks of `files` that fit the query best, scored by file weight and fit.
fn best_chunks(
    snapshot: &Snapshot,
    scope: &Scope,
    files: &[(FileId, f32, Reason)],
    weighed: &Weighed,
) -> Vec<Hit> {
    let mut ids: Vec<FileId> =
        files.iter().map(|it| it.0).filter(|it| Some(*it) != scope.file).collect();
    ids.sort_unstable();
    ids.dedup();
    let keep = |file: FileId| ids.binary_search(&file).is_ok();
    let limit = ids.len() * CHUNKS_A_FILE * 2;
    let scored = snapshot.lexical_in(weighed, &ids, limit);
    let most = scored.first().map_or(1.0, |it| it.score);
    let mut taken = rustc_hash::FxHashMap::<FileId, usize>::default();
    let mut hits = Vec::new();
    for it in scored {
        let n = taken.entry(it.chunk.file).or_default();
        let Some((_, weight, reason)) = files.iter().find(|(file, ..)| *file == it.chunk.file)
        else {
            continue;
        };
        *n += 1;
        if *n > CHUNKS_A_FILE {
            continue;
        }
        hits.push(hit(it.chunk, weight * (0.2 + it.score / most), reason.clone()));
    }
    // A near file with no word in common still may be wanted: its first chunk says what it is.
    for (file, weight, reason) in files.iter().filter(|it| keep(it.0) && !taken.contains_key(&it.0))
    {
        if snapshot.chunks(*file).len() > 0 {
            hits.push(hit(ChunkId { file: *file, idx: 0 }, weight * 0.1, reason.clone()));
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

/// The name of a file without what marks tests: `test_url.py`, `url_test.go`, `url.spec.ts`, `UrlTest.java` → `url`.
fn bare_stem(path: &str) -> String {
    let stem = stem_of(path);
    let bare = stem.strip_prefix("test_").or_else(|| stem.strip_suffix("_test")).unwrap_or(stem);
    let bare = bare.strip_suffix("Test").or_else(|| bare.strip_suffix("Tests")).unwrap_or(bare);
    bare.to_lowercase()
}
