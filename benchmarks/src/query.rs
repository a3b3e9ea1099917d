//! How long a user waits: for a search, for the context of a cursor, for the first answer after an edit.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use foreword_engine::index::{Change, IndexConfig, Snapshot, Store};
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::retrieve::Question;
use foreword_engine::search::{SearchRequest, search};
use foreword_engine::source::Source;

use crate::arguments::Arguments;
use crate::corpus;
use crate::cursors::{self, Edit};
use crate::measure::{self, least, median, quantile, seconds};
use crate::questions;
use crate::random::Random;
use crate::stages;
use crate::timers::{Timers, context_stages, search_stages};

/// About how many bytes a token has.
pub(crate) fn count(text: &str) -> usize {
    (text.len() as f64 / 3.5).ceil() as usize
}

/// `foreword-bench query DIR`.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = arguments.directory()?;
    let n: usize = arguments.number("queries", 300)?;
    let rounds: usize = arguments.number("rounds", 5)?;
    let scratch = arguments.scratch()?;
    let store = Store::new(scratch.path().join("index"), IndexConfig::default());
    stages::indexed(&root, &store)?;
    measure::begin(arguments)?;
    // Reopened for each part, so that only what the part itself touched is warm.
    let open = || Ok::<_, anyhow::Error>(stages::indexed(&root, &store)?.snapshot);
    let snapshot = open()?;
    let totals = snapshot.totals();
    println!(
        "{} files, {} lines, {:.1} MB, {} chunks, {} segments; {:.0} MB resident after opening\n",
        totals.files,
        totals.lines,
        totals.bytes as f64 / 1e6,
        totals.chunks,
        snapshot.segments().len(),
        measure::memory("VmRSS") as f64 / 1e6
    );
    searches(&snapshot, n, rounds);
    if arguments.text("only", "") != "search" {
        contexts(&open()?, n, rounds)?;
        mixed(&snapshot, n, rounds);
        edits(arguments, &root, rounds)?;
    }
    println!("\n{:.0} MB at the most", measure::memory("VmHWM") as f64 / 1e6);
    measure::end();
    Ok(())
}

fn header(name: &str, rounds: usize) {
    println!(
        "| {name}, {rounds} rounds | n | p50 ms | p95 ms | most ms | first round p50 | first round p95 |\n|---|---|---|---|---|---|---|"
    );
}

/// `times[round][query]` in seconds. The median of a query's later rounds counts, with caches as in use.
fn row(name: &str, times: &[Vec<f64>]) {
    let n = times[0].len();
    let later = |query: usize| {
        let rounds: Vec<f64> =
            times[times.len().min(2) - 1..].iter().map(|it| it[query] * 1e3).collect();
        median(&rounds)
    };
    let each: Vec<f64> = (0..n).map(later).collect();
    let first: Vec<f64> = times[0].iter().map(|it| it * 1e3).collect();
    println!(
        "| {name} | {n} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
        quantile(&each, 0.5),
        quantile(&each, 0.95),
        quantile(&each, 1.0),
        quantile(&first, 0.5),
        quantile(&first, 0.95)
    );
}

fn searches(snapshot: &Snapshot, n: usize, rounds: usize) {
    let mut random = Random(11);
    let names = questions::names(snapshot, n, &mut random);
    let sentences = questions::sentences(snapshot, n, &mut random);
    header("search, 10 results", rounds);
    for (kind, queries) in [("symbol", &names), ("natural language", &sentences)] {
        let times: Vec<Vec<f64>> = (0..rounds)
            .map(|_| queries.iter().map(|it| one_search(snapshot, it)).collect())
            .collect();
        if !queries.is_empty() {
            row(kind, &times);
        }
    }
    println!("\nfor example: {:?}, {:?}\n", names.first(), sentences.first());
    for (kind, queries) in [("symbol", &names), ("natural language", &sentences)] {
        let mut timers = Timers::default();
        queries.iter().for_each(|it| search_stages(snapshot, it, &mut timers));
        timers.print(&format!("stages of a search, {kind}"));
    }
}

fn request_for(query: &str) -> SearchRequest<'_> {
    SearchRequest { question: Question::new(query), limit: 10, tokens: None }
}

fn one_search(snapshot: &Snapshot, query: &str) -> f64 {
    let request = request_for(query);
    seconds(|| search(snapshot, &request, &preset::search(), &count, &mut Control::default()))
}

