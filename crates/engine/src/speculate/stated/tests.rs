//! A model's proposal is accepted as far as the snapshot confirms it.

use super::*;
use crate::index::IndexConfig;
use crate::source::Source;
use crate::speculate::plan::{Block, MAX_BLOCKS};
use crate::speculate::{Flaw, ForecastState, forecast_state, requote};

const CART: &str = "from shop.store import open_store\n\n\ndef save_cart(cart, path):\n    handle = open_store(path)\n    handle.write(cart.items)\n";
const STORE: &str = "def open_store(path):\n    '''Opens it.'''\n    return connect(path)\n\n\ndef connect(path):\n    return path\n";
const OTHER: &str = "def weather():\n    return 'sunny'\n";

fn snapshot() -> Snapshot {
    let source = |(path, text): (&str, &str)| Source { path: path.into(), text: text.into() };
    let files = [("shop/cart.py", CART), ("shop/store.py", STORE), ("other.py", OTHER)];
    Snapshot::of_sources(files.map(source).into(), IndexConfig::default()).unwrap()
}

fn key() -> PlannerKey {
    PlannerKey { name: "agents".into(), fingerprint: "1".into() }
}

fn lines(path: &str, first_line: u32, last_line: u32) -> StatedLines {
    StatedLines { path: path.into(), first_line, last_line, what: "opens\nthe store".into() }
}

#[test]
fn a_block_is_read_from_the_repository_and_false_ones_are_counted() {
    let snapshot = snapshot();
    let stated = [
        lines("shop/store.py", 1, 3),
        lines("shop/store.py", 3, 7),
        lines("shop/store.py", 90, 99),
        lines("shop/store.py", 3, 1),
        lines("shop/store.py", 0, 2),
        lines("../../etc/passwd", 1, 3),
        lines("/etc/passwd", 1, 3),
        lines("shop/store.py", 4, 5),
        lines("other.py", 1, 2),
    ];
    let proposal = Proposal { blocks: &stated, ..Proposal::default() };
    let found = stated_plan(&snapshot, "shop/cart.py", &key(), &proposal);
    let plan = found.plan.unwrap();
    assert_eq!(plan.blocks.len(), 1);
    let block = &plan.blocks[0];
    assert_eq!(block.reason, "opens the store");
    assert!(STORE.starts_with(requote(block, STORE).unwrap().text));
    assert_eq!(plan.inputs.len(), 1);
    let expected =
        [("bad_lines", 3), ("duplicate", 1), ("empty", 1), ("unknown_file", 2), ("unrelated", 1)];
    assert_eq!(found.block_flaws, BTreeMap::from(expected));
}

#[test]
fn a_plan_has_twelve_blocks_of_forty_lines_at_the_most() {
    let long: String = (0..900).map(|it| format!("open_store({it})\n")).collect();
    let source = |(path, text): (&str, &str)| Source { path: path.into(), text: text.into() };
    let files = [("shop/cart.py", CART), ("long.py", &long)];
    let snapshot = Snapshot::of_sources(files.map(source).into(), IndexConfig::default()).unwrap();
    let stated: Vec<StatedLines> =
        (0..80).map(|it| lines("long.py", 1 + it * 10, 60 + it * 10)).collect();
    let proposal = Proposal { blocks: &stated, ..Proposal::default() };
    let found = stated_plan(&snapshot, "shop/cart.py", &key(), &proposal);
    let plan = found.plan.unwrap();
    assert_eq!(plan.blocks.len(), MAX_BLOCKS);
    let n = |it: &Block| it.place.last_line + 1 - it.place.first_line;
    assert!(plan.blocks.iter().all(|it| n(it) == 40));
    assert!(plan.blocks.is_sorted_by(|a, b| a.score > b.score));
}

