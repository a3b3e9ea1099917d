//! Vectors survive changes of files, or are made again.
#![expect(clippy::disallowed_methods, reason = "tests damage files")]

use super::*;
use crate::dense::QuestionVector;
use crate::index::ids::FileLocation;
use crate::index::manifest::{IndexedFile, Manifest};
use crate::index::{AnalyzedFile, FileId, IndexConfig, PackedFile, SegmentBuilder, Snapshot};
use crate::source::{Source, Stamp};

const DIMENSIONS: usize = 70;

/// A vector determined by the text.
fn vector(text: &str) -> Vec<f32> {
    let mut state = TextKey::of(text).0 as u64 | 1;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..DIMENSIONS).map(|_| next()).collect()
}

fn probe() -> QuestionVector {
    QuestionVector::new(&vector(PROBE)).unwrap()
}

fn store(dir: &Path) -> VectorStore {
    VectorStore::in_directory(dir, "a model/7B")
}

fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    let source = |it: &(&str, &str)| Source { path: it.0.into(), text: it.1.into() };
    Snapshot::of_sources(files.iter().map(source).collect(), IndexConfig::default()).unwrap()
}

/// Opens the writer; retries while a process started by another test still holds the lock.
fn writer_of(store: &VectorStore, probe: &QuestionVector) -> VectorWriter {
    let attempt = || {
        let writer = store.try_write(probe).unwrap();
        writer.or_else(|| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            None
        })
    };
    (0..500).find_map(|_| attempt()).unwrap()
}

/// Embeds missing texts and returns their number.
fn fill(store: &VectorStore, snapshot: &Snapshot) -> usize {
    let mut writer = writer_of(store, &probe());
    let mut n = 0;
    for file in store.load().missing(snapshot) {
        n += embed(&mut writer, snapshot, file);
    }
    writer.finish(snapshot).unwrap();
    n
}

fn embed(writer: &mut VectorWriter, snapshot: &Snapshot, file: FileId) -> usize {
    let texts = chunk_texts(snapshot, file);
    let keys: Vec<TextKey> = texts.iter().map(|it| TextKey::of(it)).collect();
    let new = texts.iter().zip(&keys).filter(|it| !writer.has(*it.1));
    let new: Vec<(TextKey, Vec<f32>)> = new.map(|(text, key)| (*key, vector(text))).collect();
    writer.append(&new).unwrap();
    writer.append_file(snapshot, file, &keys).unwrap();
    new.len()
}

/// Path of the chunk nearest to a text, and its similarity.
fn nearest(store: &VectorStore, snapshot: &Snapshot, text: &str) -> Option<(String, f32)> {
    let question = QuestionVector::new(&vector(text)).unwrap();
    let found = snapshot.nearest(&question, &store.load(), None, 1);
    found.first().map(|it| (snapshot.path(it.chunk.file).to_owned(), it.score))
}

const A: (&str, &str) = ("a.py", "def parse(it):\n    return it\n");
const B: (&str, &str) = ("b.py", "def draw(it):\n    return it\n");

#[test]
fn a_chunk_is_found_by_its_vector_and_texts_are_embedded_once() {
    let dir = tempfile::tempdir().unwrap();
    let (store, snapshot) = (store(dir.path()), snapshot(&[A, B]));
    assert_eq!(nearest(&store, &snapshot, "anything"), None);
    assert_eq!(fill(&store, &snapshot), 2);
    let text = "b.py\ndraw\ndef draw(it):\n    return it";
    assert_eq!(chunk_texts(&snapshot, snapshot.file("b.py").unwrap()), [text]);
    let (path, score) = nearest(&store, &snapshot, text).unwrap();
    assert!(path == "b.py" && score > 0.99, "{path} {score}");
    assert_eq!(fill(&store, &snapshot), 0);
    let coverage = store.load().coverage(&snapshot);
    assert_eq!((coverage, coverage.share()), (Coverage { chunks: 2, known: 2 }, 1.0));
}

#[test]
fn an_edit_leaves_what_it_did_not_touch() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    fill(&store, &snapshot(&[A, B]));
    let after = snapshot(&[A, ("b.py", "def paint(it):\n    return it\n")]);
    assert_eq!(store.load().coverage(&after), Coverage { chunks: 2, known: 1 });
    assert_eq!(nearest(&store, &after, "x").unwrap().0, "a.py");
    assert_eq!(fill(&store, &after), 1);
    // The previous state keeps its vectors, like a branch that is checked out again.
    assert!(store.load().coverage(&snapshot(&[A, B])).is_whole());
}

#[test]
fn what_was_cut_off_at_any_byte_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let (store, snapshot) = (store(dir.path()), snapshot(&[A, B]));
    fill(&store, &snapshot);
    let whole = std::fs::read(store.path()).unwrap();
    for len in 0..whole.len() {
        std::fs::write(store.path(), &whole[..len]).unwrap();
        let known = store.load().coverage(&snapshot).known;
        assert!(known < 2, "{len}");
        fill(&store, &snapshot);
        assert!(store.load().coverage(&snapshot).is_whole(), "{len}");
    }
    for at in (0..whole.len()).step_by(7) {
        let mut bad = whole.clone();
        bad[at] ^= 4;
        std::fs::write(store.path(), bad).unwrap();
        fill(&store, &snapshot);
        assert!(store.load().coverage(&snapshot).is_whole(), "{at}");
        assert!(
            nearest(&store, &snapshot, &chunk_texts(&snapshot, FileId(0))[0]).unwrap().1 > 0.99
        );
    }
}

