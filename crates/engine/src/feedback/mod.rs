//! Feedback on earlier answers, as a bounded factor on scores.
//!
//! A vote says whether a place answered a question. It applies to the file and, where named, to the definition; in full
//! to the same question, less to other questions, and less with age. A score is at most multiplied or divided by `1 +
//! strength`, however many votes there are: feedback reorders results of nearly equal score, and cannot raise what does
//! not match. Only a place that was voted down for the same question is divided by more, within a bound of its own, and
//! does not come first as long as there is another one.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evidence::Feature;
use crate::index::terms::{identifiers, terms_of};
use crate::index::{ChunkId, FileId, Snapshot};
use crate::preset::constants::feedback::{
    HALF, HALF_LIFE_DAYS, OTHER_QUESTION, REJECTION_STRENGTH, REST_OF_FILE, STRENGTH,
};
use crate::retrieve::words::is_stop_word;
use crate::search::name_of;
use crate::sorting::sort_by;

/// Weights of votes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// A score is multiplied by at most 1 plus this, or divided by it.
    pub strength: f32,
    /// The same for a place that was voted down for the same question.
    pub rejection: f32,
    /// Sum of votes at which half of that is reached.
    pub half: f32,
    /// Half-life of a vote, in days. Days count back from the latest vote, not from today, so that the same votes
    /// always give the same answer.
    pub half_life: f32,
    /// Weight of a vote for a question without a common word, relative to the same question.
    pub base: f32,
    /// Weight of a vote for a definition in the rest of its file, relative to the definition.
    pub rest_of_file: f32,
}

impl Config {
    /// The values in use.
    pub const IN_FORCE: Self = Self {
        strength: STRENGTH,
        rejection: REJECTION_STRENGTH,
        half: HALF,
        half_life: HALF_LIFE_DAYS,
        base: OTHER_QUESTION,
        rest_of_file: REST_OF_FILE,
    };
}

/// A person's or a program's verdict on a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Vote {
    /// The file, relative to the root.
    pub path: String,
    /// Dotted name of the definition; empty for the file.
    pub symbol: String,
    /// First line of the place, 1-based; 0 where none is named.
    pub line: u32,
    /// The question; empty where there was none.
    pub question: String,
    /// Above 0 if useful, below 0 if not; 1 is a person's explicit vote.
    pub weight: f32,
    /// Days before the latest vote.
    pub days: f32,
}

/// The last vote on each place for each question, in the order of places.
fn latest_votes(votes: &[Vote]) -> Vec<&Vote> {
    let mut last: FxHashMap<(&str, &str, &str), &Vote> = FxHashMap::default();
    for it in votes {
        last.insert((&it.path, &it.symbol, &it.question), it);
    }
    let mut kept: Vec<&Vote> = last.into_values().collect();
    sort_by(&mut kept, |a, b| {
        (&a.path, &a.symbol, &a.question).cmp(&(&b.path, &b.symbol, &b.question))
    });
    kept
}

/// Weight of a vote at its age.
fn decayed(vote: &Vote, config: &Config) -> f32 {
    vote.weight * (-vote.days.max(0.0) / config.half_life).exp2()
}

/// The votes of a repository, indexed by path.
#[derive(Debug, Default)]
pub struct Feedback {
    /// Sorted, so that sums do not depend on the order of votes.
    by_path: BTreeMap<String, Vec<VoteEntry>>,
}

#[derive(Debug)]
struct VoteEntry {
    symbol: String,
    words: FxHashSet<String>,
    weight: f32,
}

impl Feedback {
    /// Takes votes, the oldest first. The last vote on a place for a question replaces earlier ones: a repeated vote
    /// adds nothing, and a changed mind counts.
    pub fn new(votes: &[Vote], config: &Config) -> Self {
        let mut by_path: BTreeMap<String, Vec<VoteEntry>> = BTreeMap::new();
        for it in latest_votes(votes) {
            let weight = decayed(it, config);
            let entry =
                VoteEntry { symbol: it.symbol.clone(), words: words_of(&it.question), weight };
            by_path.entry(it.path.clone()).or_default().push(entry);
        }
        Self { by_path }
    }

