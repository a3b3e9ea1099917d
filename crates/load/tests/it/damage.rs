//! Whatever happens to the files of an index, each command answers as if the index were new, and after a command that
//! may write, the index is whole again.
//!
//! A command here does the same as on the command line: it synchronises and answers, and if the answer meets damage it
//! synchronises once more and answers again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use foreword_engine::compose::Format;
use foreword_engine::grep::{GrepRequest, grep};
use foreword_engine::index::{IndexConfig, Manifest, Snapshot, Store, Writer};
use foreword_engine::map::{MapRequest, map};
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::prompt::{Target, prompt};
use foreword_engine::retrieve::Question;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::search::{SearchRequest, search};
use foreword_load::{Analyzer, Options, Report, Reuse, Workspace, sync};

use crate::{Tree, sync_options};

/// Number of damaged indexes in each of two tests.
const ROUNDS: u64 = 150;

/// Reproducible pseudo-random numbers (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// A module whose functions call those of the next one.
fn module(number: usize) -> String {
    let function = |n: usize| {
        format!(
            "def read_{number}_{n}(größe, item):\n    \"\"\"Reads part {n} of module {number}.\"\"\"\n    \
             total = read_{}_{n}(größe) + LIMIT\n    return total + item\n\n\n",
            (number + 1) % 12
        )
    };
    let functions: String = (0..8).map(function).collect();
    format!("from pkg.m{} import read_0_0\nLIMIT = {number}\n\n\n{functions}", (number + 1) % 12)
}

/// Words that compress badly, so that the index has many blocks.
fn prose(number: usize) -> String {
    let mut numbers = Numbers(number as u64);
    let mut text = String::new();
    for n in 0..700 {
        text.push_str(&format!("{:x}", numbers.next()));
        text.push(if n % 8 == 7 { '\n' } else { ' ' });
    }
    text
}

/// A repository and its undamaged index.
struct Fixture {
    _tree: Tree,
    workspace: Workspace,
    /// All files of the store.
    pristine: BTreeMap<PathBuf, Vec<u8>>,
    /// An earlier manifest.
    earlier: Vec<u8>,
    answers: Vec<String>,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let tree = Tree::new();
    for it in 0..12 {
        tree.write(&format!("pkg/m{it}.py"), module(it));
    }
    for it in 0..30 {
        tree.write(&format!("notes/n{it}.txt"), prose(it));
    }
    // A file that was just written is read again (`stamp`).
    std::thread::sleep(Duration::from_millis(2100));
    let options = Options { root_is_path: true, ..Options::default() };
    let workspace = Workspace::discover(&tree.root, &options).unwrap();
    let index = tempfile::tempdir().unwrap();
    let store = store(index.path());
    let (snapshot, _) = synced(&workspace, &store, Reuse::Stored);
    let manifest = fs::read(store.manifest_path(&workspace.view_key())).unwrap();
    // Make more segments.
    for n in 0..3 {
        tree.write(&format!("pkg/more{n}.py"), module(n + 20));
        tree.write(&format!("pkg/more{n}.txt"), prose(n + 90));
        synced(&workspace, &store, Reuse::Stored);
    }
    std::thread::sleep(Duration::from_millis(2100));
    drop(snapshot);
    synced(&workspace, &store, Reuse::Stored);
    let fresh = tempfile::tempdir().unwrap();
    let (snapshot, _) = synced(&workspace, &self::store(fresh.path()), Reuse::Stored);
    let answers = (0..QUERIES.len()).map(|it| answer(&snapshot, it)).collect();
    let pristine = files(index.path());
    Fixture { _tree: tree, workspace, pristine, earlier: manifest, answers }
});

fn store(index: &Path) -> Store {
    Store::new(index.to_owned(), IndexConfig::default())
}

/// Every file below a directory, by relative path.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut res = BTreeMap::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(next) = todo.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => todo.push(path),
                false => {
                    let bytes = fs::read(&path).unwrap();
                    res.insert(path.strip_prefix(dir).unwrap().to_owned(), bytes);
                }
            }
        }
    }
    res
}

fn synced(workspace: &Workspace, store: &Store, reuse: Reuse) -> (Snapshot, Report) {
    let analyzer = Analyzer::in_process();
    // One thread makes segments equal in every run.
    let options = sync_options(&analyzer, 1, reuse);
    let synced = sync(workspace, store, &options).unwrap();
    (synced.snapshot, synced.report)
}

