//! Compares the measures with reference implementations (sacrebleu, rapidfuzz, pytrec_eval) to 1e-6 on many generated
//! cases.
//!
//! `ci/python` builds an interpreter with them. If `FOREWORD_PYTHON` is set, that interpreter must work; otherwise the
//! one from `ci/python` is used, and without it the test reports on stderr that it was skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use foreword_chunk::Language;
use foreword_evaluate::measures::{
    Overlap, acc, chrf, edit_ratio, edit_similarity, exact_match, graded_ndcg, names, ndcg,
    precision, recall, reciprocal_rank,
};
use foreword_evaluate::random::split_mix::SplitMix64;
use serde::{Deserialize, Serialize};

const CUTS: [usize; 4] = [1, 3, 5, 10];
const TEXTS: usize = 600;
const RANKINGS: usize = 400;
const DEPTH: usize = 20;

type Scores = BTreeMap<String, f64>;

#[derive(Serialize)]
struct Cases {
    keywords: &'static [&'static str],
    texts: Vec<Text>,
    rankings: Vec<Ranking>,
}

#[derive(Debug, Serialize)]
struct Text {
    completion: String,
    truth: String,
}

#[derive(Debug, Serialize)]
struct Ranking {
    depth: usize,
    items: Vec<Item>,
}

#[derive(Debug, Serialize)]
struct Item {
    rank: Option<usize>,
    grade: u32,
}

#[derive(Deserialize)]
struct Expected {
    texts: Vec<Scores>,
    rankings: Vec<Scores>,
}

#[test]
fn the_measures_agree_with_reference_implementations() {
    let Some(python) = python() else {
        // Bypasses `eprintln!`, which the test harness captures.
        let why = "skipped: reference::the_measures_agree_with_reference_implementations (run ci/python first)";
        writeln!(std::io::stderr(), "{why}").unwrap();
        return;
    };
    let cases = cases();
    let expected = ask(&python, &cases);
    assert_eq!((expected.texts.len(), expected.rankings.len()), (TEXTS + 6, RANKINGS));
    for (case, expect) in cases.texts.iter().zip(&expected.texts) {
        compare(&text_scores(case), expect, case);
    }
    for (case, expect) in cases.rankings.iter().zip(&expected.rankings) {
        compare(&ranking_scores(case), expect, case);
    }
}

fn python() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("FOREWORD_PYTHON") {
        return Some(named.into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target"),
        PathBuf::from,
    );
    Some(target.join("python/bin/python")).filter(|it| it.exists())
}

fn ask(python: &PathBuf, cases: &Cases) -> Expected {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/reference.py");
    let mut command = Command::new(python);
    let process = command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process =
        process.spawn().unwrap_or_else(|error| panic!("{}: {error}", python.display()));
    let mut input = process.stdin.take().unwrap();
    input.write_all(&serde_json::to_vec(cases).unwrap()).unwrap();
    drop(input);
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{} failed; see its message above", python.display());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn compare(got: &Scores, expect: &Scores, case: &impl std::fmt::Debug) {
    assert!(got.keys().eq(expect.keys()), "{:?} {:?}", got.keys(), expect.keys());
    for (name, got) in got {
        let expect = expect[name];
        assert!((got - expect).abs() < 1e-6, "{name} is {got}, expected {expect}: {case:?}");
    }
}

fn scores<const N: usize>(pairs: [(&str, f64); N]) -> Scores {
    pairs.into_iter().map(|(name, score)| (name.to_owned(), score)).collect()
}

fn text_scores(Text { completion, truth }: &Text) -> Scores {
    let names = names::name_match(completion, truth, Language::from_name("python"));
    scores([
        ("chrf", chrf(completion, truth)),
        ("exact_match", exact_match(completion, truth)),
        ("edit_similarity", edit_similarity(completion, truth)),
        ("edit_ratio", edit_ratio(completion, truth)),
        ("name_precision", names.precision),
        ("name_recall", names.recall),
        ("name_f1", names.f1),
    ])
}

