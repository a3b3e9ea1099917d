//! `--set key=value`: the numbers of a preset by name, for sweeps.

use anyhow::{Context as _, Result, bail};
use foreword_engine::fuse::{FuseConfig, Method};
use foreword_engine::index::bm25::Bm25;
use foreword_engine::preset::Preset;
use foreword_engine::rerank::RerankConfig;
use foreword_engine::retrieve::QueryConfig;
use foreword_engine::trim::Budget;

/// A number of a preset.
enum Slot<'p> {
    Float(&'p mut f32),
    Count(&'p mut usize),
    /// k of reciprocal rank fusion; 0 takes scores.
    Method(&'p mut Method),
}

/// Every number that can be set, by its name.
fn slots(preset: &mut Preset) -> Vec<Named<'_>> {
    let Preset { query, bm25, list, fuse, rerank, budget } = preset;
    let mut res = of_query(query);
    res.push(("list", Slot::Count(list)));
    res.extend(of_scores(bm25, fuse));
    res.extend(of_rerank(rerank));
    res.extend(of_budget(budget));
    res
}

/// A number and its name.
type Named<'p> = (&'static str, Slot<'p>);

fn of_query(query: &mut QueryConfig) -> Vec<Named<'_>> {
    vec![
        ("query.max_terms", Slot::Count(&mut query.max_terms)),
        ("query.sub_word", Slot::Float(&mut query.sub_word)),
        ("query.lines_before", Slot::Count(&mut query.lines_before)),
        ("query.lines_after", Slot::Count(&mut query.lines_after)),
        ("query.half_life", Slot::Float(&mut query.half_life)),
        ("query.after", Slot::Float(&mut query.after)),
        ("query.callee", Slot::Float(&mut query.callee)),
        ("query.intent", Slot::Float(&mut query.intent)),
        ("query.changed", Slot::Float(&mut query.changed)),
        ("query.scope", Slot::Float(&mut query.scope)),
        ("query.max_share", Slot::Float(&mut query.max_share)),
    ]
}

fn of_scores<'p>(bm25: &'p mut Bm25, fuse: &'p mut FuseConfig) -> Vec<Named<'p>> {
    let [w0, w1, w2, w3] = &mut bm25.weights;
    let [f0, f1, f2, f3, f4] = fuse.weights.each_mut();
    vec![
        ("bm25.k1", Slot::Float(&mut bm25.k1)),
        ("bm25.b", Slot::Float(&mut bm25.b)),
        ("bm25.w0", Slot::Float(w0)),
        ("bm25.w1", Slot::Float(w1)),
        ("bm25.w2", Slot::Float(w2)),
        ("bm25.w3", Slot::Float(w3)),
        ("fuse.w0", Slot::Float(f0)),
        ("fuse.w1", Slot::Float(f1)),
        ("fuse.w2", Slot::Float(f2)),
        ("fuse.w3", Slot::Float(f3)),
        ("fuse.w4", Slot::Float(f4)),
        ("fuse.k", Slot::Method(&mut fuse.method)),
    ]
}

fn of_rerank(rerank: &mut RerankConfig) -> Vec<Named<'_>> {
    vec![
        ("rerank.depth", Slot::Count(&mut rerank.depth)),
        ("rerank.defines_words", Slot::Float(&mut rerank.defines_words)),
        ("rerank.defines_name", Slot::Float(&mut rerank.defines_name)),
        ("rerank.stem", Slot::Float(&mut rerank.stem)),
        ("rerank.coherence", Slot::Float(&mut rerank.coherence)),
        ("rerank.same_file", Slot::Float(&mut rerank.same_file)),
        ("rerank.tests", Slot::Float(&mut rerank.tests)),
        ("rerank.periphery", Slot::Float(&mut rerank.periphery)),
        ("rerank.gathering", Slot::Float(&mut rerank.gathering)),
        ("rerank.prose", Slot::Float(&mut rerank.prose)),
        ("rerank.data", Slot::Float(&mut rerank.data)),
        ("rerank.alike", Slot::Float(&mut rerank.alike)),
        ("rerank.own_file", Slot::Float(&mut rerank.own_file)),
    ]
}

