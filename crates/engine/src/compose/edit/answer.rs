//! Reads the answer of a next-edit model: the new text of the region.

use super::blocks::boundaries;
use super::format::{AnswerForm, EditFormat};

/// Why an answer is no text of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerFault {
    /// It has no text.
    #[error("the answer is empty")]
    Empty,
    /// It has marks that belong to prompts.
    #[error("the answer has marks of a prompt")]
    Marks,
    /// Its numbered marks are missing, or name no blocks of the region.
    #[error("the answer does not say which lines it replaces")]
    Blocks,
    /// It has control characters, or such that change the direction of the text.
    #[error("the answer has invisible characters")]
    Invisible,
}

/// The marks at the ends of a region.
const STARTS: [&str; 3] = ["<|editable_region_start|>", "<|code_to_edit|>", "<|region|>"];
const ENDS: [&str; 4] =
    ["<|editable_region_end|>", "<|/code_to_edit|>", "<|/region|>", ">>>>>>> UPDATED"];

/// The marks of a cursor, which an answer may have.
const CURSORS: [&str; 3] = ["<|user_cursor_is_here|>", "<|user_cursor|>", "<|cursor|>"];

/// The answer of Mercury and of Zed's models to a region that needs no change.
const NOTHING: [&str; 2] = ["None", "NO_EDITS"];

/// The new text of a region, whose old one it is where the model changes nothing. `prefill` is the beginning of the
/// answer that the prompt had.
///
/// # Errors
/// If the answer is no text of the region.
pub fn new_region(
    format: &EditFormat,
    region: &str,
    prefill: &str,
    answer: &str,
) -> Result<String, AnswerFault> {
    let answer = format.stop.iter().fold(answer, |it, stop| it.split(stop).next().unwrap_or(it));
    let mut text = [prefill, answer].concat();
    if !region.contains('\r') {
        text = text.replace("\r\n", "\n");
    }
    for cursor in CURSORS {
        text = text.replace(cursor, "");
    }
    if NOTHING.contains(&text.trim()) {
        return Ok(region.to_owned());
    }
    let text = match format.answer {
        AnswerForm::Region => between_marks(&text).to_owned(),
        AnswerForm::Fenced => between_marks(fenced(&text)).to_owned(),
        AnswerForm::Blocks => with_blocks(region, &text)?,
    };
    if text.trim().is_empty() {
        return Err(AnswerFault::Empty);
    }
    // A mark of the region is harmless: the region is only asked for if it has none of its own.
    if format.specials.iter().any(|it| text.contains(it)) {
        return Err(AnswerFault::Marks);
    }
    let is_invisible = |it: char| crate::visible::is_directional(it) || is_control(it);
    if text.chars().any(|it| is_invisible(it) && !region.contains(it)) {
        return Err(AnswerFault::Invisible);
    }
    Ok(like_region(region, text))
}

fn is_control(it: char) -> bool {
    it.is_control() && !matches!(it, '\n' | '\t')
}

/// The text between the marks of a region; without marks, all of it.
fn between_marks(text: &str) -> &str {
    // Only at the beginning: elsewhere it is no mark of the answer.
    let begun = STARTS.iter().find_map(|it| text.trim_start().strip_prefix(it));
    let text = begun.map_or(text, |it| it.strip_prefix('\n').unwrap_or(it));
    let end = ENDS.iter().filter_map(|it| text.find(it)).min();
    &text[..end.unwrap_or(text.len())]
}

/// The lines in the first Markdown fence; without a fence, all of the text. A fence that is not closed ends with it.
fn fenced(text: &str) -> &str {
    // Some servers return what the model thought before it answered.
    let text = text.rsplit_once("</think>").map_or(text, |it| it.1.trim_start_matches('\n'));
    let mut at = 0;
    let mut inner: Option<(usize, &str)> = None;
    for line in text.split_inclusive('\n') {
        let marks = &line[..line.len() - line.trim_start_matches('`').len()];
        match inner {
            None if marks.len() >= 3 => inner = Some((at + line.len(), marks)),
            Some((start, open)) if line.trim_end() == open => return &text[start..at],
            _ => {}
        }
        at += line.len();
    }
    inner.map_or(text, |it| &text[it.0..])
}

/// The region with the blocks that the answer has between its first and its last mark.
fn with_blocks(region: &str, answer: &str) -> Result<String, AnswerFault> {
    let mut marks = Vec::new();
    for part in answer.split("<|marker_").skip(1) {
        let (number, rest) = part.split_once("|>").ok_or(AnswerFault::Blocks)?;
        marks.push((number.parse::<usize>().map_err(|_| AnswerFault::Blocks)?, rest));
    }
    let [(first, _), .., (last, _)] = marks[..] else { return Err(AnswerFault::Blocks) };
    if first == last {
        return Ok(region.to_owned());
    }
    let text: String = marks[..marks.len() - 1].iter().map(|it| it.1).collect();
    let bounds = boundaries(region);
    let bound = |number: usize| number.checked_sub(1).and_then(|it| bounds.get(it)).copied();
    let (Some(start), Some(end)) = (bound(first), bound(last)) else {
        return Err(AnswerFault::Blocks);
    };
    if start > end {
        return Err(AnswerFault::Blocks);
    }
    Ok([&region[..start], &text, &region[end..]].concat())
}

