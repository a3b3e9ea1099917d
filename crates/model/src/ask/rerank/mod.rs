//! Passages in the order in which a model would read them: one by one, by the probability of "yes" (Nogueira et al. 2020), or as
//! lists, in windows that slide from the end to the beginning (Sun et al. 2023, RankGPT).
//!
//! Whether a model's order says anything is checked: passages that cannot help are put among the others, and an order that
//! prefers them is not used. Nor is one that comes too late, or that names numbers there are not.

mod decoy;
mod list;
mod one;

use std::time::{Duration, Instant};

use foreword_engine::ask::Passage;

use super::reason;
use crate::error::ModelError;
use crate::http::Server;

/// How passages are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RerankKind {
    /// Each by itself: the probability of "yes".
    Pointwise,
    /// Lists of them, in a sliding window.
    Listwise,
}

impl RerankKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Pointwise, Self::Listwise];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pointwise => "pointwise",
            Self::Listwise => "listwise",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// What is to be put in order.
pub struct RerankRequest<'r> {
    /// The question.
    pub question: &'r str,
    /// The passages in the order at hand.
    pub passages: &'r [Passage],
    /// How they are compared.
    pub kind: RerankKind,
    /// How long all of it may take.
    pub timeout: Duration,
    /// Requests at a time.
    pub parallel: usize,
}

/// The order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reranked {
    /// The numbers of the passages from 0, best first; empty for the order at hand.
    pub order: Vec<usize>,
    /// Why it is the order at hand.
    pub note: Option<String>,
}

/// How many of the first passages of the order at hand stay among the first, whatever a model says.
const KEPT: usize = 2;

/// The place before which they stay.
const BEFORE: usize = 6;

/// Has a model put passages in order. Never fails: the order at hand is an answer, with the reason.
pub async fn rerank(server: &Server, request: &RerankRequest<'_>) -> Reranked {
    if request.passages.len() < 2 {
        return Reranked::default();
    }
    let deadline = Instant::now() + request.timeout;
    let order = match request.kind {
        RerankKind::Pointwise => one::order(server, request, deadline).await,
        RerankKind::Listwise => list::order(server, request, deadline).await,
    };
    match order {
        Ok(order) => Reranked { order: with_first_kept(order), note: None },
        Err(NoOrder::Model(why)) => Reranked { order: Vec::new(), note: Some(reason(&why)) },
        Err(why) => Reranked { order: Vec::new(), note: Some(why.to_string()) },
    }
}

/// Why an order is not used.
#[derive(Debug, thiserror::Error)]
enum NoOrder {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("the model did not put the passages in order: {0}")]
    Nonsense(&'static str),
}

/// The order, with the first passages of the order at hand before the place [`BEFORE`].
fn with_first_kept(mut order: Vec<usize>) -> Vec<usize> {
    for first in 0..KEPT.min(order.len()) {
        let at = order.iter().position(|it| *it == first);
        let Some(at) = at.filter(|it| *it >= BEFORE) else { continue };
        order.remove(at);
        order.insert(BEFORE - KEPT + first, first);
    }
    order
}

#[cfg(test)]
mod tests;
