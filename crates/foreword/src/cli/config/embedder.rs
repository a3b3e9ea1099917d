//! The settings of the embedding model (`[models.embed]`).

use std::path::Path;
use std::time::Duration;

use foreword_model::embed::EmbedderSettings;
use foreword_model::http::Api;

use super::layers::Layers;
use super::role::Role;
use super::role_settings::RoleSettings;

/// How long a question waits for its vector where the settings do not say: longer than a server that is busy with a batch of
/// texts, and short enough for words alone to answer in time.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the settings say of the embedding model, if they name one. Settings that cannot work fail.
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
    let RoleSettings { url, api, model, limits, .. } = role;
    Ok(url.map(|url| EmbedderSettings {
        url,
        api: api.as_deref().and_then(Api::named),
        model,
        key,
        question_prefix: text("query_prefix"),
        text_prefix: text("text_prefix"),
        context: limits.context,
        patience: limits.timeout.unwrap_or(PATIENCE),
    }))
}
