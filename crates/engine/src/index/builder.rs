//! Gathers analysed files and turns them into the bytes of one segment.

use std::cell::RefCell;

use hashbrown::HashTable;
use zstd::bulk::Compressor;

use super::IndexConfig;
use super::analyse::{Analysed, FileTerms, Frequencies, hash_of};
use super::frames::pack;
use super::image::{self, Lists, Table};
use super::postings::{Defined, Name, put_postings};
use super::record::encode_references;
use super::titles;
use crate::source::ContentHash;

/// zstd level of texts and records: level 3 packs code about 3.5-fold at some 300 MB/s a core, a small part of what
/// the parse costs.
const ZSTD_LEVEL: i32 = 3;

/// Strings, each with a number in order of appearance.
#[derive(Default)]
pub(super) struct Strings {
    arena: String,
    ends: Vec<u32>,
    ids: HashTable<u32>,
}

impl Strings {
    pub(super) fn id_of(&mut self, text: &str) -> u32 {
        let hash = hash_of(text);
        let Self { arena, ends, ids } = self;
        if let Some(&id) = ids.find(hash, |&id| get(arena, ends, id) == text) {
            return id;
        }
        arena.push_str(text);
        ends.push(arena.len() as u32);
        let id = ends.len() as u32 - 1;
        ids.insert_unique(hash, id, |&id| hash_of(get(arena, ends, id)));
        id
    }

    pub(super) fn get(&self, id: u32) -> &str {
        get(&self.arena, &self.ends, id)
    }

    /// The numbers in byte order of their strings.
    pub(super) fn sorted(&self) -> Vec<u32> {
        let mut res: Vec<u32> = (0..self.ends.len() as u32).collect();
        res.sort_unstable_by(|a, b| self.get(*a).as_bytes().cmp(self.get(*b).as_bytes()));
        res
    }

    fn len(&self) -> usize {
        self.ends.len()
    }
}

fn get<'a>(arena: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] };
    &arena[start as usize..ends[id as usize] as usize]
}

/// A term in a chunk of the segment.
#[derive(Clone, Copy, Default)]
struct Entry {
    term: u32,
    chunk: u32,
    frequencies: Frequencies,
}

/// A definition of a name.
#[derive(Clone, Copy, Default)]
struct DefinitionEntry {
    name: u32,
    defined: Defined,
}

/// How often a file uses a name.
#[derive(Clone, Copy, Default)]
struct ReferenceEntry {
    name: u32,
    file: u32,
    count: u32,
}

/// A segment in the making.
#[derive(Default)]
pub struct SegmentBuilder {
    fingerprint: u32,
    table: Table,
    blobs: Vec<u8>,
    terms: Strings,
    entries: Vec<Entry>,
    names: Strings,
    definitions: Vec<DefinitionEntry>,
    references: Vec<ReferenceEntry>,
    term_map: Vec<u32>,
}

/// One file with its blobs already compressed, which is done outside of the builder's lock.
pub struct Packed {
    analysed: Analysed,
    /// Text, titles, record, references.
    blobs: [Vec<u8>; 4],
    uses: Vec<(String, u32)>,
}

impl Packed {
    /// Makes the blobs, and counts the names that the file uses.
    pub fn new(analysed: Analysed) -> Self {
        let cuts = analysed.record.chunks.iter().map(|it| it.span.start as usize);
        let blobs = [
            pack(analysed.text.as_bytes(), cuts),
            titles::pack(&analysed.text, &analysed.record),
            compress(&analysed.record.encode()),
            compress(&encode_references(&analysed.record.symbols.references)),
        ];
        let uses = count_references(&analysed);
        Self { analysed, blobs, uses }
    }

    /// The hash of the text.
    pub fn hash(&self) -> ContentHash {
        self.analysed.hash
    }

    /// Bytes of source text.
    pub fn text_len(&self) -> usize {
        self.analysed.text.len()
    }
}

thread_local! {
    /// Making a compressor costs more than packing a small text with it.
    static PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let packed = PACKER.with_borrow_mut(|kept| match kept {
        Some(packer) => packer.compress(bytes),
        None => kept.insert(Compressor::new(ZSTD_LEVEL)?).compress(bytes),
    });
    packed.unwrap_or_default()
}

/// How often the file uses each name: references, imported names, and the last part of imported modules.
fn count_references(analysed: &Analysed) -> Vec<(String, u32)> {
    let symbols = &analysed.record.symbols;
    let used = symbols.references.iter().map(|it| it.name.of(&analysed.text));
    let imported = symbols.imports.iter().flat_map(|it| {
        let names = it.names.iter().map(|name| name.name.as_str());
        names.chain(std::iter::once(last_part(&it.module)))
    });
    let mut all: Vec<&str> = used.chain(imported).filter(|it| it.len() > 1).collect();
    all.sort_unstable();
    let groups = all.chunk_by(|a, b| a == b);
    groups.map(|group| (group[0].to_owned(), group.len() as u32)).collect()
}

