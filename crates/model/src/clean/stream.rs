//! Cleans while it comes: what is handed on is never taken back.

use super::{Cleaned, InsertionPoint, clean};

/// A text that grows. Whole lines are handed on when the next has begun and nothing can cut them any more, but for the
/// last lines, which may turn out to repeat what follows the cursor.
#[derive(Debug)]
pub struct Stream<'p> {
    point: InsertionPoint<'p>,
    raw: String,
    given: String,
    is_over: bool,
}

impl<'p> Stream<'p> {
    /// Nothing yet.
    pub fn new(point: InsertionPoint<'p>) -> Self {
        Self { point, raw: String::new(), given: String::new(), is_over: false }
    }

    /// Takes raw text and says what can be shown now.
    pub fn push(&mut self, raw: &str) -> String {
        self.raw.push_str(raw);
        if self.is_over {
            return String::new();
        }
        let cleaned = clean(&self.raw, &self.point);
        self.is_over = !cleaned.cuts.is_empty() && cleaned.text == self.given;
        let safe = cleaned.text.rfind('\n').unwrap_or(0);
        self.give(&cleaned.text[..safe])
    }

    /// The rest, and the whole.
    pub fn finish(mut self) -> (String, Cleaned) {
        let mut cleaned = clean(&self.raw, &self.point);
        let rest = self.give(&cleaned.text);
        // What has been shown stands.
        cleaned.text.clone_from(&self.given);
        (rest, cleaned)
    }

    fn give(&mut self, text: &str) -> String {
        let Some(new) = text.strip_prefix(self.given.as_str()) else { return String::new() };
        let new = new.to_owned();
        self.given.push_str(&new);
        new
    }
}
