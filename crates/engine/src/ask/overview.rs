//! Questions about the whole: what the README says it is, its parts with what their own documentation says of them, and the
//! definitions that most of it uses.

use std::collections::BTreeMap;
use std::sync::Arc;

use foreword_chunk::{Kind, LineIndex};

use super::explain::{Draft, definition, lines_of, one_line, summary, without_tags};
use super::types::{AskRequest, Role, Why};
use crate::index::{FileId, FileRole, Snapshot};
use crate::map::{Map, MapDefinition, MapFile, MapRequest, map};
use crate::search::name_of;
use crate::trim::Count;

/// Tokens of the map that the parts are taken from.
const MAP_TOKENS: usize = 3_000;

/// How many parts are shown at most; below so many, directories are split.
const PARTS: usize = 12;
const FEW_PARTS: usize = 4;

/// How many definitions of the map are shown.
const CENTRAL: usize = 6;

/// Lines of the README, and of a definition.
const README_LINES: u32 = 40;
const LINES: u32 = 12;

/// A directory with a smaller share of all rank than this is shown with its neighbours.
const LEAST_SHARE: f64 = 0.005;

/// What is shown of a part without documentation of its own: the names of so many definitions.
const NAMES: usize = 5;

/// Files that say what the directory they are in is, the best first.
const GUIDES: [&str; 12] = [
    "readme.md",
    "readme.rst",
    "readme.txt",
    "readme",
    "mod.rs",
    "lib.rs",
    "__init__.py",
    "doc.go",
    "package-info.java",
    "index.ts",
    "index.js",
    "main.go",
];

/// The evidence about the whole.
pub(super) fn items(snapshot: &Snapshot, request: &AskRequest<'_>, count: Count<'_>) -> Vec<Draft> {
    let whole = MapRequest { focus: &[], tokens: MAP_TOKENS, keep: None };
    let cached = request.map.and_then(|it| it(MAP_TOKENS));
    let map = cached.unwrap_or_else(|| Arc::new(map(snapshot, &whole, count)));
    let mut res: Vec<Draft> = guides(snapshot, request.repository);
    let roles = own_roles(snapshot);
    let is_own = |it: FileId| has_role(snapshot, it, &roles);
    res.extend(central(snapshot, &map, &is_own));
    res.extend(parts(snapshot, &map, &is_own));
    res
}

/// The README of the root, and documents at the root that speak of the architecture.
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
    let guides = files.into_iter().take(3).map(|it| guide(snapshot, it.1, name));
    guides.filter(|it| !it.item.summary.is_empty()).collect()
}

/// Documents at the root that say what the whole is. How to contribute is another question.
const GUIDES_OF_ROOT: [&str; 3] = ["readme", "architecture", "design"];

/// The first paragraphs of a document.
fn guide(snapshot: &Snapshot, file: FileId, name: &str) -> Draft {
    let text = snapshot.text(file);
    let (first, paragraph) = first_paragraph(&text, name);
    let mut draft = lines_of(
        snapshot,
        file,
        (first, first + README_LINES / 2),
        Role::Guide,
        vec![Why::Describes],
    );
    (draft.item.signature, draft.item.summary) = (String::new(), paragraph);
    draft
}

/// The first paragraph of a document that is a sentence, and its line: no badge, picture, heading or list. One that says
/// what `name` is comes before others.
pub(super) fn first_paragraph(text: &str, name: &str) -> (u32, String) {
    let all = paragraphs(text);
    let spoken = |it: &str| it.to_lowercase().replace(['-', '_'], " ");
    let says = format!("{} is ", spoken(name));
    let is_told = |it: &&(u32, String)| !name.is_empty() && spoken(&it.1).contains(&says);
    let leads_elsewhere = |it: &&(u32, String)| it.1.starts_with("See ") || it.1.ends_with(':');
    let best = all.iter().find(is_told).or(all.iter().find(|it| !leads_elsewhere(it)));
    let best = best.or(all.first());
    best.map_or((1, String::new()), |it| (it.0, one_line(&it.1, 600)))
}

