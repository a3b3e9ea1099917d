//! The provenance of a run: the information that reproduces it.

use std::process::Command;

use foreword_engine::preset::Preset;
use serde::Serialize;

use crate::measures::{RESAMPLES, SEED};

/// Settings, data and machine of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Provenance {
    /// The checked-out commit, with `+changes` if the tree differed; or `unknown`.
    pub(crate) commit: String,
    /// The first 16 digits of the BLAKE3 hash of the task file; empty without a single file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) data: String,
    /// [`Preset::fingerprint`].
    pub preset: String,
    pub(crate) settings: String,
    pub(crate) seed: u64,
    pub(crate) resamples: usize,
    pub(crate) cpu: String,
    pub(crate) cores: usize,
}

impl Provenance {
    /// Provenance of a run that starts now.
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

    /// Adds the revision of the tasks.
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
