//! Turns the bytes of tokens into text that can be shown: whole characters, and nothing that may turn out to be the
//! beginning of a stop string.

/// A text that grows.
#[derive(Debug)]
pub(super) struct Text<'s> {
    stops: &'s [String],
    /// All characters so far, up to a stop string.
    text: String,
    /// The first bytes of an incomplete character.
    incomplete: Vec<u8>,
    /// Bytes of the text that were handed on.
    flushed: usize,
    is_over: bool,
}

impl<'s> Text<'s> {
    pub(super) fn new(stops: &'s [String]) -> Self {
        Self { stops, text: String::new(), incomplete: Vec::new(), flushed: 0, is_over: false }
    }

    /// Takes the bytes of a token and says what can be shown now.
    pub(super) fn push(&mut self, bytes: &[u8]) -> &str {
        let before = self.text.len();
        self.incomplete.extend_from_slice(bytes);
        self.decode();
        self.stop(before);
        let sure = if self.is_over { self.text.len() } else { self.text.len() - self.held_back() };
        self.flush(sure)
    }

    /// The rest that can be shown. Half a character at the end is left out.
    pub(super) fn finish(&mut self) -> &str {
        self.flush(self.text.len())
    }

    /// Whether a stop string has come.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// All of it.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    fn flush(&mut self, end: usize) -> &str {
        let start = self.flushed;
        self.flushed = end.max(start);
        &self.text[start..self.flushed]
    }

    /// Moves whole characters into the text. What can be none becomes U+FFFD.
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

    /// Ends the text before the first stop string that ends in what is new since `before`.
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

    /// Bytes at the end that may be the beginning of a stop string.
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

    /// What ends a text: a stop string, or the last token.
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
        // The end of one that never began, one that breaks off, and one that is cut off by the end.
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
