//! The amount of the cursor's own file to show: the enclosing function or class, with and without the imports above it (at
//! most a quarter of the tokens), the file as far as it fits, and the engine's choice; pieces from elsewhere fill the rest.
//!
//! All identifiers of the hole are wanted here, including those in the text around the cursor. A scope that does not fit is
//! cut farthest from the cursor: at most three quarters of the tokens go to the text before it and one quarter to the text
//! after.

use std::ops::Range;

use anyhow::{Context as _, Result};
use foreword_chunk::{Definition, Kind, Language};
use foreword_engine::preset::Preset;
use foreword_engine::scope::Cursor;
use foreword_engine::trim::Window;

use crate::ask::{Question, at_cursors};
use foreword_evaluate::measures::coverage::{ContextPiece, Coverage, Hole};
use foreword_evaluate::runs::completion::CompletionSettings;
use foreword_evaluate::runs::completion::retrieval::{Retrieval, context_piece};
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::table::{Observation, Table, observe};
use foreword_evaluate::tasks::corpus::count_tokens;
use foreword_evaluate::tasks::task::Task;

/// Runs the experiment.
pub(crate) fn scope(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Table>> {
    let ask = |retrieval: &Retrieval<'_>, task: &Task| ask(retrieval, task, &settings.budgets);
    at_cursors(settings, preset, &Question { name: "scope", reference: "as it is", ask })
}

/// The text shown around the cursor.
#[derive(Clone, Copy)]
enum Extent {
    Function,
    Class,
    File,
}

/// Whether the imports are shown above it.
#[derive(Clone, Copy)]
enum Imports {
    Without,
    With,
}

fn ask(
    retrieval: &Retrieval<'_>,
    task: &Task,
    budgets: &[Option<usize>],
) -> Result<Vec<Observation>> {
    let truth = task.ground_truth.as_deref().context("the task has no ground truth")?;
    let cursor = retrieval.cursor;
    let language =
        Language::of_path(cursor.path(), &cursor.text()[..cursor.text().floor_char_boundary(4096)]);
    let hole = Hole::new(truth, cursor.prefix(), ("", ""), language, &task.relevant);
    let variants = [
        ("function", Extent::Function, Imports::Without),
        ("function and imports", Extent::Function, Imports::With),
        ("class", Extent::Class, Imports::Without),
        ("class and imports", Extent::Class, Imports::With),
        ("file", Extent::File, Imports::Without),
    ];
    let mut res = observe("as it is", budgets, |budget| {
        measure(
            retrieval,
            &hole,
            &retrieval.window,
            budget.unwrap_or(retrieval.preset.budget.total),
        )
    });
    for (name, extent, imports) in variants {
        res.extend(observe(name, budgets, |budget| {
            let tokens = budget.unwrap_or(retrieval.preset.budget.total);
            measure(retrieval, &hole, &window(retrieval, extent, imports, tokens), tokens)
        }));
    }
    Ok(res)
}

/// Coverage by a window and the pieces beside it, within a token budget.
fn measure(retrieval: &Retrieval<'_>, hole: &Hole, window: &Window, tokens: usize) -> Coverage {
    let around = [&window.prefix, &window.suffix].map(|text| ContextPiece {
        path: retrieval.cursor.path().to_owned(),
        text: text.clone(),
        tokens: count_tokens(text),
        ..ContextPiece::default()
    });
    let spent: usize = around.iter().map(|it| it.tokens).sum();
    let selection = retrieval.select(window, tokens.saturating_sub(spent));
    let mut shown: Vec<ContextPiece> = around.to_vec();
    shown.extend(selection.pieces.iter().map(context_piece));
    hole.measure(&shown)
}

/// The text of an extent around the cursor, as far as it fits.
fn window(retrieval: &Retrieval<'_>, extent: Extent, imports: Imports, tokens: usize) -> Window {
    let cursor = retrieval.cursor;
    let whole = range_of(retrieval, extent);
    let head = match imports {
        Imports::With => head(retrieval, whole.start, tokens / 4),
        Imports::Without => Vec::new(),
    };
    let mut prefix: String =
        head.iter().map(|it| format!("{}\n", &cursor.text()[it.clone()])).collect();
    let left = (tokens * 3 / 4).saturating_sub(count_tokens(&prefix));
    let start = first_line_that_fits(cursor, whole.start, left);
    let end = last_line_that_fits(cursor, whole.end, tokens / 4);
    let mut visible = head;
    prefix.push_str(&cursor.text()[start..cursor.offset()]);
    visible.extend([start..cursor.offset(), cursor.resume()..end]);
    Window { prefix, suffix: cursor.text()[cursor.resume()..end].to_owned(), visible }
}

/// The imports before byte `until`, as far as they fit. A file that is shown from its top needs none.
fn head(retrieval: &Retrieval<'_>, until: usize, tokens: usize) -> Vec<Range<usize>> {
    let text = retrieval.cursor.text();
    let mut left = tokens;
    let mut res = Vec::new();
    for it in retrieval.scope.record.symbols.imports.iter().map(|it| it.span.range()) {
        let needed = count_tokens(&text[it.clone()]) + 1;
        if it.end <= until && needed <= left {
            left -= needed;
            res.push(it);
        }
    }
    res
}

/// The bytes of an extent; the whole file where there is no such definition around the cursor.
fn range_of(retrieval: &Retrieval<'_>, extent: Extent) -> Range<usize> {
    let (scope, cursor) = (&retrieval.scope, retrieval.cursor);
    let definitions =
        || scope.enclosing.iter().map(|it| &scope.record.symbols.definitions[*it as usize]);
    let is_type = |it: &&Definition| {
        use Kind::{Class, Enum, Implementation, Interface, Module};
        matches!(it.kind, Class | Enum | Implementation | Interface | Module)
    };
    let found = match extent {
        Extent::File => None,
        Extent::Function => definitions().find(|it| !is_type(it)),
        Extent::Class => definitions().rfind(is_type).or_else(|| definitions().next_back()),
    };
    let all = 0..cursor.text().len();
    let range = found.map_or(all, |it| it.span.range());
    range.start.min(cursor.offset())..range.end.max(cursor.resume()).min(cursor.text().len())
}

fn first_line_that_fits(cursor: &Cursor, from: usize, tokens: usize) -> usize {
    let mut start = cursor.offset();
    for line in cursor.text()[from..cursor.offset()].split_inclusive('\n').rev() {
        if count_tokens(&cursor.text()[start - line.len()..cursor.offset()]) > tokens {
            break;
        }
        start -= line.len();
    }
    start
}

fn last_line_that_fits(cursor: &Cursor, until: usize, tokens: usize) -> usize {
    let mut end = cursor.resume();
    for line in cursor.text()[cursor.resume()..until].split_inclusive('\n') {
        if count_tokens(&cursor.text()[cursor.resume()..end + line.len()]) > tokens {
            break;
        }
        end += line.len();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::{IndexConfig, Snapshot};
    use foreword_engine::preset;
    use foreword_engine::scope::View;

    #[track_caller]
    fn check(extent: Extent, imports: Imports, prefix: &str, suffix: &str) {
        let head = "import os\n\nx = 1\n\nclass A:\n    def a(self):\n        pass\n\n";
        let text = format!("{head}    def b(self):\n        one()\n        two()\n\ny = 2\n");
        let offset = text.find("        two").unwrap();
        let cursor = Cursor::new("a.py", text, offset).unwrap();
        let snapshot = Snapshot::of_sources(Vec::new(), IndexConfig::default()).unwrap();
        let view = View::new(&snapshot, &cursor).unwrap();
        let preset = preset::context();
        let retrieval = Retrieval::new(&view, &cursor, &preset);
        let window = window(&retrieval, extent, imports, 1000);
        assert_eq!((window.prefix.as_str(), window.suffix.trim_end()), (prefix, suffix));
    }

    #[test]
    fn an_extent_is_what_is_around_the_cursor() {
        check(Extent::Function, Imports::Without, "def b(self):\n        one()\n", "        two()");
        check(
            Extent::Class,
            Imports::With,
            "import os\nclass A:\n    def a(self):\n        pass\n\n    def b(self):\n        one()\n",
            "        two()",
        );
        let all = "import os\n\nx = 1\n\nclass A:\n    def a(self):\n        pass\n\n    def b(self):\n        one()\n";
        check(Extent::File, Imports::Without, all, "        two()\n\ny = 2");
    }
}
