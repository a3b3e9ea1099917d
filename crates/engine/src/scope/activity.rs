//! Activity beside the texts: what the user did in other files, as reported by an editor.

/// Recent positions and edits in other files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// Positions that the cursor visited, most recent first: a path and a 1-based line.
    pub visited: Vec<(String, u32)>,
    /// Lines edited in other files, most recent first.
    pub edited: Vec<String>,
}
