//! Threads for requests whose handling takes long: parsing a large body, masking its secrets, counting its tokens,
//! rendering records. The threads that serve sockets stay free, so `/health` and keystrokes are answered meanwhile.

use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinSet;

/// The largest body in bytes that is handled on a socket thread: a millisecond of parsing and masking.
const MAX_SMALL_BODY: u64 = 64 << 10;

/// Paths whose responses may be large: records, and what the inspector shows.
const LARGE_RESPONSES: &str = "/api/";

/// A runtime with as many threads as large requests are handled at a time: one per core.
pub(crate) fn runtime(blocking_threads: usize) -> std::io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    Builder::new_multi_thread()
        .worker_threads(cores.max(2))
        .max_blocking_threads(blocking_threads)
        .thread_name(THREAD_NAME)
        .enable_all()
        .build()
}

const THREAD_NAME: &str = "handler";

/// Middleware: handles large requests on the threads of `handlers`. Dropping the response's future, when the client is
/// gone, cancels the handler.
pub(crate) async fn dispatch(
    State(handlers): State<Handle>,
    request: Request,
    next: Next,
) -> Response {
    if !is_large(&request) {
        return next.run(request).await;
    }
    let mut handler = JoinSet::new();
    handler.spawn_on(next.run(request), &handlers);
    match handler.join_next().await.expect("a handler was spawned") {
        Ok(response) => response,
        // Outer middleware answers for a handler that panicked.
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Whether a request may take long. A body in chunks has no known length.
fn is_large(request: &Request) -> bool {
    let bytes = request.body().size_hint().exact();
    bytes.is_none_or(|it| it > MAX_SMALL_BODY) || request.uri().path().starts_with(LARGE_RESPONSES)
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use axum::Router;
    use axum::body::Body;
    use axum::middleware;
    use axum::routing::post;
    use hyper_util::service::TowerToHyperService;
    use tokio::sync::mpsc;

    use super::*;

    /// A body in chunks.
    struct Chunks;

    impl futures_core::Stream for Chunks {
        type Item = std::io::Result<&'static str>;

        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Ready(None)
        }
    }

    /// Calls a router as a connection does.
    async fn call(router: Router, path: &str, bytes: usize) {
        use hyper::service::Service as _;
        let body = Body::from(vec![b' '; bytes]);
        let request = Request::builder().method("POST").uri(path).body(body).unwrap();
        TowerToHyperService::new(router).call(request).await.unwrap();
    }

    #[test]
    fn a_body_of_unknown_length_may_be_large() {
        let of = |path: &str, body: Body| is_large(&Request::get(path).body(body).unwrap());
        assert!(of("/infill", Body::from_stream(Chunks)) && of("/api/requests", Body::empty()));
        assert!(!of("/infill", Body::from("x")) && !of("/health", Body::empty()));
    }

    #[test]
    fn small_requests_are_answered_while_every_handler_thread_is_busy_with_a_large_one() {
        let handlers = runtime(1).unwrap();
        let large = handlers.metrics().num_workers() + 2;
        let (begin, mut begun) = mpsc::unbounded_channel();
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
        let busy = move |body: axum::body::Bytes| async move {
            if body.len() as u64 > MAX_SMALL_BODY {
                begin.send(std::thread::current().name().map(str::to_owned)).unwrap();
                // Blocks its thread, as parsing does.
                wait.lock().unwrap().recv().unwrap();
            }
        };
        let router = Router::new()
            .route("/infill", post(busy))
            .layer(middleware::from_fn_with_state(handlers.handle().clone(), dispatch));
        let sockets = Builder::new_current_thread().build().unwrap();
        sockets.block_on(async {
            let all: Vec<_> = (0..large)
                .map(|_| tokio::spawn(call(router.clone(), "/infill", MAX_SMALL_BODY as usize + 1)))
                .collect();
            let thread = begun.recv().await.unwrap();
            assert_eq!(thread.as_deref(), Some(THREAD_NAME));
            for _ in 0..100 {
                call(router.clone(), "/infill", 10).await;
            }
            assert!(all.iter().all(|it| !it.is_finished()), "a large request is over already");
            (0..large).for_each(|_| release.send(()).unwrap());
            for it in all {
                it.await.unwrap();
            }
        });
        handlers.shutdown_background();
    }
}
