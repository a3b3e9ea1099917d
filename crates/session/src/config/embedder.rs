//! Settings of the embedding model (`[models.embed]`).

use std::path::Path;
use std::time::Duration;

use foreword_model::embed::{EmbedderSettings, EmbedderSource};
use foreword_model::http::Api;

use super::layers::Layers;
use super::role::Role;
use super::role_settings::RoleSettings;

/// Default wait for a question's vector: longer than a busy server needs for a batch, and short enough for lexical
/// search to answer in time.
const PATIENCE: Duration = Duration::from_secs(2);

/// The embedding model's settings, if it is configured. Fails on invalid ones.
pub(super) fn embedder(
    layers: &Layers,
    file: Option<&Path>,
) -> anyhow::Result<Option<EmbedderSettings>> {
    let role = RoleSettings::new(Role::Embed, layers, file);
    if !role.is_named() {
        return Ok(None);
    }
    role.check()?;
    let key = role.key()?;
    let text = |name: &str| layers.text(&Role::Embed.key(name)).value;
    let RoleSettings { url, gguf, api, model, limits, .. } = role;
    let server = |url| {
        let api = api.as_deref().and_then(Api::named);
        EmbedderSource::Server { url, api, model, key }
    };
    let file = |path| EmbedderSource::File { path, threads: layers.number("threads").value };
    let source = url.map(server).or_else(|| gguf.map(file));
    Ok(source.map(|source| EmbedderSettings {
        source,
        question_prefix: text("query_prefix"),
        text_prefix: text("text_prefix"),
        context: limits.context,
        patience: limits.timeout.unwrap_or(PATIENCE),
    }))
}
