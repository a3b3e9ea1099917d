//! What a request needs of the system, with an error where the libraries would panic: waiting for sockets, and a thread
//! that looks up an address.

use std::net::ToSocketAddrs as _;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::error::ModelError;
use crate::wait::has_poller;

/// The system's resolver.
pub(super) struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let (sender, found) = tokio::sync::oneshot::channel();
            let look_up = move || drop(sender.send((name.as_str(), 0).to_socket_addrs()));
            std::thread::Builder::new().name("resolve".to_owned()).spawn(look_up)?;
            Ok(Box::new(found.await??) as Addrs)
        })
    }
}

/// Fails where a request would panic.
pub(super) fn check_poller(base: &str) -> Result<(), ModelError> {
    let reason = || "too many open files; raise `ulimit -n`".to_owned();
    let failed = || ModelError::Unreachable { url: base.to_owned(), reason: reason() };
    has_poller().then_some(()).ok_or_else(failed)
}