/// The queries; each returns all its results as text.
const QUERIES: [fn(&Snapshot) -> String; 8] = [
    |snapshot| ranked(snapshot, "where is the total of a module read"),
    |snapshot| ranked(snapshot, "raed_3_2"),
    |snapshot| {
        let request = GrepRequest { pattern: "+ LIMIT", limit: 9999, ..GrepRequest::default() };
        format!("{:?}", grep(snapshot, &request))
    },
    |snapshot| {
        let sites = snapshot.definitions("read_5_1");
        format!("{sites:?} {:?}", snapshot.references("read_5_1"))
    },
    |snapshot| {
        let request = MapRequest { focus: &[], tokens: 800, keep: None };
        map(snapshot, &request, &count).text
    },
    at_cursor,
    |snapshot| {
        let one = |it| {
            let (text, record) = snapshot.contents(it);
            format!("{}{text}{record:?}{:?}", snapshot.path(it), snapshot.references_in(it))
        };
        snapshot.files().map(one).collect()
    },
    |snapshot| format!("{} {:?} {}", snapshot.id(), snapshot.totals(), snapshot.is_complete()),
];

fn count(text: &str) -> usize {
    text.len().div_ceil(4)
}

fn ranked(snapshot: &Snapshot, text: &str) -> String {
    let request = SearchRequest { question: Question::new(text), limit: 20, tokens: None };
    let mut control = Control::default();
    format!("{:?}", search(snapshot, &request, &preset::search(), &count, &mut control))
}

/// The prompt for a cursor in an unsaved text.
fn at_cursor(snapshot: &Snapshot) -> String {
    let text = module(3) + "def unsaved(item):\n    total = read_";
    let offset = text.len();
    let cursor = Cursor::new("pkg/m3.py".to_owned(), text, offset).unwrap();
    let view = View::new(snapshot, &cursor).unwrap();
    let format = Format::named("qwen2.5-coder").unwrap_or(&Format::ALL[0]);
    let target = Target { format, repository: "pkg", count: &count };
    let made = prompt(view, &cursor, &preset::context(), target, &mut Control::default());
    format!("{:?}", made.map(|it| (it.prompt.text, it.selection)))
}

fn answer(snapshot: &Snapshot, query: usize) -> String {
    QUERIES[query](snapshot)
}

/// The answer of a command, and the damage that it met.
fn command(workspace: &Workspace, index: &Path, query: usize) -> (String, bool, Vec<String>) {
    let store = store(index);
    let (snapshot, report) = synced(workspace, &store, Reuse::Stored);
    let answered = answer(&snapshot, query);
    if !snapshot.is_damaged() {
        return (answered, snapshot.is_complete(), report.damage);
    }
    store.distrust_damaged(&snapshot);
    let (snapshot, again) = synced(workspace, &store, Reuse::Stored);
    let damage = [report.damage, again.damage].concat();
    (answer(&snapshot, query), snapshot.is_complete(), damage)
}

impl Fixture {
    /// A copy of the index.
    fn index(&self) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, bytes) in &self.pristine {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        dir
    }

    #[track_caller]
    fn check(&self, index: &Path, query: usize, what: &str) -> Vec<String> {
        let (answered, complete, damage) = command(&self.workspace, index, query);
        assert!(answered == self.answers[query], "{what}: query {query} differs");
        assert!(complete, "{what}: query {query} is not complete");
        damage
    }

    fn manifest(&self, index: &Path) -> Manifest {
        store(index).manifest(&self.workspace.view_key()).unwrap()
    }
}

/// Damages one file of the index; returns a description.
fn damage(fixture: &Fixture, index: &Path, numbers: &mut Numbers) -> String {
    let paths: Vec<PathBuf> = fixture.pristine.keys().map(|it| index.join(it)).collect();
    let files: Vec<&PathBuf> =
        paths.iter().filter(|it| it.extension().is_some_and(|it| it != "lock")).collect();
    let path = files[numbers.below(files.len())];
    let name = path.strip_prefix(index).unwrap().display().to_string();
    // Earlier damage may have removed it.
    let mut bytes = fs::read(path).unwrap_or_default();
    let at = numbers.below(bytes.len());
    let what = match numbers.below(11) {
        it @ 0..=7 => damage_bytes(&mut bytes, at, it, numbers),
        8 => {
            bytes = fs::read(files[numbers.below(files.len())]).unwrap_or_default();
            "another file of the index in its place"
        }
        9 => {
            bytes.clone_from(&fixture.earlier);
            "an earlier manifest in its place"
        }
        _ => {
            let _ = fs::remove_file(path);
            return format!("{name}: removed");
        }
    };
    fs::write(path, bytes).unwrap();
    format!("{name}: {what} at {at}")
}

