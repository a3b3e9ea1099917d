//! What a path alone says of a file's worth.

use foreword_chunk::Language;

/// What a path alone says of a file's worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// Nothing against it.
    Code,
    /// A test.
    Test,
    /// Examples, benchmarks, compatibility layers, vendored, generated or deprecated code.
    Periphery,
    /// Gathers names from elsewhere, or declares them only.
    Gathering,
    /// Documents.
    Prose,
    /// Configuration and data.
    Data,
}

impl Prior {
    /// In words.
    pub fn what(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Test => "a test",
            Self::Periphery => "an example, copy or leftover",
            Self::Gathering => "gathers names only",
            Self::Prose => "prose",
            Self::Data => "data",
        }
    }
}

/// What a directory's name says of the files below it, in lower case.
fn of_directory(name: &[u8]) -> Option<Prior> {
    match name {
        b"test" | b"tests" | b"testing" | b"__tests__" | b"spec" | b"specs" | b"testdata"
        | b"fixtures" => Some(Prior::Test),
        b"example" | b"examples" | b"sample" | b"samples" | b"demo" | b"demos" | b"bench"
        | b"benches" | b"benchmark" | b"benchmarks" | b"compat" | b"_compat" | b"legacy"
        | b"deprecated" | b"vendor" | b"vendored" | b"_vendor" | b"third_party" | b"thirdparty"
        | b"external" | b"generated" | b"docs" | b"doc" | b"scripts" => Some(Prior::Periphery),
        _ => None,
    }
}

/// The length of the longest name that [`of_directory`] knows.
const LONGEST: usize = 11;

const GATHERING_STEMS: [&str; 3] = ["__init__", "mod", "index"];

/// The prior of a file.
pub fn prior_of(path: &str, language: Option<Language>) -> Prior {
    match language {
        Some(Language::Markdown | Language::Html) => return Prior::Prose,
        Some(Language::Json | Language::Yaml | Language::Toml | Language::Css) => {
            return Prior::Data;
        }
        None => return by_extension(path),
        Some(_) => {}
    }
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let by_dir = by_directories(dir);
    if is_test_name(name, stem) || by_dir == Some(Prior::Test) {
        Prior::Test
    } else if by_dir.is_some() {
        Prior::Periphery
    } else if GATHERING_STEMS.contains(&stem) || name.ends_with(".d.ts") {
        Prior::Gathering
    } else {
        Prior::Code
    }
}

/// What the directories of a path say, tests before all else.
fn by_directories(dir: &str) -> Option<Prior> {
    let mut res = None;
    let mut lower = [0; LONGEST];
    for part in dir.as_bytes().split(|it| *it == b'/') {
        let Some(lower) = lower.get_mut(..part.len()) else { continue };
        lower.copy_from_slice(part);
        lower.make_ascii_lowercase();
        match of_directory(lower) {
            Some(Prior::Test) => return Some(Prior::Test),
            found => res = res.or(found),
        }
    }
    res
}

fn is_test_name(name: &str, stem: &str) -> bool {
    let infix = name.get(stem.len()..).unwrap_or_default();
    let has = |it: &str| infix.split('.').rev().skip(1).any(|part| part.eq_ignore_ascii_case(it));
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || stem.ends_with("Spec")
        || matches!(stem, "conftest" | "tests" | "test")
        || has("test")
        || has("spec")
}

/// Files without a grammar: documents and data by their usual extensions, code otherwise.
fn by_extension(path: &str) -> Prior {
    let extension = path.rsplit('/').next().and_then(|it| it.rsplit_once('.')).map(|it| it.1);
    match extension {
        Some("txt" | "rst" | "adoc" | "org" | "tex" | "log") => Prior::Prose,
        Some("csv" | "tsv" | "xml" | "svg" | "ini" | "cfg" | "lock" | "po" | "properties") => {
            Prior::Data
        }
        None => Prior::Data,
        Some(_) => Prior::Code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, language: Option<Language>, expect: Prior) {
        assert_eq!(prior_of(path, language), expect, "{path}");
    }

    #[test]
    fn paths_say_what_a_file_is_for() {
        check("src/http/url.py", Some(Language::Python), Prior::Code);
        check("src/http/test_url.py", Some(Language::Python), Prior::Test);
        check("tests/url.rs", Some(Language::Rust), Prior::Test);
        check("src/url.spec.ts", Some(Language::TypeScript), Prior::Test);
        check("src/url.Test.tsx", Some(Language::Tsx), Prior::Test);
        check("src/test.ts.d.ts", Some(Language::TypeScript), Prior::Test);
        check("src/a.test", None, Prior::Code);
        check("examples/Tests/a.go", Some(Language::Go), Prior::Test);
        check("third_party/a.go", Some(Language::Go), Prior::Periphery);
        check("a_longer_third_party/a.go", Some(Language::Go), Prior::Code);
        check("src/latest.rs", Some(Language::Rust), Prior::Code);
        check("examples/a.go", Some(Language::Go), Prior::Periphery);
        check("pkg/__init__.py", Some(Language::Python), Prior::Gathering);
        check("README.md", Some(Language::Markdown), Prior::Prose);
        check("Makefile", None, Prior::Data);
    }
}
