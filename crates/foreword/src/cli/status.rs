//! `foreword status`: what is indexed, what is not, and why.

use std::path::Path;

use foreword_load::{SkipReason, explain};

use super::args::StatusArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::{Outcome, output, usage, workspace};
use crate::answer::status::{Listing, Stale, Status, status};

pub(super) fn run(args: &StatusArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.path {
        return one(path, args, settings);
    }
    let workspace = workspace::discover(settings, None)?;
    let store = workspace::store(settings, &workspace)?;
    let listing = if args.ignored { Listing::All } else { Listing::Counts };
    let status = status(&settings.setup(), &workspace, &store, listing)?;
    if args.json { output::json(&status) } else { output::text(&people(&status)) }
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
