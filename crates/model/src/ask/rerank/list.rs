//! Windows of passages: the last ones first, so that what helps most moves to the front.

use std::time::Instant;

use foreword_engine::ask::Passage;
use serde_json::{Value, json};

use super::decoy::{DECOYS, decoys};
use super::{NoOrder, RerankRequest};
use crate::ask::{instructions, plain};
use crate::chat::{AnswerSchema, ChatRequest, Delivery, Message};
use crate::error::ModelError;
use crate::http::Server;

/// How many passages a model is shown at a time, and by how many the window moves (Sun et al. 2023).
const WINDOW: usize = 20;
const STEP: usize = 10;

/// Lines of each.
const LINES: usize = 12;

/// Tokens of an answer: twenty-three numbers and what is around them.
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
        end = (end - STEP).max(WINDOW.min(order.len()));
    }
}

/// The passages of one window in the model's order. Decoys stand in the middle of it.
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
        return Err(NoOrder::Nonsense("it prefers what cannot help"));
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
        let text: Vec<&str> = it.text.lines().take(LINES).collect();
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
    let chat = ChatRequest {
        messages: vec![
            Message::System(instructions(include_str!("../prompts/rerank-list.md"))),
            Message::User(format!("Question: {question}\n\n{passages}Question: {question}\n")),
        ],
        schema: Some(AnswerSchema { name: "order".to_owned(), schema }),
        max_tokens: Some(MAX_TOKENS),
        temperature: Some(0.0),
        deadline: Some(deadline),
        delivery: Delivery::Whole,
        ..ChatRequest::default()
    };
    Ok(server.chat(&chat, &mut |_| {}).await?.text)
}

/// The numbers of an answer from 0, each once. At least half of the passages must be named.
fn numbers(answer: &str, n: usize) -> Result<Vec<usize>, NoOrder> {
    let json: String = answer.lines().filter(|it| !it.trim_start().starts_with("```")).collect();
    let value: Value = serde_json::from_str(json.trim())
        .map_err(|_| NoOrder::Nonsense("its answer is no JSON"))?;
    let all = value["order"].as_array().ok_or(NoOrder::Nonsense("it names no order"))?;
    let mut res: Vec<usize> = Vec::new();
    for it in all.iter().filter_map(Value::as_u64) {
        let it = it as usize;
        if !(1..=n).contains(&it) {
            return Err(NoOrder::Nonsense("it names numbers that there are not"));
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
