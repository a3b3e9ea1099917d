//! What the path of a file says of it; worked out once, since most searches meet the same files again.

use foreword_chunk::Language;

use super::prior::{Prior, prior_of};
use super::terms::terms_of;

/// What the path of a file says of it.
#[derive(Debug)]
pub struct PathFacts {
    /// What it is worth.
    pub prior: Prior,
    /// The terms of its stem, or of its directory's name where the file only stands for that.
    pub stem: Vec<String>,
}

impl PathFacts {
    pub(super) fn new(path: &str, language: Option<Language>) -> Self {
        let mut stem = Vec::new();
        terms_of(telling_stem(path), &mut String::new(), |term, _| stem.push(term.to_owned()));
        Self { prior: prior_of(path, language), stem }
    }
}

fn telling_stem(path: &str) -> &str {
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
        assert_eq!(PathFacts::new(path, Some(Language::Rust)).stem, expect, "{path}");
    }

    #[test]
    fn a_file_is_called_by_its_stem_or_its_directory() {
        check("src/http/parse_url.rs", &["parseurl", "parse", "url"]);
        check("src/http/mod.rs", &["http"]);
        check("lib.rs", &["lib"]);
    }
}
