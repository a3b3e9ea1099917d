//! Brings a view of the index up to date with the disk: stats everything, reads what is not proven unchanged, parses
//! what no segment knows, commits.
//!
//! There is one writer. Whoever comes second waits a while, then answers from memory and says so; the same holds where
//! the index directory cannot be written. Batches are committed as they are finished, so a killed run loses the last.

use std::collections::{BTreeMap, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use foreword_chunk::Language;
use foreword_engine::index::{
    Analysed, IndexedFile, Known, Manifest, Packed, Place, Segment, SegmentBuilder, SegmentId,
    SkippedFile, Snapshot, Store, StoreError, Writer,
};
use foreword_engine::source::ContentHash;
use rayon::prelude::*;

use crate::{
    Found, Limits, LoadError, SkipReason, Stamp, Walk, WalkConfig, Workspace, now_ns,
    proves_unchanged, read, walk,
};

/// What the process holds beside the segment in the making: grammars, trees, the texts at work, the allocator's slack.
/// From a run over a 35 MB tree (`benchmarks/results/`).
const BASE_MEMORY: usize = 96 << 20;

/// No batch is smaller than this, however little memory is allowed: below it segments would be tiny.
const LEAST_BATCH: usize = 8 << 20;

/// Parsers recurse little, but a deep tree must not end the process.
const STACK: usize = 16 << 20;

/// When the first part of an index is handed to [`SyncOptions::partial`]; each further one takes twice as long.
const FIRST_PART: Duration = Duration::from_millis(25);

/// How often the lock is tried again.
const POLL: Duration = Duration::from_millis(50);

/// How to synchronise.
pub struct SyncOptions<'o> {
    /// What is walked.
    pub walk: WalkConfig,
    /// What is read.
    pub limits: Limits,
    /// About how many bytes of memory may be used.
    pub memory: usize,
    /// Threads; 0 for one a core.
    pub threads: usize,
    /// How long to wait for another writer.
    pub wait: Duration,
    /// Forget what the view had and read everything.
    pub rebuild: bool,
    /// Called as files are done, from any thread.
    pub progress: Option<&'o (dyn Fn(Progress) + Sync)>,
    /// Called with what is indexed so far, at growing intervals, from any thread.
    pub partial: Option<&'o (dyn Fn(Snapshot) + Sync)>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Files done.
    pub done: usize,
    /// Files to do.
    pub total: usize,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that the stamp proved unchanged.
    pub unchanged: usize,
    /// Files that were read.
    pub read: usize,
    /// Of those, files that were parsed; the others' contents were known.
    pub parsed: usize,
    /// Files that are gone.
    pub removed: usize,
    /// Whether an index was there that could not be believed.
    pub rebuilt: bool,
    /// Why nothing was written, when nothing could be: the answer is right, but the work will be done again.
    pub unwritten: Option<String>,
}

/// A view that is up to date.
pub struct Synced {
    /// Ready to be asked.
    pub snapshot: Snapshot,
    /// The view.
    pub manifest: Manifest,
    /// What the walk found and left out.
    pub walk: Walk,
    /// The clock before the walk began.
    pub walked_at_ns: i64,
    /// What was done.
    pub report: Report,
}

