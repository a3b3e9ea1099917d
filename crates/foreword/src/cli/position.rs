//! Parses FILE:LINE:COL and FILE:FIRST-LAST, as printed in answers, and computes byte offsets.

use std::path::PathBuf;

use foreword_session::answer::place::{NoSuchPlace, offset_of};

use super::usage;

/// A file with an optional position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) file: PathBuf,
    /// 1-based.
    pub(super) line: Option<usize>,
    /// 1-based, in characters.
    pub(super) column: Option<usize>,
}

impl Position {
    /// Parses `FILE`, `FILE:LINE`, `FILE:LINE:COL` or `FILE:FIRST-LAST` (its first line), with an optional trailing
    /// colon, or `FILE#LFIRST-LLAST`. The name of an existing file is not split.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        if PathBuf::from(text).is_file() {
            return Ok(Self { file: text.into(), line: None, column: None });
        }
        // `FILE#L10-L20`, as the pages of GitHub name lines.
        let linked = text.split_once("#L");
        let linked = linked.map(|(file, lines)| format!("{file}:{}", lines.replace('L', "")));
        let text = linked.as_deref().unwrap_or(text);
        let text = text.strip_suffix(':').filter(|it| !it.is_empty()).unwrap_or(text);
        let number = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, "1"));
            last.parse::<usize>().ok().and(first.parse::<usize>().ok())
        };
        let (rest, last) = match text.rsplit_once(':') {
            Some((rest, last)) if !rest.is_empty() => (rest, number(last)),
            _ => (text, None),
        };
        let Some(last) = last else {
            return Ok(Self { file: text.into(), line: None, column: None });
        };
        let position =
            match rest.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
                Some((file, line)) if !file.is_empty() => {
                    Self { file: file.into(), line: Some(line), column: Some(last) }
                }
                _ => Self { file: rest.into(), line: Some(last), column: None },
            };
        if position.line == Some(0) || position.column == Some(0) {
            return Err(usage(format!("{text}: lines and columns count from 1")));
        }
        Ok(position)
    }

    /// Byte offset: the end of the line without a column, the end of the file without a line.
    pub(super) fn offset(&self, text: &str) -> anyhow::Result<usize> {
        let Some(line) = self.line else { return Ok(text.len()) };
        let name = self.file.display();
        offset_of(text, line, self.column).map_err(|error| match (error, self.column) {
            (NoSuchPlace::Columns(_), Some(column)) => {
                usage(format!("{name}:{line}:{column}: {error}"))
            }
            _ => usage(format!("{name}:{line}: {error}")),
        })
    }
}

/// Checks that a byte offset is in the text and on a character boundary.
pub(super) fn check_offset(offset: usize, text: &str, name: &str) -> anyhow::Result<usize> {
    if offset > text.len() {
        return Err(usage(format!("--offset {offset}: {name} has {} bytes", text.len())));
    }
    if !text.is_char_boundary(offset) {
        let before = text.floor_char_boundary(offset);
        return Err(usage(format!(
            "--offset {offset}: in the middle of a character; {before} is before it"
        )));
    }
    Ok(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, file: &str, line: Option<usize>, column: Option<usize>) {
        assert_eq!(Position::parse(text).unwrap(), Position { file: file.into(), line, column });
    }

    #[test]
    fn positions_are_files_lines_and_columns() {
        check("src/a.py", "src/a.py", None, None);
        check("src/a.py:12", "src/a.py", Some(12), None);
        check("src/a.py:12:5", "src/a.py", Some(12), Some(5));
        check("odd:name.py:3", "odd:name.py", Some(3), None);
        check("C:\\a.py:3", "C:\\a.py", Some(3), None);
        check("src/a.py:12-40", "src/a.py", Some(12), None);
        check("src/a.py:12:5:", "src/a.py", Some(12), Some(5));
        check("src/a.py:", "src/a.py", None, None);
        check("src/a.py#L12", "src/a.py", Some(12), None);
        check("src/a.py#L12-L40", "src/a.py", Some(12), None);
        check("a-b/c-d.py:3", "a-b/c-d.py", Some(3), None);
        assert!(Position::parse("a.py:0").is_err());
    }

    #[test]
    fn columns_count_characters() {
        let at = |text: &str| Position::parse(text).unwrap().offset("ab\nüx\r\n");
        assert_eq!(at("f:1").unwrap(), 2);
        assert_eq!(at("f:2:2").unwrap(), 5);
        assert_eq!(at("f:2").unwrap(), 6);
        assert_eq!(at("f:3").unwrap(), 8);
        assert_eq!(at("f").unwrap(), 8);
        assert!(at("f:4").unwrap_err().to_string().contains("has 3 lines"));
        assert!(at("f:1:9").unwrap_err().to_string().contains("ends at column 3"));
    }

    #[test]
    fn an_offset_must_be_between_characters() {
        assert!(check_offset(1, "ü", "f").is_err());
        assert!(check_offset(3, "ü", "f").is_err());
        assert_eq!(check_offset(2, "ü", "f").unwrap(), 2);
    }
}
