//! The cost of a bare parse, and of chunking and a cold index beside it.
//!
//! Single-threaded contestants take turns in this process over texts in memory. Parallel ones read from the disk and run
//! each in a child process, so that every one has a peak of memory of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use foreword_chunk::{Config, Parse, Symbols};
use text_splitter::CodeSplitter;
use tree_sitter::Parser;

use crate::arguments::Arguments;
use crate::corpus::{self, File};
use crate::grammar::{grammar, parse};
use crate::measure::{self, least, median, seconds};
use crate::stages;

/// A contestant: a name, and what it does with each file.
type Contestant = (&'static str, fn(&mut Parser, &File) -> usize);

const ONE_THREAD: [Contestant; 5] = [
    ("bare parse", |parser, it| {
        it.language.map_or(0, |language| parse(parser, it.text.as_bytes(), language))
    }),
    ("parse within budget (`Parse::new`)", |_, it| {
        usize::from(Parse::new(it.text.as_bytes(), it.language).has_tree())
    }),
    ("parse + chunks", |_, it| {
        let parsed = Parse::new(it.text.as_bytes(), it.language);
        parsed.chunks(&Symbols::default(), &Config::default()).len()
    }),
    ("parse + chunks + symbols (`analyze`)", |_, it| {
        foreword_chunk::analyze(it.text.as_bytes(), it.language, &Config::default()).chunks.len()
    }),
    ("text-splitter, 2000 characters", |_, it| split(it).unwrap_or(0)),
];

fn split(it: &File) -> Option<usize> {
    let splitter = CodeSplitter::new(grammar(it.language?)?, 2000).ok()?;
    Some(splitter.chunks(&it.text).count())
}

/// `foreword-bench parse DIR`.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = arguments.directory()?;
    let rounds: usize = arguments.number("rounds", 5)?;
    let files = corpus::files(&root)?;
    let scratch = arguments.scratch()?;
    let list = scratch.path().join("files");
    corpus::write_list(&files, &list)?;
    measure::begin(arguments)?;
    describe(&files);
    if arguments.text("only", "") != "parallel" {
        one_thread(&files, rounds);
    }
    let bytes = files.iter().map(|it| it.text.len() as u64).sum();
    drop(files);
    if arguments.text("only", "") != "single" {
        parallel(arguments, &root, &list, scratch.path(), rounds, bytes)?;
    }
    measure::end();
    Ok(())
}

fn describe(files: &[File]) {
    let bytes: usize = files.iter().map(|it| it.text.len()).sum();
    let lines: usize = files.iter().map(|it| it.text.lines().count()).sum();
    let with_grammar = files.iter().filter(|it| it.language.is_some()).count();
    println!(
        "{} files, {:.1} MB, {lines} lines; {with_grammar} files have a grammar\n",
        files.len(),
        bytes as f64 / 1e6
    );
}

fn one_thread(files: &[File], rounds: usize) {
    let files: Vec<&File> = files.iter().filter(|it| it.language.is_some()).collect();
    let bytes: usize = files.iter().map(|it| it.text.len()).sum();
    let mut times = vec![Vec::new(); ONE_THREAD.len()];
    let mut parser = Parser::new();
    for _ in 0..rounds {
        for ((_, work), times) in ONE_THREAD.iter().zip(&mut times) {
            times.push(seconds(|| files.iter().map(|it| work(&mut parser, it)).sum::<usize>()));
        }
    }
    println!(
        "| one thread, {rounds} rounds | least s | median s | MB/s | of the bare parse's speed |\n|---|---|---|---|---|"
    );
    let bare = least(&times[0]);
    for ((name, _), times) in ONE_THREAD.iter().zip(&times) {
        let best = least(times);
        let speed = bytes as f64 / 1e6 / best;
        println!("| {name} | {best:.3} | {:.3} | {speed:.1} | {:.2} |", median(times), bare / best);
    }
    println!();
}

/// What a child reports.
#[derive(Clone, Copy)]
struct Report {
    seconds: f64,
    peak: u64,
    index: u64,
}

fn parallel(
    arguments: &Arguments,
    root: &Path,
    list: &Path,
    scratch: &Path,
    rounds: usize,
    bytes: u64,
) -> anyhow::Result<()> {
    let threads: usize = arguments.number("threads", 2)?;
    let memories: Vec<&str> = arguments.text("memory", "192M,150M").split(',').collect();
    let mut names: Vec<String> = stages::NAMES.iter().map(|it| (*it).to_owned()).collect();
    names.extend(memories.iter().map(|it| format!("sync --memory {it}")));
    let mut reports: Vec<Vec<Report>> = vec![Vec::new(); names.len()];
    for round in 0..rounds {
        for (idx, name) in names.iter().enumerate() {
            let index = scratch.join(format!("index-{round}-{idx}"));
            reports[idx].push(start(name, root, list, &index, threads)?);
            let _ = std::fs::remove_dir_all(&index);
        }
    }
    println!(
        "| from the disk, {threads} threads, {rounds} rounds | least s | median s | of the bare parse's time | peak MB | index / source |\n|---|---|---|---|---|---|"
    );
    let times = |reports: &[Report]| reports.iter().map(|it| it.seconds).collect::<Vec<f64>>();
    let bare = least(&times(&reports[stages::BARE]));
    for (name, reports) in names.iter().zip(&reports) {
        let times = times(reports);
        let peak = reports.iter().map(|it| it.peak).max().unwrap_or(0);
        let index = reports.iter().map(|it| it.index).max().filter(|it| *it > 0);
        let index = index.map_or_else(String::new, |it| format!("{:.2}", it as f64 / bytes as f64));
        let (best, middle) = (least(&times), median(&times));
        println!(
            "| {name} | {best:.3} | {middle:.3} | {:.2} | {:.0} | {index} |",
            best / bare,
            peak as f64 / 1e6
        );
    }
    Ok(())
}

fn start(
    name: &str,
    root: &Path,
    list: &Path,
    index: &Path,
    threads: usize,
) -> anyhow::Result<Report> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("child").arg(root).args(["--stage", name, "--threads", &threads.to_string()]);
    let output = command.arg("--list").arg(list).arg("--index").arg(index).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    let [seconds, peak, index] = numbers[..] else {
        anyhow::bail!("{name}: {}", String::from_utf8_lossy(&output.stderr));
    };
    Ok(Report { seconds, peak: peak as u64, index: index as u64 })
}

/// One stage, once: seconds, peak memory, bytes of the index.
pub(crate) fn child(arguments: &Arguments) -> anyhow::Result<()> {
    let root = arguments.directory()?;
    let list = corpus::read_list(&root, Path::new(arguments.text("list", "")))?;
    let pool = rayon::ThreadPoolBuilder::new();
    let pool = pool.num_threads(arguments.number("threads", 2)?).build_global();
    pool.context("threads")?;
    let work = stages::Work {
        root: &root,
        list: &list,
        index: PathBuf::from(arguments.text("index", "")),
        threads: arguments.number("threads", 2)?,
    };
    let (seconds, index) = work.run(arguments.text("stage", ""))?;
    println!("{seconds} {} {index}", measure::memory("VmHWM"));
    Ok(())
}
