//! Reads, analyses and stores the files of a plan, and commits each finished batch.

use std::collections::{BTreeMap, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use foreword_chunk::{Analysis, Language};
use foreword_engine::index::{
    AnalyzedFile, Check, FileLocation, FileRecord, IndexedFile, KnownFiles, Manifest, PackedFile,
    Segment, SegmentBuilder, SegmentId, SkippedFile, Snapshot, Store, StoreError, Writer,
};
use foreword_engine::source::ContentHash;
use rayon::prelude::*;

use super::committed::CommittedView;
use super::plan::Plan;
use super::types::{Progress, Report, Reuse, SyncError, SyncOptions};
use super::views::{remove_checkouts, remove_unneeded};
use crate::analyzer::{Job, Round};
use crate::error::LoadError;
use crate::root::Root;
use crate::skip::SkipReason;
use crate::stamp::now_ns;
use crate::text::read;
use crate::threads;
use crate::walk::FileEntry;

/// Memory of the process besides the segment being built: grammars, trees, texts in work, the allocator's slack. From a
/// run over a 35 MB tree (`benchmarks/results/parse.md`).
const BASE_MEMORY: usize = 96 << 20;

/// Minimum size of a batch; smaller segments would be inefficient.
const MIN_BATCH: usize = 8 << 20;

/// Maximum amount sent to a worker at once.
const BATCH_FILES: usize = 32;
const BATCH_BYTES: u64 = 256 << 10;

/// A batch that took this long and deferred a text is committed at once: a run that is interrupted again and again shall
/// not begin with the same expensive texts each time.
const EXPENSIVE: Duration = Duration::from_millis(200);

/// Parsers recurse little, but deep trees must not overflow the stack.
pub(super) const STACK: usize = 16 << 20;

/// Time until the first partial snapshot is passed to [`SyncOptions::partial`]; the interval doubles each time.
const FIRST_PARTIAL: Duration = Duration::from_millis(25);

/// State shared by the threads.
struct State {
    builder: SegmentBuilder,
    /// Files in `builder`, in the same order.
    pending: Vec<IndexedFile>,
    files: BTreeMap<String, IndexedFile>,
    skipped: BTreeMap<String, SkippedFile>,
    segments: Vec<Arc<Segment>>,
    ids: HashMap<SegmentId, u32>,
    report: Report,
    error: Option<StoreError>,
    /// The error that ended the run.
    failure: Option<LoadError>,
    /// Time of the next partial snapshot, and the current interval.
    next_partial: (Instant, Duration),
}

impl State {
    fn new(
        store: &Store,
        manifest: &Manifest,
        segments: Vec<Arc<Segment>>,
        plan: &Plan<'_>,
    ) -> Self {
        let ids = (0_u32..).zip(&segments).map(|(idx, it)| (it.id(), idx)).collect();
        let unchanged = plan.unchanged.iter().map(|at| &manifest.files[*at]);
        let files = unchanged.map(|it| (it.path.clone(), it.clone()));
        let skipped = plan.still_skipped.iter().map(|it| (it.path.clone(), it.clone()));
        Self {
            builder: SegmentBuilder::new(&store.config()),
            pending: Vec::new(),
            files: files.collect(),
            skipped: skipped.collect(),
            segments,
            ids,
            report: Report::default(),
            error: None,
            failure: None,
            next_partial: (Instant::now() + FIRST_PARTIAL, FIRST_PARTIAL),
        }
    }
}

/// The indexed view and its store.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) root: &'a Root,
    pub(super) store: &'a Store,
    pub(super) view: &'a str,
}

/// The source of a file's analysis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It was parsed.
    Parsed,
    /// A file with the same content was already indexed.
    KnownContent,
}

/// A file that was read but is not yet indexed.
struct ReadFile<'f> {
    entry: &'f FileEntry,
    file: IndexedFile,
    text: String,
    language: Option<Language>,
    /// The record of another file with the same content.
    record: Option<FileRecord>,
    /// The analysis of the text, if an earlier round had deferred it.
    analysis: Option<Analysis>,
}

/// Reads, analyses and commits the files of a plan, on several threads.
pub(super) struct Indexer<'a> {
    target: Target<'a>,
    writer: Option<Writer>,
    options: &'a SyncOptions<'a>,
    manifest: Manifest,
    known: KnownFiles,
    /// The time that expensive texts share.
    round: Round,
    batch: usize,
    state: Mutex<State>,
    done: AtomicUsize,
    failed: AtomicBool,
}

