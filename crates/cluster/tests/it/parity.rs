//! The cluster answers as the embedded index.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::retrieve::Question;
use foreword_engine::search::{SearchAnswer, SearchRequest, search};

use crate::{cluster, push, snapshot, sources};

/// Questions about a repository: names, misspelt names, words of names, and sentences of comments.
fn questions(snapshot: &Snapshot) -> Vec<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut sentences: BTreeSet<String> = BTreeSet::new();
    for file in snapshot.files() {
        let (text, record) = snapshot.contents(file);
        let definitions = &record.symbols.definitions;
        names.extend(definitions.iter().map(|it| it.name.of(&text).to_owned()));
        let docs = definitions.iter().filter_map(|it| it.doc);
        let first = |doc: &str| {
            doc.lines().next().unwrap_or_default().trim_matches(['/', '!', ' ']).to_owned()
        };
        sentences.extend(docs.map(|it| first(it.of(&text))).filter(|it| it.len() > 20));
    }
    let spread = |all: BTreeSet<String>, n: usize| -> Vec<String> {
        let step = (all.len() / n).max(1);
        all.into_iter().step_by(step).take(n).collect()
    };
    let names = spread(names, 80);
    let misspelt = names.iter().step_by(2).filter(|it| it.len() > 6).map(|it| {
        let mut letters: Vec<char> = it.chars().collect();
        let last = letters.len() - 2;
        letters.swap(last, last - 1);
        letters.into_iter().collect()
    });
    let words = names.iter().step_by(2).map(|it| it.replace('_', " "));
    let mut res: Vec<String> = misspelt.chain(words).collect();
    res.extend(spread(sentences, 60));
    res.extend(names);
    res
}

fn answer(snapshot: &Snapshot, question: &str) -> SearchAnswer {
    let question = Question { text: question, ..Question::default() };
    let request = SearchRequest { question, limit: 10, tokens: None };
    let count = |text: &str| text.len() / 4;
    search(snapshot, &request, &preset::search(), &count, &mut Control::default())
}

/// Pushes a crate and compares all answers, whole: places, scores, reasons, texts.
fn check(krate: &str) {
    let Some(cluster) = cluster(&format!("parity-{krate}")) else { return };
    let whole = snapshot(sources(krate));
    let start = Instant::now();
    let report = push(&cluster, "main", &whole);
    println!("{krate}: pushed in {:?}: {report:?}", start.elapsed());
    let questions = questions(&whole);
    assert!(questions.len() >= 100, "{}", questions.len());
    let (mut took, mut local) = (Vec::new(), Duration::ZERO);
    for question in &questions {
        let start = Instant::now();
        let expected = answer(&whole, question);
        local += start.elapsed();
        let start = Instant::now();
        let mut branch = cluster.open("shop", None, IndexConfig::default()).unwrap();
        assert_eq!(branch.snapshot().id(), whole.id());
        let found = branch.answer(|snapshot| answer(snapshot, question)).unwrap();
        took.push((start.elapsed(), branch.fetched(), question));
        assert_eq!(found, expected, "{krate}: {question}");
    }
    took.sort_by_key(|it| it.0);
    let at = |share: usize| &took[(took.len() - 1) * share / 100];
    println!(
        "{krate}: {} questions, p50 {:?}, p95 {:?}, embedded mean {:?}",
        took.len(),
        at(50),
        at(95),
        local / took.len() as u32
    );
}

#[test]
fn answers_about_load_are_those_of_the_embedded_index() {
    check("load");
}

#[test]
fn answers_about_the_engine_are_those_of_the_embedded_index() {
    check("engine");
}
