//! `foreword serve`: starts the HTTP server.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Duration;

use super::Outcome;
use super::args::{LogLevel, ServeArgs};
use super::config::Settings;
use super::push::connect_to;
use crate::serve::{ClusterOptions, LogFormat, Options, PromptSettings};

pub(super) fn run(args: &ServeArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if let Some(url) = &args.many.cluster {
        return run_cluster(args, url, settings);
    }
    let workspaces = match args.workspace.as_slice() {
        [] => vec![settings.root.clone().unwrap_or_else(|| PathBuf::from("."))],
        named => named.to_vec(),
    };
    let mut backend = settings.backend(args.model.as_deref())?;
    backend.tokenizer = args.tokenizer.clone().or(backend.tokenizer);
    let budget = args.budget.unwrap_or(settings.budget.value);
    let options = Options {
        host: args.host,
        port: args.port,
        token: args.token.clone(),
        allowed_hosts: args.allow_host.clone(),
        workspaces,
        backend,
        chat: settings.chat()?,
        edit: settings.config.edit_model()?,
        budget,
        preset: settings.shape.preset(budget)?,
        least_confidence: args.least_confidence.or(settings.least_confidence.value),
        patience: Duration::from_millis(args.patience),
        bypass: args.bypass,
        log_code: args.log_code,
        log: log_format(args, settings),
        mcp_content: args.content.content(),
    };
    settings.embedder()?;
    crate::serve::serve(settings.setup(), options)?;
    Ok(Outcome::Done)
}

/// Serves the repositories of a cluster.
fn run_cluster(args: &ServeArgs, url: &str, settings: &Settings) -> anyhow::Result<Outcome> {
    crate::serve::serve_cluster(ClusterOptions {
        host: args.host,
        port: args.port,
        allowed_hosts: args.allow_host.clone(),
        token: args.token.clone(),
        rights: args.many.rights.clone(),
        cluster: connect_to(url, &args.many.index, settings)?,
        prompts: PromptSettings {
            setup: settings.setup(),
            model: settings.model.value.clone(),
            tokenizer: settings.tokenizer.value.clone(),
            budget: settings.budget.value,
            shape: settings.shape.clone(),
        },
        chat: settings.chat()?,
        mcp_content: args.content.content(),
    })?;
    Ok(Outcome::Done)
}

/// Text for people at a terminal, JSON for programs reading a file or pipe.
fn log_format(args: &ServeArgs, settings: &Settings) -> LogFormat {
    match settings.log {
        _ if settings.quiet => LogFormat::Off,
        Some(LogLevel::Text) => LogFormat::Text,
        Some(LogLevel::Json) => LogFormat::Json,
        _ if std::io::stderr().is_terminal() && !args.log_code => LogFormat::Text,
        _ => LogFormat::Json,
    }
}
