//! `foreword status`: indexed and excluded files, with reasons.

use foreword_chunk::ParseOutcome;
use foreword_engine::index::{IndexedFile, Manifest, Store};
use foreword_engine::speculate::schedule;
use foreword_load::{Encoding, EntryType, Masking, Root, SkipReason, Workspace, explain};
use foreword_session::answer::status::{
    Git, Listing, SecretCount, Stale, Status, UnparsedFiles, status,
};
use foreword_session::speculation::PlanPaths;
use foreword_session::speculation::coverage::{PlanCounts, TotalCost, stored_plans};
use serde::Serialize;

use super::args::StatusArgs;
use super::config::Settings;
use super::embed::{self, VectorCounts};
use super::output::{DIM, NAME};
use super::{Outcome, output, usage, workspace};

pub(super) fn run(args: &StatusArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.path {
        return of_path(path, args, settings);
    }
    let workspace = workspace::discover(settings, None)?;
    output::set_root(&workspace);
    let store = workspace::store(settings, &workspace)?;
    let listing = if args.ignored { Listing::All } else { Listing::Counts };
    let status = status(&settings.setup(), &workspace, &store, listing)?;
    if let Some(damage) = status.damage.first().filter(|_| !settings.quiet) {
        output::note(&format!("{}; the next query repairs it", output::path(damage)));
    }
    let plans = plans(&workspace, &store);
    let vectors = vectors(settings, &workspace, &store)?;
    if args.json {
        return output::json(&Output { status: &status, plans, vectors });
    }
    let plans = plans.as_ref().map(PlanStatus::text).unwrap_or_default();
    let vectors = vectors.map(|it| it.text()).unwrap_or_default();
    output::text(&(text(&status) + &plans + &vectors))
}

/// JSON of `status --json`.
#[derive(Serialize)]
struct Output<'s> {
    #[serde(flatten)]
    status: &'s Status,
    /// Plans of a chat model; `None` if no model has planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    plans: Option<PlanStatus>,
    /// Vectors of the embedding model; `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    vectors: Option<VectorCounts>,
}

/// Counts the vectors of the current index.
fn vectors(
    settings: &Settings,
    workspace: &Workspace,
    store: &Store,
) -> anyhow::Result<Option<VectorCounts>> {
    let Some(stored) = foreword_load::open_as_is(workspace, store) else { return Ok(None) };
    embed::status(settings, store, &stored.snapshot)
}

/// The plans of a chat model, and their total cost.
#[derive(Serialize)]
struct PlanStatus {
    #[serde(flatten)]
    counts: PlanCounts,
    model: String,
    #[serde(flatten)]
    cost: TotalCost,
}

/// Counts the plans of the current index; `None` if no model has planned.
fn plans(workspace: &Workspace, store: &Store) -> Option<PlanStatus> {
    let (plans, model) = stored_plans(workspace, store)?;
    let snapshot = foreword_load::open_as_is(workspace, store)?.snapshot;
    let counts = PlanCounts::new(&schedule(&snapshot, &plans, &[], usize::MAX), &plans);
    Some(PlanStatus { counts, model, cost: TotalCost::of(&PlanPaths::new(workspace, store)) })
}

impl PlanStatus {
    fn text(&self) -> String {
        let model = output::plain(&self.model);
        let it = self.cost;
        let paused = if it.paused { "; paused" } else { "" };
        format!(
            "{}  cost: {} requests, {} + {} tokens, {:.1} s, {:.4} usd; {} rejected{paused}\n",
            counts_text(&self.counts, &format!("plans by {model}")),
            it.requests,
            it.prompt_tokens,
            it.answer_tokens,
            it.seconds,
            it.usd,
            it.thrown_out
        )
    }
}

fn counts_text(it: &PlanCounts, name: &str) -> String {
    let PlanCounts { files, current, outdated, bytes, age_s } = it;
    let age = age_s.map_or(String::new(), |it| format!(", the last {} ago", age(it)));
    format!(
        "{name}: {current} of {files} files of code, {outdated} outdated ({:.2} MB){age}\n",
        *bytes as f64 / 1e6
    )
}