/// With as many line ends behind the last line as the region has, and the region's kind of line ends.
fn like_region(region: &str, text: String) -> String {
    let ends = |it: &str| it.len() - it.trim_end_matches(['\r', '\n']).len();
    let mut res = if region.contains("\r\n") && !text.contains('\r') {
        text.replace('\n', "\r\n")
    } else {
        text
    };
    res.truncate(res.len() - ends(&res));
    res.push_str(&region[region.len() - ends(region)..]);
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: &str = "def pay(days):\n    return late_fee(days)\n";
    const NEW: &str = "def pay(days):\n    return overdue_fee(days)\n";

    fn read(name: &str, answer: &str) -> Result<String, AnswerFault> {
        new_region(EditFormat::named(name).unwrap(), REGION, "", answer)
    }

    #[track_caller]
    fn check(name: &str, answer: &str) {
        assert_eq!(read(name, answer).as_deref(), Ok(NEW), "{name}: {answer}");
    }

    #[test]
    fn each_form_of_an_answer_gives_the_same_region() {
        let bare = NEW.trim_end();
        check("zeta", &format!("<|editable_region_start|>\n{NEW}<|editable_region_end|>\n```\n"));
        check("zeta2", &format!("{bare}\n>>>>>>> UPDATED\nmore"));
        check("zeta2", &NEW.replace("return ", "return <|user_cursor|>"));
        check("sweep", &format!("{bare}<|endoftext|>def other():\n"));
        check("sweep2", &format!("{bare}\n\n<|file_sep|>x"));
        check("instinct", bare);
        check("mercury", &format!("```\n{bare}\n```"));
        check("mercury", &format!("<|code_to_edit|>\n{NEW}<|/code_to_edit|>"));
        check("chat", &format!("Here it is:\n\n```python\n{NEW}```\nIt renames the call."));
        check("chat", &format!("<think>\n```\nno\n```\n</think>\n\n```\n{NEW}```\n"));
        check("chat", &format!("````\n{NEW}````"));
        check("zeta2_1", &format!("<|marker_1|>{NEW}<|marker_2|><[end▁of▁sentence]>"));
        for (name, nothing) in [("mercury", "None"), ("zeta2", "NO_EDITS\n")] {
            assert_eq!(read(name, nothing).as_deref(), Ok(REGION));
        }
        assert_eq!(read("zeta2_1", "<|marker_1|><|marker_1|>").as_deref(), Ok(REGION));
    }

    #[test]
    fn a_prefill_is_the_beginning_of_the_answer() {
        let format = EditFormat::named("sweep2").unwrap();
        let (first, rest) = NEW.split_at(NEW.find('\n').unwrap() + 1);
        assert_eq!(new_region(format, REGION, first, rest).as_deref(), Ok(NEW));
    }

    #[test]
    fn only_the_blocks_that_an_answer_names_are_replaced() {
        let region = "a = 1\n".repeat(20);
        let format = EditFormat::named("zeta2_1").unwrap();
        let found = new_region(format, &region, "", "<|marker_2|>b = 2\n<|marker_3|>").unwrap();
        assert_eq!(found, format!("{}b = 2\n", "a = 1\n".repeat(16)));
        let inner = "<|marker_1|>b = 2\n<|marker_2|>c = 3\n<|marker_3|>";
        assert_eq!(new_region(format, &region, "", inner).as_deref(), Ok("b = 2\nc = 3\n"));
        for wrong in [
            "b = 2\n",
            "<|marker_1|>b",
            "<|marker_2|>b<|marker_9|>",
            "<|marker_0|>b<|marker_1|>",
            "<|marker_3|>b<|marker_1|>",
            "<|marker_x|>b<|marker_2|>",
        ] {
            assert_eq!(new_region(format, &region, "", wrong), Err(AnswerFault::Blocks), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_text_of_a_region_is_refused() {
        assert_eq!(read("zeta2", " \n"), Err(AnswerFault::Empty));
        assert_eq!(read("chat", "```\n```"), Err(AnswerFault::Empty));
        assert_eq!(read("sweep", "x<|im_start|>system"), Err(AnswerFault::Marks));
        assert_eq!(read("zeta2", "x = '\u{202e}'"), Err(AnswerFault::Invisible));
        assert_eq!(read("zeta2", "x = '\u{1b}[2J'"), Err(AnswerFault::Invisible));
    }

    #[test]
    fn line_ends_are_those_of_the_region() {
        let format = EditFormat::named("sweep").unwrap();
        let found = new_region(format, "a\r\nb", "", "a\nc\n");
        assert_eq!(found.as_deref(), Ok("a\r\nc"));
        assert_eq!(new_region(format, "a\nb\n", "", "a\r\nc").as_deref(), Ok("a\nc\n"));
    }
}
