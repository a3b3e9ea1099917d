//! What a whole snapshot gives away for a home elsewhere: each file as a segment of its own, tables of files, the
//! dictionary. And partial snapshots made of it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::index::analyze::AnalyzedFile;
use crate::index::bm25::{Bm25, WeightedQuery};
use crate::index::config::IndexConfig;
use crate::index::ids::{FileId, FileLocation};
use crate::index::manifest::{IndexedFile, Manifest};
use crate::index::partial::Partial;
use crate::index::record::FileRecord;
use crate::index::segment::{PackedFile, Segment, SegmentBuilder, SegmentError};
use crate::index::snapshot::Snapshot;
use crate::index::terms::{MAX_TERM_BYTES, identifiers, term_of};
use crate::source::Stamp;

/// Why a file or a table cannot be exported or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The index of the exporting side is damaged there.
    #[error("{path}: the index is damaged there; `foreword index --rebuild` makes it anew")]
    Damaged {
        /// The file.
        path: String,
    },
    /// What came back is not what was exported.
    #[error("{path}: what is stored is not the file; push it again: {reason}")]
    NotTheFile {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A table of files cannot be read.
    #[error("a table of files cannot be used: {0}")]
    Table(#[from] SegmentError),
}

/// The mark of a file, among its terms, that has a name too long to be a term. No name has its letter.
pub(in crate::index) const LONG_NAMES: &str = "\u{1}";

/// A file for a home elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedFile {
    /// A segment of this file alone.
    pub segment: Vec<u8>,
    /// For each term the highest score that it can add to a chunk of the file, with idf and weight 1. The mark of files with
    /// names too long to be terms is among them.
    pub terms: Vec<(String, f32)>,
    /// Defined names with the number of their definitions.
    pub definitions: Vec<(String, u32)>,
    /// Used names with counts.
    pub uses: Vec<(String, u32)>,
}

/// All terms and names of a snapshot, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary {
    /// Terms with the number of chunks that contain them.
    pub terms: Vec<(String, u32)>,
    /// Names with the number of definitions and of files that use them.
    pub names: Vec<(String, [u32; 2])>,
}

impl Snapshot {
    /// A file with everything that a search needs of it.
    pub fn export(&self, file: FileId, bm25: &Bm25) -> Result<ExportedFile, ExportError> {
        let (text, record) = self.contents(file);
        let mut record = FileRecord::clone(&record);
        if record.chunks.len() != self.chunks(file).len() {
            return Err(ExportError::Damaged { path: self.path(file).to_owned() });
        }
        (*self.mentions_in(file)).clone().restore(&mut record.symbols);
        let analyzed =
            AnalyzedFile::with_record(self.path(file).to_owned(), text.to_string(), record);
        let norms = self.weighted_query(&[], bm25);
        let (mut terms, definitions) = (best_scores(&analyzed, &norms), definitions(&analyzed));
        if has_long_name(&text) {
            terms.insert(0, (LONG_NAMES.to_owned(), 1.0));
        }
        let packed = PackedFile::new(analyzed);
        let mut builder = SegmentBuilder::new(&self.config());
        builder.add(&packed);
        let uses = packed.uses().to_vec();
        Ok(ExportedFile { segment: builder.finish(), terms, definitions, uses })
    }

    /// A segment with the table of `files`, without their contents.
    pub fn export_table(&self, files: &[FileId]) -> Vec<u8> {
        let mut builder = SegmentBuilder::new(&self.config());
        files.iter().for_each(|it| {
            let (segment, ord) = self.locate(*it);
            builder.add_row(&segment.table, ord);
        });
        builder.finish()
    }

