//! A response body that is written while the client reads it, and that reports when the client is gone.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use tokio::sync::mpsc;

/// Chunks that a slow client may lag behind; then the writer waits, and with it the upstream server.
const MAX_BUFFERED_CHUNKS: usize = 64;

/// The end that the server writes to.
pub(crate) struct BodySender(mpsc::Sender<Bytes>);

/// The end that the client reads.
pub(crate) struct BodyStream(mpsc::Receiver<Bytes>);

/// A body and the sender that fills it.
pub(crate) fn body_channel() -> (BodySender, BodyStream) {
    let (sender, receiver) = mpsc::channel(MAX_BUFFERED_CHUNKS);
    (BodySender(sender), BodyStream(receiver))
}

impl BodySender {
    /// Writes; false when the client is gone.
    pub(crate) async fn send(&self, bytes: Bytes) -> bool {
        bytes.is_empty() || self.0.send(bytes).await.is_ok()
    }

    /// Waits until the client is gone.
    pub(crate) async fn closed(&self) {
        self.0.closed().await;
    }
}

/// Sends what a future writes while it runs, and then the rest. `None` when the client is gone: the future is dropped.
pub(crate) async fn send_while<T>(
    future: impl Future<Output = T>,
    mut written: mpsc::UnboundedReceiver<Bytes>,
    sender: &BodySender,
) -> Option<T> {
    let mut future = std::pin::pin!(future);
    let res = loop {
        tokio::select! {
            Some(bytes) = written.recv() => {
                if !sender.send(bytes).await {
                    return None;
                }
            }
            res = &mut future => break res,
            () = sender.closed() => return None,
        }
    };
    while let Ok(bytes) = written.try_recv() {
        if !sender.send(bytes).await {
            return None;
        }
    }
    Some(res)
}

impl Stream for BodyStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|it| it.map(Ok))
    }
}
