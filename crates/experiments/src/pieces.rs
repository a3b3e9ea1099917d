//! Coverage of the hole per token by place, signal and form of the pieces, and the share of their filler lines.
//!
//! * `new`: the share of the hole's identifiers, words and lines that a piece explains and no better piece does, for 1,000
//!   tokens; `alone`: identifiers, whatever better pieces explain.
//! * `licence`, `imports`: lines of pieces that state a licence or import, unless the hole is in the head of its file.
//! * `repeated`: lines that a better piece has too; `copies`: lines of pieces that are written like a better one (at least
//!   four of five of the words that any of the two has are in both), but in other words.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use foreword_engine::evidence::{Feature, Signal};
use foreword_engine::index::terms::{identifiers, terms_of};
use foreword_engine::index::{Head, HeadPlace, Snapshot};
use foreword_engine::preset::Preset;
use foreword_engine::trim::Piece;
use serde::Serialize;

use foreword_evaluate::measures::coverage::{ContextPiece, Hole};
use foreword_evaluate::runs::completion::cursor::{CodeView, each, with_overlay};
use foreword_evaluate::runs::completion::retrieval::{Retrieval, context_piece};
use foreword_evaluate::runs::completion::{CompletionSettings, choose};
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::tasks::task::Task;

/// Pieces of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct PieceKind {
    /// The place, signal or form.
    pub(crate) name: String,
    /// Number of pieces.
    pub(crate) pieces: usize,
    /// Their tokens.
    pub(crate) tokens: usize,
    /// Sums over pieces of the share of the hole that each adds: identifiers, words, lines.
    pub(crate) new: [f64; 3],
    /// Sum over pieces of the share of the hole's identifiers that each contains.
    pub(crate) alone: f64,
}

/// Numbers of filler lines in pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct FillerLines {
    /// All lines with more than a bracket.
    pub(crate) lines: usize,
    /// Licence lines.
    pub(crate) licence: usize,
    /// Import lines.
    pub(crate) imports: usize,
    /// Lines that a better piece contains.
    pub(crate) repeated: usize,
    /// Lines of near copies of a better piece.
    pub(crate) copies: usize,
}

/// Coverage by the pieces within one budget.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PieceContent {
    /// Tokens for pieces.
    pub(crate) budget: usize,
    /// Number of tasks.
    pub(crate) tasks: usize,
    /// By place, signals and form.
    pub(crate) kinds: Vec<PieceKind>,
    /// Filler lines.
    pub(crate) filler: FillerLines,
}

/// The result of the experiment.
#[derive(Debug, Serialize)]
pub(crate) struct Pieces {
    /// By budget.
    pub(crate) carried: Vec<PieceContent>,
}

/// Runs the experiment.
pub(crate) fn pieces(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Pieces>> {
    let mut batch = choose(settings)?;
    let budget = |it: &Option<usize>| it.unwrap_or(preset.budget.total);
    let budgets: Vec<usize> = settings.budgets.iter().map(budget).collect();
    let one = |code: &CodeView<'_>, task: &Task| {
        with_overlay(settings.protocol, code, task, |view, cursor| {
            let retrieval = Retrieval::new(view, cursor, preset);
            let hole = retrieval.hole(task)?;
            Ok(budgets.iter().map(|it| carried(&retrieval, &hole, *it)).collect::<Vec<_>>())
        })
    };
    let asked = batch.ask(|tasks| each(settings, tasks, one));
    let failed = &batch.left_out.failed;
    ensure!(!asked.is_empty(), "no task could be asked: {}", failed.join("; "));
    let sum_at = |at: usize| asked.iter().map(|it| &it[at]).fold(PieceContent::default(), sum);
    let result = Pieces { carried: (0..budgets.len()).map(sum_at).collect() };
    Ok(Run::new(preset, batch, result))
}

/// The result as text.
pub(crate) fn text(run: &Run<Pieces>) -> String {
    let n = run.result.carried.first().map_or(0, |it| it.tasks);
    let mut res = run.left_out.first_line(n) + "\n";
    res += &format!("pieces; split {}, preset {}\n", run.split.name(), run.provenance.preset);
    for it in &run.result.carried {
        let FillerLines { lines, licence, imports, repeated, copies } = it.filler;
        let share = |n: usize| n as f64 / lines.max(1) as f64;
        res += &format!(
            "\n{} tokens: of {lines} lines licence {:.3}, imports {:.3}, repeated {:.3}, copies {:.3}\n",
            it.budget,
            share(licence),
            share(imports),
            share(repeated),
            share(copies)
        );
        res += "                        pieces   tokens      new a 1,000 tokens: identifiers   words   lines   alone\n";
        for it in &it.kinds {
            let rate = |sum: f64| sum * 1000.0 / it.tokens.max(1) as f64;
            let [names, words, lines] = it.new.map(rate);
            let PieceKind { name, pieces, tokens, alone, .. } = it;
            let alone = rate(*alone);
            res += &format!(
                "{name:<24} {pieces:>5} {tokens:>8} {names:>36.3} {words:>7.3} {lines:>7.3} {alone:>7.3}\n"
            );
        }
    }
    res
}

