//! Takes connections, and cuts off those that keep it waiting: whoever sends a header or a body a byte at a time would
//! otherwise hold a connection, and what was read of the body, for ever.

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

use crate::serve::http::error::Refusal;

/// How long the head of a request may take, and how long a connection may lie idle before the next one.
const HEAD: Duration = Duration::from_secs(10);

/// How long its body may take.
const BODY: Duration = Duration::from_secs(20);

/// Bytes of a request. The largest that is known, a ring of chunks and a long window, is a twentieth of it.
pub(crate) const MOST_BYTES: usize = 8 << 20;

/// When no connection can be taken (too many files are open), the next try.
const AGAIN: Duration = Duration::from_millis(100);

/// Serves until `closing` is true, and then until the answers that are being given are over.
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
            Err(error) if is_of_one(&error) => {}
            Err(_) => tokio::time::sleep(AGAIN).await,
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Whether one client alone is concerned, who went away before it was taken.
fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn connection(stream: TcpStream, router: Router, mut closing: watch::Receiver<bool>) {
    // Pieces of a stream are small, and are to be read at once. Without it they are only later.
    let _ = stream.set_nodelay(true);
    let mut http = Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let served = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::pin!(served);
    tokio::select! {
        // What is wrong with a connection concerns only who opened it.
        _ = &mut served => return,
        _ = closing.wait_for(|it| *it) => {}
    }
    served.as_mut().graceful_shutdown();
    let _ = served.await;
}

/// Reads the body before anything is done for the request.
pub(crate) async fn body(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let read = tokio::time::timeout(BODY, to_bytes(body, MOST_BYTES)).await;
    match read {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(error)) => unread(&error).into_response(),
        Err(_) => {
            let message = format!("the body did not come within {} seconds", BODY.as_secs());
            Refusal::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
        }
    }
}

/// Too large, or broken off.
fn unread(error: &axum::Error) -> Refusal {
    let source = std::error::Error::source(error);
    if source.and_then(|it| it.downcast_ref::<LengthLimitError>()).is_some() {
        let message = format!("the body has more than {} MB", MOST_BYTES >> 20);
        return Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message);
    }
    Refusal::wrong(format!("the body cannot be read: {error}"))
}
