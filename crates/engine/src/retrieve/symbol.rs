//! Definitions of names: those that a question asks for, and those that are used at the hole.

use foreword_chunk::Kind;

use super::diff::replaced;
use super::inputs::{HoleInputs, Inputs};
use super::list::Hit;
use super::names::{ImportedUse, Name, Reach};
use crate::evidence::Reason;
use crate::index::{DefinitionSite, FileId};
use crate::scope::Scope;

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

/// The definitions, in other files, of names at the hole. A score is the name's weight, shared by its definitions, and
/// more for one that an import leads to or that is in the same directory. What the cursor's own file defines is not looked
/// for elsewhere.
pub(super) fn used_at_hole(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<Hit> {
    let scope = hole.scope;
    let imported: Vec<FileId> = scope.imports.iter().flat_map(|it| it.files.clone()).collect();
    let lookup = Lookup { inputs, hole, scope, imported };
    inputs.query.names.iter().flat_map(|it| lookup.hits(it)).collect()
}

/// What names at a hole are looked up in.
struct Lookup<'i> {
    inputs: &'i Inputs<'i>,
    hole: &'i HoleInputs<'i>,
    scope: &'i Scope,
    /// The files that imports lead to.
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
            let weight = name.weight * IMPORTED;
            return replaced.map(|it| Hit { score: it.score * weight, ..it }).collect();
        }
        let places = self.places(name, &found);
        if found.len() > MAX_DEFINITIONS && !places.any_imported {
            return Vec::new();
        }
        let fits: Vec<f32> = found.iter().map(|it| self.fit(it, &name.reach, &places)).collect();
        // Definitions that do not fit take nothing from those that do.
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
        // One definition needs no choice.
        let owners = owner.filter(|_| !found.is_empty()).and_then(owners);
        let any_imported = found.iter().any(|it| imported.contains(&it.file));
        Places { imported, any_imported, owners }
    }

    /// How well a definition fits how the name is written.
    fn fit(&self, site: &DefinitionSite, reach: &Reach, places: &Places<'_>) -> f32 {
        let misfit = self.inputs.names.misfit;
        let is_member = matches!(site.kind, Kind::Method | Kind::Field | Kind::Constructor);
        let near = match (places.imported.contains(&site.file), places.any_imported) {
            (true, _) => IMPORTED,
            (false, true) => NOT_IMPORTED,
            (false, false) if self.scope.package.contains(&site.file) => IN_PACKAGE,
            (false, false) => 1.0,
        };
        let near = match &places.owners {
            Some(owners) if owners.contains(&site.file) => near.max(OF_OWNER),
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

/// Where the definitions of a name are likely.
struct Places<'i> {
    /// The files that its import leads to, or any import of the file.
    imported: &'i [FileId],
    /// Whether some definition is there.
    any_imported: bool,
    /// The files that define the type that it is a member of, if that is known.
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

/// The weight of a definition that an import leads to.
const IMPORTED: f32 = 3.0;

/// The weight of the others of that name, which are probably not meant.
const NOT_IMPORTED: f32 = 0.3;

/// The weight of a definition in the same directory, where no import decides.
const IN_PACKAGE: f32 = 1.5;

/// The weight of a definition in a file that defines the type before the name.
const OF_OWNER: f32 = 2.0;
