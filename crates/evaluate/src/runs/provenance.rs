//! The provenance of a run: what is needed to reproduce it.

use std::process::Command;

use foreword_engine::preset::Preset;
use serde::Serialize;

use crate::measures::{RESAMPLES, SEED};

/// What a run was made with.
#[derive(Clone, Debug, Serialize)]
pub struct Provenance {
    /// The commit that was checked out when the run was made, with `+changes` if the tree differed; or `unknown`.
    pub commit: String,
    /// Which tasks: the first 16 digits of the BLAKE3 hash of their file; empty where a run is not over one file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub data: String,
    /// [`Preset::fingerprint`].
    pub preset: String,
    /// The settings in full.
    pub settings: String,
    /// The seed of the resampling.
    pub seed: u64,
    /// Resamples an interval.
    pub resamples: usize,
    /// The processor.
    pub cpu: String,
    /// How many threads it has.
    pub cores: usize,
}

impl Provenance {
    /// Of a run that is made now.
    pub fn new(preset: &Preset) -> Self {
        Self {
            commit: commit(),
            data: String::new(),
            preset: preset.fingerprint(),
            settings: format!("{preset:?}"),
            seed: SEED,
            resamples: RESAMPLES,
            cpu: cpu(),
            cores: std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        }
    }

    /// The same over the tasks with this revision.
    #[must_use]
    pub fn over(mut self, data: &str) -> Self {
        data.clone_into(&mut self.data);
        self
    }
}

fn commit() -> String {
    let git = |args: &[&str]| {
        let output =
            Command::new("git").args(args).output().ok().filter(|it| it.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(head) = git(&["rev-parse", "HEAD"]) else { return "unknown".to_owned() };
    match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(changes) if changes.is_empty() => head,
        _ => format!("{head}+changes"),
    }
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|it| it.starts_with("model name"));
    let name = line.and_then(|it| it.split_once(':')).map(|it| it.1.trim().to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
