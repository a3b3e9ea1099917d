//! Stores of two versions side by side in the directory of a workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::reader::Store;
use crate::index::analyze::AnalyzedFile;
use crate::index::config::IndexConfig;
use crate::index::ids::FileLocation;
use crate::index::manifest::{IndexedFile, Manifest};
use crate::index::segment::{PackedFile, SegmentBuilder};
use crate::source::Stamp;

/// A configuration of another version; both stores reject each other's segments and manifests.
fn other_config() -> IndexConfig {
    IndexConfig { chunk: foreword_chunk::Config { max_size: 500, ..Default::default() } }
}

/// Commits `rounds` times a view with one more file, each in its own segment.
fn write(store: &Store, rounds: usize) -> Manifest {
    let writer = store.try_write().unwrap().unwrap();
    let mut manifest = Manifest::new("/root".into(), store.config().fingerprint());
    let mut segments = Vec::new();
    for round in 0..rounds {
        let (path, text) = (format!("{round:02}.py"), format!("def f{round}():\n    pass\n"));
        let file = AnalyzedFile::new(path.clone(), text, &store.config().chunk);
        let mut builder = SegmentBuilder::new(&store.config());
        let hash = file.hash;
        builder.add(&PackedFile::new(file));
        segments.push(writer.write_segment(&builder.finish()).unwrap());
        let location = FileLocation { segment: segments.len() as u32 - 1, ord: 0 };
        let stamp = Stamp::default();
        manifest.files.push(IndexedFile {
            path,
            stamp,
            recorded_at_ns: 0,
            hash,
            location,
            masked: 0,
        });
        manifest.segments = segments.iter().map(|it| it.id()).collect();
        writer.compact(&mut manifest, &mut segments).unwrap();
        writer.commit("view", &manifest).unwrap();
    }
    manifest
}

/// Every file below `dir` with its bytes.
fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut res = BTreeMap::new();
    #[expect(clippy::disallowed_methods, reason = "a test reads what it wrote")]
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => res.extend(contents(&path)),
            false => drop(res.insert(path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    res
}

#[test]
fn two_versions_write_compact_and_collect_without_touching_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let ours = Store::new(dir.path().to_owned(), IndexConfig::default());
    let other = Store::of_version(dir.path().to_owned(), "v4.9.9", other_config());
    let others_manifest = write(&other, 3);
    let others_files = contents(other.dir());

    let manifest = write(&ours, 20);
    assert!(manifest.segments.len() < 20, "ours was compacted");
    assert_eq!(contents(other.dir()), others_files);
    assert_eq!(other.manifest("view"), Some(others_manifest.clone()));
    assert_eq!(other.snapshot(&others_manifest).unwrap().totals().files, 3);

    let our_files = contents(ours.dir());
    write(&other, 20);
    assert_eq!(contents(ours.dir()), our_files);
    assert_eq!(ours.manifest("view"), Some(manifest.clone()));
    assert_eq!(ours.snapshot(&manifest).unwrap().totals().files, 20);
}

#[test]
fn a_store_from_before_the_versioned_directories_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let old = Store::of_version(dir.path().to_owned(), "", other_config());
    write(&old, 2);
    let old_files = contents(dir.path());
    let ours = Store::new(dir.path().to_owned(), IndexConfig::default());
    write(&ours, 20);
    let mut files = contents(dir.path());
    files.retain(|path, _| !path.starts_with(ours.dir()));
    assert_eq!(files, old_files);
}

#[test]
fn stores_of_other_versions_are_listed_with_their_sizes() {
    let dir = tempfile::tempdir().unwrap();
    let ours = Store::new(dir.path().to_owned(), IndexConfig::default());
    write(&ours, 1);
    assert!(ours.other_versions().is_empty());
    for version in ["v4.9.9", ""] {
        write(&Store::of_version(dir.path().to_owned(), version, other_config()), 1);
    }
    let others = ours.other_versions();
    let paths: Vec<&Path> = others.iter().map(|it| it.path.as_path()).collect();
    assert_eq!(paths, [dir.path(), &dir.path().join("v4.9.9")]);
    assert!(others.iter().all(|it| it.bytes > 0));
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "a test looks at what it wrote")]
fn nothing_is_removed_while_it_is_not_known_what_a_view_needs() {
    let dir = tempfile::tempdir().unwrap();
    let ours = Store::new(dir.path().to_owned(), IndexConfig::default());
    write(&ours, 1);
    let unneeded = ours.dir().join("segments/0123456789abcdef.segment");
    std::fs::File::create_new(&unneeded).unwrap();
    // Like a manifest that cannot be opened because too many files are open.
    let unread = ours.manifest_path("other");
    std::os::unix::fs::symlink("nowhere", &unread).unwrap();
    write(&ours, 2);
    assert!(unneeded.is_file());
    std::fs::remove_file(unread).unwrap();
    write(&ours, 3);
    assert!(!unneeded.exists());
}
