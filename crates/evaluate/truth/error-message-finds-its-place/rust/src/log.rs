//! What the log says.

/// A line for an error: `Error: ` and its text, after so many attempts.
pub fn error_line(text: &str, attempts: u32) -> String {
    format!("Error: {text} ({attempts} attempts)")
}
