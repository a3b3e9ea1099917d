//! How often forecasts of a kind come true.

use crate::speculate::ForecastKind;

/// What comes true less often is not foretold.
pub(super) const LEAST: f32 = 0.05;

/// How likely forecasts of a kind are whose evidence fits this well, from 0 to 1.
pub(super) fn likelihood(kind: ForecastKind, age: Age, fit: f32) -> f32 {
    let (old, new) = match kind {
        ForecastKind::MissingMember => (0.5, 0.75),
        ForecastKind::MissingCase => (0.4, 0.6),
        ForecastKind::UndefinedName => (0.5, 0.75),
        ForecastKind::Registration => (0.3, 0.45),
        ForecastKind::MissingTest => (0.2, 0.3),
        ForecastKind::SiblingPart => (0.01, 0.02),
        ForecastKind::Counterpart => (0.01, 0.02),
        ForecastKind::NextElement => (0.02, 0.03),
        ForecastKind::Todo => (0.01, 0.01),
        ForecastKind::Model => (0.1, 0.1),
    };
    let base: f32 = if age == Age::SinceCommit { new } else { old };
    (base * fit).clamp(0.0, 1.0)
}

/// When what a forecast rests on was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// Since the last commit.
    SinceCommit,
    /// Before it, or nobody knows.
    Before,
}
