//! Segments and a view: everything that a query asks.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use foreword_chunk::{Kind, Language, Reference};

use super::IndexConfig;
use super::analyse::Analysed;
use super::builder::{Packed, SegmentBuilder};
use super::facts::PathFacts;
use super::image::kind_of;
use super::manifest::{Manifest, Place};
use super::paths::PathNames;
use super::postings::{Defined, Name, each_posting};
use super::prior::Prior;
use super::record::{FileRecord, language_of_code};
use super::segment::{Segment, SegmentError, SegmentId};
use super::titles::Title;
use crate::source::{ContentHash, Source};

/// A file of a snapshot: its number by path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A chunk of a snapshot. Chunks order as (path, start) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId {
    /// The file.
    pub file: FileId,
    /// The number of the chunk in the file.
    pub idx: u32,
}

/// What is known of a chunk without reading its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkInfo {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// What the definition is that names the chunk.
    pub kind: Option<Kind>,
}

/// Where a name is defined. Sites order as (path, place) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DefinitionSite {
    /// The file.
    pub file: FileId,
    /// The number of the definition in the file.
    pub definition: u32,
    /// The number of the chunk in which its name stands.
    pub chunk: u32,
    /// What it is.
    pub kind: Kind,
}

impl DefinitionSite {
    /// The chunk in which its name stands.
    pub fn chunk_id(&self) -> ChunkId {
        ChunkId { file: self.file, idx: self.chunk }
    }
}

/// A change to a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The file has this text now.
    Write(Source),
    /// There is no such file any more.
    Remove(String),
}

/// A path, and what it says once that was asked.
#[derive(Debug)]
struct Named {
    path: Box<str>,
    facts: OnceLock<PathFacts>,
}

impl Named {
    fn new(path: &str) -> Arc<Self> {
        Arc::new(Self { path: path.into(), facts: OnceLock::new() })
    }
}

#[derive(Clone, Debug)]
struct File {
    named: Arc<Named>,
    hash: ContentHash,
    place: Place,
}

impl File {
    fn path(&self) -> &str {
        &self.named.path
    }
}

/// A segment as one snapshot sees it.
#[derive(Clone)]
pub(super) struct Held {
    pub(super) segment: Arc<Segment>,
    /// The file that each of the segment's files is in this snapshot.
    pub(super) owners: Arc<Vec<Option<FileId>>>,
    /// Which chunks are of files in this snapshot; `None` when all are.
    pub(super) live: Option<Arc<Live>>,
}

impl Held {
    /// The file of the snapshot that the segment's file `ord` is.
    fn owner(&self, ord: u32) -> Option<FileId> {
        self.owners.get(ord as usize).copied().flatten()
    }
}

/// The chunks of a segment of which one snapshot uses a part.
pub(super) struct Live {
    /// For each chunk whether its file is in the snapshot.
    pub(super) chunks: Vec<bool>,
    /// The others, in order.
    pub(super) dead: Vec<u32>,
}

/// Sums over all chunks of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files.
    pub files: u32,
    /// Chunks.
    pub chunks: u32,
    /// Bytes of text.
    pub bytes: u64,
    /// Lines of text.
    pub lines: u64,
    /// Terms by field.
    pub lengths: [u64; 4],
}

/// How many bytes of decoded texts, and of records, a snapshot keeps at least; twice as many at the most. A query touches
/// some dozens of files, of about 10 kB.
const KEPT: usize = 8 << 20;

/// An immutable state of a repository. A change gives a new snapshot; readers never wait.
pub struct Snapshot {
    pub(super) held: Vec<Held>,
    files: Vec<File>,
    totals: Totals,
    complete: bool,
    config: IndexConfig,
    id: OnceLock<String>,
    /// Shared with the snapshots that changes to this one give, as far as their paths are the same.
    path_names: Arc<OnceLock<Arc<PathNames>>>,
    /// Shared with all snapshots that changes to this one give.
    kept: Arc<Caches>,
}

/// What was decoded lately.
#[derive(Default)]
struct Caches {
    records: Mutex<Kept<Arc<FileRecord>>>,
    texts: Mutex<Kept<Arc<str>>>,
}

