//! Gauges that go up and down.

pub struct Gauge {
    value: i64,
}

impl Gauge {
    pub fn snapshot_of(&self, label: &str) -> String {
        format!("{label} {}", self.value)
    }
}
