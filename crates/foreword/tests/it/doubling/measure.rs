//! Measures how the work of an entry point grows with a text.
//!
//! The measure is the processor time of one thread, the best of several runs: other programs on the machine, which slow
//! a run down by up to a half, cannot make linear work look quadratic, which is eight times as slow.

use std::time::Duration;

/// How many times longer each text is than the one before.
const FACTOR: usize = 8;

/// Times as much work for the longer text that count as linear. Quadratic work would be 64 times as much.
const MOST_GROWTH: u32 = 20;

/// Measurements of a pair of texts before it counts as more than linear.
const RUNS: u32 = 5;

/// The length of the shortest text in bytes.
const FIRST: usize = 512;

/// The range in which work is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Longer texts are not tried.
    pub(super) bytes: usize,
    /// Less work than this is no matter how it grows.
    pub(super) floor: Duration,
}

/// The work for a text and for one that is eight times as long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// The length of the longer text.
    pub(super) bytes: usize,
    pub(super) short: Duration,
    pub(super) long: Duration,
}

impl Growth {
    /// The exponent of the growth: 1 for linear work.
    pub(super) fn exponent(self) -> f64 {
        let ratio = self.long.as_secs_f64() / self.short.as_secs_f64().max(1e-6);
        ratio.ln() / (FACTOR as f64).ln()
    }

    fn is_linear(self, floor: Duration) -> bool {
        self.long <= self.short * MOST_GROWTH + floor
    }
}

/// Measures `work` with texts of growing length, until one takes several times the floor. `Err` if the work for one of
/// them grew more than linearly, each time that it was measured.
pub(super) fn growth(
    make: &dyn Fn(usize) -> String,
    work: &dyn Fn(&str),
    limits: Limits,
) -> Result<Growth, Growth> {
    let text = make(FIRST);
    let mut short = (text.clone(), time(|| work(&text)));
    loop {
        let bytes = short.0.len() * FACTOR;
        let text = make(bytes);
        let mut res = Growth { bytes, short: short.1, long: Duration::MAX };
        for run in 0..RUNS {
            res.long = res.long.min(time(|| work(&text)));
            if res.is_linear(limits.floor) {
                break;
            }
            if run + 1 == RUNS {
                return Err(res);
            }
            res.short = res.short.min(time(|| work(&short.0)));
        }
        if bytes * FACTOR > limits.bytes || res.long > limits.floor * 4 {
            return Ok(res);
        }
        short = (text, res.long);
    }
}

/// The processor time that `work` takes on this thread.
fn time(work: impl FnOnce()) -> Duration {
    let start = now();
    work();
    now().saturating_sub(start)
}

#[cfg(unix)]
fn now() -> Duration {
    let at = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(at.tv_sec as u64, at.tv_nsec as u32)
}

#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
