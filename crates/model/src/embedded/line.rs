//! Beam search over tokens for the likeliest line: to the end of the line, or to the rest of the line.

use std::time::Instant;

use crate::ngram::lexer::{Kind, Renderer};
use crate::ngram::{BEGIN, END, History, Mixture, Model, Side};

use super::copy::{self, CopyPrediction};
use super::preset::{
    BEAM_WIDTH, HISTORY_TOKENS, MAX_LINE_TOKENS, MIN_CANDIDATES, MIN_LOG2, NEXT_OCCURRENCES,
};
use super::start::Start;
use super::suffix::Suffix;

/// An unfinished or finished line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) history: History,
    pub(super) renderer: Renderer,
    /// Base-2 logarithm of its probability.
    pub(super) log2: f64,
    pub(super) tokens: usize,
    /// Whether it has visible text besides the typed part.
    pub(super) has_text: bool,
}

/// A possible next token.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    token: u32,
    probability: f64,
}

/// A line and its next token. Most of these are dropped, so the line is copied for the best alone.
#[derive(Clone, Copy, Debug)]
struct Growth<'l> {
    line: &'l Line,
    token: u32,
    gap: &'l str,
    /// Base-2 logarithm of the probability of the longer line.
    log2: f64,
}

/// Start of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum LineStart<'s> {
    /// After the typed text.
    Typed(&'s Start),
    /// After a line break: the next line of a block.
    Break,
}

/// Input of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'s> {
    pub(super) model: &'s Model,
    pub(super) suffix: &'s Suffix,
    /// Time at which the search ends with its best lines so far.
    pub(super) deadline: Option<Instant>,
}

impl Search<'_> {
    /// The `n` likeliest lines, best first.
    pub(super) fn lines(&self, start: &Start, n: usize) -> Vec<Line> {
        let mut history = start.history.clone();
        history.forget(HISTORY_TOKENS);
        history.count();
        let line =
            Line { history, renderer: start.renderer(), log2: 0.0, tokens: 0, has_text: false };
        self.continued(line, LineStart::Typed(start), n)
    }

    /// The `n` likeliest continuations of `line` to the end of a line, best first.
    pub(super) fn continued<'l>(&'l self, line: Line, first: LineStart<'l>, n: usize) -> Vec<Line> {
        let (mut live, mut done) = (vec![line], Vec::new());
        for step in 0..MAX_LINE_TOKENS {
            if live.is_empty() || self.is_late() {
                break;
            }
            let first = (step == 0).then_some(first);
            let mut grown = Vec::new();
            for line in &live {
                expand(self.model, line, first, self.suffix, &mut grown, &mut done);
            }
            sort(&mut grown, |it| it.log2, |it| self.rendered(it).text().to_owned());
            sort(&mut done, |it| it.log2, |it| it.renderer.text().to_owned());
            done.truncate(n);
            grown.truncate(BEAM_WIDTH.max(n));
            let worst_done = if done.len() == n { done[n - 1].log2 } else { MIN_LOG2 };
            grown.retain(|it| it.log2 > worst_done);
            live = grown.iter().map(|it| self.line(it, first)).collect();
        }
        done
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|it| Instant::now() >= it)
    }

    fn rendered(&self, it: &Growth<'_>) -> Renderer {
        let mut res = it.line.renderer.clone();
        res.push(it.gap, self.model.vocabulary().spelling(it.token));
        res
    }

    /// The longer line.
    fn line(&self, it: &Growth<'_>, first: Option<LineStart<'_>>) -> Line {
        let renderer = self.rendered(it);
        let mut history = it.line.history.clone();
        history.tokens.push(it.token);
        history.kind = kind(self.model, it.token);
        let has_text = match first {
            Some(LineStart::Typed(start)) => !start.strip(renderer.text()).trim().is_empty(),
            Some(LineStart::Break) => false,
            None => true,
        };
        Line { history, renderer, log2: it.log2, tokens: it.line.tokens + 1, has_text }
    }
}

/// Likeliest first, equally likely ones by text.
fn sort<T>(lines: &mut [T], log2: impl Fn(&T) -> f64, text: impl Fn(&T) -> String) {
    lines.sort_by(|a, b| log2(b).total_cmp(&log2(a)).then_with(|| text(a).cmp(&text(b))));
}

/// All lines that are one token longer, and the line itself if it may end.
fn expand<'l>(
    model: &Model,
    line: &'l Line,
    first: Option<LineStart<'l>>,
    suffix: &Suffix,
    grown: &mut Vec<Growth<'l>>,
    done: &mut Vec<Line>,
) {
    let mixture = model.mixture(&line.history);
    let copied = copy::longest(&mixture, &line.history);
    let mut ending = 0.0;
    let mut candidates = candidates(model, &mixture, copied, first);
    candidates.truncate(2 * BEAM_WIDTH);
    for next in &candidates {
        let is_break = next.token == END || kind(model, next.token) == Kind::Break;
        match first {
            Some(_) => {}
            None if is_break => {
                ending += next.probability;
                continue;
            }
            None if line.has_text && suffix.join.first() == Some(&next.token) => {
                let rest = joined(model, line, &suffix.join);
                done.push(Line { log2: line.log2 + rest, ..line.clone() });
            }
            None => {}
        }
        if next.token != END {
            grown.push(extended(model, line, next, first));
        }
    }
    if ending > 0.0 && suffix.join.is_empty() && line.has_text {
        done.push(Line { log2: line.log2 + f64::min(ending, 1.0).log2(), ..line.clone() });
    }
}

