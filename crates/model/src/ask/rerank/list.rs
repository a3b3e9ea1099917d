//! Listwise reranking: a window slides from the last passages to the first, moving the best ones to the front.

use std::time::Instant;

use foreword_engine::ask::Passage;
use serde_json::{Value, json};

use super::super::preset::{PASSAGE_LINES, WINDOW, WINDOW_STEP};
use super::decoy::{DECOYS, decoys};
use super::{NoOrder, RerankRequest};
use crate::ask::{plain, single_request};
use crate::chat::{AnswerSchema, ChatRequest};
use crate::error::ModelError;
use crate::http::Server;

/// Maximum tokens of an answer: twenty-three numbers with punctuation.
const MAX_TOKENS: usize = 200;

pub(super) async fn order(
    server: &Server,
    request: &RerankRequest<'_>,
    deadline: Instant,
) -> Result<Vec<usize>, NoOrder> {
    let mut order: Vec<usize> = (0..request.passages.len()).collect();
    let mut end = order.len();
    loop {
        let start = end.saturating_sub(WINDOW);
        let sorted = window(server, request, &order[start..end], deadline).await?;
        order.splice(start..end, sorted);
        if start == 0 {
            return Ok(order);
        }
        end = (end - WINDOW_STEP).max(WINDOW.min(order.len()));
    }
}

/// The passages of a window in the model's order. Decoys are put in the middle.
async fn window(
    server: &Server,
    request: &RerankRequest<'_>,
    at: &[usize],
    deadline: Instant,
) -> Result<Vec<usize>, NoOrder> {
    let decoys = decoys();
    let middle = at.len() / 2;
    let mut shown: Vec<&Passage> = at.iter().map(|n| &request.passages[*n]).collect();
    shown.splice(middle..middle, &decoys);
    let answer = ask(server, request.question, &shown, deadline).await?;
    let named = numbers(&answer, shown.len())?;
    let is_decoy = |n: &usize| (middle..middle + DECOYS).contains(n);
    let first_half = &named[..named.len() / 2];
    if first_half.iter().any(is_decoy) {
        return Err(NoOrder::Nonsense("it prefers irrelevant passages"));
    }
    let own = |n: usize| if n < middle { at[n] } else { at[n - DECOYS] };
    let mut res: Vec<usize> = named.into_iter().filter(|it| !is_decoy(it)).map(own).collect();
    let rest: Vec<usize> = at.iter().copied().filter(|it| !res.contains(it)).collect();
    res.extend(rest);
    Ok(res)
}

async fn ask(
    server: &Server,
    question: &str,
    shown: &[&Passage],
    deadline: Instant,
) -> Result<String, ModelError> {
    let passage = |(n, it): (usize, &&Passage)| {
        let text: Vec<&str> = it.text.lines().take(PASSAGE_LINES).collect();
        plain(&format!(
            "[{}] {}:{} {}\n{}\n\n",
            n + 1,
            it.path,
            it.start_line,
            it.symbol,
            text.join("\n")
        ))
    };
    let passages: String = shown.iter().enumerate().map(passage).collect();
    let number = json!({ "type": "integer", "minimum": 1, "maximum": shown.len() });
    let schema = json!({
        "type": "object",
        "properties": { "order": { "type": "array", "items": number, "maxItems": shown.len() } },
        "required": ["order"],
        "additionalProperties": false,
    });
    let message = format!("Question: {question}\n\n{passages}Question: {question}\n");
    let prompt = include_str!("../prompts/rerank-list.md");
    let chat = ChatRequest {
        schema: Some(AnswerSchema { name: "order".to_owned(), schema }),
        ..single_request(prompt, message, MAX_TOKENS, deadline)
    };
    Ok(server.chat(&chat, &mut |_| {}).await?.text)
}

/// Distinct numbers of an answer, from 0. At least half of the passages must be listed.
fn numbers(answer: &str, n: usize) -> Result<Vec<usize>, NoOrder> {
    let json: String = answer.lines().filter(|it| !it.trim_start().starts_with("```")).collect();
    let value: Value = serde_json::from_str(json.trim())
        .map_err(|_| NoOrder::Nonsense("its answer is not JSON"))?;
    let all = value["order"].as_array().ok_or(NoOrder::Nonsense("it names no order"))?;
    let mut res: Vec<usize> = Vec::new();
    for it in all.iter().filter_map(Value::as_u64) {
        let it = it as usize;
        if !(1..=n).contains(&it) {
            return Err(NoOrder::Nonsense("it lists unknown numbers"));
        }
        if !res.contains(&(it - 1)) {
            res.push(it - 1);
        }
    }
    match 2 * res.len() >= n {
        true => Ok(res),
        false => Err(NoOrder::Nonsense("it names fewer than half of them")),
    }
}
