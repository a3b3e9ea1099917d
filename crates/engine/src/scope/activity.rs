//! What the user was doing elsewhere a moment ago, as far as an editor tells.

/// Places and texts of other files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// Where the cursor was lately, the latest first: a path, and a line that counts from 1.
    pub visited: Vec<(String, u32)>,
    /// Lines that were lately written in other files, the latest first.
    pub edited: Vec<String>,
}