/// The first paragraphs of a document, with their lines.
fn paragraphs(text: &str) -> Vec<(u32, String)> {
    let mut res: Vec<(u32, String)> = Vec::new();
    let (mut is_open, mut is_code, mut is_comment) = (false, false, false);
    for (n, line) in text.lines().enumerate().take(150) {
        let trimmed = line.trim();
        is_comment |= trimmed.starts_with("<!--");
        if is_comment {
            (is_comment, is_open) = (!trimmed.contains("-->"), false);
            continue;
        }
        let is_fence = trimmed.starts_with("```");
        is_code ^= is_fence;
        let least = if is_open { 1 } else { FEWEST_WORDS };
        let plain = if is_code || is_fence { String::new() } else { plain(trimmed, least) };
        match (plain.is_empty(), is_open) {
            (true, _) => is_open = false,
            (false, false) => {
                res.push((n as u32 + 1, plain));
                is_open = true;
            }
            (false, true) => {
                if let Some(it) = res.last_mut() {
                    it.1 = format!("{} {plain}", it.1);
                }
            }
        }
    }
    res
}

/// A paragraph begins with a line of so many words.
const FEWEST_WORDS: usize = 4;

/// A line of a document as words; empty if it is no sentence, or has fewer than `least`.
fn plain(line: &str, least: usize) -> String {
    // The motto of many is a quotation; a note is one of another kind.
    let line = line.strip_prefix("> ").filter(|it| !it.starts_with(['[', '*'])).unwrap_or(line);
    let is_other = ["#", "[![", "![", "=", "-", "*", "|", ">", "..", "+", "```"]
        .iter()
        .any(|it| line.starts_with(it));
    let words = without_links(&without_tags(line));
    let letters = words.chars().filter(|it| it.is_alphabetic()).count();
    let n_words = words.split_whitespace().count();
    if is_other && !line.starts_with("**") || n_words < least || 2 * letters < words.len() {
        return String::new();
    }
    words
}

/// Text without what Markdown puts around words: `[word](address)`, `[word][reference]`, `**word**`.
fn without_links(text: &str) -> String {
    let text = text.replace("**", "");
    let mut res = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, inside)) = rest.split_once('[') {
        res.push_str(before);
        let Some((word, after)) = inside.split_once(']') else {
            res.push('[');
            rest = inside;
            continue;
        };
        let address = [('(', ')'), ('[', ']')].into_iter().find_map(|(open, close)| {
            after.strip_prefix(open).and_then(|it| it.split_once(close)).map(|it| it.1)
        });
        rest = address.unwrap_or(after);
        // A number in brackets is no word with an address.
        match address.is_some() || word.chars().any(char::is_alphabetic) {
            true => res.push_str(word),
            false => res.push_str(&format!("[{word}]")),
        }
    }
    res.push_str(rest);
    res
}

/// The most used definitions, of the project's own code where it has some.
fn central(snapshot: &Snapshot, map: &Map, is_own: IsOwn<'_>) -> Vec<Draft> {
    let mut res = Vec::new();
    for entry in &map.entries {
        let Some(file) = snapshot.file(&entry.path).filter(|it| is_own(*it)) else { continue };
        let says =
            |it: &&MapDefinition| !matches!(it.kind, Kind::Module | Kind::Constant | Kind::Field);
        let outer = entry.definitions.iter().find(says);
        let Some(idx) = outer.and_then(|it| definition_at(snapshot, file, it.start_line)) else {
            continue;
        };
        res.extend(definition(snapshot, (file, idx), LINES, Role::Match, vec![Why::Central]));
        if res.len() == CENTRAL {
            break;
        }
    }
    res
}

