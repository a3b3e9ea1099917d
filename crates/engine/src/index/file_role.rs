//! The role of a file by its path: code, test, example, prose, data.

use foreword_chunk::Language;

/// The role of a file in its repository, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// Ordinary source code.
    Code,
    /// A test.
    Test,
    /// Examples, benchmarks, compatibility layers, deprecated code, migrations of a database, configuration of tools.
    Periphery,
    /// Not written here: a copy of another project's code, generated code, or build output.
    ThirdParty,
    /// Only re-exports or declares names.
    Gathering,
    /// Documents.
    Prose,
    /// Configuration and data.
    Data,
}

impl FileRole {
    /// The role in words, for reasons.
    pub fn what(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Test => "a test",
            Self::Periphery => "example, migration or the like",
            Self::ThirdParty => "third-party or generated code",
            Self::Gathering => "only collects names",
            Self::Prose => "prose",
            Self::Data => "data",
        }
    }
}

/// The role of files below a directory with this lower-case name.
fn of_directory(name: &[u8]) -> Option<FileRole> {
    match name {
        b"testing" | b"__tests__" | b"spec" | b"specs" | b"step_definitions" | b"e2e"
        | b"testcases" | b"testsuite" | b"testsuites" | b"testutil" | b"testutils"
        | b"unittest" | b"unittests" | b"__mocks__" | b"__fixtures__" => Some(FileRole::Test),
        b"bench" | b"benches" | b"compat" | b"_compat" | b"legacy" | b"tutorial" | b"tutorials"
        | b"playground" | b"sandbox" | b"deprecated" | b"docs" | b"docs_src" | b"doc"
        | b"scripts" => Some(FileRole::Periphery),
        b"generated" | b"__generated__" | b"amalgamation" | b"single_include" | b"singleheader" => {
            Some(FileRole::ThirdParty)
        }
        _ => of_last_word(name.rsplit(|it| b"-_.".contains(it)).next().unwrap_or(name)),
    }
}

/// The role by the last word of a directory's name: `_examples`, `integration-tests`.
fn of_last_word(word: &[u8]) -> Option<FileRole> {
    match word {
        b"test" | b"tests" | b"testdata" | b"fixture" | b"fixtures" => Some(FileRole::Test),
        b"example" | b"examples" | b"sample" | b"samples" | b"demo" | b"demos" | b"benchmark"
        | b"benchmarks" => Some(FileRole::Periphery),
        _ => None,
    }
}

/// Names that end like those of Go's packages for tests, `httptest`.
const NO_TESTS: [&[u8]; 4] = [b"contest", b"greatest", b"latest", b"protest"];

/// Length of the longest name in [`of_directory`] and [`is_third_party_name`].
const MAX_NAME_BYTES: usize = 16;

/// Whether a directory with this name contains other projects; `inner` is the next directory of the path. Some names do
/// so only with one: `external/api.py` may belong to the project.
pub(in crate::index) fn is_third_party_name(name: &[u8], inner: Option<&[u8]>) -> bool {
    let mut lower = [0; MAX_NAME_BYTES];
    let Some(lower) = lower.get_mut(..name.len()) else { return false };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    match &*lower {
        b"node_modules" | b"bower_components" | b"jspm_packages" | b"vendor" | b"vendored"
        | b"_vendor" | b"_vendored" | b"third_party" | b"third-party" | b"thirdparty"
        | b"3rdparty" | b"3rd_party" | b"site-packages" | b"pods" | b"carthage"
        | b"app_packages" => true,
        b"deps" | b"external" | b"externals" | b"extern" => inner.is_some(),
        _ => false,
    }
}

const GATHERING_STEMS: [&str; 3] = ["__init__", "mod", "index"];

/// The role of a file.
pub fn file_role(path: &str, language: Option<Language>) -> FileRole {
    match language {
        Some(Language::Markdown | Language::Html) => return FileRole::Prose,
        Some(Language::Json | Language::Yaml | Language::Toml | Language::Css) => {
            return FileRole::Data;
        }
        None => return by_extension(path),
        Some(_) => {}
    }
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let by_directory = by_directories(dir, language);
    if by_directory == Some(FileRole::ThirdParty) {
        FileRole::ThirdParty
    } else if is_test_name(name, stem) || by_directory == Some(FileRole::Test) {
        FileRole::Test
    } else if by_directory.is_some()
        || is_wrapper(dir, language)
        || is_migration(dir, name)
        || is_tool_configuration(dir, name)
    {
        FileRole::Periphery
    } else if GATHERING_STEMS.contains(&stem)
        || [".d.ts", ".d.cts", ".d.mts"].iter().any(|it| name.ends_with(it))
    {
        FileRole::Gathering
    } else {
        FileRole::Code
    }
}

