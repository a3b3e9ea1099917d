//! The embedded model's part: no server, no prompt, an answer in milliseconds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foreword_model::clean::{InsertionPoint, clean};
use foreword_model::embedded::{Extent, Hole, complete_until};

use crate::serve::context::prepare::Prepared;
use crate::serve::protocols::request::Ask;

/// After this an answer is no use to somebody who types.
const PATIENCE: Duration = Duration::from_millis(500);

/// Completions, best first; none where nothing is likely.
pub(crate) async fn complete(ask: &Ask, prepared: Prepared) -> Vec<String> {
    let (n, stop) = (ask.wants.n.clamp(1, 8), ask.wants.stop.clone());
    let work = move || texts(&prepared, n, &stop);
    tokio::task::spawn_blocking(work).await.unwrap_or_default()
}

fn texts(prepared: &Prepared, n: usize, stop: &[String]) -> Vec<String> {
    let (prefix, suffix) = (&prepared.whole.0, &prepared.whole.1);
    let pieces: Vec<&str> = prepared.fill.pieces.iter().map(|it| it.text.as_str()).collect();
    let nearby: Vec<&str> = prepared.nearby.iter().map(Arc::as_ref).collect();
    let hole = Hole { prefix, suffix, pieces: &pieces, nearby: &nearby, background: None };
    let extent = Extent::at(prefix, suffix);
    let found = complete_until(&hole, extent, n, Some(Instant::now() + PATIENCE));
    let point = InsertionPoint { prefix, suffix, stop, extent, ..InsertionPoint::default() };
    let texts = found.iter().map(|it| clean(&it.text, &point).text);
    texts.filter(|it| !it.trim().is_empty()).collect()
}
