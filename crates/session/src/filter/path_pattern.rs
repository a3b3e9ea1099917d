//! Paths that restrict an answer, as people and agents write them: `src/net`, `src/**`, `*.rs`, `!tests`.

use foreword_engine::fuzzy;
use foreword_engine::index::Snapshot;
use globset::{GlobBuilder, GlobMatcher};

/// Characters that make a pattern of a path.
const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

/// Maximum number of paths that an error offers.
const MAX_NEAREST: usize = 5;

/// One path of a filter.
pub(super) struct PathPattern {
    /// As it was written, without `./`, a slash at the end, and `!`.
    pub(super) written: String,
    /// Whether its files are left out.
    pub(super) is_excluded: bool,
    /// Files or directories that it names literally: names may have wildcards and commas.
    literal: Vec<String>,
    globs: Vec<GlobMatcher>,
}

impl PathPattern {
    /// `None` for what stands for the whole repository.
    pub(super) fn new(written: &str) -> Option<Self> {
        let (is_excluded, path) = match written.trim().strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, written.trim()),
        };
        let written = path.trim_start_matches("./").trim_end_matches('/').to_owned();
        if matches!(&*written, "" | "." | "*" | "**") {
            return None;
        }
        let mut literal = vec![written.clone()];
        if !written.contains('{') {
            let parts = written.split(',').map(|it| it.trim().trim_end_matches('/'));
            literal.extend(parts.filter(|it| !it.is_empty()).map(str::to_owned));
        }
        let globs = literal.iter().flat_map(|it| globs(it)).collect();
        Some(Self { written, is_excluded, literal, globs })
    }

    pub(super) fn matches(&self, path: &str) -> bool {
        self.literal.iter().any(|it| is_below(path, it))
            || self.globs.iter().any(|it| it.is_match(path))
    }
}

/// The patterns of a path with wildcards: without a slash it means a name at any depth, and what it names may be a directory.
fn globs(path: &str) -> Vec<GlobMatcher> {
    if !path.contains(WILDCARDS) {
        return Vec::new();
    }
    let path = path.trim_start_matches('/');
    let anywhere = if path.contains('/') { path.to_owned() } else { format!("**/{path}") };
    let last = path.rsplit('/').next().unwrap_or(path);
    let below = (!last.contains(WILDCARDS)).then(|| format!("{anywhere}/**"));
    let glob = |it: String| GlobBuilder::new(&it).literal_separator(true).build().ok();
    [Some(anywhere), below]
        .into_iter()
        .flatten()
        .filter_map(glob)
        .map(|it| it.compile_matcher())
        .collect()
}

/// Whether a path is `directory` or lies below it.
fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Files and directories whose names are like the last one of a path that matches nothing, else the directories of the
/// root.
pub(super) fn nearest(snapshot: &Snapshot, written: &str) -> Vec<String> {
    let mut names = written.split('/').filter(|it| !it.is_empty() && !it.contains(WILDCARDS));
    let wanted = names.next_back().unwrap_or_default();
    let mut found: Vec<(u32, usize, &str)> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for path in snapshot.files().map(|it| snapshot.path(it)) {
        let ends = path.match_indices('/').map(|it| it.0).chain([path.len()]);
        for part in ends.map(|end| &path[..end]).filter(|it| known.insert(*it)) {
            let name = part.rsplit('/').next().unwrap_or(part);
            if let Some(distance) = fuzzy::distance(stem(wanted), stem(name)) {
                found.push((distance + u32::from(name != wanted), part.len(), part));
            }
        }
    }
    found.sort_unstable();
    if found.is_empty() {
        let top = known.into_iter().filter(|it| !it.contains('/') && snapshot.file(it).is_none());
        return top.map(|it| format!("{it}/")).take(MAX_NEAREST).collect();
    }
    found.into_iter().take(MAX_NEAREST).map(|it| it.2.to_owned()).collect()
}

/// A name without its ending.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, accepted: &[&str], others: &[&str]) {
        let it = PathPattern::new(pattern).unwrap();
        for path in accepted {
            assert!(it.matches(path), "{pattern} {path}");
        }
        for path in others {
            assert!(!it.matches(path), "{pattern} {path}");
        }
    }

    #[test]
    fn a_path_is_a_directory_a_file_or_a_pattern() {
        check("src/net", &["src/net", "src/net/a.rs"], &["src/network.rs", "a/src/net/a.rs"]);
        check("./src/", &["src/a.rs"], &["a/src/b.rs"]);
        check("src/**", &["src/a.rs", "src/b/c.rs"], &["srcs/a.rs"]);
        check("src/*", &["src/a.rs"], &["src/b/c.rs"]);
        check("*.rs", &["a.rs", "src/b/c.rs"], &["a.py"]);
        check("**/tests", &["tests/a.rs", "a/tests/b/c.rs"], &["a/test/b.rs"]);
        check("{src,lib}/**/*.{ts,tsx}", &["lib/a.tsx", "src/b/c.ts"], &["test/a.ts"]);
        check("src, tests/", &["src/a", "tests/b"], &["docs/c"]);
        check("app/[id]/page.tsx", &["app/[id]/page.tsx", "app/i/page.tsx"], &["app/x/page.tsx"]);
        check("a,b.py", &["a,b.py", "b.py", "a/c.py"], &["c.py"]);
        check("!tests", &["tests/a.py"], &["src/a.py"]);
        for all in ["", ".", "./", "**", "*"] {
            assert!(PathPattern::new(all).is_none(), "{all}");
        }
    }
}
