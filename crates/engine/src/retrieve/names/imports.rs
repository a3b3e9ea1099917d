//! Imported names: where they lead, and which of them the function at the cursor is likely to use.

use std::ops::Range;

use foreword_chunk::{Definition, Import, Kind, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{CodeWords, NameConfig, Reach, is_in};
use crate::index::terms::identifiers;
use crate::index::{FileId, Snapshot};
use crate::preset::constants::retrieve::{NEW_IMPORT, SIBLING_SHARE};
use crate::scope::{Cursor, ResolvedImport, Scope};

/// Whether the file uses an imported name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportedUse {
    /// Used somewhere in the file.
    Used,
    /// Imported but not used.
    Unused,
}

/// An imported name with its weight.
pub(in crate::retrieve) struct ImportedName<'t> {
    /// The name at its definition.
    pub(in crate::retrieve) name: &'t str,
    pub(in crate::retrieve) reach: Reach,
    pub(in crate::retrieve) weight: f32,
    /// Lines from the import to the cursor.
    pub(in crate::retrieve) distance: u32,
}

impl<'t> CodeWords<'t> {
    pub(super) fn note_imports(&mut self, scope: &'t Scope) {
        for (at, import) in scope.record.symbols.imports.iter().enumerate() {
            let resolved = scope.imports.iter().position(|it| it.import == at);
            for it in import.names.iter().filter(|it| it.name != "*") {
                let here = it.alias.as_ref().unwrap_or(&it.name).as_str();
                match resolved {
                    Some(resolved) => drop(self.imported.insert(here, (resolved, &it.name))),
                    None => drop(self.foreign.insert(here)),
                }
            }
            if import.names.is_empty() {
                for module in names_of_module(import) {
                    match resolved {
                        Some(resolved) => drop(self.modules.insert(module, resolved)),
                        None => drop(self.foreign.insert(module)),
                    }
                }
            }
        }
    }
}

/// Names under which a file can refer to an imported module.
pub(in crate::retrieve) fn names_of_module(import: &Import) -> Vec<&str> {
    if let Some(alias) = &import.alias {
        return vec![alias];
    }
    let is_separator = |it: char| "./\\:".contains(it);
    let mut parts = import.module.split(is_separator).filter(|it| !it.is_empty());
    let first = parts.next();
    // Go's `chi/v5` and `yaml.v3` are called `chi` and `yaml`.
    let last = parts.rfind(|it| !is_version(it));
    // `os.path` is accessible as `os`, `net/http` as `http`.
    let first = first.filter(|_| last.is_none() || import.module.contains('.'));
    first.into_iter().chain(last).collect()
}

/// Whether a part of a module's path is the version of what is before it: `v5`.
fn is_version(part: &str) -> bool {
    let number = part.strip_prefix('v').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())
}

/// Names that the file imports from the repository, with weights: high for a name that is not used yet, otherwise by
/// the share of the file's functions that use it.
pub(in crate::retrieve) fn imported_names<'t>(
    cursor: &Cursor,
    scope: &'t Scope,
    snapshot: &Snapshot,
    config: &NameConfig,
) -> Vec<ImportedName<'t>> {
    let imports = &scope.record.symbols.imports;
    let end_of_imports = imports.iter().map(|it| it.span.end as usize).max().unwrap_or(0);
    // A cursor among the imports needs names that are not imported yet.
    if scope.imports.is_empty() || cursor.offset() <= end_of_imports {
        return Vec::new();
    }
    let shares = Shares::new(cursor, scope);
    let line_of = |at: u32| memchr::memchr_iter(b'\n', &cursor.text().as_bytes()[..at as usize]);
    let here = line_of(cursor.offset() as u32).count();
    let mut res = Vec::new();
    for (number, ResolvedImport { import, .. }) in scope.imports.iter().enumerate() {
        let import = &imports[*import];
        let unused = if is_new(scope, import.span) { NEW_IMPORT } else { 1.0 } * config.unused;
        let distance = here.saturating_sub(line_of(import.span.start).count()) as u32;
        for it in import.names.iter().filter(|it| it.name != "*" && it.name != "default") {
            let local = it.alias.as_ref().unwrap_or(&it.name);
            let (weight, is_used) = match shares.of(local) {
                None => (unused, ImportedUse::Unused),
                Some(share) => {
                    let siblings = share_of_siblings(snapshot, scope, &it.name);
                    (config.usual * share.max(siblings), ImportedUse::Used)
                }
            };
            let reach = Reach::Import(number, is_used);
            res.push(ImportedName { name: &it.name, weight, distance, reach });
        }
    }
    res
}

/// Whether part of the statement is unsaved or uncommitted.
fn is_new(scope: &Scope, span: Span) -> bool {
    let overlaps =
        |it: &Range<usize>| it.start < span.end as usize && (span.start as usize) < it.end;
    scope.changed.iter().chain(&scope.since_commit).any(overlaps)
}

/// For each imported name, the functions of the file that use it.
struct Shares<'t> {
    /// Functions that use a name, for each name used anywhere.
    users: FxHashMap<&'t str, Vec<u32>>,
    functions: usize,
}

impl<'t> Shares<'t> {
    fn new(cursor: &'t Cursor, scope: &'t Scope) -> Self {
        let symbols = &scope.record.symbols;
        let mut users: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        let mut wanted = FxHashSet::default();
        for it in scope.imports.iter().flat_map(|it| &symbols.imports[it.import].names) {
            wanted.insert(it.alias.as_ref().unwrap_or(&it.name).as_str());
        }
        let is_function =
            |it: &&Definition| matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor);
        let functions: Vec<&Definition> = symbols.definitions.iter().filter(is_function).collect();
        let imports: Vec<Span> = symbols.imports.iter().map(|it| it.span).collect();
        let skipped = |at| is_in(&scope.mentions.prose, at) || is_in(&imports, at);
        let text = cursor.text();
        identifiers(text, |start, end| {
            let Some(name) = wanted.get(&text[start..end]).filter(|_| !skipped(start)) else {
                return;
            };
            let after = functions.partition_point(|it| it.span.start as usize <= start);
            let around = functions[..after].iter().rposition(|it| it.span.contains_byte(start));
            let known = users.entry(name).or_default();
            known.extend(around.map(|it| it as u32).filter(|it| known.last() != Some(it)));
        });
        Self { users, functions: functions.len() }
    }

    /// Share of functions that use a name; `None` if the name is unused.
    fn of(&self, name: &str) -> Option<f32> {
        let users = self.users.get(name)?;
        Some(users.len() as f32 / self.functions.max(1) as f32)
    }
}

/// Share of the files in the same package that use a name, with less weight: files say less than functions.
fn share_of_siblings(snapshot: &Snapshot, scope: &Scope, name: &str) -> f32 {
    if scope.package.is_empty() {
        return 0.0;
    }
    let users = snapshot.references(name);
    let is_sibling = |it: &&(FileId, u32)| scope.package.contains(&it.0);
    SIBLING_SHARE * users.iter().filter(is_sibling).count() as f32 / scope.package.len() as f32
}
