//! What a model answers to a call.

use std::sync::Arc;

use foreword_model::http::{Delta, RawResponse};
use foreword_session::backend::Backend;

use super::deltas::Deltas;
use crate::serve::context::prepare::Surroundings;
use crate::serve::protocols::completion::Completion;

/// What a model answers.
pub(crate) enum Answer {
    /// The server's response, in the client's own protocol or an error: it is relayed as it comes.
    Relayed(Arc<Backend>, RawResponse),
    /// A completion in the making, to be rendered in the client's protocol.
    Generating(Generation),
    /// A completion, and what the record gets of it.
    Complete { completion: Completion, part: Delta, surroundings: Option<Surroundings> },
    /// A completion that no model wrote.
    WithoutModel(Box<Completion>),
}

/// A completion in the making.
pub(crate) struct Generation {
    /// The completion without its text.
    pub(crate) completion: Completion,
    pub(crate) deltas: Deltas,
    /// The text that the completion has to fit into, for clients that do not see to that themselves.
    pub(crate) surroundings: Option<Surroundings>,
    /// The HTTP status of the server; 0 without one.
    pub(crate) status: u16,
}
