//! What could stand at a cursor, by the embedded model or one from a file, and the context that the engine finds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foreword_engine::context::{Found, Situation, pieces};
use foreword_engine::order::Truncation;
use foreword_engine::preset;
use foreword_engine::prompt::{Composed, Target, prompt};
use foreword_engine::scope::Cursor;
use foreword_engine::trim::Piece;
use foreword_model::clean::{Place, Writer, clean, enough};
use foreword_model::embedded::{Extent, Hole, complete_until};
use foreword_model::request::{Ask, Request};

use super::prompt::fill;
use super::tokens;
use crate::local::Local;

/// Tokens of context that the model reads.
const TOKENS: usize = 2048;

/// A shorter line stands in too many places to come from one.
const TELLING: usize = 8;

/// A text to insert at the cursor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Suggestion {
    pub(crate) text: String,
    /// How often such a suggestion is right, between 0 and 1.
    pub(crate) confidence: f64,
    /// The places of the context that have its first line: a path, and a line that counts from 1.
    pub(crate) sources: Vec<(String, u32)>,
}

/// What is wanted of a completion.
pub(crate) struct Wish<'w> {
    /// When an answer is no use any more.
    pub(crate) deadline: Instant,
    /// Most lines.
    pub(crate) lines: usize,
    /// Whether nobody waits any more.
    pub(crate) stopped: &'w dyn Fn() -> bool,
}

/// The likeliest text at the cursor; none where nothing is likely, or nobody waits.
pub(crate) fn complete(
    situation: &Situation<'_>,
    cursor: &Cursor,
    wish: &Wish<'_>,
) -> anyhow::Result<Option<Suggestion>> {
    let context = context(situation, cursor)?;
    if (wish.stopped)() {
        return Ok(None);
    }
    let (prefix, suffix) = (cursor.prefix(), cursor.suffix());
    let extent = extent(cursor, wish);
    let shown: Vec<&str> = context.iter().map(|it| it.text.as_str()).collect();
    let hole = Hole { prefix, suffix, pieces: &shown, nearby: &[], background: None };
    let found = complete_until(&hole, extent, 1, Some(wish.deadline)).into_iter().next();
    let place = Place { prefix, suffix, extent, writer: Writer::Base, ..Place::default() };
    Ok(found.and_then(|it| {
        let text = clean(&it.text, &place).text;
        let sources = sources(prefix, &text, &context);
        let confidence = it.confidence;
        (!text.trim().is_empty()).then_some(Suggestion { text, confidence, sources })
    }))
}

fn extent(cursor: &Cursor, wish: &Wish<'_>) -> Extent {
    match (wish.lines, Extent::at(cursor.prefix(), cursor.suffix())) {
        (0 | 1, _) | (_, Extent::Line) => Extent::Line,
        (lines, Extent::Block(most)) => Extent::Block(most.min(lines - 1)),
    }
}

/// A model that is sent a prompt, and how many tokens that may have.
pub(crate) struct Prompted {
    pub(crate) local: Arc<Local>,
    pub(crate) budget: usize,
}

/// Tokens of an answer at the most.
const ANSWER: usize = 128;

/// How often it is asked whether somebody still waits.
const BEAT: Duration = Duration::from_millis(10);

impl Prompted {
    /// The same as [`complete`], by this model; `repository` is for formats that name it.
    pub(crate) fn complete(
        &self,
        situation: &Situation<'_>,
        cursor: &Cursor,
        repository: &str,
        wish: &Wish<'_>,
    ) -> anyhow::Result<Option<Suggestion>> {
        let composed = self.compose(situation, cursor, repository)?;
        let place = Place {
            prefix: cursor.prefix(),
            suffix: cursor.suffix(),
            stop: &composed.prompt.stop,
            specials: self.local.format.specials,
            extent: extent(cursor, wish),
            writer: Writer::Base,
        };
        let request = self.request(&composed, &place, wish);
        let mut ignored = |_: &str| {};
        let answered = foreword_model::wait(async {
            tokio::select! {
                answer = self.local.model.answer(&request, &mut ignored) => Some(answer),
                () = until(wish.stopped) => None,
            }
        });
        let Some(answer) = answered else { return Ok(None) };
        let first = answer?.choices.into_iter().next();
        Ok(first.and_then(|it| {
            let text = clean(&it.text, &place).text;
            let sources = sources(cursor.prefix(), &text, &composed.choice.pieces);
            let confidence = it.confidence.unwrap_or_default();
            (!text.trim().is_empty()).then_some(Suggestion { text, confidence, sources })
        }))
    }

