//! Renders a next-edit prompt by the steps of its format.

use super::blocks::{boundaries, mark};
use super::format::{EditFormat, EditStep, HistoryOrder, Prefill};
use super::region::PastEdit;
use crate::compose::neutral::break_marks;
use crate::compose::prompt::Part;
use crate::visible::visible;

/// The cursor in a block.
const BLOCK_CURSOR: &str = "<|user_cursor|>";

/// Inputs of a next-edit prompt.
#[derive(Clone, Copy, Debug)]
pub struct EditInput<'a> {
    /// Path of the edited file, relative to the root.
    pub path: &'a str,
    /// Context before the region.
    pub above: &'a str,
    /// The region up to the cursor.
    pub to_cursor: &'a str,
    /// The region from the cursor.
    pub from_cursor: &'a str,
    /// The region before the past edits.
    pub original: &'a str,
    /// Context after the region.
    pub below: &'a str,
    /// The file before the past edits, or the part of a long one around the cursor.
    pub file_before: &'a str,
    /// Pieces of context, in the order of the prompt.
    pub parts: &'a [Part<'a>],
    /// Past edits, latest first.
    pub history: &'a [PastEdit<'a>],
}

/// A prompt for a next-edit model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditPrompt {
    /// The prompt.
    pub text: String,
    /// Stop sequences.
    pub stop: Vec<String>,
    /// Text of the region with which the prompt ends: the answer continues it.
    pub prefill: String,
}

/// Renders the prompt in a format.
pub fn compose_edit(format: &EditFormat, input: &EditInput<'_>) -> EditPrompt {
    let mut pen = PromptWriter { format, input, text: String::new() };
    pen.follow(format.template, Subject::File);
    let prefill = match format.prefill {
        Prefill::None => String::new(),
        Prefill::FirstLine => first_line(input.to_cursor).to_owned(),
    };
    pen.write(&prefill);
    let stop = format.stop.iter().map(|it| (*it).to_owned()).collect();
    EditPrompt { text: pen.text, stop, prefill }
}

/// True for a text that the format does not have to escape; an answer would repeat the escapes.
pub fn is_plain(format: &EditFormat, text: &str) -> bool {
    break_marks((format.specials, format.line_guards), text) == text
}

/// The first line of a text, and the empty lines behind it.
fn first_line(text: &str) -> &str {
    let end = text.find('\n').map_or(text.len(), |it| it + 1);
    let rest = &text[end..];
    &text[..end + rest.len() - rest.trim_start_matches('\n').len()]
}

/// The object whose path and text a step uses.
#[derive(Clone, Copy)]
enum Subject {
    File,
    Part(usize),
    Past(usize),
}

struct PromptWriter<'p> {
    format: &'p EditFormat,
    input: &'p EditInput<'p>,
    text: String,
}

