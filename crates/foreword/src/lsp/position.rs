//! Converts between the editor's positions (0-based lines, columns in code units) and byte offsets.
//!
//! Lines end with `
//! `, `\r
//! ` or `\r`. Columns past the end of a line mean its end, lines past the last one the end of the text: editors may be
//! a keystroke ahead of their messages.

use gen_lsp_types::{Position, PositionEncodingKind, Range};

/// The code units of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    /// The cheapest encoding that the client offers; UTF-16 if it offers none.
    pub(super) fn choose(offered: &[PositionEncodingKind]) -> Self {
        if offered.contains(&PositionEncodingKind::UTF8) {
            Self::Utf8
        } else if offered.contains(&PositionEncodingKind::UTF32)
            && !offered.contains(&PositionEncodingKind::UTF16)
        {
            Self::Utf32
        } else {
            Self::Utf16
        }
    }

    /// Name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// Byte offset of a position, always on a character boundary.
    pub(super) fn offset(self, text: &str, position: Position) -> usize {
        let Some(start) = line_start(text, position.line as usize) else { return text.len() };
        let mut left = position.character as usize;
        for (at, c) in text[start..].char_indices() {
            let units = self.units(c);
            if left < units || matches!(c, '\n' | '\r') {
                return start + at;
            }
            left -= units;
        }
        text.len()
    }

    /// Byte range of a range; never negative.
    pub(super) fn span(self, text: &str, range: Range) -> std::ops::Range<usize> {
        let start = self.offset(text, range.start);
        start..self.offset(text, range.end).max(start)
    }

    /// Position of a byte offset.
    pub(super) fn position(self, text: &str, offset: usize) -> Position {
        let before = &text[..offset];
        let mut line = 0;
        let mut start = 0;
        while let Some(next) = line_start(&before[start..], 1) {
            line += 1;
            start += next;
        }
        // No position exists between `\r` and `
        // `.
        let column = before[start..].chars().map(|c| self.units(c)).sum::<usize>();
        Position { line, character: column as u32 }
    }
}

/// Start of line `n`.
fn line_start(text: &str, n: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut start = 0;
    for _ in 0..n {
        let at = start + memchr::memchr2(b'\n', b'\r', &bytes[start..])?;
        start = at + if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    Some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_in_units_of_the_encoding() {
        let text = "a\u{fc}\u{1f600}b\r\nc";
        for (encoding, column) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)]
        {
            let b = text.find('b').unwrap();
            assert_eq!(encoding.offset(text, at(0, column)), b, "{encoding:?}");
            assert_eq!(encoding.position(text, b), at(0, column), "{encoding:?}");
            assert_eq!(encoding.offset(text, at(1, 1)), text.len(), "{encoding:?}");
        }
    }

    #[test]
    fn the_middle_of_a_character_means_its_beginning() {
        assert_eq!(Encoding::Utf16.offset("\u{1f600}x", at(0, 1)), 0);
        assert_eq!(Encoding::Utf8.offset("\u{fc}x", at(0, 1)), 0);
    }

    #[test]
    fn a_position_past_an_end_means_the_end() {
        for it in ALL {
            assert_eq!(it.offset("ab\r\ncd", at(0, 99)), 2);
            assert_eq!(it.offset("ab\rcd", at(0, 99)), 2);
            assert_eq!(it.offset("ab\ncd", at(1, 99)), 5);
            assert_eq!(it.offset("ab\ncd", at(9, 0)), 5);
            assert_eq!(it.offset("", at(0, 0)), 0);
        }
    }

    #[test]
    fn every_line_end_ends_a_line() {
        let text = "a\nb\r\nc\rd";
        for it in ALL {
            for (line, c) in ["a", "b", "c", "d"].iter().enumerate() {
                let offset = text.find(c).unwrap();
                assert_eq!(it.offset(text, at(line as u32, 0)), offset);
                assert_eq!(it.position(text, offset), at(line as u32, 0));
            }
        }
    }

    #[test]
    fn utf_8_is_chosen_where_it_is_offered() {
        use PositionEncodingKind as Kind;
        assert_eq!(Encoding::choose(&[Kind::UTF16, Kind::UTF8]), Encoding::Utf8);
        assert_eq!(Encoding::choose(&[Kind::UTF32]), Encoding::Utf32);
        assert_eq!(Encoding::choose(&[Kind::UTF32, Kind::UTF16]), Encoding::Utf16);
        assert_eq!(Encoding::choose(&[]), Encoding::Utf16);
    }
}
