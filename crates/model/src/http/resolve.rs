//! Looks up addresses on a thread whose start may fail; the library's own way panics then.

use std::net::ToSocketAddrs as _;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

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
