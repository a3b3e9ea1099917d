//! Rules about names: third-party code, binaries, lock files, hidden directories. Those of secrets are in `secret_names`.
//!
//! Only certain cases are listed. A directory called `build` or `dist` may contain source, so it is walked unless an
//! ignore file or its own contents exclude it; a wrong entry here would silently hide a file from its user. All
//! comparisons ignore ASCII case, as half of all file systems do.

use super::entries::EntryKind;

/// Hidden directories with source: workflows, build configuration, documentation sites. All others are caches, settings
/// of editors and agents, or private.
const HIDDEN_SOURCE_DIRECTORIES: &[&str] = &[
    ".buildkite",
    ".cargo",
    ".changeset",
    ".circleci",
    ".config",
    ".devcontainer",
    // Customisation by a team (docs/customise.md).
    ".foreword",
    ".forgejo",
    ".gitea",
    ".github",
    ".gitlab",
    ".husky",
    ".storybook",
    ".vitepress",
    ".vuepress",
];

/// Whether a directory is hidden and not known to contain source. Hidden files are ordinary files.
pub(crate) fn is_hidden_directory(name: &str) -> bool {
    name.starts_with('.') && !HIDDEN_SOURCE_DIRECTORIES.contains(&name)
}

/// Whether the entry is the storage of a version control system; `.git` is a file in worktrees.
pub(crate) fn is_version_control(name: &str, kind: EntryKind) -> bool {
    name == ".git"
        || kind.is_dir()
            && matches!(name, ".hg" | ".svn" | ".jj" | ".bzr" | "CVS" | "_darcs" | ".pijul")
}

/// A name of vendored or built directories, and the files of which one must be beside it as proof.
struct VendoredRule {
    rule: &'static str,
    name: &'static str,
    beside: &'static [&'static str],
}

const fn vendored_rule(
    rule: &'static str,
    name: &'static str,
    beside: &'static [&'static str],
) -> VendoredRule {
    VendoredRule { rule, name, beside }
}

/// Entries of `beside` that begin with a dot are extensions.
const VENDORED: &[VendoredRule] = &[
    vendored_rule("node_modules", "node_modules", &[]),
    vendored_rule("bower_components", "bower_components", &[]),
    vendored_rule("jspm_packages", "jspm_packages", &[]),
    vendored_rule("__pycache__", "__pycache__", &[]),
    vendored_rule("site-packages", "site-packages", &[]),
    vendored_rule("CMakeFiles", "CMakeFiles", &[]),
    vendored_rule("dist-newstyle", "dist-newstyle", &[]),
    vendored_rule("elm-stuff", "elm-stuff", &[]),
    vendored_rule("target beside Cargo.toml", "target", &["Cargo.toml", "pom.xml", "build.sbt"]),
    vendored_rule("build beside build.gradle", "build", &["build.gradle", "build.gradle.kts"]),
    vendored_rule("obj beside a .NET project", "obj", &[".csproj", ".fsproj", ".vbproj"]),
    vendored_rule("bin beside a .NET project", "bin", &[".csproj", ".fsproj", ".vbproj"]),
    vendored_rule("_build beside mix.exs", "_build", &["mix.exs", "dune-project"]),
    vendored_rule("deps beside mix.exs", "deps", &["mix.exs"]),
    vendored_rule("Pods beside Podfile", "Pods", &["Podfile"]),
    vendored_rule("zig-out beside build.zig", "zig-out", &["build.zig"]),
    vendored_rule("zig-cache beside build.zig", "zig-cache", &["build.zig"]),
];

/// The rule by which a directory is vendored or built; `has_beside` checks for a file beside it.
pub(crate) fn vendored(name: &str, has_beside: impl Fn(&str) -> bool) -> Option<&'static str> {
    let proven = |row: &&VendoredRule| {
        row.beside.is_empty() || row.beside.iter().any(|file| has_beside(file))
    };
    VENDORED.iter().filter(|row| row.name == name).find(proven).map(|row| row.rule)
}

/// The contents by which a whole directory is vendored or built.
pub(super) const ENVIRONMENT: &str = "pyvenv.cfg inside";
pub(super) const CONDA: &str = "conda-meta inside";
pub(super) const CACHE: &str = "CACHEDIR.TAG inside";
pub(super) const CMAKE: &str = "CMakeCache.txt inside";
pub(super) const PACKAGE_LIST: &str = "vendor with the package manager's list inside";

