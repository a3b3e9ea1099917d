//! Facts: the symbols of the names in a file, by path and text.

use bitcode::{Decode, Encode};
use foreword_chunk::Kind;
use rustc_hash::FxHashMap;

use super::symbol::{Suffix, descriptors, names_of};
use crate::index::checksum::checksum;
use crate::sorting::sort_by;
use crate::source::ContentHash;

/// Texts of one path whose facts are kept: those of some branches.
pub(super) const MAX_TEXTS: usize = 4;

/// Source of facts: the tool, and the file that was imported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Provenance {
    /// The program that wrote the index: `scip-python`.
    pub tool: String,
    /// Its version, as it states it.
    pub version: String,
    /// The file that was imported, for people.
    pub file: String,
    /// When that file was written, in seconds since the epoch.
    pub written_at_s: u64,
}

impl Provenance {
    /// An order in which a later import of the same file comes behind.
    pub(super) fn order(&self) -> (&str, &str, &str, u64) {
        (&self.tool, &self.version, &self.file, self.written_at_s)
    }
}

/// A name in a text, with what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Occurrence {
    /// The first byte of the name.
    pub start: u32,
    /// Its end, exclusive.
    pub end: u32,
    /// The number of the symbol.
    pub symbol: u32,
    /// Whether the symbol is defined here.
    pub is_definition: bool,
}

/// A line of a text, by which it is found in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) struct Line {
    /// Of the line without white space at its end: editors and git may change that.
    pub(super) hash: u32,
    /// Its length with its ending.
    pub(super) bytes: u32,
}

pub(super) fn lines_of(text: &str) -> Vec<Line> {
    let line =
        |it: &str| Line { hash: checksum(it.trim_end().as_bytes()) as u32, bytes: it.len() as u32 };
    text.split_inclusive('\n').map(line).collect()
}

/// The facts of one text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FileFacts {
    /// Relative to the root.
    pub path: String,
    /// The hash of the text for which they hold.
    pub hash: ContentHash,
    /// The number of their provenance.
    pub(super) provenance: u32,
    /// In order of `start`.
    pub(super) occurrences: Vec<Occurrence>,
    /// The lines of the text.
    pub(super) lines: Vec<Line>,
    /// Symbols that implement or override others: the first of each pair the second.
    pub(super) implements: Vec<(u32, u32)>,
}

impl FileFacts {
    /// All names, in order.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// Symbols that implement or override others: the first of each pair the second.
    pub fn implements(&self) -> &[(u32, u32)] {
        &self.implements
    }

    /// Names that begin at a byte: mostly one, several where a name is short for two.
    pub fn at(&self, start: u32) -> &[Occurrence] {
        let from = self.occurrences.partition_point(|it| it.start < start);
        let n = self.occurrences[from..].partition_point(|it| it.start == start);
        &self.occurrences[from..from + n]
    }

    /// The symbol that is defined by the name at a byte.
    pub fn defined_at(&self, start: u32) -> Option<u32> {
        self.at(start).iter().find(|it| it.is_definition).map(|it| it.symbol)
    }
}

/// The facts of all files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Facts {
    pub(super) provenances: Vec<Provenance>,
    pub(super) symbols: Vec<String>,
    /// By path; of one path the newest facts first.
    pub(super) files: Vec<FileFacts>,
}

impl Facts {
    /// True without facts.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The facts of a file's text.
    pub fn of(&self, path: &str, hash: ContentHash) -> Option<&FileFacts> {
        self.of_path(path).iter().find(|it| it.hash == hash)
    }

    /// The facts of all texts of a path.
    pub fn of_path(&self, path: &str) -> &[FileFacts] {
        let from = self.files.partition_point(|it| it.path.as_str() < path);
        let n = self.files[from..].partition_point(|it| it.path == path);
        &self.files[from..from + n]
    }