/// A duration in the largest suitable unit.
pub(super) fn age(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

fn text(it: &Status) -> String {
    let mut text = format!("{NAME}{}{NAME:#}  {}\n", it.repository, output::path(&it.root));
    if let Some(git) = &it.git {
        text.push_str(&checkout(git));
    }
    text.push_str(&format!("index: {} ({:.1} MB)\n", it.index, it.index_bytes as f64 / 1e6));
    text.push_str(match (it.indexed, it.complete) {
        (false, _) => "not indexed yet; the first query or `foreword index` does it\n",
        (true, false) if !it.damage.is_empty() => "damaged; the next query repairs it\n",
        (true, false) => {
            "incomplete: an indexing run did not finish; the next query continues it\n"
        }
        (true, true) => "",
    });
    if it.indexed {
        text.push_str(&totals(it));
    }
    if let Some(note) = &it.git_note {
        text.push_str(&format!("{}\n", output::plain(note)));
    }
    let languages: Vec<String> =
        it.languages.iter().map(|it| format!("{} {}", it.language, it.files)).collect();
    if !languages.is_empty() {
        text.push_str(&format!("languages: {}\n", languages.join(", ")));
    }
    text.push_str(&unparsed(it));
    text.extend(it.precise.iter().map(|it| format!("{}\n", output::plain(&it.text()))));
    let SecretCount { files, places } = it.masked;
    if places > 0 {
        text.push_str(&format!(
            "masked: {places} places that look like secrets, in {files} files\n"
        ));
    }
    text.push_str(&excluded(it));
    text
}

fn checkout(git: &Git) -> String {
    let at = git.branch.as_deref().or(git.head.as_deref()).unwrap_or("no commit yet");
    let kind = match (git.worktree, git.submodule) {
        (true, _) => ", a work tree",
        (false, true) => ", a submodule",
        (false, false) => "",
    };
    format!("git: {at}{kind}\n")
}

fn totals(it: &Status) -> String {
    let Status { files, lines, chunks, segments, .. } = it;
    let Stale { changed, added, removed } = it.stale;
    format!(
        "{files} files, {lines} lines, {:.1} MB, {chunks} chunks in {segments} segments\n\
         since then: {changed} changed, {added} new, {removed} gone\n",
        it.bytes as f64 / 1e6,
    )
}

/// Files without a syntax tree, with reasons.
fn unparsed(it: &Status) -> String {
    let line = |it: &UnparsedFiles| {
        let paths: Vec<String> = it.paths.iter().map(|path| output::path(path)).collect();
        let more = if it.files > it.paths.len() { ", …" } else { "" };
        let (files, code, paths) = (it.files, it.code, paths.join(", "));
        format!("no syntax tree: {files} {code}  {DIM}{paths}{more}{DIM:#}\n")
    };
    it.unparsed.iter().map(line).collect()
}

/// Reasons for exclusion, with paths if requested.
fn excluded(it: &Status) -> String {
    let mut text = String::new();
    let reasons: Vec<String> =
        it.left_out.iter().map(|it| format!("{} {}", it.code, it.paths)).collect();
    if !reasons.is_empty() {
        text.push_str(&format!(
            "excluded: {}  {DIM}(foreword status --ignored){DIM:#}\n",
            reasons.join(", ")
        ));
    }
    for path in it.ignored.iter().flatten() {
        text.push_str(&format!(
            "  {}  {DIM}{}{DIM:#}\n",
            output::path(&path.path),
            output::plain(&path.reason)
        ));
    }
    text
}

/// Explains whether a path is indexed.
fn of_path(path: &str, args: &StatusArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let workspace = workspace::discover(settings, None)?;
    output::set_root(&workspace);
    let store = workspace::store(settings, &workspace)?;
    let relative = workspace::relative(settings, &workspace, path)?;
    let manifest = store.manifest(&workspace.view_key());
    let indexed = manifest.as_ref().and_then(|it| it.file(&relative));
    let skipped = manifest.as_ref().and_then(|it| it.skipped.iter().find(|it| it.path == relative));
    let root = workspace.open()?;
    let excluded = explain(&root, &relative, &settings.walk(), &settings.limits())?;
    let tree = indexed.and_then(|it| without_tree(&store, manifest.as_ref(), it));
    let (code, reason) = match (&excluded, skipped) {
        (Some(reason), _) => (SkipReason::code(reason).to_owned(), reason.to_string()),
        (None, Some(it)) => (it.code.clone(), it.reason.clone()),
        (None, None) => match indexed {
            Some(it) => {
                let read_as = read_as(&root, &relative, settings);
                let tree = tree.map(|it| format!("; {}", it.describe())).unwrap_or_default();
                ("indexed".to_owned(), included(it) + &read_as + &tree)
            }
            None => {
                let (code, reason) = not_excluded(&workspace, &relative)?;
                (code.to_owned(), reason.to_owned())
            }
        },
    };
    if args.json {
        let tree = tree.map(ParseOutcome::code);
        let indexed = indexed.is_some() && excluded.is_none();
        return output::json(&serde_json::json!({
            "version": 1, "path": relative, "indexed": indexed, "code": code, "reason": reason,
            "unparsed": tree,
        }));
    }
    output::text(&format!(
        "{NAME}{}{NAME:#}  {}\n",
        output::path(&relative),
        output::plain(&reason)
    ))
}

/// The reason why a file in a language with a grammar has no syntax tree; `None` if it has one.
fn without_tree(
    store: &Store,
    manifest: Option<&Manifest>,
    file: &IndexedFile,
) -> Option<ParseOutcome> {
    let snapshot = store.snapshot(manifest?).ok()?;
    let id = snapshot.file(&file.path)?;
    snapshot.language(id)?;
    Some(snapshot.outcome(id)).filter(|it| !it.is_parsed())
}

/// An indexed file, with its masked secrets.
fn included(file: &IndexedFile) -> String {
    match file.masked {
        0 => "in the index".to_owned(),
        1 => "in the index; a place that looks like a secret is masked".to_owned(),
        n => format!("in the index; {n} places that look like secrets are masked"),
    }
}

/// The encoding of a file that is not UTF-8.
fn read_as(root: &Root, path: &str, settings: &Settings) -> String {
    let most = workspace::most_bytes(settings);
    match foreword_load::read_as_stored(root, path, most, Masking::On) {
        Ok((_, encoding)) if encoding != Encoding::Utf8 => {
            format!(", read as {}", encoding.name())
        }
        _ => String::new(),
    }
}

/// Code and reason for a path that is not indexed although no rule excludes it.
fn not_excluded(
    workspace: &Workspace,
    relative: &str,
) -> anyhow::Result<(&'static str, &'static str)> {
    match workspace.entry(&workspace.root.join(relative)) {
        None => Err(usage(format!("{relative} does not exist"))),
        Some(EntryType::Directory) => Ok(("directory", "a directory; no rule excludes it")),
        Some(_) => Ok(("not-indexed-yet", "no rule excludes it; the next query indexes it")),
    }
}
