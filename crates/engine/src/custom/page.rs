//! The matching lines of a page and their source: in a log of commits or an export of issues, the matching entry.

use foreword_chunk::LineIndex;

use super::types::SourceOrigin;
use crate::preset::constants::custom::PAGE_LINES;
use crate::search::SearchResult;

/// Some lines of a page.
pub(super) struct Extract {
    pub(super) origin: SourceOrigin,
    /// First and last line, 1-based, inclusive.
    pub(super) lines: (u32, u32),
    /// These lines.
    pub(super) text: String,
}

/// The best lines of a page for a result.
pub(super) fn extract(page: &str, result: &SearchResult) -> Extract {
    let index = LineIndex::new(page.as_bytes());
    let best = result.excerpt(1).start_line;
    let (origin, lines) = entry(page, &index, best).unwrap_or_else(|| {
        let excerpt = result.excerpt(PAGE_LINES as usize);
        let n = excerpt.text.trim_end().lines().count().max(1) as u32;
        let title = title(page).unwrap_or_else(|| result.path.clone());
        (SourceOrigin::Page(title), (excerpt.start_line, excerpt.start_line + n - 1))
    });
    let start = index.start_of(lines.0).min(page.len());
    let end = index.start_of(lines.1 + 1).min(page.len()).max(start);
    Extract { origin, lines, text: page[start..end].trim_end().to_owned() }
}

/// The entry of a log or an export around a line: at most [`PAGE_LINES`] lines, including that one.
fn entry(page: &str, index: &LineIndex, line: u32) -> Option<(SourceOrigin, (u32, u32))> {
    let is_log = page.lines().next().and_then(commit_id).is_some();
    let is_heading = |it: &str| match is_log {
        true => commit_id(it).is_some(),
        false => issue(it).is_some(),
    };
    let after = index.start_of(line + 1).min(page.len());
    let before = page[..after].split_inclusive('\n').rev();
    let mut lines = before.scan(after, |at, it| {
        *at -= it.len();
        Some((*at, it))
    });
    let (start, heading) = lines.find(|it| is_heading(it.1))?;
    let body = &page[start + heading.len()..];
    let own = body.lines().take_while(|it| !is_heading(it));
    let n = own.clone().count() as u32;
    let first = index.line_of(start).max((line + 1).saturating_sub(PAGE_LINES));
    let last = (index.line_of(start) + n).min(first + PAGE_LINES - 1);
    let origin = match commit_id(heading).filter(|_| is_log) {
        Some(id) => SourceOrigin::Commit(id, message(own)),
        None => issue(heading)?,
    };
    Some((origin, (first, last)))
}

/// `# issue #12: Title` of an export.
fn issue(line: &str) -> Option<SourceOrigin> {
    let rest = line.trim_end().strip_prefix("# ")?;
    let (kind, rest) = rest.split_once(" #")?;
    let (number, title) = rest.split_once(": ")?;
    let (number, title) = (number.parse().ok()?, title.to_owned());
    match kind {
        "issue" => Some(SourceOrigin::Issue(number, title)),
        "pull request" => Some(SourceOrigin::PullRequest(number, title)),
        _ => None,
    }
}

/// The start of the hash in a line of `git log`.
fn commit_id(line: &str) -> Option<String> {
    let id = line.trim_end().strip_prefix("commit ")?.split(' ').next()?;
    let is_hash = (7..=64).contains(&id.len()) && id.bytes().all(|it| it.is_ascii_hexdigit());
    is_hash.then(|| id[..id.len().min(10)].to_owned())
}

/// The first line of a commit's message, which is the first indented one.
fn message<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let mut indented = lines.filter_map(|it| it.strip_prefix("    "));
    indented.next().map_or(String::new(), |it| it.trim().to_owned())
}

/// The title of an HTML page, else the first heading.
fn title(text: &str) -> Option<String> {
    let of_html = text.split_once("<title").and_then(|it| it.1.split_once('>'));
    let of_html = of_html.and_then(|it| it.1.split_once("</title>")).map(|it| it.0);
    let mut lines = text.lines().take(40).map(str::trim);
    let heading = lines.find(|it| it.starts_with("# ")).map(|it| it.trim_start_matches('#'));
    let found = of_html.or(heading)?;
    let line = found.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(line.chars().take(120).collect()).filter(|it: &String| !it.is_empty())
}
