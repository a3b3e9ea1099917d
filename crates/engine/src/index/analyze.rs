//! Analyses one file: its record and the terms of its chunks. The result depends on the file alone, so files are
//! analysed in parallel.

use foreword_chunk::{Analysis, Config, Kind, Language, Span, analyze};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher as _;

use super::fields::{Field, Frequencies};
use super::path_features::tool_of;
use super::record::FileRecord;
use super::terms::{identifiers, terms_of};
use crate::source::ContentHash;

/// An analysed file, ready to be added to a segment.
#[derive(Debug)]
pub struct AnalyzedFile {
    /// Relative path.
    pub path: String,
    /// Hash of the text.
    pub hash: ContentHash,
    /// The text.
    pub text: String,
    /// Chunks and symbols.
    pub record: FileRecord,
    pub(super) terms: FileTerms,
}

impl AnalyzedFile {
    /// Parses, chunks and tokenises `text`.
    pub fn new(path: String, text: String, config: &Config) -> Self {
        let head = &text[..text.floor_char_boundary(4096)];
        let language = Language::of_path(&path, head);
        let analysis = analyze(text.as_bytes(), language, config);
        Self::with_analysis(path, text, language, analysis)
    }

    /// A text of `language` that was analysed elsewhere.
    pub fn with_analysis(
        path: String,
        text: String,
        language: Option<Language>,
        analysis: Analysis,
    ) -> Self {
        let lines = lines_in(&text);
        Self::with_record(path, text, FileRecord::new(language, lines, analysis))
    }

    /// A text with a known record (a renamed file), which is not parsed.
    pub fn with_record(path: String, text: String, record: FileRecord) -> Self {
        let terms = FileTerms::new(&path, &text, &record);
        Self { hash: ContentHash::of(text.as_bytes()), path, text, record, terms }
    }
}

/// Number of lines, as [`LineIndex`](foreword_chunk::LineIndex) counts them.
fn lines_in(text: &str) -> u32 {
    let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    newlines as u32 + u32::from(!text.ends_with('\n'))
}

/// A term in a chunk, with its frequencies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    pub(super) chunk: u32,
    pub(super) term: u32,
    pub(super) frequencies: Frequencies,
}

/// The terms of a file and their postings, by chunk.
#[derive(Debug, Default)]
pub(super) struct FileTerms {
    arena: String,
    terms: Vec<(u32, u32)>,
    pub(super) postings: Vec<Posting>,
    /// Terms in each field of each chunk.
    pub(super) lengths: Vec<[u16; 4]>,
}

impl FileTerms {
    fn new(path: &str, text: &str, record: &FileRecord) -> Self {
        let mut counter = TermCounter::for_text(text.len());
        let docs = merged_docs(record);
        let mut names: Vec<Span> = record.symbols.definitions.iter().map(|it| it.name).collect();
        names.sort_unstable();
        for (idx, chunk) in record.chunks.iter().enumerate() {
            counter.begin_chunk(idx as u32);
            count_text(&mut counter, text, chunk.span, &docs);
            let first = names.partition_point(|it| it.start < chunk.span.start);
            for name in names[first..].iter().take_while(|it| it.start < chunk.span.end) {
                counter.count(name.of(text), Field::Symbols);
            }
            counter.count_all(path_words(path), Field::Path);
            counter.count_all(tool_of(path).unwrap_or_default(), Field::Path);
            for around in record.symbols.ancestors(chunk.scope) {
                if !matches!(around.kind, Kind::Section) {
                    counter.count_all(around.name.of(text), Field::Path);
                }
            }
        }
        counter.finish()
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|&(start, end)| &self.arena[start as usize..end as usize])
    }
}

/// A path without extension: `src/http/parse_url` for `src/http/parse_url.rs`.
fn path_words(path: &str) -> &str {
    let stem = path.rfind('.').filter(|&dot| dot > path.rfind('/').map_or(0, |slash| slash + 1));
    &path[..stem.unwrap_or(path.len())]
}

/// The doc comments of a file, sorted, without overlaps.
fn merged_docs(record: &FileRecord) -> Vec<Span> {
    let mut docs: Vec<Span> = record.symbols.definitions.iter().filter_map(|it| it.doc).collect();
    docs.sort_unstable();
    docs.dedup_by(|next, kept| next.start < kept.end);
    docs
}

/// Counts the words in `span`: those in doc comments for [`Field::Doc`], all others for [`Field::Body`].
fn count_text(counter: &mut TermCounter, text: &str, span: Span, docs: &[Span]) {
    let mut doc_idx = docs.partition_point(|it| it.end <= span.start);
    let base = span.start as usize;
    let part = span.of(text);
    identifiers(part, |start, end| {
        let at = (base + start) as u32;
        while docs.get(doc_idx).is_some_and(|it| it.end <= at) {
            doc_idx += 1;
        }
        let in_doc = docs.get(doc_idx).is_some_and(|it| it.start <= at);
        counter.count(&part[start..end], if in_doc { Field::Doc } else { Field::Body });
    });
}

