//! What is known of a candidate: which signals found it, what each feature measured, and why it stands where it does.
//! All of it is values; [`Reason`] and [`DropReason`] become prose in one place, their `Display`.

mod feature;
mod reason;
mod signal;

pub use feature::{Feature, Features};
pub use reason::{DropReason, Reason};
pub use signal::{PerSignal, Signal, SignalScore};
