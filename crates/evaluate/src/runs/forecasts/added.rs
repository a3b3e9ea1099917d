//! The function that fills a hole, as a model would foretell it.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use foreword_chunk::{Config, Definition, Kind, Language, Span, Symbols, analyze};
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{StatedForecast, StatedLines};

use crate::tasks::git::file_at;
use crate::tasks::remove::whole;
use crate::tasks::task::Task;

/// A function that was added, or removed by the task, with those that were added right before it.
pub(crate) struct AddedFunction {
    pub(crate) path: String,
    pub(crate) language: Language,
    /// The function comes last.
    pub(crate) forecasts: Vec<StatedForecast>,
    /// The names that the function refers to, with their kind of use, each once, without itself.
    pub(crate) references: Vec<String>,
}

/// The file of a task with its hole filled.
struct FinishedFile {
    text: String,
    /// The hole.
    hole: Range<usize>,
    /// The start of what was typed before it.
    start: usize,
    /// The end of what was typed after it.
    end: usize,
}

impl FinishedFile {
    /// The file as the commit left it: a task has no `end` and no brackets after a hole that an editor adds. Else the task's
    /// own text.
    fn new(git_dir: &Path, task: &Task) -> Result<Self> {
        let part = |it: &Option<String>| it.clone().unwrap_or_default();
        let [prefix, truth, suffix] = [&task.prefix, &task.ground_truth, &task.suffix].map(part);
        let (before, after) = (task.meta.typed_before, task.meta.typed_after);
        let start = prefix.len().checked_sub(before).context("more is typed than there is")?;
        let committed = task.meta.commit.as_ref().zip(task.target_file.as_ref());
        let committed = committed.and_then(|it| file_at(git_dir, it.0, it.1).ok());
        let typed = format!("{}{truth}", &prefix[start..]);
        let found = committed.and_then(|text| {
            let places = text.match_indices(&typed).map(|it| it.0);
            // A commit may have changed other parts of the file, too.
            let at = places.min_by_key(|it| it.abs_diff(start))?;
            Some((text, at))
        });
        let (text, start) = found.unwrap_or_else(|| (format!("{prefix}{truth}{suffix}"), start));
        let hole = start + before..start + typed.len();
        let end = (hole.end + after).min(text.len());
        Ok(Self { text, hole, start, end })
    }
}

/// The function of a task's hole. Its evidence is the line before which it stands. Fails if the commit did not add the
/// function to code that was there: if it rewrote one of its name, or all around it, or added it as a part of other code.
pub(crate) fn added_function(
    snapshot: &Snapshot,
    git_dir: &Path,
    task: &Task,
) -> Result<AddedFunction> {
    let path = task.target_file.clone().context("the task names no file")?;
    let FinishedFile { text, hole, start, end } = FinishedFile::new(git_dir, task)?;
    let language = Language::of_path(&path, &text[..text.floor_char_boundary(4096)]);
    let language = language.filter(|it| it.is_code()).context("no code")?;
    let symbols = analyze(text.as_bytes(), Some(language), &Config::default()).symbols;
    let outer = outermost(&symbols, &(start..end));
    let is_around = |it: &&&Definition| {
        let body = it.body.map_or(0..0, Span::range);
        it.span.range().start <= hole.start && hole.start < body.end
    };
    let own = outer.iter().find(is_around);
    let own = *own.context("the hole is in no added definition")?;
    if !is_function(own) {
        bail!("the hole is in an added type");
    }
    if opens_brackets(&text[start.min(own.span.start as usize)..own.span.start as usize]) {
        bail!("the function is inside of other code that was added");
    }
    let first = first_line(task, start, &text);
    let before = snapshot.file(&path).map(|it| snapshot.text(it)).unwrap_or_default();
    let added = FunctionPlace { text: &text, language, own, start };
    added.check(&before, first)?;
    let evidence = evidence(snapshot, &path, first).context("the file is empty")?;
    // A patch may begin in the comment before a function, whose first lines are then those of the next one.
    let stated = |it: &Definition| {
        let range = whole(&text, it);
        let lead = text[range.start.min(start)..start].matches('\n').count() as u32;
        StatedForecast {
            name: it.name.of(&text).to_owned(),
            code: text[range].to_owned(),
            line: first.saturating_sub(lead).max(1),
            evidence: vec![evidence.clone()],
        }
    };
    let earlier = outer.iter().filter(|it| it.span.start < own.span.start && is_function(it));
    let forecasts = earlier.map(|it| stated(it)).chain([stated(own)]).collect();
    let references = references(&symbols, own, &text);
    Ok(AddedFunction { path, language, forecasts, references })
}

