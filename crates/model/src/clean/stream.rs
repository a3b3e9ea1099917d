//! Cleans a text while it is streamed; emitted text is never taken back.

use super::{CleanText, InsertionPoint, clean};

/// A growing text. Emits whole lines once nothing can cut them; holds back the last line, which may overlap the text
/// after the cursor.
#[derive(Debug)]
pub struct Stream<'p> {
    point: InsertionPoint<'p>,
    raw: String,
    shown: String,
    /// Length of the raw text that was cleaned last.
    cleaned: usize,
    is_over: bool,
}

/// Up to this length in bytes a text is cleaned with every line.
const OFTEN: usize = 256;

impl<'p> Stream<'p> {
    /// An empty stream.
    pub fn new(point: InsertionPoint<'p>) -> Self {
        Self { point, raw: String::new(), shown: String::new(), cleaned: 0, is_over: false }
    }

    /// Adds raw text; returns the text that can be shown now.
    pub fn push(&mut self, raw: &str) -> String {
        self.raw.push_str(raw);
        // Only a line that ends can be shown. Of a long text, not all is read again for each line.
        let is_due = self.raw.len() < OFTEN || self.raw.len() >= self.cleaned + self.cleaned / 16;
        if self.is_over || !is_due || !raw.contains('\n') {
            return String::new();
        }
        self.cleaned = self.raw.len();
        let cleaned = clean(&self.raw, &self.point);
        self.is_over = !cleaned.cuts.is_empty() && cleaned.text == self.shown;
        let safe = cleaned.text.rfind('\n').unwrap_or(0);
        self.show(&cleaned.text[..safe])
    }

    /// The remaining text, and the whole.
    pub fn finish(mut self) -> (String, CleanText) {
        let mut cleaned = clean(&self.raw, &self.point);
        let rest = self.show(&cleaned.text);
        // Emitted text cannot be changed.
        cleaned.text.clone_from(&self.shown);
        (rest, cleaned)
    }

    fn show(&mut self, text: &str) -> String {
        let Some(new) = text.strip_prefix(self.shown.as_str()) else { return String::new() };
        let new = new.to_owned();
        self.shown.push_str(&new);
        new
    }
}
