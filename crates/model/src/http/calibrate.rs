//! Calibrates a token counter by a server's tokenizer.

use std::time::Duration;

use super::Server;
use crate::calibration::SAMPLES;
use crate::counter::TokenCounter;

/// Maximum time to count all samples; the first request waits for it.
const PATIENCE: Duration = Duration::from_millis(500);

impl Server {
    /// Calibrates the counter's estimates by llama.cpp's tokenizer; unchanged if it does not answer in time. Call once
    /// per connection, before composing a prompt.
    pub async fn calibrate(&self, counter: TokenCounter) -> TokenCounter {
        let counting = async {
            let mut counts = Vec::with_capacity(SAMPLES.len());
            for sample in SAMPLES {
                counts.push(self.count(sample).await.ok()?);
            }
            Some(counts)
        };
        match tokio::time::timeout(PATIENCE, counting).await {
            Ok(Some(counts)) => {
                counter.calibrated(&format!("the tokenizer of {}", self.base), &counts)
            }
            _ => counter,
        }
    }
}