/// The outermost definition that begins at a line.
fn definition_at(snapshot: &Snapshot, file: FileId, line: u32) -> Option<u32> {
    let (text, record) = snapshot.contents(file);
    let index = LineIndex::new(text.as_bytes());
    let begins = |it: &foreword_chunk::Definition| index.line_of(it.span.start as usize) == line;
    record.symbols.definitions.iter().position(begins).map(|it| it as u32)
}

/// The directories, those that the map has most of first, each with what its documentation says.
fn parts(snapshot: &Snapshot, map: &Map, is_own: IsOwn<'_>) -> Vec<Draft> {
    let weights = directories(snapshot, map, is_own);
    let whole: f64 = weights.values().sum();
    let mut joined: BTreeMap<String, f64> = BTreeMap::new();
    for (directory, weight) in weights {
        // What hardly anything uses stands with its neighbours.
        let parent = directory.trim_end_matches('/').rsplit_once('/').map(|it| it.0);
        let parent = parent.filter(|_| weight < LEAST_SHARE * whole);
        *joined.entry(parent.map_or(directory.clone(), |it| format!("{it}/"))).or_insert(0.0) +=
            weight;
    }
    let mut ranked: Vec<(&String, &f64)> = joined.iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
    ranked.truncate(PARTS);
    ranked.into_iter().filter_map(|it| part(snapshot, (map, is_own), it.0)).collect()
}

/// The rank of each directory, as deep as it takes to have more than a few.
fn directories(snapshot: &Snapshot, map: &Map, is_own: IsOwn<'_>) -> BTreeMap<String, f64> {
    let ranks: BTreeMap<&str, f64> =
        map.entries.iter().map(|it| (it.path.as_str(), it.rank)).collect();
    let mut res = BTreeMap::new();
    // Packages of Java lie deep.
    for depth in 1..=9 {
        res.clear();
        for file in snapshot.files().filter(|it| is_own(*it)) {
            let path = snapshot.path(file);
            let Some(directory) = directory_at(path, depth) else { continue };
            let lines = f64::from(snapshot.size(file).1);
            *res.entry(directory).or_insert(0.0) +=
                ranks.get(path).copied().unwrap_or(0.0) + lines / 1e7;
        }
        if res.len() >= FEW_PARTS {
            break;
        }
    }
    res
}

/// Which files are source code of the project itself.
type IsOwn<'s> = &'s dyn Fn(FileId) -> bool;

/// Roles of a project's own code: no tests, examples or copies.
const OWN: [FileRole; 2] = [FileRole::Code, FileRole::Gathering];

/// The roles of a project's own code; of one that is an example as a whole, that is it.
fn own_roles(snapshot: &Snapshot) -> Vec<FileRole> {
    let count =
        |roles: &[FileRole]| snapshot.files().filter(|it| has_role(snapshot, *it, roles)).count();
    let mut res = OWN.to_vec();
    if 4 * count(&OWN) < count(&[FileRole::Periphery]) {
        res.push(FileRole::Periphery);
    }
    res
}

/// Whether a file is code of such a role.
fn has_role(snapshot: &Snapshot, file: FileId, roles: &[FileRole]) -> bool {
    let is_code = snapshot.language(file).is_some_and(foreword_chunk::Language::is_code);
    is_code && roles.contains(&snapshot.role(file)) && !snapshot.path(file).starts_with('.')
}

/// The directory of a path, no deeper than `depth`; `None` at the root.
fn directory_at(path: &str, depth: usize) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let depth = depth.min(parts.len() - 1);
    (depth > 0).then(|| format!("{}/", parts[..depth].join("/")))
}

