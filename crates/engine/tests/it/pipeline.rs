//! The pipeline as a caller sees it: what it says of its stages, and what is left out when there is no time.

use std::cell::Cell;

use foreword_engine::evidence::{Feature, Signal};
use foreword_engine::index::Snapshot;
use foreword_engine::pipeline::{Control, CursorRetrieval, Ranking, Request, Stage, rank};
use foreword_engine::preset;
use foreword_engine::retrieve::Question;
use foreword_engine::scope::{Cursor, View};

use crate::{count, snapshot};

const SHOP: &str = "
//- shop/price.py
def price_of(item):
    return item.price
//- shop/cart.py
from shop.price import price_of

def total(cart):
    pass
//- shop/test_price.py
from shop.price import price_of

def test_price():
    price_of(1)
";

fn shop() -> Snapshot {
    snapshot(SHOP)
}

fn cursor() -> Cursor {
    let text = "from shop.price import price_of\n\ndef total(cart):\n    price_of(";
    Cursor::at_end("shop/cart.py", text)
}

/// The ranking at the cursor if time is up at the check with this number.
fn ranking(checks_in_time: usize) -> Ranking {
    let (snapshot, cursor, preset) = (shop(), cursor(), preset::context());
    let view = View::new(&snapshot, &cursor).unwrap();
    let asked = Cell::new(0);
    let is_out_of_time = || asked.replace(asked.get() + 1) >= checks_in_time;
    let mut control = Control { is_out_of_time: Some(&is_out_of_time), ..Control::default() };
    CursorRetrieval::new(view, &cursor, &preset, &count, &mut control).ranking
}

#[test]
fn signals_that_there_is_no_time_for_are_left_out_and_named() {
    assert_eq!(ranking(99).skipped, []);
    let late = ranking(2);
    let last = [Signal::Package, Signal::Recent, Signal::Diff, Signal::Head];
    assert_eq!(late.skipped, last);
    let signals: Vec<Signal> = late.lists.iter().map(|it| it.signal).collect();
    assert_eq!(signals, [Signal::Lexical, Signal::Symbol, Signal::Graph]);
    // The words are always looked for.
    let latest = ranking(0);
    assert_eq!(latest.skipped.len(), 6);
    assert!(!latest.candidates.is_empty());
}

#[test]
fn an_observer_is_told_of_each_stage_in_order() {
    let (snapshot, cursor, preset) = (shop(), cursor(), preset::context());
    let (mut stages, mut signals) = (Vec::new(), Vec::new());
    let mut observer = |stage| match stage {
        Stage::Signal(signal) => signals.push(signal),
        stage => stages.push(stage),
    };
    let mut control = Control { observer: Some(&mut observer), ..Control::default() };
    let view = View::new(&snapshot, &cursor).unwrap();
    foreword_engine::context(view, &cursor, &preset, 500, &count, &mut control);
    let expect = [
        Stage::Scope,
        Stage::Query,
        Stage::Retrieve,
        Stage::Fuse,
        Stage::Rerank,
        Stage::Window,
        Stage::Compose,
    ];
    assert_eq!(stages, expect);
    let is_of_cursors = |it: &Signal| !matches!(it, Signal::Dense | Signal::Speculated);
    let of_cursors = Signal::ALL.into_iter().filter(is_of_cursors);
    assert_eq!(signals, of_cursors.collect::<Vec<_>>());
}

#[test]
fn a_candidate_keeps_what_each_signal_and_feature_said_of_it() {
    let ranking = ranking(99);
    let snapshot = shop();
    let best = &ranking.candidates[0];
    assert_eq!(snapshot.path(best.chunk.file), "shop/price.py");
    let symbol = best.signals[Signal::Symbol].unwrap();
    assert_eq!((symbol.rank.get(), symbol.relative), (1, 1.0));
    assert_eq!(best.signals[Signal::Recent], None);
    assert_eq!(best.features.get(Feature::Test), None);
    assert_eq!(best.features.get(Feature::BetterHits), Some(0.0));
    assert!(best.features.get(Feature::Likeness).is_some());
    let test = ranking.candidates.iter().find(|it| it.features.get(Feature::Test).is_some());
    assert_eq!(snapshot.path(test.unwrap().chunk.file), "shop/test_price.py");
}

