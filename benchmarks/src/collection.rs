//! A collection of a given number of chunks from the files below a directory, indexed on disk; and queries like those of
//! completions.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use foreword_chunk::Config;
use foreword_engine::index::terms::{identifiers, terms_of};
use foreword_engine::index::{
    AnalyzedFile, ChunkId, FileLocation, IndexConfig, IndexedFile, Manifest, PackedFile, Segment,
    SegmentBuilder, Snapshot, Store, Writer,
};
use foreword_engine::preset;
use foreword_engine::source::Stamp;
use rayon::prelude::*;

use crate::corpus::{self, File};
use crate::random::Random;

/// Files that are analysed in one batch.
const AT_ONCE: usize = 256;

/// How far above the hole terms are looked for, in lines.
const LINES: usize = 400;

/// A snapshot with about the requested number of chunks.
pub(crate) struct Collection {
    pub(crate) snapshot: Snapshot,
    /// How often each file occurs: more than once if the directory has too few.
    pub(crate) copies: usize,
}

impl Collection {
    /// Takes files in a shuffled order that is always the same, and all of them again under other paths while there are
    /// too few chunks. Segments are cut at `batch` bytes of the builder, as an index within a limit of memory has them.
    pub(crate) fn build(
        root: &Path,
        scratch: &Path,
        chunks: u32,
        batch: usize,
    ) -> anyhow::Result<Self> {
        let mut files = corpus::files(root)?;
        let mut random = Random(1);
        (1..files.len()).rev().for_each(|at| files.swap(at, random.below(at + 1)));
        let store = Store::new(scratch.join("collection"), IndexConfig::default());
        let writer = store.try_write()?.context("a fresh directory has no other writer")?;
        let mut making = Making::new(&writer, batch);
        let mut copies = 0;
        while making.chunks < chunks {
            for part in files.chunks(AT_ONCE) {
                if making.chunks < chunks {
                    making.add(part, copies)?;
                }
            }
            copies += 1;
        }
        Ok(Self { snapshot: making.finish()?, copies })
    }
}

struct Making<'w> {
    writer: &'w Writer,
    batch: usize,
    builder: SegmentBuilder,
    segments: Vec<Arc<Segment>>,
    files: Vec<IndexedFile>,
    in_builder: u32,
    chunks: u32,
}

impl<'w> Making<'w> {
    fn new(writer: &'w Writer, batch: usize) -> Self {
        let builder = SegmentBuilder::new(&IndexConfig::default());
        Self {
            writer,
            batch,
            builder,
            segments: Vec::new(),
            files: Vec::new(),
            in_builder: 0,
            chunks: 0,
        }
    }

    fn add(&mut self, files: &[File], copy: usize) -> anyhow::Result<()> {
        let path =
            |it: &File| if copy == 0 { it.path.clone() } else { format!("copy{copy}/{}", it.path) };
        let analysed = |it: &File| {
            let analysed = AnalyzedFile::new(path(it), it.text.clone(), &Config::default());
            let hash = analysed.hash;
            (hash, path(it), analysed.record.chunks.len() as u32, PackedFile::new(analysed))
        };
        let done: Vec<_> = files.par_iter().map(analysed).collect();
        for (hash, path, chunks, packed) in done {
            self.builder.add(&packed);
            let location =
                FileLocation { segment: self.segments.len() as u32, ord: self.in_builder };
            self.files.push(IndexedFile {
                path,
                stamp: Stamp::default(),
                recorded_at_ns: 0,
                hash,
                location,
                masked: 0,
            });
            self.in_builder += 1;
            self.chunks += chunks;
        }
        if self.builder.memory() > self.batch { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        let empty = SegmentBuilder::new(&IndexConfig::default());
        let bytes = std::mem::replace(&mut self.builder, empty).finish();
        self.segments.push(self.writer.write_segment(&bytes)?);
        self.in_builder = 0;
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<Snapshot> {
        if !self.builder.is_empty() {
            self.flush()?;
        }
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let config = IndexConfig::default();
        let mut manifest = Manifest::new("collection".to_owned(), config.fingerprint());
        manifest.files = self.files;
        manifest.segments = self.segments.iter().map(|it| it.id()).collect();
        manifest.complete = true;
        self.writer.compact(&mut manifest, &mut self.segments)?;
        Ok(Snapshot::new(self.segments, &manifest, config))
    }
}

/// Which words become terms of a query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// As for a completion: no keywords, no terms that more than a fifth of all chunks have.
    Telling,
    /// Every word of the index.
    All,
}

/// The `n` terms nearest above the middle of a chunk: the query of a completion there.
pub(crate) fn half_chunk_terms(
    snapshot: &Snapshot,
    id: ChunkId,
    n: usize,
    words: Words,
) -> Option<Vec<String>> {
    let text = snapshot.text(id.file);
    let info = snapshot.chunk(id);
    let hole = text.floor_char_boundary((info.start + info.end) as usize / 2);
    let keywords = snapshot.language(id.file).map_or(&[][..], foreword_chunk::Language::keywords);
    let most = snapshot.totals().chunks as f32 * preset::context().query.max_share;
    let (mut res, mut scratch): (Vec<String>, String) = (Vec::new(), String::new());
    for line in text[..hole].rsplit('\n').take(LINES) {
        identifiers(line, |start, end| {
            let word = &line[start..end];
            if words == Words::Telling && keywords.binary_search(&word).is_ok() {
                return;
            }
            terms_of(word, &mut scratch, |term, _| {
                if res.len() < n && !res.iter().any(|it| it == term) {
                    let frequency = snapshot.document_frequency(term);
                    if frequency > 0 && (words == Words::All || frequency as f32 <= most) {
                        res.push(term.to_owned());
                    }
                }
            });
        });
        if res.len() == n {
            return Some(res);
        }
    }
    None
}
