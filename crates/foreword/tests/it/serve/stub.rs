//! A stub of an upstream server: it answers as a test wants, and records its requests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};

type Answer = Box<dyn Fn(&str, &Value) -> StubResponse + Send + Sync>;

/// A response of the stub.
#[derive(Clone, Debug)]
pub(crate) struct StubResponse {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) chunks: Vec<String>,
    pub(crate) end: Ending,
    /// The header `Retry-After`.
    pub(crate) retry_after: &'static str,
}

/// How a response ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Complete,
    /// The connection breaks in the middle.
    Breaks,
    /// It never ends.
    Hangs,
    /// It never ends: the last chunk is repeated.
    Floods,
}

impl StubResponse {
    pub(crate) fn json(value: &Value) -> Self {
        Self {
            status: 200,
            kind: "application/json",
            chunks: vec![value.to_string()],
            end: Ending::Complete,
            retry_after: "7",
        }
    }

    pub(crate) fn stream(kind: &'static str, chunks: &[String]) -> Self {
        Self { kind, chunks: chunks.to_vec(), ..Self::json(&Value::Null) }
    }

    pub(crate) fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn retry_after(self, retry_after: &'static str) -> Self {
        Self { retry_after, ..self }
    }

    pub(crate) fn end(self, end: Ending) -> Self {
        Self { end, ..self }
    }
}

struct State {
    answer: Answer,
    /// Paths and bodies.
    requests: Mutex<Vec<(String, Value)>>,
    hung_up: AtomicUsize,
    /// Bytes of responses that never end.
    flooded: AtomicUsize,
    /// The last `Authorization` header.
    key: Mutex<Value>,
}

/// A stub on its own port.
pub(crate) struct Stub {
    pub(crate) url: String,
    state: Arc<State>,
    _runtime: tokio::runtime::Runtime,
}

impl Stub {
    /// A stub of llama.cpp that answers completions by `answer`.
    pub(crate) fn llama(answer: impl Fn(&Value) -> StubResponse + Send + Sync + 'static) -> Self {
        Self::new(move |path, body| match path {
            "/props" => {
                let settings = json!({ "n_ctx": 8192 });
                StubResponse::json(
                    &json!({ "default_generation_settings": settings, "total_slots": 2 }),
                )
            }
            "/v1/models" => {
                StubResponse::json(&json!({ "data": [{ "id": "qwen2.5-coder-0.5b" }] }))
            }
            "/tokenize" => StubResponse::json(&json!({ "tokens": [1] })),
            _ => answer(body),
        })
    }

    pub(crate) fn new(
        answer: impl Fn(&str, &Value) -> StubResponse + Send + Sync + 'static,
    ) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let answer: Answer = Box::new(answer);
        let state = Arc::new(State {
            answer,
            requests: Mutex::default(),
            hung_up: AtomicUsize::new(0),
            flooded: AtomicUsize::new(0),
            key: Mutex::default(),
        });
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::clone(&state);
        let app =
            Router::new().fallback(move |request: Request| reply(Arc::clone(&shared), request));
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { url, state, _runtime: runtime }
    }

    /// The bodies that were sent to `path`.
    pub(crate) fn requests_to(&self, path: &str) -> Vec<Value> {
        let requests = self.state.requests.lock().unwrap();
        requests.iter().filter(|it| it.0 == path).map(|it| it.1.clone()).collect()
    }

    /// Everything that was sent, as text.
    pub(crate) fn all_requests(&self) -> String {
        let requests = self.state.requests.lock().unwrap();
        requests.iter().map(|(path, body)| format!("{path} {body}\n")).collect()
    }

    /// The last `Authorization` header.
    pub(crate) fn key(&self) -> Value {
        self.state.key.lock().unwrap().clone()
    }

    /// Bytes that were sent in responses that never end.
    pub(crate) fn flooded(&self) -> usize {
        self.state.flooded.load(Ordering::SeqCst)
    }

    /// How many clients hung up on responses that never end.
    pub(crate) fn hung_up(&self) -> usize {
        self.state.hung_up.load(Ordering::SeqCst)
    }
}

async fn reply(state: Arc<State>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let key = request.headers().get(header::AUTHORIZATION);
    *state.key.lock().unwrap() = key.map_or(Value::Null, |it| it.to_str().unwrap().into());
    let bytes = to_bytes(request.into_body(), 1 << 24).await.unwrap();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let response = (state.answer)(&path, &body);
    state.requests.lock().unwrap().push((path, body));
    let delay = Box::pin(tokio::time::sleep(std::time::Duration::from_millis(200)));
    let repeated = response.chunks.last().cloned().unwrap_or_default();
    let chunks = response.chunks.into_iter();
    let stream = ChunkStream { state, chunks, repeated, end: response.end, delay };
    Response::builder()
        .status(StatusCode::from_u16(response.status).unwrap())
        .header(header::CONTENT_TYPE, response.kind)
        .header(header::RETRY_AFTER, response.retry_after)
        .body(Body::from_stream(stream))
        .unwrap()
}

struct ChunkStream {
    state: Arc<State>,
    chunks: std::vec::IntoIter<String>,
    repeated: String,
    end: Ending,
    delay: std::pin::Pin<Box<tokio::time::Sleep>>,
}

impl futures_core::Stream for ChunkStream {
    type Item = Result<String, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        use std::task::Poll;
        match (self.chunks.next(), self.end) {
            (Some(chunk), _) => Poll::Ready(Some(Ok(chunk))),
            (None, Ending::Complete) => Poll::Ready(None),
            // After the chunks were read.
            (None, Ending::Breaks) => {
                let delay = std::pin::pin!(&mut self.delay);
                delay.poll(context).map(|()| Some(Err(std::io::Error::other("gone"))))
            }
            (None, Ending::Hangs) => Poll::Pending,
            (None, Ending::Floods) => {
                self.state.flooded.fetch_add(self.repeated.len(), Ordering::SeqCst);
                Poll::Ready(Some(Ok(self.repeated.clone())))
            }
        }
    }
}

impl Drop for ChunkStream {
    fn drop(&mut self) {
        if matches!(self.end, Ending::Hangs | Ending::Floods) {
            self.state.hung_up.fetch_add(1, Ordering::SeqCst);
        }
    }
}
