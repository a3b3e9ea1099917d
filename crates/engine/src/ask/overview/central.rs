//! The main definition of each file, and the most used ones of the project's own code.

use foreword_chunk::{Kind, LineIndex};

use super::super::explain::{Draft, definition};
use super::super::types::{Role, Why};
use crate::index::{FileId, FileRole, Snapshot};
use crate::map::{Map, MapDefinition, MapFile};
use crate::preset::constants::ask::{
    CENTRAL_DEFINITION_LINES, CENTRAL_DEFINITIONS, EXAMPLE_FACTOR,
};

/// The most used definitions of the project's own code.
pub(super) fn central(snapshot: &Snapshot, map: &Map, is_own: OwnFilter<'_>) -> Vec<Draft> {
    let mut res = Vec::new();
    for entry in &map.entries {
        let Some(file) = snapshot.file(&entry.path).filter(|it| is_own(*it)) else { continue };
        let main = main_definition(entry);
        let Some(idx) = main.and_then(|it| definition_at(snapshot, file, it.start_line)) else {
            continue;
        };
        res.extend(definition(
            snapshot,
            (file, idx),
            CENTRAL_DEFINITION_LINES,
            Role::Match,
            vec![Why::Central],
        ));
        if res.len() == CENTRAL_DEFINITIONS {
            break;
        }
    }
    res
}

/// The main definition of a file: its longest outermost type (an alias or a forward declaration has one line), else its
/// first outermost definition.
pub(super) fn main_definition(entry: &MapFile) -> Option<&MapDefinition> {
    let is_type = |it: &&MapDefinition| matches!(it.kind, Kind::Class | Kind::Interface);
    let lines = |it: &&MapDefinition| it.end_line - it.start_line;
    let longest = outermost(entry).filter(is_type).fold(None, |best, it| match best {
        Some(best) if lines(&best) >= lines(&it) => Some(best),
        _ => Some(it),
    });
    longest.or_else(|| outermost(entry).next())
}

/// The outermost definitions of a file, below its namespace.
pub(super) fn outermost(entry: &MapFile) -> impl Iterator<Item = &MapDefinition> {
    let says =
        |it: &&MapDefinition| !matches!(it.kind, Kind::Module | Kind::Constant | Kind::Field);
    let depth = entry.definitions.iter().filter(says).map(|it| it.depth).min();
    entry.definitions.iter().filter(says).filter(move |it| Some(it.depth) == depth)
}

/// The definition that begins at a line.
pub(super) fn definition_at(snapshot: &Snapshot, file: FileId, line: u32) -> Option<u32> {
    let (text, record) = snapshot.contents(file);
    let index = LineIndex::new(text.as_bytes());
    let begins = |it: &foreword_chunk::Definition| index.line_of(it.span.start as usize) == line;
    record.symbols.definitions.iter().position(begins).map(|it| it as u32)
}

/// Whether a file is source code of the project itself.
pub(super) type OwnFilter<'s> = &'s dyn Fn(FileId) -> bool;

/// Roles of a project's own code: no tests, examples or copies.
const OWN: [FileRole; 2] = [FileRole::Code, FileRole::Gathering];

/// Roles of the own code; in a repository of examples, these too.
pub(super) fn own_roles(snapshot: &Snapshot) -> Vec<FileRole> {
    let count =
        |roles: &[FileRole]| snapshot.files().filter(|it| has_role(snapshot, *it, roles)).count();
    let mut res = OWN.to_vec();
    if EXAMPLE_FACTOR * count(&OWN) < count(&[FileRole::Periphery]) {
        res.push(FileRole::Periphery);
    }
    res
}

/// Whether the file is code with one of these roles.
pub(super) fn has_role(snapshot: &Snapshot, file: FileId, roles: &[FileRole]) -> bool {
    let is_code = snapshot.language(file).is_some_and(foreword_chunk::Language::is_code);
    is_code && roles.contains(&snapshot.role(file)) && !snapshot.path(file).starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_about_its_longest_type() {
        let of = |kind, lines: (u32, u32), depth| MapDefinition {
            start_line: lines.0,
            end_line: lines.1,
            kind,
            signature: String::new(),
            depth,
        };
        let check = |definitions: Vec<MapDefinition>, expect: Option<u32>| {
            let entry = MapFile { path: "a.h".to_owned(), rank: 0.1, definitions };
            assert_eq!(main_definition(&entry).map(|it| it.start_line), expect);
        };
        let (declared, whole) = (of(Kind::Type, (3, 3), 0), of(Kind::Class, (9, 30), 0));
        check(vec![declared.clone(), of(Kind::Class, (5, 7), 0), whole.clone()], Some(9));
        // Below its namespace, not below another type.
        let space = of(Kind::Module, (1, 90), 0);
        check(vec![space, of(Kind::Class, (2, 8), 1), of(Kind::Class, (3, 7), 2)], Some(2));
        check(vec![declared, of(Kind::Function, (5, 80), 0)], Some(3));
        check(vec![of(Kind::Constant, (1, 1), 0)], None);
    }
}
