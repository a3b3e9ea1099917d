//! `search` for the lines that contain a text or match a regular expression.

use foreword_engine::grep::{Case, GrepMatch};
use serde_json::{Map, json};

use super::{Query, nothing_matched};
use crate::answer::search::{BYTES_OF_EACH, Pattern, matching, unread_note};
use crate::tools::arguments::Mode;
use crate::tools::evidence::{EvidenceReason, Locator, SiteKind};
use crate::tools::page::{Entry, Page};
use crate::tools::target::Target;

pub(super) fn page(target: &Target<'_>, query: &Query<'_>) -> anyhow::Result<Page> {
    let lines = query.lines.unwrap_or(1);
    let pattern = Pattern {
        pattern: query.text,
        regex: query.mode == Mode::Regex,
        case: Case::Smart,
        word: false,
        limit: query.offset + query.limit,
        around: (lines.saturating_sub(1) / 2) as u32,
        most_bytes: target.name.map(|_| BYTES_OF_EACH),
    };
    let answer = matching(&target.view.snapshot, &pattern, &query.filter)?;
    let mut locator = Locator::new(&target.view.snapshot);
    let matches = answer.matches.iter().skip(query.offset);
    let entries: Vec<Entry> = matches.map(|it| entry(&mut locator, it, lines)).collect();
    Ok(Page {
        more: query.offset + entries.len() < answer.total,
        note: (answer.total == 0).then(|| nothing_matched(target, query)),
        entries,
        offset: query.offset,
        total: Some(answer.total),
        caution: unread_note(&answer),
        fields: Map::new(),
        question: None,
    })
}

/// A single line stands beside its location; with lines around it, below.
fn entry(locator: &mut Locator<'_>, it: &GrepMatch, lines: usize) -> Entry {
    let last = it.line + (it.text.lines().count() as u32).saturating_sub(1);
    let evidence = locator
        .lines(&it.path, (it.line, last))
        .named(&it.symbol, it.kind.map(SiteKind::Definition))
        .because([EvidenceReason::Matches(it.column)]);
    let kind = evidence.kind_name();
    let text = if lines == 0 { "" } else { it.text.trim() };
    let location = format!("{}:{}:{}", it.path, it.line, it.column);
    let within = match it.symbol.is_empty() {
        true => String::new(),
        false => format!("  in {kind} {}", it.symbol),
    };
    let (heading, body) = match lines {
        0 | 1 => (format!("{location}: {text}{within}"), String::new()),
        _ => (format!("{location}{within}"), with_context(it)),
    };
    let fields = json!({
        "path": it.path,
        "line": it.line,
        "column": it.column,
        "kind": kind,
        "symbol": it.symbol,
        "text": text,
    });
    Entry { evidence: Some(evidence), heading, body, fields }
}

fn with_context(it: &GrepMatch) -> String {
    let lines = it.before.iter().chain([&it.text]).chain(&it.after);
    lines.map(String::as_str).collect::<Vec<_>>().join("\n")
}
