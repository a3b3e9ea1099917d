//! How often values lie in which range.

pub struct Histogram {
    bounds: Vec<u64>,
    counts: Vec<u64>,
}

impl Histogram {
    pub fn snapshot_of(&self, label: &str, quantiles: &[f64]) -> Vec<String> {
        let total: u64 = self.counts.iter().sum();
        quantiles.iter().map(|q| format!("{label} {q} {}", *q * total as f64)).collect()
    }
}
