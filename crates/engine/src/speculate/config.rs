//! The settings of the static planner, and of what is made of its plans at a cursor.

use super::PLAN_VERSION;
use super::forecast::ForecastConfig;
use crate::preset::Preset;

/// How the static planner chooses blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanConfig {
    /// How candidates are found and shown at each anchor.
    pub preset: Preset,
    /// At how many places of a file candidates are looked for, at most.
    pub anchors: usize,
    /// How many candidates of an anchor are looked at.
    pub pieces: usize,
    /// How much the mean over anchors counts beside the best of them, 0 to 1.
    pub mean: f32,
    /// How many blocks a plan has.
    pub blocks: usize,
    /// How many of them are heads of other files, for the imports of the planned one, at most.
    pub heads: usize,
    /// What is foretold.
    pub forecasts: ForecastConfig,
}

impl PlanConfig {
    /// A name for exactly these settings.
    pub fn fingerprint(&self) -> String {
        let Self { preset, anchors, pieces, mean, blocks, heads, forecasts } = self;
        let text = format!(
            "{PLAN_VERSION} {} {anchors} {pieces} {mean} {blocks} {heads} {forecasts:?}",
            preset.fingerprint()
        );
        blake3::hash(text.as_bytes()).to_hex()[..12].to_owned()
    }
}

/// The settings of the static planner. Neither more blocks, candidates and places nor other weights showed more; without
/// heads a plan was behind live retrieval in all measures (`benchmarks/results/speculation.md`).
pub fn plan_config(preset: Preset) -> PlanConfig {
    let forecasts = ForecastConfig::in_force();
    PlanConfig { preset, anchors: 8, pieces: 24, mean: 0.5, blocks: 32, heads: 6, forecasts }
}

/// What the blocks of a plan are ranked by at a cursor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecallConfig {
    /// What the score of the plan counts.
    pub plan: f32,
    /// What counts how much a block was wanted at the nearest anchors.
    pub near: f32,
    /// What the plan weighs beside the words around the cursor, which weigh what the preset says.
    pub weight: f32,
}

/// How blocks are ranked at a cursor.
pub fn recall_config() -> RecallConfig {
    RecallConfig { plan: 0.4, near: 0.6, weight: 0.5 }
}

/// What plans weigh as a signal beside the others, where they are asked for. On dev it gained nothing that
/// holds (`benchmarks/results/speculation.md`), so presets give them no weight.
pub const PLANNED_WEIGHT: f32 = 0.5;
