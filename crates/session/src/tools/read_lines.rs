//! The tool `read`: lines of a file with their numbers, as many as fit the budget.

use super::arguments::{self, ReadLinesArguments};
use super::evidence::{EvidenceReason, Locator};
use super::page::{Entry, Page, ToolAnswer};
use super::target::{Place, Target, check_line};
use crate::answer::excerpt::lines_of;
use crate::usage::usage;

/// Tokens of the budget reserved for the footer.
const FOOTER_TOKENS: usize = 150;

pub(super) fn answer(
    target: &Target<'_>,
    arguments: &ReadLinesArguments,
) -> anyhow::Result<ToolAnswer> {
    let budget = arguments::budget(arguments.tokens, 2000);
    let Place { path, file, lines: named } = target.place(&arguments.file)?;
    let snapshot = &target.view.snapshot;
    let text = snapshot.text(file);
    let total = text.lines().count() as u32;
    let first = check_line(
        "start_line",
        arguments.start_line.or(named.map(|it| it.0)).unwrap_or(1),
        total,
        &path,
    )?;
    let last = match arguments.end_line.or(named.map(|it| it.1)) {
        Some(line) => check_line("end_line", line, total, &path)?,
        None => total,
    };
    if total > 0 && last < first {
        return Err(usage(format!("end_line {last}: it is before start_line {first}")));
    }
    target.origin.read(&path, (first, last));
    let lines: Vec<&str> = lines_of(&text, first, last).lines().collect();
    let room = budget.saturating_sub(FOOTER_TOKENS);
    let fits = |it: &Entry| it.cost((&target.counter, target.counted)) <= room;
    let part =
        Reader { path: &path, first, locator: Locator::new(snapshot) }.fitting(&lines, &fits);
    let next = first + part.lines;
    let mut page = Page::whole(Vec::from_iter(part.entry));
    page.total = None;
    page.note = Some(match part.lines {
        0 => format!("{path} is empty"),
        _ if next <= last => format!(
            "lines {first}-{} of {total}; for more pass start_line {next}, or larger tokens",
            next - 1
        ),
        _ => format!("lines {first}-{last} of {total}"),
    });
    page.fields.insert("lines".to_owned(), total.into());
    if next <= last {
        page.fields.insert("next_line".to_owned(), next.into());
    }
    Ok(page.answer(target, budget))
}

/// The first of the requested lines.
struct FirstLines {
    /// Empty for an empty file.
    entry: Option<Entry>,
    /// Number of lines of the file.
    lines: u32,
}

/// Renders lines of one file.
struct Reader<'r> {
    path: &'r str,
    first: u32,
    locator: Locator<'r>,
}

impl Reader<'_> {
    /// About as many lines as fit. A single line that does not fit is cut, so that reading always makes progress.
    fn fitting(&mut self, lines: &[&str], fits: &dyn Fn(&Entry) -> bool) -> FirstLines {
        let mut n = lines.len();
        while n > 1 {
            let entry = self.entry(&lines[..n]);
            if fits(&entry) {
                return FirstLines { entry: Some(entry), lines: n as u32 };
            }
            n = (n * 9 / 10).max(1);
        }
        let Some(line) = lines.first() else { return FirstLines { entry: None, lines: 0 } };
        let mut chars = line.chars().count();
        loop {
            let text: String = line.chars().take(chars).collect();
            let mark = if text.len() < line.len() { "…" } else { "" };
            let entry = self.entry(&[&format!("{text}{mark}")]);
            if chars == 0 || fits(&entry) {
                return FirstLines { entry: Some(entry), lines: 1 };
            }
            chars /= 2;
        }
    }

    fn entry(&mut self, lines: &[&str]) -> Entry {
        let numbered = (self.first..).zip(lines);
        let body: String =
            numbered.map(|(number, line)| format!("{number:>5}  {line}\n")).collect();
        let span = (self.first, self.first + lines.len() as u32 - 1);
        Entry::of(self.locator.lines(self.path, span).because([EvidenceReason::Requested]), body)
    }
}
