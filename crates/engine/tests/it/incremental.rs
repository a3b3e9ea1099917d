//! A snapshot that was built in steps answers like one that was built at once.

use std::collections::BTreeMap;

use foreword_engine::index::bm25::{Bm25, WeightedTerm};
use foreword_engine::index::{Change, FileRole, IndexConfig, Snapshot};
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::retrieve::Question;
use foreword_engine::search::{SearchRequest, search};
use proptest::prelude::*;

use crate::{count, snapshot, source};

const BM25: Bm25 = Bm25 { k1: 1.2, b: 0.75, weights: [1.0, 2.0, 1.0, 1.0] };

/// Everything that an answer shows, scores by their bits.
fn answers(snapshot: &Snapshot) -> Vec<(String, u32, u32, u32)> {
    let words = ["alpha", "beta", "gamma", "delta", "run", "read", "file", "user", "a", "src"];
    let term = |it: &&str| WeightedTerm { term: (*it).to_owned(), weight: 1.0 };
    let terms: Vec<WeightedTerm> = words.iter().map(term).collect();
    let weighed = snapshot.weighted_query(&terms, &BM25);
    let scored = snapshot.lexical(&weighed, None, 20);
    let row = |it: foreword_engine::index::bm25::ScoredChunk| {
        let info = snapshot.chunk(it.chunk);
        let path = snapshot.path(it.chunk.file).to_owned();
        (path, info.start_line, info.end_line, it.score.to_bits())
    };
    scored.into_iter().map(row).collect()
}

fn names(snapshot: &Snapshot) -> Vec<(String, String, u32)> {
    let words = ["alpha", "beta", "gamma", "delta", "run", "read"];
    let defined = words
        .iter()
        .flat_map(|name| snapshot.definitions(name).into_iter().map(move |it| (*name, it)));
    defined
        .map(|(name, it)| (name.to_owned(), snapshot.path(it.file).to_owned(), it.definition))
        .collect()
}

fn text_of(words: &[usize]) -> String {
    let all = ["alpha", "beta", "gamma", "delta", "run", "read"];
    let function = |it: &usize| {
        let (name, other) = (all[it % 6], all[(it / 6) % 6]);
        format!(
            "def {name}(user):\n    '''Reads {other} of a file.'''\n    return {other}(user) + {it}\n\n"
        )
    };
    words.iter().map(function).collect()
}

#[derive(Clone, Debug)]
enum Step {
    Write(usize, Vec<usize>),
    Remove(usize),
    Rename(usize, usize),
    Batch(Vec<(usize, Vec<usize>)>),
}

fn step() -> impl Strategy<Value = Step> {
    let words = || prop::collection::vec(0_usize..36, 0..6);
    prop_oneof![
        (0_usize..8, words()).prop_map(|(file, it)| Step::Write(file, it)),
        (0_usize..8).prop_map(Step::Remove),
        (0_usize..8, 0_usize..8).prop_map(|(from, to)| Step::Rename(from, to)),
        prop::collection::vec((0_usize..8, words()), 0..4).prop_map(Step::Batch),
    ]
}

fn path_of(file: usize) -> String {
    ["src/a.py", "src/b.py", "src/pkg/c.py", "d.py", "e.txt", "src/test_a.py", "x/y/z.py", "h.md"]
        [file]
        .to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn steps_give_what_a_fresh_build_gives(steps in prop::collection::vec(step(), 1..12)) {
        let mut model: BTreeMap<String, String> = BTreeMap::new();
        let mut stepwise = Snapshot::empty(IndexConfig::default());
        // Each built at once, with what the one before knew.
        let mut knowing = Snapshot::empty(IndexConfig::default());
        for step in steps {
            let mut changes = Vec::new();
            match step {
                Step::Write(file, words) => changes.push((path_of(file), Some(text_of(&words)))),
                Step::Remove(file) => changes.push((path_of(file), None)),
                Step::Rename(from, to) => {
                    let Some(text) = model.get(&path_of(from)).cloned() else { continue };
                    changes.push((path_of(from), None));
                    changes.push((path_of(to), Some(text)));
                }
                Step::Batch(files) => {
                    changes.extend(files.into_iter().map(|(file, it)| (path_of(file), Some(text_of(&it)))));
                }
            }
            for (path, text) in &changes {
                match text {
                    Some(text) => drop(model.insert(path.clone(), text.clone())),
                    None => drop(model.remove(path)),
                }
            }
            let change = |(path, text): (String, Option<String>)| match text {
                Some(text) => Change::Write(source(&path, &text)),
                None => Change::Remove(path),
            };
            stepwise = stepwise.with_changes(changes.into_iter().map(change).collect()).unwrap();
            knowing = of(&model).with_known_of(&knowing);
            answers(&knowing);
        }
        let fresh = of(&model);
        for it in [stepwise, knowing] {
            prop_assert_eq!(it.id(), fresh.id());
            prop_assert_eq!(it.totals(), fresh.totals());
            prop_assert_eq!(answers(&it), answers(&fresh));
            prop_assert_eq!(names(&it), names(&fresh));
            for file in fresh.files() {
                prop_assert_eq!(it.text(file), fresh.text(file));
                prop_assert_eq!(&*it.record(file), &*fresh.record(file));
                prop_assert_eq!(it.references_in(file), fresh.references_in(file));
            }
        }
    }
}