impl Synced {
    /// A path that the disk did not let us read, and how many there are; what is in them is in no answer.
    pub fn unreadable(&self) -> Option<(&str, usize)> {
        let walked = self.walk.skipped.iter();
        let walked = walked.filter(|it| matches!(it.reason, SkipReason::Unreadable { .. }));
        let code = SkipReason::Unreadable { error: String::new() }.code();
        let read = self.manifest.skipped.iter().filter(|it| it.code == code);
        let mut paths = walked.map(|it| it.path.as_str()).chain(read.map(|it| it.path.as_str()));
        Some((paths.next()?, 1 + paths.count()))
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyncError {
    /// The directory cannot be walked.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The index just made cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Threads could not be started.
    #[error("cannot start threads: {0}; try --threads 1")]
    Threads(String),
}

/// Brings the view of `workspace` in `store` up to date and opens it.
pub fn sync(
    workspace: &Workspace,
    store: &Store,
    options: &SyncOptions<'_>,
) -> Result<Synced, SyncError> {
    let view = workspace.view_key();
    let walked_at_ns = now_ns();
    let found = walk(&workspace.root, &options.walk)?;
    let reading = reading(&options.limits, &found);
    let mut opened = Opened::new(workspace, store, &view, options.rebuild);
    let mut plan = Plan::new(&opened.manifest, &found, &reading);
    if plan.is_nothing()
        && opened.manifest.complete
        && let Some(snapshot) = opened.snapshot
    {
        let manifest = opened.manifest;
        let report = Report { unchanged: manifest.files.len(), ..Report::default() };
        return Ok(Synced { snapshot, manifest, walk: found, walked_at_ns, report });
    }
    let (writer, unwritten) = become_writer(store, options.wait);
    // While we waited, another writer may have done our work.
    if writer.is_some() && opened.is_stale(store, &view) {
        opened = Opened::new(workspace, store, &view, options.rebuild);
        plan = Plan::new(&opened.manifest, &found, &reading);
    }
    let mut report = Report {
        unchanged: plan.kept.len(),
        removed: plan.removed,
        rebuilt: opened.rebuilt,
        ..Report::default()
    };
    opened.manifest.reading = reading;
    let work = Work::new(workspace, store, &view, writer, opened, &plan, options);
    let (manifest, segments) = work.run(&plan, &mut report, unwritten)?;
    let snapshot = Snapshot::new(segments, &manifest, store.config());
    Ok(Synced { snapshot, manifest, walk: found, walked_at_ns, report })
}

/// Opens the view as it was last committed, without a look at the disk; `None` when there is none to be believed.
pub fn open_as_is(workspace: &Workspace, store: &Store) -> Option<(Manifest, Snapshot)> {
    let manifest = store.manifest(&workspace.view_key())?;
    let snapshot = store.snapshot(&manifest).ok()?;
    Some((manifest, snapshot))
}

/// A view as it was last committed.
struct Opened {
    /// A fresh one when there is none to be believed.
    manifest: Manifest,
    snapshot: Option<Snapshot>,
    /// Whether an index is there that cannot be believed.
    rebuilt: bool,
}

impl Opened {
    fn new(workspace: &Workspace, store: &Store, view: &str, rebuild: bool) -> Self {
        let root = workspace.root.to_string_lossy().into_owned();
        let fresh = |rebuilt| Self {
            manifest: Manifest::new(root.clone(), store.config().fingerprint()),
            snapshot: None,
            rebuilt,
        };
        let Some(manifest) = store.manifest(view).filter(|_| !rebuild) else {
            return fresh(store.has_view(view) && !rebuild);
        };
        match store.snapshot(&manifest) {
            Ok(snapshot) => Self { manifest, snapshot: Some(snapshot), rebuilt: false },
            Err(_) => fresh(true),
        }
    }

    /// Whether another manifest was committed since.
    fn is_stale(&self, store: &Store, view: &str) -> bool {
        let now = store.manifest(view);
        now.as_ref() != self.snapshot.as_ref().map(|_| &self.manifest)
    }
}

fn become_writer(store: &Store, wait: Duration) -> (Option<Writer>, Option<String>) {
    let start = Instant::now();
    loop {
        match store.try_write() {
            Ok(Some(writer)) => return (Some(writer), None),
            Ok(None) if start.elapsed() < wait => std::thread::sleep(POLL),
            Ok(None) => return (None, Some("another process is writing the index".to_owned())),
            Err(error) => return (None, Some(error.to_string())),
        }
    }
}

/// How files are read: what one reading left out another one may take, and the other way round. The limits say so, and
/// which files are wanted although they look minified or generated.
fn reading(limits: &Limits, walk: &Walk) -> String {
    let wanted: Vec<&str> =
        walk.files.iter().filter(|it| it.wanted).map(|it| it.path.as_str()).collect();
    match wanted.is_empty() {
        true => format!("{limits:?}"),
        false => format!("{limits:?} {:?}", ContentHash::of(wanted.join("\n").as_bytes())),
    }
}

/// What is to be done to a view.
struct Plan<'w> {
    /// Files that are proven unchanged.
    kept: Vec<IndexedFile>,
    /// Files that were looked at and left out, and are proven unchanged.
    kept_out: Vec<SkippedFile>,
    to_read: Vec<&'w Found>,
    removed: usize,
}

impl<'w> Plan<'w> {
    fn new(manifest: &Manifest, walk: &'w Walk, reading: &str) -> Self {
        let mut res =
            Self { kept: Vec::new(), kept_out: Vec::new(), to_read: Vec::new(), removed: 0 };
        let is_read_alike = manifest.reading == reading;
        let left_out = manifest.skipped.iter();
        let out: HashMap<&str, &SkippedFile> = left_out.map(|it| (it.path.as_str(), it)).collect();
        let mut known = 0;
        for found in &walk.files {
            let proves =
                |stamp: &Stamp, at: i64| is_read_alike && proves_unchanged(&found.stamp, stamp, at);
            match (manifest.file(&found.path), out.get(found.path.as_str())) {
                (Some(it), _) if proves(&it.stamp, it.recorded_at_ns) => {
                    known += 1;
                    res.kept.push(it.clone());
                }
                (None, Some(it)) if proves(&it.stamp, it.recorded_at_ns) => {
                    res.kept_out.push((*it).clone());
                }
                (indexed, _) => {
                    known += usize::from(indexed.is_some());
                    res.to_read.push(found);
                }
            }
        }
        res.removed = manifest.files.len() - known;
        res
    }

