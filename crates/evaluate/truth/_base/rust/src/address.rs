//! Mail addresses.

use crate::error::{Error, Result};

/// A mail address in two parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    local: String,
    domain: String,
}

impl Address {
    /// Splits at the last `@`.
    pub fn parse(text: &str) -> Result<Self> {
        let (local, domain) =
            text.rsplit_once('@').ok_or_else(|| Error::BadAddress(text.to_owned()))?;
        if local.is_empty() || domain.is_empty() {
            return Err(Error::BadAddress(text.to_owned()));
        }
        Ok(Self { local: local.to_owned(), domain: domain.to_ascii_lowercase() })
    }

    /// The part behind the `@`, in lower case.
    pub fn domain(&self) -> &str {
        &self.domain
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}@{}", self.local, self.domain)
    }
}
