//! The text around the cursor, trimmed to its own budget: whole lines next to the cursor, and of what is above them the
//! lines that they need (imports, headers of the enclosing definitions, constants).

use std::ops::Range;

use foreword_chunk::{Kind, Span};

use super::{Budget, Count};
use crate::index::terms::identifiers;
use crate::scope::{Cursor, Scope};

/// Of the prefix's budget, the share that lines from far above may take.
const HEAD_SHARE: f32 = 0.3;

/// What of the cursor's file is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The text before the hole.
    pub prefix: String,
    /// The text after the hole.
    pub suffix: String,
    /// Bytes of the file that the two show, in order.
    pub shown: Vec<Range<usize>>,
}

/// Trims the text around the cursor. What fits is not touched.
pub fn window(cursor: &Cursor, scope: &Scope, budget: &Budget, count: Count<'_>) -> Window {
    let for_prefix = (budget.total as f32 * budget.prefix) as usize;
    let for_suffix = (budget.total as f32 * budget.suffix) as usize;
    let end = suffix_end(cursor, for_suffix, count);
    let suffix = cursor.text[cursor.resume..end].to_owned();
    let tail = tail_start(cursor, for_prefix, count);
    if tail == 0 {
        let prefix = cursor.prefix().to_owned();
        return Window { prefix, suffix, shown: join(vec![0..cursor.offset, cursor.resume..end]) };
    }
    let head_budget = (for_prefix as f32 * HEAD_SHARE) as usize;
    let tail = tail_start(cursor, for_prefix - head_budget, count);
    let head = head_lines(cursor, scope, tail, end, head_budget, count);
    let prefix = render(cursor, scope, &head, tail);
    let mut shown = head;
    shown.extend([tail..cursor.offset, cursor.resume..end]);
    Window { prefix, suffix, shown: join(shown) }
}

/// Where the last whole lines before the cursor begin that fit; the cursor's own line always does.
fn tail_start(cursor: &Cursor, budget: usize, count: Count<'_>) -> usize {
    let prefix = cursor.prefix();
    let mut start = prefix.rfind('\n').map_or(0, |at| at + 1);
    let mut left = budget.saturating_sub(count(&prefix[start..]));
    while start > 0 {
        let line_start = prefix[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        let tokens = count(&prefix[line_start..start]);
        if tokens > left {
            break;
        }
        left -= tokens;
        start = line_start;
    }
    start
}

/// Where the first whole lines after the cursor end that fit. The rest of the cursor's line is cut if it alone does
/// not fit.
fn suffix_end(cursor: &Cursor, budget: usize, count: Count<'_>) -> usize {
    let mut end = cursor.resume;
    let mut left = budget;
    for line in cursor.suffix().split_inclusive('\n') {
        let tokens = count(line);
        if tokens > left {
            break;
        }
        left -= tokens;
        end += line.len();
    }
    end
}

/// Lines above `tail` that the shown text needs, as ranges in order: headers of enclosing definitions first, then
/// imports and constants whose names it uses, as far as the budget goes.
fn head_lines(
    cursor: &Cursor,
    scope: &Scope,
    tail: usize,
    end: usize,
    budget: usize,
    count: Count<'_>,
) -> Vec<Range<usize>> {
    let used = names_in(&cursor.text[tail..end]);
    let is_used = |name: &str| used.binary_search(&name).is_ok();
    let symbols = &scope.record.symbols;
    let headers = scope.enclosing.iter().map(|idx| symbols.definitions[*idx as usize].signature);
    let imports = symbols.imports.iter().filter(|it| {
        let last = it.module.rsplit(['.', '/', ':', '\\']).next().unwrap_or(&it.module);
        let own = it.alias.as_deref().unwrap_or(last);
        let named = |name: &foreword_chunk::ImportedName| {
            name.name == "*" || is_used(name.alias.as_deref().unwrap_or(&name.name))
        };
        is_used(own) || it.names.iter().any(named)
    });
    let constants = symbols.definitions.iter().filter(|it| {
        let is_constant = matches!(it.kind, Kind::Constant | Kind::Field | Kind::Type);
        is_constant && is_used(it.name.of(&cursor.text))
    });
    let wanted = headers.chain(imports.map(|it| it.span)).chain(constants.map(|it| it.span));
    let mut left = budget;
    let mut res: Vec<Range<usize>> = Vec::new();
    for span in wanted.filter(|it| (it.end as usize) <= tail) {
        let lines = whole_lines(&cursor.text, span);
        let known = res.iter().any(|it| it.start <= lines.start && lines.end <= it.end);
        let tokens = if known { 0 } else { count(&cursor.text[lines.clone()]) };
        if known || tokens > left || lines.end > tail {
            continue;
        }
        left -= tokens;
        res.push(lines);
    }
    join(res)
}

fn names_in(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    identifiers(text, |start, end| res.push(&text[start..end]));
    res.sort_unstable();
    res.dedup();
    res
}

fn whole_lines(text: &str, span: Span) -> Range<usize> {
    let range = span.range();
    let start = text[..range.start.min(text.len())].rfind('\n').map_or(0, |at| at + 1);
    let end = range.end.min(text.len());
    start..text[end..].find('\n').map_or(text.len(), |at| end + at + 1)
}

/// The kept lines, a comment where lines are left out, and the text from `tail` to the cursor.
fn render(cursor: &Cursor, scope: &Scope, head: &[Range<usize>], tail: usize) -> String {
    let comment = scope.language.and_then(foreword_chunk::Language::line_comment);
    let gap = comment.map_or_else(|| "...\n".to_owned(), |it| format!("{it} ...\n"));
    let mut res = String::new();
    let mut at = 0;
    for lines in head.iter().cloned().chain(std::iter::once(tail..cursor.offset)) {
        if lines.start > at {
            let indent = cursor.text[lines.clone()].len()
                - cursor.text[lines.clone()].trim_start_matches([' ', '\t']).len();
            res.push_str(&cursor.text[lines.start..lines.start + indent]);
            res.push_str(&gap);
        }
        res.push_str(&cursor.text[lines.clone()]);
        at = lines.end;
    }
    res
}

/// Ranges in order, those that touch made one, empty ones left out.
fn join(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|it| !it.is_empty());
    ranges.sort_by_key(|it| it.start);
    let mut res: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match res.last_mut().filter(|last| last.end >= range.start) {
            Some(last) => last.end = last.end.max(range.end),
            None => res.push(range),
        }
    }
    res
}
