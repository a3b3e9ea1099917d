//! Experiments: what a choice of the engine is worth, as a table and a plot over budgets.
//!
//! Every experiment asks the tasks of `context` in several variants, its series, and measures the context of each. One
//! series is the reference; the others are compared with it task by task.
//!
//! * [`stages`]: which stage limits? The coverage of the candidates of each stage, in its order.
//! * [`lost`]: where are missing identifiers lost?
//! * [`signals`]: what is each signal worth? All, all but one, one alone.
//! * [`granularity`]: what should a chunk be? Files, cAST, definitions, methods, lines, in several sizes.
//! * [`scope`]: how much of the cursor's own file should be shown?
//! * [`merge`]: what is merging worth, across the borders of nodes or at all?
//! * [`languages`]: one configuration for all languages, or one for each?
//! * [`pieces`]: what do pieces carry, by place, signal and form, and which of their lines are filler?
//! * [`order`]: does the place of a piece matter when the prompt is cut?

mod ask;
pub mod granularity;
pub mod languages;
pub mod lost;
pub mod merge;
pub mod order;
pub mod pieces;
mod plot;
pub mod scope;
pub mod signals;
pub mod stages;
mod table;
mod text;

pub use plot::plot;
pub use table::{Chunks, Group, ModelScores, Observation, Point, Series, Table};
pub use text::text;

pub(crate) use table::{observe, tabulate};

#[cfg(test)]
pub(crate) mod tests;
