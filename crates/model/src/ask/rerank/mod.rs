//! Reranking of passages by a model: pointwise, by the probability of "yes" (Nogueira et al. 2020), or listwise, in
//! windows that slide from the end to the beginning (Sun et al. 2023, RankGPT).
//!
//! An order is rejected if it is late, lists unknown numbers, or prefers decoys that are mixed in among the passages.

mod decoy;
mod list;
mod one;

use std::time::{Duration, Instant};

use foreword_engine::ask::Passage;

use super::preset::{PROTECTED, PROTECTED_BELOW};
use super::reason;
use crate::error::ModelError;
use crate::http::Server;

/// Reranking methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RerankKind {
    /// Each passage alone, by the probability of "yes".
    Pointwise,
    /// Lists of passages, in a sliding window.
    Listwise,
}

impl RerankKind {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::Pointwise, Self::Listwise];

    /// Name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pointwise => "pointwise",
            Self::Listwise => "listwise",
        }
    }

    /// The method with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// Passages to rerank.
pub struct RerankRequest<'r> {
    /// The question.
    pub question: &'r str,
    /// The passages in their current order.
    pub passages: &'r [Passage],
    /// The method.
    pub kind: RerankKind,
    /// Total time limit.
    pub timeout: Duration,
    /// Number of parallel requests.
    pub parallel: usize,
}

/// The result of a reranking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// Indices of the passages, best first; empty to keep the current order.
    pub order: Vec<usize>,
    /// Reason for keeping the current order.
    pub note: Option<String>,
}

/// Reranks passages by a model. Never fails: otherwise it keeps the current order and states the reason.
pub async fn rerank(server: &Server, request: &RerankRequest<'_>) -> Ranking {
    if request.passages.len() < 2 {
        return Ranking::default();
    }
    let deadline = Instant::now() + request.timeout;
    let order = match request.kind {
        RerankKind::Pointwise => one::order(server, request, deadline).await,
        RerankKind::Listwise => list::order(server, request, deadline).await,
    };
    match order {
        Ok(order) => Ranking { order: with_first_kept(order), note: None },
        Err(NoOrder::Model(why)) => Ranking { order: Vec::new(), note: Some(reason(&why)) },
        Err(why) => Ranking { order: Vec::new(), note: Some(why.to_string()) },
    }
}

/// Reason for rejecting an order.
#[derive(Debug, thiserror::Error)]
enum NoOrder {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("the model did not put the passages in order: {0}")]
    Nonsense(&'static str),
}

/// Moves the leading passages of the current order up to just before [`PROTECTED_BELOW`] if they fell below.
fn with_first_kept(mut order: Vec<usize>) -> Vec<usize> {
    for first in 0..PROTECTED.min(order.len()) {
        let at = order.iter().position(|it| *it == first);
        let Some(at) = at.filter(|it| *it >= PROTECTED_BELOW) else { continue };
        order.remove(at);
        order.insert(PROTECTED_BELOW - PROTECTED + first, first);
    }
    order
}

#[cfg(test)]
mod tests;
