//! Opens the workspace and index of a command.

mod mend;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use foreword_engine::index::{FileId, IndexConfig, IndexedFile, Snapshot, Store};
use foreword_load::{Effort, LoadError, Report, Reuse, SkipReason, SyncOutcome, Workspace};
use foreword_session::custom::Additions;
use foreword_session::setup::{SyncRequest, WRITER_WAIT, deferred_note, unread_note};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

pub(super) use self::mend::{answer, attempt, mend};
use super::config::Settings;
use super::position::Position;
use super::{output, usage};

/// Waiting time after which the user is notified.
const NOTIFY_AFTER: Duration = Duration::from_secs(1);

/// Time after which the progress bar appears.
const BAR_AFTER: Duration = Duration::from_millis(300);

/// The workspace around `path`, or around the directory of the settings.
pub(super) fn discover(settings: &Settings, path: Option<&Path>) -> anyhow::Result<Workspace> {
    let path = path.or(settings.root.as_deref()).unwrap_or(Path::new("."));
    settings.setup().discover(path).map_err(|error| match error {
        LoadError::Bare { .. } => {
            usage(format!("{error}; or answer from one of its revisions, as with --rev HEAD"))
        }
        error => error.into(),
    })
}

/// Directory of the workspace for an explicitly named file, if it is not the current one: the file's own repository. A
/// file outside any repository has none, because its directory must not be indexed.
pub(super) fn directory_of(settings: &Settings, file: &Path) -> Option<PathBuf> {
    if settings.root.is_some() || settings.revision.is_some() {
        return None;
    }
    let here = discover(settings, None).ok();
    if here.is_some_and(|it| it.relative(file).is_ok()) {
        return None;
    }
    let parent = file.parent().filter(|it| it.is_dir())?;
    let own = discover(settings, Some(parent)).ok()?;
    own.git.is_some().then(|| parent.to_path_buf())
}

/// Resolves a path from the user, in every command: relative to the working directory, else to `-C`, else to the root
/// (as paths in answers are). The first existing one counts, else the first that is inside the workspace.
pub(super) fn locate(settings: &Settings, workspace: &Workspace, path: &Path) -> PathBuf {
    let beginnings = [Some(Path::new("")), settings.root.as_deref(), Some(&workspace.root)];
    let places: Vec<PathBuf> = beginnings.into_iter().flatten().map(|it| it.join(path)).collect();
    let is_inside = |it: &&PathBuf| workspace.relative(it).is_ok();
    let inside = || places.iter().filter(is_inside);
    let found = inside().find(|it| workspace.entry(it).is_some()).or_else(|| inside().next());
    found.cloned().unwrap_or_else(|| path.to_owned())
}

/// The path in the index that the user means, who may have pasted `FILE:FIRST-LAST` from an answer.
pub(super) fn relative(
    settings: &Settings,
    workspace: &Workspace,
    text: &str,
) -> anyhow::Result<String> {
    let file = Position::parse(text)?.file;
    Ok(workspace.relative(&locate(settings, workspace, &file))?)
}

/// Index directory of the workspace.
pub(super) fn store(settings: &Settings, workspace: &Workspace) -> anyhow::Result<Store> {
    Ok(settings.setup().store(workspace)?)
}

/// A workspace with its index.
pub(super) struct OpenWorkspace {
    pub(super) workspace: Workspace,
    pub(super) store: Store,
    pub(super) snapshot: Snapshot,
    /// Files of the snapshot.
    files: Vec<IndexedFile>,
    /// Unreadable files, which are missing in answers.
    pub(super) unread: Option<String>,
    /// Files without a syntax tree so far, whose definitions may be missing in answers.
    pub(super) deferred: Option<String>,
    /// Time for opening and updating.
    pub(super) took: Duration,
}

impl OpenWorkspace {
    /// Adds the changes since the last commit, which a context uses.
    pub(super) fn add_diff(&mut self) {
        let diff = foreword_load::commit_diff(&self.workspace, &self.files, &self.snapshot);
        let snapshot =
            std::mem::replace(&mut self.snapshot, Snapshot::empty(IndexConfig::default()));
        self.snapshot = snapshot.with_diff(Arc::new(diff));
    }
}

