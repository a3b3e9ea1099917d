//! Lines of an indexed file for a page: coloured, and bounded in number and length.

mod highlight;

use std::ops::Range;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use foreword_chunk::LineIndex;
use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::sorting::sort_by_key;
use foreword_engine::visible::printable;
use serde::{Deserialize, Serialize};

use self::highlight::{Token, tokens};
use super::workspace::{not_indexed, respond_with, view};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;

/// Maximum number of lines in a response.
const MAX_LINES: u32 = 600;

/// Maximum bytes sent of a line, since a minified file may be a single line.
const MAX_LINE_BYTES: usize = 1_000;

#[derive(Deserialize)]
pub(super) struct LinesQuery {
    workspace: Option<String>,
    path: String,
    /// 1-based; default: the first line.
    from: Option<u32>,
    /// Inclusive; default: the maximum number of lines.
    to: Option<u32>,
}

#[derive(Serialize)]
struct Lines {
    version: u32,
    snapshot: String,
    path: String,
    language: Option<&'static str>,
    /// Number of lines in the file.
    total: u32,
    /// The first line in the response.
    from: u32,
    lines: Vec<Line>,
}

#[derive(Serialize, PartialEq, Eq, Debug)]
struct Line {
    /// The text in runs of one colour: `comment`, `string`, `number`, `keyword`, `name` (of a definition), or empty.
    runs: Vec<(&'static str, String)>,
    /// Whether the line was cut.
    cut: bool,
}

/// `GET /api/lines?path=&from=&to=`. Ignored files are not in the index, so they cannot be read here.
pub(super) async fn lines(
    State(app): State<Arc<App>>,
    Query(query): Query<LinesQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |_, repository| {
        let view = view(repository)?;
        let Some(file) = view.snapshot.file(&query.path) else {
            return Err(not_indexed(repository, &query.path));
        };
        Ok(read(&view.snapshot, file, &query))
    })
    .await
}

fn read(snapshot: &Snapshot, file: FileId, query: &LinesQuery) -> Lines {
    let (text, record) = snapshot.contents(file);
    let index = LineIndex::new(text.as_bytes());
    let total = snapshot.size(file).1.max(1);
    let from = query.from.unwrap_or(1).clamp(1, total);
    let to = query.to.unwrap_or(total).clamp(from, total).min(from + MAX_LINES - 1);
    let end = if to == total { text.len() } else { index.start_of(to + 1) };
    let range = index.start_of(from)..end;
    let names = record.symbols.definitions.iter().map(|it| it.name.range());
    let spans = spans(&text[..range.end], snapshot.language(file), names);
    Lines {
        version: 1,
        snapshot: snapshot.id().to_owned(),
        path: query.path.clone(),
        language: snapshot.language(file).map(foreword_chunk::Language::name),
        total,
        from,
        lines: coloured(&text, range, &spans),
    }
}

type Spans = Vec<(Range<usize>, &'static str)>;

/// The coloured spans in order: tokens first, names of definitions elsewhere.
fn spans(
    text: &str,
    language: Option<foreword_chunk::Language>,
    names: impl Iterator<Item = Range<usize>>,
) -> Spans {
    let name = |it: Token| match it {
        Token::Comment => "comment",
        Token::String => "string",
        Token::Number => "number",
        Token::Keyword => "keyword",
    };
    let tokens = tokens(text, language).into_iter().map(|it| (it.0, name(it.1)));
    let names = names.filter(|it| it.end <= text.len() && !it.is_empty()).map(|it| (it, "name"));
    let mut res: Spans = tokens.chain(names).collect();
    // Where two spans overlap, the token wins: it comes first, and the sort is stable.
    sort_by_key(&mut res, |it| it.0.start);
    let mut end = 0;
    res.retain(|it| {
        let is_after = it.0.start >= end;
        end = if is_after { it.0.end } else { end };
        is_after
    });
    res
}

/// The lines of a range of whole lines.
fn coloured(text: &str, range: Range<usize>, spans: &Spans) -> Vec<Line> {
    let mut res = Vec::new();
    let mut start = range.start;
    let mut next = spans.partition_point(|it| it.0.end <= range.start);
    for line in text[range].split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let shown = bare.floor_char_boundary(MAX_LINE_BYTES);
        let (mut at, end) = (start, start + shown);
        let mut runs = Vec::new();
        let mut push = |range: Range<usize>, kind| {
            if !range.is_empty() {
                runs.push((kind, printable(&text[range]).into_owned()));
            }
        };
        while let Some((span, kind)) = spans.get(next).filter(|it| it.0.start < end) {
            push(at..span.start.max(at), "");
            push(span.start.max(at)..span.end.min(end), kind);
            at = span.end.min(end).max(at);
            if span.end > end {
                break;
            }
            next += 1;
        }
        push(at..end.max(at), "");
        res.push(Line { runs, cut: shown < bare.len() });
        start += line.len();
        next += spans[next..].partition_point(|it| it.0.end <= start);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runs_of_a_line_are_its_text_and_a_comment_goes_on() {
        let text = "let a = 1; /* one\ntwo */ let é = \"x\";\n\nend";
        let language = Some(foreword_chunk::Language::Rust);
        let spans = spans(text, language, std::iter::once(4..5));
        let lines = coloured(text, 0..text.len(), &spans);
        let joined: Vec<String> =
            lines.iter().map(|it| it.runs.iter().map(|run| run.1.as_str()).collect()).collect();
        assert_eq!(joined, text.lines().collect::<Vec<_>>());
        assert_eq!(lines[0].runs[2], ("name", "a".to_owned()));
        assert_eq!(lines[0].runs.last().unwrap(), &("comment", "/* one".to_owned()));
        assert_eq!(lines[1].runs[0], ("comment", "two */".to_owned()));
        let second = coloured(text, 18..text.len(), &spans);
        assert_eq!(second[..], lines[1..]);
        let hidden = coloured("a\u{202e}b\u{1b}", 0..6, &Vec::new());
        assert_eq!(hidden[0].runs[0].1, "a\\u{202e}b\u{fffd}");
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = format!("{}\nb", "é".repeat(MAX_LINE_BYTES));
        let lines = coloured(&text, 0..text.len(), &Vec::new());
        assert!(lines[0].cut && !lines[1].cut);
        assert_eq!(lines[0].runs[0].1.len(), MAX_LINE_BYTES);
    }
}
