//! Admits a file by its name alone, before its text is used. The file need not exist: an editor has texts of none.

use std::path::Path;

use crate::walk::exceptions::Exceptions;
use crate::walk::{Masking, WalkConfig, secret_names};

/// A path that names a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is a secret by its name (rule {rule})")]
#[non_exhaustive]
pub struct SecretName {
    /// The path, up to the name that the rule is about.
    pub path: String,
    /// The built-in rule.
    pub rule: &'static str,
}

/// Whether secrets in the file at `path` (relative to `root`) are masked, by the names of its directories and its own.
/// Fails if one of them is that of a secret and the user makes no exception: such a file is never read, so its text must
/// reach nobody in another way.
pub fn admit(root: &Path, path: &str, config: &WalkConfig) -> Result<Masking, SecretName> {
    let exceptions = Exceptions::new(root, config);
    let above = root.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    let is_excepted = |part: &str, kind| exceptions.contains(&root.join(part), kind);
    match secret_names::secret_part(above, path, is_excepted) {
        Some((part, rule)) => Err(SecretName { path: part.to_owned(), rule }),
        None => Ok(exceptions.masking(&root.join(path))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_refused_by_its_name_and_the_users_exception_also_ends_masking() {
        let mut config = WalkConfig::default();
        let admitted = |config: &WalkConfig, path| admit(Path::new("/srv/app"), path, config);
        let error = admitted(&config, "deploy/.env.local").unwrap_err().to_string();
        assert_eq!(error, "`deploy/.env.local` is a secret by its name (rule .env*)");
        assert_eq!(admitted(&config, "src/main.rs"), Ok(Masking::On));
        config.not_secret = vec!["/deploy/.env.local".to_owned()];
        assert_eq!(admitted(&config, "deploy/.env.local"), Ok(Masking::Off));
        assert!(admitted(&config, ".env.local").is_err());
    }
}
