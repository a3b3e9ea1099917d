//! The sections of a project's documents that say how something is done with it, best first.

use super::question::ActivityQuestion;
use super::sections::{Section, sections};
use super::table::ELSEWHERE;
use crate::ask::around::is_document;
use crate::ask::explain::{Draft, lines_of};
use crate::ask::paragraph::first_paragraph;
use crate::ask::types::{AskRequest, Role, Why};
use crate::index::{FileId, FileRole, Snapshot};
use crate::preset::constants::ask::{
    ACTIVITY, ACTIVITY_DOCUMENTS, ACTIVITY_GUIDES, ACTIVITY_LINES,
};
use crate::sorting::sort_by;

/// The best sections that answer the question; empty if no document has one.
pub(in super::super) fn guides(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    asked: &ActivityQuestion,
) -> Vec<Draft> {
    let mut found: Vec<Guide> = Vec::new();
    for (file, place) in documents(snapshot, request, asked) {
        let text = snapshot.text(file);
        found.extend(best_of(&text, file, place, asked));
    }
    sort_by(&mut found, |a, b| {
        b.worth.total_cmp(&a.worth).then_with(|| (a.file, a.first).cmp(&(b.file, b.first)))
    });
    if found.first().is_none_or(|it| it.worth < ACTIVITY.least) {
        return Vec::new();
    }
    found.truncate(ACTIVITY_GUIDES);
    found.iter().map(|it| it.draft(snapshot)).collect()
}

/// A section that answers the question.
struct Guide {
    file: FileId,
    /// Its first line, from 1, and its last one that may be shown.
    first: u32,
    last: u32,
    title: String,
    worth: f32,
}

impl Guide {
    fn draft(&self, snapshot: &Snapshot) -> Draft {
        let lines = (self.first, self.last);
        let mut res = lines_of(snapshot, self.file, lines, Role::Guide, vec![Why::Describes]);
        res.item.symbol.clone_from(&self.title);
        res.item.signature.clear();
        res.item.summary = first_paragraph(&res.item.text, "").1;
        res
    }
}

