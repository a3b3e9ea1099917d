//! The connection to a model's server: made when the first request comes, so that the server may be started later, and
//! made anew when the server has gone or has another model, since a prompt in another model's format would give garbage.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use foreword_model::ModelError;
use tokio::sync::Mutex;

use super::server::Upstream;
use super::settings::BackendSettings;

/// How long a failure to connect is remembered.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How often the server is asked whether it still has the same model, while requests come.
const RECHECK_AFTER: Duration = Duration::from_secs(5);

/// A server that is connected when it is needed.
pub struct Connection {
    settings: BackendSettings,
    state: Mutex<State>,
    /// Whether what is known of the server may be outdated.
    is_stale: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    /// With the time of the last check.
    upstream: Option<(Arc<Upstream>, Instant)>,
    failed: Option<(Instant, Unavailable)>,
}

/// Why no model can be asked.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// The HTTP status for a client.
    pub status: u16,
    /// What is wrong and what to do.
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

    /// The server, connected.
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

    /// The next request tries again at once.
    pub(super) async fn forget_failure(&self) {
        self.state.lock().await.failed = None;
    }

    /// Notes that a request failed. The next server at the address may be another.
    pub(super) fn failed(&self, error: &ModelError) -> Unavailable {
        if matches!(error, ModelError::Unreachable { .. }) {
            self.is_stale.store(true, Ordering::Relaxed);
        }
        Unavailable::from(error)
    }

    /// Asks for the model's name while the request goes on. A server with several models is told which by each request.
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
