//! Tools of the model: a search, and reading lines of a file. Both read only the question's snapshot, and their results
//! become numbered evidence.

use foreword_engine::ask::{AskRequest, EvidenceItem, gather, read};
use serde_json::{Value, json};

use super::super::preset::{CALL_TOKENS, READ_LINES};
use super::{Call, Conversation, render};
use crate::chat::{Tool, ToolCall};
use crate::counter::TokenCounter;

/// Definitions of the tools for the model.
pub(super) fn offered() -> Vec<Tool> {
    let tool = |name: &str, description: &str, parameters: Value| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
    };
    vec![
        tool(
            "search",
            "Finds code and documents of the repository by a question in plain words or by a name.",
            json!({
                "type": "object",
                "properties": { "query": { "type": "string" } },
                "required": ["query"],
            }),
        ),
        tool(
            "read",
            "Reads lines of one file.",
            json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string" },
                    "start_line": { "type": "integer", "minimum": 1 },
                    "end_line": { "type": "integer", "minimum": 1 },
                },
                "required": ["path", "start_line"],
            }),
        ),
    ]
}

/// Answers calls within a shared token budget.
pub(super) struct Toolbox<'c> {
    conversation: &'c Conversation<'c>,
    left: usize,
}

impl<'c> Toolbox<'c> {
    pub(super) fn new(conversation: &'c Conversation<'c>, tokens: usize) -> Self {
        Self { conversation, left: tokens }
    }

    /// Answers a call: the record to show, and the text for the model. New evidence is appended to the list.
    pub(super) fn call(
        &mut self,
        call: &ToolCall,
        evidence: &mut Vec<EvidenceItem>,
    ) -> (Call, String) {
        let arguments = match call.parsed_arguments() {
            Ok(arguments) => arguments,
            Err(error) => {
                return failed(call, Value::Null, &format!("the arguments are no JSON: {error}"));
            }
        };
        let found = match (call.name.as_str(), self.left) {
            (_, 0) => {
                Err("there are no tokens left for more; answer from what you have".to_owned())
            }
            ("search", _) => self.search(&arguments),
            ("read", _) => self.read(&arguments),
            (other, _) => Err(format!("{other}: there is no such tool; there are search and read")),
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => return failed(call, arguments, &error),
        };
        let from = evidence.len() + 1;
        let is_new = |it: &EvidenceItem| {
            !evidence.iter().any(|known| known.path == it.path && known.bytes == it.bytes)
        };
        let found: Vec<EvidenceItem> = found.into_iter().filter(is_new).collect();
        if found.is_empty() {
            return failed(call, arguments, "nothing that you were not shown already");
        }
        self.left = self.left.saturating_sub(found.iter().map(|it| it.tokens).sum());
        let text = render::pieces(&found, from);
        let numbers = (from..from + found.len()).map(|it| it as u32).collect();
        evidence.extend(found);
        let (tool, error) = (call.name.clone(), None);
        (Call { tool, arguments, evidence: numbers, error }, text)
    }

    /// The error for a call over the limit.
    pub(super) fn refuse(call: &ToolCall) -> (Call, String) {
        failed(call, Value::Null, "there were too many calls; answer from what you have")
    }

    fn search(&self, arguments: &Value) -> Result<Vec<EvidenceItem>, String> {
        let query = arguments["query"].as_str().filter(|it| !it.trim().is_empty());
        let query = query.ok_or("search needs `query`, a text, not too long")?;
        let counter = TokenCounter::general();
        let Self { conversation, left } = self;
        let gathered = conversation.contents.over(|snapshot| {
            let request = AskRequest {
                question: query,
                repository: &conversation.repository,
                tokens: CALL_TOKENS.min(*left),
                ..AskRequest::default()
            };
            gather(snapshot, &request, &|text| counter.count(text))
        })?;
        match gathered.strength.is_enough() {
            true => Ok(gathered.evidence),
            false => Err(format!("nothing in the repository is about \"{query}\"")),
        }
    }

    fn read(&self, arguments: &Value) -> Result<Vec<EvidenceItem>, String> {
        let path = arguments["path"].as_str().ok_or("read needs `path`, a text, not too long")?;
        let number = |name: &str| arguments[name].as_u64().and_then(|it| u32::try_from(it).ok());
        let first = number("start_line").unwrap_or(1).max(1);
        let last = number("end_line").unwrap_or(first + READ_LINES - 1).min(first + READ_LINES - 1);
        let counter = TokenCounter::general();
        let lines = (first, last.max(first));
        let contents = self.conversation.contents;
        let item = contents.over(|it| read(it, path, lines, &|text| counter.count(text)))?;
        let item =
            item.ok_or_else(|| format!("{path}: there is no such file in the repository"))?;
        match item.tokens <= self.left {
            true => Ok(vec![item]),
            false => Err("these lines are too long; ask for fewer".to_owned()),
        }
    }
}

fn failed(call: &ToolCall, arguments: Value, error: &str) -> (Call, String) {
    let output = Call {
        tool: call.name.clone(),
        arguments,
        evidence: Vec::new(),
        error: Some(error.to_owned()),
    };
    (output, error.to_owned())
}
