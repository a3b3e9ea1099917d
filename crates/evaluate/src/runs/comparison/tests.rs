//! Tasks over a snapshot of three files.

use super::ask::ask;
use super::*;
use crate::baselines::{Baseline, WordCache};
use crate::runs::completion::cursor::{CodeView, cursor_of};
use crate::runs::completion::{Detail, Protocol, SessionUse};
use crate::tasks::corpora::Corpora;
use crate::tasks::selection::Selection;
use crate::tasks::split::Split;
use crate::tasks::task::Task;
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::preset;
use foreword_engine::source::Source;

fn task() -> Task {
    let line = r#"{"id": "a", "task": "completion", "repo": "o/n", "language": "python",
        "corpus": {"kind": "git", "rev": "r"}, "target_file": "main.py",
        "prefix": "from url import parse_url\n\ndef main(text):\n", "suffix": "\n    return url\n",
        "ground_truth": "    url = parse_url(text, strict_mode=True)",
        "relevant": [{"path": "url.py", "start_line": 1, "end_line": 1}]}"#;
    serde_json::from_str(line).unwrap()
}

fn snapshot(main: &str) -> Snapshot {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let sources = vec![
        source("main.py", main),
        source("url.py", "def parse_url(text, strict_mode=False):\n    return text\n"),
        source("mail.py", "def send(mail):\n    return mail\n"),
    ];
    Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
}

fn settings(budgets: Vec<Option<usize>>) -> CompletionSettings {
    CompletionSettings {
        tasks: Selection {
            file: std::path::PathBuf::new(),
            repos: Vec::new(),
            split: Split::All,
            ids: Vec::new(),
            limit: None,
        },
        corpora: Corpora::default(),
        baselines: Baseline::ALL.to_vec(),
        variants: Vec::new(),
        budgets,
        protocol: Protocol::FillIn,
        session: SessionUse::Told,
        detail: Detail::Pieces,
        model: None,
    }
}

/// The outcome where the corpus is the past state of the repository.
fn asked(main: &str, settings: &CompletionSettings) -> Result<Outcome> {
    let snapshot = snapshot(main);
    let code = CodeView { snapshot: &snapshot, session: &[], edits: &[], is_past: true };
    ask(settings, &code, &task(), &preset::context(), &mut WordCache::default())
}

/// The outcome where the corpus is another state.
fn asked_elsewhere(main: &str, settings: &CompletionSettings) -> Result<Outcome> {
    let snapshot = snapshot(main);
    let code = CodeView { snapshot: &snapshot, session: &[], edits: &[], is_past: false };
    ask(settings, &code, &task(), &preset::context(), &mut WordCache::default())
}

#[test]
fn an_imported_definition_explains_the_hole() {
    let cursor = cursor_of(&task(), Protocol::FillIn, &[]).unwrap();
    let outcome = asked(cursor.text(), &settings(vec![None])).unwrap();
    let ours = &outcome.answers[0];
    assert_eq!((ours.coverage.identifiers, ours.coverage.gold), (Some(1.0), Some(1.0)));
    assert_eq!(ours.covered, ["strict_mode"]);
    assert_eq!(outcome.answers[1].coverage.identifiers, Some(0.0));
    assert_eq!((outcome.known, outcome.targets), (Some(1.0), 1));
}

#[test]
fn every_method_answers_within_every_budget() {
    let cursor = cursor_of(&task(), Protocol::FillIn, &[]).unwrap();
    let outcome = asked(cursor.text(), &settings(vec![Some(10), Some(1000), None])).unwrap();
    assert_eq!(outcome.answers.len(), (1 + Baseline::ALL.len()) * 3);
    let of = |method: &str, budget: Option<usize>| {
        let is_it = |it: &&Answer| it.method == method && it.budget == budget;
        outcome.answers.iter().find(is_it).unwrap().coverage
    };
    assert_eq!(of("bm25-files", Some(10)).spent, 0);
    assert_eq!(of("bm25-files", Some(1000)).identifiers, Some(1.0));
    assert_eq!(of("aider", Some(1000)).identifiers, Some(1.0));
}

#[test]
fn a_past_that_may_hold_the_hole_is_refused() {
    let error = asked("leaked", &settings(vec![None])).unwrap_err();
    assert!(error.to_string().contains("prefix + suffix"), "{error}");
}

#[test]
fn the_file_of_a_directory_is_blanked() {
    let whole = "from url import parse_url\n\ndef main(text):\n    url = parse_url(text, strict_mode=True)\n\
        \n    return url\n";
    let mut without = settings(vec![Some(4000)]);
    without.baselines = vec![Baseline::CompetitionBm25];
    let outcome = asked_elsewhere(whole, &without).unwrap();
    let shown = &outcome.answers[1];
    assert_eq!(shown.shown, ["main.py:1-5"]);
    assert!(shown.covered.is_empty(), "{:?}", shown.covered);
}

#[test]
fn left_to_right_nothing_follows_the_cursor() {
    let cursor = cursor_of(&task(), Protocol::LeftToRight, &[]).unwrap();
    assert_eq!(cursor.text(), task().prefix.unwrap());
}
