//! Both implementations refuse links and anything but regular files below a root.

use std::fs;
use std::io::{self, Read as _};
use std::path::PathBuf;

use super::{EntryType, checked, is_replaced, open_regular};
use crate::root::disk::DirectoryRoot;

/// A root with `a/b/file`, a link `out` to a directory outside, and a link `a/in` to `b`.
struct Fixture {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

fn fixture() -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    fs::create_dir_all(base.join("root/a/b")).unwrap();
    fs::create_dir_all(base.join("outside")).unwrap();
    fs::write(base.join("root/a/b/file"), "inside").unwrap();
    fs::write(base.join("outside/file"), "outside").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("../outside", base.join("root/out")).unwrap();
        symlink("b", base.join("root/a/in")).unwrap();
        symlink("file", base.join("root/a/b/link")).unwrap();
    }
    Fixture { _dir: dir, root: base.join("root") }
}

/// The text of the file; the error says whether the path was replaced.
fn text(file: io::Result<fs::File>) -> Result<String, bool> {
    let mut text = String::new();
    file.map_err(|it| is_replaced(&it))?.read_to_string(&mut text).map_err(|_| false)?;
    Ok(text)
}

#[test]
fn a_file_is_opened_and_no_path_leaves_the_root() {
    let it = fixture();
    let root = DirectoryRoot::open(&it.root).unwrap();
    assert_eq!(text(root.file("a/b/file")), Ok("inside".into()));
    for path in
        ["../outside/file", "a/../../outside/file", "/etc/hostname", "a//b/file", "a/./b/file"]
    {
        assert_eq!(text(root.file(path)), Err(false), "{path}");
    }
    assert_eq!(text(root.file("a/b/none")), Err(false));
    assert_eq!(text(root.file("a/b")), Err(true), "a directory is no file");
}

#[cfg(unix)]
#[test]
fn no_way_to_open_follows_a_link() {
    let it = fixture();
    let (root, portable) =
        (DirectoryRoot::open(&it.root).unwrap(), checked::DirectoryRoot::open(&it.root).unwrap());
    for path in ["out/file", "a/in/file", "a/b/link"] {
        assert_eq!(text(root.file(path)), Err(true), "{path}");
        assert!(portable.file(path).is_err(), "{path}");
    }
    for path in ["out", "a/in"] {
        assert!(root.directory(path).is_err_and(|it| is_replaced(&it)), "{path}");
        assert!(portable.directory(path).is_err_and(|it| is_replaced(&it)), "{path}");
    }
    assert_eq!(text(portable.file("a/b/file")), Ok("inside".into()));
    let link = it.root.join("out");
    assert!(DirectoryRoot::open_canonical(&link).is_err_and(|it| is_replaced(&it)));
    assert!(checked::DirectoryRoot::open_canonical(&link).is_err_and(|it| is_replaced(&it)));
    assert!(DirectoryRoot::open(&link).is_ok_and(|it| it.path().ends_with("outside")));
}

#[cfg(unix)]
#[test]
fn an_older_kernel_opens_component_by_component() {
    use rustix::fs::OFlags;
    let it = fixture();
    let root = rustix::fs::open(&it.root, OFlags::RDONLY, rustix::fs::Mode::empty()).unwrap();
    let open = |path: &str| super::handles::by_component(&root, path, OFlags::RDONLY);
    assert!(open("a/b/file").is_ok() && open("a").is_ok());
    assert!(open("out/file").is_err() && open("a/in/file").is_err() && open("a/b/link").is_err());
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let it = fixture();
    let pipe = it.root.join("a/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let root = DirectoryRoot::open(&it.root).unwrap();
    assert_eq!(text(root.file("a/pipe")), Err(true));
    assert_eq!(text(open_regular(&pipe)), Err(true));
}

#[cfg(unix)]
#[test]
fn a_listing_says_what_each_entry_is_and_the_stamp_is_that_of_the_file() {
    let it = fixture();
    let root = DirectoryRoot::open(&it.root).unwrap();
    let mut directory = root.directory("a").unwrap();
    let mut entries: Vec<_> = directory.entries().unwrap();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    let kinds: Vec<_> =
        entries.into_iter().map(|it| (it.name.into_string().unwrap(), it.kind.unwrap())).collect();
    let expected = [("b".to_owned(), EntryType::Directory), ("in".to_owned(), EntryType::Symlink)];
    assert_eq!(kinds, expected);
    assert_eq!(directory.read_link("in").unwrap(), "b");
    let metadata = fs::metadata(it.root.join("a/b/file")).unwrap();
    let stamp = root.directory("a/b").unwrap().stamp("file").unwrap();
    assert_eq!(stamp, crate::stamp::stamp_of(&metadata));
}
