//! How often forecasts of a kind come true.

use crate::speculate::ForecastKind;

/// What comes true less often is not foretold.
pub(super) const LEAST: f32 = 0.05;

/// How likely forecasts of a kind are whose evidence fits this well, from 0 to 1.
///
/// What comes true seldom, or was foretold too seldom to tell, is below [`LEAST`]
/// (`benchmarks/results/speculation.md`). Of members, arms that a compiler asks for and undefined names, which
/// committed code does not lack, the numbers are an order and no measured shares.
pub(super) fn likelihood(kind: ForecastKind, age: Age, fit: f32) -> f32 {
    let (old, new) = match kind {
        ForecastKind::MissingMember => (0.6, 0.8),
        ForecastKind::UndefinedName => (0.5, 0.7),
        ForecastKind::MissingCase => (0.45, 0.65),
        ForecastKind::Model => (0.1, 0.1),
        ForecastKind::SiblingPart => (0.04, 0.04),
        ForecastKind::NextElement => (0.03, 0.03),
        ForecastKind::MissingTest | ForecastKind::Registration => (0.02, 0.04),
        ForecastKind::Counterpart | ForecastKind::Todo => (0.01, 0.01),
    };
    let base: f32 = if age == Age::SinceCommit { new } else { old };
    (base * fit).clamp(0.0, 1.0)
}

/// How likely a model's forecast is that it ranks this high, from 0 to 1.
pub(in crate::speculate) fn stated_likelihood(fit: f32) -> f32 {
    likelihood(ForecastKind::Model, Age::Before, fit)
}

/// When what a forecast rests on was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// Since the last commit.
    SinceCommit,
    /// Before it, or nobody knows.
    Before,
}
