//! Definitions of names: those that a question asks for, and those that are used at the hole.

use foreword_chunk::Kind;

use super::{Hit, Query, RankedList, Reason, Signal};
use crate::index::bm25::Keep;
use crate::index::{DefinitionSite, FileId, Snapshot};
use crate::scope::Scope;

/// A name with more definitions than this says little about where to look.
const MAX_DEFINITIONS: usize = 24;

/// The definitions of the names that a question holds. A score is the name's weight, shared by its definitions.
pub fn named(snapshot: &Snapshot, query: &Query, keep: Keep<'_>, limit: usize) -> RankedList {
    let mut hits = Vec::new();
    for name in &query.names {
        let most = if query.is_symbol { usize::MAX } else { MAX_DEFINITIONS };
        let Some(found) = snapshot.few_definitions(&name.name, most) else { continue };
        let share = name.weight / (found.len().max(1) as f32).sqrt();
        for site in found.into_iter().filter(|it| keep.is_none_or(|keep| keep(it.file))).take(limit)
        {
            hits.push(Hit {
                chunk: site.chunk_id(),
                definition: Some(site.definition),
                score: share * weight_of(site.kind),
                reason: Reason::Defines { name: name.name.clone() },
            });
        }
    }
    RankedList::new(Signal::Symbol, hits, limit)
}

/// Types and functions are looked for by name more than fields and constants are.
fn weight_of(kind: Kind) -> f32 {
    match kind {
        Kind::Field | Kind::Constant | Kind::Section => 0.6,
        Kind::Implementation => 0.8,
        _ => 1.0,
    }
}

/// The definitions, in other files, of names that are used around the hole. A score is the name's weight, shared by its
/// definitions, and more for one that an import leads to or that lies in the same directory. What the cursor's own file
/// defines is not looked for elsewhere.
pub fn used_at_hole(snapshot: &Snapshot, scope: &Scope, query: &Query, limit: usize) -> RankedList {
    let imported: Vec<FileId> = scope.imports.iter().flat_map(|it| it.files.clone()).collect();
    let mut hits = Vec::new();
    for name in &query.names {
        let mut found = snapshot.definitions(&name.name);
        if found.iter().any(|it| Some(it.file) == scope.file) {
            continue;
        }
        found.retain(|it| it.kind != Kind::Section);
        let is_imported = |it: &DefinitionSite| imported.contains(&it.file);
        let any_imported = found.iter().any(is_imported);
        if found.len() > MAX_DEFINITIONS && !any_imported {
            continue;
        }
        let share = name.weight / (found.len() as f32).sqrt();
        for site in &found {
            let by_import = is_imported(site);
            let near = nearness(by_import, any_imported, scope.package.contains(&site.file));
            hits.push(Hit {
                chunk: site.chunk_id(),
                definition: Some(site.definition),
                score: share * weight_of(site.kind) * near,
                reason: Reason::UsedAtHole {
                    name: name.name.clone(),
                    distance: name.distance,
                    imported: by_import,
                },
            });
        }
    }
    RankedList::new(Signal::Symbol, hits, limit)
}

/// Where an import leads to one definition, the others of that name are probably not meant.
fn nearness(by_import: bool, any_imported: bool, in_package: bool) -> f32 {
    match (by_import, any_imported, in_package) {
        (true, _, _) => 3.0,
        (false, false, true) => 1.5,
        (false, false, false) => 1.0,
        (false, true, _) => 0.3,
    }
}
