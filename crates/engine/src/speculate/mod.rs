//! Plans: code that future edits of a file are likely to need, prepared before a cursor is in the file.
//!
//! A model proposes a [`FilePlan`]: blocks of the repository, and forecasts of what will be written. A block is a quotation;
//! a forecast is a guess and is never shown as a fact of the repository. Both are checked against the snapshot
//! ([`stated_plan`]). Plans are a cache: each is keyed by its inputs, a block is used only while the lines that it cites are
//! unchanged, and without plans all other answers stay the same.

mod compose;
mod forecast_state;
mod mix;
mod plan;
mod prompt;
mod quote;
mod recall;
mod schedule;
mod shift;
mod sketch;
mod stated;
mod store;
mod validate;

pub use crate::preset::constants::speculate::{FORECAST_SHARE, RECALL_WEIGHT};
pub use compose::{Allowance, ShownForecasts, compose_plan};
pub use forecast_state::{ForecastState, forecast_state};
pub use mix::{ContextMix, Mix, NoMix};
pub use plan::{
    Block, Citation, FilePlan, Forecast, Input, MAX_BLOCKS, MAX_FORECASTS, PLAN_VERSION, Place,
    PlannerKey, Target,
};
pub use prompt::{PlanRecall, prompt_beside, prompt_of_plan, select_beside};
pub use quote::{Quote, requote};
pub use recall::{AtCursor, Recollection, recall};
pub use schedule::{Schedule, is_planned_for, schedule};
pub use stated::{
    BlockFlaw, Proposal, StatedBlock, StatedForecast, StatedLines, StatedPlan, stated_blocks,
    stated_forecasts, stated_plan,
};
pub use store::{PlanStore, PlanWriter, Plans};
pub use validate::{Flaw, Limits, Rejection, Verdict, validate};