/// `a.b.c` → `c`, `./util/parse.js` → `parse`, `crate::x::y` → `y`.
fn last_part(module: &str) -> &str {
    let path = module.rsplit(['/', '\\']).find(|it| !it.is_empty()).unwrap_or(module);
    let known = [".js", ".ts", ".mjs", ".jsx", ".tsx", ".h", ".hpp", ".hh", ".py", ".rb", ".css"];
    let stem = known.iter().find_map(|it| path.strip_suffix(it)).unwrap_or(path);
    stem.rsplit(['.', ':']).find(|it| !it.is_empty()).unwrap_or(stem)
}

impl SegmentBuilder {
    /// An empty one, for files analysed by `config`.
    pub fn new(config: &IndexConfig) -> Self {
        Self { fingerprint: config.fingerprint(), ..Self::default() }
    }

    /// Adds one file; its number in the segment is the count of files before it.
    pub fn add(&mut self, file: &Packed) {
        let Packed { analysed, blobs, uses } = file;
        let ord = self.table.paths.len() as u32;
        let first_chunk = self.table.starts.len() as u32;
        self.table.add(analysed);
        self.table
            .add_blobs(self.blobs.len(), [0, 1, 2, 3].map(|it: usize| blobs[it].len() as u32));
        blobs.iter().for_each(|it| self.blobs.extend_from_slice(it));
        self.add_terms(&analysed.terms, first_chunk);
        self.add_definitions(analysed, ord);
        for (name, count) in uses {
            let name = self.names.id_of(name);
            self.references.push(ReferenceEntry { name, file: ord, count: *count });
        }
    }

    fn add_definitions(&mut self, analysed: &Analysed, file: u32) {
        let record = &analysed.record;
        for (idx, definition) in record.symbols.definitions.iter().enumerate() {
            let Some(chunk) = record.chunk_at(definition.name.start as usize) else { continue };
            let kind = definition.kind as u8;
            let defined = Defined { file, definition: idx as u32, chunk, kind };
            let name = definition.name.of(&analysed.text);
            // `Plug.Conn` is looked for as `Conn` too.
            for name in [Some(name), name.rsplit_once('.').map(|it| it.1)].into_iter().flatten() {
                let name = self.names.id_of(name);
                self.definitions.push(DefinitionEntry { name, defined });
            }
        }
    }

    fn add_terms(&mut self, terms: &FileTerms, first_chunk: u32) {
        self.term_map.clear();
        self.term_map.extend(terms.terms().map(|it| self.terms.id_of(it)));
        self.entries.extend(terms.postings.iter().map(|it| Entry {
            term: self.term_map[it.term as usize],
            chunk: first_chunk + it.chunk,
            frequencies: it.frequencies,
        }));
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.table.paths.is_empty()
    }

    /// About how many bytes the builder holds, those that [`Self::finish`] will take included.
    pub fn memory(&self) -> usize {
        let entries = self.entries.len() * size_of::<Entry>() * 2;
        let names = self.definitions.len() * size_of::<DefinitionEntry>() * 2
            + self.references.len() * size_of::<ReferenceEntry>() * 2;
        let strings = self.terms.arena.len() + self.names.arena.len();
        let ids = (self.terms.len() + self.names.len()) * 16;
        self.blobs.len() * 2 + entries + names + strings + ids
    }

    /// The segment's bytes.
    pub fn finish(self) -> Vec<u8> {
        let Self {
            fingerprint, table, blobs, terms, entries, names, definitions, references, ..
        } = self;
        let entries = Grouped::new(terms.len(), entries, |it| it.term);
        let mut postings = Lists::default();
        for id in terms.sorted() {
            let list = entries.of(id).iter().map(|it| (it.chunk, it.frequencies));
            postings.push(terms.get(id).as_bytes(), |out| put_postings(out, list));
        }
        drop((entries, terms));
        let definitions = Grouped::new(names.len(), definitions, |it| it.name);
        let references = Grouped::new(names.len(), references, |it| it.name);
        let mut symbols = Lists::default();
        for id in names.sorted() {
            let name = Name {
                definitions: definitions.of(id).iter().map(|it| it.defined).collect(),
                references: references.of(id).iter().map(|it| (it.file, it.count)).collect(),
            };
            symbols.push(names.get(id).as_bytes(), |out| name.put(out));
        }
        image::write(blobs, postings, symbols, &table, fingerprint)
    }
}

/// Entries by string number, in their old order within one number: a counting sort.
struct Grouped<T> {
    entries: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy + Default> Grouped<T> {
    fn new(n: usize, entries: Vec<T>, id: impl Fn(&T) -> u32) -> Self {
        let mut starts = vec![0_u32; n + 1];
        entries.iter().for_each(|it| starts[id(it) as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut sorted = vec![T::default(); entries.len()];
        for entry in entries {
            let place = &mut next[id(&entry) as usize];
            sorted[*place as usize] = entry;
            *place += 1;
        }
        Self { entries: sorted, starts }
    }

    fn of(&self, id: u32) -> &[T] {
        &self.entries[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }
}