    fn is_nothing(&self) -> bool {
        self.to_read.is_empty() && self.removed == 0
    }
}

/// The state that threads share.
struct State {
    builder: SegmentBuilder,
    /// Files in `builder`, by their number there.
    pending: Vec<IndexedFile>,
    files: BTreeMap<String, IndexedFile>,
    skipped: BTreeMap<String, SkippedFile>,
    segments: Vec<Arc<Segment>>,
    ids: HashMap<SegmentId, u32>,
    report: Report,
    error: Option<StoreError>,
    /// When the next part is due, and the time between it and the one before.
    part: (Instant, Duration),
}

struct Work<'a> {
    workspace: &'a Workspace,
    store: &'a Store,
    view: &'a str,
    writer: Option<Writer>,
    options: &'a SyncOptions<'a>,
    manifest: Manifest,
    known: Known,
    batch: usize,
    state: Mutex<State>,
    done: AtomicUsize,
    failed: AtomicBool,
}

impl<'a> Work<'a> {
    fn new(
        workspace: &'a Workspace,
        store: &'a Store,
        view: &'a str,
        writer: Option<Writer>,
        opened: Opened,
        plan: &Plan<'_>,
        options: &'a SyncOptions<'a>,
    ) -> Self {
        let Opened { manifest, snapshot, .. } = opened;
        let known = if options.rebuild { Known::default() } else { store.known() };
        let segments = snapshot.map(|it| it.segments()).unwrap_or_default();
        let ids = (0_u32..).zip(&segments).map(|(idx, it)| (it.id(), idx)).collect();
        let state = State {
            builder: SegmentBuilder::new(&store.config()),
            pending: Vec::new(),
            files: plan.kept.iter().map(|it| (it.path.clone(), it.clone())).collect(),
            skipped: plan.kept_out.iter().map(|it| (it.path.clone(), it.clone())).collect(),
            segments,
            ids,
            report: Report::default(),
            error: None,
            part: (Instant::now() + FIRST_PART, FIRST_PART),
        };
        Self {
            workspace,
            store,
            view,
            writer,
            options,
            manifest,
            known,
            batch: options.memory.saturating_sub(BASE_MEMORY).max(LEAST_BATCH),
            state: Mutex::new(state),
            done: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
        }
    }

    fn run(
        self,
        plan: &Plan<'_>,
        report: &mut Report,
        unwritten: Option<String>,
    ) -> Result<(Manifest, Vec<Arc<Segment>>), SyncError> {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(self.options.threads).stack_size(STACK);
        let pool = pool.build().map_err(|it| SyncError::Threads(it.to_string()))?;
        let total = plan.to_read.len();
        pool.install(|| {
            plan.to_read.par_iter().for_each(|found| {
                if !self.failed.load(Ordering::Relaxed) {
                    self.take(found);
                    let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                    self.options.progress.inspect(|it| it(Progress { done, total }));
                }
            });
        });
        self.seal(&mut self.lock());
        let Self { mut manifest, view, writer, state, .. } = self;
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.read = state.report.read;
        report.parsed = state.report.parsed;
        report.unwritten = unwritten.or_else(|| state.error.as_ref().map(ToString::to_string));
        let mut segments = state.segments;
        fill(&mut manifest, state.files, state.skipped, &segments, true);
        if let (Some(writer), None) = (&writer, &report.unwritten) {
            let committed = writer
                .compact(&mut manifest, &mut segments)
                .and_then(|()| writer.commit(view, &manifest));
            report.unwritten = committed.err().map(|it| it.to_string());
        }
        Ok((manifest, segments))
    }

