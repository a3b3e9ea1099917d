//! Customisation by team and user: unreadable files and missing places.

use foreword_engine::custom::{CustomSources, FOLDER};
use foreword_engine::index::Store;
use foreword_load::{EntryType, Workspace};
use foreword_session::answer::status::{Listing, status};
use foreword_session::custom::{self, own_folder};
use foreword_session::usage::PAGES;

use super::Check;
use crate::cli::config::Settings;
use crate::cli::workspace;

const CHECK: &str = "customisation";

/// Empty without customisation; the index is not opened then.
pub(super) fn checks(settings: &Settings, of: &Workspace, store: &Store) -> Vec<Check> {
    let own = own_folder(of);
    let has_team = of.entry(&of.root.join(FOLDER)) == Some(EntryType::Directory);
    if !has_team && !own.as_ref().is_some_and(|it| it.is_dir()) {
        return Vec::new();
    }
    let Ok(opened) = workspace::open(settings, None) else { return Vec::new() };
    let additions = custom::of(&settings.setup(), of, &opened.snapshot);
    let mut res = left_out(settings, of, store);
    for it in &additions.problems {
        res.push(Check::bad(
            CHECK,
            it,
            format!("fix that line; {PAGES}/customise.md lists the fields"),
        ));
    }
    for it in additions.missing_places(&opened.snapshot) {
        res.push(Check::bad(CHECK, it, "correct the path, or remove the entry"));
    }
    if res.is_empty() && additions.files > 0 {
        let said = &additions.said;
        let own = own.map_or_else(String::new, |it| format!("; your own: {}", it.display()));
        let found = format!(
            "{} files: {} questions, {} directories, {} tags, {} entries to find{own}",
            additions.files,
            said.faq.len(),
            said.directories.len(),
            said.tags.len(),
            additions.sources.as_ref().map_or(0, CustomSources::len),
        );
        res.push(Check::good(CHECK, found));
    }
    res
}

/// Files of the folder that are not read, for any reason.
fn left_out(settings: &Settings, of: &Workspace, store: &Store) -> Vec<Check> {
    let all = status(&settings.setup(), of, store, Listing::All).ok().and_then(|it| it.ignored);
    let own = all.into_iter().flatten().filter(|it| it.path.starts_with(FOLDER));
    let check = |path: &str, reason: &str| {
        Check::bad(CHECK, format!("{path}: skipped: {reason}"), "fix or remove it")
    };
    own.map(|it| check(&it.path, &it.reason)).collect()
}
