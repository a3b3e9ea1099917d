//! Rules about names: secrets, third-party code, binaries, lock files, hidden directories.
//!
//! Only certain cases are listed. A directory called `build` or `dist` may contain source, so it is walked unless an
//! ignore file or its own contents exclude it; a wrong entry here would silently hide a file from its user. All
//! comparisons ignore ASCII case, as half of all file systems do.

use super::entries::EntryKind;

/// Directories of keys, at any depth.
const SECRET_DIRECTORIES: &[&str] = &[".aws", ".azure", ".gcloud", ".gnupg", ".kube", ".ssh"];

/// Files that hold a key or a password.
const SECRET_FILES: &[&str] = &[
    ".dockercfg",
    ".envrc",
    ".git-credentials",
    ".htpasswd",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".vault-token",
    "_netrc",
    "application_default_credentials.json",
    "credentials.json",
    "kubeconfig",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
];

/// Extensions of keys, key stores, and state files with keys in clear text.
const SECRET_EXTENSIONS: &[&str] = &[
    "env",
    "jks",
    "kdbx",
    "key",
    "keystore",
    "kubeconfig",
    "ovpn",
    "p12",
    "p8",
    "pem",
    "pfx",
    "ppk",
    "tfstate",
    "tfvars",
];

/// Private SSH keys, whose names may be extended: `id_rsa_work`, `id_ed25519.bak`.
const SECRET_PREFIXES: &[&str] =
    &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "client_secret", ".vault_pass"];

/// Pairs of a directory and a secret file in it.
const SECRET_PATHS: &[(&str, &str)] = &[
    (".cargo", "credentials"),
    (".cargo", "credentials.toml"),
    ("gh", "hosts.yml"),
    ("git", "credentials"),
];

/// Suffixes of copies. The copy of a secret is a secret.
const BACKUP_SUFFIXES: &[&str] = &["~", ".bak", ".old", ".orig", ".save", ".swp"];

/// Extensions that mark a template or a public key.
const TEMPLATE_EXTENSIONS: &[&str] = &["dist", "example", "pub", "sample", "template", "tmpl"];

/// The rule by which the name of an entry in the directory `parent` indicates secrets.
pub(crate) fn secret(parent: &str, name: &str, kind: EntryKind) -> Option<&'static str> {
    let name = &*name.to_ascii_lowercase();
    if kind.is_dir() {
        return SECRET_DIRECTORIES.iter().find(|rule| **rule == name).copied();
    }
    let original = BACKUP_SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix));
    // Vim's swap file of `.env` is `.env.swp`, that of `server.key` is `.server.key.swp`.
    let hidden = || secret_file(original?.strip_prefix('.')?);
    let in_parent = |rule: &&(&str, &str)| rule.0.eq_ignore_ascii_case(parent) && rule.1 == name;
    let by_path = || SECRET_PATHS.iter().find(in_parent).map(|rule| rule.1);
    secret_file(original.unwrap_or(name)).or_else(by_path).or_else(hidden)
}

/// The rule for a lower-case file name in any directory.
fn secret_file(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if TEMPLATE_EXTENSIONS.contains(&extension) || TEMPLATE_EXTENSIONS.contains(&stem) {
        return None;
    }
    if name == ".env" || [".env.", ".env-", ".env_"].iter().any(|start| name.starts_with(start)) {
        return Some(".env*");
    }
    let by_prefix = || SECRET_PREFIXES.iter().find(|prefix| is_key_name(name, prefix));
    let by_extension =
        || SECRET_EXTENSIONS.iter().find(|rule| !stem.is_empty() && **rule == extension);
    // `terraform.tfstate.backup` and `terraform.tfstate.1700000000.backup` hold the same secrets as the state itself.
    let by_backup = || {
        let is_state = stem.ends_with(".tfstate") || stem.contains(".tfstate.");
        (extension == "backup" && is_state).then_some(&"tfstate")
    };
    let by_variables = || name.ends_with(".tfvars.json").then_some(&"tfvars");
    // Input of a shell or a REPL: `.bash_history`, `.python_history`, `fish_history`.
    let is_history =
        name == "fish_history" || (name.starts_with('.') && name.ends_with("_history"));
    let by_history = || is_history.then_some(&"*_history");
    let rule = SECRET_FILES.iter().find(|rule| **rule == name);
    let rule = rule.or_else(by_prefix).or_else(by_extension).or_else(by_backup);
    rule.or_else(by_variables).or_else(by_history).copied()
}

/// Whether `name` is a key such as `id_rsa`, `id_rsa.old` or `client_secret_12.json`. `id_rsa.rs` is source code.
fn is_key_name(name: &str, prefix: &str) -> bool {
    let Some(rest) = name.strip_prefix(prefix) else { return false };
    match rest.rsplit_once('.') {
        None => !rest.starts_with(|c: char| c.is_ascii_alphanumeric()),
        Some((_, extension)) => matches!(extension, "bak" | "old" | "json" | "txt"),
    }
}

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
    fn secrets_are_known_by_name() {
        for name in [
            ".env",
            ".env.local",
            ".ENV.production",
            "prod.env",
            "server.pem",
            "a.key",
            "id_rsa",
            "id_rsa_work",
            "id_ed25519.bak",
            "x.p12",
            "terraform.tfstate.backup",
            "secrets.yml",
            ".netrc",
            "client_secret_1.json",
            ".vault-token",
            "prod.auto.tfvars.json",
            "terraform.tfstate.1700000000.backup",
            ".bash_history",
            ".node_repl_history",
            "fish_history",
        ] {
            assert!(secret("", name, EntryKind::Other).is_some(), "{name}");
        }
        assert!(secret("", ".ssh", EntryKind::Directory).is_some());
    }

    #[test]
    fn the_copy_of_a_secret_is_a_secret() {
        for name in [".env~", ".npmrc.bak", "server.key.old", ".env.swp", ".server.key.swp"] {
            assert!(secret("", name, EntryKind::Other).is_some(), "{name}");
        }
        for name in ["main.rs~", "notes.old", ".main.rs.swp", ".env.example~"] {
            assert_eq!(secret("", name, EntryKind::Other), None, "{name}");
        }
    }

    #[test]
    fn some_names_are_secrets_only_in_their_directory() {
        for (parent, name) in
            [(".cargo", "credentials.toml"), ("gh", "hosts.yml"), ("git", "credentials")]
        {
            assert!(secret(parent, name, EntryKind::Other).is_some(), "{parent}/{name}");
            assert_eq!(secret("src", name, EntryKind::Other), None, "{name}");
        }
        assert_eq!(secret(".cargo", "config.toml", EntryKind::Other), None);
    }

    #[test]
    fn templates_public_keys_and_programs_about_keys_are_no_secrets() {
        for name in [
            ".env.example",
            "example.env",
            ".env.sample",
            "id_rsa.pub",
            "id_rsa.rs",
            "secrets.py",
            "key.rs",
            ".key",
            "environment.ts",
            "id_rsakey",
            "server.pem.example",
        ] {
            assert_eq!(secret("", name, EntryKind::Other), None, "{name}");
        }
        assert_eq!(secret("", "secrets", EntryKind::Directory), None);
    }

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