#[test]
fn code_that_the_model_has_read_is_accepted_and_prose_must_name_something_of_the_file() {
    let readme = "# Shop\n\nA shop with a cart and a store.\n\nCall `open_store` first.\n";
    let source = |(path, text): (&str, &str)| Source { path: path.into(), text: text.into() };
    let files = [
        ("shop/cart.py", CART),
        ("shop/store.py", STORE),
        ("other.py", OTHER),
        ("README.md", readme),
    ];
    let snapshot = Snapshot::of_sources(files.map(source).into(), IndexConfig::default()).unwrap();
    let stated = [lines("other.py", 1, 2), lines("README.md", 1, 3), lines("README.md", 5, 5)];
    let flaws =
        |shown: &[StatedLines]| stated_blocks(&snapshot, "shop/cart.py", &stated, shown).flaws;
    assert_eq!(flaws(&[]), [BlockFlaw::Unrelated; 2]);
    assert_eq!(flaws(&[lines("other.py", 1, 1), lines("README.md", 1, 5)]), [BlockFlaw::Unrelated]);
    assert_eq!(
        flaws(&[lines("other.py", 3, 9), lines("store.py", 1, 2)]),
        [BlockFlaw::Unrelated; 2]
    );
}

#[test]
fn a_forecast_is_judged_by_the_validator() {
    let snapshot = snapshot();
    let forecast = |name: &str, code: &str, line: u32, evidence: StatedLines| StatedForecast {
        name: name.into(),
        code: code.into(),
        line,
        evidence: vec![evidence],
    };
    let good =
        "```python\ndef load_cart(path):\n    handle = open_store(path)\n    return handle\n```";
    let evidence = || lines("shop/cart.py", 4, 5);
    let stated = [
        forecast("load_cart", good, 7, evidence()),
        forecast("load_more", "def load_more(:\n", 7, evidence()),
        forecast(
            "drop",
            "def drop(path):\n    return open_store(path)\n",
            7,
            lines("shop/cart.py", 40, 50),
        ),
        forecast("sell", "def sell(path):\n    return no_such_name(path)\n", 7, evidence()),
        forecast("save_cart", "def save_cart(cart, path):\n    return cart\n", 7, evidence()),
        forecast("late", "def late(path):\n    return path\n", 70, evidence()),
    ];
    let verdict = stated_forecasts(&snapshot, "shop/cart.py", &stated);
    let names: Vec<&str> = verdict.accepted.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["load_cart"]);
    assert!(!verdict.accepted[0].code.contains("```"), "{}", verdict.accepted[0].code);
    let flaws: Vec<&Flaw> = verdict.rejected.iter().map(|it| &it.flaw).collect();
    let expected = [
        &Flaw::DoesNotParse,
        &Flaw::BadEvidence,
        &Flaw::UnknownName("no_such_name".into()),
        &Flaw::Duplicate,
        &Flaw::BadPlace,
    ];
    assert_eq!(flaws, expected);
}

#[test]
fn evidence_with_a_blank_last_line_or_other_line_ends_supports_a_forecast() {
    for text in [CART.to_owned(), CART.replace('\n', "\r\n")] {
        let source = Source { path: "shop/cart.py".into(), text: text.clone() };
        let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
        let stated = [StatedForecast {
            name: "load_cart".into(),
            code: "def load_cart(path):\n    return open_store(path)\n".into(),
            line: 7,
            evidence: vec![lines("shop/cart.py", 1, 2), lines("shop/cart.py", 4, 5)],
        }];
        let proposal = Proposal { forecasts: &stated, ..Proposal::default() };
        let plan = stated_plan(&snapshot, "shop/cart.py", &key(), &proposal).plan.unwrap();
        let state =
            |now: &str| forecast_state(&snapshot, &plan, &plan.forecasts[0], ("shop/cart.py", now));
        assert_eq!(state(&text), ForecastState::Open);
        assert_eq!(state(&format!("\n{text}")), ForecastState::Open);
        let other = text.replace("open_store", "open_shop");
        assert!(matches!(state(&other), ForecastState::Unsupported(_)));
    }
}
