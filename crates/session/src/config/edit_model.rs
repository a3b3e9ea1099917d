//! Settings of the next-edit model (`[models.edit]`).

use std::path::Path;

use foreword_engine::compose::edit::EditFormat;
use foreword_model::http::Api;

use super::layers::Layers;
use super::role::Role;
use super::role_settings::RoleSettings;
use crate::backend::EditSettings;

/// The next-edit model's settings, if it is configured. Fails on invalid ones.
pub(super) fn edit_model(
    layers: &Layers,
    file: Option<&Path>,
) -> anyhow::Result<Option<EditSettings>> {
    let role = RoleSettings::new(Role::Edit, layers, file);
    if !role.is_named() {
        return Ok(None);
    }
    role.check()?;
    let key = role.key()?;
    let format = layers.text(&Role::Edit.key("format")).value;
    let RoleSettings { url, api, model, limits, .. } = role;
    Ok(url.map(|url| EditSettings {
        url,
        api: api.as_deref().and_then(Api::named),
        model,
        key,
        format: format.as_deref().and_then(EditFormat::named),
        limits,
    }))
}
