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

const TEST_DIRS: [&str; 8] =
    ["test", "tests", "testing", "__tests__", "spec", "specs", "testdata", "fixtures"];

const PERIPHERY_DIRS: [&str; 24] = [
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "compat",
    "_compat",
    "legacy",
    "deprecated",
    "vendor",
    "vendored",
    "_vendor",
    "third_party",
    "thirdparty",
    "external",
    "generated",
    "docs",
    "doc",
    "scripts",
];

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
    let in_dir = |names: &[&str]| {
        dir.split('/').any(|part| names.iter().any(|it| it.eq_ignore_ascii_case(part)))
    };
    if is_test_name(name, stem) || in_dir(&TEST_DIRS) {
        Prior::Test
    } else if in_dir(&PERIPHERY_DIRS) {
        Prior::Periphery
    } else if GATHERING_STEMS.contains(&stem) || name.ends_with(".d.ts") {
        Prior::Gathering
    } else {
        Prior::Code
    }
}

fn is_test_name(name: &str, stem: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || stem.ends_with("Spec")
        || matches!(stem, "conftest" | "tests" | "test")
        || lower.contains(".test.")
        || lower.contains(".spec.")
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
        check("src/latest.rs", Some(Language::Rust), Prior::Code);
        check("examples/a.go", Some(Language::Go), Prior::Periphery);
        check("pkg/__init__.py", Some(Language::Python), Prior::Gathering);
        check("README.md", Some(Language::Markdown), Prior::Prose);
        check("Makefile", None, Prior::Data);
    }
}
