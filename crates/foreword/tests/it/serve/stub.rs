//! A model's server that answers as a test says, and remembers what it was asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};

type Answer = Box<dyn Fn(&str, &Value) -> Said + Send + Sync>;

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) chunks: Vec<String>,
    pub(crate) end: End,
}

/// How an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Proper,
    /// In the middle.
    Dies,
    /// Never.
    Hangs,
    /// Never: the last chunk comes again and again.
    Floods,
}

impl Said {
    pub(crate) fn json(value: &Value) -> Self {
        Self {
            status: 200,
            kind: "application/json",
            chunks: vec![value.to_string()],
            end: End::Proper,
        }
    }

    pub(crate) fn stream(kind: &'static str, chunks: &[String]) -> Self {
        Self { status: 200, kind, chunks: chunks.to_vec(), end: End::Proper }
    }

    pub(crate) fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn end(self, end: End) -> Self {
        Self { end, ..self }
    }
}

struct State {
    answer: Answer,
    seen: Mutex<Vec<(String, Value)>>,
    left: AtomicUsize,
    /// Bytes of answers that would not end.
    flooded: AtomicUsize,
    /// What was shown last as `Authorization`.
    key: Mutex<Value>,
}

/// A server on a port of its own.
pub(crate) struct Stub {
    pub(crate) url: String,
    state: Arc<State>,
    _runtime: tokio::runtime::Runtime,
}

impl Stub {
    /// Answers completions by `answer`, and what a llama.cpp server is asked about itself.
    pub(crate) fn llama(answer: impl Fn(&Value) -> Said + Send + Sync + 'static) -> Self {
        Self::new(move |path, body| match path {
            "/props" => {
                let settings = json!({ "n_ctx": 8192 });
                Said::json(&json!({ "default_generation_settings": settings, "total_slots": 2 }))
            }
            "/v1/models" => Said::json(&json!({ "data": [{ "id": "qwen2.5-coder-0.5b" }] })),
            "/tokenize" => Said::json(&json!({ "tokens": [1] })),
            _ => answer(body),
        })
    }

    pub(crate) fn new(answer: impl Fn(&str, &Value) -> Said + Send + Sync + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let answer: Answer = Box::new(answer);
        let state = Arc::new(State {
            answer,
            seen: Mutex::default(),
            left: AtomicUsize::new(0),
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
    pub(crate) fn seen(&self, path: &str) -> Vec<Value> {
        let seen = self.state.seen.lock().unwrap();
        seen.iter().filter(|it| it.0 == path).map(|it| it.1.clone()).collect()
    }

    /// What was shown last as `Authorization`.
    pub(crate) fn key(&self) -> Value {
        self.state.key.lock().unwrap().clone()
    }

    /// Bytes that it got rid of in answers that come again and again.
    pub(crate) fn flooded(&self) -> usize {
        self.state.flooded.load(Ordering::SeqCst)
    }

    /// How many clients have hung up on answers that would not end.
    pub(crate) fn left(&self) -> usize {
        self.state.left.load(Ordering::SeqCst)
    }
}

async fn reply(state: Arc<State>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let key = request.headers().get(header::AUTHORIZATION);
    *state.key.lock().unwrap() = key.map_or(Value::Null, |it| it.to_str().unwrap().into());
    let bytes = to_bytes(request.into_body(), 1 << 24).await.unwrap();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let said = (state.answer)(&path, &body);
    state.seen.lock().unwrap().push((path, body));
    let late = Box::pin(tokio::time::sleep(std::time::Duration::from_millis(200)));
    let again = said.chunks.last().cloned().unwrap_or_default();
    let flow = Flow { state, chunks: said.chunks.into_iter(), again, end: said.end, late };
    Response::builder()
        .status(StatusCode::from_u16(said.status).unwrap())
        .header(header::CONTENT_TYPE, said.kind)
        .header(header::RETRY_AFTER, "7")
        .body(Body::from_stream(flow))
        .unwrap()
}

struct Flow {
    state: Arc<State>,
    chunks: std::vec::IntoIter<String>,
    again: String,
    end: End,
    late: std::pin::Pin<Box<tokio::time::Sleep>>,
}

impl futures_core::Stream for Flow {
    type Item = Result<String, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        use std::task::Poll;
        match (self.chunks.next(), self.end) {
            (Some(chunk), _) => Poll::Ready(Some(Ok(chunk))),
            (None, End::Proper) => Poll::Ready(None),
            // Not before what came has been read.
            (None, End::Dies) => {
                let late = std::pin::pin!(&mut self.late);
                late.poll(context).map(|()| Some(Err(std::io::Error::other("gone"))))
            }
            (None, End::Hangs) => Poll::Pending,
            (None, End::Floods) => {
                self.state.flooded.fetch_add(self.again.len(), Ordering::SeqCst);
                Poll::Ready(Some(Ok(self.again.clone())))
            }
        }
    }
}

impl Drop for Flow {
    fn drop(&mut self) {
        if matches!(self.end, End::Hangs | End::Floods) {
            self.state.left.fetch_add(1, Ordering::SeqCst);
        }
    }
}
