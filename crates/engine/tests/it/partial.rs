//! A snapshot whose contents are elsewhere answers as the whole one, once it has got what it missed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use foreword_engine::index::{
    Bounds, Change, ExportedFile, FileId, IndexConfig, LexicalQuery, NameSites, Partial, Snapshot,
};
use foreword_engine::map::{MapRequest, map};
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::retrieve::Question;
use foreword_engine::search::{SearchAnswer, SearchRequest, search};
use foreword_engine::source::Source;

/// What a cluster would have.
pub(crate) struct Home {
    pub(crate) whole: Snapshot,
    files: Vec<ExportedFile>,
}

impl Home {
    pub(crate) fn new() -> Self {
        let file = |path: String, text: String| Source { path, text };
        let mut sources: Vec<Source> = (0..300)
            .map(|n| {
                let text = format!(
                    "\"\"\"Handles request {n}.\"\"\"\nfrom store import open_store\n\n\ndef handle_{n}(request):\n    \
                     store = open_store(request.name)\n    return store.read_{}(request, {n})\n",
                    n % 7
                );
                file(format!("handlers/h{n}.py"), text)
            })
            .collect();
        let store = "class Store:\n    def read_3(self, request):\n        return request\n\n\ndef open_store(name):\n    return Store()\n";
        sources.push(file("store.py".to_owned(), store.to_owned()));
        sources.push(file("LICENSE".to_owned(), "MIT License\n".to_owned()));
        Self::of(sources, IndexConfig::default())
    }

    pub(crate) fn of(sources: Vec<Source>, config: IndexConfig) -> Self {
        let whole = Snapshot::of_sources(sources, config).unwrap();
        let bm25 = preset::search().bm25;
        let files = whole.files().map(|it| whole.export(it, &bm25).unwrap()).collect();
        Self { whole, files }
    }

    /// Files with a value of a key, without those that have none.
    fn files_of(&self, of: impl Fn(&ExportedFile) -> f32) -> Vec<(FileId, f32)> {
        let all = self.whole.files().zip(&self.files).map(|(file, it)| (file, of(it)));
        all.filter(|it| it.1 > 0.0).collect()
    }

    fn bounds(&self, query: &LexicalQuery, depth: usize) -> Bounds {
        let bound = |it: &ExportedFile| {
            let terms: BTreeMap<&str, f32> = it.terms.iter().map(|it| (&*it.0, it.1)).collect();
            query.weights().map(|(term, weight)| weight * terms.get(term).unwrap_or(&0.0)).sum()
        };
        let mut files = self.files_of(bound);
        files.iter_mut().for_each(|it| it.1 *= 1.001);
        files.sort_by(|a, b| b.1.total_cmp(&a.1));
        let rest = files.get(depth).map_or(0.0, |it| it.1);
        files.truncate(depth);
        Bounds { files, rest }
    }

    fn sites(&self, name: &str) -> NameSites {
        let count = |all: &[(String, u32)]| {
            all.iter().find(|it| it.0 == name).map_or(0.0, |it| it.1 as f32)
        };
        let defined = self.files_of(|it| count(&it.definitions));
        let uses = self.files_of(|it| count(&it.uses));
        NameSites {
            definitions: defined.iter().map(|it| it.1 as u32).sum(),
            defined_in: defined.into_iter().map(|it| it.0).collect(),
            uses: uses.into_iter().map(|it| (it.0, it.1 as u32)).collect(),
        }
    }

