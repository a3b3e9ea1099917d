//! The user's exceptions from the rules for secrets: `not_secret` in `config.toml`.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::entries::{EntryKind, Masking, WalkConfig};

/// The patterns of [`WalkConfig::not_secret`], relative to a root.
pub(crate) struct Exceptions(Gitignore);

impl Exceptions {
    pub(crate) fn new(root: &Path, config: &WalkConfig) -> Self {
        // Most users configure no exceptions.
        if config.not_secret.is_empty() {
            return Self(Gitignore::empty());
        }
        let mut builder = GitignoreBuilder::new(root);
        for line in &config.not_secret {
            // An invalid pattern makes no exception, which is safe.
            let _ = builder.add_line(None, line);
        }
        Self(builder.build().unwrap_or_else(|_| Gitignore::empty()))
    }

    /// Whether the user exempts the path, which is below the root.
    pub(crate) fn contains(&self, path: &Path, kind: EntryKind) -> bool {
        !self.0.is_empty() && self.0.matched(path, kind.is_dir()).is_ignore()
    }

    /// Whether secrets in the file are masked.
    pub(crate) fn masking(&self, path: &Path) -> Masking {
        if self.contains(path, EntryKind::Other) { Masking::Off } else { Masking::On }
    }
}
