//! Opens the workspace and index of a command.

mod mend;
mod on_cluster;
mod progress;
mod seed;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use foreword_engine::index::{FileId, IndexConfig, IndexedFile, Snapshot, Store};
use foreword_load::{
    Effort, LoadError, Report, Reuse, SkipReason, SyncError, SyncOutcome, Workspace,
};
use foreword_session::custom::{Additions, Adjustments};
use foreword_session::setup::{Setup, SyncRequest, WRITER_WAIT, deferred_note, unread_note};

pub(super) use self::mend::{answer, answer_with, attempt, mend};
pub(super) use self::on_cluster::{
    answer_and_read, answer_at, answer_on_cluster, file_in, path_in,
};
use self::progress::Bar;
pub(super) use self::progress::{Interruption, Preview, with_spinner};
pub(super) use self::seed::answer_seeded;
use super::config::Settings;
use super::position::Position;
use super::{output, usage};

/// Waiting time after which the user is notified.
const NOTIFY_AFTER: Duration = Duration::from_secs(1);

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
    /// Name of the pushed state that is answered from, if this machine has none of its files.
    pub(super) pushed: Option<String>,
    /// `cluster` for the first answers of a clone, which come from there.
    pub(super) answered_from: Option<&'static str>,
    /// Unreadable files, which are missing in answers.
    pub(super) unread: Option<String>,
    /// Files without a syntax tree so far, whose definitions may be missing in answers.
    pub(super) deferred: Option<String>,
    /// Time for opening and updating.
    pub(super) took: Duration,
}

impl OpenWorkspace {
    /// Tags, and the customisation and votes that are on this machine.
    pub(super) fn adjustments(
        &self,
        setup: &Setup,
        tags: &[String],
    ) -> anyhow::Result<Adjustments> {
        match self.pushed {
            Some(_) => Adjustments::of_tags(tags),
            None => Adjustments::new(setup, &self.workspace, &self.snapshot, tags),
        }
    }

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
    open_with(settings, path, None)
}

/// Like [`open`]; while the first index takes long, a person sees a first answer.
fn open_with(
    settings: &Settings,
    path: Option<&Path>,
    preview: Option<&Preview<'_>>,
) -> anyhow::Result<OpenWorkspace> {
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
            pushed: None,
            answered_from: None,
            unread: None,
            deferred,
            took,
        });
    }
    let how = (Reuse::Stored, Effort::Round);
    let synced = synchronise_with(settings, &workspace, &store, how, preview)?;
    let (unread, deferred) = (unread(&synced), deferred(&synced.snapshot));
    remark(settings, &synced.report, [&unread, &deferred]);
    let (snapshot, files, took) = (synced.snapshot, synced.manifest.files, start.elapsed());
    let (pushed, answered_from) = (None, None);
    Ok(OpenWorkspace {
        workspace,
        store,
        snapshot,
        files,
        pushed,
        answered_from,
        unread,
        deferred,
        took,
    })
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
    synchronise_with(settings, workspace, store, (reuse, effort), None)
}

/// Like [`synchronise`], with a first answer for people who wait.
fn synchronise_with(
    settings: &Settings,
    workspace: &Workspace,
    store: &Store,
    (reuse, effort): (Reuse, Effort),
    preview: Option<&Preview<'_>>,
) -> anyhow::Result<SyncOutcome> {
    let bar = Bar::new(settings);
    let progress = |it: foreword_load::Progress| bar.show(it);
    let told = AtomicBool::new(false);
    let waiting = |waited: Duration| {
        if waited >= NOTIFY_AFTER && !settings.quiet && !told.swap(true, Ordering::Relaxed) {
            output::note("another process is indexing this repository; waiting for its work");
        }
    };
    let sync = |partial: Option<&(dyn Fn(Snapshot) + Sync)>| {
        let request = SyncRequest {
            wait: WRITER_WAIT,
            waiting: Some(&waiting),
            reuse,
            effort,
            progress: &progress,
            partial,
            cancel: Some(Bar::interrupted()),
        };
        settings.setup().sync(workspace, store, request)
    };
    let preview = preview.map(|it| move |snapshot: &Snapshot| it(workspace, snapshot));
    let res = match preview {
        Some(preview) if bar.is_shown() => bar.with_preview(&preview, sync),
        _ => bar.shown_during(|| sync(None)),
    };
    if let Some(why) = settings.analyzer.fallback().filter(|_| !settings.quiet) {
        output::note(&format!("files were parsed in this process, which they may stop: {why}"));
    }
    match res {
        Err(SyncError::Load(LoadError::Cancelled { .. })) => Err(bar.interruption().into()),
        res => Ok(res?),
    }
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
