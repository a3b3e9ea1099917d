//! Work grows linearly with a text, at every entry point and for texts of every repeated token.
//!
//! A text of 8 n bytes may take twenty times as long as one of n; quadratic work would take 64 times as long. Grammars
//! are C code that this cannot promise: where parsing alone is slow, that is said and passes, since the workers' limits
//! bound it (`crates/load/src/analyzer`).

mod entries;
mod measure;
mod texts;

use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use entries::Entry;
use foreword_chunk::{Language, Parse};
use measure::{Growth, Limits, growth};
use texts::Shape;

/// Entry points and texts for which work was quadratic.
const MENDED: &[(&str, Shape)] = &[
    ("search: question", Shape::Repeated("_a")),
    ("feedback", Shape::Repeated("_a")),
    ("ask: question", Shape::Numbered("[", "] ")),
    ("ask: check of an answer", Shape::Repeated("`a_b` ")),
    ("ask: check of an answer", Shape::Repeated("[1")),
    ("context a.py, end", Shape::Repeated("ab.")),
    ("context a.py, end", Shape::Repeated(" ab.c")),
    ("clean: completion", Shape::Repeated("a\n")),
    ("clean: completion", Shape::Repeated("a")),
    ("clean: stream", Shape::Repeated("a\n")),
    ("index, search, grep, map a.py", Shape::Repeated("def a():\n")),
    ("map: files in one directory", Shape::Repeated("a")),
    ("symbols: one name again and again", Shape::Repeated("a")),
    ("symbols: a long name around others", Shape::Repeated("a")),
    ("symbols: uses in one line", Shape::Repeated("a")),
    ("completion: embedded model", Shape::Numbered("a/b", "/c.py ")),
    ("masking", Shape::Repeated("xoxb-")),
    // The edit removes this name.
    ("next edit", Shape::Repeated("old_a ")),
    ("next edit", Shape::Repeated("old_a(b)\n")),
    ("parse vue", Shape::Repeated("<a>")),
    ("parse astro", Shape::Repeated("<<A\n")),
    ("parse hcl", Shape::Repeated("[1] ")),
];

/// Of the shapes, every entry point is tried with one in this many in the short form.
const STRIDE: usize = 41;

#[test]
fn work_grows_linearly_at_every_entry_point() {
    let limits = Limits { bytes: 1 << 15, floor: Duration::from_millis(10) };
    let shapes = Shape::all(0);
    let entries = entries::all();
    let is_parser = |it: &Entry| it.name.starts_with("parse ") || it.name.starts_with("lines ");
    let mut pairs: Vec<(&Entry, &Shape)> = Vec::new();
    for (name, shape) in MENDED {
        let entry = entries.iter().find(|it| it.name == *name);
        pairs.push((entry.unwrap_or_else(|| panic!("there is no {name}")), shape));
    }
    for (number, entry) in entries.iter().filter(|it| !is_parser(it)).enumerate() {
        pairs.extend(shapes.iter().skip(number % STRIDE).step_by(STRIDE).map(|it| (entry, it)));
    }
    let faults: Vec<String> = on_one_thread(|| {
        let measured =
            pairs.iter().map(|(entry, shape)| (*entry, *shape, measure(entry, shape, limits)));
        measured.filter_map(|(entry, shape, it)| fault(entry, shape, it)).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// All entry points with all tokens; `DOUBLING_PAIRS` adds pairs of tokens, `DOUBLING_ENTRY` and `DOUBLING_TOKEN` select.
#[test]
#[ignore = "takes long; benchmarks/attack/doubling.sh"]
fn work_grows_linearly_with_every_token() {
    let (bytes, pairs) = (number("DOUBLING_BYTES", 1 << 16), number("DOUBLING_PAIRS", 0));
    let limits = Limits { bytes, floor: Duration::from_millis(10) };
    let wanted = std::env::var("DOUBLING_ENTRY").unwrap_or_default();
    let token = std::env::var("DOUBLING_TOKEN").ok();
    let is_wanted = |it: &Shape| token.as_ref().is_none_or(|token| it.has(token));
    let shapes: Vec<Shape> = Shape::all(pairs).into_iter().filter(is_wanted).collect();
    let mut faults = 0;
    on_one_thread(|| {
        for entry in entries::all().iter().filter(|it| it.name.contains(&wanted)) {
            let start = Instant::now();
            let mut worst: Option<(f64, &Shape)> = None;
            for shape in &shapes {
                let res = measure(entry, shape, limits);
                let (Ok(it) | Err(it)) = res;
                if it.long > limits.floor && worst.is_none_or(|worst| worst.0 < it.exponent()) {
                    worst = Some((it.exponent(), shape));
                }
                if let Some(fault) = fault(entry, shape, res) {
                    faults += 1;
                    print(&format!("FAILED {fault}\n"));
                }
            }
            print(&format!("{}: {:.1?}, worst {worst:.2?}\n", entry.name, start.elapsed()));
        }
    });
    assert_eq!(faults, 0);
}

fn measure(entry: &Entry, shape: &Shape, limits: Limits) -> Result<Growth, Growth> {
    let floor = limits.floor.max(entry.bound);
    growth(&|n| shape.text(n), &entry.work, Limits { floor, ..limits })
}

/// The description of work that grew more than linearly, unless that is a grammar's.
fn fault(entry: &Entry, shape: &Shape, res: Result<Growth, Growth>) -> Option<String> {
    let it = res.err()?;
    if entry.grammar.is_some_and(|language| is_slow(language, shape, it.bytes)) {
        print(&format!("a grammar, bounded by the workers' limits: {}: {shape:?}\n", entry.name));
        return None;
    }
    let (short, long, exponent) = (it.short, it.long, it.exponent());
    Some(format!(
        "{}: {shape:?}: {} bytes take {long:.1?}, an eighth {short:.1?} (exponent {exponent:.2})",
        entry.name, it.bytes
    ))
}

/// From this exponent on a grammar counts as slow.
const MOST_EXPONENT: f64 = 1.4;

/// Whether a grammar alone takes more than linear time for texts of up to this length.
fn is_slow(language: Language, shape: &Shape, bytes: usize) -> bool {
    let parse = |text: &str| _ = black_box(Parse::new(text.as_bytes(), Some(language)));
    let limits = Limits { bytes: bytes * 8, floor: Duration::from_millis(10) };
    // Elixir's is at the edge (exponent 1.5 to 1.58), so that one run in two calls it linear.
    growth(&|n| shape.text(n), &parse, limits).map_or(true, |it| it.exponent() > MOST_EXPONENT)
}

/// Runs work on this thread alone, whose processor time is measured.
fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build().unwrap().install(work)
}

/// Prints in spite of the test harness, which keeps what a test prints.
fn print(line: &str) {
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |it| it.parse().unwrap())
}
