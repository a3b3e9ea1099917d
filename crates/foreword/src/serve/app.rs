//! The state that all requests of a server share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foreword_engine::compose::Format;
use foreword_session::answer::next::EditModel;
use foreword_session::backend::Backend;
use foreword_session::host::Host;
use foreword_session::setup::Setup;
use tokio::sync::watch;

use super::context::locate::Workspaces;
use super::context::prepare::ContextService;
use super::observation::Observation;
use super::observation::log::Log;
use super::options::{LogFormat, Options};
use super::protocols::request::RequestHeaders;

/// How long a health check waits for the model's server.
const HEALTH_PATIENCE: Duration = Duration::from_secs(1);

/// A running server.
pub(crate) struct App {
    pub(crate) options: Arc<Options>,
    /// Keeps the repositories warm.
    pub(crate) host: Host,
    /// The repositories, and the contexts that are computed from them.
    pub(crate) context: Arc<ContextService>,
    /// The model that answers.
    pub(crate) backend: Arc<Backend>,
    /// The next-edit model, if one is configured.
    pub(crate) edit_model: Option<EditModel>,
    /// The journal, metrics and the log.
    pub(crate) observation: Arc<Observation>,
    /// When the server was started.
    pub(crate) started: Instant,
    /// True when the server is about to close: streams end then.
    pub(crate) closing: watch::Receiver<bool>,
}

impl App {
    /// Opens the repositories, which are indexed in the background.
    pub(super) fn new(
        setup: Setup,
        options: Options,
        backend: Arc<Backend>,
        closing: watch::Receiver<bool>,
    ) -> anyhow::Result<Self> {
        let host = Host::new(setup);
        let workspaces = Workspaces::open(&host, &options.workspaces)?;
        let options = Arc::new(options);
        Ok(Self {
            host,
            context: Arc::new(ContextService::new(workspaces, options.patience)),
            backend,
            edit_model: options.edit.clone().map(EditModel::new),
            observation: Arc::new(Observation::new(log(&options))),
            started: Instant::now(),
            closing,
            options,
        })
    }

    /// The name of the model for clients.
    pub(crate) async fn model_name(&self) -> String {
        let endpoint = self.backend.endpoint().await.ok();
        let name = endpoint.map(|it| it.name().to_owned()).filter(|it| !it.is_empty());
        name.unwrap_or_else(|| self.backend.local_name().to_owned())
    }

    /// Why the model cannot answer now.
    pub(crate) async fn trouble(&self) -> Option<String> {
        match tokio::time::timeout(HEALTH_PATIENCE, self.backend.server()).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.message),
            Err(_) => Some("the model's server has not answered yet".to_owned()),
        }
    }

    /// The prompt format of the upstream server's model, if there is a server and the format is known.
    pub(crate) async fn upstream_format(&self) -> Option<&'static Format> {
        let upstream = self.backend.server().await.ok().flatten()?;
        upstream.format.as_ref().ok().copied()
    }

    /// The client's key for the upstream server. If this server has a token, clients send that, and it is not passed on.
    pub(crate) fn upstream_key(&self, headers: &RequestHeaders) -> Option<String> {
        headers.key.clone().filter(|_| self.options.token.is_none())
    }
}

fn log(options: &Options) -> Log {
    match (options.log, options.log_code) {
        (LogFormat::Off, _) => Log::Off,
        (LogFormat::Text, _) => Log::Text,
        (LogFormat::Json, false) => Log::WithoutCode,
        (LogFormat::Json, true) => Log::WithCode,
    }
}
