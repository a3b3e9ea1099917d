//! Integration tests of the crate.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod lies;
mod pass;
mod reference;
mod removed;
mod truth;
