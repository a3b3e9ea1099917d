//! The runtime of the requests.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// A runtime that ends without waiting. A server drops its cluster in a runtime of its own, where waiting for the end of
/// another one panics.
pub(super) struct ClientRuntime(Option<Runtime>);

impl ClientRuntime {
    pub(super) fn new() -> io::Result<Self> {
        Builder::new_current_thread().enable_all().build().map(|it| Self(Some(it)))
    }

    pub(super) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        let Some(it) = &self.0 else { unreachable!("it is taken when it is dropped") };
        it.block_on(work)
    }
}

impl Drop for ClientRuntime {
    fn drop(&mut self) {
        if let Some(it) = self.0.take() {
            it.shutdown_background();
        }
    }
}
