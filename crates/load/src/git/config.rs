//! Reads a few values of git's configuration, without includes.

use std::path::{Path, PathBuf};

use foreword_engine::visible::is_directional;

use super::files::small_text;
use crate::root::DirectoryRoot;

/// Maximum length of a repository's name: it is in every prompt, and no server allows longer ones.
const MAX_NAME: usize = 100;

/// The repository's name in `origin`: the last part of the address, without `.git`.
pub(crate) fn origin_name(common_dir: &Path) -> Option<String> {
    let text = small_text(&DirectoryRoot::open_canonical(common_dir).ok()?, "config")?;
    last_part(&value(&text, "remote \"origin\"", "url")?)
}

/// The last two parts of the address of `origin`, such as `owner/name`, without `.git`: names alone are not unique among
/// the repositories of an organisation.
pub(crate) fn origin_path(common_dir: &Path) -> Option<String> {
    let text = small_text(&DirectoryRoot::open_canonical(common_dir).ok()?, "config")?;
    last_two_parts(&value(&text, "remote \"origin\"", "url")?)
}

/// The work tree that a repository names in its own configuration (canonical). Git writes it for submodules.
pub(super) fn work_tree(git_dir: &DirectoryRoot) -> Option<PathBuf> {
    let named = ["config.worktree", "config"]
        .iter()
        .find_map(|it| value(&small_text(git_dir, it)?, "core", "worktree"));
    dunce::canonicalize(git_dir.path().join(named?)).ok()
}

/// The last value of `key` (in lower case) in `[section]`.
fn value(text: &str, section: &str, key: &str) -> Option<String> {
    let mut inside = false;
    let mut found = None;
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            inside = header.split(']').next().is_some_and(|name| name.trim() == section);
        } else if let Some((name, value)) = line.split_once('=').filter(|_| inside)
            && name.trim().eq_ignore_ascii_case(key)
        {
            found = Some(unquoted(value));
        }
    }
    found
}

/// Removes the quotes of a value and a comment after it.
fn unquoted(raw: &str) -> String {
    let raw = raw.trim();
    match raw.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((quoted, _)) => quoted.to_string(),
        None => raw.split([';', '#']).next().unwrap_or_default().trim().to_string(),
    }
}

/// `owner/repo` of the addresses of [`last_part`]; `repo` where nothing but a host is before it.
fn last_two_parts(address: &str) -> Option<String> {
    let name = last_part(address)?;
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        // `C:\srv\repo` has a colon, too.
        None => address.split_once(':').filter(|it| it.0.len() > 1).map_or(address, |it| it.1),
    };
    let mut parts = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).skip(1);
    let owner = parts.next().filter(|it| !matches!(*it, "" | "." | ".."));
    let is_shown = |it: char| !it.is_control() && !is_directional(it);
    let owner = owner.filter(|it| it.len() <= MAX_NAME && it.chars().all(is_shown));
    Some(owner.map_or_else(|| name.clone(), |owner| format!("{owner}/{name}")))
}

/// The last part of `git@host:owner/repo.git`, `https://host/owner/repo/`, `/srv/repo.git` or `C:\srv\repo`.
fn last_part(address: &str) -> Option<String> {
    let address = address.trim_end_matches(['/', '\\']);
    let last = address.rsplit(['/', '\\', ':']).next()?;
    let name = last.strip_suffix(".git").unwrap_or(last);
    let is_shown = |it: char| !it.is_control() && !is_directional(it);
    let is_name = !matches!(name, "" | "." | "..") && name.len() <= MAX_NAME;
    (is_name && name.chars().all(is_shown)).then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_address_ends_in_the_name() {
        let forms = [
            "git@host:o/repo.git",
            "https://host/o/repo/",
            "/srv/repo.git",
            r"C:\srv\repo",
            "host:repo",
        ];
        for form in forms {
            assert_eq!(last_part(form).as_deref(), Some("repo"), "{form}");
        }
        assert_eq!(last_part("/"), None);
        assert_eq!(last_part(".."), None);
    }

    #[test]
    fn an_owner_is_the_part_before_the_name_and_no_host() {
        for (address, expect) in [
            ("git@host:owner/repo.git", Some("owner/repo")),
            ("host:repo", Some("repo")),
            ("https://host/owner/repo/", Some("owner/repo")),
            ("https://host/group/owner/repo.git", Some("owner/repo")),
            ("https://host/repo", Some("repo")),
            ("ssh://git@host:22/owner/repo", Some("owner/repo")),
            ("file:///srv/git/repo.git", Some("git/repo")),
            ("/repo", Some("repo")),
            ("../repo", Some("repo")),
            ("C:\\srv\\repo", Some("srv/repo")),
            ("https://host/a\u{202e}b/repo", Some("repo")),
            ("https://host", None),
            ("/", None),
        ] {
            assert_eq!(last_two_parts(address).as_deref(), expect, "{address}");
        }
    }

    #[test]
    fn an_address_of_a_stranger_names_nothing_long_or_hidden() {
        assert!(last_part(&format!("/srv/{}", "a".repeat(100))).is_some());
        for name in ["a".repeat(101), "a\u{202e}b".to_owned(), "a\u{1b}[31m".to_owned()] {
            assert_eq!(last_part(&format!("https://host/{name}")), None);
        }
    }

    #[test]
    fn only_the_section_asked_for_counts() {
        let text = "[remote \"fork\"]\n url = f\n[remote \"origin\"]\n\tURL = \"o\" ; mine\n[core]\nurl = c\n";
        assert_eq!(value(text, "remote \"origin\"", "url").as_deref(), Some("o"));
        assert_eq!(value(text, "remote \"none\"", "url"), None);
    }
}
