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
        let mut stem = stem_terms(named);
        stem.extend(tool_of(path).map(str::to_ascii_lowercase));
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

/// The tool that a file is named after: `Docker` for `deploy/Dockerfile.dev`. People ask for it by that name.
pub(super) fn tool_of(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let tool = stem.strip_suffix("file").filter(|it| it.len() > 2)?;
    // `profile.py` is named after nothing.
    let is_title = tool.starts_with(|it: char| it.is_ascii_uppercase());
    let is_word = tool.chars().skip(1).all(|it| it.is_ascii_lowercase());
    (is_word && (is_title || stem.len() == name.len())).then_some(tool)
}

fn meaningful_stem(path: &str) -> &str {
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.trim_start_matches('.');
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
        check(".pre-commit-config.yaml", &["precommitconfig", "pre", "commit", "config"]);
        check("src/from-json-schema.ts", &["fromjsonschema", "from", "json", "schema"]);
    }

    #[test]
    fn a_file_named_after_its_tool_has_the_name_of_the_tool() {
        check("Dockerfile", &["dockerfile", "docker"]);
        check("deploy/Dockerfile.dev", &["dockerfile", "docker"]);
        check("justfile", &["justfile", "just"]);
        check("src/profile.py", &["profile"]);
        check("src/ZipFile.java", &["zipfile", "zip", "file"]);
        check("src/éèfile", &["éèfile"]);
        check("file", &["file"]);
    }

    #[test]
    fn directories_add_what_the_stem_does_not_say() {
        let features =
            PathFeatures::new("django/contrib/auth/auth_views.py", Some(Language::Python));
        assert_eq!(features.directories, ["django", "contrib"]);
    }
}
