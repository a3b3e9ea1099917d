//! What is tried again.

/// Counts retries by domain.
#[derive(Debug, Default)]
pub struct Retries {
    counts: std::collections::BTreeMap<String, u32>,
}

impl Retries {
    /// One more.
    pub fn note(&mut self, domain: &str) -> u32 {
        let count = self.counts.entry(domain.to_owned()).or_default();
        *count += 1;
        *count
    }
}
