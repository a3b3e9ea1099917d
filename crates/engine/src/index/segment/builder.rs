//! Collects analysed files and builds the bytes of a segment.

use super::check::{fits_table, most_decoded};
use super::compression::Encoding;
use super::frames::pack;
use super::interner::Interner;
use super::keys::SortedKeys;
use super::layout::BlobLengths;
use super::reader::{Segment, SegmentError};
use super::table::Table;
use super::writer::{self, KeyedLists};
use crate::index::analyze::{AnalyzedFile, FileTerms};
use crate::index::config::IndexConfig;
use crate::index::fields::Frequencies;
use crate::index::postings::{NameEntry, StoredDefinition, put_postings};
use crate::index::record::Mentions;
use crate::source::ContentHash;

/// Maximum number of files in memory whose terms and names are a list instead of an fst.
const MAX_LISTED: usize = 16;

/// A term in a chunk of the segment.
#[derive(Clone, Copy, Default)]
struct TermEntry {
    term: u32,
    chunk: u32,
    frequencies: Frequencies,
}

/// A definition of a name.
#[derive(Clone, Copy, Default)]
struct DefinitionEntry {
    name: u32,
    definition: StoredDefinition,
}

/// Number of uses of a name in a file.
#[derive(Clone, Copy, Default)]
struct ReferenceEntry {
    name: u32,
    file: u32,
    count: u32,
}

/// Collects files for a new segment.
#[derive(Default)]
pub struct SegmentBuilder {
    fingerprint: u32,
    table: Table,
    blobs: Vec<u8>,
    terms: Interner,
    entries: Vec<TermEntry>,
    names: Interner,
    definitions: Vec<DefinitionEntry>,
    references: Vec<ReferenceEntry>,
    term_map: Vec<u32>,
}

/// Encoded blobs of a file.
struct FileBlobs {
    text: Vec<u8>,
    record: Vec<u8>,
    mentions: Vec<u8>,
}

impl FileBlobs {
    fn lengths(&self) -> BlobLengths {
        BlobLengths {
            text: self.text.len() as u32,
            record: self.record.len() as u32,
            mentions: self.mentions.len() as u32,
        }
    }
}

/// A file with encoded blobs, so that encoding needs no lock of the builder.
pub struct PackedFile {
    analyzed: AnalyzedFile,
    blobs: FileBlobs,
    /// Names that the file uses, with counts.
    uses: Vec<(String, u32)>,
}

impl PackedFile {
    /// Compresses the blobs and counts the names that the file uses.
    pub fn new(analyzed: AnalyzedFile) -> Self {
        Self::encoded(analyzed, Encoding::Compressed)
    }

    /// The same without compression, for a text that stays in memory and is replaced by the next one soon.
    pub fn plain(analyzed: AnalyzedFile) -> Self {
        Self::encoded(analyzed, Encoding::Plain)
    }

    fn encoded(mut analyzed: AnalyzedFile, encoding: Encoding) -> Self {
        let mut record = analyzed.record.encode();
        // A larger record would be rejected as damaged when it is read; no text written by people comes close.
        if record.len() > most_decoded(analyzed.text.len() as u32) {
            analyzed.record.symbols.imports.clear();
            record = analyzed.record.encode();
        }
        let cuts = analyzed.record.chunks.iter().map(|it| it.span.start as usize);
        let blobs = FileBlobs {
            text: pack(analyzed.text.as_bytes(), cuts, encoding),
            record: encoding.encode(&record),
            mentions: encoding.encode(&Mentions::encode(&analyzed.record.symbols)),
        };
        let uses = count_references(&analyzed);
        Self { analyzed, blobs, uses }
    }

    /// The hash of the text.
    pub fn hash(&self) -> ContentHash {
        self.analyzed.hash
    }

    /// Names that the file uses, with counts, sorted.
    pub(crate) fn uses(&self) -> &[(String, u32)] {
        &self.uses
    }

    /// Bytes of source text.
    pub fn text_len(&self) -> usize {
        self.analyzed.text.len()
    }
}

