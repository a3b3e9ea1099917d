//! What holds of every prompt: its budget, its order, and that it is the same however it came about.

use foreword_engine::compose::Format;
use foreword_engine::evidence::DropReason;
use foreword_engine::fuse::Candidate;
use foreword_engine::index::{ChunkId, IndexConfig, Snapshot};
use foreword_engine::order::{Position, Truncation, positions};
use foreword_engine::pipeline::{Control, CursorRetrieval, Ranking};
use foreword_engine::preset;
use foreword_engine::prompt::{PromptAnswer, Target, TooSmall};
use foreword_engine::scope::{Cursor, View};
use foreword_engine::source::Source;
use proptest::prelude::*;

use crate::{count, source};

/// A package whose files use each other.
fn package() -> Vec<Source> {
    let names = ["cart", "price", "user", "store", "order", "mail", "tax", "stock", "log", "page"];
    let file = |(idx, name): (usize, &&str)| {
        let (next, other) = (names[(idx + 1) % 10], names[(idx * 3 + 2) % 10]);
        let functions: String = (0..idx + 2)
            .map(|n| {
                format!(
                    "def {name}_{n}(value, item):\n    '''Reads the {other} of a {next}.'''\n    \
                     total = {next}_{n}(value) + LIMIT\n    if total > item:\n        \
                     return {other}_1(total, item)\n    return {name}_0(item, total)\n\n\n"
                )
            })
            .collect();
        source(
            &format!("shop/{name}.py"),
            &format!("from shop.{next} import {next}_0, {next}_1\nLIMIT = {idx}\n\n\n{functions}"),
        )
    };
    names.iter().enumerate().map(file).collect()
}

fn cursor(files: &[Source], file: usize, at: f32) -> Cursor {
    let Source { path, text } = files[file].clone();
    let offset = text.floor_char_boundary((text.len() as f32 * at) as usize);
    Cursor::new(path, text, offset).unwrap()
}

fn composed(
    snapshot: &Snapshot,
    cursor: &Cursor,
    budget: usize,
    format: &Format,
) -> (Ranking, Result<PromptAnswer, TooSmall>) {
    let mut preset = preset::context();
    preset.budget = preset::budget(budget);
    let view = View::new(snapshot, cursor).unwrap();
    let retrieval = CursorRetrieval::new(view, cursor, &preset, &count, &mut Control::default());
    let prompt = retrieval.prompt(Target { format, repository: "shop", count: &count });
    (retrieval.ranking, prompt)
}

/// The chunks of the candidates in the order of a prompt.
fn order(candidates: &[Candidate], truncation: Truncation) -> Vec<ChunkId> {
    let mut positions = positions(candidates.iter().map(|it| it.chunk), truncation);
    positions.sort_unstable();
    positions.into_iter().map(Position::chunk).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_prompt_is_above_its_budget_and_each_is_the_same_again(
        file in 0_usize..10,
        at in 0.0_f32..1.0,
        budget in 20_usize..1500,
        format in 0..Format::ALL.len(),
        shuffled in Just(package()).prop_shuffle(),
    ) {
        let files = package();
        let cursor = cursor(&files, file, at);
        let one = Snapshot::of_sources(files, IndexConfig::default()).unwrap();
        let other = Snapshot::of_sources(shuffled, IndexConfig::default()).unwrap();
        let (_, made) = composed(&one, &cursor, budget, &Format::ALL[format]);
        let (_, again) = composed(&other, &cursor, budget, &Format::ALL[format]);
        match (made, again) {
            (Ok(made), Ok(again)) => {
                prop_assert!(made.tokens <= budget);
                prop_assert_eq!(made.tokens, count(&made.prompt.text));
                prop_assert_eq!(&made.prompt.text, &again.prompt.text);
                let pieces = &made.selection.pieces;
                prop_assert!(pieces.is_sorted_by(|a, b| a.position < b.position));
                // Some formats write pieces as comments, line by line.
                let mut lines = pieces.iter().flat_map(|it| it.text.lines());
                prop_assert!(lines.all(|it| made.prompt.text.contains(it.trim())));
            }
            (Err(made), Err(again)) => {
                prop_assert!(made.needed > budget);
                prop_assert_eq!(made, again);
            }
            (made, again) => prop_assert!(false, "{:?} and {:?}", made, again),
        }
    }

    #[test]
    fn an_order_has_each_candidate_once_and_small_changes_of_rank_shuffle_nothing(
        file in 0_usize..10,
        at in 0.0_f32..1.0,
        swaps in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let files = package();
        let cursor = cursor(&files, file, at);
        let snapshot = Snapshot::of_sources(files, IndexConfig::default()).unwrap();
        let (ranking, _) = composed(&snapshot, &cursor, 1000, &Format::ALL[0]);
        let mut candidates = ranking.candidates;
        let left = order(&candidates, Truncation::Left);
        let right = order(&candidates, Truncation::Right);
        let mut chunks: Vec<ChunkId> = candidates.iter().map(|it| it.chunk).collect();
        prop_assert_eq!(left.last(), chunks.first());
        prop_assert_eq!(right.first(), chunks.first());
        chunks.sort_unstable();
        for order in [&left, &right] {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(&sorted, &chunks);
        }
        // Neighbours that change places within a tier (2–3, 4–7, …) stand where they stood.
        for swap in swaps {
            let idx = swap.index(candidates.len().max(2) - 1);
            if idx + 1 < candidates.len() && (idx + 1).ilog2() == (idx + 2).ilog2() {
                candidates.swap(idx, idx + 1);
            }
        }
        prop_assert_eq!(&order(&candidates, Truncation::Left), &left);
        prop_assert_eq!(&order(&candidates, Truncation::Right), &right);
    }
}