impl PromptWriter<'_> {
    fn follow(&mut self, steps: &[EditStep], of: Subject) {
        for step in steps {
            match *step {
                EditStep::Mark(text) | EditStep::Plain(text) => self.text.push_str(text),
                EditStep::Path => self.path(of),
                EditStep::Parts => {
                    (0..self.input.parts.len())
                        .for_each(|it| self.follow(self.format.part, Subject::Part(it)));
                }
                EditStep::History => self.history(),
                EditStep::IfHistory(steps) if !self.input.history.is_empty() => {
                    self.follow(steps, of);
                }
                EditStep::IfHistory(_) => {}
                EditStep::EndLine if self.text.ends_with('\n') => {}
                EditStep::EndLine => self.text.push('\n'),
                EditStep::LinesFromCursor => self.lines_from_cursor(),
                EditStep::PastLines => self.past_lines(of),
                EditStep::Stripped(steps) => {
                    let start = self.text.len();
                    self.follow(steps, of);
                    let inner = self.text.split_off(start);
                    self.text.push_str(inner.trim_matches('\n'));
                }
                EditStep::Blocks => self.blocks(),
                EditStep::Diff => self.diff(of),
                EditStep::Text
                | EditStep::Before
                | EditStep::After
                | EditStep::LineAbove
                | EditStep::LineBelow => self.write(&visible(text_of(self.input, *step, of))),
                EditStep::Above => self.write(self.input.above),
                EditStep::ToCursor => self.write(self.input.to_cursor),
                EditStep::FromCursor => self.write(self.input.from_cursor),
                EditStep::Original => self.write(self.input.original),
                EditStep::Below => self.write(self.input.below),
                EditStep::FileBefore => self.write(&visible(self.input.file_before)),
            }
        }
    }

    /// Sweep's program counts from the cursor's line in the region, and as many lines as the region has.
    fn lines_from_cursor(&mut self) {
        let EditInput { to_cursor, from_cursor, .. } = self.input;
        let own = to_cursor.matches('\n').count();
        let lines = to_cursor.matches('\n').count() + from_cursor.lines().count().max(1);
        self.text.push_str(&format!(":{}:{}", own + 1, own + lines + 1));
    }

    /// The lines that a past edit wrote, with its neighbours.
    fn past_lines(&mut self, of: Subject) {
        let Subject::Past(at) = of else { return };
        let PastEdit { line, after, above, below, .. } = self.input.history[at];
        let first = line as usize - above.lines().count();
        let lines = [above, after, below].map(|it| it.lines().count()).iter().sum::<usize>();
        self.text.push_str(&format!(":{first}:{}", (first + lines).saturating_sub(1)));
    }

    /// The region between numbered marks, with the cursor in one of its blocks.
    fn blocks(&mut self) {
        let EditInput { to_cursor, from_cursor, .. } = self.input;
        let region = [*to_cursor, *from_cursor].concat();
        let bounds = boundaries(&region);
        let mut cursor = Some(to_cursor.len());
        for (n, pair) in bounds.windows(2).enumerate() {
            self.text.push_str(&mark(n + 1));
            let (start, end) = (pair[0], pair[1]);
            match cursor.take_if(|it| (start..=end).contains(it)) {
                Some(at) => {
                    self.write(&region[start..at]);
                    self.text.push_str(BLOCK_CURSOR);
                    self.write(&region[at..end]);
                }
                None => self.write(&region[start..end]),
            }
        }
        self.text.push_str(&mark(bounds.len()));
    }

    fn write(&mut self, text: &str) {
        let harmless = break_marks((self.format.specials, self.format.line_guards), text);
        self.text.push_str(&harmless);
    }

    fn path(&mut self, of: Subject) {
        let path = match of {
            Subject::File => self.input.path,
            Subject::Part(at) => self.input.parts[at].path,
            Subject::Past(at) => self.input.history[at].path,
        };
        self.write(&visible(&path.replace(|it: char| it.is_control(), "?")));
    }

    fn history(&mut self) {
        let n = self.input.history.len();
        for at in 0..n {
            let number = match self.format.order {
                HistoryOrder::LatestFirst => at,
                HistoryOrder::OldestFirst => n - 1 - at,
            };
            if at > 0 {
                self.text.push_str(self.format.between);
            }
            self.follow(self.format.past, Subject::Past(number));
        }
    }

    /// A hunk as git writes it, without context lines. Previous line numbers are unknown, so the header has the current
    /// ones.
    fn diff(&mut self, of: Subject) {
        let Subject::Past(at) = of else { return };
        let PastEdit { line, before, after, .. } = self.input.history[at];
        let range = |text: &str| match text.lines().count() {
            0 => format!("{},0", line.saturating_sub(1)),
            n => format!("{line},{n}"),
        };
        self.text.push_str(&format!("@@ -{} +{} @@\n", range(before), range(after)));
        for (sign, text) in [('-', before), ('+', after)] {
            for line in text.lines() {
                self.text.push(sign);
                self.write(&visible(line));
                self.text.push('\n');
            }
        }
    }
}

/// The text of a piece or of a past edit.
fn text_of<'p>(input: &'p EditInput<'p>, step: EditStep, of: Subject) -> &'p str {
    match (step, of) {
        (EditStep::Text, Subject::Part(at)) => input.parts[at].text,
        (EditStep::Before, Subject::Past(at)) => input.history[at].before,
        (EditStep::After, Subject::Past(at)) => input.history[at].after,
        (EditStep::LineAbove, Subject::Past(at)) => input.history[at].above,
        (EditStep::LineBelow, Subject::Past(at)) => input.history[at].below,
        _ => "",
    }
}