/// Number of uses of each name in the file: references, imported names, and last parts of imported modules.
fn count_references(analyzed: &AnalyzedFile) -> Vec<(String, u32)> {
    let symbols = &analyzed.record.symbols;
    let used = symbols.references.iter().map(|it| it.name.of(&analyzed.text));
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
    /// A builder without files, for files analysed with `config`.
    pub fn new(config: &IndexConfig) -> Self {
        Self { fingerprint: config.fingerprint(), ..Self::default() }
    }

    /// Adds a file; its index in the segment is the number of files before it.
    pub fn add(&mut self, file: &PackedFile) {
        let PackedFile { analyzed, blobs, uses } = file;
        let ord = self.table.paths.len() as u32;
        let first_chunk = self.table.starts.len() as u32;
        self.table.add(analyzed);
        debug_assert!(fits_table(&analyzed.record, &self.table, ord), "{}", analyzed.path);
        self.table.add_blobs(self.blobs.len(), blobs.lengths());
        for blob in [&blobs.text, &blobs.record, &blobs.mentions] {
            self.blobs.extend_from_slice(blob);
        }
        self.add_terms(&analyzed.terms, first_chunk);
        self.add_definitions(analyzed, ord);
        for (name, count) in uses {
            let name = self.names.id_of(name);
            self.references.push(ReferenceEntry { name, file: ord, count: *count });
        }
    }

    /// Adds the row of file `ord` of another segment's table, without contents.
    pub(crate) fn add_row(&mut self, table: &Table, ord: u32) {
        self.table.copy(table, ord);
        self.table.add_blobs(0, BlobLengths { text: 0, record: 0, mentions: 0 });
    }

    fn add_definitions(&mut self, analyzed: &AnalyzedFile, file: u32) {
        Self::each_definition(analyzed, |name, stored| {
            let name = self.names.id_of(name);
            let definition = StoredDefinition { file, ..stored };
            self.definitions.push(DefinitionEntry { name, definition });
        });
    }

    /// Calls `found` with each name under which a definition is found, and the definition in file 0.
    pub(crate) fn each_definition(
        analyzed: &AnalyzedFile,
        mut found: impl FnMut(&str, StoredDefinition),
    ) {
        let record = &analyzed.record;
        for (idx, definition) in record.symbols.definitions.iter().enumerate() {
            let Some(chunk) = record.chunk_at(definition.name.start as usize) else { continue };
            let kind = definition.kind as u8;
            let stored = StoredDefinition { file: 0, definition: idx as u32, chunk, kind };
            let name = definition.name.of(&analyzed.text);
            // `Plug.Conn` is also found as `Conn`.
            for name in [Some(name), name.rsplit_once('.').map(|it| it.1)].into_iter().flatten() {
                found(name, stored);
            }
        }
    }

    fn add_terms(&mut self, terms: &FileTerms, first_chunk: u32) {
        self.term_map.clear();
        self.term_map.extend(terms.terms().map(|it| self.terms.id_of(it)));
        self.entries.extend(terms.postings.iter().map(|it| TermEntry {
            term: self.term_map[it.term as usize],
            chunk: first_chunk + it.chunk,
            frequencies: it.frequencies,
        }));
    }

    /// Whether no file was added.
    pub fn is_empty(&self) -> bool {
        self.table.paths.is_empty()
    }

    /// Approximate bytes held by the builder, including what [`Self::finish`] will allocate.
    pub fn memory(&self) -> usize {
        let entries = self.entries.len() * size_of::<TermEntry>() * 2;
        let names = self.definitions.len() * size_of::<DefinitionEntry>() * 2
            + self.references.len() * size_of::<ReferenceEntry>() * 2;
        let strings = self.terms.text_len() + self.names.text_len();
        let ids = (self.terms.len() + self.names.len()) * 16;
        self.blobs.len() * 2 + entries + names + strings + ids
    }

    /// The bytes of the segment.
    pub fn finish(self) -> Vec<u8> {
        self.write(KeyedLists::for_file, Encoding::Compressed).0
    }

    /// A segment that is not stored.
    pub fn finish_in_memory(self, config: &IndexConfig) -> Result<Segment, SegmentError> {
        if self.table.paths.len() > MAX_LISTED {
            return Segment::of_memory(self.finish(), config);
        }
        let (bytes, keys) = self.write(KeyedLists::for_memory, Encoding::Plain);
        Segment::with_keys(bytes, keys, config)
    }

    fn write(self, lists: fn() -> KeyedLists, encoding: Encoding) -> (Vec<u8>, [SortedKeys; 2]) {
        let Self {
            fingerprint, table, blobs, terms, entries, names, definitions, references, ..
        } = self;
        let entries = GroupedById::new(terms.len(), entries, |it| it.term);
        let mut postings = lists();
        for id in terms.sorted() {
            let list = entries.of(id).iter().map(|it| (it.chunk, it.frequencies));
            postings.push(terms.get(id).as_bytes(), |out| put_postings(out, list));
        }
        drop((entries, terms));
        let definitions = GroupedById::new(names.len(), definitions, |it| it.name);
        let references = GroupedById::new(names.len(), references, |it| it.name);
        let mut symbols = lists();
        for id in names.sorted() {
            let name = NameEntry {
                definitions: definitions.of(id).iter().map(|it| it.definition).collect(),
                references: references.of(id).iter().map(|it| (it.file, it.count)).collect(),
            };
            symbols.push(names.get(id).as_bytes(), |out| name.put(out));
        }
        writer::write(blobs, postings, symbols, &table, encoding, fingerprint)
    }
}

/// Entries grouped by the number of their string, in stable order (counting sort).
struct GroupedById<T> {
    entries: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy + Default> GroupedById<T> {
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