    /// All terms and names with their counts. Names and terms of files outside the view are left out.
    pub fn export_dictionary(&self) -> Dictionary {
        let terms = self.terms_like("", &fst::automaton::AlwaysMatch);
        let terms_as_str: Vec<&str> = terms.iter().map(String::as_str).collect();
        let frequencies = self.document_frequencies(&terms_as_str);
        let names = self.names_like("", &fst::automaton::AlwaysMatch, &|_| true).into_iter();
        let counted = |name: String| {
            let counts = [self.definitions(&name).len(), self.references(&name).len()];
            (name, counts.map(|it| it as u32))
        };
        Dictionary {
            terms: terms.into_iter().zip(frequencies).filter(|it| it.1 > 0).collect(),
            names: names.map(counted).filter(|it| it.1 != [0, 0]).collect(),
        }
    }

    /// The snapshot of exported tables, without contents.
    pub fn of_tables(
        tables: Vec<Vec<u8>>,
        config: IndexConfig,
        partial: Arc<Partial>,
    ) -> Result<Self, ExportError> {
        let segments: Result<Vec<Arc<Segment>>, SegmentError> =
            tables.into_iter().map(|it| Segment::of_memory(it, &config).map(Arc::new)).collect();
        let segments = segments?;
        let mut manifest = Manifest { complete: true, ..Manifest::default() };
        for (number, segment) in (0..).zip(&segments) {
            manifest.files.extend((0..segment.n_files()).map(|ord| IndexedFile {
                path: segment.table.paths[ord as usize].clone(),
                stamp: Stamp::default(),
                recorded_at_ns: 0,
                hash: segment.table.hashes[ord as usize],
                location: FileLocation { segment: number, ord },
                masked: 0,
            }));
        }
        manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self::new(segments, &manifest, config).with_partial(partial))
    }

    /// This partial snapshot with the contents of further files, as [`Snapshot::export`] gave them away.
    pub fn with_exported(&self, files: Vec<(FileId, Vec<u8>)>) -> Result<Self, ExportError> {
        let mut contents = HashMap::new();
        for (file, bytes) in files {
            let wrong = |reason: String| ExportError::NotTheFile {
                path: self.path(file).to_owned(),
                reason,
            };
            let segment = Segment::of_memory(bytes, &self.config());
            let segment = segment.map_err(|it| wrong(format!("it {it}")))?;
            let (table, hash) = (&segment.table, self.hash(file));
            if table.paths != [self.path(file)] || table.hashes != [hash] {
                return Err(wrong("it has another path or content".to_owned()));
            }
            if segment.n_chunks() as usize != self.chunks(file).len() {
                return Err(wrong("it was analysed otherwise".to_owned()));
            }
            contents.insert(file, Arc::new(segment));
        }
        Ok(self.with_segments_of(&contents))
    }
}

/// For each term the highest score in a chunk, in the order of the terms.
fn best_scores(analyzed: &AnalyzedFile, query: &WeightedQuery) -> Vec<(String, f32)> {
    let terms: Vec<&str> = analyzed.terms.terms().collect();
    let mut res: Vec<(String, f32)> = terms.iter().map(|it| ((*it).to_owned(), 0.0)).collect();
    for it in &analyzed.terms.postings {
        let lengths = analyzed.terms.lengths[it.chunk as usize];
        let score = query.score_of_one(it.frequencies, lengths);
        let best = &mut res[it.term as usize].1;
        *best = best.max(score);
    }
    res.sort_by(|a, b| a.0.cmp(&b.0));
    res
}

/// Whether a text has a name that is too long to be a term.
fn has_long_name(text: &str) -> bool {
    let mut res = false;
    identifiers(text, |start, end| {
        // In lower case a letter can have more bytes.
        let can_be_long = end - start > MAX_TERM_BYTES / 2;
        res |= can_be_long && term_of(&text[start..end]).len() > MAX_TERM_BYTES;
    });
    res
}

/// Names under which the definitions of a file are found, with their numbers.
fn definitions(analyzed: &AnalyzedFile) -> Vec<(String, u32)> {
    let mut res: BTreeMap<String, u32> = BTreeMap::new();
    SegmentBuilder::each_definition(analyzed, |name, _| {
        *res.entry(name.to_owned()).or_default() += 1;
    });
    res.into_iter().collect()
}