impl Snapshot {
    /// The snapshot of a view. `segments` are the manifest's, in its order.
    pub fn new(segments: Vec<Arc<Segment>>, manifest: &Manifest, config: IndexConfig) -> Self {
        let file = |it: &super::manifest::IndexedFile| File {
            named: Named::new(&it.path),
            hash: it.hash,
            place: it.place,
        };
        let files = manifest.files.iter().map(file).collect();
        Self::of_parts(segments, files, manifest.complete, config)
    }

    /// A snapshot of nothing.
    pub fn empty(config: IndexConfig) -> Self {
        Self::of_parts(Vec::new(), Vec::new(), true, config)
    }

    /// A snapshot of these sources alone, in memory.
    pub fn of_sources(sources: Vec<Source>, config: IndexConfig) -> Result<Self, SegmentError> {
        Self::empty(config).with_changes(sources.into_iter().map(Change::Write).collect())
    }

    fn of_parts(
        segments: Vec<Arc<Segment>>,
        files: Vec<File>,
        complete: bool,
        config: IndexConfig,
    ) -> Self {
        let mut owners: Vec<Vec<Option<FileId>>> =
            segments.iter().map(|it| vec![None; it.n_files() as usize]).collect();
        for (idx, file) in files.iter().enumerate() {
            let segment = &mut owners[file.place.segment as usize];
            if let Some(owner) = segment.get_mut(file.place.ord as usize) {
                *owner = Some(FileId(idx as u32));
            }
        }
        let held: Vec<Held> =
            segments.into_iter().zip(owners).map(|(segment, it)| hold(segment, it)).collect();
        let totals = totals_of(&held);
        Self {
            held,
            files,
            totals,
            complete,
            config,
            id: OnceLock::new(),
            path_names: Arc::default(),
            kept: Arc::default(),
        }
    }

    /// This snapshot with `changes` applied in order, the new texts held in memory.
    pub fn with_changes(&self, changes: Vec<Change>) -> Result<Self, SegmentError> {
        let last = changes.into_iter().map(|it| match it {
            Change::Write(source) => (source.path, Some(source.text)),
            Change::Remove(path) => (path, None),
        });
        // The last change to a path wins; paths in order, so that the result does not depend on a hash.
        let last: BTreeMap<String, Option<String>> = last.collect();
        let analysed = |(path, text): (String, Option<String>)| {
            let analyse = |it| Analysed::new(path.clone(), it, &self.config.chunk);
            let packed = text.map(|it| Arc::new(Packed::new(analyse(it))));
            (path, packed)
        };
        self.with_packed(&last.into_iter().map(analysed).collect())
    }

    /// The same for files that are analysed already, by their paths; `None` for one that is no more.
    pub fn with_packed(
        &self,
        last: &BTreeMap<String, Option<Arc<Packed>>>,
    ) -> Result<Self, SegmentError> {
        let mut segments: Vec<Arc<Segment>> =
            self.held.iter().map(|it| Arc::clone(&it.segment)).collect();
        let mut builder = SegmentBuilder::new(&self.config);
        let mut written = Vec::new();
        for (path, packed) in last {
            let Some(packed) = packed else { continue };
            let place = Place { segment: segments.len() as u32, ord: written.len() as u32 };
            written.push(File { named: Named::new(path), hash: packed.hash(), place });
            builder.add(packed);
        }
        if !written.is_empty() {
            let segment = Segment::of_memory(builder.finish(), &self.config)?;
            segments.push(Arc::new(segment));
        }
        let same_paths =
            last.iter().all(|(path, packed)| packed.is_some() && self.file(path).is_some());
        let mut files = self.files.clone();
        if same_paths {
            for it in written {
                let at = files.partition_point(|other| other.path() < it.path());
                files[at] = it;
            }
        } else {
            files.retain(|it| !last.contains_key(it.path()));
            files.extend(written);
            files.sort_by(|a, b| a.path().cmp(b.path()));
        }
        let mut res = Self::of_parts(segments, files, self.complete, self.config);
        res.kept = Arc::clone(&self.kept);
        if same_paths {
            res.path_names = Arc::clone(&self.path_names);
        }
        Ok(res)
    }