/// A function in its finished file.
struct FunctionPlace<'a> {
    text: &'a str,
    language: Language,
    own: &'a Definition,
    /// The start of what was typed.
    start: usize,
}

impl FunctionPlace<'_> {
    /// Fails if the function, or all around it, was rewritten and not added before line `first` of the file as it was; or if
    /// that line is in another function, whose first lines the patch counts as added.
    fn check(&self, before: &str, first: u32) -> Result<()> {
        if self.namesakes(before) >= self.namesakes(self.text) {
            bail!("the function was rewritten, not added");
        }
        let added = self.start..whole(self.text, self.own).end;
        if !has_neighbour(before, first, self.text, &added) {
            bail!("the code around the function was rewritten");
        }
        let at = before.split_inclusive('\n').take(first as usize - 1).map(str::len).sum();
        if self.functions_around(before, at)
            != self.functions_around(self.text, self.own.name.start as usize)
        {
            bail!("the patch begins in another function");
        }
        Ok(())
    }

    /// The names of the functions around a byte of a text, other than the one that is added.
    fn functions_around(&self, text: &str, at: usize) -> Vec<String> {
        let symbols = self.symbols(text);
        let own = self.own.name.of(self.text);
        let holds = |it: &&Definition| {
            is_function(it) && (it.span.start as usize) < at && at < it.span.end as usize
        };
        let around = symbols.definitions.iter().filter(holds).map(|it| it.name.of(text));
        around.filter(|it| *it != own).map(str::to_owned).collect()
    }

    fn symbols(&self, text: &str) -> Symbols {
        analyze(text.as_bytes(), Some(self.language), &Config::default()).symbols
    }

    /// Number of functions of this name in a text.
    fn namesakes(&self, text: &str) -> usize {
        let symbols = self.symbols(text);
        let name = self.own.name.of(self.text);
        let is_same = |it: &&Definition| is_function(it) && it.name.of(text) == name;
        symbols.definitions.iter().filter(is_same).count()
    }
}

/// The code around `added` in a finished file was there before: the line above or below it is also above or below line
/// `first` of the file as it was. Blank lines do not count.
fn has_neighbour(before: &str, first: u32, finished: &str, added: &Range<usize>) -> bool {
    let is_code = |it: &&str| !it.trim().is_empty();
    let above = |text: &str| text.lines().rev().find(is_code).map(str::to_owned);
    let below = |text: &str| text.lines().find(is_code).map(str::to_owned);
    let at: usize = before.split_inclusive('\n').take(first as usize - 1).map(str::len).sum();
    let start = finished[..added.start].rfind('\n').map_or(0, |it| it + 1);
    above(&before[..at]) == above(&finished[..start])
        || below(&before[at..]) == below(&finished[added.end.min(finished.len())..])
}

/// Whether a text opens brackets that it does not close: what follows is a part of an expression, a statement or an
/// implementation. Brackets in strings count, too.
fn opens_brackets(text: &str) -> bool {
    let mut open = 0_usize;
    for it in text.bytes() {
        match it {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    open > 0
}

/// The line of the file without the function, before which it was typed.
fn first_line(task: &Task, start: usize, text: &str) -> u32 {
    let prefix = task.prefix.as_deref().unwrap_or_default();
    let at = prefix.len().saturating_sub(task.meta.typed_before);
    let before = prefix.get(..at).unwrap_or(&text[..start]);
    1 + before.matches('\n').count() as u32
}

/// The definitions inside `inserted` that are in no other one of it.
fn outermost<'s>(symbols: &'s Symbols, inserted: &Range<usize>) -> Vec<&'s Definition> {
    let is_inside = |it: &Definition| {
        inserted.start <= it.span.start as usize && it.name.end as usize <= inserted.end
    };
    let has_outer = |it: &Definition| symbols.ancestors(it.parent).any(is_inside);
    symbols.definitions.iter().filter(|it| is_inside(it) && !has_outer(it)).collect()
}

