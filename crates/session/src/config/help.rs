//! Help of models before answers (`[ask]` in the user's file).

use std::time::Duration;

use foreword_model::ask::{HelpSettings, RerankKind, WriteKind};

use super::layers::Layers;
use crate::usage::usage;

/// Default number of parallel requests: as many as a local server can handle.
const PARALLEL: usize = 4;

/// Settings of `[ask]`; `parallel` is the model's limit.
pub(super) fn settings(layers: &Layers, parallel: Option<usize>) -> anyhow::Result<HelpSettings> {
    let kind = |name: String| {
        WriteKind::named(&name).ok_or_else(|| {
            let all = WriteKind::ALL.map(WriteKind::name).join(", ");
            usage(format!("ask.write: {name}: unknown kind; the kinds are {all}"))
        })
    };
    let write: anyhow::Result<Vec<WriteKind>> =
        layers.texts("ask.write").into_iter().map(kind).collect();
    let rerank = layers.text("ask.rerank").value.and_then(|it| RerankKind::named(&it));
    let timeout = Duration::from_millis(layers.number("ask.help_ms").value as u64);
    Ok(HelpSettings { write: write?, rerank, timeout, parallel: parallel.unwrap_or(PARALLEL) })
}
