//! A conversation with tools, bounded in turns and calls; shared by answers and agents.
//!
//! On its last turn the model gets no tools, so it must answer. A schema is sent only with a turn without tools,
//! because few servers accept both.

use foreword_engine::visible::printable;

use crate::chat::{ChatRequest, ChatResponse, Message, ToolCall};

/// Limits of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopLimits {
    /// Maximum number of requests; the last one has no tools.
    pub turns: usize,
    /// Maximum number of tool calls answered.
    pub calls: usize,
}

/// Sends requests and answers tool calls.
pub trait ToolUser: Send {
    /// Error that ends the conversation.
    type Error;

    /// Sends one request. `None` ends the conversation.
    fn ask(
        &mut self,
        request: &ChatRequest,
    ) -> impl Future<Output = Result<Option<ChatResponse>, Self::Error>> + Send;

    /// Result of a call, for the model.
    fn call(&mut self, call: &ToolCall) -> String;

    /// Reply to a call over the limit.
    fn refuse(&mut self, call: &ToolCall) -> String;
}

/// Runs the conversation until the model calls no tool; returns its last answer. All earlier messages are added to
/// `request`.
pub async fn tool_loop<U: ToolUser>(
    user: &mut U,
    request: &mut ChatRequest,
    limits: LoopLimits,
) -> Result<Option<ChatResponse>, U::Error> {
    let (tools, schema) = (std::mem::take(&mut request.tools), request.schema.take());
    let mut calls = 0;
    for turn in 1..=limits.turns {
        let is_last = turn == limits.turns || calls >= limits.calls || tools.is_empty();
        request.tools = if is_last { Vec::new() } else { tools.clone() };
        request.schema = schema.clone().filter(|_| is_last);
        let Some(response) = user.ask(request).await? else { return Ok(None) };
        if response.tool_calls.is_empty() || is_last {
            return Ok(Some(response));
        }
        let ChatResponse { text, tool_calls, .. } = response;
        let tool_calls: Vec<ToolCall> =
            tool_calls.into_iter().take(limits.calls).map(bounded).collect();
        request.messages.push(Message::Assistant { text, tool_calls: tool_calls.clone() });
        for call in &tool_calls {
            let text = match calls < limits.calls {
                true => user.call(call),
                false => user.refuse(call),
            };
            calls += 1;
            let (call_id, name) = (call.id.clone(), call.name.clone());
            request.messages.push(Message::Tool { call_id, name, text });
        }
    }
    Ok(None)
}

/// Maximum length of a tool name in characters, and of the arguments in bytes.
const MAX_NAME: usize = 80;
const MAX_ARGUMENTS: usize = 4 << 10;

/// Cuts an overlong name and drops overlong arguments: both go back to the model and are shown to people.
fn bounded(mut call: ToolCall) -> ToolCall {
    call.name = printable(&call.name).chars().take(MAX_NAME).collect();
    if call.arguments.len() > MAX_ARGUMENTS {
        "null".clone_into(&mut call.arguments);
    }
    call
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{AnswerSchema, Tool};
    use crate::wait;

    /// A model that makes `calls` calls on every turn.
    struct Caller {
        calls: usize,
        /// By turn: whether tools were offered, and whether the schema was sent.
        offered: Vec<(bool, bool)>,
        refused: usize,
    }

    impl ToolUser for Caller {
        type Error = ();

        async fn ask(&mut self, request: &ChatRequest) -> Result<Option<ChatResponse>, ()> {
            self.offered.push((!request.tools.is_empty(), request.schema.is_some()));
            let call = ToolCall { id: "1".into(), name: "read".into(), arguments: String::new() };
            Ok(Some(ChatResponse { tool_calls: vec![call; self.calls], ..ChatResponse::default() }))
        }

        fn call(&mut self, _: &ToolCall) -> String {
            String::new()
        }

        fn refuse(&mut self, _: &ToolCall) -> String {
            self.refused += 1;
            String::new()
        }
    }

    fn offered(calls: usize, limits: LoopLimits) -> Caller {
        let mut caller = Caller { calls, offered: Vec::new(), refused: 0 };
        let tool = Tool { name: "read".into(), description: String::new(), parameters: "".into() };
        let schema = AnswerSchema { name: "answer".into(), schema: "".into() };
        let mut request =
            ChatRequest { tools: vec![tool], schema: Some(schema), ..ChatRequest::default() };
        wait(tool_loop(&mut caller, &mut request, limits)).unwrap();
        caller
    }

    #[test]
    fn a_model_that_calls_on_and_on_is_asked_a_last_time_without_tools() {
        let turns = offered(1, LoopLimits { turns: 3, calls: 9 }).offered;
        assert_eq!(turns, [(true, false), (true, false), (false, true)]);
        let many = offered(2, LoopLimits { turns: 9, calls: 3 });
        assert_eq!((many.offered.len(), many.refused), (3, 1));
        let more = offered(5000, LoopLimits { turns: 9, calls: 3 });
        assert_eq!((more.offered.len(), more.refused), (2, 0));
        assert_eq!(offered(0, LoopLimits { turns: 3, calls: 9 }).offered, [(true, false)]);
    }
}
