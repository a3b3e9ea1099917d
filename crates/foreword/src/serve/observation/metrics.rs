//! Metrics in the text format of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use super::record::{Outcome, Record, Verdict};
use crate::serve::context::outcome::ContextOutcome;

const PROTOCOLS: [&str; 6] = ["llama.cpp", "openai", "mistral", "deepseek", "ollama", "tabby"];
const OUTCOMES: [(&str, Outcome); 3] =
    [("done", Outcome::Done), ("cancelled", Outcome::Cancelled), ("failed", Outcome::Failed)];

/// Upper bounds of the histogram buckets, in milliseconds.
const BOUNDS: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 100.0, 250.0, 1000.0];

/// Counters since the start.
#[derive(Default)]
pub(crate) struct Metrics {
    running: AtomicI64,
    requests: [[AtomicU64; OUTCOMES.len()]; PROTOCOLS.len()],
    contexts: [AtomicU64; ContextOutcome::ALL.len()],
    verdicts: [AtomicU64; 3],
    own: Histogram,
    model: Histogram,
}

#[derive(Default)]
struct Histogram {
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    fn add(&self, ms: f64) {
        let bucket = BOUNDS.iter().position(|it| ms <= *it).unwrap_or(BOUNDS.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add((ms * 1e3) as u64, Ordering::Relaxed);
    }

    fn render(&self, name: &str, help: &str, into: &mut String) {
        let _ = writeln!(into, "# HELP {name} {help}\n# TYPE {name} histogram");
        let mut sum = 0;
        let bounds = BOUNDS.iter().map(|it| format!("{}", it / 1e3)).chain(["+Inf".to_owned()]);
        for (count, bound) in self.buckets.iter().zip(bounds) {
            sum += count.load(Ordering::Relaxed);
            let _ = writeln!(into, "{name}_bucket{{le=\"{bound}\"}} {sum}");
        }
        let seconds = self.micros.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(into, "{name}_sum {seconds}\n{name}_count {sum}");
    }
}

impl Metrics {
    pub(crate) fn request_started(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn request_ended(&self, it: &Record) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        let protocol = PROTOCOLS.iter().position(|name| *name == it.protocol);
        let outcome = OUTCOMES.iter().position(|outcome| outcome.1 == it.outcome);
        if let (Some(protocol), Some(outcome)) = (protocol, outcome) {
            self.requests[protocol][outcome].fetch_add(1, Ordering::Relaxed);
        }
        if let Some(at) = ContextOutcome::ALL.iter().position(|context| *context == it.context) {
            self.contexts[at].fetch_add(1, Ordering::Relaxed);
        }
        self.own.add(it.timings.own);
        if it.timings.model > 0.0 {
            self.model.add(it.timings.model);
        }
    }

    /// Counts a user's verdict on a completion.
    pub(crate) fn verdict(&self, verdict: Verdict) {
        self.verdicts[verdict as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// All metrics as text. `gauges` are name, help and value.
    pub(crate) fn render(&self, gauges: &[(&str, &str, usize)]) -> String {
        let mut res = String::new();
        let count = |it: &AtomicU64| it.load(Ordering::Relaxed);
        res.push_str("# HELP foreword_requests_total Requests that are over.\n# TYPE foreword_requests_total counter\n");
        for (protocol, outcomes) in PROTOCOLS.iter().zip(&self.requests) {
            for ((outcome, _), it) in OUTCOMES.iter().zip(outcomes) {
                let _ = writeln!(
                    res,
                    "foreword_requests_total{{door=\"{protocol}\",end=\"{outcome}\"}} {}",
                    count(it)
                );
            }
        }
        res.push_str("# HELP foreword_contexts_total What was made of the context.\n# TYPE foreword_contexts_total counter\n");
        for (context, it) in ContextOutcome::ALL.iter().zip(&self.contexts) {
            let name = context.name();
            let _ = writeln!(res, "foreword_contexts_total{{context=\"{name}\"}} {}", count(it));
        }
        res.push_str("# HELP foreword_verdicts_total What users did with completions.\n# TYPE foreword_verdicts_total counter\n");
        for (name, it) in ["viewed", "accepted", "dismissed"].iter().zip(&self.verdicts) {
            let _ = writeln!(res, "foreword_verdicts_total{{verdict=\"{name}\"}} {}", count(it));
        }
        self.own.render("foreword_own_seconds", "What a request waited for foreword.", &mut res);
        self.model.render("foreword_model_seconds", "What it waited for the model.", &mut res);
        let running = self.running.load(Ordering::Relaxed).max(0) as usize;
        let of_requests = [("foreword_running", "Requests that are being answered.", running)];
        for (name, help, value) in of_requests.iter().chain(gauges) {
            let _ = writeln!(res, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        res
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::protocols::request::Endpoint;

    #[test]
    fn counted_requests_are_rendered() {
        let metrics = Metrics::default();
        metrics.request_started();
        metrics.request_started();
        let mut record = Record {
            protocol: "tabby",
            outcome: Outcome::Done,
            context: ContextOutcome::File,
            ..Record::default()
        };
        record.timings.own = 7.0;
        metrics.request_ended(&record);
        metrics.verdict(Verdict::Accepted);
        let text = metrics.render(&[("foreword_files", "Files.", 3)]);
        for line in [
            "foreword_requests_total{door=\"tabby\",end=\"done\"} 1",
            "foreword_contexts_total{context=\"file\"} 1",
            "foreword_verdicts_total{verdict=\"accepted\"} 1",
            "foreword_own_seconds_bucket{le=\"0.005\"} 0",
            "foreword_own_seconds_bucket{le=\"0.01\"} 1",
            "foreword_own_seconds_count 1",
            "foreword_running 1",
            "foreword_files 3",
        ] {
            assert!(text.lines().any(|it| it == line), "{line} is not in\n{text}");
        }
    }

    #[test]
    fn every_protocol_is_counted_and_documented() {
        let page = include_str!("../../../../../docs/serve.md");
        for endpoint in Endpoint::ALL {
            assert!(page.contains(endpoint.path()), "{} is not in docs/serve.md", endpoint.path());
            assert!(PROTOCOLS.contains(&endpoint.protocol()), "{}", endpoint.protocol());
        }
    }
}
