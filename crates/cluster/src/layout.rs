//! The pages of a branch: its table of files, its dictionary, and the root that names them.
//!
//! Where a page ends is decided by the entry there alone, so a change moves no other page, and branches share all pages
//! without a difference.

use std::cell::RefCell;
use std::cmp::Ordering;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcode::{Decode, Encode};
use foreword_engine::index::Provenance;
use zstd::bulk::Decompressor;

/// Mean number of files of a page.
const FILES: u32 = 128;

/// Mean number of terms or names of a page, about 2 kB.
const KEYS: u32 = 256;

/// Most bytes of an unpacked page: a page has some hundred entries; this bounds what a damaged one may claim.
const MOST_BYTES: usize = 256 << 20;

/// Of the layout of pages.
pub(crate) const VERSION: u32 = 1;

/// The first page of a branch.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub(crate) struct Root {
    pub(crate) version: u32,
    /// Of the analysis ([`foreword_engine::index::IndexConfig::exported_version`]).
    pub(crate) fingerprint: u32,
    /// True if all files were indexed.
    pub(crate) complete: bool,
    /// Pages of the table of files, in the order of paths.
    pub(crate) tables: Vec<String>,
    /// Pages of the terms, in order.
    pub(crate) terms: Vec<PageOfKeys>,
    /// Pages of the names, in order.
    pub(crate) names: Vec<PageOfKeys>,
}

/// Stands in [`TablePage::ids`] between documents of files and those of their precise facts. No identifier is so short.
const FACTS: &str = "facts";

/// A page of the table of files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct TablePage {
    /// Documents of the files, which every version can read: so that none removes what another needs. Where files have precise
    /// facts, [`FACTS`] follows, for each file the document of its facts or nothing, and where these come from.
    pub(crate) ids: Vec<String>,
    /// The table, by the engine.
    pub(crate) table: Vec<u8>,
}

/// The precise facts of the files of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FactsOfPage {
    /// For each file the document of its facts; empty without.
    pub(crate) ids: Vec<String>,
    /// Where they come from: what the facts have numbers of.
    pub(crate) provenances: Vec<Provenance>,
}

impl TablePage {
    pub(crate) fn new(mut ids: Vec<String>, table: Vec<u8>, facts: FactsOfPage) -> Self {
        if facts.ids.iter().any(|it| !it.is_empty()) {
            ids.push(FACTS.to_owned());
            ids.extend(facts.ids);
            ids.push(STANDARD.encode(bitcode::encode(&facts.provenances)));
        }
        Self { ids, table }
    }

    /// The number of its files.
    pub(crate) fn n_files(&self) -> usize {
        self.ids.iter().position(|it| it == FACTS).unwrap_or(self.ids.len())
    }

    /// The facts; none of a page that was written without.
    pub(crate) fn facts(&self) -> Option<FactsOfPage> {
        let at = self.n_files();
        let (ids, rest) = self.ids.get(at + 1..)?.split_at_checked(at)?;
        let provenances = STANDARD.decode(rest.first()?).ok()?;
        let provenances = bitcode::decode(&provenances).ok()?;
        Some(FactsOfPage { ids: ids.to_vec(), provenances })
    }
}

/// A page of a dictionary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct PageOfKeys {
    /// Its first key.
    pub(crate) first: String,
    pub(crate) id: String,
}

/// Terms with their frequencies, or names with the numbers of definitions and of files that use them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode)]
pub(crate) struct Keys {
    pub(crate) keys: Vec<String>,
    pub(crate) counts: Vec<[u32; 2]>,
}

/// [`Keys`] as their bytes have them.
#[derive(Decode)]
struct StoredKeys<'b> {
    keys: Vec<&'b str>,
    counts: Vec<[u32; 2]>,
}

/// [`Keys`] that were read: a repository has a hundred thousand, so that they are one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyPage {
    text: String,
    /// Where each key ends.
    ends: Vec<u32>,
    counts: Vec<[u32; 2]>,
}

impl Root {
    /// The pages that it names.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &String> {
        let keys = self.terms.iter().chain(&self.names).map(|it| &it.id);
        self.tables.iter().chain(keys)
    }
}

impl KeyPage {
    /// The keys of some bytes.
    pub(crate) fn unpack(bytes: &[u8]) -> Option<Self> {
        let bytes = unpacked(bytes)?;
        let StoredKeys { keys, counts } = bitcode::decode(&bytes).ok()?;
        let mut end = 0;
        let ends = keys.iter().map(|it| {
            end += it.len() as u32;
            end
        });
        Some(Self { ends: ends.collect(), text: keys.concat(), counts })
    }

    /// The keys, in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|it| self.key(it))
    }

    fn key(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |it| self.ends[it]);
        &self.text[start as usize..self.ends[at] as usize]
    }

    /// The counts of a key.
    pub(crate) fn get(&self, key: &str) -> Option<[u32; 2]> {
        let (mut from, mut to) = (0, self.ends.len());
        while from < to {
            let at = usize::midpoint(from, to);
            match self.key(at).cmp(key) {
                Ordering::Less => from = at + 1,
                Ordering::Greater => to = at,
                Ordering::Equal => return self.counts.get(at).copied(),
            }
        }
        None
    }
}

