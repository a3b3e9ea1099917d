//! `foreword status`: what is indexed, what is not, and why.

use std::path::Path;

use foreword_engine::index::Manifest;
use foreword_load::{SkipReason, Skipped, explain, walk};
use serde::Serialize;

use super::args::StatusArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::{Outcome, output, usage, workspace};

/// What `status --json` prints (docs/json.md).
#[derive(Serialize)]
struct Status {
    version: u32,
    root: String,
    repository: String,
    git: Option<Git>,
    index: String,
    index_bytes: u64,
    indexed: bool,
    complete: bool,
    snapshot: Option<String>,
    files: u32,
    chunks: u32,
    lines: u64,
    bytes: u64,
    segments: usize,
    generation: u64,
    /// Files that have changed since; the next query indexes them.
    stale: Stale,
    languages: Vec<Language>,
    /// How many paths were left out, by reason.
    left_out: Vec<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignored: Option<Vec<Out>>,
}

#[derive(Serialize)]
struct Git {
    branch: Option<String>,
    head: Option<String>,
    worktree: bool,
    submodule: bool,
}

#[derive(Serialize, Default)]
struct Stale {
    changed: usize,
    added: usize,
    removed: usize,
}

#[derive(Serialize)]
struct Language {
    language: &'static str,
    files: usize,
}

#[derive(Serialize)]
struct Count {
    code: String,
    paths: usize,
}

#[derive(Serialize)]
struct Out {
    path: String,
    code: String,
    reason: String,
}

pub(super) fn run(args: &StatusArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.path {
        return one(path, args, settings);
    }
    let status = gather(args.ignored, settings)?;
    if args.json { output::json(&status) } else { output::text(&people(&status)) }
}

fn gather(ignored: bool, settings: &Settings) -> anyhow::Result<Status> {
    let workspace = workspace::discover(settings, None)?;
    let store = workspace::store(settings, &workspace)?;
    let mut config = settings.walk();
    config.record_ignored = ignored;
    let found = walk(&workspace.root, &config)?;
    let opened = foreword_load::open_as_is(&workspace, &store);
    let (manifest, snapshot) =
        opened.map_or((None, None), |(manifest, it)| (Some(manifest), Some(it)));
    let out = left_out(&found.skipped, manifest.as_ref());
    let totals =
        snapshot.as_ref().map(foreword_engine::index::Snapshot::totals).unwrap_or_default();
    let git = workspace.git.as_ref().map(|it| Git {
        branch: it.branch.clone(),
        head: it.head.clone(),
        worktree: it.is_worktree,
        submodule: it.is_submodule,
    });
    Ok(Status {
        version: 1,
        root: workspace.root.display().to_string(),
        repository: workspace.name.clone(),
        git,
        index: store.dir().display().to_string(),
        index_bytes: store.size_on_disk(),
        indexed: manifest.is_some(),
        complete: snapshot.as_ref().is_some_and(foreword_engine::index::Snapshot::is_complete),
        snapshot: snapshot.as_ref().map(|it| it.id().to_owned()),
        files: totals.files,
        chunks: totals.chunks,
        lines: totals.lines,
        bytes: totals.bytes,
        segments: manifest.as_ref().map_or(0, |it| it.segments.len()),
        generation: manifest.as_ref().map_or(0, |it| it.generation),
        stale: stale(manifest.as_ref(), &found),
        languages: snapshot.as_ref().map(languages).unwrap_or_default(),
        left_out: counts(&out),
        ignored: ignored.then_some(out),
    })
}

/// What the walk and the reading left out, by path.
fn left_out(walked: &[Skipped], manifest: Option<&Manifest>) -> Vec<Out> {
    let walked = walked.iter().map(|it| Out {
        path: it.path.clone(),
        code: it.reason.code().to_owned(),
        reason: it.reason.to_string(),
    });
    let read = manifest.into_iter().flat_map(|it| &it.skipped).map(|it| Out {
        path: it.path.clone(),
        code: it.code.clone(),
        reason: it.reason.clone(),
    });
    let mut res: Vec<Out> = walked.chain(read).collect();
    res.sort_by(|a, b| a.path.cmp(&b.path));
    res
}

fn counts(out: &[Out]) -> Vec<Count> {
    let mut codes: Vec<&str> = out.iter().map(|it| it.code.as_str()).collect();
    codes.sort_unstable();
    let groups = codes.chunk_by(|a, b| a == b);
    groups.map(|it| Count { code: it[0].to_owned(), paths: it.len() }).collect()
}