fn is_function(it: &Definition) -> bool {
    matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor)
}

/// The last line above `line` that is not blank, else the first below it.
fn evidence(snapshot: &Snapshot, path: &str, line: u32) -> Option<StatedLines> {
    let text = snapshot.text(snapshot.file(path)?);
    let lines: Vec<&str> = text.lines().collect();
    let is_there = |it: &u32| !lines[*it as usize - 1].trim().is_empty();
    let n = lines.len() as u32;
    let above = (1..line.min(n + 1)).rev().find(is_there);
    let at = above.or_else(|| (line..=n).find(is_there))?;
    let what = "stands before it".to_owned();
    Some(StatedLines { path: path.to_owned(), first_line: at, last_line: at, what })
}

fn references(symbols: &Symbols, own: &Definition, text: &str) -> Vec<String> {
    let inside = own.span.range();
    let of_own = symbols.references.iter().filter(|it| inside.contains(&(it.name.start as usize)));
    let mut res: Vec<String> = of_own.map(|it| it.name.of(text).to_owned()).collect();
    res.sort_unstable();
    res.dedup();
    res.retain(|it| it != own.name.of(text));
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_a_neighbour_where_one_line_beside_it_was_there_before() {
        let finished = "a\n\nfn f() {}\n\nb\n";
        let added = finished.find("fn").unwrap()..finished.find("\n\nb").unwrap() + 1;
        assert!(has_neighbour("a\nb\n", 2, finished, &added));
        assert!(has_neighbour("a\nc\n", 2, finished, &added));
        assert!(has_neighbour("c\nb\n", 2, finished, &added));
        assert!(!has_neighbour("c\nd\n", 2, finished, &added));
        assert!(!has_neighbour("a\nb\n", 1, finished, &added));
    }

    #[test]
    fn what_follows_an_open_bracket_is_a_part_of_other_code() {
        assert!(opens_brackets("styles.visible = {\n    "));
        assert!(opens_brackets("impl Read for File {\n    type Error = ();\n"));
        assert!(!opens_brackets("const SIZE: usize = size_of::<(u8, [u8; 2])>();\n\n"));
        assert!(!opens_brackets("    }\n\n    "));
    }

    #[test]
    fn a_function_that_was_there_is_rewritten_and_an_overload_is_added() {
        let text = "fn f() -> u8 {\n    1\n}\n";
        let symbols = analyze(text.as_bytes(), Some(Language::Rust), &Config::default()).symbols;
        let place = FunctionPlace {
            text,
            language: Language::Rust,
            own: &symbols.definitions[0],
            start: 0,
        };
        assert!(place.check("fn f() {}\n", 1).is_err());
        assert!(place.check("", 1).is_ok());
    }

    #[test]
    fn a_patch_that_begins_in_another_function_adds_none() {
        let text =
            "fn f() {\n    g()\n}\n\nfn h() {\n    g()\n}\n\nfn g() {\n    one();\n    two()\n}\n";
        let symbols = analyze(text.as_bytes(), Some(Language::Rust), &Config::default()).symbols;
        let (own, start) = (&symbols.definitions[1], text.find("    g()").unwrap());
        let place = FunctionPlace { text, language: Language::Rust, own, start };
        let fault = place.check("fn f() {\n    one();\n    two()\n}\n", 2).unwrap_err();
        assert_eq!(fault.to_string(), "the patch begins in another function");
        let place = FunctionPlace { start: text.find("\nfn h").unwrap(), ..place };
        assert!(place.check("fn f() {\n    g()\n}\n", 4).is_ok());
    }
}
