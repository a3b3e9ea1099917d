//! What future edits of a file will need, worked out before a cursor is in it.
//!
//! A planner reads the snapshot and makes a [`FilePlan`]: blocks of the repository that the next edits of the file are
//! likely to need, and forecasts of what will be written there. A block is a quotation; a forecast is a guess and is
//! never shown as a fact of the repository. Plans are a cache: every one is keyed by its inputs, a block is used only
//! while the lines that it cites are unchanged, and without plans every answer is the same as if there were none.

mod anchors;
mod compose;
mod config;
mod forecast;
mod foretold;
mod plan;
mod planner;
mod pool;
mod prompt;
mod quote;
mod recall;
mod schedule;
mod shift;
mod stated;
mod store;

pub use compose::{Allowance, Mix, compose_plan};
pub use config::{PLANNED_WEIGHT, PlanConfig, RecallConfig, plan_config, recall_config};
pub use forecast::{Flaw, ForecastConfig, Limits, Recency, Rejection, Verdict, forecast, validate};
pub use foretold::{ForecastState, forecast_state};
pub use plan::{
    Block, Citation, Evidence, FilePlan, Forecast, ForecastForm, ForecastKind, FoundAt, Input,
    Part, Place, PlannerKey, Target,
};
pub use planner::{Background, StaticPlanner};
pub use prompt::{PlanRecall, prompt_of_plan};
pub use quote::{Quotation, Quote, quote, requote};
pub use recall::{AtCursor, Recalled, planned_lines, recall};
pub use schedule::{Schedule, schedule};
pub use stated::{
    BlockFlaw, StatedBlock, StatedForecast, StatedLines, StatedPlan, stated_blocks,
    stated_forecasts, stated_plan,
};
pub use store::{PlanStore, PlanWriter, Plans};

/// The version of what planners write. Plans of another version are not read.
///
/// 1: blocks with verbatim parts, forecasts with citations. 2: the static planner forecasts. 3: its blocks are whole chunks,
/// of which the cursor chooses, more of them, and companions in history count.
pub const PLAN_VERSION: u32 = 3;

/// How many retrieved blocks a plan has, as in SpecAgent (arXiv 2510.17925).
pub const BLOCKS: usize = 12;

/// How many forecasts a plan has, as in SpecAgent (arXiv 2510.17925).
pub const FORECASTS: usize = 12;
