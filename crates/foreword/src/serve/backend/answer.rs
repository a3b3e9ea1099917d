//! A model's answer to a call.

use std::sync::Arc;

use foreword_model::http::{Delta, RawResponse};
use foreword_session::backend::Backend;

use super::deltas::Deltas;
use crate::serve::context::prepare::Surroundings;
use crate::serve::protocols::completion::Completion;

/// A model's answer.
pub(crate) enum Answer {
    /// The server's response in the client's own protocol, or an error; relayed unchanged.
    Relayed(Arc<Backend>, RawResponse),
    /// A completion being generated, to be rendered in the client's protocol.
    Generating(Generation),
    /// A finished completion, with its part of the record.
    Complete { completion: Completion, part: Delta, surroundings: Option<Surroundings> },
    /// A completion without a model call.
    WithoutModel(Box<Completion>),
}

/// A completion being generated.
pub(crate) struct Generation {
    /// The completion without its text.
    pub(crate) completion: Completion,
    pub(crate) deltas: Deltas,
    /// The text around the completion, for clients that do not make it fit themselves.
    pub(crate) surroundings: Option<Surroundings>,
    /// The HTTP status of the server; 0 without one.
    pub(crate) status: u16,
}
