//! Context of a cursor beside the texts: the user's recent actions in other files, if an editor reports them, and the plan of
//! the cursor's file.

/// Recent positions and edits in other files, and planned lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// Where the cursor was recently, the most recent first: a path, and a line that counts from 1.
    pub visited: Vec<(String, u32)>,
    /// Lines that were recently written in other files, the most recent first.
    pub edited: Vec<String>,
    /// Lines that a plan of the cursor's file cites, the best first.
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
    /// Score relative to the plan's other lines.
    pub score: f32,
    /// The plan's reason.
    pub why: String,
    /// Whether their file has changed outside of these lines since the plan was made.
    pub is_old: bool,
}