    /// The paths with facts, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.chunk_by(|a, b| a.path == b.path).map(|it| it[0].path.as_str())
    }

    /// Source of the facts of a file.
    pub fn provenance(&self, it: &FileFacts) -> &Provenance {
        &self.provenances[it.provenance as usize]
    }

    /// The symbols of this name, in order.
    pub fn named(&self, name: &str) -> Vec<u32> {
        let is_named = |it: &&str| {
            it.contains(name)
                && descriptors(it).and_then(|mut it| it.pop()).is_some_and(|it| it.name == name)
        };
        let symbols = self.symbols.iter().map(String::as_str).enumerate();
        symbols.filter(|(_, it)| is_named(it)).map(|(number, _)| number as u32).collect()
    }

    /// The kind and the dotted name of a symbol; `None` for an unknown number.
    pub fn describe(&self, symbol: u32) -> Option<(Kind, String)> {
        let all = descriptors(self.symbols.get(symbol as usize)?)?;
        let first =
            all.iter().rposition(|it| it.suffix == Suffix::Namespace).map_or(0, |it| it + 1);
        let names = names_of(&all[first..]);
        let is_member = names.iter().rev().nth(1).is_some_and(|it| it.1 == Suffix::Type);
        let kind = match (names.last()?.1, is_member) {
            (Suffix::Type, _) => Kind::Class,
            (Suffix::Method, true) => Kind::Method,
            (Suffix::Method, false) => Kind::Function,
            (Suffix::Macro, _) => Kind::Macro,
            (_, true) => Kind::Field,
            (_, false) => Kind::Constant,
        };
        let names: Vec<&str> = names.iter().map(|it| it.0).collect();
        Some((kind, names.join(".")))
    }

    /// These facts with newer ones. Facts of other texts and other files stay.
    pub(super) fn with(&self, newer: &Self) -> Self {
        let mut res = Self::default();
        // The sort is stable, so that of one path the newer ones stay first.
        let mut all: Vec<(FileFacts, &Self)> = Vec::new();
        for facts in [newer, self] {
            all.extend(facts.files.iter().map(|it| (it.clone(), facts)));
        }
        sort_by(&mut all, |a, b| a.0.path.cmp(&b.0.path));
        let mut numbers = FxHashMap::default();
        for of_path in all.chunk_by_mut(|a, b| a.0.path == b.0.path) {
            let mut kept: Vec<ContentHash> = Vec::new();
            for (it, facts) in of_path {
                if kept.contains(&it.hash) || kept.len() == MAX_TEXTS {
                    continue;
                }
                kept.push(it.hash);
                let provenance = &facts.provenances[it.provenance as usize];
                it.provenance = number_of(&mut res.provenances, provenance);
                let related = it.implements.iter_mut().flat_map(|(a, b)| [a, b]);
                for number in it.occurrences.iter_mut().map(|it| &mut it.symbol).chain(related) {
                    let symbol = &facts.symbols[*number as usize];
                    *number = *numbers.entry(symbol.as_str()).or_insert_with(|| {
                        res.symbols.push(symbol.clone());
                        res.symbols.len() as u32 - 1
                    });
                }
                res.files.push(it.clone());
            }
        }
        res
    }

    /// Whether all numbers and orders are as they must be.
    pub(super) fn is_consistent(&self) -> bool {
        let is_known = |it: u32| (it as usize) < self.symbols.len();
        let is_one = |it: &FileFacts| {
            (it.provenance as usize) < self.provenances.len()
                && it.occurrences.is_sorted_by_key(|it| it.start)
                && it.occurrences.iter().all(|it| is_known(it.symbol))
                && it.implements.iter().all(|it| is_known(it.0) && is_known(it.1))
        };
        self.files.is_sorted_by(|a, b| a.path <= b.path) && self.files.iter().all(is_one)
    }
}

fn number_of(all: &mut Vec<Provenance>, it: &Provenance) -> u32 {
    let at = all.iter().position(|known| known == it).unwrap_or_else(|| {
        all.push(it.clone());
        all.len() - 1
    });
    at as u32
}