    /// Names the state: equal for equal paths and contents under one configuration.
    pub fn id(&self) -> &str {
        self.id.get_or_init(|| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&self.config.fingerprint().to_le_bytes());
            for file in &self.files {
                hasher.update(file.path().as_bytes());
                hasher.update(&[0]);
                hasher.update(&file.hash.0);
            }
            hasher.finalize().to_hex()[..16].to_owned()
        })
    }

    /// The segments, in the order of the manifest.
    pub fn segments(&self) -> Vec<Arc<Segment>> {
        self.held.iter().map(|it| Arc::clone(&it.segment)).collect()
    }

    /// Sums over all files.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// How files were analysed.
    pub fn config(&self) -> IndexConfig {
        self.config
    }

    /// Whether all files are in it that should be, and none of them was found damaged.
    pub fn is_complete(&self) -> bool {
        self.complete && !self.is_damaged()
    }

    /// Whether damage was met in a segment; the index should then be built anew.
    pub fn is_damaged(&self) -> bool {
        self.held.iter().any(|it| it.segment.is_damaged())
    }

    /// All files, in order of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// The file at `path`.
    pub fn file(&self, path: &str) -> Option<FileId> {
        let at = self.files.binary_search_by(|it| it.path().cmp(path)).ok()?;
        Some(FileId(at as u32))
    }

    /// The files whose paths begin with `prefix`.
    pub fn files_under(&self, prefix: &str) -> impl Iterator<Item = FileId> + use<> {
        let start = self.files.partition_point(|it| it.path() < prefix);
        let len = self.files[start..].partition_point(|it| it.path().starts_with(prefix));
        (start as u32..(start + len) as u32).map(FileId)
    }

    /// The names by which its files are meant; made when first asked for.
    pub(crate) fn path_names(&self) -> Arc<PathNames> {
        let names = || PathNames::new(self.files.iter().map(File::path));
        Arc::clone(self.path_names.get_or_init(|| Arc::new(names())))
    }

    /// The path of a file, relative to the root.
    pub fn path(&self, file: FileId) -> &str {
        self.files[file.0 as usize].path()
    }

    /// What the path of a file says of it.
    pub fn facts(&self, file: FileId) -> &PathFacts {
        let named = &self.files[file.0 as usize].named;
        named.facts.get_or_init(|| PathFacts::new(&named.path, self.language(file)))
    }

    /// What a file is worth by its path.
    pub fn prior(&self, file: FileId) -> Prior {
        self.facts(file).prior
    }

    /// The hash of a file's text.
    pub fn hash(&self, file: FileId) -> ContentHash {
        self.files[file.0 as usize].hash
    }

    /// The language of a file.
    pub fn language(&self, file: FileId) -> Option<Language> {
        let (segment, ord) = self.place(file);
        language_of_code(segment.table.languages[ord as usize])
    }

    /// How many bytes and lines a file has.
    pub fn size(&self, file: FileId) -> (u32, u32) {
        let (segment, ord) = self.place(file);
        (segment.table.sizes[ord as usize], segment.table.line_counts[ord as usize])
    }

    /// The chunks of a file.
    pub fn chunks(&self, file: FileId) -> impl ExactSizeIterator<Item = ChunkId> + use<> {
        let (segment, ord) = self.place(file);
        let range = segment.table.chunks_of(ord);
        (0..range.end - range.start).map(move |idx| ChunkId { file, idx })
    }

    /// What is known of a chunk without reading its file.
    pub fn chunk(&self, chunk: ChunkId) -> ChunkInfo {
        let (segment, ord) = self.place(chunk.file);
        let table = &segment.table;
        let range = table.chunks_of(ord);
        let at = (range.start + chunk.idx) as usize;
        let is_last = at as u32 + 1 == range.end;
        ChunkInfo {
            start: table.starts[at],
            end: if is_last { table.sizes[ord as usize] } else { table.starts[at + 1] },
            start_line: table.start_lines[at],
            end_line: table.end_lines[at],
            kind: kind_of(table.kinds[at]),
        }
    }

    /// The text of a file; empty where the index is damaged.
    pub fn text(&self, file: FileId) -> Arc<str> {
        let (segment, ord) = self.place(file);
        let text = || segment.text(ord).unwrap_or_default().into();
        kept(&self.kept.texts, (segment.id(), ord), text, |it: &Arc<str>| it.len())
    }

    /// Parts of the text of a file, without the cost of all of it; empty ones where the index is damaged.
    pub(crate) fn parts(&self, file: FileId, ranges: &[Range<usize>]) -> Vec<String> {
        let (segment, ord) = self.place(file);
        if let Some(text) = lock(&self.kept.texts).get((segment.id(), ord)) {
            let part = |it: &Range<usize>| text.get(it.clone()).unwrap_or_default().to_owned();
            return ranges.iter().map(part).collect();
        }
        segment.parts(ord, ranges).unwrap_or_else(|| vec![String::new(); ranges.len()])
    }

    /// What names a chunk, without the cost of its file's record; `None` where nothing does, or the index is damaged.
    pub fn title(&self, chunk: ChunkId) -> Option<Title> {
        let (segment, ord) = self.place(chunk.file);
        segment.title(ord, chunk.idx)
    }

    /// Chunks and symbols of a file, without its references; empty where the index is damaged.
    pub fn record(&self, file: FileId) -> Arc<FileRecord> {
        let (segment, ord) = self.place(file);
        let record = || Arc::new(segment.record(ord).unwrap_or_default());
        kept(&self.kept.records, (segment.id(), ord), record, |it| it.memory())
    }

    /// Where and how the names of other places are used in a file, in order.
    pub fn references_in(&self, file: FileId) -> Vec<Reference> {
        let (segment, ord) = self.place(file);
        segment.references(ord).unwrap_or_default()
    }

    /// Where `name` is defined, in order of path and place.
    pub fn definitions(&self, name: &str) -> Vec<DefinitionSite> {
        self.few_definitions(name, usize::MAX).unwrap_or_default()
    }

    /// The same; `None` where there are more than `most`, which are then not all read.
    pub fn few_definitions(&self, name: &str, most: usize) -> Option<Vec<DefinitionSite>> {
        let mut res = Vec::new();
        for held in &self.held {
            let Some(list) = held.segment.name(name) else { continue };
            let site = |it: Defined| {
                let (file, kind) = (held.owner(it.file)?, kind_of(it.kind)?);
                Some(DefinitionSite { file, definition: it.definition, chunk: it.chunk, kind })
            };
            // Where some of its files are not in this snapshot, who knows how many of the definitions are.
            if held.live.is_none() && Name::n_definitions_in(&list) > most - res.len() {
                return None;
            }
            res.extend(Name::definitions_in(&list).into_iter().filter_map(site));
            if res.len() > most {
                return None;
            }
        }
        res.sort_unstable();
        Some(res)
    }

    /// Where `name` is used: files and how often, in order of path.
    pub fn references(&self, name: &str) -> Vec<(FileId, u32)> {
        let mut res = Vec::new();
        for held in &self.held {
            let Some(list) = held.segment.name(name) else { continue };
            let references = Name::read(&list).references.into_iter();
            res.extend(references.filter_map(|(ord, count)| Some((held.owner(ord)?, count))));
        }
        res.sort_unstable();
        res
    }

    /// For each file whether it has one of `terms`.
    pub fn files_with(&self, terms: &[String]) -> Vec<bool> {
        let mut res = vec![false; self.files.len()];
        for Held { segment, owners, .. } in &self.held {
            for place in terms.iter().filter_map(|it| segment.place_of(it)) {
                let bytes = segment.postings_at(place);
                each_posting(bytes.as_deref().unwrap_or_default(), |(chunk, _)| {
                    let owner = segment.table.file_of(chunk).and_then(|it| owners[it as usize]);
                    owner.into_iter().for_each(|it| res[it.0 as usize] = true);
                });
            }
        }
        res
    }

    /// All names in `automaton`'s language that are defined or used in some segment, sorted.
    pub fn names_like<A: fst::Automaton + Clone>(&self, automaton: &A) -> Vec<String> {
        let mut res = Vec::new();
        for held in &self.held {
            held.segment.names_like(automaton.clone(), |it| res.push(it.to_owned()));
        }
        res.sort_unstable();
        res.dedup();
        res
    }

    /// All terms in `automaton`'s language that occur in some segment, sorted.
    pub fn terms_like<A: fst::Automaton + Clone>(&self, automaton: &A) -> Vec<String> {
        let mut res = Vec::new();
        for held in &self.held {
            held.segment.terms_like(automaton.clone(), |it| res.push(it.to_owned()));
        }
        res.sort_unstable();
        res.dedup();
        res
    }

    /// The chunks of `files` in segment `idx`, by their numbers there, in order.
    pub(super) fn chunks_in(&self, idx: usize, files: &[FileId]) -> Vec<u32> {
        let places = files.iter().map(|it| self.files[it.0 as usize].place);
        let here = places.filter(|it| it.segment as usize == idx);
        let table = &self.held[idx].segment.table;
        let mut res: Vec<u32> = here.flat_map(|it| table.chunks_of(it.ord)).collect();
        res.sort_unstable();
        res.dedup();
        res
    }

    /// Those of `chunks` that are in segment `idx`: the number there, and the place in `chunks`.
    pub(super) fn places_in(&self, idx: usize, chunks: &[ChunkId]) -> Vec<(u32, usize)> {
        let table = &self.held[idx].segment.table;
        let place = |(at, it): (usize, &ChunkId)| {
            let place = self.files[it.file.0 as usize].place;
            let here = place.segment as usize == idx;
            here.then(|| (table.chunks_of(place.ord).start + it.idx, at))
        };
        chunks.iter().enumerate().filter_map(place).collect()
    }

    fn place(&self, file: FileId) -> (&Segment, u32) {
        let place = self.files[file.0 as usize].place;
        (&self.held[place.segment as usize].segment, place.ord)
    }
}

