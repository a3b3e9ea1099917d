//! Each baseline on a small repository that shows its behaviour.

use super::*;
use crate::tasks::session::EditLocation;
use crate::tasks::task::SessionEdit;
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::scope::{Cursor, View};
use foreword_engine::source::Source;
use foreword_engine::trim::window;

/// A repository, a cursor (`<|>` in the first file) and recent edits.
struct Fixture {
    snapshot: Snapshot,
    cursor: Cursor,
    session: Vec<EditLocation>,
    edits: Vec<SessionEdit>,
}

fn fixture(files: &[(&str, &str)], session: &[(&str, u32)]) -> Fixture {
    let (path, marked) = files[0];
    let offset = marked.find("<|>").unwrap();
    let text = marked.replace("<|>", "");
    let own = std::iter::once(Source { path: path.into(), text: text.clone() });
    let others = files[1..].iter().map(|it| Source { path: it.0.into(), text: it.1.into() });
    let snapshot =
        Snapshot::of_sources(own.chain(others).collect(), IndexConfig::default()).unwrap();
    let cursor = Cursor::new(path, text, offset).unwrap();
    let session = session.iter().map(|it| EditLocation { path: it.0.into(), line: it.1 }).collect();
    Fixture { snapshot, cursor, session, edits: Vec::new() }
}

impl Fixture {
    fn offer(&self, baseline: Baseline) -> Offer {
        let view = View::new(&self.snapshot, &self.cursor).unwrap();
        let count = |it: &str| it.len().div_ceil(4);
        let scope = view.scope(&self.cursor);
        let preset = foreword_engine::preset::context();
        let window = window(&self.cursor, &scope, &preset.budget, &count);
        let at = BaselineInput {
            snapshot: &self.snapshot,
            cursor: &self.cursor,
            scope: &scope,
            window: &window,
            session: &self.session,
            edits: &self.edits,
            id: "a task",
            count: &count,
        };
        baseline.offer(&mut WordCache::default(), &at)
    }

    #[track_caller]
    fn check(&self, baseline: Baseline, expect: &[&str]) {
        let place = |it: &Piece| format!("{}:{}-{}", it.path, it.start_line, it.end_line);
        let got: Vec<String> = self.offer(baseline).pieces.iter().map(place).collect();
        assert_eq!(got, expect, "{}", baseline.name());
    }
}

fn small() -> Fixture {
    fixture(
        &[
            ("main.py", "from url import parse\n\ndef main(text):\n    parse(text)<|>\n"),
            ("mail.py", "mail.connect(host)\nmail.send()\n"),
            ("url.md", "parse url text\n"),
            (
                "url.py",
                "def parse(text):\n    return split(text)\n\n\ndef split(text):\n    pass\n",
            ),
        ],
        &[("url.md", 1), ("mail.py", 2), ("main.py", 1), ("gone.py", 1)],
    )
}

#[test]
fn nothing_is_nothing() {
    small().check(Baseline::None, &[]);
}

#[test]
fn whole_files_are_of_the_language_and_never_the_cursors_own() {
    let it = small();
    it.check(Baseline::Bm25Files, &["url.py:1-6"]);
    it.check(Baseline::Recent, &["mail.py:1-2"]);
    let mut random: Vec<String> =
        it.offer(Baseline::Random).pieces.into_iter().map(|it| it.path).collect();
    random.sort();
    assert_eq!(random, ["mail.py", "url.py"]);
}

#[test]
fn blocks_and_chunks_are_found_by_the_lines_before_the_cursor() {
    let it = small();
    it.check(Baseline::Bm25Lines, &["url.py:1-6"]);
    it.check(Baseline::Bm25Cast, &["url.py:1-6"]);
}

#[test]
fn what_follows_the_cursor_is_asked_for_only_by_those_that_say_so() {
    let url = "def parse(text):\n    return split(text)\n";
    let mail = "connect(host)\nsend(letter)\n";
    let main = "parse(text)<|>\nsend(letter)\n";
    let it = fixture(&[("main.py", main), ("url.py", url), ("mail.py", mail)], &[]);
    it.check(Baseline::Bm25Lines, &["url.py:1-2"]);
    it.check(Baseline::Bm25Cast, &["url.py:1-2"]);
    let both = |baseline| {
        let pieces = it.offer(baseline).pieces;
        let mut paths: Vec<String> = pieces.into_iter().map(|it| it.path).collect();
        paths.sort();
        assert_eq!(paths, ["mail.py", "url.py"]);
    };
    both(Baseline::Bm25LinesAround);
    both(Baseline::Bm25CastAround);
    // The query has a limited number of lines after the cursor, none of them from before it.
    let far = format!("parse(text)<|>\n{}send(letter)\n", "\n".repeat(30));
    let it = fixture(&[("main.py", &far), ("url.py", url), ("mail.py", mail)], &[]);
    it.check(Baseline::Bm25LinesAround, &["url.py:1-2"]);
}

