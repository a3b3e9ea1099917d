//! Features of a file's path, computed once because most searches return the same files.

use foreword_chunk::Language;

use super::file_role::{FileRole, file_role};
use super::terms::{identifiers, terms_of};

/// Features of a file's path.
#[derive(Debug)]
pub struct PathFeatures {
    /// The role of the file by its path.
    pub role: FileRole,
    /// Terms of its stem, or of its directory if the file represents it: the whole first, then its parts.
    pub stem: Vec<String>,
    /// Terms of its directories, without those of the stem.
    pub directories: Vec<String>,
}

impl PathFeatures {
    pub(super) fn new(path: &str, language: Option<Language>) -> Self {
        let named = meaningful_stem(path);
        let stem = stem_terms(named);
        let mut directories = Vec::new();
        let directory = path.rsplit_once('/').map_or("", |it| it.0);
        identifiers(directory, |start, end| {
            terms_of(&directory[start..end], &mut String::new(), |term, _| {
                if !stem.iter().chain(&directories).any(|it| it == term) {
                    directories.push(term.to_owned());
                }
            });
        });
        Self { role: file_role(path, language), stem, directories }
    }
}

/// `from-json-schema` → `fromjsonschema`, `from`, `json`, `schema`.
fn stem_terms(stem: &str) -> Vec<String> {
    let mut parts: Vec<&str> = Vec::new();
    identifiers(stem, |start, end| parts.push(&stem[start..end]));
    let joined = parts.join("_");
    let mut res = Vec::new();
    terms_of(&joined, &mut String::new(), |term, _| res.push(term.to_owned()));
    res
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
        check("src/from-json-schema.ts", &["fromjsonschema", "from", "json", "schema"]);
    }

    #[test]
    fn directories_add_what_the_stem_does_not_say() {
        let features =
            PathFeatures::new("django/contrib/auth/auth_views.py", Some(Language::Python));
        assert_eq!(features.directories, ["django", "contrib"]);
    }
}
