//! What an answer is worth: the rank of each place, and what of the demands it does not meet.

use super::ask::{Answer, ItemStatus, RankedItem};
use super::location::{Location, LocationSpec};
use super::project::Task;

/// One task's ranks and failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The task.
    pub task: String,
    /// The ranks of its places and the texts of its prompt, in one line without scores.
    pub ranks: String,
    /// The rank of the best expected place that is seen.
    pub best: Option<usize>,
    /// What is demanded and not met; empty when the task holds.
    pub failures: Vec<String>,
    /// Why it may fail for now.
    pub known: Option<String>,
}

/// Where a place was found: its rank, and what became of it.
struct Match {
    rank: usize,
    word: &'static str,
    is_seen: bool,
}

/// Judges an answer.
pub fn judge(task: &Task, answer: &Answer) -> Verdict {
    let (mut parts, mut failures) = (Vec::new(), Vec::new());
    let mut seen = Vec::new();
    for (place, spot) in task.expect.iter().zip(&answer.expect) {
        let found = find(&answer.rows, spot);
        parts.push(format!("{} {}", in_words(found.as_ref()), place.written));
        failures.extend(failure(place, found.as_ref(), task.within()));
        seen.extend(found.filter(|it| it.is_seen).map(|it| it.rank));
    }
    let lowest = seen.iter().copied().max().unwrap_or(usize::MAX);
    for (place, spot) in task.below.iter().zip(&answer.below) {
        let found = find(&answer.rows, spot);
        parts.push(format!("below: {} {}", in_words(found.as_ref()), place.written));
        if let Some(it) = found.filter(|it| it.is_seen && it.rank <= lowest) {
            failures
                .push(format!("{} should stand below, and has rank {}", place.written, it.rank));
        }
    }
    for (place, spot) in task.watch.iter().zip(&answer.watch) {
        parts.push(format!(
            "watch: {} {}",
            in_words(find(&answer.rows, spot).as_ref()),
            place.written
        ));
    }
    let prompt = answer.prompt.as_deref().unwrap_or_default();
    for text in &task.expectations.shows {
        let is_there = prompt.contains(text);
        parts.push(format!("{} {text:?}", if is_there { "shows" } else { "LACKS" }));
        failures.extend((!is_there).then(|| format!("the prompt lacks {text:?}")));
    }
    for text in &task.expectations.hides {
        let is_there = prompt.contains(text);
        parts.push(format!("{} {text:?}", if is_there { "LEAKS" } else { "hides" }));
        failures.extend(is_there.then(|| format!("the prompt shows {text:?}")));
    }
    Verdict {
        task: task.name.clone(),
        ranks: parts.join(" | "),
        best: seen.into_iter().min(),
        failures,
        known: task.expectations.known.clone(),
    }
}

/// The first row that shows the place; the first that is at it where none shows it.
fn find(rows: &[RankedItem], spot: &Location) -> Option<Match> {
    if let Some(it) = rows.iter().find(|it| it.shows(spot)) {
        return Some(Match { rank: it.rank, word: it.fate.name(), is_seen: true });
    }
    let it = rows.iter().find(|it| it.is_at(spot) && it.fate != ItemStatus::Repeats)?;
    let word = if it.fate.is_seen() { "cut off" } else { it.fate.name() };
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
