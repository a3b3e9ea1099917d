//! Renders a prompt by the steps of its format.

use crate::compose::format::{Format, Step};
use crate::compose::neutral::{neutralise, piece_text, title};
use crate::compose::prompt::{Hole, Origin, Part, Prompt, Segment};
use std::borrow::Cow;

/// Renders the prompt for `hole` with `parts`, in the given order.
pub fn compose(format: &Format, hole: &Hole<'_>, parts: &[Part<'_>]) -> Prompt {
    let mut pen = SegmentWriter::new(format, hole, parts);
    pen.follow(format.template, None);
    pen.stop_before_next_piece();
    pen.prompt
}

/// Renders one piece with its header, to count its tokens.
pub fn piece(format: &Format, hole: &Hole<'_>, part: &Part<'_>) -> String {
    let parts = [*part];
    let mut pen = SegmentWriter::new(format, hole, &parts);
    pen.follow(format.part, Some(0));
    pen.prompt.text
}

/// Approximate bytes of a header beside its path.
const HEADER_BYTES: usize = 64;

struct SegmentWriter<'p> {
    format: &'p Format,
    hole: &'p Hole<'p>,
    parts: &'p [Part<'p>],
    comment: &'p str,
    prefix: Cow<'p, str>,
    suffix: Cow<'p, str>,
    prompt: Prompt,
}

impl<'p> SegmentWriter<'p> {
    fn new(format: &'p Format, hole: &'p Hole<'p>, parts: &'p [Part<'p>]) -> Self {
        let suffix = if hole.suffix.is_empty() { format.empty_suffix } else { hole.suffix };
        let of_parts: usize =
            parts.iter().map(|it| it.text.len() + it.path.len() + HEADER_BYTES).sum();
        let text =
            String::with_capacity(of_parts + hole.prefix.len() + suffix.len() + HEADER_BYTES);
        let stop = format.stop.iter().map(|&it| it.to_owned()).collect();
        Self {
            format,
            hole,
            parts,
            comment: hole.line_comment.unwrap_or_else(|| comment_for(hole.language_name)),
            prefix: neutralise(format, hole.prefix),
            suffix: neutralise(format, suffix),
            prompt: Prompt { text, segments: Vec::new(), stop },
        }
    }

    /// `part` is the index of the current piece.
    fn follow(&mut self, steps: &[Step], part: Option<usize>) {
        for &step in steps {
            match step {
                Step::Mark(text) => self.write(Origin::Sentinel, text),
                Step::Plain(text) => self.write(Origin::Header, text),
                Step::Comment(text) => {
                    self.write(Origin::Header, self.comment);
                    self.write(Origin::Header, " ");
                    self.write(Origin::Header, text);
                }
                Step::Repository => self.name(self.hole.repository),
                Step::Path => self.name(self.path(part)),
                Step::Language => self.name(self.hole.language_name.unwrap_or_default()),
                Step::Parts => {
                    (0..self.parts.len()).for_each(|it| self.follow(self.format.part, Some(it)));
                }
                Step::Text => self.text(part),
                Step::CommentedText => self.commented(part),
                Step::EndLine if self.prompt.text.ends_with('\n') => {}
                Step::EndLine => self.write(Origin::Header, "\n"),
                Step::OpenFence => self.open_fence(part),
                Step::CloseFence => self.write(Origin::Header, &self.fence(part)),
                Step::Prefix => self.around(Origin::Prefix),
                Step::Suffix => self.around(Origin::Suffix),
                Step::IfParts(_) if self.parts.is_empty() => {}
                Step::IfRepository(_) if self.hole.repository.is_empty() => {}
                Step::IfLanguage(_) if self.hole.language_name.is_none() => {}
                Step::IfParts(steps) | Step::IfRepository(steps) | Step::IfLanguage(steps) => {
                    self.follow(steps, part);
                }
            }
        }
    }

    fn write(&mut self, origin: Origin, text: &str) {
        if text.is_empty() {
            return;
        }
        let start = self.prompt.text.len();
        self.prompt.text.push_str(text);
        let end = self.prompt.text.len();
        match self.prompt.segments.last_mut() {
            Some(last) if last.origin == origin => last.range.end = end,
            _ => self.prompt.segments.push(Segment { range: start..end, origin }),
        }
    }

    fn name(&mut self, name: &'p str) {
        let name = title(self.format, name, "untitled");
        self.write(Origin::Header, &name);
    }

    fn path(&self, part: Option<usize>) -> &'p str {
        part.map_or(self.hole.path, |it| self.parts[it].path)
    }

    fn text(&mut self, part: Option<usize>) {
        let Some(idx) = part else { return };
        let text = piece_text(self.format, self.parts[idx].text);
        self.write(Origin::Part(idx), &text);
    }

    fn commented(&mut self, part: Option<usize>) {
        let Some(idx) = part else { return };
        let text = piece_text(self.format, self.parts[idx].text);
        for line in text.lines() {
            self.write(Origin::Part(idx), self.comment);
            if !line.is_empty() {
                self.write(Origin::Part(idx), " ");
                self.write(Origin::Part(idx), line);
            }
            self.write(Origin::Part(idx), "\n");
        }
    }

    fn around(&mut self, origin: Origin) {
        let text = if origin == Origin::Prefix { &mut self.prefix } else { &mut self.suffix };
        let text = std::mem::take(text);
        self.write(origin, &text);
    }

    fn open_fence(&mut self, part: Option<usize>) {
        let fence = self.fence(part);
        self.write(Origin::Header, &fence);
        self.write(Origin::Header, extension(self.path(part)));
        self.write(Origin::Header, "\n");
    }

    /// A fence longer than any run of backticks in the text.
    fn fence(&self, part: Option<usize>) -> String {
        let longest = match part {
            Some(idx) => ticks(self.parts[idx].text),
            // The two may touch at the cursor.
            None => ticks(self.hole.prefix) + ticks(self.hole.suffix),
        };
        "`".repeat(3.max(longest + 1))
    }

    /// A model that has seen commented pieces may write another one.
    fn stop_before_next_piece(&mut self) {
        let commented = |it: &Step| matches!(it, Step::Comment(_));
        if let Some(Step::Comment(text)) = self.format.part.iter().copied().find(commented) {
            self.prompt.stop.push(format!("\n{} {text}", self.comment));
        }
    }
}

/// Length of the longest run of backticks.
fn ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Extension of a path, without line numbers; empty if it cannot follow a fence.
fn extension(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let Some((_, extension)) = name.rsplit_once('.') else { return "" };
    let extension = extension.split(':').next().unwrap_or("");
    let plain = extension.len() <= 12 && extension.bytes().all(|it| it.is_ascii_alphanumeric());
    if plain { extension } else { "" }
}

/// Comment prefix for languages without line comments, so that no piece is dropped.
fn comment_for(language: Option<&str>) -> &'static str {
    const SLASHES: [&str; 5] = ["CSS", "SCSS", "Less", "JSON", "JSON5"];
    let slashes = |name: &str| SLASHES.iter().any(|it| it.eq_ignore_ascii_case(name));
    if language.is_some_and(slashes) { "//" } else { "#" }
}