fn stale(manifest: Option<&Manifest>, found: &foreword_load::Walk) -> Stale {
    let Some(manifest) = manifest else {
        return Stale { added: found.files.len(), ..Stale::default() };
    };
    let mut res = Stale::default();
    let mut known = 0;
    for file in &found.files {
        match manifest.file(&file.path) {
            Some(it) => {
                known += 1;
                let same =
                    (it.stamp.size, it.stamp.mtime_ns) == (file.stamp.size, file.stamp.mtime_ns);
                res.changed += usize::from(!same);
            }
            None => {
                let refused = manifest.skipped.iter().any(|it| it.path == file.path);
                res.added += usize::from(!refused);
            }
        }
    }
    res.removed = manifest.files.len() - known;
    res
}

fn languages(snapshot: &foreword_engine::index::Snapshot) -> Vec<Language> {
    let mut names: Vec<&'static str> = snapshot
        .files()
        .map(|it| snapshot.language(it).map_or("other", foreword_chunk::Language::name))
        .collect();
    names.sort_unstable();
    let groups = names.chunk_by(|a, b| a == b);
    let mut res: Vec<Language> =
        groups.map(|it| Language { language: it[0], files: it.len() }).collect();
    res.sort_by_key(|it| (std::cmp::Reverse(it.files), it.language));
    res
}

fn people(it: &Status) -> String {
    let mut text = format!("{NAME}{}{NAME:#}  {}\n", it.repository, output::path(&it.root));
    if let Some(git) = &it.git {
        let at = git.branch.as_deref().or(git.head.as_deref()).unwrap_or("no commit yet");
        let kind = if git.worktree {
            ", a work tree"
        } else if git.submodule {
            ", a submodule"
        } else {
            ""
        };
        text.push_str(&format!("git: {at}{kind}\n"));
    }
    text.push_str(&format!("index: {} ({:.1} MB)\n", it.index, it.index_bytes as f64 / 1e6));
    match (it.indexed, it.complete) {
        (false, _) => {
            text.push_str("not indexed yet; the first query or `foreword index` does it\n");
        }
        (true, false) => {
            text.push_str("incomplete: an indexing run did not finish; the next query goes on\n");
        }
        (true, true) => {}
    }
    if it.indexed {
        text.push_str(&format!(
            "{} files, {} lines, {:.1} MB, {} chunks in {} segments\n",
            it.files,
            it.lines,
            it.bytes as f64 / 1e6,
            it.chunks,
            it.segments
        ));
        let Stale { changed, added, removed } = it.stale;
        text.push_str(&format!("since then: {changed} changed, {added} new, {removed} gone\n"));
    }
    let languages: Vec<String> =
        it.languages.iter().map(|it| format!("{} {}", it.language, it.files)).collect();
    if !languages.is_empty() {
        text.push_str(&format!("languages: {}\n", languages.join(", ")));
    }
    let reasons: Vec<String> =
        it.left_out.iter().map(|it| format!("{} {}", it.code, it.paths)).collect();
    if !reasons.is_empty() {
        text.push_str(&format!(
            "left out: {}  {DIM}(foreword status --ignored){DIM:#}\n",
            reasons.join(", ")
        ));
    }
    for out in it.ignored.iter().flatten() {
        text.push_str(&format!(
            "  {}  {DIM}{}{DIM:#}\n",
            output::path(&out.path),
            output::plain(&out.reason)
        ));
    }
    text
}

/// Why one path is in the index or not.
fn one(path: &Path, args: &StatusArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let workspace = workspace::discover(settings, None)?;
    let store = workspace::store(settings, &workspace)?;
    let relative = workspace.relative(path)?;
    let manifest = store.manifest(&workspace.view_key());
    let indexed = manifest.as_ref().and_then(|it| it.file(&relative)).is_some();
    let refused = manifest.as_ref().and_then(|it| it.skipped.iter().find(|it| it.path == relative));
    let walked = explain(&workspace.root, &relative, &settings.walk(), &settings.limits())?;
    let absent = !workspace.root.join(&relative).exists();
    let (code, reason) = match (&walked, refused) {
        (Some(reason), _) => (SkipReason::code(reason).to_owned(), reason.to_string()),
        (None, Some(it)) => (it.code.clone(), it.reason.clone()),
        (None, None) if indexed => ("indexed".to_owned(), "in the index".to_owned()),
        (None, None) if absent => return Err(usage(format!("{relative} does not exist"))),
        (None, None) if workspace.root.join(&relative).is_dir() => {
            ("directory".to_owned(), "a directory; nothing leaves it out".to_owned())
        }
        (None, None) => (
            "not-indexed-yet".to_owned(),
            "nothing leaves it out; the next query indexes it".to_owned(),
        ),
    };
    if args.json {
        output::json(&serde_json::json!({
            "version": 1, "path": relative, "indexed": indexed && walked.is_none(), "code": code, "reason": reason,
        }))
    } else {
        output::text(&format!(
            "{NAME}{}{NAME:#}  {}\n",
            output::path(&relative),
            output::plain(&reason)
        ))
    }
}
