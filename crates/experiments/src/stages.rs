//! The coverage of the candidates after each stage, shown unchanged in its order until the budget is spent.
//!
//! * `retrieved`: every chunk on any list. Later stages can only lose from it.
//! * `oracle`: of those, greedily the chunk that covers most per token: what a perfect order would reach.
//! * `lexical`, `symbol`, …: one list in its order. `fused`, `reranked`: all lists, after these stages.
//! * `20 lines`, …: the reranked chunks, each cut to those of its lines that together have most of the query's words.
//! * `shown`: what the engine shows, with its forms and its rules of trimming.
//!
//! Where `reranked` is below `fused`, reranking does harm; where `shown` is below `reranked`, trimming does; where the
//! oracle is far above them, order is what limits; where `retrieved` is low, retrieval.

use std::collections::BTreeSet;

use anyhow::Result;
use foreword_engine::fuse::fuse;
use foreword_engine::index::ChunkId;
use foreword_engine::index::terms::{identifiers, terms_of};
use foreword_engine::preset::Preset;

use crate::ask::{Question, at_cursors};
use foreword_evaluate::baselines::{Offer, Overflow, Piece};
use foreword_evaluate::measures::coverage::{Coverage, Hole};
use foreword_evaluate::runs::completion::CompletionSettings;
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::table::{Observation, Table, observe};
use foreword_evaluate::tasks::corpus::count_tokens;
use foreword_evaluate::tasks::task::Task;

/// Runs the experiment.
pub(crate) fn stages(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Table>> {
    let ask = |retrieval: &Retrieval<'_>, task: &Task| ask(retrieval, task, &settings.budgets);
    at_cursors(settings, preset, &Question { name: "stages", reference: "shown", ask })
}

fn ask(
    retrieval: &Retrieval<'_>,
    task: &Task,
    budgets: &[Option<usize>],
) -> Result<Vec<Observation>> {
    let hole = retrieval.hole(task)?;
    let stages = Stages { retrieval, hole: &hole, budgets };
    let lists = &retrieval.ranking.lists;
    let mut res = Vec::new();
    for list in lists {
        let chunks: Vec<ChunkId> = list.hits.iter().map(|it| it.chunk).collect();
        res.extend(stages.in_order(list.signal.name(), &chunks));
    }
    let fused: Vec<ChunkId> =
        fuse(lists, &retrieval.preset.fuse).iter().map(|it| it.chunk).collect();
    let reranked: Vec<ChunkId> = retrieval.ranking.candidates.iter().map(|it| it.chunk).collect();
    res.extend(stages.in_order("fused", &fused));
    res.extend(stages.in_order("reranked", &reranked));
    for n in EXCERPTS {
        res.extend(stages.excerpts(&format!("{n} lines"), &reranked, n));
    }
    res.extend(observe("shown", budgets, |budget| hole.measure(&retrieval.within(budget))));
    let all: Vec<ChunkId> = lists.iter().flat_map(|it| &it.hits).map(|it| it.chunk).collect();
    res.extend(stages.oracle(&all));
    res.extend(observe("retrieved", &[None], |_| stages.everything(&all)));
    Ok(res)
}

/// Lines of an excerpt.
const EXCERPTS: [usize; 3] = [10, 20, 40];

struct Stages<'a> {
    retrieval: &'a Retrieval<'a>,
    hole: &'a Hole,
    budgets: &'a [Option<usize>],
}

