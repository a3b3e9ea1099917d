//! One place for what decides: the numbers of the engine are in its module `preset`, each with the run that chose it.

use std::path::Path;

use super::sources::{code, rust_files};

/// Fractions that say how something is computed, not how much it counts.
const PLAIN: [&str; 4] = ["0.0", "1.0", "2.0", "100.0"];

/// Parts of the names of limits and formats: they bound work or lay out bytes, and decide no answer that is complete.
const LIMITS: [&str; 18] = [
    "MAX",
    "MIN",
    "LIMIT",
    "BYTES",
    "CHARS",
    "VERSION",
    "FRAME",
    "BLOCK",
    "LEVEL",
    "COUNT",
    "HEADER",
    "TAIL",
    "FLAG",
    "ENTRY",
    "CODE",
    "GENERATION",
    "CAPACITY",
    "K",
];

#[test]
fn numbers_that_decide_are_in_the_preset() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for path in rust_files(&src) {
        let relative = path.strip_prefix(&src).unwrap().to_string_lossy().into_owned();
        if relative.starts_with("preset/")
            || relative.contains("test")
            || relative.contains("golden")
        {
            continue;
        }
        wrong.extend(numbers(&code(&path)).into_iter().map(|it| format!("{relative}: {it}")));
    }
    assert!(
        wrong.is_empty(),
        "move to `preset/constants`, with the run that chose it:\n{}",
        wrong.join("\n")
    );
}

/// The lines with a number that decides: a fraction, or an integer constant that is not called a limit.
fn numbers(code: &str) -> Vec<&str> {
    code.lines().map(str::trim).filter(|it| has_fraction(it) || is_count(it)).collect()
}

fn has_fraction(line: &str) -> bool {
    let line = line.split(" // ").next().unwrap_or(line);
    let outside = line.split('"').step_by(2);
    outside
        .flat_map(|it| it.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_'))
        .any(|word| {
            let word = word.trim_end_matches("_f32").trim_end_matches("_f64");
            let parts = word.split_once('.');
            let digits =
                |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit() || it == b'_');
            parts.is_some_and(|(whole, rest)| digits(whole) && digits(rest))
                && !PLAIN.contains(&word)
        })
}

fn is_count(line: &str) -> bool {
    let Some((head, value)) = line.split_once(" = ") else { return false };
    let Some((_, name)) = head.split_once("const ") else { return false };
    let Some((name, kind)) = name.split_once(": ") else { return false };
    let is_number =
        ["usize", "u8", "u16", "u32", "u64", "i32", "i64", "f32", "f64"].contains(&kind);
    is_number
        && !value.contains("::")
        && !LIMITS.iter().any(|it| name.split('_').any(|part| part == *it))
}

#[test]
fn a_number_is_noticed() {
    let code = "const SHARE: f32 = 0.3;\nconst FILES: usize = 3;\nconst MAX_FILES: usize = 9;\nlet half = 0.5 * x;\nx.0.1";
    assert_eq!(numbers(code).len(), 3);
    assert!(numbers("let it = \"0.37\"; y / 2.0").is_empty());
}
