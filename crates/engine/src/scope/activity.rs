//! What is known at a cursor beside the texts: what the user did in other files a moment ago, as far as an editor tells,
//! and what was planned for the cursor's file.

/// Positions and texts in other files, and planned ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// Where the cursor was recently, the most recent first: a path, and a line that counts from 1.
    pub visited: Vec<(String, u32)>,
    /// Lines that were recently written in other files, the most recent first.
    pub edited: Vec<String>,
    /// What a plan of the cursor's file says that will be needed, the best first.
    pub planned: Vec<PlannedLines>,
}

/// Lines that a plan cites.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedLines {
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub first_line: u32,
    /// Last line, 1-based, inclusive.
    pub last_line: u32,
    /// How much they are wanted, against the others.
    pub score: f32,
    /// Why they are, the strongest reason first.
    pub why: Vec<String>,
    /// Whether their file has changed since the plan was made, though not these lines.
    pub is_old: bool,
}
