//! Votes as pairs of a question and the chunk that answers it, to learn a map of questions from (`dense::query_map`).

use super::{Config, Vote, decayed, latest_votes, names_in};
use crate::index::{ChunkId, FileId, Snapshot};
use crate::preset;
use crate::retrieve::question_query;

/// A question, and a chunk that was voted to answer it.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedbackPair {
    /// What was asked.
    pub question: String,
    /// The answer.
    pub chunk: ChunkId,
    /// What the votes count: 1 is a person's explicit word, of today.
    pub weight: f32,
}

/// The pairs that good votes make in a snapshot, at most `most`: those that count most, in the order of questions. A vote on a
/// definition is one on the chunk where it begins, else one on the chunk with the first line that was voted on. A vote on all
/// of a long file names no chunk, one for a name nothing that has a meaning, and a bad one no answer: they make no pairs.
pub fn pairs(
    votes: &[Vote],
    snapshot: &Snapshot,
    config: &Config,
    most: usize,
) -> Vec<FeedbackPair> {
    let is_name = |it: &str| question_query(it, snapshot, &preset::search().query).is_symbol;
    let mut res: Vec<FeedbackPair> = Vec::new();
    for it in latest_votes(votes) {
        if it.weight <= 0.0 || it.question.trim().is_empty() || is_name(&it.question) {
            continue;
        }
        let Some(chunk) = chunk_of(it, snapshot) else { continue };
        let (question, weight) = (it.question.clone(), decayed(it, config));
        match res.iter_mut().find(|it| it.chunk == chunk && it.question == question) {
            Some(known) => known.weight = known.weight.max(weight),
            None => res.push(FeedbackPair { question, chunk, weight }),
        }
    }
    let key = |it: &FeedbackPair| (it.question.clone(), it.chunk.file, it.chunk.idx);
    res.sort_by_cached_key(key);
    res.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    res.truncate(most);
    res.sort_by_cached_key(key);
    res
}

/// The chunk that a vote is on.
fn chunk_of(vote: &Vote, snapshot: &Snapshot) -> Option<ChunkId> {
    let file = snapshot.file(&vote.path)?;
    let of_symbol = (!vote.symbol.is_empty()).then(|| defining(vote, snapshot, file)).flatten();
    let chunks = snapshot.record(file).chunks.len();
    match (of_symbol, vote.line) {
        (Some(chunk), _) => Some(chunk),
        (None, 0) => (chunks == 1).then_some(ChunkId { file, idx: 0 }),
        (None, line) => at_line(snapshot, file, line),
    }
}

/// The first chunk in which the definition begins that was voted on.
fn defining(vote: &Vote, snapshot: &Snapshot, file: FileId) -> Option<ChunkId> {
    let n = snapshot.record(file).chunks.len() as u32;
    let mut all = (0..n).map(|idx| ChunkId { file, idx });
    all.find(|it| names_in(snapshot, *it).contains(&vote.symbol))
}

/// The chunk with a line, counted from 1.
fn at_line(snapshot: &Snapshot, file: FileId, line: u32) -> Option<ChunkId> {
    let (text, record) = snapshot.contents(file);
    let start = match line {
        1 => 0,
        _ => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line as usize - 2)? + 1,
    };
    record.chunk_at(start).map(|idx| ChunkId { file, idx })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    const CONFIG: Config = Config::IN_FORCE;

    fn vote(symbol: &str, question: &str, weight: f32) -> Vote {
        let text = |it: &str| it.to_owned();
        Vote {
            path: "a.py".to_owned(),
            symbol: text(symbol),
            question: text(question),
            line: 0,
            weight,
            days: 0.0,
        }
    }

    /// A file of many chunks, `f0` to `f39`.
    fn snapshot() -> Snapshot {
        let body = "    total = sum(it.price for it in basket if it.is_paid and not it.is_gone)\n";
        let function =
            |n: usize| format!("def f{n}(basket):\n{}    return total\n\n\n", body.repeat(12));
        let text = (0..40).map(function).collect();
        let sources = vec![Source { path: "a.py".to_owned(), text }];
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    }

    fn found(votes: &[Vote]) -> Vec<FeedbackPair> {
        pairs(votes, &snapshot(), &CONFIG, 100)
    }

    #[test]
    fn a_good_vote_is_a_pair_with_the_chunk_where_the_definition_begins_or_the_line_is() {
        let asked = "what does a basket cost";
        let [pair] = &found(&[vote("f20", asked, 1.0)])[..] else { panic!() };
        assert_eq!((pair.question.as_str(), pair.weight), (asked, 1.0));
        let names = names_in(&snapshot(), pair.chunk);
        assert!(names.iter().any(|it| it == "f20"), "{names:?}");
        let line = 1 + 20 * 16;
        let by_line = found(&[Vote { line, ..vote("", asked, 0.3) }]);
        assert_eq!((by_line[0].chunk, by_line[0].weight), (pair.chunk, 0.3));
        // A definition that is gone has a line at least.
        assert_eq!(found(&[Vote { line, ..vote("gone", asked, 1.0) }])[0].chunk, pair.chunk);
    }

    #[test]
    fn what_names_no_chunk_no_meaning_or_no_answer_makes_no_pair() {
        let asked = "what does a basket cost";
        let none = [
            vote("", asked, 1.0),
            vote("f20", asked, -1.0),
            vote("f20", "", 1.0),
            vote("f20", "f20", 1.0),
            Vote { path: "gone.py".to_owned(), ..vote("f20", asked, 1.0) },
            Vote { line: 9_999, ..vote("", asked, 1.0) },
        ];
        assert_eq!(found(&none), []);
        assert_eq!(found(&[vote("f20", asked, 1.0), vote("f20", asked, -1.0)]), []);
    }

    #[test]
    fn of_many_those_that_count_most_are_kept_whatever_their_order() {
        let mut votes: Vec<Vote> = (0..40)
            .map(|n| Vote {
                days: n as f32,
                ..vote(&format!("f{n}"), "what does a basket cost", 1.0)
            })
            .collect();
        let kept = pairs(&votes, &snapshot(), &CONFIG, 10);
        assert_eq!(kept.len(), 10);
        assert!(kept.iter().all(|it| it.weight > 0.86), "{kept:?}");
        votes.reverse();
        assert_eq!(pairs(&votes, &snapshot(), &CONFIG, 10), kept);
    }
}