/// What a directory is.
fn part(snapshot: &Snapshot, (map, is_own): (&Map, IsOwn<'_>), directory: &str) -> Option<Draft> {
    let mut draft = described(snapshot, directory)
        .or_else(|| by_definitions(snapshot, (map, is_own), directory))?;
    draft.item.role = Role::Part;
    (draft.item.symbol, draft.item.kind) = (directory.to_owned(), None);
    Some(draft)
}

/// By the file that says what it is.
fn described(snapshot: &Snapshot, directory: &str) -> Option<Draft> {
    let mut files: Vec<(usize, usize, FileId)> = Vec::new();
    for file in snapshot.files_under(directory) {
        let rest = &snapshot.path(file)[directory.len()..];
        let (depth, name) = (rest.matches('/').count(), rest.rsplit('/').next().unwrap_or(rest));
        // A crate's own module documentation is one directory further down.
        let is_near = depth == 0 || depth == 1 && rest.starts_with("src/");
        if let Some(rank) =
            GUIDES.iter().position(|it| name.eq_ignore_ascii_case(it)).filter(|_| is_near)
        {
            files.push((rank, depth, file));
        }
    }
    files.sort();
    files.into_iter().find_map(|it| {
        let text = snapshot.text(it.2);
        let is_prose = snapshot.role(it.2) == FileRole::Prose;
        let (lines, words) = if is_prose {
            let (first, words) = first_paragraph(&text, "");
            ((first, first + 2), words)
        } else {
            head_comment(&text)?
        };
        let mut draft = lines_of(snapshot, it.2, lines, Role::Part, vec![Why::Describes]);
        draft.item.signature.clear();
        draft.item.summary = words;
        (!draft.item.summary.is_empty()).then_some(draft)
    })
}

/// The comment at the beginning of a file that says what it holds: its lines, and its first paragraph. A licence is none.
fn head_comment(text: &str) -> Option<((u32, u32), String)> {
    let mut start = 0;
    let lines: Vec<&str> = text.lines().take(80).collect();
    while start < lines.len() {
        let is_comment = |it: &str| {
            ["//", "/*", "*", "#", "--", ";;", "\"\"\"", "'''", "r\"\"\""]
                .iter()
                .any(|mark| it.trim_start().starts_with(mark))
        };
        let first = (start..lines.len())
            .find(|it| !lines[*it].trim().is_empty() && !lines[*it].starts_with("#!"))?;
        if !is_comment(lines[first]) {
            return None;
        }
        let quoted = lines[first].trim_start_matches('r').starts_with("\"\"\"");
        let last = match quoted && lines[first].matches("\"\"\"").count() == 1 {
            true => (first + 1..lines.len()).find(|it| lines[*it].contains("\"\"\""))?,
            false => (first..lines.len()).take_while(|it| is_comment(lines[*it])).last()?,
        };
        let block = lines[first..=last].join("\n");
        let lower = block.to_lowercase();
        let is_licence = ["copyright", "licen", "spdx"].iter().any(|it| lower.contains(it));
        let words = summary(&block);
        if !is_licence && words.split_whitespace().count() >= 3 {
            return Some(((first as u32 + 1, last as u32 + 1), words));
        }
        start = last + 1;
    }
    None
}

/// By its best definitions.
fn by_definitions(
    snapshot: &Snapshot,
    (map, is_own): (&Map, IsOwn<'_>),
    directory: &str,
) -> Option<Draft> {
    let is_shown = |it: &&MapFile| {
        it.path.starts_with(directory) && snapshot.file(&it.path).is_some_and(is_own)
    };
    let inside: Vec<_> = map.entries.iter().filter(is_shown).collect();
    let first = inside.first().and_then(|it| snapshot.file(&it.path));
    let file = first.or_else(|| snapshot.files_under(directory).find(|it| is_own(*it)))?;
    let line = inside.first().and_then(|it| it.definitions.first()).map_or(1, |it| it.start_line);
    let mut draft = lines_of(snapshot, file, (line, line), Role::Part, vec![Why::Central]);
    let names = names(snapshot, &inside);
    draft.item.signature =
        if names.is_empty() { counted(snapshot, directory) } else { names.join(", ") };
    Some(draft)
}

/// How many files of code a directory has, and in which language most are.
fn counted(snapshot: &Snapshot, directory: &str) -> String {
    let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
    for language in snapshot.files_under(directory).filter_map(|it| snapshot.language(it)) {
        *languages.entry(language.name()).or_insert(0) += usize::from(language.is_code());
    }
    let most = languages.iter().max_by_key(|it| (*it.1, std::cmp::Reverse(*it.0)));
    let files: usize = languages.values().sum();
    let of = most.map_or("code", |it| *it.0);
    format!("{files} {} of {of}", if files == 1 { "file" } else { "files" })
}

/// The names of the first outermost definitions of files.
fn names(snapshot: &Snapshot, files: &[&MapFile]) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    for it in files {
        let Some(file) = snapshot.file(&it.path) else { continue };
        // Below the namespace, where there is one.
        let says =
            |it: &&MapDefinition| !matches!(it.kind, Kind::Module | Kind::Method | Kind::Field);
        let depth = it.definitions.iter().filter(says).map(|it| it.depth).min();
        let outermost = it.definitions.iter().filter(says).filter(|it| Some(it.depth) == depth);
        for definition in outermost {
            let idx = definition_at(snapshot, file, definition.start_line);
            let name = idx.map(|idx| short_name(snapshot, file, idx));
            res.extend(name.filter(|it| res.len() < NAMES && !res.contains(it)));
        }
    }
    res
}

/// The name of a definition without that of its namespace.
fn short_name(snapshot: &Snapshot, file: FileId, idx: u32) -> String {
    let name = name_of(snapshot, file, idx).0;
    let record = snapshot.record(file);
    let all = &record.symbols.definitions;
    let parent = all.get(idx as usize).and_then(|it| it.parent);
    let in_namespace =
        parent.and_then(|it| all.get(it as usize)).is_some_and(|it| it.kind == Kind::Module);
    let last = name.rsplit('.').next().map(str::to_owned);
    last.filter(|_| in_namespace).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_first_paragraph_is_no_comment_and_leads_nowhere_else() {
        let check = |text: &str, name: &str, expect: &str| {
            assert_eq!(first_paragraph(text, name).1, expect);
        };
        let generated = "<!-- README is made\nby a script from a template -->\n\nPandoc converts documents between formats.\n";
        check(generated, "pandoc", "Pandoc converts documents between formats.");
        check(
            "# Phoenix\n\n> Peace of mind from prototype to production.\n\nSee the site at <https://x.y>.\n",
            "phoenix",
            "Peace of mind from prototype to production.",
        );
        check(
            "See the presentation over [here](x):\n\nSpring Petclinic is a [Spring Boot](https://x.y) **application** of [Maven].\n",
            "spring-petclinic",
            "Spring Petclinic is a Spring Boot application of Maven.",
        );
    }

    #[test]
    fn the_first_paragraph_is_a_sentence() {
        let text = "# Gin\n\n[![Build](x)](y)\n<img src=\"x\">\n\nGin is a web framework written in Go.\nIt is fast.\n\nMore.\n";
        assert_eq!(
            first_paragraph(text, "gin"),
            (6, "Gin is a web framework written in Go. It is fast.".to_owned())
        );
    }

    #[test]
    fn a_licence_is_not_what_a_file_holds() {
        let text = "// Copyright 2020 Somebody.\n// Use of it is governed by a licence.\n\n// Package binding reads requests into structs.\npackage binding\n";
        let (lines, words) = head_comment(text).unwrap();
        assert_eq!(
            (lines, words.as_str()),
            ((4, 4), "Package binding reads requests into structs.")
        );
        assert_eq!(head_comment("package x\n// later\n"), None);
        let python = "\"\"\"Reads requests.\n\nMore.\n\"\"\"\nimport x\n";
        assert_eq!(head_comment(python), None);
        let python = "\"\"\"Reads all the requests.\n\nMore.\n\"\"\"\nimport x\n";
        assert_eq!(head_comment(python).unwrap().0, (1, 4));
    }
}
