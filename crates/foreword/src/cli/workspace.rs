//! Opens the workspace and the index that a command works on.

mod mend;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use foreword_engine::index::{Snapshot, Store};
use foreword_load::{Report, Reuse, SkipReason, SyncOutcome, Workspace};
use indicatif::{ProgressBar, ProgressStyle};

pub(super) use self::mend::{answer, attempt, mend};
use super::config::Settings;
use super::output;
use crate::host::{SyncRequest, unread_note};

/// How long to wait for another process that writes the index; then the answer comes from memory.
const WAIT: Duration = Duration::from_secs(10);

/// The largest file that is read because it was named, unless larger files are indexed: memory is bounded.
const MAX_NAMED_BYTES: u64 = 64 << 20;

/// The progress bar appears after this time.
const BAR_AFTER: Duration = Duration::from_millis(300);

/// The workspace around `path`, or around the directory of the settings.
pub(super) fn discover(settings: &Settings, path: Option<&Path>) -> anyhow::Result<Workspace> {
    let path = path.or(settings.root.as_deref()).unwrap_or(Path::new("."));
    Ok(settings.setup().discover(path)?)
}

/// The directory whose workspace answers for a file that was named, unless it is the current one: that of the file, if
/// the file lies in a repository of its own. A stray file is no reason to index the directory around it.
pub(super) fn directory_of(settings: &Settings, file: &Path) -> Option<PathBuf> {
    if settings.root.is_some() {
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

/// The workspace's index directory.
pub(super) fn store(settings: &Settings, workspace: &Workspace) -> anyhow::Result<Store> {
    Ok(settings.setup().store(workspace)?)
}

/// A workspace with its index.
pub(super) struct OpenWorkspace {
    pub(super) workspace: Workspace,
    pub(super) store: Store,
    pub(super) snapshot: Snapshot,
    /// What could not be read, and so is missing in answers.
    pub(super) unread: Option<String>,
    /// How long opening and updating took.
    pub(super) took: Duration,
}

/// Opens the index; updates it first unless the settings say `--stale`. What answers from it does so through [`answer`],
/// or through [`attempt`] and [`mend`].
pub(super) fn open(settings: &Settings, path: Option<&Path>) -> anyhow::Result<OpenWorkspace> {
    let start = Instant::now();
    let workspace = discover(settings, path)?;
    let store = store(settings, &workspace)?;
    if settings.stale
        && let Some(stored) = foreword_load::open_as_is(&workspace, &store)
        && stored.damage.is_empty()
    {
        let (snapshot, took) = (stored.snapshot, start.elapsed());
        return Ok(OpenWorkspace { workspace, store, snapshot, unread: None, took });
    }
    let synced = synchronise(settings, &workspace, &store, Reuse::Stored)?;
    let unread = unread(&synced);
    remark(settings, &synced.report, unread.as_deref());
    let (snapshot, took) = (synced.snapshot, start.elapsed());
    Ok(OpenWorkspace { workspace, store, snapshot, unread, took })
}

/// The largest file that is read because it was named.
pub(super) fn most_bytes(settings: &Settings) -> u64 {
    settings.max_file_size.value.max(MAX_NAMED_BYTES)
}

/// Why a file that was named is not read, and what helps.
pub(super) fn unreadable(file: &Path, reason: &SkipReason) -> String {
    let name = file.display();
    match reason {
        SkipReason::Unreadable { .. } => format!("{name} {reason}"),
        SkipReason::TooLarge { .. } => format!("{name}: {reason}; --max-file-size raises it"),
        _ => format!("{name}: {reason}"),
    }
}

/// A remark about files that cannot be read: with wrong permissions, answers are poorer than they look.
pub(super) fn unread(synced: &SyncOutcome) -> Option<String> {
    let unreadable = synced.unreadable()?;
    Some(unread_note(&unreadable, &output::path(&unreadable.first)))
}

/// Brings the index up to date, with a progress bar on a terminal.
pub(super) fn synchronise(
    settings: &Settings,
    workspace: &Workspace,
    store: &Store,
    reuse: Reuse,
) -> anyhow::Result<SyncOutcome> {
    let bar = Bar::new(settings);
    let progress = |it: foreword_load::Progress| bar.show(it);
    let request = SyncRequest { wait: WAIT, reuse, progress: &progress, partial: None };
    let res = settings.setup().sync(workspace, store, request);
    bar.finish();
    Ok(res?)
}

/// Tells the user about problems of an update.
fn remark(settings: &Settings, report: &Report, unread: Option<&str>) {
    if settings.quiet {
        return;
    }
    if let Some(unread) = unread {
        output::note(unread);
    }
    remark_damage(settings, report);
    if let Some(why) = &report.unwritten {
        output::note(&format!("the index was not written, so the work will be done again: {why}"));
    }
}

/// Tells the user about damage that was found and mended.
pub(super) fn remark_damage(settings: &Settings, report: &Report) {
    if let Some(damage) = damage(report).filter(|_| !settings.quiet) {
        output::note(&damage);
    }
}

/// What was damaged, and what was done about it, on one line.
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
            format!("the damaged index was mended: {n} read again from the disk ({first}{more})")
        }
        Some(_) => {
            format!(
                "the index is damaged; for this answer {n} read again from the disk ({first}{more})"
            )
        }
    })
}

/// A progress bar that appears when indexing takes a while.
struct Bar {
    start: Instant,
    shown: bool,
    bar: OnceLock<ProgressBar>,
}

impl Bar {
    fn new(settings: &Settings) -> Self {
        let shown = !settings.quiet && output::stderr_is_terminal();
        Self { start: Instant::now(), shown, bar: OnceLock::new() }
    }

    fn show(&self, it: foreword_load::Progress) {
        if !self.shown || self.start.elapsed() < BAR_AFTER {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style =
                ProgressStyle::with_template("indexing {bar:30} {pos}/{len} files, {eta} left");
            ProgressBar::new(it.total as u64)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_position(it.done as u64);
    }

    fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