/// Whether Terraform's code only passes variables on: `wrappers/` are generated from the modules.
fn is_wrapper(dir: &str, language: Option<Language>) -> bool {
    language == Some(Language::Hcl) && dir.split('/').any(|it| it == "wrappers")
}

/// Whether a file is a step of a database's history: in a folder of migrations, with a number, date or hash before or
/// after its name. A file without one (`migrations/executor.py`) runs them.
fn is_migration(dir: &str, name: &str) -> bool {
    let folders = ["migrations", "migrate", "migration", "old_migrations", "versions"];
    let is_in = dir.split('/').any(|it| folders.iter().any(|name| it.eq_ignore_ascii_case(name)));
    let first = name.split(['_', '-', '.']).next().unwrap_or(name);
    let is_number = first.len() >= 4
        && first.bytes().all(|it| it.is_ascii_hexdigit())
        && first.bytes().any(|it| it.is_ascii_digit());
    let is_version = name.contains("__")
        && first.strip_prefix('V').is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
    is_in && (is_number || is_version)
}

/// Whether a file configures a tool of the build (`vite.config.ts`, `karma.conf.cjs`, `gulpfile.js`): it names what the
/// code does and does nothing of it.
fn is_tool_configuration(dir: &str, name: &str) -> bool {
    // Angular's `src/app/app.config.ts` is code.
    let is_in_source = dir.split('/').any(|it| matches!(it, "src" | "app" | "lib"));
    let mut parts = name.rsplit('.');
    let is_script = matches!(parts.next(), Some("js" | "cjs" | "mjs" | "ts" | "cts" | "mts"));
    let is_named = matches!(parts.next(), Some("config" | "conf")) && parts.next().is_some();
    let tools = ["gulpfile.", "Gruntfile.", "gruntfile."];
    is_script && (is_named && !is_in_source || tools.iter().any(|it| name.starts_with(it)))
}

