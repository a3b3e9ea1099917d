//! The query of a question. In a long one the writer's sentences decide, and what was pasted below them is evidence of
//! another kind: the places that a traceback names, and words that may add to the sentences' but never outweigh them.

use rustc_hash::FxHashSet;

use super::names::{Name, Reach};
use super::passage::{Frame, Passage, frame, passages};
use super::query::{
    Query, QueryConfig, QuestionWord, STOP_WORDS, VARIANT, Weights, is_code, speaks_of_tests,
    variants,
};
use crate::index::Snapshot;
use crate::index::bm25::WeightedTerm;
use crate::index::terms::{identifiers, terms_of};

/// Words of the longest question that is taken at its word.
const QUESTION: usize = 12;

/// The weight of two neighbouring words of a question, written as one.
const JOINED: f32 = 0.7;

/// The weight of a word of a sentence below the first line, which says in short what the rest is about. The sentences of
/// an issue are many, so that each counts for less. It and the three below are first guesses, which issues of flask, requests,
/// pytest and seaborn did not contradict; no run of theirs is kept.
const SENTENCE: f32 = 0.6;

/// The weight of a word of what was pasted.
const EVIDENCE: f32 = 0.3;

/// What all words of what was pasted may weigh, of what those of the sentences weigh.
const MOST_EVIDENCE: f32 = 0.5;

/// How many terms of what was pasted are looked for.
const EVIDENCE_TERMS: usize = 16;

/// How many places of a traceback are looked at, the innermost first: the last ones in Python, the first elsewhere.
const FRAMES: usize = 8;

/// The query of a question or of a symbol's name.
pub fn question_query(question: &str, snapshot: &Snapshot, config: &QueryConfig) -> Query {
    let mut written: Vec<&str> = Vec::new();
    identifiers(question, |start, end| written.push(&question[start..end]));
    let is_symbol = reads_as_symbol(question, &written);
    let mut reader = Reader { is_symbol, ..Reader::new(config) };
    for (passage, line) in passages(question) {
        match passage {
            Passage::Title => reader.read(line, 1.0),
            Passage::Sentence => reader.read(line, SENTENCE),
            Passage::Evidence => reader.read_evidence(line),
            Passage::Form => {}
        }
    }
    reader.finish(snapshot, config)
}

/// One word, or words that only code has: `snake_case`, `camelCase`, `a::b`, `a.b()`.
fn reads_as_symbol(question: &str, words: &[&str]) -> bool {
    let n_parts = question.split_whitespace().count();
    n_parts == 1 || (n_parts <= 3 && words.iter().all(|it| is_code(it)))
}

/// A query in the making.
struct Reader<'t, 'c> {
    is_symbol: bool,
    weights: Weights<'c>,
    evidence: Weights<'c>,
    names: Vec<Name>,
    known: FxHashSet<String>,
    words: Vec<QuestionWord>,
    frames: Vec<Frame<'t>>,
    n_words: usize,
    before: String,
}

impl<'t, 'c> Reader<'t, 'c> {
    fn new(config: &'c QueryConfig) -> Self {
        Self {
            is_symbol: false,
            weights: Weights::new(config),
            evidence: Weights::new(config),
            names: Vec::new(),
            known: FxHashSet::default(),
            words: Vec::new(),
            frames: Vec::new(),
            n_words: 0,
            before: String::new(),
        }
    }

    /// What the writer says.
    fn read(&mut self, line: &'t str, weight: f32) {
        self.before.clear();
        identifiers(line, |start, end| {
            let word = &line[start..end];
            let lower = word.to_lowercase();
            if !self.is_symbol && STOP_WORDS.binary_search(&lower.as_str()).is_ok() {
                return;
            }
            self.n_words += 1;
            self.weights.add(word, weight);
            // What a question writes as two words, code may write as one: thread pool, `threadpool`.
            if !self.before.is_empty() {
                let joined = format!("{}{lower}", self.before);
                self.weights.add_term(&joined, JOINED * weight);
                if let Some(known) = self.words.last_mut() {
                    known.forms.push(WeightedTerm { term: joined, weight: JOINED });
                }
            }
            self.before.clone_from(&lower);
            let others = if self.is_symbol { Vec::new() } else { variants(&lower) };
            for it in &others {
                self.weights.add_owned(it.clone(), VARIANT * weight);
            }
            if self.known.insert(word.to_owned()) {
                self.names.push(Name {
                    name: word.to_owned(),
                    weight,
                    distance: 0,
                    reach: Reach::Anywhere,
                });
                self.words.push(QuestionWord { forms: forms(word, others) });
            }
        });
    }

