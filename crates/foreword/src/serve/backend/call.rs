//! A call of a model, ready to be sent.

use foreword_session::backend::Unavailable;

use super::answer::Answer;
use super::embedded::EmbeddedCall;
use super::file::FileCall;
use super::server::ServerCall;

/// A call of a model.
pub(crate) enum Call {
    Server(ServerCall),
    File(FileCall),
    Embedded(EmbeddedCall),
}

impl Call {
    /// The prompt sent to the model, for the record.
    pub(crate) fn prompt(&self) -> Option<String> {
        match self {
            Self::Server(it) => it.prompt.clone(),
            Self::File(it) => Some(it.prompt().to_owned()),
            Self::Embedded(it) => it.prompt().map(str::to_owned),
        }
    }

    /// Sends the call.
    pub(crate) async fn send(self) -> Result<Answer, Unavailable> {
        match self {
            Self::Server(it) => it.send().await,
            Self::File(it) => it.send().await,
            Self::Embedded(it) => Ok(it.send().await),
        }
    }

    /// Sends the call and returns the unchanged text of one choice; `None` if the model writes nothing.
    pub(crate) async fn text(self) -> Result<Option<String>, Unavailable> {
        match self {
            Self::Server(it) => it.text().await.map(Some),
            Self::File(it) => it.text().await.map(Some),
            Self::Embedded(it) => Ok(it.text().await),
        }
    }
}
