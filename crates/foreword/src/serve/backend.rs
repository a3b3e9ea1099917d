//! The models that answer ([`foreword_session::backend`]): a server, called in the client's own protocol if it speaks it and
//! else with a rendered prompt; a model file; the embedded model. Each plans a request, makes a call, and gives an
//! [`exchange::Answer`], which is relayed or transcoded to the client.

pub(super) mod embedded;
pub(super) mod exchange;
pub(super) mod file;
pub(super) mod relay;
pub(super) mod server;
pub(super) mod transcode;