/// Counts terms. Each identifier is split once per file and then looked up.
#[derive(Default)]
struct TermCounter {
    res: FileTerms,
    term_ids: HashTable<u32>,
    spellings: HashTable<Spelling>,
    spelled: String,
    parts: Vec<u32>,
    /// For each term, one plus the index of its posting in the current chunk.
    current: Vec<u32>,
    chunk_start: u32,
    chunk: u32,
    scratch: String,
}

/// An identifier: its range in `TermCounter::spelled`, and the range of its terms in `TermCounter::parts`.
struct Spelling {
    hash: u64,
    text: (u32, u32),
    parts: (u32, u32),
}

/// Bytes of code with one new spelling; half as many in short files. Tables that grow compute all their hashes again.
const BYTES_PER_SPELLING: usize = 64;

impl TermCounter {
    fn for_text(bytes: usize) -> Self {
        let capacity = bytes / BYTES_PER_SPELLING;
        let (term_ids, spellings) =
            (HashTable::with_capacity(capacity), HashTable::with_capacity(capacity));
        Self { term_ids, spellings, ..Self::default() }
    }

    fn begin_chunk(&mut self, chunk: u32) {
        self.chunk = chunk;
        self.chunk_start = self.res.postings.len() as u32;
        self.res.lengths.push([0; 4]);
    }

    fn count_all(&mut self, text: &str, field: Field) {
        identifiers(text, |start, end| self.count(&text[start..end], field));
    }

    fn count(&mut self, identifier: &str, field: Field) {
        let (start, end) = self.parts_of(identifier);
        for idx in start..end {
            self.bump(self.parts[idx as usize], field);
        }
    }

    fn bump(&mut self, term: u32, field: Field) {
        let posting = self.current[term as usize];
        let field = field as usize;
        if posting <= self.chunk_start {
            let mut frequencies = [0; 4];
            frequencies[field] = 1;
            self.res.postings.push(Posting { chunk: self.chunk, term, frequencies });
            self.current[term as usize] = self.res.postings.len() as u32;
        } else {
            let frequency = &mut self.res.postings[posting as usize - 1].frequencies[field];
            *frequency = frequency.saturating_add(1);
        }
        if let Some(lengths) = self.res.lengths.last_mut() {
            lengths[field] = lengths[field].saturating_add(1);
        }
    }

    fn parts_of(&mut self, identifier: &str) -> (u32, u32) {
        let hash = hash_of(identifier);
        let spelled = &self.spelled;
        let same = |it: &Spelling| {
            it.hash == hash && &spelled[it.text.0 as usize..it.text.1 as usize] == identifier
        };
        if let Some(known) = self.spellings.find(hash, same) {
            return known.parts;
        }
        let first = self.parts.len() as u32;
        let mut scratch = std::mem::take(&mut self.scratch);
        terms_of(identifier, &mut scratch, |term, _| {
            let id = self.term_id(term);
            self.parts.push(id);
        });
        self.scratch = scratch;
        let parts = (first, self.parts.len() as u32);
        let start = self.spelled.len() as u32;
        self.spelled.push_str(identifier);
        let spelling = Spelling { hash, text: (start, self.spelled.len() as u32), parts };
        self.spellings.insert_unique(hash, spelling, |it| it.hash);
        parts
    }

    fn term_id(&mut self, term: &str) -> u32 {
        let hash = hash_of(term);
        let FileTerms { arena, terms, .. } = &mut self.res;
        let text_of = |id: u32| {
            let (start, end): (u32, u32) = terms[id as usize];
            &arena[start as usize..end as usize]
        };
        if let Some(&id) = self.term_ids.find(hash, |&id| text_of(id) == term) {
            return id;
        }
        let id = terms.len() as u32;
        self.term_ids.insert_unique(hash, id, |&id| hash_of(text_of(id)));
        let start = arena.len() as u32;
        arena.push_str(term);
        terms.push((start, arena.len() as u32));
        self.current.push(0);
        id
    }

    fn finish(self) -> FileTerms {
        self.res
    }
}

pub(super) fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use foreword_chunk::LineIndex;

    #[test]
    fn lines_are_counted_as_an_index_of_lines_counts_them() {
        for text in ["", "a", "\n", "a\n", "a\nb", "\n\n", "a\r\nb\n"] {
            let expected = LineIndex::new(text.as_bytes()).count();
            assert_eq!(super::lines_in(text), expected, "{text:?}");
        }
    }
}
