//! The plan of a file, as values that are stored.

use std::fmt;

use bitcode::{Decode, Encode};

use crate::source::ContentHash;

/// Version of the stored plans. Plans of another version are not read.
pub const PLAN_VERSION: u32 = 5;

/// Maximum number of blocks in a plan, as in SpecAgent (arXiv 2510.17925).
pub const MAX_BLOCKS: usize = 12;

/// Maximum number of forecasts in a plan, as in SpecAgent (arXiv 2510.17925).
pub const MAX_FORECASTS: usize = 12;

/// Code that future edits of one file are likely to need.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct FilePlan {
    /// The file, relative to the root.
    pub path: String,
    /// Hash of the file's text when the plan was made.
    pub hash: ContentHash,
    /// Sketch of the lines of that text, to see how much of it is left.
    pub sketch: Vec<u32>,
    /// The model and the settings that made the plan.
    pub planner: PlannerKey,
    /// The files that blocks and forecasts cite, with their hashes, sorted by path.
    pub inputs: Vec<Input>,
    /// Quotations, best first; at most [`MAX_BLOCKS`].
    pub blocks: Vec<Block>,
    /// Guesses, best first; at most [`MAX_FORECASTS`].
    pub forecasts: Vec<Forecast>,
}

/// Identifies a planner and its settings. Plans with another key are not read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct PlannerKey {
    /// Name of the planner; part of the file name.
    pub name: String,
    /// Changes with the model and with every setting that affects a plan.
    pub fingerprint: String,
}

/// A file that a plan cites.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct Input {
    /// The file, relative to the root.
    pub path: String,
    /// Hash of its text.
    pub hash: ContentHash,
}

/// Lines of a file, with the hash of their text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Place {
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub first_line: u32,
    /// Last line, 1-based, inclusive.
    pub last_line: u32,
    /// Hash of the text of these lines.
    pub hash: ContentHash,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}", self.path, self.first_line, self.last_line)
    }
}

/// Lines of the repository that are likely to be needed. The text is not stored, only where it is.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct Block {
    /// The quoted lines. The hash includes the end of the last line.
    pub place: Place,
    /// Byte offset of the first line in the file as it was planned.
    pub start: u32,
    /// Length in bytes.
    pub len: u32,
    /// Cheap hash of the bytes, to find the lines again after the file has changed.
    pub check: u32,
    /// The model's reason, on one line.
    pub reason: String,
    /// Score relative to the other blocks of the plan: the best has 1.
    pub score: f32,
}

impl Block {
    /// The reason, for people.
    pub fn reason_text(&self) -> String {
        format!("said by the model: {}", self.reason)
    }
}

/// Code that is likely to be written. It is a guess, and is marked as one wherever it is shown.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct Forecast {
    /// Name of the definition; empty if the code defines nothing.
    pub name: String,
    /// The code, indented for its place in the file, ending in a newline.
    pub code: String,
    /// Where the code would be inserted.
    pub target: Target,
    /// Lines that support the guess, the most convincing first; never empty.
    pub evidence: Vec<Citation>,
    /// Likelihood, 0 to 1.
    pub score: f32,
}

/// Where code would be inserted.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Target {
    /// The file, relative to the root; it need not exist yet.
    pub path: String,
    /// The line, 1-based, before which the code is inserted; the number of lines plus one appends it.
    pub line: u32,
}

/// Lines of the repository that support a forecast.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Citation {
    /// The lines. The hash excludes the end of the last line.
    pub place: Place,
    /// The reason in a few words: `declares fn parse`.
    pub what: String,
}

/// The files cited by blocks and forecasts, sorted by path.
pub(super) fn inputs<'p>(
    blocks: &'p [Block],
    forecasts: &'p [Forecast],
    hash: impl Fn(&str) -> Option<ContentHash>,
) -> Vec<Input> {
    let evidence = forecasts.iter().flat_map(|it| &it.evidence).map(|it| &it.place);
    let mut cited: Vec<&str> =
        blocks.iter().map(|it| &it.place).chain(evidence).map(|it| it.path.as_str()).collect();
    cited.sort_unstable();
    cited.dedup();
    let input = |path: &str| Some(Input { path: path.to_owned(), hash: hash(path)? });
    cited.into_iter().filter_map(input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let hash = ContentHash::of(b"text");
        let place = Place { path: "src/a.rs".into(), first_line: 3, last_line: 9, hash };
        let block = Block {
            place: place.clone(),
            start: 10,
            len: 90,
            check: 7,
            reason: "parses".into(),
            score: 1.0,
        };
        let forecast = Forecast {
            name: "close".into(),
            code: "fn close(&mut self) {}\n".into(),
            target: Target { path: "src/b.rs".into(), line: 12 },
            evidence: vec![Citation { place, what: "declares fn close".into() }],
            score: 0.5,
        };
        let plan = FilePlan {
            path: "src/b.rs".into(),
            hash,
            sketch: vec![1, 2],
            planner: PlannerKey { name: "agents".into(), fingerprint: "1".into() },
            inputs: vec![Input { path: "src/a.rs".into(), hash }],
            blocks: vec![block],
            forecasts: vec![forecast],
        };
        assert_eq!(bitcode::decode::<FilePlan>(&bitcode::encode(&plan)).unwrap(), plan);
    }
}