    /// The result of some work over a partial snapshot, and how many files it has read.
    pub(crate) fn answer<T>(&self, work: impl Fn(&Snapshot) -> T) -> (T, usize) {
        let partial = Arc::new(Partial::new(1000));
        let all: Vec<FileId> = self.whole.files().collect();
        let tables = all.chunks(100).map(|it| self.whole.export_table(it)).collect();
        let config = self.whole.config();
        let mut snapshot = Snapshot::of_tables(tables, config, Arc::clone(&partial)).unwrap();
        assert_eq!(snapshot.id(), self.whole.id());
        let mut read = 0;
        for _ in 0..30 {
            let res = work(&snapshot);
            let needs = partial.take_needs();
            if needs.is_empty() {
                assert!(!snapshot.is_damaged() && !partial.is_cut());
                return (res, read);
            }
            for it in &needs.terms {
                partial.add_frequency(it, self.whole.document_frequency(it));
            }
            needs.names.iter().for_each(|it| partial.add_name(it, self.sites(it)));
            for it in needs.queries {
                let depth = (partial.depth(&it) * 4).max(40);
                let bounds = self.bounds(&it, depth);
                partial.add_bounds(it, bounds);
            }
            if needs.dictionary {
                let it = self.whole.export_dictionary();
                let keys = |it: &(String, u32)| it.0.clone();
                let terms: Vec<String> = it.terms.iter().map(keys).collect();
                let names = it.names.iter().map(|it| it.0.as_str());
                partial.add_keys(terms.iter().map(String::as_str), names);
            }
            needs.words.iter().for_each(|it| partial.add_word(it, self.files_with(it)));
            read += needs.files.len();
            let segment = |it: FileId| (it, self.files[it.0 as usize].segment.clone());
            let files = needs.files.into_iter().map(segment).collect();
            snapshot = snapshot.with_exported(files).unwrap();
        }
        panic!("not answered in 30 rounds");
    }

    /// The files that have a term.
    fn files_with(&self, term: &str) -> Vec<FileId> {
        let has =
            |it: &ExportedFile| it.terms.iter().find(|it| it.0 == term).map_or(0.0, |it| it.1);
        self.files_of(has).into_iter().map(|it| it.0).collect()
    }
}

fn answer(snapshot: &Snapshot, question: &str) -> SearchAnswer {
    let question = Question { text: question, ..Question::default() };
    let request = SearchRequest { question, limit: 10, tokens: None };
    let count = |text: &str| text.len() / 4;
    search(snapshot, &request, &preset::search(), &count, &mut Control::default())
}

#[test]
fn a_partial_snapshot_answers_as_the_whole() {
    let home = Home::new();
    let questions = [
        "open_store",
        "handle_7",
        "opne_store",
        "read_3",
        "where is a request handled",
        "where is the store opened",
        "store",
        "handler of 17",
        "zebra_crossing",
    ];
    let mut least = usize::MAX;
    for question in questions {
        let (found, read) = home.answer(|it| answer(it, question));
        assert_eq!(found, answer(&home.whole, question), "{question}");
        least = least.min(read);
    }
    assert!(least < 100, "all files were read for every question: {least}");
}

#[test]
fn contents_of_another_file_are_refused() {
    let home = Home::new();
    let table = home.whole.export_table(&home.whole.files().collect::<Vec<_>>());
    let partial = Arc::new(Partial::new(10));
    let snapshot = Snapshot::of_tables(vec![table], IndexConfig::default(), partial).unwrap();
    let wrong = home.files[1].segment.clone();
    let error = snapshot.with_exported(vec![(FileId(2), wrong)]).err().unwrap();
    assert!(error.to_string().contains("push it again"), "{error}");
    let mut damaged = home.files[2].segment.clone();
    damaged.truncate(damaged.len() / 2);
    assert!(snapshot.with_exported(vec![(FileId(2), damaged)]).is_err());
    assert!(snapshot.with_exported(vec![(FileId(2), home.files[2].segment.clone())]).is_ok());
}

/// A changed text, a new one and a removed file.
fn changes() -> Vec<Change> {
    let write = |path: &str, text: &str| {
        Change::Write(Source { path: path.to_owned(), text: text.to_owned() })
    };
    vec![
        write(
            "store.py",
            "class Store:\n    def read_4(self, request):\n        return request.zebra\n\n\ndef open_store(name):\n    return Store()\n",
        ),
        write(
            "handlers/h1_zebra.py",
            "from store import open_store\n\n\ndef zebra_crossing(request):\n    return open_store(request.name).read_4(request)\n",
        ),
        write("handlers/h7.py", "def handle_7(request):\n    \"\"\"Handles nothing.\"\"\"\n"),
        Change::Remove("handlers/h9.py".to_owned()),
    ]
}