#[test]
fn changes_are_shown_with_the_lines_around_them_once() {
    let long: String = (1..=60).map(|it| format!("line_{it}\n")).collect();
    let mut it = fixture(&[("main.py", "x = 1<|>\n"), ("long.py", &long)], &[]);
    let edit = |path: &str, line| SessionEdit {
        path: path.into(),
        line,
        removed: String::new(),
        added: "line\n".into(),
    };
    it.edits =
        vec![edit("long.py", 50), edit("main.py", 1), edit("long.py", 5), edit("long.py", 52)];
    it.check(Baseline::Changes, &["long.py:40-60", "long.py:1-15"]);
}

#[test]
fn repocoder_shows_what_follows_the_lines_that_are_alike() {
    let head = "open(door)\nwalk(in)\n".repeat(5);
    let rest: String = (0..30).map(|it| format!("step_{it}()\n")).collect();
    let own = format!("{head}<|>");
    let it = fixture(&[("main.py", &own), ("house.py", &format!("{head}{rest}"))], &[]);
    let offer = it.offer(Baseline::RepoCoder);
    let first = &offer.pieces[0];
    // Lines 1 to 20 are the most similar window; lines 11 to 30 are shown.
    assert_eq!((first.path.as_str(), first.start_line, first.end_line), ("house.py", 11, 30));
    assert_eq!(offer.order, Order::BestLast);
    assert!(offer.pieces.iter().all(|it| it.path == "house.py"), "what is shown is no context");
}

#[test]
fn the_competition_shows_one_file_and_bm25_likes_the_cursors_own() {
    let it = small();
    it.check(Baseline::CompetitionBm25, &["main.py:1-4"]);
    it.check(Baseline::CompetitionRecent, &["mail.py:1-2"]);
    // No other file has ten lines.
    it.check(Baseline::CompetitionRandom, &[]);
    let long = "x = 1\n".repeat(10);
    let it = fixture(&[("main.py", "<|>"), ("long.py", &long), ("short.py", "x = 1\n")], &[]);
    it.check(Baseline::CompetitionRandom, &["long.py:1-10"]);
}

#[test]
fn realise_takes_definitions_or_functions_and_puts_the_best_last() {
    let shapes = "class Circle:\n    def area(self):\n        return radius\n    def paint(self):\n        pass\n\n\
        def unrelated():\n    pass\n";
    let others = "def one():\n    pass\n\ndef two():\n    pass\n\ndef three():\n    pass\n";
    let it = fixture(
        &[("main.py", "area(radius)<|>\n"), ("shapes.py", shapes), ("others.py", others)],
        &[],
    );
    let python = it.offer(Baseline::RealisePython);
    assert_eq!((python.pieces[0].start_line, python.pieces[0].end_line), (1, 5));
    let kotlin = it.offer(Baseline::RealiseKotlin);
    assert_eq!(
        kotlin.pieces[0].text,
        "class Circle:\n    def area(self):\n        return radius\n"
    );
    assert_eq!((python.order, kotlin.order), (Order::BestLast, Order::BestLast));
}

#[test]
fn realise_takes_three_more_functions_when_five_are_short() {
    let check = |body: &str, expect: usize| {
        let functions: String =
            (0..12).map(|it| format!("def area_{it}():\n    return radius + {body}\n\n")).collect();
        let it = fixture(&[("main.py", "radius<|>\n"), ("shapes.py", &functions)], &[]);
        assert_eq!(it.offer(Baseline::RealiseKotlin).pieces.len(), expect);
    };
    check("1", 8);
    check(&"1 + ".repeat(500), 5);
}

