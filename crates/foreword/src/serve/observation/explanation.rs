//! The explanation of a request's context. It is made while the model is at work, so that nobody who types waits for it,
//! and kept packed: it is larger than all else that is known of a request, and seldom looked at.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;
use tokio::sync::watch;

/// zstd's fastest: a fifth of the size, in a fifth of a millisecond.
const LEVEL: i32 = 1;

type Packed = Option<Arc<[u8]>>;

/// An explanation that is there, that is on its way, or that there will never be.
#[derive(Clone, Debug)]
pub(crate) struct Explanation(watch::Receiver<Packed>);

/// The end by which it comes. If it goes without a word, there will be none.
pub(crate) struct Explaining(watch::Sender<Packed>);

impl Explaining {
    /// It is there, as JSON.
    pub(crate) fn done(self, json: &str) {
        if let Ok(packed) = zstd::bulk::compress(json.as_bytes(), LEVEL) {
            self.0.send_replace(Some(packed.into()));
        }
    }
}

impl Default for Explanation {
    fn default() -> Self {
        Self::coming().1
    }
}

impl Explanation {
    /// One that is on its way.
    pub(crate) fn coming() -> (Explaining, Self) {
        let (sender, receiver) = watch::channel(None);
        (Explaining(sender), Self(receiver))
    }

    /// Waits until it is there, or until there will never be one.
    pub(crate) async fn ready(&self) {
        // An error says the latter.
        let _ = self.0.clone().wait_for(Option::is_some).await;
    }

    /// What is there.
    pub(crate) fn value(&self) -> Option<Value> {
        let packed = self.0.borrow().clone()?;
        serde_json::from_slice(&zstd::stream::decode_all(&packed[..]).ok()?).ok()
    }

    /// How many bytes it takes.
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
    async fn an_explanation_is_waited_for_until_it_comes_or_never_will() {
        let (explaining, it) = Explanation::coming();
        assert_eq!((it.value(), it.bytes()), (None, 0));
        let json = format!("{{\"words\":\"{}\"}}", "again and ".repeat(1000));
        let shared = it.clone();
        explaining.done(&json);
        shared.ready().await;
        assert_eq!(shared.value().unwrap().to_string(), json);
        assert!(it.bytes() < json.len() / 10);
        Explanation::default().ready().await;
        assert_eq!(serde_json::to_value(Explanation::default()).unwrap(), json!(null));
    }
}
