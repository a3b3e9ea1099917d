//! Lists the secrets that would be masked in the files of a directory, for review:
//!
//! ```sh
//! cargo run --release -p foreword-load --example secrets -- PATH [--show]
//! ```
//!
//! Prints path, line and kind of each secret; with `--show` also the line with the secret in it. The last line gives the
//! time of the search, and of reading.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use foreword_engine::secret::find;
use foreword_load::{FileEntry, Limits, Masking, Root, WalkConfig, read, walk};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().ok_or("name a directory")?);
    let is_shown = arguments.next().is_some_and(|it| it == "--show");
    let (mut bytes, mut reading, mut finding) = (0, Duration::ZERO, Duration::ZERO);
    let (root, limits) = (Root::open(&path)?, Limits::default());
    for entry in walk(&path, &WalkConfig::default())?.files {
        let entry = FileEntry { masking: Masking::Off, ..entry };
        let start = Instant::now();
        let Ok(text) = read(&root, &entry, &limits).map(|it| it.text) else { continue };
        reading += start.elapsed();
        let start = Instant::now();
        let secrets = find(&text);
        finding += start.elapsed();
        bytes += text.len();
        for secret in secrets {
            let at = secret.spans[0].start;
            let line = text[..at].matches('\n').count();
            println!("{}:{}: {}", entry.path, line + 1, secret.kind);
            if is_shown {
                println!("    {}", text.lines().nth(line).unwrap_or_default().trim());
            }
        }
    }
    let ms = |it: Duration| it.as_secs_f64() * 1e3;
    println!(
        "{:.1} MB: read in {:.1} ms, searched in {:.1} ms",
        bytes as f64 / 1e6,
        ms(reading),
        ms(finding)
    );
    Ok(())
}