    /// Whether it has no votes.
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    /// Weighs the votes for a question.
    pub fn weigh<'f>(&'f self, question: &str, config: &Config) -> VoteWeights<'f> {
        let words = words_of(question);
        let mut files = FxHashMap::default();
        for (path, votes) in &self.by_path {
            let counted = votes.iter().map(|it| WeighedVote {
                symbol: &it.symbol,
                weight: it.weight * nearness(it, &words, config),
                is_same: it.words == words && !words.is_empty(),
            });
            files.insert(path.as_str(), counted.collect());
        }
        VoteWeights { files, config: *config }
    }
}

/// Votes weighed for one question.
pub struct VoteWeights<'f> {
    /// By path.
    files: FxHashMap<&'f str, Vec<WeighedVote<'f>>>,
    config: Config,
}

struct WeighedVote<'f> {
    /// The definition; empty for the file.
    symbol: &'f str,
    weight: f32,
    /// Whether its question has the same words.
    is_same: bool,
}

impl VoteWeights<'_> {
    /// Factor on a chunk's score; `None` where nobody voted on its file.
    pub fn factor(&self, snapshot: &Snapshot, chunk: ChunkId) -> Option<(Feature, f32)> {
        let votes = self.files.get(snapshot.path(chunk.file))?;
        let is_named = votes.iter().any(|it| !it.symbol.is_empty());
        let names = if is_named { names_in(snapshot, chunk) } else { Vec::new() };
        let is_here = |it: &WeighedVote<'_>| {
            it.symbol.is_empty() || names.iter().any(|name| name == it.symbol)
        };
        let share = |it| if is_here(it) { 1.0 } else { self.config.rest_of_file };
        let sum = votes.iter().map(|it| it.weight * share(it)).sum();
        let same = votes.iter().filter(|it| it.is_same && is_here(it));
        let same = same.map(|it| it.weight).sum::<f32>().min(0.0);
        let rejection = Config { strength: self.config.rejection, ..self.config };
        let factor = match same < 0.0 {
            true => factor(sum, &self.config).min(factor(same, &rejection)),
            false => factor(sum, &self.config),
        };
        Some((Feature::Feedback, factor))
    }
}

/// Maps a sum of votes to a factor between `1 / (1 + strength)` and `1 + strength`.
fn factor(sum: f32, config: &Config) -> f32 {
    let size = sum.abs();
    let grown = 1.0 + config.strength * size / (size + config.half);
    if sum >= 0.0 { grown } else { 1.0 / grown }
}

/// Weight of a vote for a question, by the share of common words.
fn nearness(vote: &VoteEntry, words: &FxHashSet<String>, config: &Config) -> f32 {
    let common = vote.words.intersection(words).count() as f32;
    let all = (vote.words.len() + words.len()) as f32 - common;
    let alike = if all > 0.0 { common / all } else { 0.0 };
    config.base + (1.0 - config.base) * alike
}

/// The words of a question without stop words.
fn words_of(question: &str) -> FxHashSet<String> {
    let (mut res, mut scratch) = (FxHashSet::default(), String::new());
    identifiers(question, |start, end| {
        terms_of(&question[start..end], &mut scratch, |term, _| {
            if !is_stop_word(term) && !res.contains(term) {
                res.insert(term.to_owned());
            }
        });
    });
    res
}

