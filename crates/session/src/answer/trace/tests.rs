//! A trace says what the prompt says.

use std::collections::BTreeSet;

use foreword_engine::compose::Format;
use foreword_engine::index::{Change, IndexConfig, Snapshot};
use foreword_engine::preset;
use foreword_engine::scope::{Activity, Cursor};
use foreword_engine::source::Source;
use foreword_engine::speculate::ShownForecasts;
use foreword_load::Analyzer;
use foreword_model::TokenCounter;

use super::Trace;
use crate::answer::prompt::{PromptRequest, PromptRun, compose};

const SHOP: [(&str, &str); 4] = [
    (
        "shop/stock.py",
        "def take(stock, name, count):\n    left = stock[name] - count\n    if left < 0:\n        raise ValueError(name)\n    stock[name] = left\n    return left\n",
    ),
    (
        "shop/price.py",
        "RATES = {'apple': 2, 'pear': 3}\n\ndef price_of(name, count):\n    rate = RATES[name]\n    return rate * count\n",
    ),
    (
        "shop/old_price.py",
        "RATES = {'apple': 2, 'pear': 3}\n\ndef price_of(name, count):\n    rate = RATES[name]\n    return rate * count\n",
    ),
    (
        "shop/cart.py",
        "from shop.stock import take\nfrom shop.price import price_of\n\ndef add(cart, stock, name, count):\n    take(stock, name, count)\n    \n    return cart\n",
    ),
];

fn snapshot() -> Snapshot {
    let write = |(path, text): (&str, &str)| {
        Change::Write(Source { path: path.to_owned(), text: text.to_owned() })
    };
    let empty = Snapshot::empty(IndexConfig::default());
    empty.with_changes(SHOP.map(write).to_vec()).unwrap()
}

/// A trace, and what it was made of, for the end of line 5 of the cart.
#[track_caller]
fn check(format: &str, budget: usize, look: impl Fn(&Trace, &PromptRun<'_>)) {
    let snapshot = snapshot();
    let text = SHOP[3].1.to_owned();
    let offset = text.find("    \n").unwrap() + 4;
    let cursor = Cursor::new("shop/cart.py", text, offset).unwrap();
    let cursor = cursor.with_recent(vec!["shop/price.py".to_owned()]);
    let activity = Activity {
        visited: vec![("shop/price.py".to_owned(), 3)],
        edited: vec!["RATES = {'apple': 2, 'pear': 3}".to_owned()],
    };
    let format = Format::named(format).unwrap();
    let counter = TokenCounter::for_format(format, None).unwrap();
    let mut preset = preset::context();
    preset.budget = preset::budget(budget);
    let request = PromptRequest {
        repository: "shop",
        snapshot: &snapshot,
        cursor: &cursor,
        activity: &activity,
        preset: &preset,
        format,
        counter: &counter,
        deadline: None,
        is_fresh: true,
        forecasts: ShownForecasts::NONE,
    };
    let run = compose(request, &Analyzer::in_process()).unwrap();
    look(&Trace::new(&request, &run), &run);
}

#[test]
fn the_segments_are_the_prompt_in_every_format() {
    for format in Format::ALL {
        check(format.name, 2048, |trace, run| {
            let text: String = trace.segments.iter().map(|it| it.text.as_str()).collect();
            assert_eq!(text, run.answer.prompt.text, "{}", format.name);
        });
    }
}

#[test]
fn tokens_add_up() {
    for format in Format::ALL {
        check(format.name, 2048, |trace, run| {
            let it = &trace.budget;
            let sum: usize = trace.segments.iter().map(|it| it.tokens).sum();
            assert_eq!(it.segments, sum, "{}", format.name);
            let all = (it.segments + it.added) as i64 + it.seams;
            assert_eq!(all, it.used as i64, "{}", format.name);
            assert_eq!(it.used, run.answer.tokens + it.added, "{}", format.name);
            assert!(it.used <= it.total + it.added, "{}", format.name);
        });
    }
}

#[test]
fn every_candidate_is_a_piece_or_was_dropped_for_a_reason() {
    for budget in [100, 140, 2048] {
        check("qwen2.5-coder", budget, |trace, run| {
            let n = run.retrieval.ranking.candidates.len();
            assert_eq!(trace.pieces.len() + trace.dropped.len(), n, "{budget}");
            assert!(trace.dropped.iter().all(|it| !it.why.is_empty() && !it.code.is_empty()));
            let pieces = trace.pieces.iter().map(|it| it.candidate.reranked);
            let ranks: BTreeSet<u32> =
                pieces.chain(trace.dropped.iter().map(|it| it.candidate.reranked)).collect();
            assert_eq!(ranks, (1..=n as u32).collect(), "{budget}");
        });
    }
}

#[test]
fn what_is_dropped_says_which_rule_it_met() {
    check("qwen2.5-coder", 2048, |trace, _| {
        let of = |path: &str| trace.dropped.iter().find(|it| it.candidate.path == path);
        assert_eq!(of("shop/cart.py").unwrap().code, "beside");
        let copy = of("shop/old_price.py").or(of("shop/price.py")).unwrap();
        assert_eq!(copy.code, "duplicate");
    });
    check("qwen2.5-coder", 100, |trace, _| {
        assert!(trace.dropped.iter().any(|it| it.code == "budget"));
    });
}

#[test]
fn a_piece_tells_its_way_through_the_stages() {
    check("qwen2.5-coder", 2048, |trace, _| {
        let it = trace.pieces.iter().find(|it| it.candidate.path == "shop/stock.py").unwrap();
        assert_eq!(it.symbol, "take");
        let signals: Vec<&str> = it.candidate.ranks.iter().map(|it| it.signal).collect();
        assert!(signals.contains(&"lexical") && signals.contains(&"symbol"), "{signals:?}");
        assert!(it.candidate.fused >= 1 && it.candidate.fused_score > 0.0);
        assert!(it.candidate.reasons.iter().any(|it| it.contains("defines take, used")));
        let words = it.candidate.reasons.iter().find(|it| it.starts_with("words"));
        assert!(words.unwrap().contains("stock"), "{words:?}");
        let with_codes = it.candidate.reasons.iter().zip(&it.candidate.reason_codes);
        for (reason, code) in with_codes {
            assert_eq!(reason.starts_with("words"), *code == "lexical", "{reason}: {code}");
        }
        assert_eq!(it.candidate.reasons.len(), it.candidate.reason_codes.len());
    });
}

#[test]
fn the_query_and_the_window_are_told() {
    check("qwen2.5-coder", 2048, |trace, _| {
        assert_eq!((trace.line, trace.column), (6, 5));
        assert_eq!(trace.window.shown, [(1, 7)]);
        let take = trace.query.terms.iter().find(|it| it.term == "take").unwrap();
        assert!(take.weight > 0.0 && take.worth.is_some());
        assert!(trace.query.names.iter().any(|it| it.name == "take" && it.distance == 1));
    });
}

#[test]
fn the_stages_are_timed_in_order() {
    check("qwen2.5-coder", 2048, |trace, _| {
        let names: Vec<&str> = trace.stages.iter().map(|it| it.stage).collect();
        assert_eq!(names, ["scope", "query", "retrieve", "fuse", "rerank", "window", "compose"]);
    });
}