    /// What the writer pasted.
    fn read_evidence(&mut self, line: &'t str) {
        if let Some(place) = frame(line) {
            self.frames.push(place);
        }
        identifiers(line, |start, end| {
            let word = &line[start..end];
            self.n_words += 1;
            if STOP_WORDS.binary_search(&word.to_lowercase().as_str()).is_err() {
                self.evidence.add(word, EVIDENCE);
            }
        });
    }

    /// The places that tracebacks name: their functions as names, the words of their files as words of a sentence.
    fn read_frames(&mut self) {
        let from = self.frames.len().saturating_sub(FRAMES);
        for Frame { path, function } in self.frames.split_off(from) {
            let stem = path.rsplit(['/', '\\']).next().and_then(|it| it.split('.').next());
            stem.into_iter().for_each(|it| self.evidence.add(it, SENTENCE));
            let Some(function) = function else { continue };
            self.evidence.add(function, SENTENCE);
            if self.known.insert(function.to_owned()) {
                self.names.push(Name {
                    name: function.to_owned(),
                    weight: SENTENCE,
                    distance: 0,
                    reach: Reach::Anywhere,
                });
            }
        }
    }

    fn finish(mut self, snapshot: &Snapshot, config: &QueryConfig) -> Query {
        self.read_frames();
        let mut terms = self.weights.finish(snapshot, config);
        let evidence = self.evidence.finish(snapshot, config);
        add_evidence(snapshot, &mut terms, evidence);
        terms.truncate(config.max_terms);
        // A longer text, a pasted issue say, speaks of tests without asking for them.
        let asks_for_tests = self.n_words <= QUESTION && speaks_of_tests(&terms);
        let Self { names, words, is_symbol, n_words, .. } = self;
        Query { terms, names, words, is_symbol, n_words, asks_for_tests, ..Query::default() }
    }
}

/// A word, its parts, and its other forms.
fn forms(word: &str, others: Vec<String>) -> Vec<WeightedTerm> {
    let mut res: Vec<WeightedTerm> = Vec::new();
    terms_of(word, &mut String::new(), |term, is_whole| {
        res.push(WeightedTerm { term: term.to_owned(), weight: if is_whole { 1.0 } else { PART } });
    });
    res.extend(others.into_iter().map(|term| WeightedTerm { term, weight: VARIANT }));
    res
}

/// What a part of a word counts where words are compared with names and paths.
const PART: f32 = 0.7;

/// Adds the terms of what was pasted, so that they weigh a part of what the sentences weigh and not more.
fn add_evidence(
    snapshot: &Snapshot,
    terms: &mut Vec<WeightedTerm>,
    mut evidence: Vec<WeightedTerm>,
) {
    evidence.retain(|it| !terms.iter().any(|known| known.term == it.term));
    evidence.truncate(EVIDENCE_TERMS);
    if evidence.is_empty() {
        return;
    }
    let sum = |terms: &[WeightedTerm]| -> f32 {
        terms.iter().map(|it| it.weight * snapshot.idf(&it.term)).sum()
    };
    let most = MOST_EVIDENCE * sum(terms);
    let share = if terms.is_empty() {
        1.0
    } else {
        (most / sum(&evidence).max(f32::MIN_POSITIVE)).min(1.0)
    };
    let keep = terms.len().min(MAX_SENTENCES);
    terms.truncate(keep);
    terms.extend(evidence.into_iter().map(|it| WeightedTerm { weight: it.weight * share, ..it }));
}

/// Beside terms of what was pasted, so many of the sentences are looked for.
const MAX_SENTENCES: usize = 40;
