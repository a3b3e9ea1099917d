//! Analyses texts in child processes, which may hang, abort or run out of memory; the parent records that and
//! continues.

use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::Range;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use foreword_chunk::{Config, Language, Parse};

use super::texts::{Attack, Source};

/// Limits for one text.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Address space of the child, in bytes.
    pub(crate) memory: u64,
    /// Time for one text.
    pub(crate) time: Duration,
}

/// A text that ended a child or was too slow.
pub(crate) struct Failure {
    pub(crate) seed: u64,
    /// `slow`, `hang`, or the child's exit status.
    pub(crate) what: String,
}

/// The child: analyses the attacks of `seeds` and reports each on stdout, with its time.
pub(crate) fn work(sources: &[Source], seeds: Range<u64>, most: usize) {
    let mut out = std::io::stdout();
    for seed in seeds {
        writeln!(out, "begin {seed}").expect("the parent listens");
        let source = source_of(sources, seed);
        let attack = source.attack(seed, most);
        let begin = Instant::now();
        analyze(source.language, &attack);
        writeln!(out, "end {}", begin.elapsed().as_millis()).expect("the parent listens");
    }
}

pub(crate) fn source_of(sources: &[Source], seed: u64) -> &Source {
    &sources[(seed % sources.len() as u64) as usize]
}

/// Parses, chunks and finds symbols; panics if a chunk is missing.
pub(crate) fn analyze(language: Language, attack: &Attack) {
    let previous = attack.previous.as_deref();
    let kept = previous.and_then(|it| Parse::new(it, Some(language)).into_previous());
    let parse = Parse::after(&attack.text, Some(language), kept.as_ref());
    let symbols = parse.symbols();
    let chunks = parse.chunks(&symbols, &Config::default());
    let mut end = 0;
    for chunk in &chunks {
        assert_eq!(chunk.span.start, end, "chunks follow each other");
        end = chunk.span.end;
    }
    assert_eq!(end as usize, attack.text.len(), "chunks reach the end");
}

/// The parent: runs `seeds` in children started by `command`, and returns the failures.
pub(crate) fn watch(
    command: &dyn Fn(Range<u64>) -> Command,
    seeds: Range<u64>,
    limits: Limits,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut at = seeds.start;
    while at < seeds.end {
        let (mut child, lines) = start(&command(at..seeds.end), limits.memory);
        let (begun, what) = listen(&lines, limits.time, &mut failures);
        if what.as_deref() == Some("hang") {
            let _ = child.kill();
        }
        let status = child.wait().expect("the child was started");
        let what = what.or_else(|| (!status.success()).then(|| status.to_string()));
        let Some(what) = what else { break };
        let seed = begun.unwrap_or(at);
        failures.push(Failure { seed, what });
        at = seed + 1;
    }
    failures
}

/// Starts a child with a memory limit, if the system has `ulimit`.
fn start(command: &Command, memory: u64) -> (Child, Receiver<String>) {
    let mut limited = limited(command, memory);
    limited.stdout(Stdio::piped()).stderr(Stdio::null()).stdin(Stdio::null());
    let mut child = limited.spawn().expect("this program starts again");
    let out = BufReader::new(child.stdout.take().expect("it is piped"));
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    (child, lines)
}

#[cfg(target_os = "linux")]
fn limited(command: &Command, memory: u64) -> Command {
    let mut limited = Command::new("sh");
    let script = format!("ulimit -v {}; ulimit -c 0; exec \"$@\"", memory >> 10);
    limited.args(["-c", &script, "sh"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    limited
}

#[cfg(not(target_os = "linux"))]
fn limited(command: &Command, _memory: u64) -> Command {
    let mut same = Command::new(command.get_program());
    same.args(command.get_args());
    for (name, value) in command.get_envs() {
        same.env(name, value.unwrap_or_default());
    }
    same
}

/// Follows a child to its end or to a hang: its current seed, and `hang`. Slow texts go into `failures`.
fn listen(
    lines: &Receiver<String>,
    time: Duration,
    failures: &mut Vec<Failure>,
) -> (Option<u64>, Option<String>) {
    let mut at = None;
    // The time limit excludes the start of the child.
    let mut patience = time + Duration::from_secs(20);
    loop {
        match lines.recv_timeout(patience) {
            Ok(line) => {
                patience = time * 2;
                let mut words = line.split(' ');
                match (words.next(), words.next().and_then(|it| it.parse::<u64>().ok())) {
                    (Some("begin"), seed) => at = seed,
                    (Some("end"), Some(millis)) if u128::from(millis) > time.as_millis() => {
                        failures.extend(
                            at.map(|seed| Failure { seed, what: format!("slow {millis}") }),
                        );
                    }
                    _ => {}
                }
            }
            Err(RecvTimeoutError::Timeout) => return (at, Some("hang".to_owned())),
            Err(RecvTimeoutError::Disconnected) => return (at, None),
        }
    }
}
