//! The cluster answers as the embedded index.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use foreword_cluster::Cluster;
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::retrieve::Question;
use foreword_engine::search::{SearchAnswer, SearchRequest, search};

use crate::{cluster, push, snapshot, sources, sources_of};

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

pub(crate) fn answer(snapshot: &Snapshot, question: &str) -> SearchAnswer {
    let question = Question { text: question, ..Question::default() };
    let request = SearchRequest { question, limit: 10, tokens: None };
    let count = |text: &str| text.len() / 4;
    search(snapshot, &request, &preset::search(), &count, &mut Control::default())
}

/// How the answers about a repository compare.
struct Compared {
    questions: usize,
    /// Questions whose first ten results differ in place, score or reasons.
    different: Vec<String>,
    /// Sorted.
    took: Vec<Duration>,
    embedded: Duration,
    /// Rounds, files and searches of all questions.
    cost: [usize; 3],
}

impl Compared {
    fn percentile(&self, share: usize) -> Duration {
        self.took[(self.took.len() - 1) * share / 100]
    }

    fn mean(&self, which: usize) -> f64 {
        self.cost[which] as f64 / self.questions as f64
    }
}

/// Compares answers, whole: places, scores, reasons, texts.
fn compare(cluster: &Cluster, whole: &Snapshot, questions: &[String]) -> Compared {
    let mut res = Compared {
        questions: questions.len(),
        different: Vec::new(),
        took: Vec::new(),
        embedded: Duration::ZERO,
        cost: [0; 3],
    };
    for question in questions {
        let start = Instant::now();
        let expected = answer(whole, question);
        res.embedded += start.elapsed();
        let start = Instant::now();
        let mut branch = cluster.open("shop", None, IndexConfig::default()).unwrap();
        assert_eq!(branch.snapshot().id(), whole.id());
        let found = branch.answer(|snapshot| answer(snapshot, question)).unwrap();
        res.took.push(start.elapsed());
        let it = branch.cost();
        let sums = res.cost.iter_mut().zip([it.rounds, it.files, it.searches]);
        sums.for_each(|(sum, n)| *sum += n);
        if found != expected {
            res.different.push(question.clone());
        }
    }
    res.took.sort();
    res
}

/// Pushes a crate and compares all answers.
fn check(krate: &str) {
    let Some(cluster) = cluster(&format!("parity-{krate}")) else { return };
    let whole = snapshot(sources(krate));
    push(&cluster, "main", &whole);
    let questions = questions(&whole);
    assert!(questions.len() >= 100, "{}", questions.len());
    assert_eq!(compare(&cluster, &whole, &questions).different, Vec::<String>::new());
}

#[test]
fn answers_about_load_are_those_of_the_embedded_index() {
    check("load");
}

#[test]
fn answers_about_the_engine_are_those_of_the_embedded_index() {
    check("engine");
}

/// The table of docs/scale.md, for directories separated by colons in `FOREWORD_PARITY`.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "its result")]
fn repositories_of_the_table() {
    let directories = std::env::var("FOREWORD_PARITY").unwrap();
    println!(
        "| repository | files | chunks | push, s | sent, MB | text, MB | questions | equal | p50, ms | p95, ms | embedded, ms | rounds | files read |"
    );
    for (at, directory) in directories.split(':').enumerate() {
        let cluster = cluster(&format!("table-{at}")).unwrap();
        let whole = snapshot(sources_of(Path::new(directory)));
        let start = Instant::now();
        let report = push(&cluster, "main", &whole);
        let pushed = start.elapsed();
        let all = questions(&whole);
        let some: Vec<String> = all.iter().step_by(all.len().div_ceil(100)).cloned().collect();
        let it = compare(&cluster, &whole, &some);
        let totals = whole.totals();
        println!(
            "| {} | {} | {} | {:.1} | {:.1} | {:.1} | {} | {} | {} | {} | {:.1} | {:.1} | {:.0} |",
            Path::new(directory).file_name().unwrap().display(),
            totals.files,
            totals.chunks,
            pushed.as_secs_f64(),
            report.bytes as f64 / 1e6,
            totals.bytes as f64 / 1e6,
            it.questions,
            it.questions - it.different.len(),
            it.percentile(50).as_millis(),
            it.percentile(95).as_millis(),
            it.embedded.as_secs_f64() * 1e3 / it.questions as f64,
            it.mean(0),
            it.mean(1),
        );
        it.different.iter().for_each(|it| println!("    different: {it}"));
        cluster.remove_repository("shop").unwrap();
    }
}
