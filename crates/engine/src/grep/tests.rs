//! Matches compared with a scan of every text, and what is returned with them.

use foreword_chunk::{Config, Kind};
use proptest::prelude::*;

use super::*;
use crate::index::IndexConfig;
use crate::source::Source;

fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    let source = |it: &(&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
    Snapshot::of_sources(files.iter().map(source).collect(), IndexConfig::default()).unwrap()
}

fn sample() -> Snapshot {
    snapshot(&[
        ("src/url.py", "class Url:\n    def parse(self, text):\n        return parse_url(text)\n"),
        ("src/a.py", "import url\n\nparse_url('naïve')\nParse_URL(1)\n"),
        ("win.txt", "first parse_url\r\nsecond\r\n"),
    ])
}

fn exact(pattern: &str) -> GrepRequest<'_> {
    GrepRequest { pattern, limit: 100, case: Case::Sensitive, ..GrepRequest::default() }
}

fn regex(pattern: &str) -> GrepRequest<'_> {
    GrepRequest { regex: true, ..exact(pattern) }
}

#[track_caller]
fn check(request: &GrepRequest<'_>, expect: &[&str]) {
    let answer = grep(&sample(), request).unwrap();
    let place =
        |it: &GrepMatch| format!("{}:{}:{} {}", it.path, it.line, it.column, it.text.trim());
    let places: Vec<String> = answer.matches.iter().map(place).collect();
    assert_eq!(places, expect);
    assert_eq!(answer.total, expect.len());
}

#[test]
fn matches_come_in_order_of_path_and_line() {
    check(
        &exact("parse_url"),
        &[
            "src/a.py:3:1 parse_url('naïve')",
            "src/url.py:3:16 return parse_url(text)",
            "win.txt:1:7 first parse_url",
        ],
    );
}

#[test]
fn smart_case_counts_when_the_pattern_has_an_upper_case_letter() {
    let smart = |pattern| GrepRequest { case: Case::Smart, ..exact(pattern) };
    check(&smart("Parse_URL"), &["src/a.py:4:1 Parse_URL(1)"]);
    check(
        &smart("parse_url("),
        &[
            "src/a.py:3:1 parse_url('naïve')",
            "src/a.py:4:1 Parse_URL(1)",
            "src/url.py:3:16 return parse_url(text)",
        ],
    );
    check(&GrepRequest { regex: true, ..smart(r"\bp\w+_url\(\d") }, &["src/a.py:4:1 Parse_URL(1)"]);
}

#[test]
fn what_stands_for_itself_has_no_operators() {
    check(&exact("(text)"), &["src/url.py:3:25 return parse_url(text)"]);
    check(&exact("p.rse"), &[]);
}

#[test]
fn whole_words_have_nothing_of_a_word_beside_them() {
    let word = |pattern| GrepRequest { word: true, ..exact(pattern) };
    check(&word("parse"), &["src/url.py:2:9 def parse(self, text):"]);
    let squared = snapshot(&[("a.txt", "x² x² x\n"), ("b.txt", "x²\n")]);
    let answer = grep(&squared, &word("x")).unwrap();
    assert_eq!((answer.total, answer.matches[0].column), (1, 7));
}

#[test]
fn ends_of_lines_are_found_whatever_they_are() {
    check(&regex("url$"), &["src/a.py:1:8 import url", "win.txt:1:13 first parse_url"]);
    check(&regex("^second$"), &["win.txt:2:1 second"]);
    check(&regex("^$"), &["src/a.py:2:1 "]);
}

#[test]
fn only_a_pattern_with_a_line_break_leaves_its_line() {
    check(&regex(r"url[^x]*parse"), &[]);
    check(&regex(r"url\n\nparse"), &["src/a.py:1:8 import url\n\nparse_url('naïve')"]);
    check(&exact("Url:\n    def"), &["src/url.py:1:7 class Url:\n    def parse(self, text):"]);
}

#[test]
fn a_match_has_its_definition_and_surrounding_lines() {
    let request = GrepRequest { context: 1, ..exact("return") };
    let found = grep(&sample(), &request).unwrap().matches.remove(0);
    assert_eq!((found.symbol.as_str(), found.kind), ("Url.parse", Some(Kind::Method)));
    assert_eq!(found.before, ["    def parse(self, text):"]);
    assert_eq!(found.after, [""; 0]);
}

#[test]
fn columns_count_characters() {
    check(&exact("')"), &["src/a.py:3:17 parse_url('naïve')"]);
}

#[test]
fn all_matches_are_counted_and_the_first_are_returned() {
    let answer = grep(&sample(), &GrepRequest { limit: 1, ..exact("parse") }).unwrap();
    assert_eq!(answer.matches.len(), 1);
    assert_eq!((answer.total, answer.files, answer.searched, answer.truncated), (4, 3, 3, true));
    let nothing = grep(&sample(), &exact("no such thing")).unwrap();
    assert_eq!(
        (nothing.total, nothing.files, nothing.searched, nothing.truncated),
        (0, 0, 3, false)
    );
}

#[test]
fn only_files_that_are_kept_are_searched() {
    let keep = |file: FileId| file.0 == 0;
    let answer = grep(&sample(), &GrepRequest { keep: Some(&keep), ..exact("parse") }).unwrap();
    assert_eq!((answer.total, answer.searched), (1, 1));
}

