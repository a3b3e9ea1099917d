//! What is likely to be added to a file, foretold without a model: by what its types must have, its siblings have, its
//! comments promise and its names imply.
//!
//! Each rule is a file of `rules` and reads the index; code is written by analogy, as that of the nearest sibling with
//! the names replaced ([`draft`], [`words`]). What cannot be true is thrown out by [`validate()`], which judges a model's
//! forecasts as well. What seldom came true in the histories of repositories is left off
//! ([`likelihood`], `benchmarks/results/speculation.md`).

mod draft;
mod facts;
mod likelihood;
mod rules;
#[cfg(test)]
mod tests;
mod validate;
mod view;
mod words;

use std::rc::Rc;

use foreword_chunk::{Language, LineIndex};

use self::draft::Draft;
use self::facts::Facts;
pub(super) use self::likelihood::stated_likelihood;
use self::likelihood::{Age, likelihood};
pub(super) use self::validate::lines_of;
pub use self::validate::{Flaw, Limits, Rejection, Verdict, validate};
use self::view::FileView;
use super::{Citation, FORECASTS, Forecast};
use crate::index::{FileId, FileRole, Snapshot};
use crate::scope::Resolver;
use crate::sorting::sort_by;

/// Longer files are data or generated: nobody writes the next part of them.
const LONGEST: u32 = 400_000;

/// What is foretold.
#[derive(Clone, Debug, PartialEq)]
pub struct ForecastConfig {
    /// Forecasts of a file at the most.
    pub most: usize,
    /// A forecast that is less likely than this is left out.
    pub least: f32,
    /// Whether what was edited since the last commit is likelier to be gone on with.
    pub recency: Recency,
    /// What forecasts may be at the most.
    pub limits: Limits,
}

/// Whether it counts what was edited since the last commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recency {
    /// It does: the answer is for a cursor, now.
    Counts,
    /// It does not: the answer is kept, and the files alone decide it.
    Ignored,
}

impl ForecastConfig {
    /// Forecasts that come true often enough to be shown.
    pub const fn in_force() -> Self {
        Self {
            most: FORECASTS,
            least: likelihood::LEAST,
            recency: Recency::Ignored,
            limits: Limits::in_force(),
        }
    }

    /// Forecasts of every kind, as many as there are: what an evaluation asks for.
    pub const fn all() -> Self {
        Self {
            most: Limits::in_force().forecasts,
            least: 0.0,
            recency: Recency::Counts,
            limits: Limits::in_force(),
        }
    }
}

/// What is likely to be added to a file, the likeliest first, and what was thrown out.
pub fn forecast(
    snapshot: &Snapshot,
    resolver: &Resolver,
    file: FileId,
    config: &ForecastConfig,
) -> Verdict {
    let role = snapshot.role(file);
    let is_code = snapshot.language(file).is_some_and(Language::is_code);
    let is_read = !matches!(role, FileRole::ThirdParty | FileRole::Prose | FileRole::Data);
    if !is_read || !is_code || snapshot.size(file).0 > LONGEST {
        return Verdict::default();
    }
    let facts = Facts::new(snapshot, resolver);
    let view = facts.view(file);
    let scored = |it: Draft| {
        let is_fresh =
            config.recency == Recency::Counts && it.evidence.iter().any(|it| is_new(snapshot, it));
        let age = if is_fresh { Age::SinceCommit } else { Age::Before };
        let score = likelihood(it.kind, age, it.fit);
        it.into_forecast(view.path, score)
    };
    let found = drafts(&facts, &view).into_iter().map(scored);
    let mut found: Vec<Forecast> = found.filter(|it| it.score >= config.least).collect();
    sort_by(&mut found, |a, b| {
        let key = |it: &Forecast| (it.kind, it.target.line, it.name.clone());
        b.score.total_cmp(&a.score).then_with(|| key(a).cmp(&key(b)))
    });
    found.truncate(config.most * 2);
    let mut verdict = validate(snapshot, found, &config.limits);
    verdict.accepted.truncate(config.most);
    verdict
}

/// What the rules say of a file.
fn drafts<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    let rules = [
        rules::members,
        rules::arms,
        rules::undefined,
        rules::registrations,
        rules::tests_of,
        rules::siblings,
        rules::counterparts,
        rules::series,
        rules::todos,
    ];
    rules.into_iter().flat_map(|rule| rule(facts, view)).collect()
}

/// Whether what is cited was edited since the last commit.
fn is_new(snapshot: &Snapshot, citation: &Citation) -> bool {
    let place = &citation.place;
    let (Some(diff), Some(file)) = (snapshot.diff().file(&place.path), snapshot.file(&place.path))
    else {
        return false;
    };
    let text = snapshot.text(file);
    let lines = LineIndex::new(text.as_bytes());
    let line_of = |at: usize| lines.line_of(at);
    diff.hunks.iter().any(|it| {
        !it.range.is_empty()
            && line_of(it.range.start) <= place.last_line
            && place.first_line <= line_of(it.range.end - 1)
    })
}