fn of_budget(budget: &mut Budget) -> Vec<Named<'_>> {
    vec![
        ("budget.total", Slot::Count(&mut budget.total)),
        ("budget.prefix", Slot::Float(&mut budget.prefix)),
        ("budget.suffix", Slot::Float(&mut budget.suffix)),
        ("budget.piece", Slot::Float(&mut budget.piece)),
        ("budget.excerpt", Slot::Count(&mut budget.excerpt)),
        ("budget.max_pieces", Slot::Count(&mut budget.max_pieces)),
        ("budget.least_score", Slot::Float(&mut budget.least_score)),
    ]
}

/// A number of a preset as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// By which it is set.
    pub key: &'static str,
    /// Its value; 0 for fusion by scores.
    pub value: f64,
    /// Whether it is a whole number.
    pub is_count: bool,
}

/// Every number of a preset.
pub fn numbers(mut preset: Preset) -> Vec<Number> {
    // By its decimal digits: 0.2 is 0.2 and not 0.20000000298.
    let digits = |it: f32| it.to_string().parse().unwrap_or(f64::from(it));
    let number = |(key, slot): Named<'_>| match slot {
        Slot::Float(it) => Number { key, value: digits(*it), is_count: false },
        Slot::Count(it) => Number { key, value: *it as f64, is_count: true },
        Slot::Method(Method::Reciprocal { k }) => {
            Number { key, value: digits(*k), is_count: false }
        }
        Slot::Method(Method::Scores) => Number { key, value: 0.0, is_count: false },
    };
    slots(&mut preset).into_iter().map(number).collect()
}

/// Sets the number called `key`. An unknown key is an error that lists the known ones.
pub fn set(preset: &mut Preset, key: &str, value: &str) -> Result<()> {
    let mut slots = slots(preset);
    let Some((_, slot)) = slots.iter_mut().find(|it| it.0 == key) else {
        let keys: Vec<&str> = slots.iter().map(|it| it.0).collect();
        bail!("no setting is called `{key}`; there are: {}", keys.join(", "));
    };
    let wrong = || format!("`{value}` is no value for {key}");
    match slot {
        Slot::Float(slot) => **slot = value.parse().with_context(wrong)?,
        Slot::Count(slot) => **slot = value.parse().with_context(wrong)?,
        Slot::Method(slot) => {
            let k: f32 = value.parse().with_context(wrong)?;
            **slot = if k > 0.0 { Method::Reciprocal { k } } else { Method::Scores };
        }
    }
    Ok(())
}

/// Applies `key=value` pairs in order.
pub fn apply(mut preset: Preset, pairs: &[String]) -> Result<Preset> {
    for pair in pairs {
        let (key, value) =
            pair.split_once('=').with_context(|| format!("`{pair}` should be key=value"))?;
        set(&mut preset, key.trim(), value.trim())?;
    }
    Ok(preset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::preset;

    #[test]
    fn a_named_number_changes_and_nothing_else_does() {
        let pairs = ["bm25.w1=3".to_owned(), "list=20".to_owned()];
        let changed = apply(preset::search(), &pairs).unwrap();
        let mut expect = preset::search();
        expect.bm25.weights[1] = 3.0;
        expect.list = 20;
        assert_eq!(changed, expect);
    }

    #[test]
    fn the_way_of_fusing_is_a_number_too() {
        let changed = apply(preset::search(), &["fuse.k=60".to_owned()]).unwrap();
        assert_eq!(changed.fuse.method, Method::Reciprocal { k: 60.0 });
    }

    #[test]
    fn an_unknown_key_names_the_known_ones() {
        let error = apply(preset::search(), &["stem=2".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("rerank.stem"), "{error}");
        assert!(apply(preset::search(), &["list=x".to_owned()]).is_err());
        assert!(apply(preset::search(), &["list".to_owned()]).is_err());
    }

    #[test]
    fn every_key_is_there_once() {
        let mut preset = preset::search();
        let mut keys: Vec<_> = slots(&mut preset).into_iter().map(|it| it.0).collect();
        keys.sort_unstable();
        assert!(keys.is_sorted_by(|a, b| a < b));
    }
}
