//! Attacks the grammars with texts made from real files, in child processes with a limit of memory and time.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a program that measures reads files and a clock"
)]

#[path = "../../tests/it/fuzz/child.rs"]
mod child;
#[path = "../../tests/it/fuzz/texts.rs"]
mod texts;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use foreword_chunk::{Language, Parse};

use self::child::{Failure, Limits, analyze, source_of, watch, work};
use self::texts::{Attack, Source, sources};

const HELP: &str = "\
attack fuzz FROM TO [--most BYTES] [--seconds LIMIT] [--memory MEBIBYTES] [--out FOLDER] [FOLDER…]
    Makes the texts of the seeds FROM..TO from the files in tests/languages and in the folders, analyzes each in a
    child process, and writes every text that hangs, aborts or takes more than the limits into the folder --out.
attack one LANGUAGE FILE
    Analyzes one file, and prints its time and memory.
attack trees FOLDER…
    For each file below the folders: its path, language, size, whether it has a tree, and microseconds.";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["fuzz", from, to, ref rest @ ..] => fuzz(number(from)..number(to), rest),
        ["child", from, to, most, ref folders @ ..] => {
            work(&from_folders(folders), number(from)..number(to), number(most) as usize);
        }
        ["one", language, file] => one(language, Path::new(file)),
        ["trees", ref folders @ ..] => folders.iter().for_each(|it| trees(Path::new(it))),
        _ => println!("{HELP}"),
    }
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number"))
}

fn from_folders(folders: &[&str]) -> Vec<Source> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let given = folders.iter().map(Path::new);
    let folders: Vec<&Path> = std::iter::once(own.as_path()).chain(given).collect();
    sources(&folders, 64 << 10)
}

/// Settings of `fuzz`.
struct Fuzz<'a> {
    most: u64,
    out: PathBuf,
    limits: Limits,
    folders: Vec<&'a str>,
}

impl<'a> Fuzz<'a> {
    fn new(words: &[&'a str]) -> Self {
        let limits = Limits { memory: 1 << 30, time: Duration::from_secs(4) };
        let (most, out) = (16 << 10, PathBuf::from("attack-out"));
        let mut it = Self { most, out, limits, folders: Vec::new() };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match (word, words.as_slice().first()) {
                ("--most", Some(value)) => it.most = number(value),
                ("--seconds", Some(value)) => it.limits.time = Duration::from_secs(number(value)),
                ("--memory", Some(value)) => it.limits.memory = number(value) << 20,
                ("--out", Some(value)) => it.out = PathBuf::from(value),
                _ => {
                    it.folders.push(word);
                    continue;
                }
            }
            words.next();
        }
        it
    }

    /// Writes the text of a failure, shortened if it fails alone.
    fn write(&self, failure: &Failure, source: &Source) {
        let language = source.language.name();
        let attack = source.attack(failure.seed, self.most as usize);
        let file = self.out.join(format!("{}.{language}", failure.seed));
        let text = match attack.previous {
            Some(_) => attack.text,
            None => shorten(&attack.text, 60, &|it| fails(language, it, &file, self.limits)),
        };
        std::fs::write(&file, &text).unwrap();
        let (seed, what) = (failure.seed, &failure.what);
        println!("seed {seed} {language}: {what}, {} bytes: {}", text.len(), file.display());
    }
}

fn fuzz(seeds: Range<u64>, rest: &[&str]) {
    let asked = Fuzz::new(rest);
    let command = |seeds: Range<u64>| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let numbers = [seeds.start, seeds.end, asked.most].map(|it| it.to_string());
        command.arg("child").args(numbers).args(&asked.folders);
        command
    };
    let begin = Instant::now();
    let failures = watch(&command, seeds.clone(), asked.limits);
    let sources = from_folders(&asked.folders);
    std::fs::create_dir_all(&asked.out).unwrap();
    for failure in &failures {
        asked.write(failure, source_of(&sources, failure.seed));
    }
    let (texts, seconds) = (seeds.end - seeds.start, begin.elapsed().as_secs());
    println!("{texts} texts, {} failures, {seconds} s", failures.len());
    std::process::exit(i32::from(!failures.is_empty()));
}

/// Whether a text fails without the others.
fn fails(language: &str, text: &[u8], file: &Path, limits: Limits) -> bool {
    std::fs::write(file, text).unwrap();
    let command = |_: Range<u64>| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["one", language]).arg(file);
        command
    };
    !watch(&command, 0..1, limits).is_empty()
}

fn one(language: &str, file: &Path) {
    let text = std::fs::read(file).unwrap();
    let language = Language::from_name(language).unwrap();
    println!("begin 0");
    let begin = Instant::now();
    let tree = Parse::new(&text, Some(language)).has_tree();
    analyze(language, &Attack { text, previous: None });
    let time = begin.elapsed();
    println!("end {}", time.as_millis());
    println!("tree: {tree}, {time:?}, at most {} MiB of memory", peak() >> 10);
}

/// Peak of resident memory in KiB; 0 if the system does not report it.
fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|it| it.starts_with("VmHWM"));
    line.and_then(|it| it.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

fn trees(folder: &Path) {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|it| it.path()).filter(|it| !it.is_symlink()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && path.file_name().is_none_or(|it| it != ".git") {
            trees(&path);
            continue;
        }
        let Ok(text) = std::fs::read(&path) else { continue };
        let head = String::from_utf8_lossy(&text[..text.len().min(4096)]).into_owned();
        let Some(language) = path.to_str().and_then(|it| Language::of_path(it, &head)) else {
            continue;
        };
        let begin = Instant::now();
        let tree = Parse::new(&text, Some(language)).has_tree();
        let (name, micros) = (language.name(), begin.elapsed().as_micros());
        println!("{}\t{name}\t{}\t{tree}\t{micros}", path.display(), text.len());
    }
}

/// Shortens a text that still fails in the same way, in at most `tries` steps.
fn shorten(text: &[u8], tries: usize, fails: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let (mut text, mut left, mut piece) = (text.to_vec(), tries, text.len() / 2);
    while piece > 0 && left > 0 {
        let (mut at, mut shorter) = (0, false);
        while at < text.len() && left > 0 {
            let end = (at + piece).min(text.len());
            let candidate = [&text[..at], &text[end..]].concat();
            left -= 1;
            if fails(&candidate) {
                text = candidate;
                shorter = true;
            } else {
                at = end;
            }
        }
        if !shorter || piece > text.len() / 2 {
            piece /= 2;
        }
    }
    text
}
