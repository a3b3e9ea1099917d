//! The model behind the server: an upstream server, a model file in this process, or the embedded model.

pub(crate) mod embedded;
pub(crate) mod file;
pub(crate) mod reader;
pub(crate) mod relay;
pub(crate) mod request_body;
pub(crate) mod route;
pub(crate) mod transcode;
