//! Numbers of a planner by name.

use anyhow::{Context as _, Result, bail};
use foreword_engine::speculate::{PlanConfig, RecallConfig};

/// Sets numbers: `anchors=4`, `near=0.5`.
pub fn plan_options(
    plan: &mut PlanConfig,
    recall: &mut RecallConfig,
    sets: &[String],
) -> Result<()> {
    for set in sets {
        let (key, value) =
            set.split_once('=').with_context(|| format!("`{set}` is not KEY=VALUE"))?;
        let number: f32 = value.parse().with_context(|| format!("{value} is no number"))?;
        let whole = number as usize;
        match key {
            "anchors" => plan.anchors = whole,
            "pieces" => plan.pieces = whole,
            "mean" => plan.mean = number,
            "blocks" => plan.blocks = whole,
            "heads" => plan.heads = whole,
            "excerpt" => plan.preset.budget.excerpt = whole,
            "plan" => recall.plan = number,
            "near" => recall.near = number,
            "weight" => recall.weight = number,
            _ => bail!(
                "no number of a planner is called `{key}`; there are anchors, pieces, mean, blocks, heads, excerpt, plan, near, weight"
            ),
        }
    }
    Ok(())
}
