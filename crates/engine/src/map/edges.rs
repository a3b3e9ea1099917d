//! References between the files of a map.

use std::collections::BTreeMap;

use super::graph::Graph;
use super::types::{MapEdge, MapFile};
use crate::index::{FileId, Snapshot};
use crate::sorting::sort_by;

/// References, the heaviest first; ties by user, then definer.
pub(super) fn edges(snapshot: &Snapshot, graph: &Graph, entries: &[MapFile]) -> Vec<MapEdge> {
    let mut shown = vec![None; snapshot.files().len()];
    for (number, it) in entries.iter().enumerate() {
        if let Some(file) = snapshot.file(&it.path) {
            shown[file.0 as usize] = Some(number);
        }
    }
    let number = |file: FileId| shown[file.0 as usize];
    let mut weights: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let mut add = |user: Option<usize>, definer: Option<usize>, weight: f64| {
        if let (Some(user), Some(definer)) = (user, definer) {
            *weights.entry((user, definer)).or_default() += weight;
        }
    };
    for link in &graph.links {
        link.resolved.iter().for_each(|it| add(number(it.user), number(it.definer), it.weight));
        let users: Vec<_> = link.unresolved.iter().filter(|it| number(it.0).is_some()).collect();
        for definer in link.definitions.chunk_by(|a, b| a.0 == b.0).map(|it| number(it[0].0)) {
            for (user, weight) in users.iter().filter(|_| definer.is_some()) {
                add(number(*user), definer, weight / link.n_definers as f64);
            }
        }
    }
    let edge = |((user, definer), weight)| MapEdge { user, definer, weight };
    let mut res: Vec<MapEdge> = weights.into_iter().map(edge).collect();
    sort_by(&mut res, |a, b| b.weight.total_cmp(&a.weight));
    res
}