impl Stages<'_> {
    /// The chunks in the given order, until the budget is spent.
    fn in_order(&self, name: &str, chunks: &[ChunkId]) -> Vec<Observation> {
        let offer = self.offer(chunks);
        observe(name, self.budgets, |budget| self.hole.measure(&offer.cut(budget, &count_tokens)))
    }

    /// The best `n` lines of each chunk, until the budget is spent.
    fn excerpts(&self, name: &str, chunks: &[ChunkId], n: usize) -> Vec<Observation> {
        let mut offer = self.offer(chunks);
        for piece in &mut offer.pieces {
            let lines: Vec<&str> = piece.text.split_inclusive('\n').collect();
            let first = best_lines(&lines.iter().map(|it| self.worth(it)).collect::<Vec<_>>(), n);
            let end = lines.len().min(first + n);
            piece.text = lines[first..end].concat();
            piece.start_line += first as u32;
            piece.end_line = piece.start_line + (end - first).max(1) as u32 - 1;
        }
        observe(name, self.budgets, |budget| self.hole.measure(&offer.cut(budget, &count_tokens)))
    }

    /// Weight of the query's words in a line.
    fn worth(&self, line: &str) -> f32 {
        let (snapshot, terms) =
            (self.retrieval.view.snapshot(), &self.retrieval.ranking.query.terms);
        let mut met = BTreeSet::new();
        let mut scratch = String::new();
        identifiers(line, |start, end| {
            terms_of(&line[start..end], &mut scratch, |term, _| {
                met.extend(terms.iter().position(|it| it.term == term));
            });
        });
        met.into_iter().map(|idx| terms[idx].weight * snapshot.idf(&terms[idx].term)).sum()
    }

    fn everything(&self, chunks: &[ChunkId]) -> Coverage {
        self.hole.measure(&self.offer(chunks).cut(None, &count_tokens))
    }

    /// Greedily the chunks with the highest coverage per token.
    fn oracle(&self, chunks: &[ChunkId]) -> Vec<Observation> {
        let mut left = self.offer(chunks).pieces;
        let mut had: BTreeSet<String> = BTreeSet::new();
        let mut pieces = Vec::new();
        let mut gains: Vec<(BTreeSet<String>, usize)> =
            left.iter().map(|it| self.gain(it)).collect();
        loop {
            let worth = |(names, tokens): &(BTreeSet<String>, usize)| {
                names.difference(&had).count() as f64 / *tokens as f64
            };
            let best = (0..left.len())
                .max_by(|a, b| worth(&gains[*a]).total_cmp(&worth(&gains[*b])).then(b.cmp(a)));
            let Some(best) = best.filter(|it| worth(&gains[*it]) > 0.0) else { break };
            pieces.push(left.remove(best));
            had.extend(gains.remove(best).0);
        }
        let offer = Offer { pieces, ..Offer::default() };
        observe("oracle", self.budgets, |budget| {
            self.hole.measure(&offer.cut(budget, &count_tokens))
        })
    }

    /// The wanted identifiers of a piece, and its tokens.
    fn gain(&self, piece: &Piece) -> (BTreeSet<String>, usize) {
        let offer = Offer { pieces: vec![piece.clone()], ..Offer::default() };
        let shown = offer.cut(None, &count_tokens);
        let tokens = shown.iter().map(|it| it.tokens).sum::<usize>().max(1);
        (self.hole.covered_by(&shown).into_iter().collect(), tokens)
    }

    /// The chunks, each once, without those that the window shows.
    fn offer(&self, chunks: &[ChunkId]) -> Offer {
        let mut seen = BTreeSet::new();
        let new = chunks.iter().filter(|it| seen.insert(**it));
        Offer { pieces: new.filter_map(|it| self.piece(*it)).collect(), ..Offer::default() }
    }

    fn piece(&self, chunk: ChunkId) -> Option<Piece> {
        let snapshot = self.retrieval.view.snapshot();
        let info = snapshot.chunk(chunk);
        let bytes = info.start as usize..info.end as usize;
        let is_own = Some(chunk.file) == self.retrieval.scope.file;
        let visible = &self.retrieval.window.visible;
        if is_own && visible.iter().any(|it| it.start < bytes.end && bytes.start < it.end) {
            return None;
        }
        Some(Piece {
            path: snapshot.path(chunk.file).to_owned(),
            start_line: info.start_line,
            end_line: info.end_line,
            text: snapshot.text(chunk.file).get(bytes)?.to_owned(),
            overflow: Overflow::KeepStart,
        })
    }
}

/// Start of the `n` consecutive lines with the highest total worth; the first of equal ones.
fn best_lines(worth: &[f32], n: usize) -> usize {
    let sum = |first: usize| -> f32 { worth[first..first + n].iter().sum() };
    let starts = 0..=worth.len().saturating_sub(n);
    if worth.len() <= n {
        return 0;
    }
    starts.max_by(|a, b| sum(*a).total_cmp(&sum(*b)).then(b.cmp(a))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::best_lines;

    #[test]
    fn the_best_lines_are_worth_most_together() {
        assert_eq!(best_lines(&[1.0, 0.0, 3.0, 2.0, 0.0], 2), 2);
        assert_eq!(best_lines(&[1.0, 1.0, 1.0], 2), 0);
        assert_eq!(best_lines(&[0.0, 5.0], 4), 0);
    }
}
