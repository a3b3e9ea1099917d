//! Answers questions about the whole: the README, the directories with their documentation, and the most used
//! definitions.

mod parts;

use std::sync::Arc;

use foreword_chunk::{Kind, LineIndex};

use super::explain::{Draft, definition, lines_of};
use super::paragraph::first_paragraph;
use super::types::{AskRequest, Role, Why};
use crate::index::{FileId, FileRole, Snapshot};
use crate::map::{Map, MapDefinition, MapFile, MapRequest, map};
use crate::preset::constants::ask::{
    CENTRAL_DEFINITION_LINES, CENTRAL_DEFINITIONS, EXAMPLE_FACTOR, GUIDE_LINES, OVERVIEW_GUIDES,
    OVERVIEW_MAP_TOKENS,
};
use crate::trim::Count;
use parts::parts;

/// Returns the evidence about the whole.
pub(super) fn items(snapshot: &Snapshot, request: &AskRequest<'_>, count: Count<'_>) -> Vec<Draft> {
    let whole = MapRequest { focus: &[], tokens: OVERVIEW_MAP_TOKENS, keep: None };
    let cached = request.map.and_then(|it| it(OVERVIEW_MAP_TOKENS));
    let map = cached.unwrap_or_else(|| Arc::new(map(snapshot, &whole, count)));
    let mut res: Vec<Draft> = guides(snapshot, request.repository);
    let roles = own_roles(snapshot);
    let is_own = |it: FileId| has_role(snapshot, it, &roles);
    res.extend(central(snapshot, &map, &is_own));
    res.extend(parts(snapshot, &map, &is_own));
    res
}

/// The README, architecture and design documents at the root.
fn guides(snapshot: &Snapshot, name: &str) -> Vec<Draft> {
    let at_root = snapshot.files().filter(|it| !snapshot.path(*it).contains('/'));
    let mut files: Vec<(usize, FileId)> = Vec::new();
    for file in at_root {
        let name = snapshot.path(file).to_lowercase();
        // `README.md` before `README-VIM.md`.
        let stem = name.split('.').next().unwrap_or(&name);
        let rank = GUIDES_OF_ROOT.iter().position(|it| stem == *it).or_else(|| {
            let begun = GUIDES_OF_ROOT.iter().position(|it| name.starts_with(it));
            begun.map(|it| it + GUIDES_OF_ROOT.len())
        });
        if let Some(rank) =
            rank.filter(|_| snapshot.role(file) == FileRole::Prose || !name.contains('.'))
        {
            files.push((rank, file));
        }
    }
    files.sort();
    let mut is_there = [false; GUIDES_OF_ROOT.len()];
    files.retain(|it| !std::mem::replace(&mut is_there[it.0 % GUIDES_OF_ROOT.len()], true));
    let guides = files.into_iter().take(OVERVIEW_GUIDES).map(|it| guide(snapshot, it.1, name));
    guides.filter(|it| !it.item.summary.is_empty()).collect()
}

/// Names of guides at the root; contributing guides answer another question.
const GUIDES_OF_ROOT: [&str; 3] = ["readme", "architecture", "design"];

/// A guide, from its first descriptive paragraph.
fn guide(snapshot: &Snapshot, file: FileId, name: &str) -> Draft {
    let text = snapshot.text(file);
    let (first, paragraph) = first_paragraph(&text, name);
    let mut draft =
        lines_of(snapshot, file, (first, first + GUIDE_LINES), Role::Guide, vec![Why::Describes]);
    (draft.item.signature, draft.item.summary) = (String::new(), paragraph);
    draft
}

/// The most used definitions of the project's own code.
fn central(snapshot: &Snapshot, map: &Map, is_own: OwnFilter<'_>) -> Vec<Draft> {
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
fn main_definition(entry: &MapFile) -> Option<&MapDefinition> {
    let is_type = |it: &&MapDefinition| matches!(it.kind, Kind::Class | Kind::Interface);
    let lines = |it: &&MapDefinition| it.end_line - it.start_line;
    let longest = outermost(entry).filter(is_type).fold(None, |best, it| match best {
        Some(best) if lines(&best) >= lines(&it) => Some(best),
        _ => Some(it),
    });
    longest.or_else(|| outermost(entry).next())
}

/// The outermost definitions of a file, below its namespace.
fn outermost(entry: &MapFile) -> impl Iterator<Item = &MapDefinition> {
    let says =
        |it: &&MapDefinition| !matches!(it.kind, Kind::Module | Kind::Constant | Kind::Field);
    let depth = entry.definitions.iter().filter(says).map(|it| it.depth).min();
    entry.definitions.iter().filter(says).filter(move |it| Some(it.depth) == depth)
}

/// The definition that begins at a line.
fn definition_at(snapshot: &Snapshot, file: FileId, line: u32) -> Option<u32> {
    let (text, record) = snapshot.contents(file);
    let index = LineIndex::new(text.as_bytes());
    let begins = |it: &foreword_chunk::Definition| index.line_of(it.span.start as usize) == line;
    record.symbols.definitions.iter().position(begins).map(|it| it as u32)
}

/// Whether a file is source code of the project itself.
type OwnFilter<'s> = &'s dyn Fn(FileId) -> bool;

/// Roles of a project's own code: no tests, examples or copies.
const OWN: [FileRole; 2] = [FileRole::Code, FileRole::Gathering];

/// Roles of the own code; in a repository of examples, these too.
fn own_roles(snapshot: &Snapshot) -> Vec<FileRole> {
    let count =
        |roles: &[FileRole]| snapshot.files().filter(|it| has_role(snapshot, *it, roles)).count();
    let mut res = OWN.to_vec();
    if EXAMPLE_FACTOR * count(&OWN) < count(&[FileRole::Periphery]) {
        res.push(FileRole::Periphery);
    }
    res
}

/// Whether the file is code with one of these roles.
fn has_role(snapshot: &Snapshot, file: FileId, roles: &[FileRole]) -> bool {
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

    #[test]
    fn the_readme_comes_before_files_whose_names_begin_alike() {
        let source =
            |path: &str, text: &str| crate::source::Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("README-VIM.md", "Once it is installed, enable it in Vim.\n"),
            source("README.md", "fzf is a general-purpose fuzzy finder.\n"),
            source("CONTRIBUTING.md", "Thank you for taking the time to contribute.\n"),
        ];
        let config = crate::index::IndexConfig::default();
        let snapshot = Snapshot::of_sources(sources, config).unwrap();
        let found: Vec<String> =
            guides(&snapshot, "fzf").into_iter().map(|it| it.item.path).collect();
        assert_eq!(found, ["README.md"]);
    }
}
