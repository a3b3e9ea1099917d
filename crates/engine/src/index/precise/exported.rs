//! The facts of one file for a home elsewhere: what a push sends, and what comes back.

use std::collections::BTreeSet;

use bitcode::{Decode, Encode};
use rustc_hash::FxHashMap;

use super::facts::{Facts, FileFacts, MAX_TEXTS, Provenance};
use super::symbol::descriptors;
use crate::source::ContentHash;

/// The format of the bytes.
const FORMAT_VERSION: u8 = 1;

/// The facts of a file for a home elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFacts {
    /// The facts, for [`Facts::of_exported`].
    pub bytes: Vec<u8>,
    /// The symbols that they name, sorted.
    pub symbols: Vec<String>,
    /// Those of them that the file defines, sorted.
    pub defined: Vec<String>,
    /// The names of these, sorted.
    pub names: Vec<String>,
}

/// What the bytes have.
#[derive(Encode, Decode)]
struct Contents {
    symbols: Vec<String>,
    files: Vec<FileFacts>,
}

impl Facts {
    /// What is known of a file with this text; else of earlier texts, from which names are moved.
    fn for_text(&self, path: &str, hash: ContentHash) -> &[FileFacts] {
        let all = self.of_path(path);
        match all.iter().position(|it| it.hash == hash) {
            Some(at) => &all[at..=at],
            None => all,
        }
    }

    /// Sources of the facts about some files, sorted.
    pub fn provenances<'p>(
        &self,
        files: impl Iterator<Item = (&'p str, ContentHash)>,
    ) -> Vec<Provenance> {
        let used = files.flat_map(|(path, hash)| self.for_text(path, hash));
        let numbers: BTreeSet<u32> = used.map(|it| it.provenance).collect();
        let mut res: Vec<Provenance> =
            numbers.into_iter().map(|it| self.provenances[it as usize].clone()).collect();
        res.sort_by(|a, b| a.order().cmp(&b.order()));
        res
    }

    /// What is known of a file with this text. Sources are numbers in a list that has them all; equal facts give equal bytes.
    pub fn export(
        &self,
        path: &str,
        hash: ContentHash,
        provenances: &[Provenance],
    ) -> Option<ExportedFacts> {
        let mut files = self.for_text(path, hash).to_vec();
        if files.is_empty() {
            return None;
        }
        let mut symbols = Vec::new();
        let mut numbers = FxHashMap::default();
        let mut defined = BTreeSet::new();
        for it in &mut files {
            let source = &self.provenances[it.provenance as usize];
            it.provenance = provenances.iter().position(|it| it == source)? as u32;
            let definitions = it.occurrences.iter().filter(|it| it.is_definition);
            defined.extend(definitions.map(|it| self.symbols[it.symbol as usize].clone()));
            let related = it.implements.iter_mut().flat_map(|(a, b)| [a, b]);
            for number in it.occurrences.iter_mut().map(|it| &mut it.symbol).chain(related) {
                let symbol = &self.symbols[*number as usize];
                *number = *numbers.entry(symbol.as_str()).or_insert_with(|| {
                    symbols.push(symbol.clone());
                    symbols.len() as u32 - 1
                });
            }
        }
        let name = |it: &String| Some(descriptors(it)?.pop()?.name);
        let names: BTreeSet<String> = defined.iter().filter_map(name).collect();
        let mut bytes = vec![FORMAT_VERSION];
        let contents = Contents { symbols, files };
        bytes.extend(bitcode::encode(&contents));
        let mut symbols = contents.symbols;
        symbols.sort_unstable();
        Some(ExportedFacts {
            bytes,
            symbols,
            defined: defined.into_iter().collect(),
            names: names.into_iter().collect(),
        })
    }

    /// The facts of a file that came back; `None` if they are not what was exported.
    pub fn of_exported(path: &str, bytes: &[u8], provenances: &[Provenance]) -> Option<Self> {
        let (format, bytes) = bytes.split_first()?;
        let Contents { symbols, files } = bitcode::decode(bytes).ok()?;
        let is_of_path = files.iter().all(|it| it.path == path);
        let res = Self { provenances: provenances.to_vec(), symbols, files };
        let fits = *format == FORMAT_VERSION && is_of_path && res.files.len() <= MAX_TEXTS;
        (fits && res.is_consistent()).then_some(res)
    }

