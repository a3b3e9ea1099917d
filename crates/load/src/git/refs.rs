//! Reads the checked-out branch and commit.

use std::io::{BufRead as _, BufReader, Read as _};

use super::Storage;
use super::files::small_text;
use crate::root::DirectoryRoot;

/// Maximum number of symbolic refs in a row, as in git.
const MAX_STEPS: usize = 5;

/// Maximum bytes of `packed-refs` to read. A million refs take some 60 MB.
const MAX_PACKED: u64 = 256 << 20;

/// The checked-out commit and branch.
pub(super) fn head(storage: &Storage) -> (Option<String>, Option<String>) {
    let root = DirectoryRoot::open_canonical(&storage.git_dir).ok();
    let Some(text) = root.and_then(|it| small_text(&it, "HEAD")) else { return (None, None) };
    let Some(name) = text.strip_prefix("ref:").map(str::trim) else { return (commit(&text), None) };
    // In the reftable format HEAD contains this placeholder, so that older programs fail.
    let branch = name.strip_prefix("refs/heads/").filter(|branch| *branch != ".invalid");
    (resolve(storage, name), branch.map(str::to_string))
}

/// The commit or tag of a ref, given its full name.
pub(super) fn resolve(storage: &Storage, name: &str) -> Option<String> {
    let open = |it| DirectoryRoot::open_canonical(it).ok();
    let (own, common) = (open(&storage.git_dir)?, open(&storage.common_dir)?);
    let mut name = name.to_string();
    for _ in 0..MAX_STEPS {
        // A ref is a path inside the storage; paths that leave it cannot be opened.
        if !name.starts_with("refs/") {
            return None;
        }
        let loose = small_text(&own, &name).or_else(|| small_text(&common, &name));
        let Some(text) = loose else { return packed(&common, &name) };
        match text.strip_prefix("ref:") {
            Some(next) => name = next.trim().to_string(),
            None => return commit(&text),
        }
    }
    None
}

/// Finds a ref in `packed-refs`: lines `<hash> <name>`, comments with `#`, peeled tags with `^`.
fn packed(common: &DirectoryRoot, name: &str) -> Option<String> {
    let mut from = BufReader::new(common.file("packed-refs").ok()?.take(MAX_PACKED));
    // The longest line that can name it: a hash, a space, the name and the end of the line.
    let most = name.len() + 67;
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut from).take(most as u64).read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let found = std::str::from_utf8(&line).ok().and_then(|it| it.trim_end().split_once(' '));
        match found {
            Some((hash, found)) if found == name => return commit(hash),
            _ if line.last() != Some(&b'\n') => from.skip_until(b'\n').ok().map(|_| ())?,
            _ => {}
        }
    }
}

/// Checks a hash: SHA-1 has 40 digits, SHA-256 64.
fn commit(text: &str) -> Option<String> {
    let hash = text.trim();
    let is_hash =
        matches!(hash.len(), 40 | 64) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

    fn storage(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn check(files: &[(&str, &str)], head_is: Option<&str>, branch_is: Option<&str>) {
        let dir = storage(files);
        let (head, branch) = head(&crate::git::storage(dir.path()).unwrap().unwrap());
        assert_eq!((head.as_deref(), branch.as_deref()), (head_is, branch_is));
    }

    #[test]
    fn a_detached_head_has_no_branch() {
        check(&[("HEAD", HASH)], Some(HASH), None);
    }

    #[test]
    fn a_loose_ref_wins_over_a_packed_one() {
        let other = "f".repeat(40);
        let packed = format!("# pack-refs\n{other} refs/heads/a/b\n");
        check(
            &[("HEAD", "ref: refs/heads/a/b\n"), ("packed-refs", &packed)],
            Some(&other),
            Some("a/b"),
        );
        let files =
            [("HEAD", "ref: refs/heads/a/b\n"), ("packed-refs", &packed), ("refs/heads/a/b", HASH)];
        check(&files, Some(HASH), Some("a/b"));
    }

    #[test]
    fn an_unborn_branch_has_no_commit() {
        check(&[("HEAD", "ref: refs/heads/main\n")], None, Some("main"));
    }

    #[test]
    fn a_ref_never_climbs_out_of_the_storage() {
        check(&[("HEAD", "ref: refs/../../secret\n")], None, None);
    }

    #[test]
    fn a_circle_of_refs_ends() {
        check(
            &[("HEAD", "ref: refs/heads/a\n"), ("refs/heads/a", "ref: refs/heads/a\n")],
            None,
            Some("a"),
        );
    }

    #[test]
    fn the_reftable_placeholder_is_no_branch() {
        check(&[("HEAD", "ref: refs/heads/.invalid\n")], None, None);
    }
}
