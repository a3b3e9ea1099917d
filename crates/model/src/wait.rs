//! Blocks on a future without a runtime.

#[cfg(any(feature = "http", feature = "gguf"))]
use std::cell::Cell;
use std::future::Future;

#[cfg(any(feature = "http", feature = "gguf"))]
thread_local! {
    /// Whether the runtime of this thread can wait for sockets.
    static HAS_POLLER: Cell<bool> = const { Cell::new(true) };
}

/// Whether the runtime of this thread can wait for sockets; otherwise a request to a server would panic.
#[cfg(feature = "http")]
pub(crate) fn has_poller() -> bool {
    HAS_POLLER.get()
}

/// Runs a future to completion on this thread. Must not be called inside a runtime.
#[cfg(any(feature = "http", feature = "gguf"))]
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    // With too few open files there is no poller, which only servers need.
    HAS_POLLER.set(runtime.is_ok());
    let runtime =
        runtime.or_else(|_| tokio::runtime::Builder::new_current_thread().enable_time().build());
    runtime.expect("a runtime on this thread needs only a timer").block_on(future)
}

/// Runs a future to completion on this thread. Without servers or model threads, futures are ready at once.
#[cfg(not(any(feature = "http", feature = "gguf")))]
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(it) = future.as_mut().poll(&mut context) {
            return it;
        }
        std::thread::yield_now();
    }
}
