//! An index on disk is durable, and damaged data is never trusted.

use std::fs;
use std::path::Path;

use foreword_engine::index::{
    AnalyzedFile, FileLocation, IndexConfig, IndexedFile, Manifest, PackedFile, SegmentBuilder,
    Snapshot, Store,
};
use foreword_engine::source::Stamp;

use crate::source;

const VIEW: &str = "view";

fn store(dir: &Path) -> Store {
    Store::new(dir.to_owned(), IndexConfig::default())
}

/// Commits one more segment with these files to the view.
fn commit(store: &Store, files: &[(&str, &str)]) {
    let config = store.config();
    let mut builder = SegmentBuilder::new(&config);
    let mut manifest =
        store.manifest(VIEW).unwrap_or_else(|| Manifest::new("/r".into(), config.fingerprint()));
    let segment = manifest.segments.len() as u32;
    for (ord, (path, text)) in (0_u32..).zip(files) {
        let analysed = AnalyzedFile::new((*path).to_owned(), (*text).to_owned(), &config.chunk);
        let location = FileLocation { segment, ord };
        let hash = analysed.hash;
        manifest.files.retain(|it| it.path != *path);
        let path = (*path).to_owned();
        manifest.files.push(IndexedFile {
            path,
            stamp: Stamp::default(),
            recorded_at_ns: 0,
            hash,
            location,
            masked: 0,
        });
        builder.add(&PackedFile::new(analysed));
    }
    manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
    manifest.complete = true;
    let writer = store.try_write().unwrap().unwrap();
    let segment = writer.write_segment(&builder.finish()).unwrap();
    manifest.segments.push(segment.id());
    let mut segments = store.snapshot(&manifest).unwrap().segments();
    writer.compact(&mut manifest, &mut segments).unwrap();
    writer.commit(VIEW, &manifest).unwrap();
}

fn open(store: &Store) -> Option<Snapshot> {
    store.manifest(VIEW).and_then(|it| store.snapshot(&it).ok())
}

#[test]
fn what_was_committed_is_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    commit(&store, &[("a.py", "def alpha():\n    return 1\n"), ("b.py", "x = alpha()\n")]);
    let snapshot = open(&store).unwrap();
    assert_eq!(&*snapshot.text(snapshot.file("b.py").unwrap()), "x = alpha()\n");
    assert_eq!(snapshot.definitions("alpha").len(), 1);
    assert_eq!(snapshot.references("alpha").len(), 1);
    assert!(snapshot.is_complete());
}

#[test]
fn many_commits_are_merged_and_answer_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    let mut sources = Vec::new();
    for n in 0..30 {
        let path = format!("f{:02}.py", n % 12);
        let text = format!("def name{n}(user):\n    return alpha(user, {n})\n");
        commit(&store, &[(&path, &text)]);
        sources.retain(|it: &foreword_engine::source::Source| it.path != path);
        sources.push(source(&path, &text));
    }
    let merged = open(&store).unwrap();
    assert!(merged.segments().len() <= 9, "{} segments", merged.segments().len());
    let fresh = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    assert_eq!(merged.id(), fresh.id());
    assert_eq!(merged.totals(), fresh.totals());
    assert_eq!(merged.document_frequency("alpha"), 12);
    assert_eq!(merged.definitions("name29"), fresh.definitions("name29"));
    assert!(merged.definitions("name0").is_empty());
    let files = fs::read_dir(store.dir().join("segments")).unwrap().count();
    assert_eq!(files, merged.segments().len(), "segments that nobody needs are removed");
}

#[test]
fn a_second_writer_is_refused_until_the_first_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    let first = store.try_write().unwrap().unwrap();
    assert!(store.try_write().unwrap().is_none());
    drop(first);
    assert!(store.try_write().unwrap().is_some());
}

#[test]
fn every_damaged_byte_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    commit(&store, &[("a.py", "def alpha():\n    return 1\n"), ("b.py", "x = alpha()\n")]);
    let segment =
        fs::read_dir(store.dir().join("segments")).unwrap().next().unwrap().unwrap().path();
    let good = fs::read(&segment).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x40;
        fs::write(&segment, &bad).unwrap();
        let manifest = store.manifest(VIEW).unwrap();
        let opened = store.snapshot(&manifest);
        assert!(opened.is_err() || store.verify(&manifest).is_err(), "byte {at} of {}", good.len());
    }
}

#[test]
fn a_truncated_segment_is_an_error_also_for_a_running_reader() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    let long: String = (0..4000).map(|n| format!("value_{n} = compute_{n}(other_{n})\n")).collect();
    commit(&store, &[("a.py", &long)]);
    let snapshot = open(&store).unwrap();
    let segment =
        fs::read_dir(store.dir().join("segments")).unwrap().next().unwrap().unwrap().path();
    fs::File::options().write(true).open(&segment).unwrap().set_len(1000).unwrap();
    assert!(snapshot.text(snapshot.file("a.py").unwrap()).is_empty());
    assert!(snapshot.is_damaged());
    assert!(!snapshot.is_complete());
    assert!(open(&store).is_none());
}

#[test]
fn a_deleted_index_does_not_disturb_a_running_reader() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("index"));
    commit(&store, &[("a.py", "def alpha():\n    return 1\n")]);
    let snapshot = open(&store).unwrap();
    fs::remove_dir_all(dir.path().join("index")).unwrap();
    assert_eq!(snapshot.definitions("alpha").len(), 1);
    assert!(open(&store).is_none());
}

#[test]
fn a_damaged_manifest_counts_as_absent() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    commit(&store, &[("a.py", "x = 1\n")]);
    let path = store.dir().join("views").join("view.manifest");
    let good = fs::read(&path).unwrap();
    for bad in [&good[..good.len() / 2], &[][..], &[0; 64]] {
        fs::write(&path, bad).unwrap();
        assert!(store.manifest(VIEW).is_none());
    }
}
