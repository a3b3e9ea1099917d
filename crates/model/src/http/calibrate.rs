//! Calibrates a token counter by a server's tokenizer.

use std::time::Duration;

use super::Server;
use crate::calibration::SAMPLES;
use crate::counter::TokenCounter;

/// How long counting all samples may take: the first request waits for it.
const PATIENCE: Duration = Duration::from_millis(500);

impl Server {
    /// The counter with its estimates calibrated by llama.cpp's own tokenizer; as it is where the tokenizer does not
    /// answer in time. To be called once a connection, before any prompt is made.
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