fn damage_bytes(
    bytes: &mut Vec<u8>,
    at: usize,
    kind: usize,
    numbers: &mut Numbers,
) -> &'static str {
    match kind {
        0..=3 => {
            bytes.iter_mut().skip(at).take(1).for_each(|it| *it ^= 1 << numbers.below(8));
            "a bit flipped"
        }
        4 => {
            bytes.truncate(at);
            "cut off"
        }
        5 => {
            bytes.iter_mut().skip(at).take(4096).for_each(|it| *it = 0);
            "a page zeroed"
        }
        6 => {
            bytes.extend((0..=numbers.below(9000)).map(|it| it as u8));
            "junk appended"
        }
        _ => {
            bytes.iter_mut().for_each(|it| *it = numbers.next() as u8);
            "garbage of the same length"
        }
    }
}

/// Damages copies of the index and passes them to `meet` with a random query. Returns how often that met damage.
fn rounds(seed: u64, meet: impl Fn(&Path, usize, &str) -> Vec<String>) -> usize {
    let fixture = &*FIXTURE;
    let (mut numbers, mut met) = (Numbers(seed), 0);
    for round in 0..ROUNDS {
        let index = fixture.index();
        let damages = 1 + numbers.below(3) / 2;
        let whats: Vec<String> =
            (0..damages).map(|_| damage(fixture, index.path(), &mut numbers)).collect();
        let what = format!("round {round}: {}", whats.join("; "));
        met += usize::from(!meet(index.path(), numbers.below(QUERIES.len()), &what).is_empty());
    }
    met
}

#[test]
fn a_query_on_a_damaged_index_answers_right_and_mends_what_it_met() {
    let fixture = &*FIXTURE;
    let met = rounds(7, |index, query, what| {
        let damage = fixture.check(index, query, what);
        let again = fixture.check(index, query, what);
        assert!(again.is_empty(), "{what}: was not mended by query {query}: {damage:?} {again:?}");
        (0..QUERIES.len()).for_each(|it| drop(fixture.check(index, it, what)));
        damage
    });
    assert!(met > ROUNDS as usize / 2, "only {met} of {ROUNDS} were met by the first query");
}

#[test]
fn index_finds_and_mends_every_damage() {
    let fixture = &*FIXTURE;
    let met = rounds(8, |index, _, what| {
        let store = store(index);
        let (snapshot, report) = synced(&fixture.workspace, &store, Reuse::Verified);
        assert!(snapshot.is_complete(), "{what}");
        store.verify(&fixture.manifest(index)).unwrap();
        for query in 0..QUERIES.len() {
            let damage = fixture.check(index, query, what);
            assert!(damage.is_empty(), "{what}: `index` left {damage:?} to query {query}");
        }
        report.damage
    });
    // Two of the seven files, the tag and the record of the last walk, are made again without a word.
    assert!(met > ROUNDS as usize / 2, "only {met} of {ROUNDS} were met");
}

/// Takes the lock of the index's writer, like another process.
fn lock(index: &Path) -> Writer {
    store(index).try_write().unwrap().unwrap()
}

#[test]
fn where_nothing_can_be_written_answers_come_from_memory() {
    let fixture = &*FIXTURE;
    let mut numbers = Numbers(99);
    for round in 0..24 {
        let index = fixture.index();
        let what = damage(fixture, index.path(), &mut numbers);
        let damaged = files(index.path());
        let writer = (round % 2 == 0).then(|| lock(index.path()));
        if writer.is_none() {
            // Nobody can lock a directory, not even root.
            let lock = fixture.pristine.keys().find(|it| it.ends_with("writer.lock")).unwrap();
            fs::remove_file(index.path().join(lock)).unwrap();
            fs::create_dir(index.path().join(lock)).unwrap();
        }
        for query in 0..QUERIES.len() {
            fixture.check(index.path(), query, &what);
        }
        let mut left = files(index.path());
        left.retain(|path, _| damaged.contains_key(path));
        assert!(damaged.iter().all(|it| left.get(it.0).is_none_or(|left| left == it.1)), "{what}");
        drop(writer);
    }
}

#[test]
fn a_pipe_in_the_index_is_not_waited_for() {
    let fixture = &*FIXTURE;
    for path in fixture.pristine.keys().filter(|it| it.extension().is_some_and(|it| it != "lock")) {
        let index = fixture.index();
        let path = index.path().join(path);
        fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if made.is_ok_and(|it| it.success()) {
            fixture.check(index.path(), 0, "a pipe");
            assert!(fixture.check(index.path(), 0, "a pipe").is_empty());
        }
    }
}
