//! Whether a forecast has to do with its file: whether both have a name, or it uses what stands beside the file.

use std::collections::BTreeSet;
use std::ops::Range;

use foreword_chunk::{Language, Symbols};

use super::Surroundings;
use crate::index::FileId;
use crate::index::terms::{identifiers, terms_of};
use crate::preset::constants::speculate::{FEWEST_LETTERS_OF_A_WORD, MOST_DEFINITIONS};
use crate::retrieve::is_builtin;
use crate::source::directory_of;

/// Types that are no keywords in some grammars.
const PRIMITIVES: [&str; 12] = [
    "bool", "char", "double", "float", "int", "long", "short", "signed", "size_t", "string",
    "unsigned", "void",
];

/// The code of a forecast in its file.
pub(super) struct Relation<'a> {
    pub(super) surroundings: &'a Surroundings<'a>,
    pub(super) path: &'a str,
    /// The file with its forecasts.
    pub(super) text: &'a str,
    pub(super) symbols: &'a Symbols,
    pub(super) language: Language,
}

impl Relation<'_> {
    /// Whether the code in `range` has one of the `names`, other than `own` and those of the language.
    pub(super) fn shares(&self, range: &Range<usize>, own: &str, names: &BTreeSet<&str>) -> bool {
        let mut is_shared = false;
        let code = &self.text[range.clone()];
        identifiers(code, |start, end| {
            let word = &code[start..end];
            let is_receiver = matches!(word, "self" | "Self" | "this" | "super" | "cls");
            is_shared |= is_receiver || self.tells(word, own) && names.contains(word);
        });
        is_shared
    }

    /// Whether a compound name shares a word of four letters or more with the file's name or with one of the `names` in it.
    pub(super) fn is_named_alike(&self, own: &str, names: &BTreeSet<&str>) -> bool {
        let mut wanted = BTreeSet::new();
        terms_of(own, &mut String::new(), |it, is_whole| {
            if !is_whole && it.len() >= FEWEST_LETTERS_OF_A_WORD {
                wanted.insert(it.to_owned());
            }
        });
        let has_word = |name: &str| {
            let mut found = false;
            terms_of(name, &mut String::new(), |it, _| found |= wanted.contains(it));
            found
        };
        let file = self.path.rsplit('/').next().unwrap_or(self.path);
        let stem = file.split('.').next().unwrap_or(file);
        has_word(stem) || names.iter().any(|it| self.tells(it, own) && has_word(it))
    }

    /// Whether the code in `range` uses a definition of the file's directory, or of a file that it imports.
    pub(super) fn uses_neighbours(&self, range: &Range<usize>, own: &str) -> bool {
        let inside = |at: u32| range.contains(&(at as usize));
        let used = self.symbols.references.iter().filter(|it| inside(it.name.start));
        let mut names: Vec<&str> = used.map(|it| it.name.of(self.text)).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|it| self.tells(it, own));
        let sites =
            |name: &&str| self.surroundings.snapshot.definitions_up_to(name, MOST_DEFINITIONS);
        let mut files: Vec<FileId> =
            names.iter().filter_map(sites).flatten().map(|it| it.file).collect();
        files.sort_unstable();
        files.dedup();
        if files.is_empty() {
            return false;
        }
        let snapshot = self.surroundings.snapshot;
        let is_beside = |it: &FileId| directory_of(snapshot.path(*it)) == directory_of(self.path);
        files.iter().any(is_beside) || self.imports_any(&files)
    }

    /// Whether the file imports one of some sorted files.
    fn imports_any(&self, files: &[FileId]) -> bool {
        let Surroundings { snapshot, resolver, .. } = self.surroundings;
        let resolve = |it| resolver.resolve(snapshot, self.path, Some(self.language), it);
        let mut imported = self.symbols.imports.iter().flat_map(resolve);
        imported.any(|it| files.binary_search(&it).is_ok())
    }

    /// Whether a word is a name that code does not have by chance.
    fn tells(&self, word: &str, own: &str) -> bool {
        let is_of_language = || self.language.keywords().binary_search(&word).is_ok();
        word != own
            && !word.starts_with(|it: char| it.is_ascii_digit())
            && !PRIMITIVES.contains(&word)
            && !is_of_language()
            && !is_builtin(self.language, word)
    }
}