fn of(model: &BTreeMap<String, String>) -> Snapshot {
    let sources = model.iter().map(|(path, text)| source(path, text)).collect();
    Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
}

#[test]
fn what_an_earlier_snapshot_knew_of_roles_and_stems_gives_way_to_changes() {
    let text = |marks: &str, more: &str| {
        format!("//- .gitattributes\n{marks}\n//- made/a.py\ndef alpha():\n    return 1\n{more}")
    };
    let marked = snapshot(&text("made/* linguist-generated", ""));
    let role = |it: &Snapshot| it.role(it.file("made/a.py").unwrap());
    assert_eq!(role(&marked), FileRole::ThirdParty);
    let same = snapshot(&text("made/* linguist-generated", "")).with_known_of(&marked);
    assert_eq!(role(&same), FileRole::ThirdParty);
    let unmarked = snapshot(&text("docs/* linguist-generated", "")).with_known_of(&marked);
    assert_eq!(role(&unmarked), FileRole::Code);
    assert_eq!(marked.files_of_stem("beta"), []);
    let more = snapshot(&text("", "//- made/beta.py\nx = 1\n")).with_known_of(&marked);
    assert_eq!(more.files_of_stem("beta").len(), 1);
}

#[test]
fn a_removed_file_is_no_longer_found() {
    let before = snapshot(
        "//- a.py\ndef alpha():\n    return 1\n//- b.py\ndef beta():\n    return alpha()\n",
    );
    let after = before.with_changes(vec![Change::Remove("a.py".to_owned())]).unwrap();
    assert!(after.definitions("alpha").is_empty());
    assert!(after.file("a.py").is_none());
    let request = SearchRequest { question: Question::new("alpha"), limit: 5, tokens: None };
    let found = search(&after, &request, &preset::search(), &count, &mut Control::default());
    let paths: Vec<&str> = found.results.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["b.py"]);
    assert!(!before.definitions("alpha").is_empty(), "the old snapshot stays as it was");
}

#[test]
fn equal_scores_come_by_path_and_line() {
    let text = "def alpha():\n    return 1\n";
    let sources = ["b.py", "a.py", "c.py"].map(|path| source(path, text)).to_vec();
    let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    let paths: Vec<String> = answers(&snapshot).into_iter().map(|it| it.0).collect();
    assert_eq!(paths, ["a.py", "b.py", "c.py"]);
}

#[test]
fn skipping_chunks_that_cannot_win_changes_no_answer() {
    let name = |n: usize| format!("word{}", n % 97);
    let text = |file: usize| -> String {
        (0..40)
            .map(|n| {
                format!(
                    "def {}(user, common):\n    return {} + shared(user)\n\n",
                    name(file * 7 + n * n),
                    name(n + file)
                )
            })
            .collect()
    };
    let sources = (0..120).map(|n| source(&format!("src/f{n}.py"), &text(n))).collect();
    let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    let words = [
        "user", "common", "shared", "return", "def", "word3", "word5", "word11", "word96", "src",
        "f7",
    ];
    let terms: Vec<WeightedTerm> =
        words.iter().map(|it| WeightedTerm { term: (*it).to_owned(), weight: 1.0 }).collect();
    let weighed = snapshot.weighted_query(&terms, &BM25);
    let all = snapshot.lexical(&weighed, None, 100_000);
    for limit in [1, 5, 50] {
        assert_eq!(snapshot.lexical(&weighed, None, limit), all[..limit]);
    }
    let some = |it: foreword_engine::index::FileId| it.0.is_multiple_of(5);
    let filtered: Vec<_> = all.iter().copied().filter(|it| some(it.chunk.file)).take(20).collect();
    assert_eq!(snapshot.lexical(&weighed, Some(&some), 20), filtered);
    let files: Vec<_> = snapshot.files().filter(|it| some(*it)).collect();
    assert_eq!(snapshot.lexical_in(&weighed, &files, 20), filtered);
}