impl<'a> Indexer<'a> {
    pub(super) fn new(
        target: Target<'a>,
        writer: Option<Writer>,
        view: CommittedView,
        plan: &Plan<'_>,
        options: &'a SyncOptions<'a>,
    ) -> Self {
        let CommittedView { manifest, segments, damage, .. } = view;
        let store = target.store;
        let known = match options.reuse {
            Reuse::Nothing => KnownFiles::default(),
            // Damage seldom comes alone.
            Reuse::Stored if damage.is_empty() => store.known(Check::Opening),
            Reuse::Stored | Reuse::Verified => store.known(Check::Blocks),
        };
        let state = Mutex::new(State::new(store, &manifest, segments, plan));
        Self {
            target,
            writer,
            options,
            manifest,
            known,
            round: options.analyzer.round(),
            batch: options.memory.saturating_sub(BASE_MEMORY).max(MIN_BATCH),
            state,
            done: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
        }
    }

    pub(super) fn run(
        self,
        plan: &Plan<'_>,
        report: &mut Report,
        unwritten: Option<String>,
    ) -> Result<(Manifest, Vec<Arc<Segment>>), SyncError> {
        let pool = threads::pool(self.options.threads, STACK);
        let pool = pool.map_err(|source| LoadError::Threads { source })?;
        let batches = batches(&plan.to_read, pool.current_num_threads());
        pool.install(|| batches.par_iter().for_each(|it| self.index(it, plan.to_read.len())));
        self.options.analyzer.end_idle();
        if self.options.is_cancelled() {
            self.checkpoint();
            return Err(LoadError::Cancelled { path: self.target.root.path().to_owned() }.into());
        }
        if let Some(failure) = self.lock().failure.take() {
            return Err(failure.into());
        }
        self.seal(&mut self.lock());
        let Self { mut manifest, target, writer, state, .. } = self;
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.read = state.report.read;
        report.parsed = state.report.parsed;
        report.unwritten = unwritten.or_else(|| state.error.as_ref().map(ToString::to_string));
        let mut segments = state.segments;
        fill(&mut manifest, state.files, state.skipped, &segments);
        manifest.complete = true;
        if let (Some(writer), None) = (&writer, &report.unwritten) {
            let committed = writer.compact(&mut manifest, &mut segments).and_then(|()| {
                remove_checkouts(target.store);
                remove_unneeded(writer, target.store, target.view, &manifest);
                writer.commit(target.view, &manifest)
            });
            report.unwritten = committed.err().map(|it| it.to_string());
        }
        Ok((manifest, segments))
    }

    /// Reads and analyses files.
    fn index(&self, files: &[&FileEntry], total: usize) {
        let (mut read, mut bytes) = (Vec::new(), 0);
        for (at, entry) in files.iter().enumerate() {
            if self.failed.load(Ordering::Relaxed) || self.options.is_cancelled() {
                return;
            }
            read.extend(self.read(entry).inspect(|it| bytes += it.text.len() as u64));
            // The sizes of a commit's files are known only now.
            if bytes > BATCH_BYTES || at + 1 == files.len() {
                self.analyze(std::mem::take(&mut read));
                bytes = 0;
            }
        }
        let done = self.done.fetch_add(files.len(), Ordering::Relaxed) + files.len();
        self.options.progress.inspect(|it| it(Progress { done, total }));
    }

    /// Reuses or makes the analyses of files.
    fn analyze(&self, read: Vec<ReadFile<'_>>) {
        let start = Instant::now();
        let config = &self.target.store.config().chunk;
        let is_known = |it: &ReadFile<'_>| it.record.is_some() || it.analysis.is_some();
        let (known, new): (Vec<_>, Vec<_>) = read.into_iter().partition(is_known);
        let jobs: Vec<Job<'_>> =
            new.iter().map(|it| Job::file(&it.file.path, &it.text, config)).collect();
        let analyses = self.options.analyzer.analyze_round(&jobs, &self.round);
        let has_deferred = analyses.iter().any(|it| it.outcome.is_preliminary());
        for mut it in known {
            match it.analysis.take() {
                Some(analysis) => self.pack_analysis(it, analysis),
                None => {
                    let record = it.record.take().unwrap_or_default();
                    let pack = |path, text| AnalyzedFile::with_record(path, text, record);
                    self.pack(it, Origin::KnownContent, pack);
                }
            }
        }
        for (it, analysis) in new.into_iter().zip(analyses) {
            self.pack_analysis(it, analysis);
        }
        if has_deferred && start.elapsed() >= EXPENSIVE {
            self.checkpoint();
        }
    }

