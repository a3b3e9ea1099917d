//! Filters that mails pass through.

mod greylist;
mod size;

pub use greylist::Greylist;
pub use size::{SizeLimit, Verdict};
