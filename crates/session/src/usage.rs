//! The error for mistakes that users can correct, in every command and protocol, and the limit of questions.

/// A mistake and its remedy.
#[derive(Debug)]
pub struct UsageError(String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// An error that names a mistake and its remedy.
pub fn usage(message: impl Into<String>) -> anyhow::Error {
    UsageError(message.into()).into()
}

/// Address of the documentation, for those who have the program alone.
pub const PAGES: &str = "https://github.com/foreword-dev/foreword/blob/main/docs";

/// Maximum bytes of a question, a name, a pattern or a task. Answers take time that grows with the words of a question,
/// and 16 kB are 200 full lines; a log is read whole where it is pasted (`foreword ask --stdin`).
pub const MAX_QUESTION_BYTES: usize = 16 << 10;

/// Fails if a text is too long to be asked for; `what` names it.
pub fn check_length(what: &str, text: &str) -> anyhow::Result<()> {
    let bytes = text.len();
    if bytes <= MAX_QUESTION_BYTES {
        return Ok(());
    }
    Err(usage(format!("{what} has {bytes} bytes, more than {MAX_QUESTION_BYTES}; shorten it")))
}
