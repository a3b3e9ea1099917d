//! The map of a repository: its most important definitions, within a budget.

use std::sync::Arc;

use foreword_engine::index::Snapshot;
use foreword_engine::map::{Map, MapDefinition, MapEdge, MapRequest, map};
use serde::Serialize;

use super::tokens;
use crate::host::Repository;
use crate::usage::usage;

/// A file of a map.
#[derive(Serialize)]
pub struct File {
    path: String,
    rank: f64,
    definitions: Vec<Definition>,
}

/// A definition of a map.
#[derive(Serialize)]
struct Definition {
    start_line: u32,
    end_line: u32,
    kind: &'static str,
    signature: String,
    depth: usize,
}

/// A file of a map refers to another one. Both are indexes into the list of files.
#[derive(Serialize)]
pub struct Edge {
    user: usize,
    definer: usize,
    weight: f64,
}

/// The references between the files of a map, the strongest first.
pub fn edges(map: &Map) -> Vec<Edge> {
    let edge = |it: &MapEdge| Edge { user: it.user, definer: it.definer, weight: it.weight };
    map.edges.iter().map(edge).collect()
}

/// Bytes of the texts of a repository on a cluster of which a map is made at most: it asks about every name, so all files are
/// read.
const MAX_BYTES_ELSEWHERE: u64 = 32 << 20;

/// The map around `focus`, within `tokens`.
pub fn around(snapshot: &Snapshot, focus: &[String], tokens: usize) -> anyhow::Result<Map> {
    let counter = tokens::general()?;
    if snapshot.partial().is_some() {
        return match gathered(snapshot)? {
            Some(it) => around(&it, focus, tokens),
            None => Ok(Map::default()),
        };
    }
    let request = MapRequest { focus, tokens, keep: None };
    Ok(map(snapshot, &request, &|text| counter.count(text)))
}

/// A snapshot with all contents of one whose contents are on a cluster; `None` while it is being read.
fn gathered(snapshot: &Snapshot) -> anyhow::Result<Option<Snapshot>> {
    let bytes = snapshot.totals().bytes;
    if bytes > MAX_BYTES_ELSEWHERE {
        return Err(usage(format!(
            "a map reads all files, which have {} MiB here; from a cluster at most {} MiB are read: make it in a clone",
            bytes >> 20,
            MAX_BYTES_ELSEWHERE >> 20
        )));
    }
    let whole = snapshot.whole();
    match whole.is_none() && !snapshot.is_preliminary() {
        true => Err(anyhow::anyhow!("the files from the cluster are damaged; push again")),
        false => Ok(whole),
    }
}

/// The map of an open repository, which caches maps by snapshot and question.
pub fn of(
    repository: &Repository,
    snapshot: &Snapshot,
    focus: &[String],
    tokens: usize,
) -> anyhow::Result<Arc<Map>> {
    repository.maps().get(snapshot, focus, tokens, || around(snapshot, focus, tokens))
}

/// The files of a map, as `--json` and the inspector show them.
pub fn files(map: &Map) -> Vec<File> {
    let definition = |it: &MapDefinition| Definition {
        start_line: it.start_line,
        end_line: it.end_line,
        kind: it.kind.name(),
        signature: it.signature.clone(),
        depth: it.depth,
    };
    let file = |it: &foreword_engine::map::MapFile| File {
        path: it.path.clone(),
        rank: it.rank,
        definitions: it.definitions.iter().map(definition).collect(),
    };
    map.entries.iter().map(file).collect()
}
