//! Start of a server: connects to the model's server and composes one context, so that the first request finds the
//! vocabularies, tables and index in memory; then prints what is served, and by which model.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use foreword_session::backend::{Endpoint as ModelEndpoint, Unavailable};
use serde_json::{Map, json};

use super::app::App;
use super::backend::exchange::Plan;
use super::clock::unix_millis;
use super::complete::Target;
use super::context::prepare::PromptInputs;
use super::protocols::request::{ClientRequest, Endpoint};

/// Maximum wait of the context for the index; half of it for the disk.
const INDEX_PATIENCE: Duration = Duration::from_secs(1);

/// The model that will answer, or why it cannot yet.
pub(super) async fn probe(app: &Arc<App>) -> Result<ModelEndpoint, Unavailable> {
    let endpoint = app.backend.probe().await;
    let mut request = ClientRequest::new(Endpoint::Infill, Map::new());
    "x".clone_into(&mut request.prefix);
    let target = match &endpoint {
        Ok(_) => Target::of(&app.backend, &request, None).await,
        Err(error) => Err(error.clone()),
    };
    if let Ok(Plan::Complete(settings)) = target.and_then(|it| it.plan(&app.options, &request)) {
        let service = Arc::clone(&app.context);
        let compose = move || {
            let inputs =
                PromptInputs::gather(&service.workspaces, &request, &settings, INDEX_PATIENCE)?;
            inputs.prepare().map(drop)
        };
        // A failure here recurs, and is reported, at the first request.
        let _ = tokio::task::spawn_blocking(compose).await;
    }
    endpoint
}

/// Prints what is served. `model` is `None` if the model's server has not answered yet.
pub(super) fn introduce(
    app: &App,
    address: SocketAddr,
    model: Option<&Result<ModelEndpoint, Unavailable>>,
) {
    let log = app.observation.log;
    let version = env!("CARGO_PKG_VERSION");
    let model = model_line(model, app.options.backend.url.as_deref());
    log.say(&format!("foreword {version} answers completion requests at http://{address}"));
    let mut repositories = Vec::new();
    for it in &app.context.workspaces.repositories {
        let (name, root) = (&it.workspace().name, it.workspace().root.display().to_string());
        let count = it.latest().map(|it| it.files().len());
        let files = count.map_or_else(|| "being indexed".to_owned(), |it| format!("{it} files"));
        log.say(&format!("  repository  {name}  {root}, {files}"));
        repositories.push(json!({ "name": name, "root": root, "files": count }));
    }
    log.say(&format!("  model       {model}"));
    log.say(&format!("  requests    http://{address}/ shows each, and why its prompt is as it is"));
    log.event(&json!({
        "at": unix_millis(), "event": "start", "version": version, "address": format!("http://{address}"),
        "repositories": repositories, "model": model,
    }));
}

fn model_line(model: Option<&Result<ModelEndpoint, Unavailable>>, url: Option<&str>) -> String {
    match model {
        Some(Ok(endpoint)) => {
            let format = match endpoint.format() {
                _ if matches!(endpoint, ModelEndpoint::Embedded) => String::new(),
                Ok(format) => format!(", prompts in the format {}", format.name),
                Err(reason) => format!(", without context: {reason}"),
            };
            let window = endpoint.window().map(|it| format!(", {it} tokens"));
            format!("{}{format}{}", endpoint.title(), window.unwrap_or_default())
        }
        Some(Err(error)) => {
            format!("not reached yet, requests fail until it is: {}", error.message)
        }
        None => format!("{} has not answered yet", url.unwrap_or("the server")),
    }
}
