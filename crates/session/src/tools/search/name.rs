//! `search` by the exact name of a definition.

use foreword_engine::index::Snapshot;
use serde_json::Map;

use super::{LINES, Query, nothing_matched};
use crate::answer::excerpt::{beginning, lines_of};
use crate::answer::symbols::{Definition, definitions};
use crate::tools::evidence::{EvidenceReason, Locator, SiteKind};
use crate::tools::page::{Entry, Page};
use crate::tools::target::Target;

pub(super) fn page(target: &Target<'_>, query: &Query<'_>) -> Page {
    let snapshot = &target.view.snapshot;
    let keep = |file| query.filter.accepts(snapshot, file);
    let mut definitions = definitions(snapshot, query.text, &keep).found;
    definitions.retain(|it| query.filter.accepts_kind(Some(it.kind)));
    let total = definitions.len();
    let lines = query.lines.unwrap_or(LINES);
    let mut locator = Locator::new(snapshot);
    let shown = definitions.iter().skip(query.offset).take(query.limit);
    let entries: Vec<Entry> = shown.map(|it| entry(&mut locator, snapshot, it, lines)).collect();
    Page {
        more: query.offset + entries.len() < total,
        entries,
        offset: query.offset,
        total: Some(total),
        note: (total == 0).then(|| nothing_matched(target, query)),
        caution: None,
        fields: Map::new(),
        question: None,
    }
}

fn entry(locator: &mut Locator<'_>, snapshot: &Snapshot, it: &Definition, lines: usize) -> Entry {
    let span = (it.start_line, it.end_line);
    let evidence = locator
        .bytes(&it.path, it.span.range(), span)
        .named(&it.symbol, Some(SiteKind::Definition(it.kind)))
        .because([EvidenceReason::Defines]);
    let text = snapshot.file(&it.path).map(|file| snapshot.text(file)).unwrap_or_default();
    let whole = lines_of(&text, it.start_line, it.end_line);
    Entry::of(evidence, beginning(whole, it.start_line, lines))
}
