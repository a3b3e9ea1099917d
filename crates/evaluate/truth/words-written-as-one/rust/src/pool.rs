//! Connections that are kept open.

/// A pool of connections by domain.
#[derive(Debug, Default)]
pub struct Pool {
    open: std::collections::BTreeMap<String, Vec<std::net::TcpStream>>,
}

impl Pool {
    /// Takes a connection out of the pool.
    pub fn take(&mut self, domain: &str) -> Option<std::net::TcpStream> {
        self.open.get_mut(domain)?.pop()
    }
}