#[test]
fn long_lines_are_cut_around_the_match() {
    let line = format!("{}needle{}", "é".repeat(1000), "x".repeat(1000));
    let found = grep(&snapshot(&[("a.txt", &line)]), &exact("needle")).unwrap().matches.remove(0);
    assert_eq!(found.column, 1001);
    assert!(
        found.text.contains("needle") && found.text.starts_with('…') && found.text.ends_with('…')
    );
    assert_eq!(found.text.chars().count(), MAX_LINE_CHARS + 2);
}

#[test]
fn lines_around_all_matches_together_are_bounded() {
    let request = GrepRequest { context: u32::MAX, limit: usize::MAX, ..exact("a") };
    let found = grep(&snapshot(&[("a.txt", &"a\n".repeat(2_000))]), &request).unwrap().matches;
    assert_eq!((found.len(), found[1_000].before.len(), found[1_000].after.len()), (2_000, 50, 50));
}

#[test]
fn errors_state_the_problem_and_the_remedy() {
    let error = |pattern| grep(&sample(), &regex(pattern)).unwrap_err().to_string();
    assert_eq!(
        error("foo("),
        "`foo(` is not a regular expression: unclosed group; to search for it as it stands, search for exact text"
    );
    assert!(error(r"(\w{1000}){1000}").contains("needs too much memory"));
    assert_eq!(grep(&sample(), &exact("")), Err(GrepError::Empty));
    assert!(error(r"a\x0Ab").contains("line break"));
}

#[test]
fn a_long_s_is_found_by_the_other_one() {
    let snapshot = snapshot(&[
        ("a.txt", "x.pauſe()\n"),
        ("b.txt", "y.pause()\n"),
        ("c.txt", "z\n"),
        ("d.txt", "\n"),
    ]);
    let request = GrepRequest { case: Case::Smart, ..exact(".pause(") };
    let pattern = Pattern::new(&request).unwrap();
    let all: Vec<FileId> = snapshot.files().collect();
    assert_eq!(
        narrow::candidates(&snapshot, &request, &pattern, &all),
        Some(vec![FileId(0), FileId(1)])
    );
    assert_eq!(grep(&snapshot, &request).unwrap().total, 2);
}

/// Lines that hold `pattern`, by plain comparison.
fn lines_with(texts: &[String], pattern: &str) -> Vec<(usize, u32)> {
    let lines = texts.iter().enumerate().flat_map(|(file, text)| {
        text.split('\n').enumerate().map(move |(at, line)| (file, at as u32 + 1, line))
    });
    lines.filter(|it| it.2.contains(pattern)).map(|it| (it.0, it.1)).collect()
}

/// Few letters, so that there are matches; and those on which letters and terms disagree.
const TEXT: &str = "[ab_sSſKk\u{212A}² .é\n]{0,80}";
const PATTERN: &str = "[ab_sSſKk\u{212A}² .é]{1,5}";

/// Few words, alike but for their letters' cases, with what stands between words.
fn words(n: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    const WORDS: [&str; 12] =
        ["as", "aſ", "AS", "as²", "a_s", "ka", "\u{212A}a", "éa", "Éa", "x", "éas", "asé"];
    let word = (prop::sample::select(&WORDS[..]), prop::sample::select(&[" ", ".", "\n", ""][..]));
    prop::collection::vec(word, n).prop_map(|it| it.iter().flat_map(|it| [it.0, it.1]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_index_never_hides_a_match(
        texts in prop::collection::vec(prop_oneof![TEXT.boxed(), words(0..9).boxed()], 1..5),
        pattern in prop_oneof![PATTERN.boxed(), words(1..3).boxed()],
        case in prop::sample::select(vec![Case::Smart, Case::Sensitive, Case::Insensitive]),
        word: bool,
        max in 1_u32..300,
    ) {
        let config = IndexConfig { chunk: Config { max_size: max, ..Config::default() } };
        let source = |(at, text): (usize, &String)| Source { path: format!("{at}.py"), text: text.clone() };
        let sources = texts.iter().enumerate().map(source).collect();
        let snapshot = Snapshot::of_sources(sources, config).unwrap();
        let request = GrepRequest { case, word, ..exact(&pattern) };
        let compiled = Pattern::new(&request).unwrap();
        let all: Vec<FileId> = snapshot.files().collect();
        let narrowed = narrow::candidates(&snapshot, &request, &compiled, &all).unwrap_or(all.clone());
        prop_assert_eq!(scan(&snapshot, &compiled, &narrowed, 100), scan(&snapshot, &compiled, &all, 100));
    }

    #[test]
    fn exact_matches_are_those_of_a_plain_comparison(
        texts in prop::collection::vec(TEXT, 1..5), pattern in PATTERN,
    ) {
        let source = |(at, text): (usize, &String)| Source { path: format!("{at}.txt"), text: text.clone() };
        let sources = texts.iter().enumerate().map(source).collect();
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let answer = grep(&snapshot, &exact(&pattern)).unwrap();
        let place = |it: &GrepMatch| (it.path[..1].parse::<usize>().unwrap(), it.line);
        let places: Vec<(usize, u32)> = answer.matches.iter().map(place).collect();
        prop_assert_eq!(places, lines_with(&texts, &pattern));
    }
}