/// The pieces of one task, the best first.
fn carried(retrieval: &Retrieval<'_>, hole: &Hole, budget: usize) -> PieceContent {
    let mut pieces = retrieval.select(&retrieval.window, budget).pieces;
    pieces.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kinds: Vec<PieceKind> = KINDS
        .iter()
        .map(|it| PieceKind { name: it.0.to_owned(), ..PieceKind::default() })
        .collect();
    let (mut shown, mut before): (Vec<ContextPiece>, [f64; 3]) = (Vec::new(), [0.0; 3]);
    for (at, it) in pieces.iter().enumerate() {
        let alone = explained(hole, &[context_piece(it)])[0];
        shown.push(context_piece(it));
        let after = explained(hole, &shown);
        for (kind, (_, is_of_kind)) in kinds.iter_mut().zip(KINDS) {
            if is_of_kind(at, it) {
                kind.pieces += 1;
                kind.tokens += it.tokens;
                kind.alone += alone;
                (0..3).for_each(|which| kind.new[which] += after[which] - before[which]);
            }
        }
        before = after;
    }
    let filler = filler(retrieval.view.snapshot(), retrieval.scope.head, &pieces);
    PieceContent { budget, tasks: 1, kinds, filler }
}

fn explained(hole: &Hole, pieces: &[ContextPiece]) -> [f64; 3] {
    let it = hole.shown(pieces);
    [it.identifiers, it.tokens, it.lines].map(Option::unwrap_or_default)
}

/// A kind of pieces: its name, and whether a piece at a place (from 0) belongs to it.
type Kind = (&'static str, fn(usize, &Piece) -> bool);

/// By place, by signals, by form.
const KINDS: &[Kind] = &[
    ("first", |at, _| at == 0),
    ("2 to 3", |at, _| (1..3).contains(&at)),
    ("4 to 7", |at, _| (3..7).contains(&at)),
    ("8 to 15", |at, _| (7..15).contains(&at)),
    ("16 and after", |at, _| at >= 15),
    ("name only", |_, it| has(it, Signal::Symbol) && !has(it, Signal::Lexical)),
    ("name and words", |_, it| has(it, Signal::Symbol) && has(it, Signal::Lexical)),
    ("words, no name", |_, it| !has(it, Signal::Symbol) && has(it, Signal::Lexical)),
    ("neither", |_, it| {
        !has(it, Signal::Symbol) && !has(it, Signal::Lexical) && !has(it, Signal::Head)
    }),
    ("heads", |_, it| has(it, Signal::Head)),
    ("own file", |_, it| said(it, Feature::OwnFile)),
    ("written alike", |_, it| said(it, Feature::Likeness)),
    ("tests", |_, it| said(it, Feature::Test)),
    ("whole chunks", |_, it| it.form == foreword_engine::trim::Form::Chunk),
    ("excerpts", |_, it| it.form == foreword_engine::trim::Form::Excerpt),
];

fn has(it: &Piece, signal: Signal) -> bool {
    it.signals[signal].is_some()
}

fn said(it: &Piece, feature: Feature) -> bool {
    it.reasons.iter().any(|it| it.code() == feature.name())
}

/// Counts the filler lines of pieces, which come best first.
fn filler(snapshot: &Snapshot, head: Option<HeadPlace>, pieces: &[Piece]) -> FillerLines {
    let mut res = FillerLines::default();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut words: Vec<BTreeSet<String>> = Vec::new();
    for piece in pieces {
        let lines = telling_lines(&piece.text);
        res.lines += lines.len();
        if head.is_none() {
            let [licence, imports] = head_lines(snapshot, &piece.path);
            res.licence += lines.iter().filter(|it| licence.contains(*it)).count();
            res.imports += lines.iter().filter(|it| imports.contains(*it)).count();
        }
        let repeated = lines.iter().filter(|it| seen.contains(*it)).count();
        res.repeated += repeated;
        let own = words_of(&piece.text);
        let is_copy = |it: &BTreeSet<String>| {
            let both = own.intersection(it).count();
            both * 5 >= (own.len() + it.len() - both) * 4
        };
        if words.iter().any(is_copy) {
            res.copies += lines.len() - repeated;
        }
        words.push(own);
        seen.extend(lines);
    }
    res
}

fn telling_lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|it| it.len() > 3).map(str::to_owned).collect()
}

/// The lines of a file's licence, and of its imports.
fn head_lines(snapshot: &Snapshot, path: &str) -> [BTreeSet<String>; 2] {
    let Some(file) = snapshot.file(path) else { return Default::default() };
    let (text, record) = snapshot.contents(file);
    let Head { licence, imports, .. } = Head::new(&text, &record);
    [licence, imports]
        .map(|ranges| ranges.into_iter().flat_map(|it| telling_lines(&text[it])).collect())
}

fn words_of(text: &str) -> BTreeSet<String> {
    let (mut res, mut scratch) = (BTreeSet::new(), String::new());
    identifiers(text, |start, end| {
        terms_of(&text[start..end], &mut scratch, |term, _| {
            res.insert(term.to_owned());
        });
    });
    res
}

fn sum(mut all: PieceContent, one: &PieceContent) -> PieceContent {
    all.budget = one.budget;
    all.tasks += one.tasks;
    if all.kinds.is_empty() {
        all.kinds.clone_from(&one.kinds);
    } else {
        for (all, one) in all.kinds.iter_mut().zip(&one.kinds) {
            all.pieces += one.pieces;
            all.tokens += one.tokens;
            all.alone += one.alone;
            (0..3).for_each(|it| all.new[it] += one.new[it]);
        }
    }
    let FillerLines { lines, licence, imports, repeated, copies } = one.filler;
    all.filler.lines += lines;
    all.filler.licence += licence;
    all.filler.imports += imports;
    all.filler.repeated += repeated;
    all.filler.copies += copies;
    all
}