/// Opens the index; updates it first unless `--stale` is set. Callers answer through [`answer`], or through [`attempt`]
/// and [`mend`].
pub(super) fn open(settings: &Settings, path: Option<&Path>) -> anyhow::Result<OpenWorkspace> {
    let start = Instant::now();
    let workspace = discover(settings, path)?;
    output::set_root(&workspace);
    let store = store(settings, &workspace)?;
    if settings.stale
        && let Some(stored) = foreword_load::open_as_is(&workspace, &store)
        && stored.damage.is_empty()
    {
        let (snapshot, files) = (stored.snapshot, stored.manifest.files);
        let took = start.elapsed();
        let deferred = deferred(&snapshot);
        return Ok(OpenWorkspace {
            workspace,
            store,
            snapshot,
            files,
            unread: None,
            deferred,
            took,
        });
    }
    let synced = synchronise(settings, &workspace, &store, Reuse::Stored, Effort::Round)?;
    let (unread, deferred) = (unread(&synced), deferred(&synced.snapshot));
    remark(settings, &synced.report, [&unread, &deferred]);
    let (snapshot, files, took) = (synced.snapshot, synced.manifest.files, start.elapsed());
    Ok(OpenWorkspace { workspace, store, snapshot, files, unread, deferred, took })
}

/// Maximum size of an explicitly named file.
pub(super) fn most_bytes(settings: &Settings) -> u64 {
    settings.config.max_named_bytes()
}

/// Error for an unreadable file, with a remedy.
pub(super) fn unreadable(file: &Path, reason: &SkipReason) -> String {
    let name = file.display();
    match reason {
        SkipReason::Unreadable { .. } => format!("{name} {reason}"),
        SkipReason::TooLarge { .. } => format!("{name}: {reason}; --max-file-size raises it"),
        SkipReason::Gone if name.to_string().contains([':', '#']) => format!(
            "{name} does not exist; write a place as FILE:LINE or FILE:LINE:COL, with numbers from 1"
        ),
        SkipReason::Gone => {
            format!("{name} does not exist; check the spelling and the working directory")
        }
        _ => format!("{name}: {reason}"),
    }
}

/// The file on disk that the user names by a path; of a commit, where it would be.
fn existing(settings: &Settings, workspace: &Workspace, named: &str) -> anyhow::Result<PathBuf> {
    let file = locate(settings, workspace, &Position::parse(named)?.file);
    match file.exists() || workspace.revision.is_some() {
        true => Ok(file),
        false => Err(usage(unreadable(Path::new(named), &SkipReason::Gone))),
    }
}

/// The paths of existing files, indexed or not.
pub(super) fn existing_paths(
    settings: &Settings,
    workspace: &Workspace,
    named: &[String],
) -> anyhow::Result<Vec<String>> {
    let path = |it: &String| {
        existing(settings, workspace, it)?;
        relative(settings, workspace, it)
    };
    named.iter().map(path).collect()
}

/// The indexed file that the user names by a path.
pub(super) fn indexed(
    settings: &Settings,
    opened: &OpenWorkspace,
    named: &str,
) -> anyhow::Result<(String, FileId)> {
    let path = relative(settings, &opened.workspace, named)?;
    if let Some(file) = opened.snapshot.file(&path) {
        return Ok((path, file));
    }
    let file = existing(settings, &opened.workspace, named)?;
    settings.setup().admit_file(Some(&opened.workspace), &file)?;
    Err(usage(format!("{path} is not in the index: it is ignored, or is not a source file")))
}

/// A note about unreadable files: answers may be incomplete.
pub(super) fn unread(synced: &SyncOutcome) -> Option<String> {
    let unreadable = synced.unreadable()?;
    Some(unread_note(&unreadable, &output::path(&unreadable.first)))
}

/// A note about files without a syntax tree so far.
fn deferred(snapshot: &Snapshot) -> Option<String> {
    let note = deferred_note(snapshot, "`foreword index` parses them")?;
    Some(output::plain(&note).replace('\n', " "))
}

/// Updates the index, with a progress bar on a terminal.
pub(super) fn synchronise(
    settings: &Settings,
    workspace: &Workspace,
    store: &Store,
    reuse: Reuse,
    effort: Effort,
) -> anyhow::Result<SyncOutcome> {
    let bar = Bar::new(settings);
    let progress = |it: foreword_load::Progress| bar.show(it);
    let told = AtomicBool::new(false);
    let waiting = |waited: Duration| {
        if waited >= NOTIFY_AFTER && !settings.quiet && !told.swap(true, Ordering::Relaxed) {
            output::note("another process is indexing this repository; waiting for its work");
        }
    };
    let request = SyncRequest {
        wait: WRITER_WAIT,
        waiting: Some(&waiting),
        reuse,
        effort,
        progress: &progress,
        partial: None,
        cancel: None,
    };
    let res = settings.setup().sync(workspace, store, request);
    bar.finish();
    if let Some(why) = settings.analyzer.fallback().filter(|_| !settings.quiet) {
        output::note(&format!("files were parsed in this process, which they may stop: {why}"));
    }
    Ok(res?)
}

