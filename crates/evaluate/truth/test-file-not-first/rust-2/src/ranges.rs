//! Line ranges as users write them.

/// Lines from the first to the last, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    pub first: usize,
    pub last: usize,
}

impl LineRange {
    /// Reads `3`, `3:9`, `:9` or `3:+2`.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let (from, to) = match text.split_once(':') {
            Some(both) => both,
            None => return number(text).map(|it| Self { first: it, last: it }),
        };
        let first = if from.is_empty() { 1 } else { number(from)? };
        let last = match to.strip_prefix('+') {
            Some(more) => first + number(more)?,
            None if to.is_empty() => usize::MAX,
            None => number(to)?,
        };
        match last < first {
            true => Err(format!("{text} ends before it begins")),
            false => Ok(Self { first, last }),
        }
    }

    /// Whether a number lies within.
    pub fn contains(self, number: usize) -> bool {
        self.first <= number && number <= self.last
    }

    /// Whether both have a number in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    /// The smallest one around both.
    pub fn around(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// The same further down; the end of the file stays the end.
    pub fn moved(self, by: usize) -> Self {
        Self { first: self.first.saturating_add(by), last: self.last.saturating_add(by) }
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.last.saturating_sub(self.first).saturating_add(1)
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| format!("{text} is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_line_range_full() {
        let range = LineRange::from_text("3:9").expect("the line range parses");
        assert_eq!(range.first, 3, "first line of the line range 3:9");
        assert_eq!(range.last, 9, "last line of the line range 3:9");
    }

    #[test]
    fn parse_line_range_only_the_first() {
        let range = LineRange::from_text("3").expect("the line range parses");
        assert_eq!(range.first, 3, "first line of the line range 3");
        assert_eq!(range.last, 3, "last line of the line range 3");
    }

    #[test]
    fn parse_line_range_open_begin() {
        let range = LineRange::from_text(":9").expect("the line range parses");
        assert_eq!(range.first, 1, "first line of the line range :9");
        assert_eq!(range.last, 9, "last line of the line range :9");
    }

    #[test]
    fn parse_line_range_relative() {
        let range = LineRange::from_text("3:+2").expect("the line range parses");
        assert_eq!(range.first, 3, "first line of the line range 3:+2");
        assert_eq!(range.last, 5, "last line of the line range 3:+2");
    }

    #[test]
    fn parse_line_range_with_blanks() {
        let range = LineRange::from_text(" 3:9 ").expect("the line range parses");
        assert_eq!(range.first, 3, "first line of the line range  3:9 ");
        assert_eq!(range.last, 9, "last line of the line range  3:9 ");
    }

    #[test]
    fn parse_line_range_of_one_line() {
        let range = LineRange::from_text("4:4").expect("the line range parses");
        assert_eq!(range.first, 4, "first line of the line range 4:4");
        assert_eq!(range.last, 4, "last line of the line range 4:4");
    }

    #[test]
    fn parse_line_range_large() {
        let range = LineRange::from_text("1:100000").expect("the line range parses");
        assert_eq!(range.first, 1, "first line of the line range 1:100000");
        assert_eq!(range.last, 100000, "last line of the line range 1:100000");
    }

    #[test]
    fn parse_line_range_of_zero_more() {
        let range = LineRange::from_text("7:+0").expect("the line range parses");
        assert_eq!(range.first, 7, "first line of the line range 7:+0");
        assert_eq!(range.last, 7, "last line of the line range 7:+0");
    }

    #[test]
    fn parse_line_range_far() {
        let range = LineRange::from_text("900:901").expect("the line range parses");
        assert_eq!(range.first, 900, "first line of the line range 900:901");
        assert_eq!(range.last, 901, "last line of the line range 900:901");
    }

    #[test]
    fn parse_line_range_relative_far() {
        let range = LineRange::from_text("900:+99").expect("the line range parses");
        assert_eq!(range.first, 900, "first line of the line range 900:+99");
        assert_eq!(range.last, 999, "last line of the line range 900:+99");
    }

    #[test]
    fn parse_line_range_two_digits() {
        let range = LineRange::from_text("10:12").expect("the line range parses");
        assert_eq!(range.first, 10, "first line of the line range 10:12");
        assert_eq!(range.last, 12, "last line of the line range 10:12");
    }

    #[test]
    fn parse_line_range_three_digits() {
        let range = LineRange::from_text("100:120").expect("the line range parses");
        assert_eq!(range.first, 100, "first line of the line range 100:120");
        assert_eq!(range.last, 120, "last line of the line range 100:120");
    }
}
