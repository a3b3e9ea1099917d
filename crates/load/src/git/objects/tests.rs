//! Broken deltas and hashes.

use super::delta::applied;
use super::*;

#[test]
fn a_delta_copies_and_inserts_and_anything_else_is_none() {
    let base = b"hello world";
    // From 11 to 10 bytes: "hello" of the base, then " moon".
    let delta = b"\x0b\x0a\x90\x05\x05 moon";
    assert_eq!(applied(delta, base, 10).as_deref(), Some(&b"hello moon"[..]));
    assert_eq!(applied(delta, base, 9), None, "larger than allowed");
    for broken in [
        &b"\x0a\x0a\x90\x05\x05 moon"[..],
        b"\x0b\x09\x90\x05\x05 moon",
        b"\x0b\x0a\x90\x0c\x05 moon",
        b"\x0b\x0a\x90\x05\x06 moon",
        b"\x0b\x0a\x00",
        b"\x0b",
        b"",
    ] {
        assert_eq!(applied(broken, base, 10), None, "{broken:?}");
    }
}

#[test]
fn a_hash_has_forty_digits() {
    let hash = "0123456789abcdef0123456789abcdef01234567";
    let id = ObjectId::from_hex(hash).unwrap();
    assert_eq!(id.loose(), format!("{}/{}", &hash[..2], &hash[2..]));
    assert_eq!(ObjectId::from_hex(&hash[1..]), None);
    assert_eq!(ObjectId::from_hex(&"é".repeat(20)), None);
}

#[test]
fn a_commit_has_its_parents_and_its_time_whatever_its_author_is_called() {
    let hash = |it: &str| it.repeat(40);
    let (tree, a, b) = (hash("a"), hash("b"), hash("c"));
    let mut bytes =
        format!("tree {tree}\nparent {a}\nparent {b}\nauthor x <x> 5 +0000\n").into_bytes();
    bytes.extend_from_slice(b"committer M\xfcller <m> 1700000000 +0200\n\nparent of all\n");
    let (commit, parents) = Commit::parse(&bytes).unwrap();
    assert_eq!((parents, commit.parents.len(), commit.time), (2, 2, 1_700_000_000));
    assert_eq!(Some(commit.parents[1]), ObjectId::from_hex(&b));
    assert_eq!(Commit::parse(b"tree 12"), None);
}

#[test]
fn a_tree_that_ends_in_the_middle_of_an_entry_has_the_entries_before_it() {
    let mut bytes = b"100644 a\0".to_vec();
    bytes.extend([7; 20]);
    bytes.extend(b"40000 b\0short");
    let tree = Tree { bytes: bytes.into(), _held: None };
    let names: Vec<&[u8]> = tree.iter().map(|it| it.name).collect();
    assert_eq!(names, [b"a"]);
    assert!(tree.entries().any(|it| it.is_none()));
}

#[cfg(unix)]
#[test]
fn files_behind_links_are_not_counted_as_stored() {
    let dir = tempfile::tempdir().unwrap();
    let (common, other) = (dir.path().join(".git"), dir.path().join("other"));
    std::fs::create_dir_all(common.join("objects/pack")).unwrap();
    std::fs::create_dir(&other).unwrap();
    std::fs::write(common.join("objects/pack/a"), [0; 3]).unwrap();
    std::fs::write(other.join("b"), [0; 500]).unwrap();
    std::os::unix::fs::symlink(&other, common.join("objects/aa")).unwrap();
    let common = dunce::canonicalize(&common).unwrap();
    assert_eq!(Objects::open_within(&common, &[], 1 << 20).stored_bytes(), 3);
}

#[test]
fn work_that_is_spent_is_there_again_for_the_next_request() {
    let dir = tempfile::tempdir().unwrap();
    let common = dunce::canonicalize(dir.path()).unwrap();
    let id = ObjectId([7; 20]);
    let path = common.join("objects").join(id.loose());
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut zlib, b"blob 3\0abc").unwrap();
    std::fs::write(path, zlib.finish().unwrap()).unwrap();
    let mut objects = Objects::open_within(&common, &[], LOOKUP_WORK * 5);
    assert_eq!(objects.size(id), Some(3));
    while objects.blob(id, 9).is_some() {}
    assert_eq!(objects.problem(), Some(GitProblem::TooMuchWork));
    objects.renew(LOOKUP_WORK * 5);
    assert_eq!(objects.blob(id, 9).as_deref(), Some(&b"abc"[..]));
    assert_eq!(objects.problem(), None);
}
