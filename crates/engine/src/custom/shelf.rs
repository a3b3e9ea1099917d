//! What a team and a user say about a question: their answers and pages in an index of their own, so that they take no part
//! in what is known of the code.

use std::collections::BTreeMap;

use super::types::{At, Customisation, DirectorySummary, FaqEntry, Origin};
use crate::index::{CUSTOMISATION_FOLDER, Change, FileId, SegmentError, Snapshot};
use crate::pipeline::Control;
use crate::preset;
use crate::retrieve::Question;
use crate::search::{SearchRequest, SearchResult, search};
use crate::source::Source;

/// Lines of a page that are shown.
const LINES: usize = 14;

/// How many results are looked at.
const RESULTS: usize = 12;

/// The answers and pages of a repository.
pub struct Shelf {
    snapshot: Snapshot,
    faq: BTreeMap<String, FaqEntry>,
    directories: BTreeMap<String, DirectorySummary>,
    /// The paths of the user's own pages.
    names: BTreeMap<String, String>,
}

/// A page of the user's own, which is not in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPage {
    /// Its absolute path.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Something that was said.
pub struct Statement {
    /// What kind of source it is from.
    pub origin: Origin,
    /// The entry, if it is an answer to a frequent question.
    pub faq: Option<FaqEntry>,
    /// The file, relative to the root.
    pub path: String,
    /// First and last line, 1-based, inclusive.
    pub lines: (u32, u32),
    /// These lines.
    pub text: String,
    /// What is said, as one reads it.
    pub summary: String,
    /// The result of the search.
    pub result: SearchResult,
}

impl Statement {
    /// What is said of a directory.
    pub fn of_directory(it: &DirectorySummary, result: SearchResult) -> Self {
        Self::written(Origin::Directory(it.directory.clone()), &it.at, &it.summary, result)
    }

    /// What is written in a settings file.
    fn written(origin: Origin, at: &At, summary: &str, result: SearchResult) -> Self {
        Self {
            origin,
            faq: None,
            path: at.path.clone(),
            lines: at.lines,
            text: at.text.clone(),
            summary: summary.to_owned(),
            result,
        }
    }
}

impl Shelf {
    /// Of a repository's customisation and pages, and of the user's own pages; `None` where there is nothing.
    pub fn new(
        repository: &Snapshot,
        customisation: &Customisation,
        own: &[OwnPage],
    ) -> Result<Option<Self>, SegmentError> {
        let is_page = |path: &str| path.rsplit_once('.').is_none_or(|it| it.1 != "toml");
        let pages = repository.customisation_pages(&is_page);
        let mut changes = Vec::new();
        let mut names = BTreeMap::new();
        for (n, it) in own.iter().enumerate() {
            let name = it.path.rsplit('/').next().unwrap_or(&it.path);
            let path = format!("own/{n}/{name}");
            names.insert(path.clone(), it.path.clone());
            changes.push(Change::Write(Source { path, text: it.text.clone() }));
        }
        let (mut faq, mut directories) = (BTreeMap::new(), BTreeMap::new());
        for (n, it) in customisation.faq.iter().enumerate() {
            let path = format!("faq/{n}.txt");
            let text = format!("{}\n\n{}\n", it.question, it.answer);
            changes.push(Change::Write(Source { path: path.clone(), text }));
            faq.insert(path, it.clone());
        }
        for (n, it) in customisation.directories.iter().enumerate() {
            let path = format!("directories/{n}.txt");
            let text = format!("{}\n\n{}\n", it.directory, it.summary);
            changes.push(Change::Write(Source { path: path.clone(), text }));
            directories.insert(path, it.clone());
        }
        if changes.is_empty() && pages.files().len() == 0 {
            return Ok(None);
        }
        let snapshot = if changes.is_empty() { pages } else { pages.with_changes(changes)? };
        Ok(Some(Self { snapshot, faq, directories, names }))
    }