/// Possible next tokens, likeliest first.
fn candidates(
    model: &Model,
    mixture: &Mixture<'_>,
    copied: Option<CopyPrediction>,
    first: Option<LineStart<'_>>,
) -> Vec<Candidate> {
    let trust = copied.map_or(0.0, |it| it.trust);
    let candidate = |token: u32| {
        let by_copy = copied.filter(|it| it.token == token).map_or(0.0, |it| it.trust);
        let by_count = (1.0 - mixture.new) * mixture.counted(token);
        Candidate { token, probability: by_copy + (1.0 - trust) * by_count }
    };
    let tokens = candidate_tokens(model, mixture, copied, first);
    let mut res: Vec<Candidate> = tokens.into_iter().map(candidate).collect();
    // The first token must continue the typed text, so the probabilities are renormalised over such tokens.
    if let Some(LineStart::Typed(start)) = first {
        let sum: f64 = res.iter().map(|it| it.probability).sum();
        let unseen = if start.is_free() { 1.0 } else { sum + mixture.new * (1.0 - trust) };
        res.iter_mut().for_each(|it| it.probability /= unseen.max(f64::MIN_POSITIVE));
    }
    let spelling = |it: &Candidate| model.vocabulary().spelling(it.token);
    res.sort_by(|a, b| {
        b.probability.total_cmp(&a.probability).then_with(|| spelling(a).cmp(spelling(b)))
    });
    res
}

/// Tokens to consider: those that follow the same context in some scope, shortening the context until there are enough;
/// at the start of a line all that continue the typed text.
fn candidate_tokens(
    model: &Model,
    mixture: &Mixture<'_>,
    copied: Option<CopyPrediction>,
    first: Option<LineStart<'_>>,
) -> Vec<u32> {
    let mut res: Vec<u32> = copied.iter().map(|it| it.token).collect();
    for view in mixture.views() {
        let mut found = 0;
        for k in (1..=view.longest()).rev() {
            if found >= MIN_CANDIDATES {
                break;
            }
            let before = res.len();
            res.extend(view.occurrences(k, NEXT_OCCURRENCES).into_iter().map(|it| view.token(it)));
            res[before..].sort_unstable();
            res.dedup();
            found = res.len() - before.min(res.len());
        }
    }
    if first.is_some() {
        res.extend(model.types());
    }
    res.sort_unstable();
    res.dedup();
    if let Some(first) = first {
        res.retain(|it| admits(first, model.vocabulary().spelling(*it)));
    }
    res
}

fn admits(first: LineStart<'_>, spelling: &str) -> bool {
    match first {
        LineStart::Typed(start) => !spelling.is_empty() && start.admits(spelling),
        LineStart::Break => spelling.contains('\n'),
    }
}

/// The line with one more token.
fn extended<'l>(
    model: &Model,
    line: &'l Line,
    next: &Candidate,
    first: Option<LineStart<'l>>,
) -> Growth<'l> {
    let kind = kind(model, next.token);
    let typed = match first {
        Some(LineStart::Typed(start)) => start.gap(),
        _ => None,
    };
    let (gap, sure) = match typed {
        Some(gap) => (gap, 1.0),
        None if kind == Kind::Break => ("", 1.0),
        None => gap(model, line, Side { number: next.token, kind }),
    };
    let log2 = line.log2 + (next.probability.log2() + f64::log2(sure));
    Growth { line, token: next.token, gap, log2 }
}

/// The likeliest whitespace before a token.
fn gap(model: &Model, line: &Line, after: Side) -> (&'static str, f64) {
    let number = *line.history.tokens.last().unwrap_or(&BEGIN);
    let before = Side { number, kind: line.history.kind };
    let [none, space, _] = model.gaps().probabilities(before, after);
    if space > none { (" ", space) } else { ("", none) }
}

/// Base-2 logarithm of the probability that the line continues with `join`.
fn joined(model: &Model, line: &Line, join: &[u32]) -> f64 {
    let mut history = line.history.clone();
    let mut res = 0.0;
    for token in join {
        let mixture = model.mixture(&history);
        let copied = copy::longest(&mixture, &history);
        let trust = copied.map_or(0.0, |it| it.trust);
        let by_copy = copied.filter(|it| it.token == *token).map_or(0.0, |it| it.trust);
        let probability = by_copy + (1.0 - trust) * (1.0 - mixture.new) * mixture.counted(*token);
        res += probability.max(1e-6).log2();
        history.tokens.push(*token);
        history.kind = kind(model, *token);
    }
    res
}

/// Token kind of a spelling.
pub(super) fn kind(model: &Model, token: u32) -> Kind {
    let spelling = model.vocabulary().spelling(token);
    match spelling.chars().next() {
        Some(c) if c.is_ascii_digit() => Kind::Number,
        Some(c) if c.is_alphanumeric() || c == '_' => Kind::Word,
        _ if spelling.contains('\n') => Kind::Break,
        Some(c) if c.is_ascii_whitespace() => Kind::Blank,
        _ => Kind::Mark,
    }
}