    fn compose(
        &self,
        situation: &Situation<'_>,
        cursor: &Cursor,
        repository: &str,
    ) -> anyhow::Result<Composed> {
        let Local { format, counter, .. } = &*self.local;
        let budget = self.local.budget(self.budget, ANSWER)?;
        let count = |text: &str| counter.count(text);
        let mut preset = preset::context();
        preset.budget = preset::budget(budget.saturating_sub(counter.added()));
        let Found { scope, ranked, window } = situation.find(cursor, &preset, &count);
        let target = Target { format, repository, count: &count };
        Ok(prompt(situation, cursor, &scope, &window, &ranked, &preset, target)?)
    }

    fn request(&self, composed: &Composed, place: &Place<'_>, wish: &Wish<'_>) -> Request {
        Request {
            ask: Ask::Fill(fill(composed, self.local.format)),
            extent: place.extent,
            max_tokens: ANSWER,
            stop: Vec::new(),
            temperature: 0.0,
            n: 1,
            deadline: Some(wish.deadline),
            enough: Some(enough(place)),
        }
    }
}

/// Waits until nobody waits any more.
async fn until(stopped: &dyn Fn() -> bool) {
    while !stopped() {
        tokio::time::sleep(BEAT).await;
    }
}

/// Where the pieces have the line that the first line of `text` completes.
fn sources(prefix: &str, text: &str, context: &[Piece]) -> Vec<(String, u32)> {
    let begun = prefix.rsplit('\n').next().unwrap_or_default();
    let line = format!("{begun}{}", text.lines().next().unwrap_or_default());
    let line = line.trim();
    let place = |it: &Piece| {
        let row = it.text.lines().position(|other| other.trim() == line)?;
        Some((it.path.clone(), it.start_line + row as u32))
    };
    let said = text.lines().next().unwrap_or_default().trim();
    if said.len() < TELLING { Vec::new() } else { context.iter().filter_map(place).collect() }
}

fn context(situation: &Situation<'_>, cursor: &Cursor) -> anyhow::Result<Vec<Piece>> {
    let counter = tokens::general()?;
    let count = |text: &str| counter.count(text);
    let preset = preset::context();
    let Found { scope, ranked, window } = situation.find(cursor, &preset, &count);
    let truncation = Truncation::Left;
    let chosen = pieces(situation, &scope, &window, &ranked, &preset, truncation, TOKENS, &count);
    Ok(chosen.pieces)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use foreword_engine::index::{IndexConfig, Snapshot};

    use super::*;

    #[track_caller]
    fn check(begun: &str, expect: Option<&str>) {
        let line =
            |name: &str| format!("    register(registry, '{name}', priority=10, reload=True)\n");
        let lines: String = ["alpha", "beta", "gamma"].map(line).concat();
        let text = format!("def install(registry):\n{lines}    {begun}\n");
        let offset = text.len() - 1;
        let cursor =
            Cursor { path: "a.py".to_owned(), text, offset, resume: offset, ..Cursor::default() };
        let snapshot = Snapshot::empty(IndexConfig::default());
        let deadline = Instant::now() + Duration::from_mins(1);
        let wish = Wish { deadline, lines: 8, stopped: &|| false };
        let found = complete(&Situation::new(&snapshot, &cursor).unwrap(), &cursor, &wish).unwrap();
        assert_eq!(found.map(|it| it.text).as_deref(), expect, "{begun}");
    }

    #[test]
    fn a_line_is_finished_wherever_it_is_left() {
        check("register(registry, 'delta', ", Some("priority=10, reload=True)"));
        check("register(registry, 'delta', prio", Some("rity=10, reload=True)"));
        check("register(registry, 'delta', priority=10, reload=", Some("True)"));
    }

    #[test]
    fn nobody_waits_for_nothing() {
        let cursor = Cursor { path: "a.py".to_owned(), ..Cursor::default() };
        let snapshot = Snapshot::empty(IndexConfig::default());
        let wish = Wish { deadline: Instant::now(), lines: 1, stopped: &|| true };
        assert_eq!(
            complete(&Situation::new(&snapshot, &cursor).unwrap(), &cursor, &wish).unwrap(),
            None
        );
    }
}
