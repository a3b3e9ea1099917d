//! Wraps long lines of mails.

/// The longest line.
pub const WIDTH: usize = 78;

/// Wraps the lines of a part of a message at its beginning and at spaces.
pub fn wrap(text: &str) -> String {
    text.lines().map(|line| line.chars().take(WIDTH).collect::<String>() + "\n").collect()
}
