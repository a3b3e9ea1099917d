//! The tool `search`: one question, four ways to look.

use foreword_chunk::LineIndex;
use foreword_engine::fuzzy;
use foreword_engine::grep::Case;
use foreword_engine::search::SearchResult;
use serde_json::{Map, json};

use super::arguments::{self, Mode};
use super::page::{self, Answer, Item, Page};
use super::tools::Call;
use crate::answer::excerpt::excerpt;
use crate::answer::filter::Filter;
use crate::answer::search::{Pattern, Question, matching, ranked};
use crate::answer::symbols;
use crate::usage::usage;

/// Lines of an excerpt where none are asked for.
const LINES: usize = 12;

/// Results where no number is asked for.
const LIMIT: usize = 10;

/// Names offered when there is none of that spelling.
const SIMILAR: usize = 5;

/// What is asked for, made ready.
struct Ask<'a> {
    query: &'a str,
    mode: Mode,
    filter: Filter,
    offset: usize,
    limit: usize,
    lines: Option<usize>,
}

pub(super) fn answer(call: &Call<'_>, it: &arguments::Search) -> anyhow::Result<Answer> {
    if it.query.trim().is_empty() {
        return Err(usage(
            "search: the query is empty; give a question, words, a name or a pattern",
        ));
    }
    let (query, mode) = intended(&it.query, it.mode);
    if matches!(mode, Mode::Exact | Mode::Regex) && !it.kind.is_empty() {
        return Err(usage(
            "search: a pattern finds lines, of which kind says nothing; leave it out",
        ));
    }
    let key = (query, mode as u8, &it.path, &it.lang, &it.kind);
    let question = page::fingerprint(&key);
    let ask = Ask {
        query,
        mode,
        filter: Filter::new(&it.path, &it.lang, &it.kind)?,
        offset: page::offset_of(it.cursor.as_deref(), question)?,
        limit: it.limit.unwrap_or(LIMIT).clamp(1, 100),
        lines: it.lines.map(|it| it.min(200)),
    };
    let mut page = match mode {
        Mode::Auto => by_words(call, &ask)?,
        Mode::Symbol => by_name(call, &ask),
        Mode::Exact | Mode::Regex => by_pattern(call, &ask)?,
    };
    page.question = question;
    Ok(page.answer(call, arguments::budget(it.tokens, 2000)))
}

/// A query all in quotes is meant as it stands, one between slashes as an expression, whatever else is said of it.
fn intended(query: &str, mode: Mode) -> (&str, Mode) {
    let inner = |mark: char| {
        let inner = query.trim().strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.is_empty() && !inner.contains(mark)).then_some(inner)
    };
    match mode {
        Mode::Auto => match (inner('"').or_else(|| inner('`')), inner('/')) {
            (Some(text), _) => (text, Mode::Exact),
            (None, Some(pattern)) => (pattern, Mode::Regex),
            (None, None) => (query, mode),
        },
        _ => (query, mode),
    }
}

fn by_words(call: &Call<'_>, ask: &Ask<'_>) -> anyhow::Result<Page> {
    let snapshot = &call.view.snapshot;
    let limit = ask.offset + ask.limit + 1;
    let question = |fuzzy| Question { query: ask.query, limit, tokens: None, fuzzy };
    let mut note = None;
    let mut found = ranked(snapshot, &question(false), &ask.filter)?;
    if found.results.is_empty() {
        found = ranked(snapshot, &question(true), &ask.filter)?;
        note = Some(match found.results.is_empty() {
            true => nothing(call, ask),
            false => {
                format!("nothing has the words of \"{}\"; these have words spelt alike", ask.query)
            }
        });
    }
    let more = found.results.len() == limit;
    found.results.truncate(limit - 1);
    let lines = ask.lines.unwrap_or(LINES);
    let results = found.results.iter().skip(ask.offset);
    let items = results.map(|it| ranked_item(it, lines, &found.terms)).collect();
    Ok(Page { items, offset: ask.offset, total: None, more, note, fields: Map::new(), question: 0 })
}

fn ranked_item(it: &SearchResult, lines: usize, terms: &[String]) -> Item {
    let part = excerpt(&it.text, it.start_line, lines, terms);
    let mut item = place_item(&it.path, (it.start_line, it.end_line), it.kind, &it.symbol);
    item.body = part.shown(it.start_line);
    item.row["score"] = json!((f64::from(it.score) * 100.0).round() / 100.0);
    item
}

/// A place, without what stands there.
fn place_item(path: &str, (start, end): (u32, u32), kind: &str, symbol: &str) -> Item {
    let row = json!({
        "path": path, "start_line": start, "end_line": end, "kind": kind, "symbol": symbol,
    });
    Item { head: head(path, start, end, kind, symbol), body: String::new(), row }
}

