//! Activity beside the texts: what the user did in other files, as reported by an editor, and the plan for the cursor's
//! file.

/// Recent positions and edits in other files, and planned lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// Positions that the cursor visited, most recent first: a path and a 1-based line.
    pub visited: Vec<(String, u32)>,
    /// Lines edited in other files, most recent first.
    pub edited: Vec<String>,
    /// Lines that a plan for the cursor's file cites, best first.
    pub planned: Vec<PlannedLines>,
}

/// Lines cited by a plan.
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
