//! The steps of a request before its model is called.

use crate::serve::context::settings::PromptSettings;
use crate::serve::protocols::completion::Completion;

/// The steps of a request before its model is called, with a call of this type.
pub(crate) enum Plan<C> {
    /// None: the completion is known without a model.
    Answer(Box<Completion>),
    /// A call without context. `reason` states why, if context was expected.
    Call { call: Box<C>, reason: Option<String> },
    /// Composing the start of the next prompt, to be read ahead.
    WarmUp(PromptSettings),
    /// Composing a context.
    Complete(PromptSettings),
}

impl<C> Plan<C> {
    /// The same plan with another type of call.
    pub(super) fn map<D>(self, to: impl FnOnce(C) -> D) -> Plan<D> {
        match self {
            Self::Answer(completion) => Plan::Answer(completion),
            Self::Call { call, reason } => Plan::Call { call: Box::new(to(*call)), reason },
            Self::WarmUp(settings) => Plan::WarmUp(settings),
            Self::Complete(settings) => Plan::Complete(settings),
        }
    }
}