#[test]
fn a_question_has_no_signals_of_a_cursor() {
    let snapshot = shop();
    let question = Question::new("price_of");
    let request = Request::Question { snapshot: &snapshot, question: &question };
    let ranking = rank(&request, &preset::search(), &mut Control::default());
    let signals: Vec<Signal> = ranking.lists.iter().map(|it| it.signal).collect();
    assert_eq!(signals, [Signal::Lexical, Signal::Symbol]);
    assert_eq!(ranking.skipped, []);
}

#[test]
fn a_hole_among_imports_gets_heads_of_files_like_its_own_and_no_definitions() {
    let snapshot = snapshot(
        "
//- shop/price.py
from decimal import Decimal

def price_of(item):
    return Decimal(item.price)
//- shop/order.py
from shop.price import price_of
from shop.stock import is_left

def order(item):
    return is_left(item) and price_of(item)
//- shop/stock.py
def is_left(item):
    return item.left > 0
",
    );
    let text = "from shop.price import price_of\n\n\ndef sell(item):\n    return is_left(item) and price_of(item)\n";
    let cursor = Cursor::new("shop/sale.py", text, text.find("\n\n").unwrap() + 1).unwrap();
    let (view, preset) = (View::new(&snapshot, &cursor).unwrap(), preset::context());
    let retrieval = CursorRetrieval::new(view, &cursor, &preset, &count, &mut Control::default());
    let list = |signal| retrieval.ranking.lists.iter().find(|it| it.signal == signal).unwrap();
    assert!(list(Signal::Symbol).hits.is_empty());
    let best = &list(Signal::Head).hits[0];
    assert_eq!(snapshot.path(best.chunk.file), "shop/order.py");
    let reason = "head of a file like this one, 1 imports in common, imports is_left";
    assert_eq!(best.reason.to_string(), reason);
    let below = Cursor::at_end("shop/sale.py", text);
    let view = View::new(&snapshot, &below).unwrap();
    let below = CursorRetrieval::new(view, &below, &preset, &count, &mut Control::default());
    let list = below.ranking.lists.iter().find(|it| it.signal == Signal::Head).unwrap();
    assert!(list.hits.is_empty());
}

#[test]
fn who_writes_a_test_is_shown_tests_as_gladly_as_code() {
    let (snapshot, preset) = (shop(), preset::context());
    let asks = |path: &str| {
        let cursor = Cursor::at_end(path, "from shop.price import price_of\n\nprice_of(");
        let view = View::new(&snapshot, &cursor).unwrap();
        let control = &mut Control::default();
        CursorRetrieval::new(view, &cursor, &preset, &count, control).ranking.query.asks_for_tests
    };
    assert!(asks("shop/test_cart.py"));
    assert!(!asks("shop/cart.py"));
}

#[test]
fn a_question_asks_for_tests_however_long_it_is_and_an_issue_does_not() {
    let text = "def test_refresh():\n    assert refresh_session_cookie(permanent=True)\n";
    let source =
        foreword_engine::source::Source { path: "tests/test_session.py".into(), text: text.into() };
    let snapshot = foreword_engine::index::Snapshot::of_sources(
        vec![source],
        foreword_engine::index::IndexConfig::default(),
    )
    .unwrap();
    let asks = |question: &str| {
        foreword_engine::retrieve::question_query(
            question,
            &snapshot,
            &foreword_engine::preset::search().query,
        )
        .asks_for_tests
    };
    let words = "session cookies refreshed requests permanent setting modified values headers";
    let long = format!("which tests make sure {words} while nothing {words} changed");
    assert!(asks("test of the session") && asks(&long));
    let issue =
        format!("Cookies are lost\n\nIt fails in my test: {words}.\nThe {words} is not {words}.\n");
    assert!(!asks(&issue));
}

/// factory_bot: `how do traits work` found five methods with `traits` in their names, and the class `Trait` not at all.
#[test]
fn a_plural_asks_for_the_singular_more_than_for_other_forms() {
    let snapshot = snapshot("//- a.rb\nclass Trait\n  def traits\n    trait\n  end\nend\n");
    let config = preset::search().query;
    let weight = |question: &str, term: &str| {
        let query = foreword_engine::retrieve::question_query(question, &snapshot, &config);
        query.terms.iter().find(|it| it.term == term).map(|it| it.weight).unwrap()
    };
    let [plural, singular] = ["traits", "trait"].map(|it| weight("how do traits work", it));
    assert!(plural > singular && singular > 0.7 * plural, "{plural} {singular}");
    assert!(
        weight("how does a trait work", "traits") < 0.6 * weight("how does a trait work", "trait")
    );
}
