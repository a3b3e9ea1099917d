//! `POST /v1/symbols` about a name in many repositories or files of one, as `symbols --json` with `--cluster` has it; and
//! `POST /v1/map`, as `map --json` has it.

use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use foreword_cluster::Access;
use foreword_engine::index::{FileId, Snapshot};
use foreword_session::answer::map;
use foreword_session::answer::place::offset_of;
use foreword_session::answer::symbols::{self, At};
use foreword_session::usage::usage;
use serde::Deserialize;

use super::ClusterApp;
use super::questions::{Names, Place, answered, only};
use crate::many;
use crate::many::outputs::{MapOutput, OutlineOutput, PlacesOutput};
use crate::many::search::PATIENCE;
use crate::many::symbols::NameQuestion;
use crate::serve::http::error::ApiError;

/// Default and maximum number of uses.
const USES: (usize, usize) = (50, 1000);

/// Places of a request at most.
const MOST_PLACES: usize = 100;

/// Default and maximum number of tokens of a map.
const TOKENS: (usize, usize) = (1024, 100_000);

/// The body of `/v1/symbols`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SymbolsBody {
    name: String,
    /// A file whose definitions are listed.
    file: Option<String>,
    /// Places of names, as `FILE:LINE:COL`.
    at: Names,
    repository: Names,
    branch: Option<String>,
    limit: Option<usize>,
}

/// The body of `/v1/map`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct MapBody {
    repository: String,
    branch: Option<String>,
    /// Paths or names to begin with.
    focus: Names,
    tokens: Option<usize>,
}

impl SymbolsBody {
    /// True for a question about files, not about a name.
    fn is_of_file(&self) -> bool {
        self.file.is_some() || !self.at.is_empty()
    }
}

/// `POST /v1/symbols`.
pub(super) async fn symbols(
    State(app): State<Arc<ClusterApp>>,
    Extension(access): Extension<Access>,
    body: Bytes,
) -> Result<Response, ApiError> {
    answered(app, 1, &body, move |app, body: SymbolsBody| match body.is_of_file() {
        true => of_file(app, &access, body),
        false => of_name(app, &access, &body),
    })
    .await
}

/// Where a name is defined and used.
fn of_name(app: &ClusterApp, access: &Access, body: &SymbolsBody) -> anyhow::Result<String> {
    if body.name.trim().is_empty() {
        return Err(usage("name is empty"));
    }
    let access = only(access, &body.repository)?;
    let limit = body.limit.unwrap_or(USES.0).min(USES.1);
    let question = NameQuestion { name: &body.name, branch: body.branch.as_deref(), limit };
    let cluster = app.cluster.until(Instant::now() + PATIENCE);
    let res = many::symbols::symbols(&cluster, &access, &question)?;
    Ok(serde_json::to_string(&res)?)
}

/// The outline of a file, or the definitions of the names at places.
fn of_file(app: &ClusterApp, access: &Access, body: SymbolsBody) -> anyhow::Result<String> {
    let start = Instant::now();
    let SymbolsBody { name, file, at, repository, branch, .. } = body;
    let at = at.all();
    if !name.is_empty() || (file.is_some() && !at.is_empty()) {
        return Err(usage("give one of name, file and at"));
    }
    if at.len() > MOST_PLACES {
        return Err(usage(format!("at has more than {MOST_PLACES} places")));
    }
    let place = Place::of_names(access, &repository, branch)?;
    if let Some(path) = file {
        return place.answer(app, |snapshot| {
            let file = file_of(snapshot, &path)?;
            let outline = symbols::outline(snapshot, file);
            let found = (outline, symbols::uses_of_file(snapshot, file));
            Ok(serde_json::to_string(&OutlineOutput::new(snapshot, &path, found))?)
        });
    }
    place.answer(app, |snapshot| {
        // All of them ask for what is missing, before one of them is refused.
        let found: Vec<_> = at.iter().map(|it| definitions_at(snapshot, it)).collect();
        let found = found.into_iter().collect::<anyhow::Result<Vec<At>>>()?;
        let places = at.iter().map(String::as_str).zip(&found);
        Ok(serde_json::to_string(&PlacesOutput::new(snapshot, places, start))?)
    })
}

fn file_of(snapshot: &Snapshot, path: &str) -> anyhow::Result<FileId> {
    let absent = || usage(format!("{path}: there is no such file"));
    snapshot.file(path).ok_or_else(absent)
}

/// The definitions of the name at `FILE:LINE:COL`.
fn definitions_at(snapshot: &Snapshot, place: &str) -> anyhow::Result<At> {
    let wrong = || usage(format!("at {place}: a place is FILE:LINE:COL, with numbers from 1"));
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next().and_then(number), parts.next().and_then(number));
    let path = parts.next().filter(|it| !it.is_empty());
    let (Some(column), Some(line), Some(path)) = (column, line, path) else { return Err(wrong()) };
    let file = file_of(snapshot, path)?;
    let byte = offset_of(&snapshot.text(file), line, Some(column))
        .map_err(|error| usage(format!("at {place}: {error}")))?;
    Ok(symbols::at(snapshot, file, byte))
}

fn number(text: &str) -> Option<usize> {
    text.parse().ok()
}

/// `POST /v1/map`.
pub(super) async fn map(
    State(app): State<Arc<ClusterApp>>,
    Extension(access): Extension<Access>,
    body: Bytes,
) -> Result<Response, ApiError> {
    answered(app, 4, &body, move |app, mut body: MapBody| {
        let start = Instant::now();
        let place = Place::new(&access, &body.repository, body.branch.take())?;
        let (focus, tokens) = (body.focus.all(), body.tokens.unwrap_or(TOKENS.0).min(TOKENS.1));
        place.answer(app, |snapshot| {
            let map = map::around(snapshot, &focus, tokens)?;
            Ok(serde_json::to_string(&MapOutput::new(snapshot, &map, tokens, start))?)
        })
    })
    .await
}
