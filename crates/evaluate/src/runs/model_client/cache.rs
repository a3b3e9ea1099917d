//! Caches answers on disk by the hash of the request: the model and its address, the path, and the whole body. A file
//! holds the raw text. Entries never change, so several runs may share a directory.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// A directory of answers.
#[derive(Clone, Debug)]
pub struct Cache {
    dir: PathBuf,
}

impl Cache {
    /// Opens the directory, creating it if needed.
    pub fn open(dir: &Path) -> Result<Self> {
        std::fs::create_dir_all(dir).with_context(|| {
            format!("cannot keep answers in {}; name another place with --cache", dir.display())
        })?;
        Ok(Self { dir: dir.to_owned() })
    }

    /// The key of a request. Hashes each part with its length, so that parts cannot run together.
    pub fn key(parts: &[&str]) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The answer of a key; `None` if it cannot be read.
    pub fn get(&self, key: &str) -> Option<String> {
        std::fs::read_to_string(self.place(key)).ok()
    }

    /// Stores an answer atomically: an interrupted run never leaves an incomplete one.
    pub fn put(&self, key: &str, text: &str) -> Result<()> {
        let place = self.place(key);
        let beside = place.with_extension(format!("{}-new", std::process::id()));
        let written = (|| {
            std::fs::create_dir_all(place.parent().unwrap_or(&self.dir))?;
            std::fs::write(&beside, text)?;
            std::fs::rename(&beside, &place)
        })();
        written.with_context(|| format!("cannot write {}", place.display()))
    }

    fn place(&self, key: &str) -> PathBuf {
        self.dir.join(&key[..2]).join(&key[2..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_found_by_what_was_asked() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(&dir.path().join("a/b")).unwrap();
        let key = Cache::key(&["model", "{}"]);
        assert_eq!(cache.get(&key), None);
        cache.put(&key, "x = 1\n").unwrap();
        assert_eq!(cache.get(&key).as_deref(), Some("x = 1\n"));
        assert_ne!(key, Cache::key(&["mode", "l{}"]));
    }

    #[test]
    fn a_place_that_is_no_directory_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        let error = Cache::open(&dir.path().join("file")).unwrap_err().to_string();
        assert!(error.contains("file; name another place with --cache"), "{error}");
    }
}
