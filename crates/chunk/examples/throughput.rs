//! Measures the speed of parsing, chunking and finding symbols, beside a bare tree-sitter parse of the same files.
//!
//! `throughput DIRECTORY EXTENSION [EXCLUDED-FOLDER…]`, for instance `throughput /usr/lib/python3 py test`. The phases
//! take turns, and the fastest of several rounds counts, so that a busy machine disturbs all of them alike.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that measures reads files and a clock"
)]

mod support;

use std::time::{Duration, Instant};

use foreword_chunk::{Config, Language, Parse, Symbols};

const ROUNDS: usize = 5;

/// A name, and the work for each file.
type Phase<'a> = (&'a str, &'a mut dyn FnMut(&[u8]));

fn main() {
    let Some(support::Corpus { files, language, mut parser }) = support::corpus() else { return };
    let bytes: usize = files.iter().map(Vec::len).sum();
    let mut phases: [Phase<'_>; 4] = [
        ("bare parse", &mut |text| drop(parser.parse(text, None))),
        ("parse within budget", &mut |text| drop(Parse::new(text, Some(language)))),
        ("parse + chunks", &mut |text| drop(chunks(text, language))),
        ("parse + chunks + symbols", &mut |text| {
            drop(foreword_chunk::analyze(text, Some(language), &Config::default()));
        }),
    ];
    let mut best = [Duration::MAX; 4];
    for _ in 0..ROUNDS {
        for (phase, best) in phases.iter_mut().zip(&mut best) {
            let begin = Instant::now();
            for text in &files {
                phase.1(text);
            }
            *best = begin.elapsed().min(*best);
        }
    }
    println!("{} files, {:.1} MB", files.len(), bytes as f64 / 1e6);
    for ((name, _), time) in phases.iter().zip(best) {
        let ratio = best[0].as_secs_f64() / time.as_secs_f64();
        println!("{name:<26}{:>8.2} MB/s{ratio:>8.2}", bytes as f64 / 1e6 / time.as_secs_f64());
    }
}

fn chunks(text: &[u8], language: Language) -> Vec<foreword_chunk::Chunk> {
    Parse::new(text, Some(language)).chunks(&Symbols::default(), &Config::default())
}
