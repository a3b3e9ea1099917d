//! Shows what a command does while it takes long, and ends indexing at Ctrl-C without losing what is done.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use foreword_engine::index::Snapshot;
use foreword_load::Workspace;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::config::Settings;
use crate::cli::output;

/// Time after which something is shown.
const SHOW_AFTER: Duration = Duration::from_millis(300);

/// Time that the pace is measured before the rest is estimated. The time of the walk says nothing about it.
const MEASURE_FOR: Duration = Duration::from_secs(2);

/// Time after which a first answer is shown.
const PREVIEW_AFTER: Duration = Duration::from_secs(2);

/// Makes a first answer from the files that are indexed so far; `None` if there is none.
pub(in crate::cli) type Preview<'p> = dyn Fn(&Workspace, &Snapshot) -> Option<String> + Sync + 'p;

/// Set by the first Ctrl-C while files are indexed.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether files are indexed, so that the first Ctrl-C waits for what is done to be kept.
static IS_INDEXING: AtomicBool = AtomicBool::new(false);

/// Indexing that was ended by Ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Interruption {
    done: usize,
    total: usize,
}

impl std::fmt::Display for Interruption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { done, total } = self;
        write!(
            f,
            "stopped; {done} of {total} files are indexed, and the next command continues there"
        )
    }
}

impl std::error::Error for Interruption {}

/// The progress of indexing.
pub(super) struct Bar {
    bar: ProgressBar,
    is_shown: bool,
    start: Instant,
    /// Time and number of the first finished files.
    first: OnceLock<(Instant, usize)>,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Bar {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            bar: hidden("looking for changed files"),
            is_shown: is_shown(settings),
            start: Instant::now(),
            first: OnceLock::new(),
            done: AtomicUsize::new(0),
            total: AtomicUsize::new(0),
        }
    }

    /// Returns what `work` returns; while it takes long, a terminal shows the bar.
    pub(super) fn shown_during<T>(&self, work: impl FnOnce() -> T) -> T {
        let res = if self.is_shown { shown_during(&self.bar, work) } else { work() };
        IS_INDEXING.store(false, Ordering::Relaxed);
        res
    }

    pub(super) fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Like [`Self::shown_during`]; once, a first answer is printed above the bar. `work` gets what takes partial
    /// snapshots.
    pub(super) fn with_preview<T>(
        &self,
        preview: &(dyn Fn(&Snapshot) -> Option<String> + Sync),
        work: impl FnOnce(Option<&(dyn Fn(Snapshot) + Sync)>) -> T,
    ) -> T {
        let (sender, snapshots) = mpsc::channel::<Snapshot>();
        std::thread::scope(|scope| {
            let show = move || {
                let Some(snapshot) = Self::first_of(&snapshots) else { return };
                if let Some(text) = preview(&snapshot) {
                    let files = self.total.load(Ordering::Relaxed);
                    let title = format!("so far, in {} of {files} files:", snapshot.totals().files);
                    self.bar.suspend(|| output::preview(&title, &text));
                }
            };
            // Where no thread can start, there is no first answer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, show);
            let partial = move |it: Snapshot| drop(sender.send(it));
            // The channel closes when the work is done.
            self.shown_during(|| work(Some(&partial)))
        })
    }

    /// The latest snapshot when it is time for a first answer; `None` if the work is done earlier. The time begins with
    /// the first snapshot, of a file or two: before, the disk is looked through.
    fn first_of(snapshots: &mpsc::Receiver<Snapshot>) -> Option<Snapshot> {
        let mut latest = snapshots.recv().ok()?;
        let due = Instant::now() + PREVIEW_AFTER;
        loop {
            match snapshots.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(it) => latest = it,
                Err(RecvTimeoutError::Timeout) => return Some(latest),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Takes the progress of indexing.
    pub(super) fn show(&self, it: foreword_load::Progress) {
        let now = Instant::now();
        self.total.store(it.total, Ordering::Relaxed);
        self.done.fetch_max(it.done, Ordering::Relaxed);
        let first = *self.first.get_or_init(|| {
            self.bar.set_length(it.total as u64);
            self.bar.set_style(style());
            (now, it.done)
        });
        if now - self.start >= SHOW_AFTER {
            listen();
        }
        let left = match it.done < it.total {
            true => left(now - first.0, it.done - first.1.min(it.done), it.total - it.done),
            false => return self.bar.set_message(", writing the index"),
        };
        let left = left.map(|it| format!(", {} left", HumanDuration(it)));
        self.bar.set_message(left.unwrap_or_default());
        self.bar.set_position(it.done as u64);
    }

    /// Set when the user wants to stop.
    pub(super) fn interrupted() -> &'static AtomicBool {
        &INTERRUPTED
    }

    /// How far indexing was.
    pub(super) fn interruption(&self) -> Interruption {
        let of = |it: &AtomicUsize| it.load(Ordering::Relaxed);
        Interruption { done: of(&self.done), total: of(&self.total) }
    }
}

