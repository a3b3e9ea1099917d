//! A transport that puts everything on disk first.

use std::path::PathBuf;

use super::Transport;
use crate::error::Result;
use crate::message::Message;
use crate::spool::Policy;

/// Writes, then delivers.
pub struct Spooled<T> {
    inner: T,
    policy: Policy,
}

impl<T: Transport> Spooled<T> {
    /// Spools below `dir`.
    pub fn new(inner: T, dir: PathBuf) -> Self {
        let policy = Policy<CURSOR: src/spool.rs:Policy>;
        Self { inner, policy }
    }
}
