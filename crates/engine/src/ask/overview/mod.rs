//! Answers questions about the whole: the README, the directories with their documentation, and the most used
//! definitions.

mod central;
mod parts;

use std::sync::Arc;

use super::around::is_translation;
use super::explain::{Draft, lines_of};
use super::paragraph::first_paragraph;
use super::types::{AskRequest, Role, Why};
use crate::index::{FileId, FileRole, Snapshot};
use crate::map::{MapRequest, map};
use crate::preset::constants::ask::{GUIDE_LINES, OVERVIEW_GUIDES, OVERVIEW_MAP_TOKENS};
use crate::trim::Count;
use central::{central, has_role, own_roles};
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
        // A translation only if there is nothing else.
        let is_behind = is_translation(snapshot.path(file));
        let rank = rank.map(|it| it + if is_behind { 2 * GUIDES_OF_ROOT.len() } else { 0 });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_comes_before_files_whose_names_begin_alike() {
        let source =
            |path: &str, text: &str| crate::source::Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("README.de.md", "fzf ist ein Programm zum unscharfen Suchen.\n"),
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