#[test]
fn the_ring_holds_what_was_touched_the_newest_last() {
    let long: String = (0..200).map(|it| format!("line {it}\n")).collect();
    let it = fixture(
        &[("main.py", "x<|>\n"), ("a.py", &long), ("b.py", "one\ntwo\nthree\n")],
        &[("b.py", 1), ("a.py", 100)],
    );
    let offer = it.offer(Baseline::LlamaVim);
    assert_eq!(offer.order, Order::BestLast);
    // The newest has the highest priority. `a.py` yields three chunks, `b.py` one.
    assert_eq!(offer.pieces[0].path, "b.py");
    let of_a: Vec<&Piece> = offer.pieces.iter().filter(|it| it.path == "a.py").collect();
    assert!(!of_a.is_empty());
    for it in of_a {
        assert_eq!(it.end_line - it.start_line + 1, 33);
        assert!((68..=132).contains(&it.start_line) && it.end_line <= 132, "{it:?}");
    }
}

#[test]
fn the_ring_leaves_out_what_is_shown_and_reaches_far_into_the_own_file() {
    let long: String = (0..600).map(|it| format!("line {it}\n")).collect();
    let it = fixture(&[("main.py", &format!("{long}<|>"))], &[]);
    let offer = it.offer(Baseline::LlamaVim);
    assert_eq!(offer.pieces.len(), 1);
    assert!(offer.pieces[0].end_line <= 345, "{:?}", offer.pieces[0]);
}

#[test]
fn tabby_counts_a_word_once_and_has_768_characters() {
    let unlike: String = (0..900).map(|it| format!("def other_{it}():\n    pass\n\n")).collect();
    let words = "alpha beta gamma delta epsilon zeta";
    let chunk = |name: &str| format!("def {name}():\n    \"{words}\"\n    {}\n", "x".repeat(300));
    let it = fixture(
        &[
            ("main.py", &format!("{words}<|>\n")),
            ("a.py", &chunk("a")),
            ("b.py", &chunk("b")),
            ("c.py", &chunk("c")),
            ("d.py", &unlike),
        ],
        &[],
    );
    it.check(Baseline::Tabby, &["a.py:1-3", "b.py:1-3"]);
    // Few words in common: no score reaches 8.
    let it = fixture(&[("main.py", "alpha<|>\n"), ("a.py", &chunk("a")), ("d.py", &unlike)], &[]);
    it.check(Baseline::Tabby, &[]);
}

#[test]
fn continue_shows_opened_files_and_then_definitions_of_imported_names() {
    let it = small();
    it.check(Baseline::Continue, &["url.md:1-1", "mail.py:1-2", "url.py:1-2"]);
    let used = it.offer(Baseline::Continue).cut(None, &|it: &str| it.len().div_ceil(4));
    assert_eq!(used.len(), 3);
}

#[test]
fn continue_would_rank_windows_by_their_symbols() {
    let check = |text: &str, expect: &[&str]| {
        let own = "parse(text)<|>\n";
        let it = fixture(&[("main.py", own), ("url.py", text)], &[("url.py", 1)]);
        it.check(Baseline::ContinueJaccard, expect);
    };
    check("parse(text)\n", &["url.py:1-1"]);
    check("nothing\n", &[]);
}

#[test]
fn aiders_map_follows_the_uses_of_the_cursors_file() {
    let url =
        "class Url:\n    def parse(self):\n        pass\n\n    def unused(self):\n        pass\n";
    let it = fixture(
        &[
            ("main.py", "def main(url):\n    url.parse()<|>\n"),
            ("url.py", url),
            ("a.py", "def far():\n    pass\n"),
        ],
        &[],
    );
    let offer = it.offer(Baseline::Aider);
    let lines: Vec<&str> = offer.pieces.iter().map(|it| it.text.as_str()).collect();
    // An enclosing definition is shown once.
    assert_eq!(lines.concat().matches("class Url").count(), 1);
    assert!(lines.concat().contains("    def parse(self):\n"));
    assert_eq!(lines.last(), Some(&"def far():\n"));
    assert!(offer.pieces.iter().all(|it| it.path != "main.py"));
    let shown = offer.cut(Some(1024), &|it: &str| it.len().div_ceil(4));
    assert!(shown.is_sorted_by_key(|it| (it.path.clone(), it.start_line)));
}

#[test]
fn names_lead_to_baselines_and_unknown_ones_are_named() {
    assert_eq!(Baseline::named(&["all".into()]).unwrap(), Baseline::ALL);
    assert_eq!(
        Baseline::named(&["tabby".into(), "none".into()]).unwrap(),
        [Baseline::None, Baseline::Tabby]
    );
    let error = Baseline::named(&["taby".into()]).unwrap_err().to_string();
    assert!(error.contains("taby") && error.contains("llama-vim"), "{error}");
}