    /// How many answers, summaries and pages there are.
    pub fn len(&self) -> usize {
        self.snapshot.files().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What directories are for.
    pub fn directories(&self) -> impl Iterator<Item = &DirectorySummary> {
        self.directories.values()
    }

    /// What is said about a question, the best match first.
    pub fn find(&self, question: &str) -> Vec<Statement> {
        let request =
            SearchRequest { question: Question::new(question), limit: RESULTS, tokens: None };
        let answer =
            search(&self.snapshot, &request, &preset::search(), &str::len, &mut Control::default());
        answer.results.into_iter().filter_map(|it| self.statement(it)).collect()
    }

    fn statement(&self, result: SearchResult) -> Option<Statement> {
        if let Some(it) = self.faq.get(&result.path) {
            let origin = Origin::Faq(it.question.clone());
            let statement = Statement::written(origin, &it.at, &it.answer, result);
            return Some(Statement { faq: Some(it.clone()), ..statement });
        }
        if let Some(it) = self.directories.get(&result.path) {
            return Some(Statement::of_directory(it, result));
        }
        let file = self.snapshot.file(&result.path)?;
        let excerpt = result.excerpt(LINES);
        let (text, first) = (excerpt.text.trim_end().to_owned(), excerpt.start_line);
        let last = first + (text.lines().count().max(1) as u32) - 1;
        let origin = self.origin(file, last);
        let own = self.names.get(&result.path).cloned();
        let path = own.unwrap_or_else(|| format!("{CUSTOMISATION_FOLDER}{}", result.path));
        let summary = String::new();
        Some(Statement { origin, path, lines: (first, last), text, summary, faq: None, result })
    }

    /// What kind of source the lines up to `line` of a page are from: the last heading of an entry before them says so.
    fn origin(&self, file: FileId, line: u32) -> Origin {
        let (text, path) = (self.snapshot.text(file), self.snapshot.path(file));
        let before: Vec<&str> = text.lines().take(line as usize).collect();
        let is_log = text.lines().next().and_then(commit_id).is_some();
        for (at, line) in before.iter().enumerate().rev() {
            let entry = match is_log {
                true => commit_id(line).map(|id| Origin::Commit(id, first_line(&text, at))),
                false => entry_of(line),
            };
            if let Some(entry) = entry {
                return entry;
            }
        }
        Origin::Page(title(&text).unwrap_or_else(|| path.to_owned()))
    }
}

/// `# issue #12: Title` of an export.
fn entry_of(line: &str) -> Option<Origin> {
    let rest = line.strip_prefix("# ")?;
    let (kind, rest) = rest.split_once(" #")?;
    let (number, title) = rest.split_once(": ")?;
    let (number, title) = (number.parse().ok()?, title.to_owned());
    match kind {
        "issue" => Some(Origin::Issue(number, title)),
        "pull request" => Some(Origin::PullRequest(number, title)),
        _ => None,
    }
}

/// The start of the hash in a line of `git log`.
fn commit_id(line: &str) -> Option<String> {
    let id = line.strip_prefix("commit ")?.split(' ').next()?;
    let is_hash = (7..=64).contains(&id.len()) && id.bytes().all(|it| it.is_ascii_hexdigit());
    is_hash.then(|| id[..id.len().min(10)].to_owned())
}

/// The first line of a commit's message: the first indented one.
fn first_line(text: &str, at: usize) -> String {
    let rest = text.lines().skip(at + 1);
    let mut message =
        rest.take_while(|it| commit_id(it).is_none()).filter(|it| it.starts_with("    "));
    message.next().map_or(String::new(), |it| it.trim().to_owned())
}

/// The title of a page: of HTML, or the first heading, or the first line.
fn title(text: &str) -> Option<String> {
    let of_html = text.split_once("<title").and_then(|it| it.1.split_once('>'));
    let of_html = of_html.and_then(|it| it.1.split_once("</title>")).map(|it| it.0);
    let mut lines = text.lines().take(40).map(str::trim);
    let heading = lines.find(|it| it.starts_with("# ")).map(|it| it.trim_start_matches('#'));
    let found = of_html.or(heading)?;
    let line = found.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(line.chars().take(120).collect()).filter(|it: &String| !it.is_empty())
}
