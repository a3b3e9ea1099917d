//! Definitions of names: those that a question asks for, and those that are used at the hole.

use foreword_chunk::Kind;

use super::diff::replaced;
use super::inputs::{HoleInputs, Inputs};
use super::list::Hit;
use crate::evidence::Reason;
use crate::index::{DefinitionSite, FileId};

/// A name with more definitions than this says little about where to look.
const MAX_DEFINITIONS: usize = 24;

/// The definitions of the names in a question. A score is the name's weight, shared by its definitions.
pub(super) fn named(inputs: &Inputs<'_>) -> Vec<Hit> {
    let Inputs { snapshot, query, keep, limit, .. } = *inputs;
    let mut hits = Vec::new();
    for name in &query.names {
        let most = if query.is_symbol { usize::MAX } else { MAX_DEFINITIONS };
        let Some(found) = snapshot.definitions_up_to(&name.name, most) else { continue };
        let share = name.weight / (found.len().max(1) as f32).sqrt();
        let allowed = |it: &DefinitionSite| keep.is_none_or(|keep| keep(it.file));
        for site in found.into_iter().filter(allowed).take(limit) {
            hits.push(Hit {
                chunk: site.chunk_id(),
                definition: Some(site.definition),
                score: share * weight_of(site.kind),
                reason: Reason::Defines { name: name.name.clone() },
            });
        }
    }
    hits
}

/// Types and functions are looked for by name more often than fields and constants.
fn weight_of(kind: Kind) -> f32 {
    match kind {
        Kind::Field | Kind::Constant | Kind::Section => 0.6,
        Kind::Implementation => 0.8,
        _ => 1.0,
    }
}

/// The definitions, in other files, of names that are used around the hole. A score is the name's weight, shared by its
/// definitions, and more for one that an import leads to or that is in the same directory. What the cursor's own file
/// defines is not looked for elsewhere.
pub(super) fn used_at_hole(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<Hit> {
    let scope = hole.scope;
    let imported: Vec<FileId> = scope.imports.iter().flat_map(|it| it.files.clone()).collect();
    let mut hits = Vec::new();
    for name in &inputs.query.names {
        let mut found = inputs.snapshot.definitions(&name.name);
        if found.iter().any(|it| Some(it.file) == scope.file) {
            continue;
        }
        found.retain(|it| it.kind != Kind::Section);
        if found.is_empty() {
            let replaced = replaced(inputs, hole, &name.name).into_iter();
            hits.extend(replaced.map(|it| Hit { score: it.score * name.weight * IMPORTED, ..it }));
        }
        let is_imported = |it: &DefinitionSite| imported.contains(&it.file);
        let any_imported = found.iter().any(is_imported);
        if found.len() > MAX_DEFINITIONS && !any_imported {
            continue;
        }
        let share = name.weight / (found.len() as f32).sqrt();
        for site in &found {
            let by_import = is_imported(site);
            let near = match (by_import, any_imported) {
                (true, _) => IMPORTED,
                (false, true) => NOT_IMPORTED,
                (false, false) if scope.package.contains(&site.file) => IN_PACKAGE,
                (false, false) => 1.0,
            };
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
    hits
}

/// The weight of a definition that an import leads to.
const IMPORTED: f32 = 3.0;

/// The weight of the others of that name, which are probably not meant.
const NOT_IMPORTED: f32 = 0.3;

/// The weight of a definition in the same directory, where no import decides.
const IN_PACKAGE: f32 = 1.5;
