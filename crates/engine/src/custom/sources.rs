//! Searches the answers and pages of a team and a user, in an index of their own, so that they do not affect the
//! statistics of the code.

use std::collections::BTreeMap;

use super::page::{Extract, extract};
use super::types::{Customisation, DirectorySummary, FaqEntry, Location, SourceOrigin};
use crate::index::{CUSTOMISATION_FOLDER, Change, SegmentError, Snapshot};
use crate::pipeline::Control;
use crate::preset;
use crate::preset::constants::custom::STATEMENT_RESULTS;
use crate::retrieve::Question;
use crate::search::{SearchRequest, SearchResult, search};
use crate::source::Source;

/// The answers and pages of a repository.
pub struct CustomSources {
    snapshot: Snapshot,
    faq: BTreeMap<String, FaqEntry>,
    directories: BTreeMap<String, DirectorySummary>,
    /// Paths of the user's own pages.
    names: BTreeMap<String, String>,
}

/// A page of the user, outside the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPage {
    /// Its absolute path.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A matching statement.
pub struct Statement {
    /// Its source.
    pub origin: SourceOrigin,
    /// The entry, for an answer to a frequent question.
    pub faq: Option<FaqEntry>,
    /// The file, relative to the root.
    pub path: String,
    /// First and last line, 1-based, inclusive.
    pub lines: (u32, u32),
    /// These lines.
    pub text: String,
    /// The answer or summary; empty for a page.
    pub summary: String,
    /// The result of the search.
    pub result: SearchResult,
}

impl Statement {
    /// The summary of a directory.
    pub fn of_directory(it: &DirectorySummary, result: SearchResult) -> Self {
        Self::written(SourceOrigin::Directory(it.directory.clone()), &it.at, &it.summary, result)
    }

    /// A text from a settings file.
    fn written(origin: SourceOrigin, at: &Location, summary: &str, result: SearchResult) -> Self {
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

impl CustomSources {
    /// Indexes a repository's customisation and pages, and the user's own pages; `None` where there are none.
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

    /// Number of answers, summaries and pages.
    pub fn len(&self) -> usize {
        self.snapshot.files().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The summaries of directories.
    pub fn directories(&self) -> impl Iterator<Item = &DirectorySummary> {
        self.directories.values()
    }

    /// Returns the statements about a question, best match first.
    pub fn find(&self, question: &str) -> Vec<Statement> {
        let request = SearchRequest {
            question: Question::new(question),
            limit: STATEMENT_RESULTS,
            tokens: None,
        };
        let answer =
            search(&self.snapshot, &request, &preset::search(), &str::len, &mut Control::default());
        answer.results.into_iter().filter_map(|it| self.statement(it)).collect()
    }

    fn statement(&self, result: SearchResult) -> Option<Statement> {
        if let Some(it) = self.faq.get(&result.path) {
            let origin = SourceOrigin::Faq(it.question.clone());
            let statement = Statement::written(origin, &it.at, &it.answer, result);
            return Some(Statement { faq: Some(it.clone()), ..statement });
        }
        if let Some(it) = self.directories.get(&result.path) {
            return Some(Statement::of_directory(it, result));
        }
        let file = self.snapshot.file(&result.path)?;
        let whole = self.snapshot.text(file);
        let Extract { origin, lines, text } = extract(&whole, &result);
        let own = self.names.get(&result.path).cloned();
        let path = own.unwrap_or_else(|| format!("{CUSTOMISATION_FOLDER}{}", result.path));
        Some(Statement { origin, path, lines, text, summary: String::new(), faq: None, result })
    }
}
