//! Accepts connections and times out slow ones: a client that sends its header or body a byte at a time would otherwise
//! hold a connection, and the part of the body that was read, forever.

use std::io;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::LengthLimitError;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::error::ApiError;

/// How long the header of a request may take, and how long a connection may stay idle before the next request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the body of a request may take.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// The largest body that is read. The largest known request, a ring of chunks and a long window, is a twentieth of it.
pub(crate) const MAX_BODY_BYTES: usize = 8 << 20;

/// The pause after a failed accept (too many files are open, for example).
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Serves until `closing` is true, then until the responses in progress are complete.
pub(crate) async fn serve(listener: TcpListener, router: Router, closing: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    let mut stop = closing.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
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

async fn connection(stream: TcpStream, router: Router, mut closing: watch::Receiver<bool>) {
    // Chunks of a stream are small and should arrive at once; a failure only delays them.
    let _ = stream.set_nodelay(true);
    let mut http = Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    let served = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::pin!(served);
    tokio::select! {
        // An error of one connection concerns no other.
        _ = &mut served => return,
        _ = closing.wait_for(|it| *it) => {}
    }
    served.as_mut().graceful_shutdown();
    let _ = served.await;
}

/// Middleware: reads the whole body before the request is handled.
pub(crate) async fn read_body(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let read = tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await;
    match read {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(error)) => unreadable(&error).into_response(),
        Err(_) => {
            let message =
                format!("the body did not come within {} seconds", BODY_TIMEOUT.as_secs());
            ApiError::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
        }
    }
}

/// The body is too large, or the connection broke.
fn unreadable(error: &axum::Error) -> ApiError {
    let source = std::error::Error::source(error);
    if source.and_then(|it| it.downcast_ref::<LengthLimitError>()).is_some() {
        let message = format!("the body has more than {} MB", MAX_BODY_BYTES >> 20);
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message);
    }
    ApiError::bad_request(format!("the body cannot be read: {error}"))
}
