//! A queue of mails that survives restarts.

pub mod address;
pub mod config;
pub mod error;
pub mod message;
pub mod queue;
pub mod schedule;
pub mod stats;
pub mod transport;

pub use error::{Error, Result};
pub use message::Message;
pub use queue::Queue;
