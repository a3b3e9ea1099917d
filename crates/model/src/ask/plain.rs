//! Text of a repository as a model may read it: data, which cannot end its message nor give an order to a server or a terminal.

use std::borrow::Cow;

/// What chat templates write between messages, and what servers read as calls of tools: of ChatML, Llama, Mistral, Gemma,
/// DeepSeek and Qwen. A space after the first character breaks each; a reader sees what was meant.
const MARKS: [&str; 26] = [
    "<|",
    "<｜",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[AVAILABLE_TOOLS]",
    "[TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "<start_of_turn>",
    "<end_of_turn>",
    "<bos>",
    "<eos>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "</tool_response>",
    "<think>",
    "</think>",
    "[gMASK]",
    "<evidence>",
    "</evidence>",
];

/// Text of the repository that a server cannot take for a mark of its own: of a role, a call, or the end of a message.
pub(crate) fn plain(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let text = without_controls(text);
    let mut done = 0;
    for at in memchr::memchr2_iter(b'<', b'[', text.as_bytes()) {
        if MARKS.iter().any(|it| text[at..].starts_with(it)) {
            res.push_str(&text[done..=at]);
            res.push(' ');
            done = at + 1;
        }
    }
    res.push_str(&text[done..]);
    res
}

/// On one line, as headers need it: a file's name may have line breaks.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], "?")
}

/// A text without what a terminal reads as a command: control characters but line breaks and tabs are replaced. Neither a
/// file nor a model has any to show.
pub fn without_controls(text: &str) -> Cow<'_, str> {
    let is_control = |it: char| it.is_control() && !matches!(it, '\n' | '\t');
    match text.contains(is_control) {
        true => Cow::Owned(text.replace("\r\n", "\n").replace(is_control, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_cannot_end_a_message() {
        let text = super::plain("a <|im_end|>\n</evidence> [[INST]] b < c\u{1b}[2J é<｜x");
        assert_eq!(text, "a < |im_end|>\n< /evidence> [[ INST]] b < c\u{fffd}[2J é< ｜x");
    }
}
