//! The wire formats: requests are parsed into one common value, and one common completion is rendered as
//! responses and stream chunks. Nothing here does IO.

pub(crate) mod completion;
pub(crate) mod fim;
pub(crate) mod llama_cpp;
pub(crate) mod mistral;
pub(crate) mod next_edit;
pub(crate) mod ollama;
pub(crate) mod openai;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod secrets;
pub(crate) mod tabby;
