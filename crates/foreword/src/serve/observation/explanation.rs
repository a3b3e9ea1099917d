//! The explanation of a request's context. It is computed while the model runs, so that it delays no completion, and
//! kept compressed, since it is larger than the rest of a record and rarely read.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;
use tokio::sync::watch;

/// zstd's fastest: a fifth of the size, in a fifth of a millisecond.
const LEVEL: i32 = 1;

type CompressedJson = Option<Arc<[u8]>>;

/// An explanation that is available, that is being computed, or that will never come.
#[derive(Clone, Debug)]
pub(crate) struct Explanation(watch::Receiver<CompressedJson>);

/// Delivers an explanation. Dropping it unused means that there will be none.
pub(crate) struct ExplanationSender(watch::Sender<CompressedJson>);

impl ExplanationSender {
    /// Delivers the explanation, as JSON.
    pub(crate) fn send(self, json: &str) {
        if let Ok(compressed) = zstd::bulk::compress(json.as_bytes(), LEVEL) {
            self.0.send_replace(Some(compressed.into()));
        }
    }
}

impl Default for Explanation {
    fn default() -> Self {
        Self::channel().1
    }
}

impl Explanation {
    /// An explanation that is being computed, and the sender that delivers it.
    pub(crate) fn channel() -> (ExplanationSender, Self) {
        let (sender, receiver) = watch::channel(None);
        (ExplanationSender(sender), Self(receiver))
    }

    /// Waits until it is available, or until it will never be.
    pub(crate) async fn settled(&self) {
        // An error means the latter.
        let _ = self.0.clone().wait_for(Option::is_some).await;
    }

    /// The explanation, if it is available.
    pub(crate) fn value(&self) -> Option<Value> {
        let compressed = self.0.borrow().clone()?;
        serde_json::from_slice(&zstd::stream::decode_all(&compressed[..]).ok()?).ok()
    }

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.borrow().as_ref().map_or(0, |it| it.len())
    }
}

impl Serialize for Explanation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn an_explanation_settles_when_it_is_sent_or_its_sender_is_dropped() {
        let (sender, it) = Explanation::channel();
        assert_eq!((it.value(), it.bytes()), (None, 0));
        let json = format!("{{\"words\":\"{}\"}}", "again and ".repeat(1000));
        let shared = it.clone();
        sender.send(&json);
        shared.settled().await;
        assert_eq!(shared.value().unwrap().to_string(), json);
        assert!(it.bytes() < json.len() / 10);
        Explanation::default().settled().await;
        assert_eq!(serde_json::to_value(Explanation::default()).unwrap(), json!(null));
    }
}