fn style() -> ProgressStyle {
    let style =
        ProgressStyle::with_template("indexing {bar:30} {human_pos}/{human_len} files{msg}");
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Estimated time of the remaining files, by those that were done in `passed`; `None` while that is too short.
fn left(passed: Duration, done: usize, remaining: usize) -> Option<Duration> {
    if passed < MEASURE_FOR || done == 0 {
        return None;
    }
    let seconds = passed.as_secs_f64() * remaining as f64 / done as f64;
    Some(Duration::from_secs((seconds as u64).max(1)))
}

/// Makes the first Ctrl-C end indexing, and any other the process.
fn listen() {
    static STARTED: Once = Once::new();
    IS_INDEXING.store(true, Ordering::Relaxed);
    STARTED.call_once(|| {
        let wait = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            while runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
                let is_first = !INTERRUPTED.swap(true, Ordering::Relaxed);
                if !is_first || !IS_INDEXING.load(Ordering::Relaxed) {
                    end();
                }
            }
        };
        // Without a thread Ctrl-C ends the process at once.
        let _ = std::thread::Builder::new().name("interrupt".to_owned()).spawn(wait);
    });
}

#[expect(clippy::exit, reason = "Ctrl-C ends a process that does nothing worth keeping")]
fn end() {
    std::process::exit(130);
}

/// Returns what `work` returns; while it takes long, a terminal shows `message`.
pub(in crate::cli) fn with_spinner<T>(
    settings: &Settings,
    message: &'static str,
    work: impl FnOnce() -> T,
) -> T {
    if !is_shown(settings) {
        return work();
    }
    shown_during(&hidden(message), work)
}

/// A spinner that is not drawn yet.
fn hidden(message: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    bar.with_style(ProgressStyle::default_spinner()).with_message(message)
}

fn is_shown(settings: &Settings) -> bool {
    !settings.quiet && output::stderr_is_terminal()
}

fn shown_during<T>(bar: &ProgressBar, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        // The channel closes when the work is done.
        let (done, waiting) = mpsc::channel::<()>();
        let tick = move || {
            let mut is_drawn = false;
            while waiting.recv_timeout(SHOW_AFTER) == Err(RecvTimeoutError::Timeout) {
                if !std::mem::replace(&mut is_drawn, true) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.tick();
            }
            bar.finish_and_clear();
        };
        // Where no thread can start, nothing is shown; the bar's own thread would panic there.
        let _ = std::thread::Builder::new().spawn_scoped(scope, tick);
        let res = work();
        drop(done);
        res
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_by_the_pace_of_the_files_and_not_before_there_is_one() {
        let seconds = Duration::from_secs;
        assert_eq!(left(seconds(1), 1000, 9000), None);
        assert_eq!(left(seconds(5), 0, 9000), None);
        assert_eq!(left(seconds(5), 50_000, 150_000), Some(seconds(15)));
        assert_eq!(left(seconds(5), 50_000, 1), Some(seconds(1)));
    }

    #[test]
    fn an_interruption_says_what_is_kept() {
        let text = Interruption { done: 74_000, total: 200_000 }.to_string();
        assert!(text.contains("74000 of 200000 files are indexed"), "{text}");
    }
}
