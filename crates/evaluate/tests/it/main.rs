//! The tests of the crate as a whole.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod reference;
mod truth;
