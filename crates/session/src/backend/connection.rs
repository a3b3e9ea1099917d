//! The connection to a model's server. It is made by the first request, so that the server may start later, and again when
//! the server was gone or has another model, which needs prompts of another format.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use foreword_model::ModelError;
use tokio::sync::Mutex;

use super::server::Upstream;
use super::settings::BackendSettings;

/// Time for which a failure to connect is cached.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Interval at which the server's model is checked while requests come.
const RECHECK_AFTER: Duration = Duration::from_secs(5);

/// A server that is connected on demand.
pub struct Connection {
    settings: BackendSettings,
    state: Mutex<State>,
    /// Whether the properties of the server may be outdated.
    is_stale: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    /// With the time of the last check.
    upstream: Option<(Arc<Upstream>, Instant)>,
    failed: Option<(Instant, Unavailable)>,
}

/// Why no model is available.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// The HTTP status for a client.
    pub status: u16,
    /// The problem and its remedy.
    pub message: String,
}

impl From<&ModelError> for Unavailable {
    fn from(error: &ModelError) -> Self {
        Self { status: foreword_model::http::status_of(error), message: error.to_string() }
    }
}

impl Connection {
    pub(super) fn new(settings: BackendSettings) -> Self {
        Self { settings, state: Mutex::default(), is_stale: Arc::default() }
    }

    /// The address of the server.
    pub fn url(&self) -> &str {
        self.settings.url.as_deref().unwrap_or_default()
    }

    /// The connected server.
    pub(super) async fn get(&self) -> Result<Arc<Upstream>, Unavailable> {
        let mut state = self.state.lock().await;
        if self.is_stale.swap(false, Ordering::Relaxed) {
            state.upstream = None;
        }
        if let Some((known, checked)) = &mut state.upstream {
            if checked.elapsed() > RECHECK_AFTER {
                *checked = Instant::now();
                self.recheck(known);
            }
            return Ok(Arc::clone(known));
        }
        if let Some((at, unavailable)) = &state.failed
            && at.elapsed() < RETRY_AFTER
        {
            return Err(unavailable.clone());
        }
        match Upstream::connect(self.url(), &self.settings).await {
            Ok(upstream) => {
                let upstream = Arc::new(upstream);
                state.upstream = Some((Arc::clone(&upstream), Instant::now()));
                Ok(upstream)
            }
            Err(error) => {
                let unavailable = Unavailable::from(&error);
                state.failed = Some((Instant::now(), unavailable.clone()));
                Err(unavailable)
            }
        }
    }

    /// Forgets a failure, so that the next request tries again.
    pub(super) async fn forget_failure(&self) {
        self.state.lock().await.failed = None;
    }

    /// Records a failed request, after which the server may be another one.
    pub(super) fn failed(&self, error: &ModelError) -> Unavailable {
        if matches!(error, ModelError::Unreachable { .. }) {
            self.is_stale.store(true, Ordering::Relaxed);
        }
        Unavailable::from(error)
    }

    /// Checks the model's name while the request goes on. Servers with several models get the name with each request.
    fn recheck(&self, known: &Arc<Upstream>) {
        if !known.server.api().is_llama_cpp() {
            return;
        }
        let (known, is_stale) = (Arc::clone(known), Arc::clone(&self.is_stale));
        tokio::spawn(async move {
            if known.server.has_another_model().await {
                is_stale.store(true, Ordering::Relaxed);
            }
        });
    }
}
