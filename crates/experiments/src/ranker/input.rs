//! The ranker's inputs for a candidate: score, place, signals, features, and the numbers of [`nearby`](super::nearby).

use foreword_engine::evidence::{Feature, Signal};
use foreword_engine::fuse::Candidate;
use foreword_evaluate::runs::completion::retrieval::Retrieval;

use super::copies::{self, Copies};
use super::nearby::{Nearby, measure};

/// Scores further below the best count as this far, as a logarithm.
const LOWEST: f32 = -6.0;

/// An input of the ranker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Input {
    /// The logarithm of its score against the best.
    Score,
    /// The reciprocal of its place, from 1.
    Place,
    /// Its score in a signal's list, relative to the best.
    SignalScore(Signal),
    /// The reciprocal of its place in that list.
    SignalPlace(Signal),
    /// A feature of the engine; for counts, log(1 + n).
    Feature(Feature),
    /// A number of [`nearby`](super::nearby); for counts, log(1 + n).
    Nearby(usize),
    /// A number of [`copies`]; for counts, log(1 + n).
    Copies(usize),
}

impl Input {
    /// All inputs.
    pub(super) fn all() -> Vec<Self> {
        let of_signal = |it| [Self::SignalScore(it), Self::SignalPlace(it)];
        let of_signals = Signal::ALL.into_iter().flat_map(of_signal);
        let features = Feature::ALL.into_iter().map(Self::Feature);
        let nearby = (0..Nearby::NAMES.len()).map(Self::Nearby);
        let copies = (0..Copies::NAMES.len()).map(Self::Copies);
        let first = [Self::Score, Self::Place];
        first.into_iter().chain(of_signals).chain(features).chain(nearby).chain(copies).collect()
    }

    /// Its name in files of weights.
    pub(super) fn name(self) -> String {
        match self {
            Self::Score => "score".to_owned(),
            Self::Place => "place".to_owned(),
            Self::SignalScore(signal) => format!("{}.score", signal.name()),
            Self::SignalPlace(signal) => format!("{}.place", signal.name()),
            Self::Feature(feature) => feature.name().to_owned(),
            Self::Nearby(at) => Nearby::NAMES[at].to_owned(),
            Self::Copies(at) => Copies::NAMES[at].to_owned(),
        }
    }

    /// Its value for a candidate at a `place` (from 1) below the `best` score; 0 where it was not measured.
    fn value(
        self,
        it: &Candidate,
        (nearby, copies): (&Nearby, &Copies),
        best: f32,
        place: usize,
    ) -> f32 {
        let least = f32::MIN_POSITIVE;
        match self {
            Self::Score => (it.score.max(least) / best.max(least)).ln().max(LOWEST),
            Self::Place => 1.0 / place as f32,
            Self::SignalScore(signal) => it.signals[signal].map_or(0.0, |it| it.relative),
            Self::SignalPlace(signal) => {
                it.signals[signal].map_or(0.0, |it| 1.0 / it.rank.get() as f32)
            }
            Self::Feature(feature @ (Feature::OtherHits | Feature::BetterHits)) => {
                it.features.value(feature).ln_1p()
            }
            Self::Feature(feature) => it.features.value(feature),
            Self::Nearby(at) if Nearby::is_count(at) => nearby.0[at].ln_1p(),
            Self::Nearby(at) => nearby.0[at],
            Self::Copies(at) if Copies::is_count(at) => copies.0[at].ln_1p(),
            Self::Copies(at) => copies.0[at],
        }
    }
}

/// The values of all inputs for each candidate; candidates come best first.
pub(super) fn values(retrieval: &Retrieval<'_>, candidates: &[Candidate]) -> Vec<Vec<f32>> {
    let all = Input::all();
    let best = candidates.first().map_or(0.0, |it| it.score);
    let nearby = measure(retrieval, candidates);
    let copies = copies::measure(retrieval, candidates);
    let of = |(at, it): (usize, &Candidate)| {
        let read = (&nearby[at], &copies[at]);
        all.iter().map(|input| input.value(it, read, best, at + 1)).collect()
    };
    candidates.iter().enumerate().map(of).collect()
}
