//! Which help models give before a question is answered (`[ask]` in the user's file).

use std::time::Duration;

use foreword_model::ask::{HelpSettings, RerankKind, WriteKind};

use super::super::usage;
use super::layers::Layers;

/// Requests at a time, where the settings do not say: what a server on this machine can bear.
const PARALLEL: usize = 4;

/// What `[ask]` says; `parallel` is that of the model.
pub(super) fn settings(layers: &Layers, parallel: Option<usize>) -> anyhow::Result<HelpSettings> {
    let kind = |name: String| {
        WriteKind::named(&name).ok_or_else(|| {
            let all = WriteKind::ALL.map(WriteKind::name).join(", ");
            usage(format!("ask.write: {name}: there is no such text; there are {all}"))
        })
    };
    let write: anyhow::Result<Vec<WriteKind>> =
        layers.texts("ask.write").into_iter().map(kind).collect();
    let rerank = layers.text("ask.rerank").value.and_then(|it| RerankKind::named(&it));
    let timeout = Duration::from_millis(layers.number("ask.help_ms").value as u64);
    Ok(HelpSettings { write: write?, rerank, timeout, parallel: parallel.unwrap_or(PARALLEL) })
}
