//! How often forecasts come true.
//!
//! Forecasts are made of a past state and compared with what was really added later ([`history`]); of a commit of which
//! all files but one are written already ([`staged`]); and of files from which a part was taken ([`holes`]). All of it is
//! in the past of the repository, and the state has nothing of what came after it.

pub mod history;
pub mod holes;
pub mod report;
pub mod show;
pub mod staged;
mod truth;

use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::scope::Resolver;
use foreword_engine::speculate::{Forecast, ForecastConfig, ForecastKind, forecast};
use serde::Serialize;

use self::truth::{Additions, Definitions};

/// After so many commits that touch the file the additions are counted.
pub const HORIZONS: [usize; 4] = [1, 5, 20, 100];

/// A forecast and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedForecast {
    /// The rule that made it.
    pub kind: &'static str,
    /// `code` or `signature`.
    pub form: &'static str,
    /// What it defines, or its first line.
    pub name: String,
    /// How likely it was said to be.
    pub score: f32,
    /// Its place among those of its file, from 0.
    pub rank: usize,
    /// Whether it had come true at each of [`HORIZONS`].
    pub is_true: [bool; HORIZONS.len()],
    /// How alike its signature is to the real one, 0 to 1; only where it came true.
    pub signature: Option<f64>,
    /// How alike its code is to the real one (chrF, 0 to 1); only for code that came true.
    pub body: Option<f64>,
}

/// The forecasts for one file in one state, and what was added to it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct JudgedFile {
    /// `owner/name`.
    pub repo: String,
    /// The state, and what was left out of it.
    pub state: String,
    /// The file.
    pub path: String,
    /// Its language.
    pub language: &'static str,
    /// The forecasts that were not thrown out, the likeliest first.
    pub forecasts: Vec<JudgedForecast>,
    /// How many forecasts were thrown out.
    pub rejected: usize,
    /// How many functions and types were added by each of [`HORIZONS`].
    pub added: [usize; HORIZONS.len()],
    /// How many of them were foretold.
    pub foretold: [usize; HORIZONS.len()],
    /// The share of the names in what was added that the forecasts have; only where something is known of the hole.
    pub coverage: Option<f64>,
}

/// The forecasts for a file, judged by its later texts; texts at later horizons follow those at earlier ones.
pub(crate) fn judge(
    snapshot: &Snapshot,
    resolver: &Resolver,
    file: FileId,
    later: &[Vec<String>; HORIZONS.len()],
) -> JudgedFile {
    let verdict = forecast(snapshot, resolver, file, &ForecastConfig::all());
    let path = snapshot.path(file);
    let before = Definitions::of(path, &snapshot.text(file));
    let mut added = Additions::default();
    let mut res = JudgedFile {
        path: path.to_owned(),
        language: snapshot.language(file).map_or("", |it| it.name()),
        rejected: verdict.rejected.len(),
        forecasts: verdict
            .accepted
            .iter()
            .enumerate()
            .map(|(rank, it)| unjudged(it, rank))
            .collect(),
        ..JudgedFile::default()
    };
    for (at, texts) in later.iter().enumerate() {
        for text in texts {
            added.note(&before, &Definitions::of(path, text));
        }
        for (judged, it) in res.forecasts.iter_mut().zip(&verdict.accepted) {
            let Some(real) = added.realisation(it) else { continue };
            judged.is_true[at..].fill(true);
            judged.signature = judged.signature.or(real.signature);
            judged.body = judged.body.or(real.body);
        }
        res.added[at] = added.names().count();
        let foretold =
            |name: &&str| verdict.accepted.iter().any(|it| it.name == **name && defines(it.kind));
        res.foretold[at] = added.names().filter(foretold).count();
    }
    res
}

fn unjudged(it: &Forecast, rank: usize) -> JudgedForecast {
    let first = || it.code.trim().lines().next().unwrap_or_default().to_owned();
    JudgedForecast {
        kind: it.kind.name(),
        form: it.form.name(),
        name: if it.name.is_empty() { first() } else { it.name.clone() },
        score: it.score,
        rank,
        is_true: [false; HORIZONS.len()],
        signature: None,
        body: None,
    }
}

/// Whether forecasts of a kind define something.
fn defines(kind: ForecastKind) -> bool {
    !matches!(kind, ForecastKind::MissingCase | ForecastKind::Registration)
}
