//! What can be derived from the path of a file. It is computed once, since most searches return the same files.

use foreword_chunk::Language;

use super::file_role::{FileRole, file_role};
use super::terms::terms_of;

/// What can be derived from the path of a file.
#[derive(Debug)]
pub struct PathFeatures {
    /// The role of the file in the repository.
    pub role: FileRole,
    /// The terms of its stem, or of its directory's name if the file stands for the directory.
    pub stem: Vec<String>,
}

impl PathFeatures {
    pub(super) fn new(path: &str, language: Option<Language>) -> Self {
        let mut stem = Vec::new();
        terms_of(meaningful_stem(path), &mut String::new(), |term, _| stem.push(term.to_owned()));
        Self { role: file_role(path, language), stem }
    }
}

fn meaningful_stem(path: &str) -> &str {
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    match stem {
        "mod" | "index" | "__init__" | "lib" | "main" if !dir.is_empty() => {
            dir.rsplit('/').next().unwrap_or(dir)
        }
        stem => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expect: &[&str]) {
        assert_eq!(PathFeatures::new(path, Some(Language::Rust)).stem, expect, "{path}");
    }

    #[test]
    fn a_file_is_named_by_its_stem_or_its_directory() {
        check("src/http/parse_url.rs", &["parseurl", "parse", "url"]);
        check("src/http/mod.rs", &["http"]);
        check("lib.rs", &["lib"]);
    }
}
