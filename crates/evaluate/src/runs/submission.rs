//! A submission to the context collection competition of 2025 from its rows and archives: for each row, in order, the
//! engine's context at its cursor.
//!
//! Each line has the context, with files and parts of files after `<|file_sep|>PATH\n`, and the prefix and suffix if
//! they differ from the row's. The organisers cut the context from the left.

use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use foreword_engine::preset::Preset;
use foreword_engine::scope::View;
use serde::Serialize;

use crate::measures::coverage::ContextPiece;
use crate::runs::completion::Protocol;
use crate::runs::completion::cursor::cursor_of;
use crate::runs::completion::retrieval::Retrieval;
use crate::tasks::corpus::{is_checked_out, snapshot};
use crate::tasks::loader::{self, Format};
use crate::tasks::task::Task;

/// Writes one line per row to `out`, with pieces of at most `tokens` each. Returns the rows without a context because
/// their code could not be read; their lines are empty, since the organisers count lines. Fails on unreadable rows.
pub fn submit(
    rows: &Path,
    archives: &Path,
    tokens: usize,
    preset: &Preset,
    out: &mut impl Write,
) -> Result<Vec<String>> {
    let loaded = loader::load(rows, Some(Format::Competition))?;
    if let Some(first) = loaded.problems.first() {
        bail!("every row needs its line in a submission, and {first}");
    }
    let mut empty = Vec::new();
    for task in &loaded.tasks {
        let line = match line_of(task, archives, tokens, preset) {
            Ok(line) => line,
            Err(why) => {
                empty.push(format!("{}: {why:#}", task.id));
                submission_line(&[])?
            }
        };
        writeln!(out, "{line}").context("cannot write the submission")?;
    }
    Ok(empty)
}

fn line_of(task: &Task, archives: &Path, tokens: usize, preset: &Preset) -> Result<String> {
    let name = task.corpus.path.as_deref().context("the row names no archive")?;
    // The organisers' script unpacks it to a directory without the extension.
    let places = [archives.join(name), archives.join(name.trim_end_matches(".zip"))];
    let place = places.iter().find(|it| is_checked_out(it));
    let place = place.with_context(|| format!("{} is not there", places[0].display()))?;
    let snapshot = snapshot(place)?;
    let cursor = cursor_of(task, Protocol::FillIn, &[])?;
    let view = View::new(&snapshot, &cursor).context("cannot overlay the index with the text")?;
    submission_line(&Retrieval::new(&view, &cursor, preset).pieces(tokens))
}

/// A line of a submission.
#[derive(Serialize)]
struct Submission {
    /// Files and parts of files, the most important last.
    context: String,
    /// Shown instead of the row's prefix.
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<String>,
    /// Shown instead of the row's suffix.
    #[serde(skip_serializing_if = "Option::is_none")]
    suffix: Option<String>,
}

/// The line for pieces in the order of the prompt: the first is cut first.
fn submission_line(pieces: &[ContextPiece]) -> Result<String> {
    let mut context = String::new();
    for it in pieces {
        ensure!(!it.path.contains('\n'), "{:?} is no path that a submission can name", it.path);
        // A separator in the text would begin another file.
        let text = it.text.replace("<|file_sep|>", "< |file_sep|>");
        context.push_str(&format!("<|file_sep|>{}\n{}", it.path, text));
        if !text.ends_with('\n') {
            context.push('\n');
        }
    }
    let line = Submission { context, prefix: None, suffix: None };
    serde_json::to_string(&line).context("cannot write a line of the submission")
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::preset;

    #[test]
    fn every_row_has_its_line_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(dir.path().join("o__n-abc.zip")).unwrap();
        let mut zip = zip::ZipWriter::new(file);
        for (path, text) in [
            ("url.py", "def parse_url(text, strict_mode=False):\n    return text\n"),
            ("main.py", "from url import parse_url\n"),
        ] {
            zip.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
        let row = |revision: &str| {
            format!(
                r#"{{"repo": "o/n", "revision": "{revision}", "path": "main.py", "modified_files": [], "prefix": "from url import parse_url\n\ndef main(text):\n    return parse_url(", "suffix": ")\n"}}"#
            ) + "\n"
        };
        let rows = dir.path().join("python-start.jsonl");
        std::fs::write(&rows, row("gone") + &row("abc")).unwrap();
        let mut out = Vec::new();
        let empty = submit(&rows, dir.path(), 2000, &preset::context(), &mut out).unwrap();
        let lines: Vec<serde_json::Value> = String::from_utf8(out)
            .unwrap()
            .lines()
            .map(|it| serde_json::from_str(it).unwrap())
            .collect();
        assert_eq!((lines.len(), empty.len()), (2, 1));
        assert!(empty[0].contains("o__n-gone.zip is not there"), "{}", empty[0]);
        assert_eq!(lines[0]["context"], "");
        let context = lines[1]["context"].as_str().unwrap();
        assert!(context.starts_with("<|file_sep|>url.py\n") && context.contains("strict_mode"));

        std::fs::write(&rows, row("abc") + "{}\n").unwrap();
        let error = submit(&rows, dir.path(), 2000, &preset::context(), &mut Vec::new());
        assert!(error.unwrap_err().to_string().contains("python-start.jsonl:2"));
    }

    #[test]
    fn a_submission_names_each_part_and_neutralises_separators() {
        let piece = ContextPiece {
            path: "a.py".into(),
            text: "x<|file_sep|>".into(),
            ..ContextPiece::default()
        };
        let line = submission_line(&[piece]).unwrap();
        assert_eq!(line, r#"{"context":"<|file_sep|>a.py\nx< |file_sep|>\n"}"#);
    }
}
