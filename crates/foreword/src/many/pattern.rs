//! Lines that match a pattern in several repositories of a cluster: in each as in a clone, in those that are likely to have the
//! words that every match has.

use std::time::Instant;

use foreword_cluster::{Access, Cluster};
use foreword_engine::grep::{GrepAnswer, GrepMatch, GrepRequest, words_of};
use foreword_session::answer::search::{
    BYTES_OF_EACH, Pattern, SearchMatch, matching, unread_note,
};
use foreword_session::answer::tokens;
use foreword_session::filter::Filter;
use foreword_session::usage::usage;
use serde::Serialize;

use super::search::{Answers, LeftOut, SearchScope, answers};

/// Why a pattern is answered from one repository only.
pub(crate) const NO_WORD: &str = "the matches of this pattern need not have a word of three letters, by which repositories are chosen; name one repository";

/// A pattern, and where its matches are looked for.
pub(crate) struct PatternQuestion<'q> {
    /// As it was asked.
    pub(crate) query: &'q str,
    pub(crate) pattern: Pattern<'q>,
    pub(crate) filter: &'q Filter,
    /// The branch; without, the only one, `main` or `master` of each repository.
    pub(crate) branch: Option<&'q str>,
    /// When the answer must be there.
    pub(crate) deadline: Instant,
}

/// JSON of a pattern over several repositories (docs/json.md).
#[derive(Serialize)]
pub(crate) struct PatternsOutput<'s> {
    version: u32,
    query: &'s str,
    /// Repositories that were searched, the likeliest first.
    pub(crate) repositories: Vec<PatternScope>,
    /// Repositories that could have matches and were not searched.
    pub(crate) left_out: Vec<LeftOut>,
    /// Shards that did not answer: repositories there may be missing.
    pub(crate) failed_shards: u64,
    pub(crate) shards: u64,
    /// In the order of the repositories, then of path and line.
    pub(crate) results: Vec<LineMatch>,
    /// Number of matches in the files that were read, printed or not.
    pub(crate) total: usize,
    /// True if there are, or could be, more matches than these in the repositories that were searched.
    pub(crate) truncated: bool,
    elapsed_ms: f64,
    /// The words by which the repositories were chosen.
    #[serde(skip)]
    pub(crate) words: Vec<String>,
}

/// A repository that was searched.
#[derive(Serialize)]
pub(crate) struct PatternScope {
    #[serde(flatten)]
    pub(crate) searched: SearchScope,
    /// Number of matches.
    total: usize,
    /// Files that could match and were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unread: Option<String>,
}

/// A matching line and its repository.
#[derive(Serialize)]
pub(crate) struct LineMatch {
    pub(crate) repository: String,
    pub(crate) branch: String,
    #[serde(flatten)]
    pub(crate) found: SearchMatch,
    /// The match as the engine has it.
    #[serde(skip)]
    pub(crate) line: GrepMatch,
}

impl PatternsOutput<'_> {
    /// Leaves places alone.
    pub(crate) fn remove_texts(&mut self) {
        self.results.iter_mut().for_each(|it| it.found.text = None);
    }
}

/// Searches the repositories that may be read and are asked for; fails if one alone is asked for and cannot be searched.
pub(crate) fn search<'q>(
    cluster: &Cluster,
    access: &Access,
    asked: &PatternQuestion<'q>,
) -> anyhow::Result<PatternsOutput<'q>> {
    let start = Instant::now();
    let Pattern { pattern, regex, .. } = asked.pattern;
    let words = words_of(&GrepRequest { pattern, regex, ..GrepRequest::default() });
    let is_one = access.single().is_some();
    if words.is_empty() && !is_one {
        return Err(usage(NO_WORD));
    }
    let most_bytes = (!is_one).then_some(BYTES_OF_EACH);
    let pattern = Pattern { most_bytes, ..asked.pattern };
    let (cluster, about) = (&cluster.until(asked.deadline), (&*words.join(" "), asked.branch));
    let found = answers(cluster, access, about, &|it| matching(it, &pattern, asked.filter))?;
    let (repositories, results) = listed(&found, asked.pattern.limit)?;
    let total = found.answers.iter().map(|it| it.1.total).sum();
    Ok(PatternsOutput {
        version: 1,
        query: asked.query,
        truncated: total > results.len() || repositories.iter().any(|it| it.unread.is_some()),
        repositories,
        left_out: found.left_out,
        failed_shards: found.failed_shards,
        shards: found.shards,
        results,
        total,
        elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
        words,
    })
}

/// The repositories, and the first matches of all.
fn listed(
    found: &Answers<GrepAnswer>,
    limit: usize,
) -> anyhow::Result<(Vec<PatternScope>, Vec<LineMatch>)> {
    let counter = tokens::general()?;
    let (mut repositories, mut results) = (Vec::new(), Vec::new());
    for (of, (_, answer)) in found.repositories.iter().zip(&found.answers) {
        let left = limit.saturating_sub(results.len());
        results.extend(answer.matches.iter().take(left).map(|it| LineMatch {
            repository: of.repository.clone(),
            branch: of.branch.clone(),
            found: SearchMatch::of_line(it, &counter),
            line: it.clone(),
        }));
        repositories.push(PatternScope {
            searched: of.clone(),
            total: answer.total,
            unread: unread_note(answer),
        });
    }
    Ok((repositories, results))
}
