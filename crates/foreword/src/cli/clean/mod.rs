//! `foreword clean`: lists indexes with their sizes and last use, and removes them with consent.

use std::path::Path;
use std::time::{Duration, SystemTime};

use foreword_engine::index::StoredIndex;
use foreword_load::Environment;

use super::args::CleanArgs;
use super::config::Settings;
use super::output::DIM;
use super::status::age;
use super::{Outcome, output, usage, workspace};

const DAY: Duration = Duration::from_hours(24);

pub(super) fn run(args: &CleanArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let now = SystemTime::now();
    let chosen = chosen(args, settings, now)?;
    let bytes = chosen.iter().map(|it| it.bytes).sum();
    let lines: String = chosen.iter().map(|it| line(it, now)).collect();
    output::text(&format!("{lines}{} {}, {}\n", chosen.len(), plural(chosen.len()), size(bytes)))?;
    if chosen.is_empty() {
        return Ok(Outcome::Nothing);
    }
    let question = format!("remove {} {}?", chosen.len(), plural(chosen.len()));
    if !args.yes && !output::agrees(&question)? {
        output::note("nothing was removed; --yes removes them");
        return Ok(Outcome::Nothing);
    }
    remove(&chosen)
}

/// The indexes that the arguments name: this repository's, or of all those that are old enough.
fn chosen(
    args: &CleanArgs,
    settings: &Settings,
    now: SystemTime,
) -> anyhow::Result<Vec<StoredIndex>> {
    if !args.all && args.older_than.is_none() {
        let workspace = workspace::discover(settings, None)
            .map_err(|it| usage(format!("{it:#}; --all lists the indexes of all repositories")))?;
        let store = workspace::store(settings, &workspace)?;
        return Ok(StoredIndex::open(store.workspace_dir().to_owned()).into_iter().collect());
    }
    let base = settings.setup().index_dir.or_else(|| Environment::current().index_base());
    let base = base.ok_or_else(|| usage("there is no cache directory: HOME is not set"))?;
    let least_age = DAY * args.older_than.unwrap_or(0);
    let is_old = |it: &StoredIndex| {
        let unused = it.used.map(|it| now.duration_since(it).unwrap_or_default());
        unused.is_none_or(|it| it >= least_age)
    };
    Ok(StoredIndex::all(&base).into_iter().filter(is_old).collect())
}

fn remove(chosen: &[StoredIndex]) -> anyhow::Result<Outcome> {
    let (mut count, mut bytes) = (0, 0);
    for it in chosen {
        if it.remove()? {
            count += 1;
            bytes += it.bytes;
        } else {
            output::note(&format!("{} is being written and was kept", it.path.display()));
        }
    }
    output::note(&format!("removed {count} {}, {}", plural(count), size(bytes)));
    Ok(if count == chosen.len() { Outcome::Done } else { Outcome::Nothing })
}

fn line(it: &StoredIndex, now: SystemTime) -> String {
    let used = it.used.and_then(|it| now.duration_since(it).ok());
    let used = used.map_or("never used".to_owned(), |it| format!("{} ago", age(it.as_secs())));
    let plans = if has_plans(&it.path) { ", with plans of a chat model" } else { "" };
    let path = output::plain(&it.path.display().to_string());
    format!("{:>9}  {used:>12}  {}{plans}  {DIM}{path}{DIM:#}\n", size(it.bytes), roots(it))
}

/// What was indexed, and whether it is still there.
fn roots(it: &StoredIndex) -> String {
    let shown = |root: &String| match Path::new(root).exists() {
        true => output::plain(root),
        false => format!("{} (gone)", output::plain(root)),
    };
    match it.roots.as_slice() {
        [] => "another version of foreword".to_owned(),
        [first] => shown(first),
        [first, rest @ ..] => format!("{} and {} more", shown(first), rest.len()),
    }
}

fn has_plans(index: &Path) -> bool {
    let versions = std::fs::read_dir(index).into_iter().flatten().filter_map(Result::ok);
    versions.into_iter().any(|it| it.path().join("plans").is_dir())
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "index" } else { "indexes" }
}

fn size(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
