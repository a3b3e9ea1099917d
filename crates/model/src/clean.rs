//! Post-processes a model's raw text to fit the place of insertion.
//!
//! Models write too much: stop tokens unknown to the server, code that already follows the cursor, repeated lines,
//! lines beyond the block. Each cut has a reason ([`CutReason`]), which explains a bad completion. Steps, in order: stop
//! strings and leaked special tokens, Markdown (chat models), duplicate indentation, repetition, end of the block,
//! unmatched brackets, overlap with the text after the cursor, trailing whitespace. Line endings follow the file.

mod brackets;
mod overlap;
mod preset;
mod repetition;
mod stream;
#[cfg(test)]
mod tests;

pub use stream::Stream;

use crate::embedded::Extent;
use crate::request::StopCheck;

/// Place of insertion, with limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct InsertionPoint<'p> {
    /// The text before the cursor.
    pub prefix: &'p str,
    /// The text after the cursor.
    pub suffix: &'p str,
    /// Stop strings.
    pub stop: &'p [String],
    /// Special tokens of the model; never shown.
    pub specials: &'p [&'static str],
    /// Requested length.
    pub extent: Extent,
    /// Kind of model.
    pub writer: Writer,
}

/// Kind of model that wrote a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Writer {
    /// A model that continues text.
    #[default]
    Base,
    /// A model that converses and may add explanations.
    Chat,
}

/// Reason for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutReason {
    /// Stop string or special token.
    Stop,
    /// Markdown around the code.
    Fence,
    /// Indentation that is already before the cursor.
    Indent,
    /// Repeated lines.
    Repetition,
    /// Lines beyond the line or block.
    Extent,
    /// Unmatched closing bracket.
    Bracket,
    /// Text that already follows the cursor.
    Overlap,
}

impl CutReason {
    /// Short description.
    pub fn reason(self) -> &'static str {
        match self {
            CutReason::Stop => "stop string or special token",
            CutReason::Fence => "Markdown around the code",
            CutReason::Indent => "indentation that was there",
            CutReason::Repetition => "repetition",
            CutReason::Extent => "beyond the line or block",
            CutReason::Bracket => "bracket that nothing opened",
            CutReason::Overlap => "what follows the cursor",
        }
    }
}

/// A cleaned text and the cuts made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanText {
    /// Text to insert; may be empty.
    pub text: String,
    /// Distinct reasons, in the order of the steps.
    pub cuts: Vec<CutReason>,
}

/// Cleans `raw` for insertion at `point`.
pub fn clean(raw: &str, point: &InsertionPoint<'_>) -> CleanText {
    let has_returns = point.prefix.contains("\r\n") || point.suffix.contains("\r\n");
    let [prefix, suffix] = [point.prefix, point.suffix].map(|it| it.replace("\r\n", "\n"));
    let mut work = Work { text: raw.replace("\r\n", "\n"), cuts: Vec::new() };
    let end = end_of(&work.text, point);
    work.cut_to(end, CutReason::Stop);
    if point.writer == Writer::Chat {
        unfence(&mut work, &prefix);
    }
    unindent(&mut work, &prefix);
    let end = repetition::end(&work.text);
    work.cut_to(end, CutReason::Repetition);
    let end = extent_end(&work.text, &prefix, &suffix, point.extent);
    work.cut_to(end, CutReason::Extent);
    let end = brackets::end(&work.text, &prefix);
    work.cut_to(end, CutReason::Bracket);
    let end = overlap::end(&work.text, &prefix, &suffix);
    work.cut_to(end, CutReason::Overlap);
    let end = work.text.trim_end().len();
    work.text.truncate(end);
    if has_returns {
        work.text = work.text.replace('\n', "\r\n");
    }
    CleanText { text: work.text, cuts: work.cuts }
}

