//! Output: data to stdout, everything else to stderr.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use anstyle::{AnsiColor, Style};
use foreword_engine::visible::{is_directional, printable, visible};
use foreword_load::Workspace;

use super::Outcome;
use super::args::Color;

/// Names of files and symbols.
pub(super) const NAME: Style =
    Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan))).bold();
/// Words that were searched for.
pub(super) const FOUND: Style = Style::new().bold();
/// Secondary information.
pub(super) const DIM: Style = Style::new().dimmed();
/// Success.
pub(super) const GOOD: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
/// Failure.
pub(super) const BAD: Style =
    Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red))).bold();

/// Sets the use of colours; `auto` depends on the terminal, NO_COLOR and CLICOLOR_FORCE.
pub(super) fn set_color(color: Color) {
    let choice = match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Prints styled text. On a terminal no character reorders the others.
pub(super) fn text(text: &str) -> anyhow::Result<Outcome> {
    let is_terminal = std::io::stdout().is_terminal();
    let mut out = anstream::stdout().lock();
    match is_terminal {
        true => out.write_all(visible(text).as_bytes())?,
        false => out.write_all(text.as_bytes())?,
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// Prints bytes unchanged; on a terminal without control characters.
pub(super) fn bytes(bytes: &[u8]) -> anyhow::Result<Outcome> {
    let mut out = std::io::stdout().lock();
    match out.is_terminal() {
        true => out.write_all(plain(&String::from_utf8_lossy(bytes)).as_bytes())?,
        false => out.write_all(bytes)?,
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// Prints a JSON object on one line.
pub(super) fn json(value: &impl serde::Serialize) -> anyhow::Result<Outcome> {
    let line = serde_json::to_string(value)?;
    let is_hidden = |c: char| is_directional(c) || c.is_control();
    if !line.contains(is_hidden) {
        return bytes((line + "\n").as_bytes());
    }
    // JSON's own escapes: for programs it is the same text.
    let mut escaped = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        if is_hidden(c) {
            escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    bytes((escaped + "\n").as_bytes())
}

/// Prints a note on stderr.
pub(super) fn note(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{DIM}foreword: {}{DIM:#}", printable(text));
}

/// Prints a first answer on stderr, whose rest is still to come.
pub(super) fn preview(title: &str, text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{DIM}foreword: {title}{DIM:#}\n{}", visible(text));
}

/// Prints an error on stderr, with its causes.
pub(super) fn error(error: &anyhow::Error) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{BAD}error:{BAD:#} {}", printable(&causes(error)));
}

/// The error and its causes, except those contained in its message.
fn causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |message, cause| {
        match (message.is_empty(), message.contains(&cause)) {
            (true, _) => cause,
            (_, true) => message,
            (false, false) => format!("{message}: {cause}"),
        }
    })
}

/// Asks on a terminal; elsewhere nobody can agree.
pub(super) fn agrees(question: &str) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() || !stderr_is_terminal() {
        return Ok(false);
    }
    let mut err = anstream::stderr();
    write!(err, "{question} [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

pub(super) fn stderr_is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Repository text without what a terminal would obey, or what would make it look different.
pub(super) fn plain(text: &str) -> String {
    printable(text.strip_suffix('\r').unwrap_or(text)).into_owned()
}

/// The working directory, relative to the root.
static WORKING_DIRECTORY: OnceLock<String> = OnceLock::new();

/// Lets [`path`] print paths relative to the working directory if it is below the root, so that any program can use them.
/// The files of a commit are not on disk.
pub(super) fn set_root(workspace: &Workspace) {
    let current = std::env::current_dir().and_then(dunce::canonicalize);
    let current = current.ok().filter(|_| workspace.revision.is_none());
    let below =
        current.and_then(|it| it.strip_prefix(&workspace.root).ok()?.to_str().map(str::to_owned));
    if let Some(below) = below {
        // Set only once: a command answers from one workspace.
        let _ = WORKING_DIRECTORY.set(below);
    }
}

/// A path of the index relative to `directory`; both are relative to the root.
fn seen_from(directory: &str, path: &str) -> String {
    let (mut from, mut to) = (Path::new(directory).components(), Path::new(path).components());
    while let (Some(a), Some(b)) = (from.clone().next(), to.clone().next()) {
        if a != b {
            break;
        }
        from.next();
        to.next();
    }
    format!("{}{}", "../".repeat(from.count()), to.as_path().display())
}

/// A path on one line; index paths are printed relative to the working directory.
pub(super) fn path(path: &str) -> String {
    let directory = WORKING_DIRECTORY.get().filter(|it| !it.is_empty());
    let seen = directory.filter(|_| Path::new(path).is_relative()).map(|it| seen_from(it, path));
    plain(seen.as_deref().unwrap_or(path)).replace('\n', "\\n").replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_seen_from_a_directory() {
        assert_eq!(seen_from("lib", "lib/a.py"), "a.py");
        assert_eq!(seen_from("lib/b", "lib/a.py"), "../a.py");
        assert_eq!(seen_from("library", "lib/a.py"), "../lib/a.py");
        assert_eq!(seen_from("a/b", "c.py"), "../../c.py");
    }
}
