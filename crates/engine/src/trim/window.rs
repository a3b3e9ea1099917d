//! Trims the text around the cursor to its budget: whole lines next to the cursor, and the lines above that these need
//! (imports, headers of enclosing definitions, constants).

use std::ops::Range;

use foreword_chunk::{Kind, Span};

use super::budget::{Budget, Count, Trim};
use crate::index::terms::identifiers;
use crate::index::{FileId, HeadPlace};
use crate::preset::constants::trim::PREFIX_HEAD_SHARE;
use crate::scope::{Cursor, Scope};
use crate::sorting::sort_by_key;

/// Upper bound of bytes per token in any vocabulary; longer lines need not be counted.
const LONGEST_TOKEN_BYTES: usize = 256;

/// Usual upper bound of bytes per token in code; the search for the longest fitting line starts here.
const USUAL_TOKEN_BYTES: usize = 8;

/// The text of the cursor's file in the prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Text before the cursor.
    pub prefix: String,
    /// Text after the cursor.
    pub suffix: String,
    /// Byte ranges of the file that both show, in order.
    pub visible: Vec<Range<usize>>,
}

/// The part of the cursor's file that the prompt shows.
#[derive(Clone, Copy, Debug)]
pub struct VisibleText<'s> {
    /// The cursor's file.
    pub file: Option<FileId>,
    /// The text around the cursor.
    pub window: &'s Window,
    /// Where in the head of its file the cursor is; `None` below the head.
    pub head: Option<HeadPlace>,
}

/// Trims the text around the cursor; text that fits is unchanged.
pub fn window(cursor: &Cursor, scope: &Scope, budget: &Budget, count: Count<'_>) -> Window {
    if budget.trim == Trim::Nearest {
        return nearest_lines(cursor, budget, count);
    }
    let for_prefix = (budget.total as f32 * budget.prefix) as usize;
    let for_suffix = (budget.total as f32 * budget.suffix) as usize;
    let end = suffix_end(cursor, for_suffix, count);
    let suffix = cursor.text()[cursor.resume()..end].to_owned();
    let tail = tail_start(cursor, for_prefix, count);
    if tail == 0 {
        let prefix = cursor.prefix().to_owned();
        let visible = join(vec![0..cursor.offset(), cursor.resume()..end]);
        return Window { prefix, suffix, visible };
    }
    let head_budget = (for_prefix as f32 * PREFIX_HEAD_SHARE) as usize;
    let tail = tail_start(cursor, for_prefix - head_budget, count);
    let head = head_lines(cursor, scope, tail, end, head_budget, count);
    let prefix = render(cursor, scope, &head, tail);
    let mut visible = head;
    visible.extend([tail..cursor.offset(), cursor.resume()..end]);
    Window { prefix, suffix, visible: join(visible) }
}

/// Only the lines next to the cursor, without parsing, for requests with little time.
pub fn nearest_lines(cursor: &Cursor, budget: &Budget, count: Count<'_>) -> Window {
    let start = tail_start(cursor, (budget.total as f32 * budget.prefix) as usize, count);
    let end = suffix_end(cursor, (budget.total as f32 * budget.suffix) as usize, count);
    Window {
        prefix: cursor.text()[start..cursor.offset()].to_owned(),
        suffix: cursor.text()[cursor.resume()..end].to_owned(),
        visible: join(vec![start..cursor.offset(), cursor.resume()..end]),
    }
}