/// Prints notes about problems of an update.
fn remark(settings: &Settings, report: &Report, notes: [&Option<String>; 2]) {
    if settings.quiet {
        return;
    }
    notes.into_iter().flatten().for_each(|it| output::note(it));
    remark_damage(settings, report);
    if let Some(why) = &report.unwritten {
        output::note(&format!("the index was not written, so this work will be repeated: {why}"));
    }
}

/// Prints a note about repaired damage.
pub(super) fn remark_damage(settings: &Settings, report: &Report) {
    if let Some(damage) = damage(report).filter(|_| !settings.quiet) {
        output::note(&damage);
    }
}

/// Prints notes about faulty customisation.
pub(super) fn remark_additions(settings: &Settings, additions: &Additions) {
    for it in additions.problems.iter().filter(|_| !settings.quiet) {
        output::note(&format!("skipped: {}", output::plain(it)));
    }
}

/// Damage and its repair, on one line.
fn damage(report: &Report) -> Option<String> {
    let first = output::path(report.damage.first()?);
    let more = match report.damage.len() - 1 {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    let n = if report.read == 1 {
        "1 file was".to_owned()
    } else {
        format!("{} files were", report.read)
    };
    Some(match report.unwritten {
        None => {
            format!("the damaged index was repaired: {n} read again from disk ({first}{more})")
        }
        Some(_) => {
            format!(
                "the index is damaged; for this answer {n} read again from disk ({first}{more})"
            )
        }
    })
}

/// Returns what `work` returns; while it takes long, a terminal shows `message`.
pub(super) fn with_spinner<T>(
    settings: &Settings,
    message: &'static str,
    work: impl FnOnce() -> T,
) -> T {
    if settings.quiet || !output::stderr_is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        // The channel closes when the work is done.
        let (done, waiting) = mpsc::channel::<()>();
        let spin = move || {
            let mut spinner = None;
            while waiting.recv_timeout(BAR_AFTER) == Err(RecvTimeoutError::Timeout) {
                let new = || ProgressBar::new_spinner().with_message(message);
                spinner.get_or_insert_with(new).tick();
            }
            spinner.iter().for_each(ProgressBar::finish_and_clear);
        };
        // Where no thread can start, nothing is shown; the spinner's own thread would panic there.
        let _ = std::thread::Builder::new().spawn_scoped(scope, spin);
        let res = work();
        drop(done);
        res
    })
}

/// A progress bar that appears after a delay.
struct Bar {
    start: Instant,
    shown: bool,
    bar: OnceLock<ProgressBar>,
    /// Estimated end.
    end: Mutex<Option<Instant>>,
}

/// Weight of a new estimate of the end: files differ in size, so estimates are smoothed. First guess.
const NEW_ESTIMATE: f64 = 0.02;

impl Bar {
    fn new(settings: &Settings) -> Self {
        let shown = !settings.quiet && output::stderr_is_terminal();
        Self { start: Instant::now(), shown, bar: OnceLock::new(), end: Mutex::new(None) }
    }

    fn show(&self, it: foreword_load::Progress) {
        if !self.shown || self.start.elapsed() < BAR_AFTER {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style =
                ProgressStyle::with_template("indexing {bar:30} {pos}/{len} files, {msg} left");
            ProgressBar::new(it.total as u64)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_position(it.done as u64);
        let left = self.left(it).as_secs();
        bar.set_message(HumanDuration(Duration::from_secs(left.max(1))).to_string());
    }

    /// Estimated remaining time, from the time of the files done so far.
    fn left(&self, it: foreword_load::Progress) -> Duration {
        let passed = self.start.elapsed();
        let share = it.total.saturating_sub(it.done) as f64 / it.done.max(1) as f64;
        let now = Instant::now();
        let estimate = now + passed.mul_f64(share);
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let before = end.unwrap_or(estimate);
        let smooth = smoothed(before, estimate);
        *end = Some(smooth);
        smooth.saturating_duration_since(now)
    }

    fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// Moves the estimated end slightly towards a new estimate.
fn smoothed(before: Instant, estimate: Instant) -> Instant {
    let (later, sooner) =
        (estimate.saturating_duration_since(before), before.saturating_duration_since(estimate));
    let smooth = before + later.mul_f64(NEW_ESTIMATE);
    smooth.checked_sub(sooner.mul_f64(NEW_ESTIMATE)).unwrap_or(smooth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_that_jumps_moves_the_end_a_little_and_one_that_stays_is_reached() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let seconds = |it: Instant| (it - start).as_secs_f64();
        assert!((seconds(smoothed(at(100), at(200))) - 102.0).abs() < 1e-6);
        assert!((seconds(smoothed(at(100), at(50))) - 99.0).abs() < 1e-6);
        let reached = (0..400).fold(at(100), |end, _| smoothed(end, at(30)));
        assert!((seconds(reached) - 30.0).abs() < 0.1);
    }
}
