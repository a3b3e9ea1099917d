//! Accepts connections and times out slow ones: a client that sends its header or body a byte at a time would otherwise
//! hold a connection, and the part of the body that was read, forever.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use super::error::ApiError;

/// How long the header of a request may take, and how long a connection may stay idle before the next request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the body of a request may take.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum size of a body in bytes, 20 times the largest known request (a ring of chunks and a long window).
pub(crate) const MAX_BODY_BYTES: usize = 8 << 20;

/// Maximum bytes of all bodies being read or handled together. Further bodies wait, within their timeout.
const MAX_BYTES_OF_ALL: usize = 64 << 20;

/// Bytes per semaphore permit.
const UNIT: usize = 1 << 10;

/// Maximum number of open connections.
const MAX_CONNECTIONS: usize = 1024;

/// Maximum bytes of a header, and of each other connection buffer.
const BUFFER_BYTES: usize = 64 << 10;

/// The pause after a failed accept (too many files are open, for example).
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Serves until `closing` is true, then until the responses in progress are complete.
pub(crate) async fn serve(listener: TcpListener, router: Router, closing: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    let mut stop = closing.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept(), if connections.len() < MAX_CONNECTIONS => accepted,
            Some(_) = connections.join_next() => continue,
            _ = stop.wait_for(|it| *it) => break,
        };
        match accepted {
            Ok((stream, _)) => {
                connections.spawn(connection(stream, router.clone(), closing.clone()));
            }
            Err(error) if is_aborted(&error) => {}
            Err(_) => tokio::time::sleep(ACCEPT_RETRY).await,
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Whether a single client hung up before its connection was accepted.
fn is_aborted(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The address that a request came from, as an extension of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) Option<IpAddr>);

/// Tells requests where they came from.
struct WithPeer<S> {
    inner: S,
    peer: Peer,
}

impl<B, S: hyper::service::Service<Request<B>>> hyper::service::Service<Request<B>>
    for WithPeer<S>
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, mut request: Request<B>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        self.inner.call(request)
    }
}

async fn connection(stream: TcpStream, router: Router, mut closing: watch::Receiver<bool>) {
    // Chunks of a stream are small and should arrive at once; a failure only delays them.
    let _ = stream.set_nodelay(true);
    let mut http = Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(BUFFER_BYTES);
    let peer = Peer(stream.peer_addr().ok().map(|it| it.ip().to_canonical()));
    let router = WithPeer { inner: TowerToHyperService::new(router), peer };
    let served = http.serve_connection(TokioIo::new(stream), router);
    tokio::pin!(served);
    tokio::select! {
        // An error of one connection concerns no other.
        _ = &mut served => return,
        _ = closing.wait_for(|it| *it) => {}
    }
    served.as_mut().graceful_shutdown();
    let _ = served.await;
}

/// Room for the bodies of all requests.
#[derive(Clone)]
pub(crate) struct BodyRoom(Arc<Semaphore>);

impl BodyRoom {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MAX_BYTES_OF_ALL / UNIT)))
    }

    /// Reads a body and reserves room for the bytes as they arrive, not for the announced length.
    async fn read(&self, body: Body) -> Result<(Vec<u8>, Vec<OwnedSemaphorePermit>), ApiError> {
        let mut body = Limited::new(body, MAX_BODY_BYTES);
        let (mut bytes, mut room) = (Vec::new(), Vec::new());
        let mut units = 0;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| unreadable(&*error))?;
            let Ok(data) = frame.into_data() else { continue };
            bytes.extend_from_slice(&data);
            let more = bytes.len() / UNIT - units;
            if more > 0 {
                units += more;
                let permits = Arc::clone(&self.0).acquire_many_owned(more as u32).await;
                room.push(permits.map_err(|it| ApiError::internal(&it.into()))?);
            }
        }
        Ok((bytes, room))
    }
}

/// Middleware: reads the whole body before the request is handled.
pub(crate) async fn read_body(
    State(room): State<BodyRoom>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(BODY_TIMEOUT, room.read(body)).await {
        Ok(Ok((bytes, taken))) => {
            let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
            drop(taken);
            response
        }
        Ok(Err(error)) => error.into_response(),
        Err(_) => {
            let message =
                format!("the body did not come within {} seconds", BODY_TIMEOUT.as_secs());
            ApiError::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
        }
    }
}

/// The body is too large, or the connection broke.
fn unreadable(error: &(dyn std::error::Error + 'static)) -> ApiError {
    if error.is::<LengthLimitError>() {
        let message = format!("the body has more than {} MB", MAX_BODY_BYTES >> 20);
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message);
    }
    ApiError::bad_request(format!("the body cannot be read: {error}"))
}
