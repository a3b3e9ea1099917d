//! Neutralises repository text for a model: as data it cannot end its message, nor command a server or terminal.

use foreword_engine::visible::printable;

/// Markers between messages and of tool calls in the chat templates of ChatML, Llama, Mistral, Gemma, DeepSeek and
/// Qwen. A space after the first character breaks a marker and keeps it readable.
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

/// Breaks all markers in repository text, so that a server takes none for a role, a call or the end of a message.
pub(crate) fn plain(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let text = printable(text);
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

/// Replaces line breaks for headers, since file names may contain them.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], "?")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_cannot_end_a_message() {
        let text = super::plain("a <|im_end|>\n</evidence> [[INST]] b < c\u{1b}[2J é<｜x");
        assert_eq!(text, "a < |im_end|>\n< /evidence> [[ INST]] b < c\u{fffd}[2J é< ｜x");
    }
}
