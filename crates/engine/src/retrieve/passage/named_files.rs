//! The files that a text names: by path, as tracebacks and sentences do, or by dotted module (`sphinx.ext.autodoc`).

use crate::index::{FileId, Snapshot};
use crate::preset::constants::retrieve::MOST_NAMED_FILES;

/// The files that a text names, each once, in the order of the text.
pub(in crate::retrieve) fn named_files(text: &str, snapshot: &Snapshot) -> Vec<FileId> {
    let mut res = Vec::new();
    for word in text.split(ends_word).map(without_place) {
        if res.len() >= MOST_NAMED_FILES {
            break;
        }
        for file in by_path(word, snapshot).into_iter().chain(by_module(word, snapshot)) {
            if !res.contains(&file) {
                res.push(file);
            }
        }
    }
    res
}

fn ends_word(it: char) -> bool {
    it.is_whitespace() || "\"'`()[]{}<>,;|=".contains(it)
}

/// The word without what follows a path: punctuation, the number of a line.
fn without_place(word: &str) -> &str {
    let is_end = |it: char| it == ':' || it == '.' || it == '!' || it == '?' || it.is_ascii_digit();
    match word.split_once(':') {
        Some((path, place)) if place.chars().all(is_end) && path.len() > 1 => path,
        _ => word.trim_end_matches(['.', ':', '!', '?']),
    }
}

/// The file of the repository that shares most trailing directories with a path that may be absolute on another machine.
/// A name alone means a file if there is one of that name.
fn by_path(word: &str, snapshot: &Snapshot) -> Option<FileId> {
    let parts: Vec<&str> = word.split(['/', '\\']).filter(|it| !it.is_empty()).collect();
    let name = parts.last()?;
    let (stem, extension) = name.split_once('.')?;
    let is_extension = (1..=12).contains(&extension.len())
        && extension.starts_with(|it: char| it.is_ascii_alphabetic());
    if stem.is_empty() || !is_extension {
        return None;
    }
    let has_name = |it: &FileId| snapshot.path(*it).rsplit('/').next() == Some(name);
    let files: Vec<FileId> = snapshot.files_of_stem(stem).into_iter().filter(has_name).collect();
    if let ([file], [_]) = (files.as_slice(), parts.as_slice()) {
        return Some(*file);
    }
    let shared = |it: &FileId| {
        let own = snapshot.path(*it).rsplit('/');
        own.zip(parts.iter().rev()).take_while(|it| it.0 == *it.1).count()
    };
    let best = files.into_iter().max_by_key(|it| (shared(it), std::cmp::Reverse(*it)))?;
    let is_at_root = !snapshot.path(best).contains('/');
    (shared(&best) > 1 || (is_at_root && parts.len() == 1)).then_some(best)
}

/// Parts of a module's name at most: each number of them is joined to a path.
const MAX_MODULE_PARTS: usize = 32;

/// The module that begins a dotted name: `a/b.py` or `a/b/__init__.py` of `a.b.Type.method`.
fn by_module(word: &str, snapshot: &Snapshot) -> Option<FileId> {
    let parts: Vec<&str> = word.split('.').collect();
    let is_name = |it: &&str| {
        it.starts_with(|it: char| it.is_alphabetic() || it == '_')
            && it.chars().all(|it| it.is_alphanumeric() || it == '_')
    };
    if parts.len() < 2 || !parts.iter().all(is_name) {
        return None;
    }
    (2..=parts.len().min(MAX_MODULE_PARTS)).rev().find_map(|n| {
        let module = parts[..n].join("/");
        let files = snapshot.files_of_stem(parts[n - 1]);
        files.into_iter().find(|it| is_module(snapshot.path(*it), &module))
    })
}

/// Whether a path, without its extension or the name of an index file, ends in a module.
fn is_module(path: &str, module: &str) -> bool {
    let ends = |it: &str| {
        it.strip_suffix(module).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    ends(directory) || ends(format!("{directory}/{stem}").trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    fn check(text: &str, expect: &[&str]) {
        let paths = [
            "setup.py",
            "src/shop/cart.py",
            "src/shop/orders/__init__.py",
            "src/shop/orders/cart.py",
            "tests/test_cart.py",
        ];
        let source = |it: &&str| Source { path: (*it).into(), text: "x = 1\n".into() };
        let sources = paths.iter().map(source).collect();
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let found = named_files(text, &snapshot);
        let found: Vec<&str> = found.iter().map(|it| snapshot.path(*it)).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn paths_of_other_machines_name_files() {
        check(
            "File \"/opt/lib/site-packages/shop/orders/cart.py\", line 3, in f",
            &["src/shop/orders/cart.py"],
        );
        check("at run (src/shop/cart.py:3:5)", &["src/shop/cart.py"]);
        check("see test_cart.py and setup.py.", &["tests/test_cart.py", "setup.py"]);
    }

    #[test]
    fn dotted_modules_name_files() {
        check("shop.cart.Cart.add() fails", &["src/shop/cart.py"]);
        check("`shop.orders` is imported twice", &["src/shop/orders/__init__.py"]);
    }

    #[test]
    fn other_projects_and_words_name_none() {
        check("File \"/usr/lib/python3/json/cart.py\", line 3", &[]);
        check("cart.py or self.cart, e.g. in other.shop. Version 1.2", &[]);
    }
}