fn by_name(call: &Call<'_>, ask: &Ask<'_>) -> Page {
    let snapshot = &call.view.snapshot;
    let keep = |file| ask.filter.accepts(snapshot, file);
    let mut rows = symbols::definitions(snapshot, ask.query, &keep);
    rows.retain(|it| ask.filter.accepts_kind(it.kind));
    let total = rows.len();
    let lines = ask.lines.unwrap_or(LINES);
    let shown = rows.iter().skip(ask.offset).take(ask.limit);
    let item = |it: &symbols::Row| {
        let text = snapshot.file(&it.path).map(|file| snapshot.text(file)).unwrap_or_default();
        let part = excerpt(lines_of(&text, it.start_line, it.end_line), it.start_line, lines, &[]);
        let mut item = place_item(&it.path, (it.start_line, it.end_line), it.kind, &it.symbol);
        item.body = part.shown(it.start_line);
        item
    };
    let items: Vec<Item> = shown.map(item).collect();
    Page {
        more: ask.offset + items.len() < total,
        items,
        offset: ask.offset,
        total: Some(total),
        note: (total == 0).then(|| nothing(call, ask)),
        fields: Map::new(),
        question: 0,
    }
}

fn by_pattern(call: &Call<'_>, ask: &Ask<'_>) -> anyhow::Result<Page> {
    let lines = ask.lines.unwrap_or(1);
    let pattern = Pattern {
        pattern: ask.query,
        regex: ask.mode == Mode::Regex,
        case: Case::Smart,
        word: false,
        limit: ask.offset + ask.limit,
        around: (lines.saturating_sub(1) / 2) as u32,
    };
    let found = matching(&call.view.snapshot, &pattern, &ask.filter)?;
    let items = found.matches.iter().skip(ask.offset).map(|it| {
        let within = match it.symbol.is_empty() {
            true => String::new(),
            false => format!("  in {} {}", it.kind, it.symbol),
        };
        let place = format!("{}:{}:{}", it.path, it.line, it.column);
        let text = if lines == 0 { "" } else { it.text.trim() };
        let around = it.before.iter().chain([&it.text]).chain(&it.after);
        let body = around.map(String::as_str).collect::<Vec<_>>().join("\n");
        Item {
            // A line alone stands beside its place; with lines around it, below.
            head: if lines > 1 {
                format!("{place}{within}")
            } else {
                format!("{place}: {text}{within}")
            },
            body: if lines > 1 { body } else { String::new() },
            row: json!({
                "path": it.path,
                "line": it.line,
                "column": it.column,
                "kind": it.kind,
                "symbol": it.symbol,
                "text": text,
            }),
        }
    });
    let items: Vec<Item> = items.collect();
    Ok(Page {
        more: ask.offset + items.len() < found.total,
        note: (found.total == 0).then(|| nothing(call, ask)),
        items,
        offset: ask.offset,
        total: Some(found.total),
        fields: Map::new(),
        question: 0,
    })
}

/// That nothing matched, and what could be tried instead.
fn nothing(call: &Call<'_>, ask: &Ask<'_>) -> String {
    if let Some(path) = ask.filter.leads_nowhere(&call.view.snapshot) {
        return format!(
            "nothing matched: nothing is indexed at {path}; paths are relative to the root of the repository"
        );
    }
    let files = call.view.snapshot.totals().files;
    let how = match ask.mode {
        Mode::Auto => "has any of the words",
        Mode::Symbol => "defines",
        Mode::Exact | Mode::Regex => "matches",
    };
    let similar = fuzzy::similar(&call.view.snapshot, ask.query, SIMILAR);
    let similar: Vec<String> =
        similar.into_iter().filter(|it| it.is_name).map(|it| it.name).collect();
    let alike = match similar.is_empty() {
        true => String::new(),
        false => format!("; spelt alike: {}", similar.join(", ")),
    };
    format!("nothing matched: nothing in {files} files {how} \"{}\"{alike}", ask.query)
}

/// `path:start-end kind symbol`.
pub(super) fn head(path: &str, start: u32, end: u32, kind: &str, symbol: &str) -> String {
    let title = match symbol.is_empty() {
        true => String::new(),
        false => format!("  {kind} {symbol}"),
    };
    format!("{path}:{start}-{end}{title}")
}

/// Lines `first` to `last`, 1-based, inclusive.
pub(super) fn lines_of(text: &str, first: u32, last: u32) -> &str {
    let lines = LineIndex::new(text.as_bytes());
    let start = lines.start_of(first);
    let end = text[start..]
        .split_inclusive('\n')
        .take((last + 1 - first) as usize)
        .map(str::len)
        .sum::<usize>();
    &text[start..start + end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_slashes_say_what_is_meant() {
        assert_eq!(intended("\"a b\"", Mode::Auto), ("a b", Mode::Exact));
        assert_eq!(intended("`a`", Mode::Auto), ("a", Mode::Exact));
        assert_eq!(intended("/a.*b/", Mode::Auto), ("a.*b", Mode::Regex));
        assert_eq!(intended("/", Mode::Auto), ("/", Mode::Auto));
        assert_eq!(intended("src/a/b", Mode::Auto), ("src/a/b", Mode::Auto));
        assert_eq!(intended("\"a\" and \"b\"", Mode::Auto), ("\"a\" and \"b\"", Mode::Auto));
        assert_eq!(intended("\"a\"", Mode::Regex), ("\"a\"", Mode::Regex));
    }

    #[test]
    fn lines_are_cut_out_whole() {
        assert_eq!(lines_of("a\nb\nc\n", 2, 3), "b\nc\n");
        assert_eq!(lines_of("a\nb", 2, 2), "b");
    }
}
