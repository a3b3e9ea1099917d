//! Connections that are kept open.

/// A pool of names.
#[derive(Debug, Default)]
pub struct Pool {
    names: Vec<String>,
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gets a connection: get the first, get a new one.
    pub fn get(&mut self) -> Option<String> {
        self.names.pop()
    }
}
