//! The tools as MCP lists them, and their answers as MCP returns them.

use std::sync::Arc;

use foreword_engine::visible::printable;
use foreword_session::tools::{Tool, ToolAnswer, output_schema};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject, ToolAnnotations};
use serde_json::{Value, json};

use super::AnswerContent;

/// The tools that MCP offers for repositories on this machine. Reading lines is not one of them: files are resources.
pub(super) const OFFERED: [Tool; 4] = [Tool::Search, Tool::Context, Tool::Symbols, Tool::Map];

/// Characters of the longest answer: 20,000 tokens.
const MAX_ANSWER_CHARS: usize = 100_000;

/// The tools as a client sees them, always in this order; `repository` describes what calls may name, and arguments in
/// `without` are left out.
pub(super) fn list(
    offered: &[Tool],
    (repository, without): (&str, &[&str]),
    content: AnswerContent,
) -> Vec<rmcp::model::Tool> {
    offered.iter().map(|it| describe(*it, (repository, without), content)).collect()
}

fn describe(
    tool: Tool,
    (repository, without): (&str, &[&str]),
    content: AnswerContent,
) -> rmcp::model::Tool {
    let hints = ToolAnnotations::new()
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    let mut input = object(tool.input_schema(repository));
    if let Some(Value::Object(properties)) = input.get_mut("properties") {
        properties.retain(|name, _| !without.contains(&&**name));
    }
    let described = rmcp::model::Tool::new(tool.name(), tool.description(), input)
        .with_title(tool.title())
        .with_meta(MetaObject(object(meta(tool))))
        .with_annotations(hints);
    match content {
        // A tool with an output schema must return structured content.
        AnswerContent::Text => described,
        AnswerContent::TextAndStructured => {
            described.with_raw_output_schema(Arc::new(object(output_schema())))
        }
    }
}

/// What Claude Code reads: it loads tools when it looks for one, and nobody looks for a tool in place of grep; and it moves
/// answers to a file that are longer than it expects.
fn meta(tool: Tool) -> Value {
    let mut meta = json!({ "anthropic/maxResultSizeChars": MAX_ANSWER_CHARS });
    if matches!(tool, Tool::Search | Tool::Symbols) {
        meta["anthropic/alwaysLoad"] = true.into();
    }
    meta
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// The result of a call: its text, with its structured value if requested; or the error, as text a model can act on.
pub(super) fn result(answer: anyhow::Result<ToolAnswer>, content: AnswerContent) -> CallToolResult {
    let mut res = match answer {
        Ok(answer) => {
            let mut res = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
            res.structured_content =
                (content == AnswerContent::TextAndStructured).then_some(answer.structured);
            res
        }
        Err(error) => {
            let why = printable(&format!("{error:#}")).into_owned();
            CallToolResult::error(vec![ContentBlock::text(why)])
        }
    };
    res.is_error = Some(res.is_error.unwrap_or(false));
    res
}
