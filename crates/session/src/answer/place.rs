//! The byte of a place that a person names by line and column.

/// Why a text does not have a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSuchPlace {
    /// Line or column 0.
    Zero,
    /// The text has only this many lines.
    Lines(usize),
    /// The line ends at this column.
    Columns(usize),
}

impl std::fmt::Display for NoSuchPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Zero => f.write_str("lines and columns count from 1"),
            Self::Lines(n) => write!(f, "the file has {n} lines"),
            Self::Columns(n) => write!(f, "the line ends at column {n}"),
        }
    }
}

impl std::error::Error for NoSuchPlace {}

/// The byte of a line and a column, both from 1, the column in characters; without a column the end of the line.
pub fn offset_of(text: &str, line: usize, column: Option<usize>) -> Result<usize, NoSuchPlace> {
    if line == 0 || column == Some(0) {
        return Err(NoSuchPlace::Zero);
    }
    let lines =
        text.split_inclusive('\n').count() + usize::from(text.is_empty() || text.ends_with('\n'));
    if line > lines {
        return Err(NoSuchPlace::Lines(lines));
    }
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let content = text[start..].lines().next().unwrap_or_default();
    let Some(column) = column else { return Ok(start + content.len()) };
    let mut offsets = content.char_indices().map(|it| it.0).chain([content.len()]);
    let at = offsets.nth(column - 1).ok_or(NoSuchPlace::Columns(content.chars().count() + 1))?;
    Ok(start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let at = |line, column| offset_of("ab\nüx\r\n", line, column);
        assert_eq!([at(1, None), at(2, Some(2)), at(2, None), at(3, None)], [2, 5, 6, 8].map(Ok));
        assert_eq!(at(4, None), Err(NoSuchPlace::Lines(3)));
        assert_eq!(at(1, Some(9)), Err(NoSuchPlace::Columns(3)));
        assert_eq!([at(0, None), at(1, Some(0))], [Err(NoSuchPlace::Zero); 2]);
    }
}
