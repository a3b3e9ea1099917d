//! Delivers several messages at once.

/// Runs jobs on some workers.
pub struct Threadpool {
    workers: Vec<std::thread::JoinHandle<()>>,
}

impl Threadpool {
    /// Waits until all are done.
    pub fn join(self) {
        for worker in self.workers {
            drop(worker.join());
        }
    }
}
