//! Recognises source files by path in trees without a checkout (a commit, an archive), with the name rules of an index.

/// Whether the file belongs to a corpus. `has` tells whether the tree contains a path.
pub(crate) fn is_source(path: &str, has: &dyn Fn(&str) -> bool) -> bool {
    let mut directories = path.match_indices('/').map(|it| &path[..it.0]);
    !directories.any(|it| is_left_out(it, has)) && !is_noise(path)
}

const PACKAGE_DIRECTORIES: [&str; 5] =
    ["node_modules", "bower_components", "jspm_packages", "__pycache__", "site-packages"];

const SHOWN_HIDDEN: [&str; 4] = [".github", ".config", ".cargo", ".circleci"];

fn is_left_out(dir: &str, has: &dyn Fn(&str) -> bool) -> bool {
    let name = dir.rsplit('/').next().unwrap_or(dir);
    let hidden = name.starts_with('.') && !SHOWN_HIDDEN.contains(&name);
    let of_go = name == "vendor" && has(&format!("{dir}/modules.txt"));
    hidden || of_go || PACKAGE_DIRECTORIES.contains(&name)
}

const LOCK_FILES: [&str; 10] = [
    "Cargo.lock",
    "Gemfile.lock",
    "Pipfile.lock",
    "composer.lock",
    "go.sum",
    "package-lock.json",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "yarn.lock",
];

fn is_noise(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let minified =
        [".min.js", ".min.css", ".js.map", ".css.map"].iter().any(|it| name.ends_with(it));
    minified || LOCK_FILES.contains(&name)
}
