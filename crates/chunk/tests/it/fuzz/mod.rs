//! Ten thousand texts that attack the grammars, in child processes; `benchmarks/attack/grammars` runs a million.

pub(crate) mod child;
pub(crate) mod texts;

use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use self::child::{Failure, Limits, watch, work};
use self::texts::{Source, sources};

const TEXTS: u64 = 10_000;
/// Maximum size of a text. The work after an error is quadratic, and all texts together should take a minute.
const MOST_BYTES: usize = 2 << 10;
/// Wall-clock time, while other tests run: a hang exceeds any limit.
const LIMITS: Limits = Limits { memory: 1 << 30, time: Duration::from_mins(1) };
/// The variable with the child's seeds.
const SEEDS: &str = "FOREWORD_FUZZ_SEEDS";

fn from_own_files() -> Vec<Source> {
    sources(&[&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages")], 64 << 10)
}

#[test]
fn no_text_ends_the_process() {
    let command = |seeds: Range<u64>| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "fuzz::child_process", "--ignored", "--nocapture"]);
        command.env(SEEDS, format!("{} {}", seeds.start, seeds.end));
        command
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(4) as u64;
    let failures: Vec<Failure> = thread::scope(|scope| {
        let part = |at: u64| at * TEXTS / threads..(at + 1) * TEXTS / threads;
        let runs = (0..threads).map(|at| scope.spawn(move || watch(&command, part(at), LIMITS)));
        let runs: Vec<_> = runs.collect();
        runs.into_iter().flat_map(|it| it.join().unwrap()).collect()
    });
    let failures: Vec<String> =
        failures.iter().map(|it| format!("seed {}: {}", it.seed, it.what)).collect();
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
#[ignore = "the child of the test above"]
fn child_process() {
    let seeds = std::env::var(SEEDS).unwrap();
    let (start, end) = seeds.split_once(' ').unwrap();
    work(&from_own_files(), start.parse().unwrap()..end.parse().unwrap(), MOST_BYTES);
}

#[test]
fn a_seed_gives_the_same_text_again() {
    let (sources, again) = (from_own_files(), from_own_files());
    for seed in 0..200 {
        let (source, same) = (child::source_of(&sources, seed), child::source_of(&again, seed));
        assert_eq!(source.attack(seed, 1000).text, same.attack(seed, 1000).text);
    }
}
