//! A body that is written while it is read, and that says when nobody reads any more.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use tokio::sync::mpsc;

/// Pieces that a slow reader may lag behind; then the writer waits, and with it the model's server.
const PIECES: usize = 64;

/// The end that is written to.
pub(crate) struct Pipe(mpsc::Sender<Bytes>);

/// The end that a client reads.
pub(crate) struct Flow(mpsc::Receiver<Bytes>);

impl Pipe {
    /// A pair.
    pub(crate) fn new() -> (Self, Flow) {
        let (sender, receiver) = mpsc::channel(PIECES);
        (Self(sender), Flow(receiver))
    }

    /// Writes; false when nobody reads any more.
    pub(crate) async fn send(&self, bytes: Bytes) -> bool {
        bytes.is_empty() || self.0.send(bytes).await.is_ok()
    }

    /// Waits until nobody reads any more.
    pub(crate) async fn closed(&self) {
        self.0.closed().await;
    }
}

impl Stream for Flow {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|it| it.map(Ok))
    }
}
