//! Makes a model's raw text fit the place where it is inserted.
//!
//! Models write too much: past stop tokens that the server did not know, into the code that follows the cursor, the same
//! lines again and again, beyond the block. Each cut has a reason ([`Cut`]), so that a bad completion can be explained.
//! The steps, in order: what ends the text (stop strings, leaked special tokens), Markdown around it (chat), indentation
//! that is already there, repetition, the end of the block, brackets that close nothing, text that repeats what follows
//! the cursor, trailing blanks. Line ends are those of the file.

mod brackets;
mod overlap;
mod repetition;
mod stream;
#[cfg(test)]
mod tests;

pub use stream::Stream;

use crate::embedded::Extent;
use crate::request::StopCheck;

/// Where a text is inserted, and what limits it.
#[derive(Clone, Copy, Debug, Default)]
pub struct InsertionPoint<'p> {
    /// The text before the cursor.
    pub prefix: &'p str,
    /// The text after it.
    pub suffix: &'p str,
    /// What ends a text.
    pub stop: &'p [String],
    /// Special tokens of the model, which must never be shown.
    pub specials: &'p [&'static str],
    /// How much is wanted.
    pub extent: Extent,
    /// What kind of model writes it.
    pub writer: Writer,
}

/// What kind of model wrote a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Writer {
    /// A model that continues text.
    #[default]
    Base,
    /// A model that converses and tends to explain.
    Chat,
}

/// Why a part of a text was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// From a stop string or special token.
    Stop,
    /// Markdown around the code.
    Fence,
    /// Indentation that is already there.
    Indent,
    /// Repeated lines.
    Repetition,
    /// Lines after the one, or after the block.
    Extent,
    /// A bracket that closes nothing.
    Bracket,
    /// Text that repeats what follows the cursor.
    Overlap,
}

impl Cut {
    /// In a few words.
    pub fn reason(self) -> &'static str {
        match self {
            Cut::Stop => "stop string or special token",
            Cut::Fence => "Markdown around the code",
            Cut::Indent => "indentation that was there",
            Cut::Repetition => "repetition",
            Cut::Extent => "beyond the line or block",
            Cut::Bracket => "bracket that nothing opened",
            Cut::Overlap => "what follows the cursor",
        }
    }
}

/// A text that fits, and what was cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanText {
    /// What to insert; may be empty.
    pub text: String,
    /// Each reason once, in the order of the steps.
    pub cuts: Vec<Cut>,
}

/// Makes `raw` fit.
pub fn clean(raw: &str, point: &InsertionPoint<'_>) -> CleanText {
    let has_returns = point.prefix.contains("\r\n") || point.suffix.contains("\r\n");
    let [prefix, suffix] = [point.prefix, point.suffix].map(|it| it.replace("\r\n", "\n"));
    let mut work = Work { text: raw.replace("\r\n", "\n"), cuts: Vec::new() };
    let end = end_of(&work.text, point);
    work.cut_to(end, Cut::Stop);
    if point.writer == Writer::Chat {
        unfence(&mut work, &prefix);
    }
    unindent(&mut work, &prefix);
    let end = repetition::end(&work.text);
    work.cut_to(end, Cut::Repetition);
    let end = extent_end(&work.text, &prefix, &suffix, point.extent);
    work.cut_to(end, Cut::Extent);
    let end = brackets::end(&work.text, &prefix);
    work.cut_to(end, Cut::Bracket);
    let end = overlap::end(&work.text, &prefix, &suffix);
    work.cut_to(end, Cut::Overlap);
    let end = work.text.trim_end().len();
    work.text.truncate(end);
    if has_returns {
        work.text = work.text.replace('\n', "\r\n");
    }
    CleanText { text: work.text, cuts: work.cuts }
}

/// Whether nothing that may still be written after `raw` can be shown: its line or block is over, it closes what
/// nothing opened, or it goes round in repetition.
pub fn is_finished(raw: &str, point: &InsertionPoint<'_>) -> bool {
    let has = |raw: &str, cuts: &[Cut]| clean(raw, point).cuts.iter().any(|it| cuts.contains(it));
    // An unfinished line may still turn out to differ from the one that it repeats.
    let lines = &raw[..raw.rfind('\n').map_or(0, |at| at + 1)];
    has(raw, &[Cut::Stop, Cut::Extent, Cut::Bracket]) || has(lines, &[Cut::Repetition])
}

/// Stops a completion when its text [is finished](is_finished).
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
    cuts: Vec<Cut>,
}

impl Work {
    fn cut_to(&mut self, end: usize, why: Cut) {
        if !self.text[end..].trim().is_empty() || why == Cut::Stop && end < self.text.len() {
            self.cuts.push(why);
        }
        self.text.truncate(end);
    }
}

/// Where the first stop string or special token stands.
fn end_of(text: &str, point: &InsertionPoint<'_>) -> usize {
    let stops = point.stop.iter().map(String::as_str).chain(point.specials.iter().copied());
    stops.filter(|it| !it.is_empty()).filter_map(|it| text.find(it)).min().unwrap_or(text.len())
}

/// Keeps the code in the first Markdown fence, without the cursor's line where the answer repeats it.
fn unfence(work: &mut Work, prefix: &str) {
    let text = &work.text;
    if let Some(open) = text.find("```")
        && let Some(line) = text[open..].find('\n')
    {
        let body = &text[open + line + 1..];
        let close = body.find("\n```").or_else(|| body.starts_with("```").then_some(0));
        work.text = body[..close.unwrap_or(body.len())].to_owned();
        work.cuts.push(Cut::Fence);
    }
    let line = prefix.rsplit('\n').next().unwrap_or_default();
    if line.trim().len() > 2
        && let Some(at) = work.text.find(line.trim())
        && work.text[..at].trim().is_empty()
    {
        work.text.drain(..at + line.trim().len());
        work.cuts.push(Cut::Overlap);
    }
}

/// Removes indentation that already stands before the cursor.
fn unindent(work: &mut Work, prefix: &str) {
    let line = prefix.rsplit('\n').next().unwrap_or_default();
    let is_indent = !line.is_empty() && line.trim().is_empty();
    if is_indent && work.text.starts_with(line) {
        work.text.drain(..line.len());
        work.cuts.push(Cut::Indent);
    }
}

/// Where the line or block ends: a line feed, or a line that is indented less than the cursor's.
fn extent_end(text: &str, prefix: &str, suffix: &str, extent: Extent) -> usize {
    let line = prefix.rsplit('\n').next().unwrap_or_default();
    // At the end of a finished line what comes next is a new line.
    let lead =
        if line.trim().is_empty() { 0 } else { text.len() - text.trim_start_matches('\n').len() };
    let rest_is_blank = suffix.split('\n').next().unwrap_or_default().trim().is_empty();
    let lines = match extent {
        Extent::Block(more) if rest_is_blank => more + 1,
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
