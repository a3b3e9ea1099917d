//! The places of a file at which something may be written next: behind each function and type, and at the end.

use foreword_chunk::{Definition, Kind};

use crate::index::FileRecord;

/// Byte offsets at which lines begin, in order, at most `most` of them, evenly chosen; the end of the file is one.
pub(super) fn anchors(text: &str, record: &FileRecord, most: usize) -> Vec<usize> {
    let is_grown = |it: &&Definition| {
        it.body.is_some() && !matches!(it.kind, Kind::Constant | Kind::Field | Kind::Module)
    };
    let behind = |it: &Definition| {
        let end = (it.span.end as usize).min(text.len());
        text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1)
    };
    let mut res: Vec<usize> =
        record.symbols.definitions.iter().filter(is_grown).map(behind).collect();
    res.push(text.len());
    res.sort_unstable();
    res.dedup();
    evenly(&res, most)
}

/// At most `most` of some values, evenly chosen, the last among them.
fn evenly(values: &[usize], most: usize) -> Vec<usize> {
    let n = values.len();
    if n <= most {
        return values.to_vec();
    }
    (1..=most).map(|it| values[it * n / most - 1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_chunk::Config;

    use crate::index::AnalyzedFile;

    #[test]
    fn something_may_be_written_behind_each_function_and_at_the_end() {
        let text = "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\nX = 1\n";
        let record = AnalyzedFile::new("a.py".into(), text.into(), &Config::default()).record;
        let lines = |most: usize| -> Vec<usize> {
            let line = |it: &usize| text[..*it].matches('\n').count() + 1;
            anchors(text, &record, most).iter().map(line).collect()
        };
        assert_eq!(lines(8), [4, 7, 9]);
        assert_eq!(lines(1), [9]);
        assert_eq!(anchors("", &FileRecord::default(), 8), [0]);
    }

    #[test]
    fn of_many_places_some_are_chosen_evenly() {
        let all: Vec<usize> = (0..100).collect();
        assert_eq!(evenly(&all, 4), [24, 49, 74, 99]);
        assert_eq!(evenly(&all[..3], 4), [0, 1, 2]);
    }
}