/// Start of the last whole lines before the cursor that fit. If the cursor's line alone does not fit, its end is shown;
/// a line may be as long as a file.
fn tail_start(cursor: &Cursor, budget: usize, count: Count<'_>) -> usize {
    let prefix = cursor.prefix();
    let line = prefix.rfind('\n').map_or(0, |at| at + 1);
    let mut start = line + end_that_fits(&prefix[line..], budget, count);
    if start > line {
        return start;
    }
    let mut left = budget.saturating_sub(count(&prefix[start..]));
    while start > 0 {
        let line_start = prefix[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        let Some(tokens) = within(&prefix[line_start..start], left, count) else { break };
        left -= tokens;
        start = line_start;
    }
    start
}

/// End of the first whole lines after the cursor that fit. If the rest of the cursor's line does not fit, it is cut.
fn suffix_end(cursor: &Cursor, budget: usize, count: Count<'_>) -> usize {
    let mut end = cursor.resume();
    let mut left = budget;
    for line in cursor.suffix().split_inclusive('\n') {
        let Some(tokens) = within(line, left, count) else {
            let is_first = end == cursor.resume();
            return if is_first { end + start_that_fits(line, budget, count) } else { end };
        };
        left -= tokens;
        end += line.len();
    }
    end
}

/// Tokens of `line` if at most `most`; a line that cannot fit is not counted.
fn within(line: &str, most: usize, count: Count<'_>) -> Option<usize> {
    let hopeless = line.len() / LONGEST_TOKEN_BYTES > most;
    (!hopeless).then(|| count(line)).filter(|it| *it <= most)
}

/// Start of the longest suffix of `line` that fits and splits no name.
fn end_that_fits(line: &str, budget: usize, count: Count<'_>) -> usize {
    let from = |len: usize| line.ceil_char_boundary(line.len() - len);
    let fits = |len: usize| within(&line[from(len)..], budget, count).is_some();
    let len = longest(line.len(), budget.saturating_mul(USUAL_TOKEN_BYTES), fits);
    let start = from(len);
    if start == 0 { 0 } else { start + line[start..].find(is_no_word).unwrap_or(0) }
}

/// End of the longest prefix of `line` that fits and splits no name.
fn start_that_fits(line: &str, budget: usize, count: Count<'_>) -> usize {
    let to = |len: usize| line.floor_char_boundary(len);
    let fits = |len: usize| within(&line[..to(len)], budget, count).is_some();
    let end = to(longest(line.len(), budget.saturating_mul(USUAL_TOKEN_BYTES), fits));
    let words_end = |(at, it): (usize, char)| at + it.len_utf8();
    line[..end].char_indices().rfind(|it| is_no_word(it.1)).map_or(end, words_end)
}

fn is_no_word(it: char) -> bool {
    !it.is_alphanumeric() && it != '_'
}

/// The largest fitting length up to `len`, for a monotonic `fits`; the search starts at `likely`.
fn longest(len: usize, likely: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, likely.max(1).min(len));
    while high > low && fits(high) {
        low = high;
        high = high.saturating_mul(2).min(len);
    }
    while low + 1 < high {
        let middle = low.midpoint(high);
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Lines above `tail` that the visible text needs, as sorted ranges: headers of enclosing definitions first, then
/// imports and constants whose names it uses, within the budget.
fn head_lines(
    cursor: &Cursor,
    scope: &Scope,
    tail: usize,
    end: usize,
    budget: usize,
    count: Count<'_>,
) -> Vec<Range<usize>> {
    let used = names_in(&cursor.text()[tail..end]);
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
        is_constant && is_used(it.name.of(cursor.text()))
    });
    let wanted = headers.chain(imports.map(|it| it.span)).chain(constants.map(|it| it.span));
    let mut left = budget;
    let mut res: Vec<Range<usize>> = Vec::new();
    for span in wanted.filter(|it| (it.end as usize) <= tail) {
        let lines = whole_lines(cursor.text(), span);
        let known = res.iter().any(|it| it.start <= lines.start && lines.end <= it.end);
        let tokens = if known { 0 } else { count(&cursor.text()[lines.clone()]) };
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

/// Renders the head lines, comments in place of gaps, and the text from `tail` to the cursor.
fn render(cursor: &Cursor, scope: &Scope, head: &[Range<usize>], tail: usize) -> String {
    let comment = scope.language.and_then(foreword_chunk::Language::line_comment);
    let gap = comment.map_or_else(|| "...\n".to_owned(), |it| format!("{it} ...\n"));
    let mut res = String::new();
    let mut at = 0;
    for lines in head.iter().cloned().chain(std::iter::once(tail..cursor.offset())) {
        if lines.start > at {
            let indent = cursor.text()[lines.clone()].len()
                - cursor.text()[lines.clone()].trim_start_matches([' ', '\t']).len();
            res.push_str(&cursor.text()[lines.start..lines.start + indent]);
            res.push_str(&gap);
        }
        res.push_str(&cursor.text()[lines.clone()]);
        at = lines.end;
    }
    res
}

/// Sorts ranges and joins adjacent ones; drops empty ones.
fn join(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|it| !it.is_empty());
    sort_by_key(&mut ranges, |it| it.start);
    let mut res: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match res.last_mut().filter(|last| last.end >= range.start) {
            Some(last) => last.end = last.end.max(range.end),
            None => res.push(range),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of `text` shown before and after `<|>`, with one token per byte.
    fn check(text: &str, prefix: usize, suffix: usize, expect: [&str; 2]) {
        let offset = text.find("<|>").unwrap();
        let text = text.replacen("<|>", "", 1);
        let cursor = Cursor::new("a", text, offset).unwrap();
        let start = tail_start(&cursor, prefix, &str::len);
        let end = suffix_end(&cursor, suffix, &str::len);
        assert_eq!([&cursor.text()[start..offset], &cursor.text()[offset..end]], expect);
    }

    #[test]
    fn whole_lines_are_shown_as_far_as_they_fit() {
        check("one\ntwo\nthree<|>four\nfive\nsix", 10, 11, ["two\nthree", "four\nfive\n"]);
        check("one\ntwo\nthree<|>four\nfive\nsix", 5, 5, ["three", "four\n"]);
        check("one\ntwo<|>", 100, 100, ["one\ntwo", ""]);
    }

    #[test]
    fn a_line_that_does_not_fit_is_cut_between_words() {
        check("x\na, bcd, efg<|>hij, klm, n\nz", 7, 8, [", efg", "hij, "]);
        check("abcdefgh<|>abcdefgh", 3, 3, ["fgh", "abc"]);
        check("ä ü ö<|>ö ü ä", 4, 4, [" ö", "ö "]);
    }

    #[test]
    fn a_line_as_long_as_a_file_is_not_counted_as_a_whole() {
        let line = "word ".repeat(1 << 20);
        let cursor = |offset: usize| Cursor::new("a", line.clone(), offset).unwrap();
        let counted = std::cell::Cell::new(0);
        let count = |text: &str| {
            counted.set(counted.get() + text.len());
            text.split_whitespace().count()
        };
        let start = tail_start(&cursor(line.len()), 100, &count);
        assert_eq!(count(&line[start..]), 100);
        let end = suffix_end(&cursor(0), 100, &count);
        assert_eq!(count(&line[..end]), 100);
        assert!(counted.get() < 1 << 20, "{}", counted.get());
    }
}