    /// These facts and those of further files, each of which is there once.
    pub(in crate::index) fn joined(&self, parts: Vec<Self>) -> Self {
        let mut all = Self::default();
        for mut part in parts {
            let first = (all.provenances.len() as u32, all.symbols.len() as u32);
            all.provenances.append(&mut part.provenances);
            all.symbols.append(&mut part.symbols);
            for mut it in part.files {
                it.provenance += first.0;
                it.occurrences.iter_mut().for_each(|it| it.symbol += first.1);
                let related = it.implements.iter_mut().flat_map(|(a, b)| [a, b]);
                related.for_each(|it| *it += first.1);
                all.files.push(it);
            }
        }
        all.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.with(&all)
    }

    /// A symbol; `None` for an unknown number.
    pub fn symbol(&self, number: u32) -> Option<&str> {
        self.symbols.get(number as usize).map(String::as_str)
    }

    /// The number of a symbol; `None` for one that no file has.
    pub fn number_of(&self, symbol: &str) -> Option<u32> {
        self.symbols.iter().position(|it| it == symbol).map(|it| it as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::{Occurrence, lines_of};
    use super::*;

    const TEXT: &str = "class Store: pass\nStore()\n";

    fn provenance(file: &str, written_at_s: u64) -> Provenance {
        let (tool, version) = ("scip-python".to_owned(), "1".to_owned());
        Provenance { tool, version, file: file.to_owned(), written_at_s }
    }

    fn file(path: &str, text: &str, symbols: [u32; 2]) -> FileFacts {
        let name =
            |start, symbol| Occurrence { start, end: start + 5, symbol, is_definition: start == 6 };
        FileFacts {
            path: path.to_owned(),
            hash: ContentHash::of(text.as_bytes()),
            provenance: 0,
            occurrences: vec![name(6, symbols[0]), name(18, symbols[1])],
            lines: lines_of(text),
            implements: vec![(symbols[0], symbols[1])],
        }
    }

    fn facts() -> Facts {
        let symbols = ["s m p . `a`/Door#", "s m p . `a`/Store#", "s m q . `b`/Base#"];
        Facts {
            provenances: vec![provenance("b.scip", 1), provenance("a.scip", 2)],
            symbols: symbols.map(str::to_owned).into(),
            files: vec![
                file("a.py", TEXT, [1, 1]),
                FileFacts { provenance: 1, ..file("b.py", "old", [2, 0]) },
            ],
        }
    }

    #[test]
    fn what_is_exported_comes_back_for_each_file() {
        let facts = facts();
        let files = [("a.py", ContentHash::of(TEXT.as_bytes())), ("b.py", ContentHash::of(b"new"))];
        let sources = facts.provenances(files.into_iter());
        assert_eq!(sources, [provenance("a.scip", 2), provenance("b.scip", 1)]);
        let exported = files.map(|(path, hash)| facts.export(path, hash, &sources).unwrap());
        assert_eq!(exported[0].symbols, ["s m p . `a`/Store#"]);
        assert_eq!(
            (&exported[1].names[..], &exported[1].defined[..]),
            (&["Base".to_owned()][..], &["s m q . `b`/Base#".to_owned()][..])
        );
        let back = ["a.py", "b.py"].iter().zip(&exported);
        let back: Vec<Facts> =
            back.map(|(path, it)| Facts::of_exported(path, &it.bytes, &sources).unwrap()).collect();
        let joined = Facts::default().joined(back);
        assert!(joined.is_consistent());
        for path in ["a.py", "b.py"] {
            let [before, after] = [&facts, &joined].map(|it| {
                let of = &it.of_path(path)[0];
                let symbol = |n: u32| it.symbol(n).unwrap().to_owned();
                let names: Vec<_> =
                    of.occurrences().iter().map(|it| (it.start, symbol(it.symbol))).collect();
                let pairs: Vec<_> =
                    of.implements().iter().map(|it| (symbol(it.0), symbol(it.1))).collect();
                (of.hash, it.provenance(of).clone(), names, pairs)
            });
            assert_eq!(before, after);
        }
        assert_eq!(facts.export("c.py", ContentHash::of(b""), &sources), None);
    }

    #[test]
    fn facts_of_another_file_or_format_are_refused() {
        let facts = facts();
        let hash = ContentHash::of(TEXT.as_bytes());
        let sources = facts.provenances([("a.py", hash)].into_iter());
        let bytes = facts.export("a.py", hash, &sources).unwrap().bytes;
        assert!(Facts::of_exported("a.py", &bytes, &sources).is_some());
        assert_eq!(Facts::of_exported("b.py", &bytes, &sources), None);
        assert_eq!(Facts::of_exported("a.py", &bytes, &[]), None);
        assert_eq!(Facts::of_exported("a.py", &[&[9], &bytes[1..]].concat(), &sources), None);
        for end in 0..bytes.len() {
            let _ = Facts::of_exported("a.py", &bytes[..end], &sources);
        }
    }
}