/// Returns true if any text after `raw` would be cut: its line or block has ended, a bracket is unmatched, or it
/// repeats.
pub fn is_finished(raw: &str, point: &InsertionPoint<'_>) -> bool {
    let has =
        |raw: &str, cuts: &[CutReason]| clean(raw, point).cuts.iter().any(|it| cuts.contains(it));
    // An unfinished line may still differ from the one that it seems to repeat.
    let lines = &raw[..raw.rfind('\n').map_or(0, |at| at + 1)];
    has(raw, &[CutReason::Stop, CutReason::Extent, CutReason::Bracket])
        || has(lines, &[CutReason::Repetition])
}

/// A check that stops a completion when its text [is finished](is_finished).
pub fn stop_check(point: &InsertionPoint<'_>) -> StopCheck {
    let InsertionPoint { extent, writer, .. } = *point;
    let (prefix, suffix) = (point.prefix.to_owned(), point.suffix.to_owned());
    let (stop, specials) = (point.stop.to_vec(), point.specials.to_vec());
    StopCheck::new(move |raw| {
        let (stop, specials) = (&stop, &specials);
        is_finished(
            raw,
            &InsertionPoint { prefix: &prefix, suffix: &suffix, stop, specials, extent, writer },
        )
    })
}

struct Work {
    text: String,
    cuts: Vec<CutReason>,
}

impl Work {
    fn cut_to(&mut self, end: usize, why: CutReason) {
        if !self.text[end..].trim().is_empty() || why == CutReason::Stop && end < self.text.len() {
            self.cuts.push(why);
        }
        self.text.truncate(end);
    }
}

/// Offset of the first stop string or special token.
fn end_of(text: &str, point: &InsertionPoint<'_>) -> usize {
    let stops = point.stop.iter().map(String::as_str).chain(point.specials.iter().copied());
    stops.filter(|it| !it.is_empty()).filter_map(|it| text.find(it)).min().unwrap_or(text.len())
}

/// Keeps the code of the first Markdown fence, without a repeated beginning of the cursor's line.
fn unfence(work: &mut Work, prefix: &str) {
    let text = &work.text;
    if let Some(open) = text.find("```")
        && let Some(line) = text[open..].find('\n')
    {
        let body = &text[open + line + 1..];
        let close = body.find("\n```").or_else(|| body.starts_with("```").then_some(0));
        work.text = body[..close.unwrap_or(body.len())].to_owned();
        work.cuts.push(CutReason::Fence);
    }
    let line = prefix.rsplit('\n').next().unwrap_or_default();
    if line.trim().len() > 2
        && let Some(at) = work.text.find(line.trim())
        && work.text[..at].trim().is_empty()
    {
        work.text.drain(..at + line.trim().len());
        work.cuts.push(CutReason::Overlap);
    }
}

/// Removes indentation that is already before the cursor.
fn unindent(work: &mut Work, prefix: &str) {
    let line = prefix.rsplit('\n').next().unwrap_or_default();
    let is_indent = !line.is_empty() && line.trim().is_empty();
    if is_indent && work.text.starts_with(line) {
        work.text.drain(..line.len());
        work.cuts.push(CutReason::Indent);
    }
}

/// End of the line or block: a line feed, or a line indented less than the cursor's.
fn extent_end(text: &str, prefix: &str, suffix: &str, extent: Extent) -> usize {
    let line = prefix.rsplit('\n').next().unwrap_or_default();
    // After a complete line the completion starts with a line feed.
    let lead =
        if line.trim().is_empty() { 0 } else { text.len() - text.trim_start_matches('\n').len() };
    let rest_is_blank = suffix.split('\n').next().unwrap_or_default().trim().is_empty();
    let lines = match extent {
        Extent::Block(more) if rest_is_blank => more.saturating_add(1),
        _ => 1,
    };
    let indent = line.len() - line.trim_start().len();
    let mut at = lead;
    for (idx, line) in text[lead..].split_inclusive('\n').enumerate() {
        let content = line.trim();
        let is_left =
            idx > 0 && !content.is_empty() && line.len() - line.trim_start().len() < indent;
        if idx == lines || is_left {
            return at;
        }
        at += line.len();
    }
    text.len()
}
