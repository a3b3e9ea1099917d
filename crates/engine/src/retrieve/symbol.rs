//! The signal `symbol`: definitions of names in a question, or of names used at a cursor.

use foreword_chunk::Kind;

use super::diff::replaced;
use super::inputs::{HoleInputs, Inputs};
use super::list::Hit;
use super::names::{ImportedUse, Name, Reach};
use super::query::is_code;
use crate::evidence::Reason;
use crate::index::{ChunkId, DefinitionSite, FactsOf, FileId};
use crate::preset::constants::retrieve::{
    FIELD_OR_CONSTANT, IMPLEMENTATION, IMPORTED_DEFINITION, NOT_IMPORTED_DEFINITION,
    OWNER_DEFINITION, PACKAGE_DEFINITION,
};
use crate::scope::Scope;

/// Names with more definitions are skipped.
const MAX_DEFINITIONS: usize = 24;

/// The same for a word of a sentence.
const MAX_DEFINITIONS_OF_A_WORD: usize = 4;

/// Definitions of the names in a question. The weight of a name is divided among its definitions. A word of a sentence
/// counts as a name if few definitions have it, and those are no fields: `handlers` and `type` are words of any question.
pub(super) fn named(inputs: &Inputs<'_>) -> Vec<Hit> {
    let Inputs { snapshot, query, keep, limit, .. } = *inputs;
    let mut hits = Vec::new();
    for name in &query.names {
        let is_word = !query.is_symbol && !is_code(&name.name);
        let most = match is_word {
            // Who asks for the tests of a thing does not ask for its definition.
            true if query.asks_for_tests => continue,
            true => MAX_DEFINITIONS_OF_A_WORD,
            false if query.is_symbol => usize::MAX,
            false => MAX_DEFINITIONS,
        };
        let Some(found) = snapshot.definitions_up_to(&name.name, most) else { continue };
        if found.is_empty() && !is_word {
            hits.extend(unseen(inputs, name));
        }
        let share = name.weight / (found.len().max(1) as f32).sqrt();
        let allowed = |it: &DefinitionSite| {
            keep.is_none_or(|keep| keep(it.file)) && !(is_word && is_detail(it.kind))
        };
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

/// Definitions of a name of which syntax knows none, by SCIP indexes: attributes that methods set, what macros define.
fn unseen(inputs: &Inputs<'_>, name: &Name) -> Vec<Hit> {
    let (snapshot, facts) = (inputs.snapshot, inputs.snapshot.facts());
    snapshot.need_facts(FactsOf::Name(&name.name));
    let symbols = facts.named(&name.name);
    let mut hits = Vec::new();
    let paths = facts.paths().filter(|_| !symbols.is_empty());
    for file in paths.filter_map(|it| snapshot.file(it)) {
        let Some(here) = facts.of(snapshot.path(file), snapshot.hash(file)) else { continue };
        let mut left = symbols.clone();
        for it in here.occurrences().iter().filter(|it| it.is_definition) {
            // The first of the places that set an attribute.
            let Ok(at) = left.binary_search(&it.symbol) else { continue };
            left.remove(at);
            let holds = |chunk: &ChunkId| snapshot.chunk(*chunk).end > it.start;
            hits.extend(snapshot.chunks(file).find(holds).map(|chunk| Hit {
                chunk,
                definition: None,
                score: name.weight * FIELD_OR_CONSTANT,
                reason: Reason::Defines { name: name.name.clone() },
            }));
        }
    }
    hits.retain(|it| inputs.keep.is_none_or(|keep| keep(it.chunk.file)));
    hits.truncate(inputs.limit);
    let share = (hits.len().max(1) as f32).sqrt();
    hits.iter_mut().for_each(|it| it.score /= share);
    hits
}

fn is_detail(kind: Kind) -> bool {
    matches!(kind, Kind::Field | Kind::Constant | Kind::Section)
}

/// Weight of a kind of definition: types and functions are searched by name more often than fields and constants.
fn weight_of(kind: Kind) -> f32 {
    match kind {
        it if is_detail(it) => FIELD_OR_CONSTANT,
        Kind::Implementation => IMPLEMENTATION,
        _ => 1.0,
    }
}

/// Definitions in other files of names at a cursor. The weight of a name is divided among its definitions; those that
/// an import leads to or that are in the same directory weigh more. Names that the cursor's file defines itself are
/// skipped.
pub(super) fn used_at_hole(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<Hit> {
    let scope = hole.scope;
    let imported: Vec<FileId> = scope.imports.iter().flat_map(|it| it.files.clone()).collect();
    let lookup = Lookup { inputs, hole, scope, imported };
    inputs.query.names.iter().flat_map(|it| lookup.hits(it)).collect()
}

/// State for looking up names at a cursor.
struct Lookup<'i> {
    inputs: &'i Inputs<'i>,
    hole: &'i HoleInputs<'i>,
    scope: &'i Scope,
    /// Files that imports lead to.
    imported: Vec<FileId>,
}

impl Lookup<'_> {
    fn hits(&self, name: &Name) -> Vec<Hit> {
        let mut found = self.inputs.snapshot.definitions(&name.name);
        let is_own = |it: &DefinitionSite| Some(it.file) == self.scope.file;
        if !matches!(name.reach, Reach::Import(..)) && found.iter().any(is_own) {
            return Vec::new();
        }
        found.retain(|it| it.kind != Kind::Section && !is_own(it));
        if found.is_empty() {
            let replaced = replaced(self.inputs, self.hole, &name.name).into_iter();
            let weight = name.weight * IMPORTED_DEFINITION;
            return replaced.map(|it| Hit { score: it.score * weight, ..it }).collect();
        }
        let places = self.places(name, &found);
        if found.len() > MAX_DEFINITIONS && !places.any_imported {
            return Vec::new();
        }
        let fits: Vec<f32> = found.iter().map(|it| self.fit(it, &name.reach, &places)).collect();
        // Definitions that do not fit do not reduce the weight of those that do.
        let n: f32 = fits.iter().map(|it| it.min(1.0)).sum();
        let share = name.weight / n.max(1.0).sqrt();
        let hits = found.iter().zip(fits).filter(|it| it.1 > 0.0);
        hits.map(|(site, fit)| Hit {
            chunk: site.chunk_id(),
            definition: Some(site.definition),
            score: share * weight_of(site.kind) * fit,
            reason: reason(name, &places, site.file),
        })
        .collect()
    }

    fn places(&self, name: &Name, found: &[DefinitionSite]) -> Places<'_> {
        let owner = match &name.reach {
            Reach::Member(Some(owner)) | Reach::Within(owner) => Some(owner.as_str()),
            _ => None,
        };
        let is_type = |it: &DefinitionSite| !matches!(it.kind, Kind::Section | Kind::Field);
        let owners = |owner| {
            let mut sites = self.inputs.snapshot.definitions_up_to(owner, 2 * MAX_DEFINITIONS)?;
            sites.retain(is_type);
            Some(sites.into_iter().map(|it| it.file).collect())
        };
        let imported = match &name.reach {
            Reach::Import(number, _) => self.scope.imports[*number].files.as_slice(),
            _ => self.imported.as_slice(),
        };
        // A single definition needs no disambiguation.
        let owners = owner.filter(|_| !found.is_empty()).and_then(owners);
        let any_imported = found.iter().any(|it| imported.contains(&it.file));
        Places { imported, any_imported, owners }
    }

    /// How well a definition fits the qualifier and imports of the name.
    fn fit(&self, site: &DefinitionSite, reach: &Reach, places: &Places<'_>) -> f32 {
        let misfit = self.inputs.names.misfit;
        let is_member = matches!(site.kind, Kind::Method | Kind::Field | Kind::Constructor);
        let near = match (places.imported.contains(&site.file), places.any_imported) {
            (true, _) => IMPORTED_DEFINITION,
            (false, true) => NOT_IMPORTED_DEFINITION,
            (false, false) if self.scope.package.contains(&site.file) => PACKAGE_DEFINITION,
            (false, false) => 1.0,
        };
        let near = match &places.owners {
            Some(owners) if owners.contains(&site.file) => near.max(OWNER_DEFINITION),
            Some(_) => near * misfit,
            None => near,
        };
        let by_kind = match reach {
            Reach::Outermost if is_member => misfit,
            Reach::Member(_) if site.kind == Kind::Function => misfit,
            _ => 1.0,
        };
        near * by_kind
    }
}

/// Files that probably contain the definition of a name.
struct Places<'i> {
    /// Files that its import leads to; without one, those of all imports.
    imported: &'i [FileId],
    /// Whether any definition is in an imported file.
    any_imported: bool,
    /// Files that define the owner type, if it is known.
    owners: Option<Vec<FileId>>,
}

fn reason(name: &Name, places: &Places<'_>, file: FileId) -> Reason {
    let Name { name, distance, reach, .. } = name;
    let name = name.clone();
    match reach {
        Reach::Import(_, ImportedUse::Unused) => Reason::ImportedName { name },
        _ => {
            let imported = places.imported.contains(&file);
            Reason::UsedAtHole { name, distance: *distance, imported }
        }
    }
}
