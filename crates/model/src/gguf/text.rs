//! Converts token bytes into text to show: whole characters, without a possible beginning of a stop string.

/// A growing text.
#[derive(Debug)]
pub(super) struct Text<'s> {
    stops: &'s [String],
    /// Complete characters, up to a stop string.
    text: String,
    /// First bytes of an incomplete character.
    incomplete: Vec<u8>,
    /// Bytes of the text already returned.
    flushed: usize,
    is_over: bool,
}

impl<'s> Text<'s> {
    pub(super) fn new(stops: &'s [String]) -> Self {
        Self { stops, text: String::new(), incomplete: Vec::new(), flushed: 0, is_over: false }
    }

    /// Adds the bytes of a token; returns the text that can be shown now.
    pub(super) fn push(&mut self, bytes: &[u8]) -> &str {
        let before = self.text.len();
        self.incomplete.extend_from_slice(bytes);
        self.decode();
        self.stop(before);
        let sure = if self.is_over { self.text.len() } else { self.text.len() - self.held_back() };
        self.flush(sure)
    }

    /// The remaining text, without an incomplete character.
    pub(super) fn finish(&mut self) -> &str {
        self.flush(self.text.len())
    }

    /// Whether a stop string was found.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// The whole text.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    fn flush(&mut self, end: usize) -> &str {
        let start = self.flushed;
        self.flushed = end.max(start);
        &self.text[start..self.flushed]
    }

    /// Moves complete characters into the text; invalid bytes become U+FFFD.
    fn decode(&mut self) {
        let mut rest = 0;
        for chunk in self.incomplete.utf8_chunks() {
            self.text.push_str(chunk.valid());
            rest += chunk.valid().len();
            let bad = chunk.invalid();
            let is_begun = rest + bad.len() == self.incomplete.len()
                && std::str::from_utf8(bad).is_err_and(|it| it.error_len().is_none());
            if is_begun {
                break;
            }
            if !bad.is_empty() {
                self.text.push(char::REPLACEMENT_CHARACTER);
                rest += bad.len();
            }
        }
        self.incomplete.drain(..rest);
    }

    /// Cuts the text before the first stop string that ends after `before`.
    fn stop(&mut self, before: usize) {
        let find = |stop: &String| {
            let from = self.text.floor_char_boundary(before.saturating_sub(stop.len()));
            self.text[from..].find(stop.as_str()).map(|at| from + at)
        };
        let found = self.stops.iter().filter(|it| !it.is_empty()).filter_map(find).min();
        if let Some(at) = found {
            self.text.truncate(at);
            self.is_over = true;
        }
    }

    /// Length of the tail that may begin a stop string.
    fn held_back(&self) -> usize {
        let of = |stop: &String| {
            let ends = stop.char_indices().map(|(at, _)| at);
            ends.filter(|end| self.text.ends_with(&stop[..*end])).max().unwrap_or(0)
        };
        self.stops.iter().map(of).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kind of end: a stop string, or the last token.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum End {
        Stop,
        Tokens,
    }

    #[track_caller]
    fn check(stops: &[&str], tokens: &[&[u8]], shown: &[&str], end: End) {
        let stops: Vec<String> = stops.iter().map(|it| (*it).to_owned()).collect();
        let mut text = Text::new(&stops);
        let mut got: Vec<String> = tokens.iter().map(|it| text.push(it).to_owned()).collect();
        got.push(text.finish().to_owned());
        assert_eq!(got, shown);
        assert_eq!((text.as_str(), text.is_over()), (shown.concat().as_str(), end == End::Stop));
    }

    #[test]
    fn characters_are_shown_when_they_are_whole() {
        check(&[], &[b"a", b"\xc3", b"\xa9b"], &["a", "", "éb", ""], End::Tokens);
        check(&[], &[b"\xf0\x9f", b"\xa6", b"\x80"], &["", "", "🦀", ""], End::Tokens);
        // Invalid, interrupted and incomplete characters.
        check(
            &[],
            &[b"\xa9", b"\xc3x", b"\xe6\x97"],
            &["\u{fffd}", "\u{fffd}x", "", ""],
            End::Tokens,
        );
    }

    #[test]
    fn a_stop_string_ends_the_text_and_its_beginning_is_held_back() {
        check(&["<eot>"], &[b"a<", b"e", b"ot>"], &["a", "", "", ""], End::Stop);
        check(&["\n\n"], &[b"a\n", b"b\n", b"\n"], &["a", "\nb", "", ""], End::Stop);
        check(&["<eot>"], &[b"a<", b"x"], &["a", "<x", ""], End::Tokens);
        check(&["<eot>"], &[b"a<e"], &["a", "<e"], End::Tokens);
        check(&["ab", "b"], &[b"xa", b"b"], &["x", "", ""], End::Stop);
        check(&["", "é"], &[b"x\xc3", b"\xa9"], &["x", "", ""], End::Stop);
    }
}