#[test]
fn what_has_no_room_needs_more_than_is_left() {
    let files = package();
    let snapshot = Snapshot::of_sources(files.clone(), IndexConfig::default()).unwrap();
    let format = Format::named("qwen2.5-coder").unwrap();
    let mut told = 0;
    for budget in (150..1500).step_by(50) {
        let cursor = cursor(&files, 3, 0.5);
        let Ok(answer) = composed(&snapshot, &cursor, budget, format).1 else { continue };
        for it in &answer.selection.dropped {
            if let DropReason::Budget { needed, left } = it.why {
                assert!(needed > left, "{budget}: {} {}", it.path, it.why);
                told += 1;
            }
        }
    }
    assert!(told > 50, "{told}");
}

#[test]
fn the_rest_of_a_chunk_that_the_window_shows_in_part_is_a_piece() {
    let function = |n: usize| {
        format!(
            "def fee_{n}(member):\n    rate = rate_of(member, {n})\n    return rate * {n}\n\n\n"
        )
    };
    let text: String = (0..60).map(function).collect();
    let own = source("shop/fees.py", &text);
    let snapshot = Snapshot::of_sources(vec![own], IndexConfig::default()).unwrap();
    let cursor = Cursor::at_end("shop/fees.py", format!("{text}def fee_60(member):\n    rate = "));
    let mut preset = preset::context();
    preset.budget = preset::budget(1000);
    let view = View::new(&snapshot, &cursor).unwrap();
    let retrieval = CursorRetrieval::new(view, &cursor, &preset, &count, &mut Control::default());
    let pieces = retrieval.select(600, Truncation::Right, &count).pieces;
    let seen = &retrieval.window.visible;
    let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() as u32 + 1;
    let first_seen = seen.iter().map(|it| line_of(it.start)).max().unwrap();
    let is_rest = |it: &&foreword_engine::trim::Piece| {
        let chunk = retrieval.view.snapshot().chunk(it.position.chunk());
        chunk.start_line < first_seen && first_seen <= chunk.end_line
    };
    let rest = pieces.iter().find(is_rest).expect("the cut chunk is a piece");
    assert!(rest.end_line < first_seen, "{rest:?} shows lines of the window, from {first_seen}");
    assert!(rest.text.contains("return rate"), "{rest:?}");
}

#[test]
fn what_is_nearly_full_is_not_tried_with_every_candidate() {
    // No three lines of a file fit a tenth of the tokens.
    let line = |file: usize, n: usize| {
        let letter = |it: usize| char::from(b'a' + it as u8);
        let word = |it: usize| String::from_iter([file / 26, file % 26, n, it].map(letter));
        let words: Vec<String> = (0..20).map(word).collect();
        format!("    fee({})\n", words.join(", "))
    };
    let file = |file: usize| {
        let lines: String = (0..4).map(|n| line(file, n)).collect();
        source(&format!("shop/fee_{file}.py"), &format!("def fee_{file}(member):\n{lines}"))
    };
    let snapshot =
        Snapshot::of_sources((0..60).map(file).collect(), IndexConfig::default()).unwrap();
    let cursor = Cursor::at_end("shop/new.py", "def fee_new(member):\n    fee(rate, member");
    let preset = preset::context();
    let view = View::new(&snapshot, &cursor).unwrap();
    let retrieval = CursorRetrieval::new(view, &cursor, &preset, &count, &mut Control::default());
    let mut nearly_full = 0;
    for tokens in (2000..4000).step_by(50) {
        let asked = std::cell::Cell::new(0);
        let counting = |text: &str| {
            asked.set(asked.get() + 1);
            count(text)
        };
        let selection = retrieval.select(tokens, Truncation::Right, &counting);
        let left = tokens - selection.pieces.iter().map(|it| it.tokens).sum::<usize>();
        if (60..tokens / 10).contains(&left) && selection.dropped.len() > 15 {
            nearly_full += 1;
            assert!(asked.get() < 3 * (selection.pieces.len() + 6), "{tokens}: {}", asked.get());
        }
    }
    assert!(nearly_full > 3, "{nearly_full}");
}
