//! A conversation in which a model may call tools, bounded in turns and calls: what answers to questions and agents share.
//!
//! A model that never stops calling tools is asked a last time without any. Where a schema is set, it is sent with a turn
//! without tools only: few servers take both at once.

use crate::ask::without_controls;
use crate::chat::{ChatRequest, ChatResponse, Message, ToolCall};

/// How long a conversation may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopLimits {
    /// How often the model is asked, the last time without tools.
    pub turns: usize,
    /// How many calls of tools are answered.
    pub calls: usize,
}

/// Who asks the model, and answers its calls.
pub trait ToolUser: Send {
    /// What ends the conversation early.
    type Error;

    /// Asks once. `None` ends the conversation.
    fn ask(
        &mut self,
        request: &ChatRequest,
    ) -> impl Future<Output = Result<Option<ChatResponse>, Self::Error>> + Send;

    /// The result of a call, for the model.
    fn call(&mut self, call: &ToolCall) -> String;

    /// What the model is told of a call that is one too many.
    fn refuse(&mut self, call: &ToolCall) -> String;
}

/// Asks until the model calls no tool any more; returns its last answer. What was said is added to the messages of
/// `request`, apart from that answer.
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

/// The longest name of a tool that is read, in characters, and the longest arguments, in bytes.
const MAX_NAME: usize = 80;
const MAX_ARGUMENTS: usize = 4 << 10;

/// A call whose name and arguments are no longer than they may be: both go back to the model, and are shown.
fn bounded(mut call: ToolCall) -> ToolCall {
    call.name = without_controls(&call.name).chars().take(MAX_NAME).collect();
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

    /// A model that calls so many tools each time that it may, whatever it is told.
    struct Caller {
        calls: usize,
        /// Whether tools were offered, and the schema was sent, by turn.
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
