//! The process log, on stderr: one line per event of the program itself.
//!
//! No level logs the text of files, prompts or completions; events name paths, methods, counts and errors. Events of
//! libraries are left out, since theirs may contain whole messages. (`serve --log-code` is about the request log, which
//! is a format of its own.)

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;

/// Prefix of the targets of this program's own events: the name of the crate.
const TARGET: &str = env!("CARGO_CRATE_NAME");

/// Starts to log events of this level and above, and panics of any thread. Below it nothing changes: with
/// [`LevelFilter::OFF`] panics are printed as Rust does.
pub(crate) fn start(level: LevelFilter) {
    if level == LevelFilter::OFF {
        return;
    }
    // Only a second call could fail, and the first one's settings hold.
    drop(tracing::subscriber::set_global_default(subscriber(level, std::io::stderr)));
    std::panic::set_hook(Box::new(log_panic));
}

/// Without colours, since the lines go into the logs of editors and agents; this also honours `NO_COLOR`.
fn subscriber<W>(level: LevelFilter, writer: W) -> impl Subscriber
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt()
        .with_max_level(level)
        // An error of the writer would be printed to stderr, and panic where stderr is closed.
        .log_internal_errors(false)
        .with_writer(writer)
        .finish();
    lines.with(Targets::new().with_target(TARGET, level))
}

fn log_panic(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed");
    let message = panic.payload_as_str().map_or("no message", without_quoted_text);
    let location = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!("thread {name} panicked at {location}: {message}");
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        tracing::error!("{backtrace}");
    }
}

/// A panic's message up to where the standard library quotes the text that was sliced, or values that were compared.
fn without_quoted_text(message: &str) -> &str {
    let line = message.lines().next().unwrap_or_default();
    let quotes = [" of `", " slicing `", "; it is inside "];
    let end = quotes.iter().filter_map(|it| line.find(it)).min();
    &line[..end.unwrap_or(line.len())]
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::{Arc, Mutex};

    use foreword_session::recurring_error::RecurringError;

    use super::*;

    /// The log lines of `work` on this thread, panics included.
    pub(crate) fn logged(level: LevelFilter, work: impl FnOnce()) -> String {
        let lines: Arc<Mutex<Vec<u8>>> = Arc::default();
        let writer = Writer(Arc::clone(&lines));
        std::panic::set_hook(Box::new(log_panic));
        tracing::subscriber::with_default(subscriber(level, move || writer.clone()), work);
        let lines = lines.lock().unwrap();
        String::from_utf8(lines.clone()).unwrap()
    }

    #[derive(Clone)]
    struct Writer(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Writer {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn events_of_libraries_and_lower_levels_are_left_out() {
        let log = logged(LevelFilter::INFO, || {
            tracing::info!(target: "hyper::proto", "of a library");
            tracing::debug!("detail");
            tracing::info!("start");
        });
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(log.contains("INFO") && log.trim_end().ends_with("start"), "{log}");
    }

    #[test]
    fn a_panic_is_logged_with_its_place_and_without_the_text_that_was_sliced() {
        let log = logged(LevelFilter::ERROR, || {
            let text = "secret \u{fc}".to_owned();
            let index = text.len() - 1;
            let sliced = std::panic::catch_unwind(|| text[..index].len());
            assert!(sliced.is_err());
        });
        assert!(log.contains("ERROR") && log.contains("panicked at"), "{log}");
        assert!(log.contains("logging.rs") && !log.contains("secret"), "{log}");
        for (message, expect) in [
            ("called `Option::unwrap()` on a `None` value", None),
            ("begin <= end (4 <= 1) when slicing `secret`", Some("begin <= end (4 <= 1) when")),
            ("byte index 9 is out of bounds of `secret`", Some("byte index 9 is out of bounds")),
            ("assertion failed\n  left: secret", Some("assertion failed")),
        ] {
            assert_eq!(without_quoted_text(message), expect.unwrap_or(message));
        }
    }

    #[test]
    fn an_error_that_comes_again_is_a_warning_once() {
        let error = RecurringError::new();
        let log = logged(LevelFilter::WARN, || {
            error.warn("suggestion", "no index");
            error.warn("suggestion", "no index");
            error.warn("suggestion", "no model");
            error.clear();
            error.warn("suggestion", "no model");
        });
        let warnings: Vec<&str> =
            log.lines().filter_map(|it| it.split_once("suggestion: ")).map(|it| it.1).collect();
        assert_eq!(warnings, ["no index", "no model", "no model"]);
    }
}
