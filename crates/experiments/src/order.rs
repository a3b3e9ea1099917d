//! The effect of a piece's place: the same pieces in three orders, in prompts that fit and in prompts that are cut.
//!
//! Orders: best first, best last, best at both edges. A prompt is cut at whole lines from the left (servers that keep
//! the end) or from the right, to three quarters and to half of its tokens. Without a model, the rest
//! after the cut is measured; where nothing is cut, all orders show the same text, and only a model can tell them apart:
//! with `--model` one completes with every order, also where everything fits.

use anyhow::Result;
use foreword_engine::preset::Preset;

use crate::ask::{Question, at_cursors};
use foreword_evaluate::measures::coverage::ContextPiece;
use foreword_evaluate::runs::completion::CompletionSettings;
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::completion::scorer::Scorer;
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::table::{Observation, Table};
use foreword_evaluate::tasks::corpus::count_tokens;
use foreword_evaluate::tasks::task::Task;

/// Runs the experiment.
pub(crate) fn order(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Table>> {
    let model = settings.model.as_deref();
    let ask = |retrieval: &Retrieval<'_>, task: &Task| {
        let hole = retrieval.hole(task)?;
        let scorer = Scorer { model, retrieval, hole: &hole, repository: &task.repo };
        ask(&scorer, &settings.budgets)
    };
    at_cursors(settings, preset, &Question { name: "order", reference: "all fits", ask })
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// The place of the best pieces in the prompt.
#[derive(Clone, Copy)]
enum BestAt {
    First,
    Last,
    /// At both ends: the best first, the second best last, and so on inwards.
    Edges,
}

const ORDERS: [(&str, BestAt); 3] = [
    ("best first", BestAt::First),
    ("best last", BestAt::Last),
    ("best at the edges", BestAt::Edges),
];

fn ask(scorer: &Scorer<'_>, budgets: &[Option<usize>]) -> Result<Vec<Observation>> {
    let of = |order: BestAt, budget: Option<usize>| {
        // The engine puts the best next to the cursor.
        let mut pieces = scorer.retrieval.within(budget);
        pieces.reverse();
        arrange(pieces, order)
    };
    let mut res = Vec::new();
    let mut add = |series: &str, pieces: &dyn Fn(Option<usize>) -> Vec<ContextPiece>| {
        for &budget in budgets {
            let (coverage, _) = scorer.measure(&pieces(budget))?;
            res.push(Observation { series: series.to_owned(), budget, coverage });
        }
        anyhow::Ok(())
    };
    add("all fits", &|budget| of(BestAt::Last, budget))?;
    if scorer.model.is_some() {
        add("best first, all fits", &|budget| of(BestAt::First, budget))?;
        add("best at the edges, all fits", &|budget| of(BestAt::Edges, budget))?;
    }
    for (side, name_of_side) in [(Side::Left, "cut left"), (Side::Right, "cut right")] {
        for share in [0.75, 0.5] {
            for (name, order) in ORDERS {
                add(&format!("{name}, {name_of_side} to {share}"), &|budget| {
                    let pieces = of(order, budget);
                    let all: usize = pieces.iter().map(|it| it.tokens).sum();
                    cut(pieces, (all as f64 * share) as usize, side)
                })?;
            }
        }
    }
    Ok(res)
}

/// Arranges pieces, which come best first.
fn arrange(mut pieces: Vec<ContextPiece>, order: BestAt) -> Vec<ContextPiece> {
    match order {
        BestAt::First => pieces,
        BestAt::Last => {
            pieces.reverse();
            pieces
        }
        BestAt::Edges => {
            let (mut head, mut tail) = (Vec::new(), Vec::new());
            for (idx, it) in pieces.into_iter().enumerate() {
                if idx % 2 == 0 { head.push(it) } else { tail.push(it) }
            }
            tail.reverse();
            head.extend(tail);
            head
        }
    }
}

/// The pieces that remain within `tokens` when one side is cut at whole lines.
fn cut(mut pieces: Vec<ContextPiece>, tokens: usize, side: Side) -> Vec<ContextPiece> {
    if matches!(side, Side::Left) {
        pieces.reverse();
    }
    let mut left = tokens;
    let mut res = Vec::new();
    for mut it in pieces {
        if it.tokens > left {
            let header = it.tokens.saturating_sub(count_tokens(&it.text));
            it.text = lines_that_fit(&it.text, left.saturating_sub(header), side);
            it.tokens = header + count_tokens(&it.text);
            if !it.text.is_empty() && it.tokens <= left {
                res.push(it);
            }
            break;
        }
        left -= it.tokens;
        res.push(it);
    }
    res
}

fn lines_that_fit(text: &str, tokens: usize, side: Side) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    while !lines.is_empty() && count_tokens(&lines.concat()) > tokens {
        match side {
            Side::Left => drop(lines.remove(0)),
            Side::Right => drop(lines.pop()),
        }
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> ContextPiece {
        ContextPiece {
            text: text.into(),
            tokens: count_tokens(text) + 2,
            ..ContextPiece::default()
        }
    }

    #[test]
    fn the_best_stand_at_both_edges() {
        let pieces = ["1", "2", "3", "4"].map(shown).to_vec();
        let texts = |order| {
            arrange(pieces.clone(), order).iter().map(|it| it.text.clone()).collect::<String>()
        };
        assert_eq!(ORDERS.map(|it| texts(it.1)), ["1234", "4321", "1342"]);
    }

    #[test]
    fn a_cut_takes_whole_lines_from_its_side() {
        let pieces = || vec![shown("first line\nsecond\n"), shown("third line\nfourth\n")];
        let all: usize = pieces().iter().map(|it| it.tokens).sum();
        let texts = |side| {
            let left = cut(pieces(), all - 1, side);
            assert!(left.iter().map(|it| it.tokens).sum::<usize>() < all);
            left.iter().map(|it| it.text.clone()).collect::<String>()
        };
        assert!(!texts(Side::Left).contains("first line") && texts(Side::Left).contains("second"));
        assert!(!texts(Side::Right).contains("fourth") && texts(Side::Right).contains("third"));
    }
}