#[test]
fn another_model_behind_the_same_name_starts_anew() {
    let dir = tempfile::tempdir().unwrap();
    let (store, snapshot) = (store(dir.path()), snapshot(&[A, B]));
    fill(&store, &snapshot);
    let other = QuestionVector::new(&vector("another model")).unwrap();
    let longer = QuestionVector::new(&[1.0; 2 * DIMENSIONS]).unwrap();
    assert!(store.load().is_by(&probe()));
    assert!(!store.load().is_by(&other) && !store.load().is_by(&longer));
    drop(writer_of(&store, &other));
    assert!(store.load().is_by(&other) && store.load().is_empty());
}

#[test]
fn one_process_writes() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    let writer = store.try_write(&probe()).unwrap();
    assert!(writer.is_some() && store.try_write(&probe()).unwrap().is_none());
    drop(writer);
    assert!(store.try_write(&probe()).unwrap().is_some());
}

#[test]
fn a_text_without_a_vector_is_not_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let (store, snapshot) = (store(dir.path()), snapshot(&[A]));
    let mut writer = writer_of(&store, &probe());
    let key = TextKey::of("a.py");
    writer.append(&[(key, vec![f32::NAN; DIMENSIONS]), (key, vec![1.0; 3])]).unwrap();
    writer.append_file(&snapshot, FileId(0), &[key]).unwrap();
    drop(writer);
    assert!(store.load().coverage(&snapshot).is_whole() && store.load().is_empty());
    assert_eq!(nearest(&store, &snapshot, "x"), None);
}

#[test]
fn vectors_of_no_use_are_thrown_away_and_the_rest_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (store, snapshot) = (store(dir.path()), snapshot(&[A, B]));
    let mut writer = writer_of(&store, &probe());
    for group in 0..50 {
        let of = |it| {
            let text = format!("old {group} {it}");
            (TextKey::of(&text), vector(&text))
        };
        writer.append(&(0..100).map(of).collect::<Vec<_>>()).unwrap();
    }
    drop(writer);
    assert_eq!(store.load().len(), 5000);
    fill(&store, &snapshot);
    assert_eq!(store.load().len(), 2);
    let text = &chunk_texts(&snapshot, FileId(1))[0];
    assert_eq!(nearest(&store, &snapshot, text).unwrap().0, "b.py");
    assert_eq!(fill(&store, &snapshot), 0);
}

/// Indexes a file as the view of a work tree.
fn commit(index: &Store, view: &str, (path, text): (&str, &str)) {
    let writer = index.try_write().unwrap().unwrap();
    let file = AnalyzedFile::new(path.to_owned(), text.to_owned(), &index.config().chunk);
    let mut manifest = Manifest::new("/root".into(), index.config().fingerprint());
    manifest.files.push(IndexedFile {
        path: path.to_owned(),
        stamp: Stamp::default(),
        recorded_at_ns: 0,
        hash: file.hash,
        location: FileLocation { segment: 0, ord: 0 },
        masked: 0,
    });
    let mut builder = SegmentBuilder::new(&index.config());
    builder.add(&PackedFile::new(file));
    manifest.segments = vec![writer.write_segment(&builder.finish()).unwrap().id()];
    writer.commit(view, &manifest).unwrap();
}

#[test]
fn other_work_trees_keep_their_vectors_when_those_of_no_use_are_thrown_away() {
    let dir = tempfile::tempdir().unwrap();
    let index = Store::new(dir.path().to_owned(), IndexConfig::default());
    let store = VectorStore::new(&index, "a model/7B");
    let (a, b, gone) = (snapshot(&[A]), snapshot(&[B]), snapshot(&[("gone.py", "g = 1\n")]));
    commit(&index, "a", A);
    commit(&index, "b", B);
    assert_eq!((fill(&store, &a), fill(&store, &gone)), (1, 1));
    let mut writer = writer_of(&store, &probe());
    let old = |it: usize| {
        let text = format!("old {it}");
        (TextKey::of(&text), vector(&text))
    };
    writer.append(&(0..5000).map(old).collect::<Vec<_>>()).unwrap();
    drop(writer);
    assert_eq!(fill(&store, &b), 1);
    assert_eq!(store.load().len(), 2);
    assert!([&a, &b].iter().all(|it| store.load().coverage(it).is_whole()));
    assert_eq!((fill(&store, &a), store.load().coverage(&gone).known), (0, 0));
}

#[test]
fn signs_choose_among_many_what_whole_vectors_would() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    let text = |it: usize| format!("f{it}.py\ndef f{it}(): return {it}");
    let snapshot = {
        let files =
            (0..20_000).map(|it| (format!("f{it}.py"), format!("def f{it}(): return {it}\n")));
        let sources = files.map(|(path, text)| Source { path, text }).collect();
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    };
    fill(&store, &snapshot);
    let vectors = store.load();
    let (mut found, mut wanted) = (0, 0);
    for it in 0..20 {
        // Random vectors of 70 numbers, half noise, are the worst case: models return more numbers, and real texts are
        // similar.
        let near = vector(&text(it)).into_iter().zip(vector("noise")).map(|(a, b)| a + b);
        let question = QuestionVector::new(&near.collect::<Vec<_>>()).unwrap();
        let mut all: Vec<(f32, u32)> = (0..vectors.len() as u32)
            .map(|row| (question.packed.likeness(vectors.view(row)), row))
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let answer = snapshot.nearest(&question, &vectors, None, 50);
        let least = all[49].0;
        found += answer.iter().filter(|it| it.score >= least).count();
        wanted += 50;
    }
    assert!(found * 100 >= wanted * 98, "{found} of {wanted}");
}