fn contexts(snapshot: &Snapshot, n: usize, rounds: usize) -> anyhow::Result<()> {
    header("context, 4096 tokens", rounds);
    let preset = preset::context();
    for (name, edit) in [("saved file", Edit::None), ("unsaved line", Edit::LineCut)] {
        let cursors = cursors::sample(snapshot, n, edit, &mut Random(13));
        let mut times = Vec::new();
        for _ in 0..rounds {
            let one = |it| Ok::<_, anyhow::Error>(cursors::context(snapshot, it, &preset)?.0);
            times.push(cursors.iter().map(one).collect::<Result<Vec<f64>, _>>()?);
        }
        row(name, &times);
    }
    println!();
    for (name, edit) in [("saved file", Edit::None), ("unsaved line", Edit::LineCut)] {
        let cursors = cursors::sample(snapshot, n, edit, &mut Random(13));
        let mut timers = Timers::default();
        cursors.iter().try_for_each(|it| context_stages(snapshot, it, &preset, &mut timers))?;
        timers.print(&format!("stages of a context, {name}"));
    }
    Ok(())
}

/// A long-lived process answers both; here each search follows a context on the same snapshot.
fn mixed(snapshot: &Snapshot, n: usize, rounds: usize) {
    let mut random = Random(11);
    let names = questions::names(snapshot, n, &mut random);
    let cursors = cursors::sample(snapshot, n, Edit::None, &mut Random(13));
    header("both on one snapshot", rounds);
    let (mut searches, mut contexts) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (mut of_search, mut of_context) = (Vec::new(), Vec::new());
        for (name, cursor) in names.iter().zip(&cursors) {
            of_context
                .extend(cursors::context(snapshot, cursor, &preset::context()).map(|it| it.0));
            of_search.push(one_search(snapshot, name));
        }
        searches.push(of_search);
        contexts.push(of_context);
    }
    row("symbol search", &searches);
    row("context, saved file", &contexts);
    println!();
}

/// Edits one file of a copy of the tree, and measures when an answer has the edit and when the disk has it.
fn edits(arguments: &Arguments, root: &Path, rounds: usize) -> anyhow::Result<()> {
    let scratch = arguments.scratch()?;
    let copy = scratch.path().join("tree");
    let status = std::process::Command::new("cp").arg("-a").arg(root).arg(&copy).status()?;
    anyhow::ensure!(status.success(), "the tree could not be copied");
    let copy = copy.canonicalize()?;
    let store = Store::new(scratch.path().join("index"), IndexConfig::default());
    let mut snapshot = stages::indexed(&copy, &store)?.snapshot;
    let (mut visible, mut durable) = (Vec::new(), Vec::new());
    let mut random = Random(17);
    for round in 0..rounds.max(20) {
        let file =
            cursors::middling_file(&snapshot, &mut random).context("a file of usual size")?;
        let path = snapshot.path(file).to_owned();
        let text = format!("{}\n// edited {round} zyxwv{round}\n", snapshot.text(file));
        let write = vec![Change::Write(Source { path: path.clone(), text: text.clone() })];
        let query = format!("zyxwv{round}");
        let request = request_for(&query);
        let mut found = 0;
        visible.push(seconds(|| {
            let changed = snapshot.with_changes(write).ok();
            let (preset, mut control) = (preset::search(), Control::default());
            found = changed
                .map_or(0, |it| search(&it, &request, &preset, &count, &mut control).results.len());
        }));
        anyhow::ensure!(found == 1, "the edit is found in one place, not {found}");
        fs::write(copy.join(&path), text)?;
        let mut synced = None;
        durable.push(seconds(|| synced = stages::indexed(&copy, &store).ok()));
        let synced = synced.context("it ran")?;
        anyhow::ensure!(
            synced.report.parsed == 1,
            "one file is parsed, not {}",
            synced.report.parsed
        );
        snapshot = synced.snapshot;
    }
    edit_table(&[
        ("visible: a new snapshot and its first search", visible),
        ("durable: sync with the tree, committed", durable),
    ]);
    unchanged(&copy, &store, rounds)
}

/// The cost of a synchronisation without any edit.
fn unchanged(tree: &Path, store: &Store, rounds: usize) -> anyhow::Result<()> {
    // A file that changed within the clock's resolution of being read is read again; wait until that is over.
    std::thread::sleep(std::time::Duration::from_secs(3));
    stages::indexed(tree, store)?;
    let workspace = stages::workspace(tree)?;
    let (mut walks, mut opens, mut syncs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.max(20) {
        walks.push(seconds(|| corpus::walked(tree)));
        opens.push(seconds(|| foreword_load::open_as_is(&workspace, store).is_some()));
        syncs.push(seconds(|| stages::indexed(tree, store)));
    }
    println!();
    edit_table(&[("nothing edited: walk alone", walks), ("opening alone", opens), ("sync", syncs)]);
    Ok(())
}

fn edit_table(rows: &[(&str, Vec<f64>)]) {
    println!("| | n | least ms | p50 ms | p95 ms |\n|---|---|---|---|---|");
    for (name, times) in rows {
        let times: Vec<f64> = times.iter().map(|it| it * 1e3).collect();
        let (best, middle, high) = (least(&times), median(&times), quantile(&times, 0.95));
        println!("| {name} | {} | {best:.2} | {middle:.2} | {high:.2} |", times.len());
    }
}
