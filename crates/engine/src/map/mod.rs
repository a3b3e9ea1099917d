//! The ranked map of a repository: its most referred-to definitions within a budget of tokens.
//!
//! Files are ranked by PageRank over "refers to a name that is defined there" (`read`, `graph`, `rank`), as aider's
//! repository map does. Definitions are ranked by how many files use them, by their kind and size, and by the rank of their
//! file (`centrality`). The best are shown under their files, as signatures without comments, few of one file and one
//! directory (`candidates`, `signature`, `page`). The graph comes from the index and the records; only the texts of files
//! that may be shown are read.

mod candidates;
mod centrality;
mod edges;
mod graph;
mod page;
mod rank;
mod read;
mod signature;
mod types;

use self::centrality::Centrality;
use self::graph::{Files, Graph};
pub use self::types::{Map, MapConfig, MapDefinition, MapEdge, MapFile, MapRequest};
use crate::index::Snapshot;
use crate::trim::Count;

/// The map of a snapshot. It never has more than the requested tokens.
pub fn map(snapshot: &Snapshot, request: &MapRequest<'_>, count: Count<'_>) -> Map {
    map_with(snapshot, request, &MapConfig::baseline(), count)
}

/// The map of a snapshot with other settings.
pub fn map_with(
    snapshot: &Snapshot,
    request: &MapRequest<'_>,
    config: &MapConfig,
    count: Count<'_>,
) -> Map {
    let files = Files::new(snapshot, request);
    let graph = Graph::new(snapshot, &files, config);
    let ranks = rank::ranks(&graph, &files, config);
    let centrality = Centrality::new(snapshot, &files, &graph, &ranks, config);
    let candidates =
        candidates::candidates(snapshot, &graph, &ranks, &centrality, request.tokens, config);
    let picks = candidates::picks(&candidates, config);
    let page = page::fill(&candidates, &picks, request.tokens, count);
    Map {
        files_total: files.total,
        files_shown: page.entries.len(),
        definitions_total: graph.n_definitions,
        definitions_shown: page.entries.iter().map(|it| it.definitions.len()).sum(),
        too_small: page.entries.is_empty() && !picks.is_empty(),
        tokens: page.tokens,
        text: page.text,
        edges: edges::edges(snapshot, &graph, &page.entries),
        entries: page.entries,
    }
}

#[cfg(test)]
mod tests;