#[test]
fn texts_in_memory_over_a_partial_snapshot_count_as_over_the_whole() {
    let home = Home::new();
    let whole = home.whole.with_changes(changes()).unwrap();
    let questions = [
        "open_store",
        "handle_7",
        "handle_9",
        "zebra_crossing",
        "read_3",
        "read_4",
        "zebra",
        "opne_store",
        "where is a request handled",
        "the store",
        "handler of 17",
        "h9",
    ];
    let mut least = usize::MAX;
    for question in questions {
        let (found, read) =
            home.answer(|it| answer(&it.with_changes(changes()).unwrap(), question));
        assert_eq!(found, answer(&whole, question), "{question}");
        least = least.min(read);
    }
    assert!(least < 100, "all files were read for every question: {least}");
    // Once more changed, and back.
    let again = |it: &Snapshot| {
        let changed = it.with_changes(changes()).unwrap();
        let path = "handlers/h8.py".to_owned();
        let text = "def zebra():\n    pass\n".to_owned();
        let once = changed.with_changes(vec![Change::Write(Source { path, text })]).unwrap();
        once.with_changes(vec![Change::Remove("handlers/h1_zebra.py".to_owned())]).unwrap()
    };
    for question in ["zebra", "handle_8", "where is a request handled"] {
        let (found, _) = home.answer(|it| answer(&again(it), question));
        assert_eq!(found, answer(&again(&home.whole), question), "{question}");
    }
}

#[test]
fn names_and_words_count_texts_in_memory() {
    let home = Home::new();
    let whole = home.whole.with_changes(changes()).unwrap();
    let facts = |it: &Snapshot| {
        let it = it.with_changes(changes()).unwrap();
        let names = ["open_store", "zebra_crossing", "handle_9", "read_3", "read_4"];
        let paths = |all: Vec<(FileId, u32)>| -> Vec<(String, u32)> {
            all.into_iter().map(|(file, n)| (it.path(file).to_owned(), n)).collect()
        };
        let of_name = |name: &str| {
            let few = it.definitions_up_to(name, 1).is_some();
            (it.definitions(name).len(), few, paths(it.references(name)))
        };
        let words = ["zebra", "request"];
        let terms = words.map(|word| (it.document_frequency(word), it.files_with(&[word.into()])));
        (names.map(of_name), terms)
    };
    let (found, _) = home.answer(facts);
    let expected = facts(&home.whole);
    assert_eq!(found, expected);
    assert_eq!(whole.definitions("zebra_crossing").len(), 1);
}

#[test]
fn a_word_is_looked_for_until_the_search_breaks() {
    let home = Home::new();
    let occurrences = |it: &Snapshot, most: usize| {
        let mut found = 0;
        let _ = it.each_occurrence("request", &mut |_, _| {
            found += 1;
            if found < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found
    };
    let (found, read) = home.answer(|it| occurrences(it, 5));
    assert!(found == 5 && read < 100, "{found} in {read} files");
    let (found, read) = home.answer(|it| occurrences(it, usize::MAX));
    assert_eq!((found, read), (occurrences(&home.whole, usize::MAX), 301));
}

#[test]
fn files_with_a_word_are_asked_for_once() {
    let home = Home::new();
    let table = home.whole.export_table(&home.whole.files().collect::<Vec<_>>());
    let partial = Arc::new(Partial::new(10));
    let snapshot =
        Snapshot::of_tables(vec![table], IndexConfig::default(), Arc::clone(&partial)).unwrap();
    let words = ["read_3".to_owned()];
    assert!(snapshot.files_with(&words).iter().all(|it| !it));
    assert_eq!(partial.take_needs().words.into_iter().collect::<Vec<_>>(), words);
    partial.add_word(&words[0], home.files_with(&words[0]));
    assert_eq!(snapshot.files_with(&words), home.whole.files_with(&words));
    assert!(partial.take_needs().is_empty());
}

#[test]
fn what_asks_about_every_name_reads_all_files_once() {
    let home = Home::new();
    let of = |it: &Snapshot| {
        let request = MapRequest { tokens: 2000, ..MapRequest::default() };
        map(it, &request, &|text| text.len() / 4)
    };
    let (found, read) = home.answer(|it| it.whole().map(|it| of(&it)));
    assert_eq!((found, read), (Some(of(&home.whole)), 302));
    let changed = |it: &Snapshot| it.with_changes(changes()).unwrap();
    let (found, _) = home.answer(|it| changed(it).whole().map(|it| (of(&it), it.id().to_owned())));
    let expected = changed(&home.whole);
    assert_eq!(found, Some((of(&expected), expected.id().to_owned())));
}
