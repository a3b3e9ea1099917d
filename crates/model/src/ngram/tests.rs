//! Properties of every model.

use proptest::prelude::*;

use super::lexer::Lexer;
use super::{Background, Model};

fn code() -> impl Strategy<Value = String> {
    let words =
        prop::sample::select(vec!["a", "b", "f", "(", ")", " ", "\n", "\n  ", "= ", "1", ".", "x"]);
    prop::collection::vec(words, 0..60).prop_map(|it| it.concat())
}

proptest! {
    #[test]
    fn probabilities_sum_to_one_over_what_is_known_and_what_is_not(
        repository in prop::collection::vec(code(), 0..3), file in code(), prefix in code(),
    ) {
        let background = Background::new(repository.iter().map(String::as_str));
        let mut model = Model::new(Some(&background), &[&[&file, &prefix]]);
        let history = model.history(&prefix);
        let mixture = model.mixture(&history);
        let known: f64 = (1..model.vocabulary().end()).map(|it| mixture.counted(it)).sum();
        let expected = if mixture.new < 1.0 { 1.0 } else { 0.0 };
        prop_assert!((known - expected).abs() < 1e-9, "{known}");
    }

    #[test]
    fn bits_are_finite_for_any_text(prefix in "\\PC{0,40}", middle in "(\\PC|[\n\t\r\u{0}]){1,60}", file in code()) {
        let mut model = Model::new(None, &[&[&file]]);
        let score = model.score(&prefix, &middle);
        prop_assert!(score.bits.is_finite() && score.bits > 0.0 && score.tokens > 0, "{score:?}");
    }

    #[test]
    fn a_changed_repository_is_as_one_that_is_counted_anew(
        texts in prop::collection::vec(code(), 1..5), added in code(), prefix in code(), middle in code(),
    ) {
        let all: Vec<&str> = texts.iter().map(String::as_str).collect();
        let changed = Background::new(all.iter().copied()).with_changes(&[&added], &all[..1]);
        let anew = Background::new(all[1..].iter().copied().chain([added.as_str()]));
        let score = |it: &Background| Model::new(Some(it), &[&[&prefix]]).score(&prefix, &middle);
        let (a, b) = (score(&changed), score(&anew));
        prop_assert!((a.bits - b.bits).abs() < 1e-9 && a.tokens == b.tokens, "{a:?} {b:?}");
        prop_assert_eq!(changed.tokens(), anew.tokens());
    }
}

#[test]
fn a_name_that_the_context_shows_costs_less() {
    let (prefix, middle) = ("def main(text):\n", "    return parse_url(text, strict_mode=True)");
    let bits = |pieces: &[&str]| Model::new(None, &[&[prefix], pieces]).score(prefix, middle).bits;
    let without = bits(&[]);
    let with = bits(&["def parse_url(text, strict_mode=False):\n    return text\n"]);
    let other = bits(&["class Parser:\n    def feed(self):\n        pass\n"]);
    assert!(with < 0.6 * without && with < 0.6 * other, "{with} {without} {other}");
}

#[test]
fn what_was_just_written_is_remembered() {
    let mut model = Model::new(None, &[&["x = 1\n"]]);
    let once = model.score("", "frobnicate(widget)\n").bits;
    let twice = model.score("", "frobnicate(widget)\nfrobnicate(widget)\n").bits;
    assert!(twice - once < 0.4 * once, "{once} {twice}");
}

#[test]
fn a_removed_text_is_forgotten() {
    let background = Background::new(["alpha beta gamma\n", "delta\n"]);
    let removed = background.with_changes(&[], &["alpha beta gamma\n"]);
    let bits = |it: &Background| Model::new(Some(it), &[]).score("alpha beta", " gamma").bits;
    assert!(bits(&removed) > bits(&background) + 3.0);
    assert_eq!(Lexer::new("delta\n").count() + 1, removed.tokens());
}
