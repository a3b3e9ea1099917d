//! Pointwise reranking by the probability that the model answers "yes".

use std::time::Instant;

use foreword_engine::ask::Passage;
use foreword_engine::sorting::sort_by;

use super::super::preset::{ALTERNATIVES, MIN_SPREAD};
use super::decoy::{DECOYS, decoys};
use super::{NoOrder, RerankRequest};
use crate::ask::join::join;
use crate::ask::{plain, single_request};
use crate::chat::{ChatRequest, ChatResponse};
use crate::error::ModelError;
use crate::http::Server;

/// Maximum tokens of an answer: some models start with a marker.
const MAX_TOKENS: usize = 4;

pub(super) async fn order(
    server: &Server,
    request: &RerankRequest<'_>,
    deadline: Instant,
) -> Result<Vec<usize>, NoOrder> {
    let decoys = decoys();
    let all: Vec<&Passage> = decoys.iter().chain(request.passages).collect();
    let asked = all.iter().map(|it| ask(server, request.question, it, deadline));
    let mut probabilities = Vec::with_capacity(all.len());
    for it in join(asked.collect(), request.parallel).await {
        probabilities
            .push(yes_probability(&it?).ok_or(NoOrder::Nonsense("it says neither yes nor no"))?);
    }
    let scores = probabilities.split_off(DECOYS);
    check(&probabilities, &scores)?;
    let mut order: Vec<usize> = (0..scores.len()).collect();
    sort_by(&mut order, |a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    Ok(order)
}

/// Checks that the probabilities separate passages from decoys.
fn check(decoys: &[f64], scores: &[f64]) -> Result<(), NoOrder> {
    let mut sorted = scores.to_vec();
    sort_by(&mut sorted, f64::total_cmp);
    let (least, most) = (sorted[0], sorted[sorted.len() - 1]);
    if most - least < MIN_SPREAD {
        return Err(NoOrder::Nonsense("it scores all passages the same"));
    }
    // Where most passages are irrelevant they score like decoys, but no decoy may be among the best.
    let (median, among_best) =
        (sorted[sorted.len() / 2], sorted[sorted.len() - 1 - sorted.len() / 4]);
    match decoys.iter().any(|it| *it >= among_best && *it > median) {
        true => Err(NoOrder::Nonsense("it prefers irrelevant passages")),
        false => Ok(()),
    }
}

async fn ask(
    server: &Server,
    question: &str,
    it: &Passage,
    deadline: Instant,
) -> Result<ChatResponse, ModelError> {
    let passage = plain(&format!("{}:{} {}\n{}", it.path, it.start_line, it.symbol, it.text));
    let message = format!("Question: {question}\n\nPassage:\n{passage}\n\nyes or no?");
    let prompt = include_str!("../prompts/rerank-one.md");
    let chat = ChatRequest {
        alternatives: Some(ALTERNATIVES),
        ..single_request(prompt, message, MAX_TOKENS, deadline)
    };
    server.chat(&chat, &mut |_| {}).await
}

/// Probability of "yes" against "no": from the first token, or from the text if the server reports no probabilities.
/// `None` if it is neither.
fn yes_probability(response: &ChatResponse) -> Option<f64> {
    let is = |text: &str, word: &str| {
        text.trim_matches(|it: char| !it.is_alphabetic()).eq_ignore_ascii_case(word)
    };
    let sum = |word: &str| -> f64 {
        let of = response.first_token.iter().filter(|it| is(&it.0, word));
        of.map(|it| f64::from(it.1).exp()).sum()
    };
    let (yes, no) = (sum("yes"), sum("no"));
    if yes + no > 0.0 {
        return Some(yes / (yes + no));
    }
    let first = response.text.split_whitespace().next().unwrap_or_default();
    match (is(first, "yes"), is(first, "no")) {
        (true, _) => Some(1.0),
        (_, true) => Some(0.0),
        _ => None,
    }
}
