//! `search` by the exact name of a definition.

use foreword_engine::index::Snapshot;
use serde_json::Map;

use super::{LINES, Query, nothing_matched, span_entry};
use crate::answer::excerpt::{excerpt, lines_of};
use crate::answer::symbols::{Definition, definitions};
use crate::tools::page::{Entry, Page};
use crate::tools::target::Target;

pub(super) fn page(target: &Target<'_>, query: &Query<'_>) -> Page {
    let snapshot = &target.view.snapshot;
    let keep = |file| query.filter.accepts(snapshot, file);
    let mut definitions = definitions(snapshot, query.text, &keep);
    definitions.retain(|it| query.filter.accepts_kind(Some(it.kind)));
    let total = definitions.len();
    let lines = query.lines.unwrap_or(LINES);
    let shown = definitions.iter().skip(query.offset).take(query.limit);
    let entries: Vec<Entry> = shown.map(|it| entry(snapshot, it, lines)).collect();
    Page {
        more: query.offset + entries.len() < total,
        entries,
        offset: query.offset,
        total: Some(total),
        note: (total == 0).then(|| nothing_matched(target, query)),
        fields: Map::new(),
        question: None,
    }
}

fn entry(snapshot: &Snapshot, it: &Definition, lines: usize) -> Entry {
    let text = snapshot.file(&it.path).map(|file| snapshot.text(file)).unwrap_or_default();
    let whole = lines_of(&text, it.start_line, it.end_line);
    let mut entry = span_entry(&it.path, (it.start_line, it.end_line), it.kind.name(), &it.symbol);
    entry.body = excerpt(whole, it.start_line, lines, &[]).render(it.start_line);
    entry
}