/// The page on which a key would be.
pub(crate) fn page_of<'p>(pages: &'p [PageOfKeys], key: &str) -> Option<&'p PageOfKeys> {
    let after = pages.partition_point(|it| it.first.as_str() <= key);
    pages.get(after.checked_sub(1)?)
}

/// Splits a dictionary into pages.
pub(crate) fn pages_of_keys(all: impl Iterator<Item = (String, [u32; 2])>) -> Vec<Keys> {
    let mut res = Vec::new();
    let mut page = Keys::default();
    for (key, counts) in all {
        let is_last = ends_page(&key, KEYS);
        page.keys.push(key);
        page.counts.push(counts);
        if is_last {
            res.push(std::mem::take(&mut page));
        }
    }
    if !page.keys.is_empty() {
        res.push(page);
    }
    res
}

/// Splits the sorted paths of a table into pages: the number of files on each.
pub(crate) fn pages_of_files<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<usize> {
    let mut res = Vec::new();
    let mut here = 0;
    for path in paths {
        here += 1;
        if ends_page(path, FILES) {
            res.push(std::mem::take(&mut here));
        }
    }
    if here > 0 {
        res.push(here);
    }
    res
}

fn ends_page(key: &str, mean: u32) -> bool {
    let hash = blake3::hash(key.as_bytes());
    let number = hash.as_bytes().first_chunk().map_or(0, |it| u32::from_le_bytes(*it));
    number < u32::MAX / mean
}

/// A page as bytes.
pub(crate) fn pack(page: &impl Encode) -> Vec<u8> {
    let bytes = bitcode::encode(page);
    zstd::bulk::compress(&bytes, 3).expect("compressing into memory does not fail")
}

thread_local! {
    /// Reused: a question reads hundreds of pages of 2 kB, and a decompressor has 150.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// The page of some bytes.
pub(crate) fn unpack<T: for<'b> Decode<'b>>(bytes: &[u8]) -> Option<T> {
    bitcode::decode(&unpacked(bytes)?).ok()
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let capacity = Decompressor::upper_bound(bytes).unwrap_or(MOST_BYTES);
    if capacity > MOST_BYTES {
        return None;
    }
    DECOMPRESSOR.with_borrow_mut(|cached| {
        let decompressor = match cached {
            Some(it) => it,
            None => cached.insert(Decompressor::new().ok()?),
        };
        decompressor.decompress(bytes, capacity).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(n: u32) -> Vec<(String, [u32; 2])> {
        (0..n).map(|it| (format!("key{it:06}"), [it, 0])).collect()
    }

    #[test]
    fn facts_stand_behind_the_files_of_a_page() {
        let ids = || vec!["a".repeat(22), "b".repeat(22)];
        let without = TablePage::new(ids(), Vec::new(), FactsOfPage::default());
        assert_eq!((&without.ids, without.facts()), (&ids(), None));
        let provenance = Provenance { tool: "scip-go".to_owned(), ..Provenance::default() };
        let facts =
            FactsOfPage { ids: vec![String::new(), "c".repeat(22)], provenances: vec![provenance] };
        let page = TablePage::new(ids(), Vec::new(), facts.clone());
        assert_eq!(page.facts(), Some(facts.clone()));
        // Who looks for documents that are needed finds all of them.
        assert!(ids().iter().chain(&facts.ids).all(|it| page.ids.contains(it)));
        let cut = TablePage { ids: page.ids[..4].to_vec(), ..TablePage::default() };
        assert_eq!(cut.facts(), None);
    }

    #[test]
    fn one_new_key_changes_one_page() {
        let before = pages_of_keys(keys(10_000).into_iter());
        let mut more = keys(10_000);
        more.push(("key004999a".to_owned(), [1, 0]));
        more.sort();
        let after = pages_of_keys(more.into_iter());
        let changed = after.iter().filter(|it| !before.contains(it)).count();
        assert!(changed <= 2 && before.len() > 20, "{changed} of {}", before.len());
    }

    #[test]
    fn a_key_is_found_on_its_page() {
        let pages = pages_of_keys(keys(2000).into_iter());
        let named: Vec<PageOfKeys> = (0..)
            .zip(&pages)
            .map(|(at, it): (u32, _)| PageOfKeys { first: it.keys[0].clone(), id: at.to_string() })
            .collect();
        for (key, counts) in keys(2000) {
            let page = page_of(&named, &key).unwrap();
            let packed = pack(&pages[page.id.parse::<usize>().unwrap()]);
            assert_eq!(KeyPage::unpack(&packed).unwrap().get(&key), Some(counts));
        }
        assert_eq!(page_of(&named, "a"), None);
        assert_eq!(KeyPage::unpack(b"damaged"), None);
    }
}
