//! Clocks, memory, order statistics, and a description of the machine for readers of a result.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::arguments::Arguments;

/// Seconds that `work` takes.
pub(crate) fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}

/// The value at `share` (0 to 1) of all, by rank.
pub(crate) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

pub(crate) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(crate) fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// A line of `/proc/self/status` in bytes; 0 if there is none.
pub(crate) fn memory(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix(key)?.strip_prefix(':'));
    let kilobytes = line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// The load of the last minute.
pub(crate) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or(f64::NAN)
}

/// Waits for a quiet machine, at most for `--wait` seconds, then describes the run.
pub(crate) fn begin(arguments: &Arguments) -> anyhow::Result<()> {
    let most: u64 = arguments.number("wait", 0)?;
    let start = Instant::now();
    while load() >= 1.0 && start.elapsed() < Duration::from_secs(most) {
        std::thread::sleep(Duration::from_secs(5));
    }
    println!("    foreword-bench {}", arguments.line);
    println!("    {}; commit {}; {}; load {:.2}\n", date(), commit(), machine(), load());
    Ok(())
}

pub(crate) fn end() {
    println!("\nload at the end {:.2}", load());
}

fn date() -> String {
    output(Command::new("date").args(["-u", "+%Y-%m-%d %H:%MZ"]))
}

/// The commit, and whether the crates differ from it.
fn commit() -> String {
    let git = |args: &[&str]| {
        output(Command::new("git").args(["-C", env!("CARGO_MANIFEST_DIR")]).args(args))
    };
    let changed = !git(&["status", "--porcelain", "--", "../crates", "../Cargo.toml"]).is_empty();
    format!(
        "{}{}",
        git(&["rev-parse", "--short", "HEAD"]),
        if changed { " with changes to crates/" } else { "" }
    )
}

fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|it| it.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{cores} cores of {}", model.map_or("an unknown machine", |it| it.1))
}

fn output(command: &mut Command) -> String {
    let output = command.output().map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
    output.unwrap_or_default()
}