fn hold(segment: Arc<Segment>, owners: Vec<Option<FileId>>) -> Held {
    let live = owners.iter().any(Option::is_none).then(|| {
        let mut live = vec![false; segment.n_chunks() as usize];
        for (ord, _) in owners.iter().enumerate().filter(|(_, owner)| owner.is_some()) {
            let range = segment.table.chunks_of(ord as u32);
            live[range.start as usize..range.end as usize].fill(true);
        }
        let dead = (0_u32..).zip(&live).filter(|it| !it.1).map(|it| it.0).collect();
        Arc::new(Live { chunks: live, dead })
    });
    Held { segment, owners: Arc::new(owners), live }
}

fn totals_of(held: &[Held]) -> Totals {
    let mut res = Totals::default();
    for Held { segment, owners, .. } in held {
        let table = &segment.table;
        let live = owners.iter().enumerate().filter(|(_, owner)| owner.is_some());
        for (ord, _) in live {
            let chunks = table.chunks_of(ord as u32);
            res.files += 1;
            res.chunks += chunks.end - chunks.start;
            res.bytes += u64::from(table.sizes[ord]);
            res.lines += u64::from(table.line_counts[ord]);
            for lengths in &table.lengths[chunks.start as usize..chunks.end as usize] {
                let sums = res.lengths.iter_mut().zip(lengths);
                sums.for_each(|(sum, length)| *sum += u64::from(*length));
            }
        }
    }
    res
}

