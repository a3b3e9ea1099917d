//! HTTP: accepting connections, checking requests, errors and streamed bodies.

pub(crate) mod error;
pub(crate) mod listen;
pub(crate) mod security;
pub(crate) mod stream;