    /// One file: read, recognised or analysed, added.
    fn take(&self, found: &Found) {
        let recorded_at_ns = now_ns();
        let text = match read(&self.workspace.root, found, &self.options.limits) {
            Ok(text) => text,
            Err(reason) => return self.skip(found, recorded_at_ns, &reason),
        };
        let hash = ContentHash::of(text.text.as_bytes());
        let place = Place { segment: 0, ord: 0 };
        let path = found.path.clone();
        let file = IndexedFile { path, stamp: text.stamp, recorded_at_ns, hash, place };
        if self.reuse(&file) {
            return;
        }
        let language =
            Language::of_path(&found.path, &text.text[..text.text.floor_char_boundary(4096)]);
        let record = self.known.record(hash, language);
        let parsed = record.is_none();
        let analysed = std::panic::catch_unwind(AssertUnwindSafe(|| {
            Packed::new(match record {
                Some(record) => Analysed::with_record(found.path.clone(), text.text, record),
                None => Analysed::new(found.path.clone(), text.text, &self.store.config().chunk),
            })
        }));
        match analysed {
            Ok(packed) => self.add(file, &packed, parsed),
            Err(_) => self.skip(found, recorded_at_ns, &SkipReason::Internal),
        }
    }

    /// Whether a segment has the file already, in this view or in another one.
    fn reuse(&self, file: &IndexedFile) -> bool {
        let Some((segment, ord)) = self.known.file(&file.path, file.hash) else { return false };
        let mut state = self.lock();
        let next = state.segments.len() as u32;
        let idx = *state.ids.entry(segment.id()).or_insert(next);
        if idx == next {
            state.segments.push(Arc::clone(segment));
        }
        state.report.read += 1;
        let place = Place { segment: idx, ord };
        state.files.insert(file.path.clone(), IndexedFile { place, ..file.clone() });
        true
    }

    fn add(&self, file: IndexedFile, packed: &Packed, parsed: bool) {
        let full = {
            let mut state = self.lock();
            state.builder.add(packed);
            state.pending.push(file);
            state.report.read += 1;
            state.report.parsed += usize::from(parsed);
            let due = self.options.partial.is_some() && state.part.0 <= Instant::now();
            due || state.builder.memory() > self.batch
        };
        if full {
            self.checkpoint();
        }
    }

    fn skip(&self, found: &Found, recorded_at_ns: i64, reason: &SkipReason) {
        let mut state = self.lock();
        state.report.read += 1;
        let skipped = SkippedFile {
            path: found.path.clone(),
            stamp: found.stamp,
            recorded_at_ns,
            code: reason.code().to_owned(),
            reason: reason.to_string(),
        };
        state.skipped.insert(found.path.clone(), skipped);
    }

    /// Makes a segment of what is gathered and commits it: what is done so far lasts. While it is made the others wait:
    /// memory is what is short.
    fn checkpoint(&self) {
        let mut state = self.lock();
        if !self.seal(&mut state) {
            return;
        }
        let mut manifest = self.manifest.clone();
        fill(&mut manifest, state.files.clone(), state.skipped.clone(), &state.segments, false);
        if let (Some(writer), None) = (&self.writer, &state.error) {
            state.error = writer.commit(self.view, &manifest).err();
        }
        if let Some(partial) = self.options.partial {
            partial(Snapshot::new(state.segments.clone(), &manifest, self.store.config()));
            let pause = state.part.1 * 2;
            state.part = (Instant::now() + pause, pause);
        }
    }

    /// Makes a segment of what is gathered; says whether there was anything.
    fn seal(&self, state: &mut State) -> bool {
        if state.builder.is_empty() {
            return false;
        }
        let empty = SegmentBuilder::new(&self.store.config());
        let bytes = std::mem::replace(&mut state.builder, empty).finish();
        let pending = std::mem::take(&mut state.pending);
        let Some(segment) = self.keep(state, bytes) else { return false };
        let idx = state.segments.len() as u32;
        state.ids.insert(segment.id(), idx);
        state.segments.push(segment);
        for (ord, file) in (0_u32..).zip(pending) {
            let place = Place { segment: idx, ord };
            state.files.insert(file.path.clone(), IndexedFile { place, ..file });
        }
        true
    }

    /// The segment, on disk if it can be, else in memory.
    fn keep(&self, state: &mut State, bytes: Vec<u8>) -> Option<Arc<Segment>> {
        if let (Some(writer), None) = (&self.writer, &state.error) {
            match writer.write_segment(&bytes) {
                Ok(segment) => return Some(segment),
                Err(error) => state.error = Some(error),
            }
        }
        let segment = Segment::of_memory(bytes, &self.store.config());
        self.failed.store(segment.is_err(), Ordering::Relaxed);
        segment.ok().map(Arc::new)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn fill(
    manifest: &mut Manifest,
    files: BTreeMap<String, IndexedFile>,
    skipped: BTreeMap<String, SkippedFile>,
    segments: &[Arc<Segment>],
    complete: bool,
) {
    manifest.files = files.into_values().collect();
    manifest.skipped = skipped.into_values().collect();
    manifest.segments = segments.iter().map(|it| it.id()).collect();
    manifest.complete = complete;
    manifest.generation += 1;
}
