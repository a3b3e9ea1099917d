//! HTTP itself: connections and their timeouts, threads for large requests, access checks, errors and streamed bodies.

pub(crate) mod error;
pub(crate) mod handlers;
pub(crate) mod listen;
pub(crate) mod security;
pub(crate) mod stream;
