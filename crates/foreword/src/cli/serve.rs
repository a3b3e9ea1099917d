//! `foreword serve`: starts the HTTP server.

use std::path::PathBuf;
use std::time::Duration;

use super::Outcome;
use super::args::ServeArgs;
use super::config::Settings;
use crate::serve::Options;

pub(super) fn run(args: &ServeArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let workspaces = match args.workspace.as_slice() {
        [] => vec![settings.root.clone().unwrap_or_else(|| PathBuf::from("."))],
        named => named.to_vec(),
    };
    let options = Options {
        host: args.host,
        port: args.port,
        token: args.token.clone(),
        allowed_hosts: args.allow_host.clone(),
        workspaces,
        gguf: settings.model_file(),
        model_url: settings.model_url.value.clone(),
        model_api: settings.model_api.value.clone(),
        model: args.model.clone(),
        model_key: std::env::var("FOREWORD_MODEL_KEY").ok().filter(|it| !it.is_empty()),
        tokenizer: args.tokenizer.clone().or_else(|| settings.tokenizer.value.clone()),
        budget: args.budget.unwrap_or(settings.budget.value),
        patience: Duration::from_millis(args.patience),
        bypass: args.bypass,
        log_code: args.log_code,
        quiet: settings.quiet,
    };
    crate::serve::serve(settings.setup(), options)?;
    Ok(Outcome::Done)
}