    /// Reads a file; `None` if no further work remains.
    fn read<'f>(&self, entry: &'f FileEntry) -> Option<ReadFile<'f>> {
        let recorded_at_ns = now_ns();
        let text = match read(self.target.root, entry, &self.options.limits) {
            Ok(text) => text,
            Err(reason) => {
                self.unread(entry, recorded_at_ns, &reason);
                return None;
            }
        };
        let hash = ContentHash::of(text.text.as_bytes());
        let location = FileLocation { segment: 0, ord: 0 };
        let path = entry.path.clone();
        let file = IndexedFile {
            path,
            stamp: text.stamp,
            recorded_at_ns,
            hash,
            location,
            masked: text.masked,
        };
        if self.reuse(&file) {
            return None;
        }
        let head = &text.text[..text.text.floor_char_boundary(4096)];
        let language = Language::of_path(&entry.path, head);
        let mut record = self.known.record(hash, language);
        let analyzer = self.options.analyzer;
        let analysis = record.is_none().then(|| analyzer.deferred_analysis(&(hash, language)));
        let analysis = analysis.flatten();
        if record.is_none() && analysis.is_none() {
            // It would be deferred again.
            record = self.known.preliminary(hash, language);
        }
        Some(ReadFile { entry, file, text: text.text, language, record, analysis })
    }

    fn pack_analysis(&self, it: ReadFile<'_>, analysis: Analysis) {
        let language = it.language;
        let pack = |path, text| AnalyzedFile::with_analysis(path, text, language, analysis);
        self.pack(it, Origin::Parsed, pack);
    }

    /// Adds an analysed file.
    fn pack(
        &self,
        it: ReadFile<'_>,
        origin: Origin,
        analyzed: impl FnOnce(String, String) -> AnalyzedFile,
    ) {
        let ReadFile { entry, file, text, .. } = it;
        let path = file.path.clone();
        let packed =
            std::panic::catch_unwind(AssertUnwindSafe(|| PackedFile::new(analyzed(path, text))));
        match packed {
            Ok(packed) => self.add(file, &packed, origin),
            Err(_) => self.skip(entry, file.recorded_at_ns, &SkipReason::Internal),
        }
    }

    /// Reuses the file from a segment of this or another view; `false` if there is none.
    fn reuse(&self, file: &IndexedFile) -> bool {
        let Some((segment, ord)) = self.known.file(&file.path, file.hash) else { return false };
        let mut state = self.lock();
        let next = state.segments.len() as u32;
        let idx = *state.ids.entry(segment.id()).or_insert(next);
        if idx == next {
            state.segments.push(Arc::clone(segment));
        }
        state.report.read += 1;
        let location = FileLocation { segment: idx, ord };
        state.files.insert(file.path.clone(), IndexedFile { location, ..file.clone() });
        true
    }

    fn add(&self, file: IndexedFile, packed: &PackedFile, origin: Origin) {
        let is_full = {
            let mut state = self.lock();
            state.builder.add(packed);
            state.pending.push(file);
            state.report.read += 1;
            state.report.parsed += usize::from(origin == Origin::Parsed);
            let is_due = self.options.partial.is_some() && state.next_partial.0 <= Instant::now();
            is_due || state.builder.memory() > self.batch
        };
        if is_full {
            self.checkpoint();
        }
    }

    /// Records a file without text.
    fn unread(&self, entry: &FileEntry, recorded_at_ns: i64, reason: &SkipReason) {
        if let Some(failure) = self.target.root.failure() {
            return self.fail(failure);
        }
        match reason {
            SkipReason::TooManyOpenFiles => {
                let path = self.target.root.path().join(&entry.path);
                self.fail(LoadError::TooManyOpenFiles { path });
            }
            // As if the walk had come a moment later.
            SkipReason::Gone => {}
            reason => self.skip(entry, recorded_at_ns, reason),
        }
    }

    /// Ends the run: without handles, every file would seem unreadable.
    fn fail(&self, failure: LoadError) {
        self.lock().failure.get_or_insert(failure);
        self.failed.store(true, Ordering::Relaxed);
    }

    fn skip(&self, entry: &FileEntry, recorded_at_ns: i64, reason: &SkipReason) {
        // After a temporary failure the next run reads the file again.
        let recorded_at_ns = if reason.is_lasting() { recorded_at_ns } else { i64::MIN };
        let mut state = self.lock();
        state.report.read += 1;
        let skipped = SkippedFile {
            path: entry.path.clone(),
            stamp: entry.stamp,
            recorded_at_ns,
            code: reason.code().to_owned(),
            reason: reason.to_string(),
        };
        state.skipped.insert(entry.path.clone(), skipped);
    }

    /// Commits a segment of the gathered files, so that a crash does not lose them. The other threads wait meanwhile,
    /// because memory is scarce.
    fn checkpoint(&self) {
        let mut state = self.lock();
        if !self.seal(&mut state) {
            return;
        }
        let mut manifest = self.manifest.clone();
        fill(&mut manifest, state.files.clone(), state.skipped.clone(), &state.segments);
        manifest.complete = false;
        if let (Some(writer), None) = (&self.writer, &state.error) {
            state.error = writer.commit_unfinished(self.target.view, &manifest).err();
        }
        if let Some(partial) = self.options.partial {
            let store = self.target.store;
            let snapshot = Snapshot::new(state.segments.clone(), &manifest, store.config());
            partial(snapshot.with_facts(store.facts()));
            let pause = state.next_partial.1 * 2;
            state.next_partial = (Instant::now() + pause, pause);
        }
    }

    /// Makes a segment of the gathered files; `false` if there are none.
    fn seal(&self, state: &mut State) -> bool {
        if state.builder.is_empty() {
            return false;
        }
        let empty = SegmentBuilder::new(&self.target.store.config());
        let bytes = std::mem::replace(&mut state.builder, empty).finish();
        let pending = std::mem::take(&mut state.pending);
        let Some(segment) = self.store_segment(state, bytes) else { return false };
        let idx = state.segments.len() as u32;
        state.ids.insert(segment.id(), idx);
        state.segments.push(segment);
        for (ord, file) in (0_u32..).zip(pending) {
            let location = FileLocation { segment: idx, ord };
            state.files.insert(file.path.clone(), IndexedFile { location, ..file });
        }
        true
    }

    /// Writes the segment to disk if possible, else keeps it in memory.
    fn store_segment(&self, state: &mut State, bytes: Vec<u8>) -> Option<Arc<Segment>> {
        if let (Some(writer), None) = (&self.writer, &state.error) {
            match writer.write_segment(&bytes) {
                Ok(segment) => return Some(segment),
                Err(error) => state.error = Some(error),
            }
        }
        let segment = Segment::of_memory(bytes, &self.target.store.config());
        self.failed.store(segment.is_err(), Ordering::Relaxed);
        segment.ok().map(Arc::new)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Splits the files into batches for workers: large enough for a low overhead, small enough to occupy all threads.
fn batches<'f, 'e>(files: &'f [&'e FileEntry], threads: usize) -> Vec<&'f [&'e FileEntry]> {
    let most = files.len().div_ceil(threads * 4).clamp(1, BATCH_FILES);
    let mut res = Vec::new();
    let mut rest = files;
    while !rest.is_empty() {
        let ends = rest.iter().scan(0, |bytes, it| {
            *bytes += it.stamp.size;
            Some(*bytes)
        });
        let fits = ends.take(most).take_while(|it| *it <= BATCH_BYTES).count();
        let (batch, others) = rest.split_at(fits.max(1));
        res.push(batch);
        rest = others;
    }
    res
}

/// Sets the contents of a manifest and increments its generation.
fn fill(
    manifest: &mut Manifest,
    files: BTreeMap<String, IndexedFile>,
    skipped: BTreeMap<String, SkippedFile>,
    segments: &[Arc<Segment>],
) {
    manifest.files = files.into_values().collect();
    manifest.skipped = skipped.into_values().collect();
    manifest.segments = segments.iter().map(|it| it.id()).collect();
    manifest.generation += 1;
}
