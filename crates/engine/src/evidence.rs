//! Evidence for a candidate: which signals found it, the value of each feature, and the reasons for its position. All
//! are values; only `Display` of [`Reason`] and [`DropReason`] makes prose of them.

mod feature;
mod reason;
mod signal;

pub use feature::{Feature, Features};
pub use reason::{DropReason, Reason};
pub use signal::{PerSignal, Signal, SignalScore};