/// Values by file. When the young are too many they become the old ones, and those are forgotten: what was used lately
/// stays.
struct Kept<V> {
    young: HashMap<(SegmentId, u32), (V, usize)>,
    old: HashMap<(SegmentId, u32), (V, usize)>,
    /// Bytes of the young ones.
    bytes: usize,
}

impl<V> Default for Kept<V> {
    fn default() -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), bytes: 0 }
    }
}

impl<V: Clone> Kept<V> {
    fn get(&mut self, key: (SegmentId, u32)) -> Option<V> {
        if let Some((known, _)) = self.young.get(&key) {
            return Some(known.clone());
        }
        let (known, bytes) = self.old.remove(&key)?;
        self.insert(key, known.clone(), bytes);
        Some(known)
    }

    fn insert(&mut self, key: (SegmentId, u32), value: V, bytes: usize) {
        if self.bytes + bytes > KEPT {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.young.insert(key, (value, bytes));
    }
}

/// Finds a value or makes it, which others need not wait for; `size` says about how many bytes it takes.
fn kept<V: Clone>(
    cache: &Mutex<Kept<V>>,
    key: (SegmentId, u32),
    make: impl FnOnce() -> V,
    size: impl FnOnce(&V) -> usize,
) -> V {
    if let Some(known) = lock(cache).get(key) {
        return known;
    }
    let made = make();
    let bytes = size(&made);
    lock(cache).insert(key, made.clone(), bytes);
    made
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
