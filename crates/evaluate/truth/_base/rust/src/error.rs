//! What can go wrong.

use std::path::PathBuf;

/// The result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("`{0}` is no mail address")]
    BadAddress(String),
    #[error("cannot read {path}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("the server refused the mail: {0}")]
    Refused(String),
    #[error("gave up after {attempts} attempts")]
    GaveUp { attempts: u32 },
}

impl Error {
    /// Whether trying again may help.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Refused(_))
    }
}
