//! The tool `map`: the most referred-to definitions of the repository, as one text.

use std::sync::Arc;

use serde_json::json;

use super::arguments::{self, MapArguments};
use super::page::{Entry, Page, ToolAnswer};
use super::target::{Origin, Target};
use crate::answer::map;

/// Tokens of the budget reserved for the footer.
const FOOTER_TOKENS: usize = 150;

/// Share of the rest for the map itself, because JSON escapes some of its characters.
const MAP_SHARE: (usize, usize) = (4, 5);

pub(super) fn answer(target: &Target<'_>, arguments: &MapArguments) -> anyhow::Result<ToolAnswer> {
    let budget = arguments::budget(arguments.tokens, 1500);
    let tokens = budget.saturating_sub(FOOTER_TOKENS) * MAP_SHARE.0 / MAP_SHARE.1;
    let (snapshot, focus) = (&target.view.snapshot, &arguments.focus);
    let map = match target.origin {
        Origin::Pushed(_) => Arc::new(map::around(snapshot, focus, tokens)?),
        _ => map::of(target.origin.local("map")?, snapshot, focus, tokens)?,
    };
    let (shown, all) = (map.definitions_shown, map.definitions_total);
    let mut page = Page::whole(Vec::new());
    page.note = Some(match (shown, all) {
        (_, 0) => "nothing to show: there are no definitions here".to_owned(),
        (0, _) => "nothing to show: the budget is too small".to_owned(),
        _ => format!(
            "{shown} of {all} definitions, in {} of {} files, the most referred-to first",
            map.files_shown, map.files_total
        ),
    });
    if shown > 0 {
        let fields = json!({ "map": map.text });
        page.entries.push(Entry {
            evidence: None,
            heading: map.text.clone(),
            body: String::new(),
            fields,
        });
    }
    page.total = None;
    Ok(page.answer(target, budget))
}
