//! What the user did in other files a moment ago, as far as an editor tells.

/// Positions and texts in other files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// Where the cursor was recently, the most recent first: a path, and a line that counts from 1.
    pub visited: Vec<(String, u32)>,
    /// Lines that were recently written in other files, the most recent first.
    pub edited: Vec<String>,
}
