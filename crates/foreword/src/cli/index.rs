//! `foreword index`: builds or updates the index.

mod scip;

use std::time::Instant;

use foreword_engine::index::Snapshot;
use foreword_load::{Effort, Reuse};
use foreword_session::answer::status::unparsed_note;
use serde::Serialize;

use self::scip::ScipOutput;
use super::args::IndexArgs;
use super::config::Settings;
use super::{Outcome, output, workspace};

/// JSON of `index --json` (docs/json.md).
#[derive(Serialize)]
struct Summary<'s> {
    version: u32,
    root: String,
    index: String,
    snapshot: &'s str,
    complete: bool,
    files: u32,
    chunks: u32,
    lines: u64,
    bytes: u64,
    index_bytes: u64,
    unchanged: usize,
    read: usize,
    parsed: usize,
    removed: usize,
    skipped: usize,
    /// Unreadable files.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<String>,
    rebuilt: bool,
    /// Damaged files.
    damage: Vec<String>,
    unwritten: Option<String>,
    /// Imported SCIP indexes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scip: Vec<ScipOutput>,
    elapsed_ms: f64,
}

pub(super) fn run(args: &IndexArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let workspace = workspace::discover(settings, args.path.as_deref())?;
    let store = workspace::store(settings, &workspace)?;
    let reuse = if args.rebuild { Reuse::Nothing } else { Reuse::Verified };
    let synced = workspace::synchronise(settings, &workspace, &store, reuse, Effort::Full)?;
    workspace::remark_damage(settings, &synced.report);
    remark_unparsed(settings, &synced.snapshot);
    let scip = scip::import(args, settings, &workspace, &store, &synced.snapshot)?;
    let elapsed = start.elapsed();
    let totals = synced.snapshot.totals();
    let unread = workspace::unread(&synced);
    let report = synced.report;
    let outcome = if report.unwritten.is_some() { Outcome::Nothing } else { Outcome::Done };
    let summary = Summary {
        version: 1,
        root: workspace.root.display().to_string(),
        index: store.dir().display().to_string(),
        snapshot: synced.snapshot.id(),
        complete: synced.snapshot.is_complete(),
        files: totals.files,
        chunks: totals.chunks,
        lines: totals.lines,
        bytes: totals.bytes,
        index_bytes: store.size_on_disk(),
        unchanged: report.unchanged,
        read: report.read,
        parsed: report.parsed,
        removed: report.removed,
        skipped: synced.walk.skipped.len() + synced.manifest.skipped.len(),
        unread,
        rebuilt: !report.damage.is_empty(),
        damage: report.damage,
        unwritten: report.unwritten,
        scip,
        elapsed_ms: elapsed.as_secs_f64() * 1e3,
    };
    print(&summary, args)?;
    Ok(outcome)
}

fn print(it: &Summary<'_>, args: &IndexArgs) -> anyhow::Result<Outcome> {
    if args.json { output::json(it) } else { output::text(&text(it)) }
}

/// Prints a note about files without a syntax tree.
fn remark_unparsed(settings: &Settings, snapshot: &Snapshot) {
    if let Some(note) = unparsed_note(snapshot).filter(|_| !settings.quiet) {
        output::note(&output::plain(&note).replace('\n', " "));
    }
}

fn text(it: &Summary<'_>) -> String {
    let mut text = format!(
        "{} files, {} lines, {:.1} MB in {} chunks; {} parsed, {} unchanged, {} excluded; {:.2} s\n",
        it.files,
        it.lines,
        it.bytes as f64 / 1e6,
        it.chunks,
        it.parsed,
        it.unchanged,
        it.skipped,
        it.elapsed_ms / 1e3,
    );
    text.push_str(&format!("index: {} ({:.1} MB)\n", it.index, it.index_bytes as f64 / 1e6));
    if let Some(unread) = &it.unread {
        text.push_str(&format!("{unread}\n"));
    }
    if let Some(why) = &it.unwritten {
        text.push_str(&format!("not written: {why}\n"));
    }
    text.extend(it.scip.iter().map(ScipOutput::text));
    if it.files == 0 {
        text.push_str("nothing to index; `foreword status --ignored` lists excluded files\n");
    }
    text
}