/// The rule with these words.
pub(super) fn vendored_rule_named(words: &str) -> Option<&'static str> {
    let by_name = VENDORED.iter().map(|row| row.rule);
    let by_contents = [ENVIRONMENT, CONDA, CACHE, CMAKE, PACKAGE_LIST];
    by_name.chain(by_contents).find(|it| *it == words)
}

/// Extensions of binary formats; such files are not opened.
const BINARY_EXTENSIONS: &[&str] = &[
    "7z",
    "a",
    "aac",
    "apk",
    "avi",
    "avif",
    "bin",
    "blend",
    "bmp",
    "br",
    "bz2",
    "class",
    "db",
    "deb",
    "dll",
    "dmg",
    "doc",
    "docx",
    "dylib",
    "eot",
    "exe",
    "fbx",
    "flac",
    "gguf",
    "gif",
    "glb",
    "gz",
    "h5",
    "heic",
    "icns",
    "ico",
    "iso",
    "jar",
    "jpeg",
    "jpg",
    "lib",
    "lz4",
    "m4a",
    "mkv",
    "mo",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "msi",
    "nib",
    "npy",
    "npz",
    "o",
    "obb",
    "odp",
    "ods",
    "odt",
    "ogg",
    "onnx",
    "otf",
    "parquet",
    "pdb",
    "pdf",
    "pickle",
    "pkl",
    "png",
    "ppt",
    "pptx",
    "psd",
    "pt",
    "pth",
    "pyc",
    "pyd",
    "pyo",
    "rar",
    "rlib",
    "rmeta",
    "rpm",
    "safetensors",
    "so",
    "sqlite",
    "sqlite3",
    "swf",
    "tar",
    "tflite",
    "tgz",
    "tif",
    "tiff",
    "ttf",
    "war",
    "wasm",
    "wav",
    "webm",
    "webp",
    "whl",
    "wmv",
    "woff",
    "woff2",
    "xls",
    "xlsx",
    "xz",
    "zip",
    "zst",
];

/// Whether the extension is that of a binary format. Uses binary search; a test checks that the table is sorted.
pub(crate) fn is_binary(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    // A hidden file `.db` has no extension. Longer extensions than those of the table need no copy in lower case.
    if stem.is_empty() || extension.len() > 11 {
        return false;
    }
    BINARY_EXTENSIONS.binary_search(&&*extension.to_ascii_lowercase()).is_ok()
}

/// Files written by package managers: thousands of lines of names and hashes that drown a lexical search.
const LOCK_FILES: &[&str] = &[
    ".terraform.lock.hcl",
    "Cargo.lock",
    "Gemfile.lock",
    "MODULE.bazel.lock",
    "Package.resolved",
    "Pipfile.lock",
    "Podfile.lock",
    "bun.lock",
    "composer.lock",
    "deno.lock",
    "flake.lock",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pdm.lock",
    "pixi.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pubspec.lock",
    "uv.lock",
    "yarn.lock",
];

/// Whether the file is written by a package manager.
pub(crate) fn is_lock_file(name: &str) -> bool {
    LOCK_FILES.contains(&name)
}

/// Whether the name marks the file as minified, or as a map of a minified file.
pub(crate) fn is_minified(name: &str) -> bool {
    [".min.js", ".min.mjs", ".min.css", ".js.map", ".mjs.map", ".css.map"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// The extension of the last part of a path, in lower case.
pub(crate) fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_directory_needs_its_project_file() {
        assert_eq!(vendored("target", |_| false), None);
        assert!(vendored("target", |file| file == "Cargo.toml").is_some());
        assert!(vendored("node_modules", |_| false).is_some());
        assert_eq!(vendored("dist", |_| true), None);
    }

    #[test]
    fn the_table_of_extensions_is_sorted() {
        assert!(BINARY_EXTENSIONS.is_sorted());
        assert!(
            is_binary("a.PNG") && !is_binary("a.svg") && !is_binary(".png") && !is_binary("png")
        );
        assert!(BINARY_EXTENSIONS.iter().all(|extension| extension.len() <= 11));
    }

    #[test]
    fn hidden_directories_are_out_but_for_those_with_source() {
        assert!(
            is_hidden_directory(".venv")
                && !is_hidden_directory(".github")
                && !is_hidden_directory("src")
        );
    }
}