/// The likeliest documents, with what their places are worth.
fn documents(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    asked: &ActivityQuestion,
) -> Vec<(FileId, f32)> {
    let is_kept = |file: &FileId| {
        let is_own = snapshot.role(*file) == FileRole::Prose;
        is_own
            && request.keep.is_none_or(|keep| keep(*file))
            && is_document(snapshot, request, snapshot.path(*file))
    };
    let valued = snapshot
        .files()
        .filter(is_kept)
        .filter_map(|file| Some((file, place_worth(snapshot.path(file), asked)?)));
    let mut res: Vec<(FileId, f32)> = valued.collect();
    sort_by(&mut res, |a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    res.truncate(ACTIVITY_DOCUMENTS);
    res
}

/// Worth of a document by its place; `None` for one that is about something else.
fn place_worth(path: &str, asked: &ActivityQuestion) -> Option<f32> {
    let lower = path.to_lowercase();
    let (directory, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.split('.').next().unwrap_or(name);
    if words(&lower).any(|it| ELSEWHERE.contains(&it)) {
        return None;
    }
    let is_title = |name: &str| words(name).any(|it| asked.activity.titles.contains(&it));
    let is_titled = is_title(stem) || directory.rsplit('/').next().is_some_and(is_title);
    let is_near = || asked.activity.near.iter().any(|it| words_of(stem).contains(it));
    let of_developers =
        ["contributing", "hacking", "development", "developing", "agents", "claude"];
    let is_guide = of_developers.contains(&stem);
    let named = match stem {
        _ if is_titled => ACTIVITY.named,
        _ if is_guide && asked.activity.is_of_developers => ACTIVITY.named,
        _ if is_guide => ACTIVITY.other_guide,
        "readme" => ACTIVITY.readme,
        _ if is_near() => ACTIVITY.near_name,
        _ => 0.0,
    };
    Some(home_worth(directory, asked) + named)
}

/// Directories of documents about something else than the project.
const OF_OTHERS: [&str; 8] =
    ["example", "examples", "sample", "samples", "test", "tests", "vendor", "third_party"];

/// Worth of a document by its directory.
fn home_worth(directory: &str, asked: &ActivityQuestion) -> f32 {
    let parts: Vec<&str> = directory.split('/').filter(|it| !it.is_empty()).collect();
    let is_any = |all: &[&str]| parts.iter().any(|it| all.contains(it));
    let depth = parts.len().min(4) as f32;
    if parts.is_empty() || directory == ".github" {
        return ACTIVITY.root;
    }
    if is_any(&OF_OTHERS) {
        return ACTIVITY.examples;
    }
    if !is_any(&["doc", "docs", "documentation", "guide", "guides"]) {
        return ACTIVITY.code - ACTIVITY.deeper_in_code * depth;
    }
    let begins =
        |it: &&str| ["contribut", "develop", "hacking"].iter().any(|all| it.starts_with(all));
    match parts.iter().any(begins) || is_any(&["dev", "internals"]) {
        true if asked.activity.is_of_developers => ACTIVITY.docs_of_developers,
        false if !asked.activity.is_of_developers => ACTIVITY.docs - ACTIVITY.deeper * depth,
        // Documents for users, or for developers.
        _ => ACTIVITY.docs_of_others - ACTIVITY.deeper * depth,
    }
}

/// The best two sections of a document.
fn best_of(text: &str, file: FileId, place: f32, asked: &ActivityQuestion) -> Vec<Guide> {
    let all = sections(text);
    let mut res: Vec<Guide> = Vec::new();
    let mut above: Vec<&Section<'_>> = Vec::new();
    for (at, it) in all.iter().enumerate() {
        above.retain(|parent| parent.level < it.level);
        let Some(worth) = section_worth(it, &above, &all[at..], asked) else {
            above.push(it);
            continue;
        };
        above.push(it);
        let last = (it.first + ACTIVITY_LINES - 1).min(it.below_end.max(it.first + 1) - 1);
        res.push(Guide { file, first: it.first, last, title: title(&above), worth: worth + place });
    }
    sort_by(&mut res, |a, b| b.worth.total_cmp(&a.worth).then_with(|| a.first.cmp(&b.first)));
    let mut kept: Vec<Guide> = Vec::new();
    for it in res {
        if kept.len() < 2 && kept.iter().all(|known| it.last < known.first || known.last < it.first)
        {
            kept.push(it);
        }
    }
    kept
}

/// Worth of a section; `None` if it says nothing of the activity. `from` are the sections from this one on.
fn section_worth(
    it: &Section<'_>,
    above: &[&Section<'_>],
    from: &[Section<'_>],
    asked: &ActivityQuestion,
) -> Option<f32> {
    if words(&it.title.to_lowercase()).any(|word| ELSEWHERE.contains(&word)) {
        return None;
    }
    let end = it.below_end.min(it.first + 2 * ACTIVITY_LINES);
    let inside = from.iter().take_while(|other| other.first < end).flat_map(|it| &it.code);
    let has_command =
        inside.filter(|it| it.0 < end).any(|it| is_command(it.1, asked.activity.commands));
    let titles: Vec<String> =
        above.iter().copied().chain([it]).map(|it| words_of(it.title)).collect();
    // A title that is only near the activity needs a command below it.
    let tells = has_command || asked.activity.commands.is_empty();
    let worth_of = |title: &String| match title_worth(title, asked) {
        (_, true) if !tells => 0.0,
        (worth, _) => worth,
    };
    let (own, around) = titles.split_last()?;
    let titled = worth_of(own);
    let parent = around.iter().map(worth_of).fold(0.0, f32::max);
    let has = |word: &&String| titles.iter().any(|it| it.split(' ').any(|it| it == **word));
    let with = asked.with.iter().filter(has).count();
    let is_about = titled > 0.0 || parent > 0.0 && has_command;
    let command = if has_command { ACTIVITY.command } else { 0.0 };
    let worth = titled + ACTIVITY.parent * parent + command + ACTIVITY.with * with as f32;
    (is_about && (asked.with.is_empty() || with > 0)).then_some(worth)
}

/// Worth of a title in lower case, less for each word of something else, and whether it is only near the activity.
fn title_worth(title: &str, asked: &ActivityQuestion) -> (f32, bool) {
    let activity = asked.activity;
    let padded = format!(" {title} ");
    let has = |all: &[&str]| all.iter().any(|it| padded.contains(&format!(" {it} ")));
    let (worth, is_only_near) = match has(activity.titles) {
        true => (ACTIVITY.title, false),
        false if has(activity.near) => (ACTIVITY.near_title, true),
        false => return (0.0, false),
    };
    let is_near = |word: &str| activity.near.iter().any(|it| it.split(' ').any(|it| it == word));
    let is_other = |word: &&str| {
        !activity.titles.contains(word) && !is_near(word) && !asked.says_nothing(word)
    };
    let others = title.split(' ').filter(|it| !it.is_empty()).filter(is_other).count();
    (worth * (1.0 - ACTIVITY.other_word * others.min(4) as f32), is_only_near)
}

/// True for code that begins with one of the commands.
fn is_command(code: &str, commands: &[&str]) -> bool {
    let code = code.trim_start_matches(['$', '>', '%', '#', ' ']);
    let ends = |rest: &str| !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_');
    let is_begun = |it: &str| {
        let is_whole = it.ends_with(|last: char| !last.is_alphanumeric());
        code.strip_prefix(it).is_some_and(|rest| is_whole || ends(rest))
    };
    commands.iter().any(|it| is_begun(it))
}

/// The titles of a section and of those around it.
fn title(path: &[&Section<'_>]) -> String {
    let titles: Vec<&str> = path.iter().map(|it| it.title).filter(|it| !it.is_empty()).collect();
    titles.join(" / ")
}

/// The words of a text in lower case, joined by single blanks.
fn words_of(text: &str) -> String {
    let lower = text.to_lowercase();
    let all: Vec<&str> = words(&lower).collect();
    all.join(" ")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty())
}
