//! `foreword hook`: what Claude Code runs before a command of its shell. Where the command searches the repository with
//! grep, the model is told of foreword's tools; nothing is ever denied.
//!
//! Builds of Claude Code for macOS and Linux have no tool for grep, so the hook is for `Bash` and reads the command.

use std::io::Read as _;

use serde_json::{Value, json};

use super::{Outcome, output};

/// Maximum length of the description of a call.
const MAX_INPUT: u64 = 1 << 20;

/// What the model is told.
const HINT: &str = "foreword's tools have this repository indexed: `search` (mode exact or regex for a pattern) answers such a search with whole functions and places, `symbols` with every use of a name. grep is needed only for ignored and generated files.";

/// Reads the description of a call from stdin. It is never an error, so that no command of the user is held up.
pub(super) fn run() -> anyhow::Result<Outcome> {
    let mut input = String::new();
    let read = std::io::stdin().lock().take(MAX_INPUT).read_to_string(&mut input);
    let call: Value = read.ok().and_then(|_| serde_json::from_str(&input).ok()).unwrap_or_default();
    let command = call.pointer("/tool_input/command").and_then(Value::as_str);
    let directory = call["cwd"].as_str().unwrap_or_default();
    if call["tool_name"] == "Bash" && command.is_some_and(|it| searches(it, directory)) {
        let said = json!({ "hookEventName": "PreToolUse", "additionalContext": HINT });
        output::text(&format!("{}\n", json!({ "hookSpecificOutput": said })))?;
    }
    Ok(Outcome::Done)
}

/// Whether a command of a shell searches the files below `directory` for a text.
fn searches(command: &str, directory: &str) -> bool {
    command.split([';', '\n', '&']).any(|it| {
        let mut parts = it.split('|').map(words);
        let first = parts.next().unwrap_or_default();
        let is_find = first.first() == Some(&"find");
        let is_search = searches_files(&first)
            || (is_find && parts.any(|it| it.first() == Some(&"xargs") && greps(&it[1..])));
        is_search && !is_elsewhere(&first, directory)
    })
}

/// The words of a command from its program on, without variables, paths of programs, and programs that start another.
fn words(command: &str) -> Vec<&str> {
    let is_before =
        |it: &&str| it.contains('=') || ["sudo", "time", "nice", "command"].contains(it);
    let mut words: Vec<&str> = command.split_whitespace().skip_while(is_before).collect();
    if let Some(program) = words.first_mut() {
        *program = program.rsplit('/').next().unwrap_or(program);
    }
    words
}

fn searches_files(words: &[&str]) -> bool {
    match words {
        ["rg" | "ag" | "ack", rest @ ..] => !rest.contains(&"--files"),
        ["git", "grep", ..] => true,
        ["find", rest @ ..] => {
            rest.iter().position(|it| *it == "-exec").is_some_and(|at| greps(&rest[at + 1..]))
        }
        ["grep" | "egrep" | "fgrep", rest @ ..] => rest.iter().any(|it| is_recursive(it)),
        _ => false,
    }
}

fn greps(words: &[&str]) -> bool {
    let program = words.iter().find(|it| !it.starts_with('-') && **it != "0");
    program.is_some_and(|it| ["grep", "egrep", "fgrep", "rg"].contains(it))
}

/// Whether an option of grep makes it read directories: `-r`, `-Rn`, `--recursive`.
fn is_recursive(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => long == "recursive" || long == "dereference-recursive",
        None => option.strip_prefix('-').is_some_and(|it| it.contains(['r', 'R'])),
    }
}

/// Whether a path among the words leads out of the directory.
fn is_elsewhere(words: &[&str], directory: &str) -> bool {
    let leads_out = |it: &&str| match it.trim_matches(['"', '\'']) {
        it if it.starts_with('/') => directory.is_empty() || !it.starts_with(directory),
        it => it.starts_with("~/") || it == ".." || it.starts_with("../"),
    };
    words.iter().skip(1).any(leads_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_of_the_repository_is_told_from_other_commands() {
        for command in [
            "rg 'def load' src",
            "grep -rn load .",
            "cd src && grep -Rn --include=*.py load",
            "LC_ALL=C grep --recursive load src | head -20",
            "git grep -n load",
            "find . -name '*.py' | xargs grep load",
            "find . -name '*.py' -exec grep -l load {} +",
            "/usr/bin/rg load /repo/src",
        ] {
            assert!(searches(command, "/repo"), "{command}");
        }
        for command in [
            "ps aux | grep python",
            "grep load src/a.py",
            "cargo test 2>&1 | grep -r FAILED",
            "rg load /etc",
            "grep -rn load ~/.cache",
            "grep -rn load ../other",
            "find . -name '*.py'",
            "rg --files",
            "ls",
            "",
        ] {
            assert!(!searches(command, "/repo"), "{command}");
        }
    }
}
