//! Who may send.

use std::collections::HashMap;

/// Checks credentials.
#[derive(Debug, Default)]
pub struct Auth {
    secrets: HashMap<String, String>,
}

impl Auth {
    /// Whether the secret is the one of that user.
    pub fn check(&self, user: &str, secret: &str) -> bool {
        self.secrets.get(user).is_some_and(|it| it == secret)
    }
}
