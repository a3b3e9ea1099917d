//! Counts for Prometheus, in its text format.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::serve::observation::record::{Context, Ending, Record, Verdict};

const DOORS: [&str; 6] = ["llama.cpp", "openai", "mistral", "deepseek", "ollama", "tabby"];
const ENDS: [(&str, Ending); 3] =
    [("done", Ending::Done), ("cancelled", Ending::Cancelled), ("failed", Ending::Failed)];
const CONTEXTS: [Context; 5] =
    [Context::Untouched, Context::File, Context::Lexical, Context::Late, Context::Failed];

/// Upper bounds of the classes of times, in milliseconds.
const BOUNDS: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 100.0, 250.0, 1000.0];

/// Counts since the start.
#[derive(Default)]
pub(crate) struct Metrics {
    running: AtomicI64,
    requests: [[AtomicU64; ENDS.len()]; DOORS.len()],
    contexts: [AtomicU64; CONTEXTS.len()],
    verdicts: [AtomicU64; 3],
    own: Times,
    model: Times,
}

#[derive(Default)]
struct Times {
    classes: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Times {
    fn add(&self, ms: f64) {
        let class = BOUNDS.iter().position(|it| ms <= *it).unwrap_or(BOUNDS.len());
        self.classes[class].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add((ms * 1e3) as u64, Ordering::Relaxed);
    }

    fn show(&self, name: &str, help: &str, into: &mut String) {
        let _ = writeln!(into, "# HELP {name} {help}\n# TYPE {name} histogram");
        let mut sum = 0;
        let bounds = BOUNDS.iter().map(|it| format!("{}", it / 1e3)).chain(["+Inf".to_owned()]);
        for (count, bound) in self.classes.iter().zip(bounds) {
            sum += count.load(Ordering::Relaxed);
            let _ = writeln!(into, "{name}_bucket{{le=\"{bound}\"}} {sum}");
        }
        let seconds = self.micros.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(into, "{name}_sum {seconds}\n{name}_count {sum}");
    }
}

impl Metrics {
    /// A request came.
    pub(crate) fn begin(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    /// A request is over.
    pub(crate) fn end(&self, it: &Record) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        let door = DOORS.iter().position(|door| *door == it.door);
        let end = ENDS.iter().position(|end| end.1 == it.end);
        if let (Some(door), Some(end)) = (door, end) {
            self.requests[door][end].fetch_add(1, Ordering::Relaxed);
        }
        if let Some(at) = CONTEXTS.iter().position(|context| *context == it.context) {
            self.contexts[at].fetch_add(1, Ordering::Relaxed);
        }
        self.own.add(it.timings.own);
        if it.timings.model > 0.0 {
            self.model.add(it.timings.model);
        }
    }

    /// A user judged.
    pub(crate) fn judged(&self, verdict: Verdict) {
        self.verdicts[verdict as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// As Prometheus reads it. `gauges` are name, help and value.
    pub(crate) fn show(&self, gauges: &[(&str, &str, usize)]) -> String {
        let mut res = String::new();
        let count = |it: &AtomicU64| it.load(Ordering::Relaxed);
        res.push_str("# HELP foreword_requests_total Requests that are over.\n# TYPE foreword_requests_total counter\n");
        for (door, ends) in DOORS.iter().zip(&self.requests) {
            for ((end, _), it) in ENDS.iter().zip(ends) {
                let _ = writeln!(
                    res,
                    "foreword_requests_total{{door=\"{door}\",end=\"{end}\"}} {}",
                    count(it)
                );
            }
        }
        res.push_str("# HELP foreword_contexts_total What was made of the context.\n# TYPE foreword_contexts_total counter\n");
        for (context, it) in CONTEXTS.iter().zip(&self.contexts) {
            let name = context.name();
            let _ = writeln!(res, "foreword_contexts_total{{context=\"{name}\"}} {}", count(it));
        }
        res.push_str("# HELP foreword_verdicts_total What users did with completions.\n# TYPE foreword_verdicts_total counter\n");
        for (name, it) in ["viewed", "accepted", "dismissed"].iter().zip(&self.verdicts) {
            let _ = writeln!(res, "foreword_verdicts_total{{verdict=\"{name}\"}} {}", count(it));
        }
        self.own.show("foreword_own_seconds", "What a request waited for foreword.", &mut res);
        self.model.show("foreword_model_seconds", "What it waited for the model.", &mut res);
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

    #[test]
    fn what_is_counted_is_shown() {
        let metrics = Metrics::default();
        metrics.begin();
        metrics.begin();
        let mut record = Record {
            door: "tabby",
            end: Ending::Done,
            context: Context::File,
            ..Record::default()
        };
        record.timings.own = 7.0;
        metrics.end(&record);
        metrics.judged(Verdict::Accepted);
        let text = metrics.show(&[("foreword_files", "Files.", 3)]);
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
}
