//! Judges an answer: the rank of each location, and the unmet expectations.

use super::ask::{Answer, ItemStatus, RankedItem};
use super::expectations::Expectations;
use super::location::{Location, LocationSpec};
use super::project::Task;

/// One task's ranks and failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub(crate) task: String,
    /// The ranks of its locations and the texts of its prompt, in one line without scores.
    pub(crate) ranks: String,
    /// The best rank of a visible expected location.
    pub(crate) best: Option<usize>,
    /// Unmet expectations; empty on success.
    pub(crate) failures: Vec<String>,
    /// Reason for a known failure.
    pub(crate) known: Option<String>,
}

/// The rank and status of a matching item.
struct Match {
    rank: usize,
    word: &'static str,
    is_seen: bool,
}

/// Judges an answer.
pub fn judge(task: &Task, answer: &Answer) -> Verdict {
    let mut judge = Judge { answer, parts: Vec::new(), failures: Vec::new(), seen: Vec::new() };
    for (spec, location) in task.expect.iter().zip(&answer.expect) {
        judge.expected(spec, location, task.within());
    }
    for (spec, location) in task.below.iter().zip(&answer.below) {
        judge.below(spec, location);
    }
    for (spec, location) in task.watch.iter().zip(&answer.watch) {
        let found = in_words(find(&answer.rows, location).as_ref());
        judge.parts.push(format!("watch: {found} {}", spec.written));
    }
    judge.texts(&task.expectations);
    Verdict {
        task: task.name.clone(),
        ranks: judge.parts.join(" | "),
        best: judge.seen.into_iter().min(),
        failures: judge.failures,
        known: task.expectations.known.clone(),
    }
}

/// A verdict under construction.
struct Judge<'a> {
    answer: &'a Answer,
    /// The parts of the line of ranks.
    parts: Vec<String>,
    failures: Vec<String>,
    /// The ranks of the visible expected locations.
    seen: Vec<usize>,
}

impl Judge<'_> {
    fn expected(&mut self, spec: &LocationSpec, location: &Location, within: usize) {
        let found = find(&self.answer.rows, location);
        self.parts.push(format!("{} {}", in_words(found.as_ref()), spec.written));
        self.failures.extend(failure(spec, found.as_ref(), within));
        self.seen.extend(found.filter(|it| it.is_seen).map(|it| it.rank));
    }

    /// Checks a location that must rank below all expected ones.
    fn below(&mut self, spec: &LocationSpec, location: &Location) {
        let lowest = self.seen.iter().copied().max().unwrap_or(usize::MAX);
        let found = find(&self.answer.rows, location);
        self.parts.push(format!("below: {} {}", in_words(found.as_ref()), spec.written));
        if let Some(it) = found.filter(|it| it.is_seen && it.rank <= lowest) {
            let failure = format!("{} should stand below, and has rank {}", spec.written, it.rank);
            self.failures.push(failure);
        }
    }

    fn texts(&mut self, expectations: &Expectations) {
        let prompt = self.answer.prompt.as_deref().unwrap_or_default();
        for text in &expectations.shows {
            let is_there = prompt.contains(text);
            self.parts.push(format!("{} {text:?}", if is_there { "shows" } else { "LACKS" }));
            self.failures.extend((!is_there).then(|| format!("the prompt lacks {text:?}")));
        }
        for text in &expectations.hides {
            let is_there = prompt.contains(text);
            self.parts.push(format!("{} {text:?}", if is_there { "LEAKS" } else { "hides" }));
            self.failures.extend(is_there.then(|| format!("the prompt shows {text:?}")));
        }
    }
}

/// The first item that shows the location, else the first item at the location.
fn find(rows: &[RankedItem], spot: &Location) -> Option<Match> {
    if let Some(it) = rows.iter().find(|it| it.shows(spot)) {
        return Some(Match { rank: it.rank, word: it.status.name(), is_seen: true });
    }
    let it = rows.iter().find(|it| it.is_at(spot) && it.status != ItemStatus::Duplicate)?;
    let word = if it.status.is_visible() { "cut off" } else { it.status.name() };
    Some(Match { rank: it.rank, word, is_seen: false })
}

fn in_words(found: Option<&Match>) -> String {
    found.map_or_else(|| "-".to_owned(), |it| format!("{} {}", it.rank, it.word))
}

fn failure(place: &LocationSpec, found: Option<&Match>, within: usize) -> Option<String> {
    let name = &place.written;
    let Some(it) = found else { return Some(format!("{name} is not found")) };
    if !it.is_seen {
        return Some(format!("{name} is not shown: rank {}, {}", it.rank, it.word));
    }
    if it.rank > within {
        return Some(format!("{name} has rank {}, and should be within {within}", it.rank));
    }
    let form = place.form.filter(|form| form.name() != it.word);
    form.map(|form| format!("{name} is shown as {}, and should be as {}", it.word, form.name()))
}