/// Dotted names of the definitions that begin in a chunk or enclose it.
fn names_in(snapshot: &Snapshot, chunk: ChunkId) -> Vec<String> {
    let info = snapshot.chunk(chunk);
    let record = snapshot.record(chunk.file);
    let all = record.symbols.definitions.iter().enumerate();
    let is_shown = |it: &(usize, &foreword_chunk::Definition)| {
        let span = it.1.span;
        (info.start..info.end).contains(&span.start)
            || span.start <= info.start && info.end <= span.end
    };
    let name = |file: FileId, idx: usize| name_of(snapshot, file, idx as u32).0;
    all.filter(is_shown).map(|it| name(chunk.file, it.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::pipeline::Control;
    use crate::preset;
    use crate::retrieve::Question;
    use crate::search::{SearchRequest, search};
    use crate::source::Source;

    const CONFIG: Config = Config::IN_FORCE;

    fn vote(path: &str, symbol: &str, question: &str, weight: f32) -> Vote {
        let text = |it: &str| it.to_owned();
        let (path, symbol, question) = (text(path), text(symbol), text(question));
        Vote { path, symbol, line: 0, question, weight, days: 0.0 }
    }

    fn snapshot() -> Snapshot {
        let text = "def take_item(stock):\n    return stock.pop()\n\n\ndef count_items(stock):\n    return len(stock)\n";
        let source = |path: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let sources = vec![source("a.py"), source("b.py"), source("c.py")];
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    }

    /// Paths that a search finds with these votes.
    fn found(votes: &[Vote], question: &str) -> Vec<String> {
        found_in(&snapshot(), votes, question)
    }

    fn found_in(snapshot: &Snapshot, votes: &[Vote], question: &str) -> Vec<String> {
        let feedback = Feedback::new(votes, &CONFIG);
        let weighed = feedback.weigh(question, &CONFIG);
        let prior = |chunk| weighed.factor(snapshot, chunk).into_iter().collect();
        let question = Question { prior: Some(&prior), ..Question::new(question) };
        let request = SearchRequest { question, limit: 10, tokens: None };
        let answer =
            search(snapshot, &request, &preset::search(), &str::len, &mut Control::default());
        answer.results.into_iter().map(|it| it.path).collect()
    }

    #[test]
    fn a_good_vote_lifts_and_a_bad_one_lowers_what_is_as_good() {
        assert_eq!(found(&[], "take an item"), ["a.py", "b.py", "c.py"]);
        let good = vote("c.py", "take_item", "take an item", 1.0);
        assert_eq!(found(std::slice::from_ref(&good), "take an item"), ["c.py", "a.py", "b.py"]);
        let bad = vote("a.py", "take_item", "take an item", -1.0);
        assert_eq!(found(&[good, bad], "take an item"), ["c.py", "b.py", "a.py"]);
    }

    #[test]
    fn however_many_votes_there_are_a_factor_stays_within_its_bounds() {
        for sum in [1e-3, 1.0, 1e3, 1e9] {
            let (up, down) = (factor(sum, &CONFIG), factor(-sum, &CONFIG));
            assert!(up > 1.0 && up <= 1.0 + CONFIG.strength, "{up}");
            assert!((1.0 / (1.0 + CONFIG.strength)..1.0).contains(&down), "{down}");
        }
        assert!((factor(0.0, &CONFIG) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_vote_counts_once_and_the_last_one_counts() {
        let of = |votes: &[Vote]| {
            let feedback = Feedback::new(votes, &CONFIG);
            let (snapshot, weighed) = (snapshot(), feedback.weigh("take", &CONFIG));
            let chunk = ChunkId { file: snapshot.file("a.py").unwrap(), idx: 0 };
            weighed.factor(&snapshot, chunk).unwrap().1
        };
        let (good, bad) = (vote("a.py", "", "take", 1.0), vote("a.py", "", "take", -1.0));
        let once = of(std::slice::from_ref(&good));
        assert!((of(&vec![good.clone(); 50]) - once).abs() < 1e-6);
        assert!(of(&[good, bad]) < 1.0);
        let mut old = vote("a.py", "", "take", 1.0);
        old.days = 900.0;
        assert!(of(&[old]) < 1.01);
    }

    #[test]
    fn what_was_voted_down_is_not_first_for_the_same_question() {
        let source =
            |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let best = "def take_item(stock):\n    \"\"\"Take an item from the stock.\"\"\"\n    return stock.pop()\n";
        let other = "def restock(shelf):\n    # an item\n    shelf.append(1)\n";
        let sources = vec![source("best.py", best), source("other.py", other)];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let first = |question: &str| {
            found_in(&snapshot, &[vote("best.py", "take_item", "take an item", -1.0)], question)[0]
                .clone()
        };
        assert_eq!(found_in(&snapshot, &[], "take an item")[0], "best.py");
        assert_eq!(first("take an item"), "other.py");
        assert_eq!(first("Take the item?"), "other.py");
        assert_eq!(first("take the item from the stock"), "best.py");
    }

    #[test]
    fn a_vote_for_another_question_counts_little() {
        let feedback = Feedback::new(&[vote("a.py", "", "read the settings", 1.0)], &CONFIG);
        let snapshot = snapshot();
        let chunk = ChunkId { file: snapshot.file("a.py").unwrap(), idx: 0 };
        let of = |question| feedback.weigh(question, &CONFIG).factor(&snapshot, chunk).unwrap().1;
        assert!(of("read the settings") > 1.2 && of("take an item") < 1.05);
    }
}