fn ranking_scores(case: &Ranking) -> Scores {
    let ranks: Vec<_> = case.items.iter().map(|it| it.rank).collect();
    let graded: Vec<_> = case.items.iter().map(|it| (it.rank, f64::from(it.grade))).collect();
    let given: BTreeSet<usize> = (1..=case.depth).collect();
    // Missing items get names that no place has.
    let named = case.items.iter().zip(1000..).map(|(it, missing)| it.rank.unwrap_or(missing));
    let overlap = Overlap::new(&named.collect(), &given);
    let mut res = scores([
        ("reciprocal_rank", reciprocal_rank(&ranks, case.depth)),
        ("set_precision", overlap.precision),
        ("set_recall", overlap.recall),
        ("set_f1", overlap.f1),
    ]);
    for k in CUTS {
        let at = |name: &str, score| (format!("{name}_{k}"), score);
        res.extend([
            at("ndcg", ndcg(&ranks, k)),
            at("graded_ndcg", graded_ndcg(&graded, k)),
            at("recall", recall(&ranks, k)),
            at("precision", precision(&ranks, k)),
            at("acc", acc(&ranks, k)),
        ]);
    }
    res
}

fn cases() -> Cases {
    let mut random = Random(SplitMix64(7));
    let pair =
        |completion: &str, truth: &str| Text { completion: completion.into(), truth: truth.into() };
    let mut texts = vec![
        pair("", "return x\n"),
        pair(" \n\t", "return x\n"),
        pair("return x", "return x"),
        pair("abcdefgh", "abc"),
        pair("a", "abcdefgh"),
        pair("κόσμε → ∅", "κόσμος → ∅"),
    ];
    texts.extend((0..TEXTS).map(|_| text(&mut random)));
    let rankings = (0..RANKINGS).map(|_| ranking(&mut random)).collect();
    let keywords = Language::from_name("python").map_or(&[][..], Language::keywords);
    Cases { keywords, texts, rankings }
}

const LINES: [&str; 12] = [
    "    return parse_url(text, strict=True)",
    "for key, value in sorted(items.items()):",
    "\tself.cache[key] = value  # the 'newest' wins",
    "    if not isinstance(it, (list, tuple)):",
    "raise ValueError(\"no such key: {}\".format(key))",
    "x = 'it\\'s' + \"a \\\"quote\\\"\" + name",
    "",
    "größe = π * r ** 2",
    "    with open(path, 'rb') as file:",
    "        data = file.read(4096)\u{a0}or None",
    "assert x == y, 'they differ",
    "return [it for it in values if it is not None]",
];

/// Lines of code, and the same lines after some edits.
fn text(random: &mut Random) -> Text {
    let lines = 1 + random.below(6);
    let truth: Vec<&str> = (0..lines).map(|_| LINES[random.below(LINES.len())]).collect();
    let truth = truth.join("\n");
    let mut completion: Vec<char> = truth.chars().collect();
    for _ in 0..random.below(25) {
        let at = random.below(completion.len() + 1);
        let length = random.below(8);
        let inserted = LINES[random.below(LINES.len())].chars().take(random.below(8));
        let end = (at + length).min(completion.len());
        completion.splice(at..end, inserted);
    }
    Text { completion: completion.into_iter().collect(), truth }
}

/// One to six relevant items at different places; some may be missing.
fn ranking(random: &mut Random) -> Ranking {
    let mut places: Vec<usize> = (1..=DEPTH).collect();
    let mut item = |_| {
        let place = random.below(places.len() + 8);
        let rank = (place < places.len()).then(|| places.swap_remove(place));
        Item { rank, grade: 1 + random.below(3) as u32 }
    };
    let items = (0..6).map(&mut item).collect::<Vec<_>>();
    let kept = 1 + random.below(6);
    Ranking { depth: DEPTH, items: items.into_iter().take(kept).collect() }
}

/// Numbers below a limit, by remainder.
struct Random(SplitMix64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }
}
