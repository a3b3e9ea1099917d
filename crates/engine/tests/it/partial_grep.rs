//! Patterns over a snapshot whose contents are elsewhere match the lines that they match in the whole one.

use foreword_chunk::Config;
use foreword_engine::grep::{Case, GrepAnswer, GrepRequest, grep};
use foreword_engine::index::{Change, IndexConfig, Snapshot};
use foreword_engine::source::Source;
use proptest::prelude::*;

use crate::partial::Home;

/// Enough files without a match that terms choose files.
const N_OTHERS: usize = 70;

fn exact(pattern: &str) -> GrepRequest<'_> {
    GrepRequest { pattern, limit: 1000, ..GrepRequest::default() }
}

fn regex(pattern: &str) -> GrepRequest<'_> {
    GrepRequest { regex: true, ..exact(pattern) }
}

fn answer(snapshot: &Snapshot, request: &GrepRequest<'_>) -> GrepAnswer {
    grep(snapshot, request).unwrap()
}

/// The files that were read.
#[track_caller]
fn check(home: &Home, request: &GrepRequest<'_>) -> usize {
    let (found, read) = home.answer(|it| answer(it, request));
    assert_eq!(found, answer(&home.whole, request), "{}", request.pattern);
    read
}

#[test]
fn words_of_a_pattern_choose_the_files_that_are_read() {
    let home = Home::new();
    for (request, most) in [
        (exact("handle_17("), 11),
        (exact("def handle_29"), 11),
        // Every file defines something, and two digits choose none.
        (regex(r"def \w+_17\b"), 301),
        (regex(r"class\s+Store"), 1),
        (regex(r"return\s+store\.read_3"), 50),
        (regex("(handle_7|handle_8)[(]"), 22),
        (regex("no_such_name"), 0),
    ] {
        let read = check(&home, &request);
        assert!(read <= most, "{}: {read} files", request.pattern);
    }
    let insensitive = GrepRequest { case: Case::Insensitive, ..regex("HANDLE_17") };
    assert!(check(&home, &insensitive) <= 12);
    let word = GrepRequest { word: true, ..exact("read_3") };
    assert!(check(&home, &word) < 60);
    assert_eq!(check(&home, &regex(r"\d\d\d")), 302);
}

#[test]
fn names_too_long_for_terms_are_found() {
    let long = format!("test_{}_needle_case", "very_".repeat(20));
    let other = |n: usize| Source { path: format!("o{n}.py"), text: format!("x = {n}\n") };
    let mut sources: Vec<Source> = (0..N_OTHERS).map(other).collect();
    let text = format!("def {long}():\n    pass\n");
    sources.push(Source { path: "long.py".to_owned(), text });
    let home = Home::of(sources, IndexConfig::default());
    assert_eq!(answer(&home.whole, &exact("_needle_")).total, 1);
    for pattern in ["_needle_", "needle_cas", "edleca"] {
        assert!(check(&home, &exact(pattern)) <= 1, "{pattern}");
    }
}

#[test]
fn texts_in_memory_have_their_own_lines() {
    let home = Home::new();
    let change = || {
        let text = format!("def {}_zebra():\n    return handle_17()\n", "x".repeat(70));
        let write =
            |path: &str| Change::Write(Source { path: path.to_owned(), text: text.clone() });
        vec![write("handlers/h1.py"), write("new.py"), Change::Remove("handlers/h17.py".into())]
    };
    for (pattern, n) in [("x_zebra", 2), ("handle_17", 12), ("def handle_1(", 0)] {
        let of = |it: &Snapshot| answer(&it.with_changes(change()).unwrap(), &exact(pattern));
        let (found, _) = home.answer(of);
        assert_eq!((&found, found.total), (&of(&home.whole), n), "{pattern}");
    }
}

/// Few letters, so that there are matches; and those on which letters and terms disagree.
const TEXT: &str = "([abc_SſK\u{212A}é]{1,8}[ .(]{0,1}){0,12}";

const PATTERN: &str = "[abc_SſsKké.]{3,6}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn terms_never_hide_a_match(
        texts in prop::collection::vec(TEXT, N_OTHERS..=N_OTHERS),
        pattern in PATTERN,
        case in prop::sample::select(vec![Case::Smart, Case::Sensitive, Case::Insensitive]),
        is_regex: bool,
        word: bool,
        max in 4_u32..300,
    ) {
        let config = IndexConfig { chunk: Config { max_size: max, ..Config::default() } };
        let source = |(at, text): (usize, &String)| Source { path: format!("{at}.py"), text: text.clone() };
        let home = Home::of(texts.iter().enumerate().map(source).collect(), config);
        let request = GrepRequest { case, word, regex: is_regex, ..exact(&pattern) };
        let (found, _) = home.answer(|it| answer(it, &request));
        prop_assert_eq!(found, answer(&home.whole, &request));
    }
}