/// The role by the directories of a path; third-party code takes precedence, then tests.
fn by_directories(dir: &str, language: Option<Language>) -> Option<FileRole> {
    let mut res = None;
    let mut lower = [0; MAX_NAME_BYTES];
    let mut end = 0;
    for part in dir.as_bytes().split(|it| *it == b'/') {
        end += part.len() + 1;
        if is_third_party_name(part, dir.as_bytes().get(end..).filter(|it| !it.is_empty())) {
            return Some(FileRole::ThirdParty);
        }
        // `features/support` supports tests written as stories.
        if part == b"support" && dir.as_bytes()[..end - part.len() - 1].ends_with(b"features/") {
            return Some(FileRole::Test);
        }
        // Longer names count by their ends.
        let part = &part[part.len().saturating_sub(MAX_NAME_BYTES)..];
        let Some(lower) = lower.get_mut(..part.len()) else { continue };
        lower.copy_from_slice(part);
        lower.make_ascii_lowercase();
        let is_go_test = language == Some(Language::Go)
            && lower.ends_with(b"test")
            && !NO_TESTS.contains(&&*lower);
        match of_directory(lower) {
            _ if is_go_test => return Some(FileRole::Test),
            Some(FileRole::Test) => return Some(FileRole::Test),
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

/// The role of files without a grammar: documents and data by extension, otherwise code.
fn by_extension(path: &str) -> FileRole {
    let extension = path.rsplit('/').next().and_then(|it| it.rsplit_once('.'));
    // A hidden file without another dot has settings: `.gitattributes`.
    match extension.filter(|it| !it.0.is_empty()).map(|it| it.1) {
        Some("txt" | "rst" | "adoc" | "org" | "tex" | "log") => FileRole::Prose,
        Some("feature") => FileRole::Test,
        Some(section) if is_manual(path, section) => FileRole::Prose,
        Some(
            "csv" | "tsv" | "xml" | "svg" | "ini" | "cfg" | "lock" | "po" | "properties"
            | "desktop",
        ) => FileRole::Data,
        None => FileRole::Data,
        Some(_) => FileRole::Code,
    }
}

/// Whether a file is a manual page: `shop.1`, or its source `shop.1.in`.
fn is_manual(path: &str, extension: &str) -> bool {
    let section = match extension {
        "in" => path.strip_suffix(".in").and_then(|it| it.rsplit_once('.')).map(|it| it.1),
        it => Some(it),
    };
    section.is_some_and(|it| it.len() == 1 && matches!(it.as_bytes()[0], b'1'..=b'9'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, language: Option<Language>, expect: FileRole) {
        assert_eq!(file_role(path, language), expect, "{path}");
    }

    #[test]
    fn migrations_and_configuration_of_builds_are_periphery() {
        check(
            "db/migrate/20240102030405_add_hotness.rb",
            Some(Language::Ruby),
            FileRole::Periphery,
        );
        check("shop/migrations/0001_initial.py", Some(Language::Python), FileRole::Periphery);
        check(
            "alembic/versions/27c6a30d7c24_orders.py",
            Some(Language::Python),
            FileRole::Periphery,
        );
        check("src/migrations/V2__orders.sql", Some(Language::Sql), FileRole::Periphery);
        check("django/db/migrations/executor.py", Some(Language::Python), FileRole::Code);
        check("api/versions/added.py", Some(Language::Python), FileRole::Code);
        check("karma.conf.cjs", Some(Language::JavaScript), FileRole::Periphery);
        check("site/vite.config.ts", Some(Language::TypeScript), FileRole::Periphery);
        check("gulpfile.js", Some(Language::JavaScript), FileRole::Periphery);
        check("src/app/app.config.ts", Some(Language::TypeScript), FileRole::Code);
        check("src/config.ts", Some(Language::TypeScript), FileRole::Code);
    }

    #[test]
    fn documents_data_and_steps_of_features_have_their_roles() {
        check("README.md", Some(Language::Markdown), FileRole::Prose);
        check("Makefile", None, FileRole::Data);
        check("man/shop.1", None, FileRole::Prose);
        check("shop.1.in", None, FileRole::Prose);
        check("config.in", None, FileRole::Code);
        check("features/step_definitions/cart.rb", Some(Language::Ruby), FileRole::Test);
        check("features/support/env.rb", Some(Language::Ruby), FileRole::Test);
        check("features/cart.feature", None, FileRole::Test);
        check("src/support/env.rb", Some(Language::Ruby), FileRole::Code);
        check("src/App_Packages/Log.1.4/Log.cs", Some(Language::CSharp), FileRole::ThirdParty);
    }

    #[test]
    fn a_path_gives_the_role_of_its_file() {
        check("src/http/url.py", Some(Language::Python), FileRole::Code);
        check("src/http/test_url.py", Some(Language::Python), FileRole::Test);
        check("tests/url.rs", Some(Language::Rust), FileRole::Test);
        check("src/url.spec.ts", Some(Language::TypeScript), FileRole::Test);
        check("src/url.Test.tsx", Some(Language::Tsx), FileRole::Test);
        check("src/test.ts.d.ts", Some(Language::TypeScript), FileRole::Test);
        check("src/a.test", None, FileRole::Code);
        check("examples/Tests/a.go", Some(Language::Go), FileRole::Test);
        check("shoptest/cart.go", Some(Language::Go), FileRole::Test);
        check("latest/cart.go", Some(Language::Go), FileRole::Code);
        check("shoptest/cart.rs", Some(Language::Rust), FileRole::Code);
        check("testcases/inc/a.c", Some(Language::C), FileRole::Test);
        check("modules/a-long-name-integration-tests/a.rs", Some(Language::Rust), FileRole::Test);
        check("_examples/rest/a.go", Some(Language::Go), FileRole::Periphery);
        check("test-utils/a.ts", Some(Language::TypeScript), FileRole::Code);
        check("openapi-spec/a.ts", Some(Language::TypeScript), FileRole::Code);
        check("src/generated/a.ts", Some(Language::TypeScript), FileRole::ThirdParty);
        check("third_party/a.go", Some(Language::Go), FileRole::ThirdParty);
        check("vendor/x/a_test.go", Some(Language::Go), FileRole::ThirdParty);
        check("deps/lua/lapi.c", Some(Language::C), FileRole::ThirdParty);
        check("src/external/api.py", Some(Language::Python), FileRole::Code);
        check("node_modules/x/README.md", Some(Language::Markdown), FileRole::Prose);
        check("a_longer_third_party/a.go", Some(Language::Go), FileRole::Code);
        check("src/latest.rs", Some(Language::Rust), FileRole::Code);
        check("examples/a.go", Some(Language::Go), FileRole::Periphery);
        check("wrappers/a/main.tf", Some(Language::Hcl), FileRole::Periphery);
        check("wrappers/a/main.go", Some(Language::Go), FileRole::Code);
        check("pkg/__init__.py", Some(Language::Python), FileRole::Gathering);
    }
}
