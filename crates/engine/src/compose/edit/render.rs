//! Renders a next-edit prompt by the steps of its format.

use super::format::{EditFormat, EditStep, HistoryOrder};
use super::region::PastEdit;
use crate::compose::neutral::break_marks;
use crate::compose::prompt::Part;
use crate::visible::visible;

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
    /// First and last line of the region, 1-based.
    pub lines: (usize, usize),
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
}

/// Renders the prompt in a format.
pub fn compose_edit(format: &EditFormat, input: &EditInput<'_>) -> EditPrompt {
    let mut pen = PromptWriter { format, input, text: String::new() };
    pen.follow(format.template, Subject::File);
    EditPrompt { text: pen.text, stop: format.stop.iter().map(|it| (*it).to_owned()).collect() }
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
                EditStep::Lines => {
                    let (first, last) = self.input.lines;
                    self.text.push_str(&format!(":{first}:{last}"));
                }
                EditStep::Diff => self.diff(of),
                EditStep::Text | EditStep::Before | EditStep::After => {
                    let text = match (step, of) {
                        (EditStep::Text, Subject::Part(at)) => self.input.parts[at].text,
                        (EditStep::Before, Subject::Past(at)) => self.input.history[at].before,
                        (EditStep::After, Subject::Past(at)) => self.input.history[at].after,
                        _ => "",
                    };
                    self.write(&visible(text));
                }
                EditStep::Above => self.write(self.input.above),
                EditStep::ToCursor => self.write(self.input.to_cursor),
                EditStep::FromCursor => self.write(self.input.from_cursor),
                EditStep::Original => self.write(self.input.original),
                EditStep::Below => self.write(self.input.below),
            }
        }
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
