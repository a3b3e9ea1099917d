//! The query of a question. In a long question its sentences decide. Pasted text is weaker evidence: places named in
//! tracebacks, and words that may add to the sentences but not outweigh them.

use rustc_hash::FxHashSet;

use super::names::{Name, Reach};
use super::passage::{Frame, Passage, frame, named_files, passages};
use super::query::{
    FormKind, Query, QueryConfig, QuestionWord, Weights, WordForm, is_code, is_error_code,
    is_plain, names_code, speaks_of_tests, wants_tests,
};
use super::words::forms::{forms_of, is_plural_of};
use super::words::wish::is_wish;
use super::words::{is_conversational, is_stop_word};
use crate::index::Snapshot;
use crate::index::bm25::WeightedTerm;
use crate::index::terms::{identifiers, terms_of};
use crate::preset::constants::retrieve::{
    CONVERSATIONAL_WORD, ERROR_CODE, INFLECTED_FORM, JOINED_WORDS, PASTED_SHARE, PASTED_TERMS,
    PASTED_WORD, PLAIN_QUESTION_WORDS, SENTENCE_TERMS, SENTENCE_WORD, SINGULAR, TRACEBACK_FRAMES,
    WORD_PART,
};

/// Builds the query of a question or symbol name.
pub fn question_query(question: &str, snapshot: &Snapshot, config: &QueryConfig) -> Query {
    let mut written: Vec<&str> = Vec::new();
    identifiers(question, |start, end| written.push(&question[start..end]));
    let is_symbol = reads_as_symbol(question, &written, snapshot);
    let mut reader = Reader { is_symbol, ..Reader::new(config) };
    let passages = passages(question);
    reader.has_passages = passages.iter().any(|it| it.0 != Passage::Title);
    for (passage, line) in passages {
        match passage {
            Passage::Title => reader.read(line, 1.0),
            Passage::Sentence => reader.read(line, SENTENCE_WORD),
            Passage::Evidence => reader.read_evidence(line),
            Passage::Form => {}
        }
    }
    let wants_tests = !reader.has_passages && wants_tests(question);
    let query = reader.finish(snapshot, config);
    Query { files: named_files(question, snapshot), wants_tests, ..query }
}

/// Whether the question is one word, or a few words that look like identifiers: `snake_case`, `camelCase`, `a::b`,
/// `a.b()`. A plain word of the code that names no type or function is one of a sentence: `timeouts` asks for `timeout`,
/// and `interceptors`, a field in one place, for all that is about interceptors.
fn reads_as_symbol(question: &str, words: &[&str], snapshot: &Snapshot) -> bool {
    match question.split_whitespace().count() {
        1 if is_plain(question.trim()) && snapshot.document_frequency(question.trim()) > 0 => {
            names_code(snapshot, question.trim(), usize::MAX)
        }
        1 => true,
        n_parts => n_parts <= 3 && words.iter().all(|it| is_code(it)),
    }
}

/// Accumulates the query line by line.
struct Reader<'t, 'c> {
    is_symbol: bool,
    weights: Weights<'c>,
    evidence: Weights<'c>,
    names: Vec<Name>,
    known: FxHashSet<String>,
    words: Vec<QuestionWord>,
    frames: Vec<Frame<'t>>,
    n_words: usize,
    /// Whether it is a text with sentences or pasted lines below a title.
    has_passages: bool,
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
            has_passages: false,
            before: String::new(),
        }
    }

    /// Reads a sentence.
    fn read(&mut self, line: &'t str, weight: f32) {
        self.before.clear();
        let mut words: Vec<&'t str> = Vec::new();
        identifiers(line, |start, end| words.push(&line[start..end]));
        let all: Vec<String> = words.iter().map(|it| it.to_lowercase()).collect();
        for (at, word) in words.into_iter().enumerate() {
            let lower = &all[at];
            if !self.is_symbol && is_stop_word(lower) {
                continue;
            }
            self.n_words += 1;
            let is_light = !self.is_symbol && (is_conversational(lower) || is_wish(&all, at));
            let weight = match is_light {
                true => CONVERSATIONAL_WORD * weight,
                false if is_error_code(word) => ERROR_CODE * weight,
                false => weight,
            };
            self.weights.add(word, weight);
            self.join(lower, weight);
            let others = if self.is_symbol { Vec::new() } else { inflections(lower) };
            for it in &others {
                self.weights.add_owned(it.term.clone(), it.weight * weight);
            }
            if self.known.insert(word.to_owned()) {
                self.names.push(Name {
                    name: word.to_owned(),
                    weight,
                    distance: 0,
                    reach: Reach::Anywhere,
                });
                self.words.push(QuestionWord { forms: forms(word, others), is_light });
            }
        }
    }

    /// Adds a word and the one before as one, as code may have them: thread pool, `threadpool`.
    fn join(&mut self, lower: &str, weight: f32) {
        if !self.before.is_empty() {
            let term = format!("{}{lower}", self.before);
            self.weights.add_term(&term, JOINED_WORDS * weight);
            if let Some(known) = self.words.last_mut() {
                known.forms.push(WordForm { term, weight: JOINED_WORDS, kind: FormKind::Other });
            }
        }
        lower.clone_into(&mut self.before);
    }

    /// Reads a pasted line.
    fn read_evidence(&mut self, line: &'t str) {
        if let Some(place) = frame(line) {
            self.frames.push(place);
        }
        identifiers(line, |start, end| {
            let word = &line[start..end];
            self.n_words += 1;
            if !is_stop_word(&word.to_lowercase()) {
                self.evidence.add(word, PASTED_WORD);
            }
        });
    }

    /// Reads the stack frames: functions become names, file names count like words of a sentence.
    fn read_frames(&mut self) {
        let from = self.frames.len().saturating_sub(TRACEBACK_FRAMES);
        for Frame { path, function } in self.frames.split_off(from) {
            let stem = path.rsplit(['/', '\\']).next().and_then(|it| it.split('.').next());
            stem.into_iter().for_each(|it| self.evidence.add(it, SENTENCE_WORD));
            let Some(function) = function else { continue };
            self.evidence.add(function, SENTENCE_WORD);
            if self.known.insert(function.to_owned()) {
                self.names.push(Name {
                    name: function.to_owned(),
                    weight: SENTENCE_WORD,
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
        // A longer text, such as a pasted issue, may mention tests without asking for them.
        let is_plain = !self.has_passages || self.n_words <= PLAIN_QUESTION_WORDS;
        let asks_for_tests = is_plain && speaks_of_tests(&terms);
        let Self { names, words, is_symbol, n_words, .. } = self;
        Query { terms, names, words, is_symbol, n_words, asks_for_tests, ..Query::default() }
    }
}

/// A word, its parts, and its inflected forms.
fn forms(word: &str, others: Vec<WordForm>) -> Vec<WordForm> {
    let mut res: Vec<WordForm> = Vec::new();
    terms_of(word, &mut String::new(), |term, is_whole| {
        let (weight, kind) =
            if is_whole { (1.0, FormKind::Word) } else { (WORD_PART, FormKind::Other) };
        res.push(WordForm { term: term.to_owned(), weight, kind });
    });
    res.extend(others);
    res
}

/// Other forms of a lower-case word.
fn inflections(word: &str) -> Vec<WordForm> {
    let weight = |it: &str| if is_plural_of(word, it) { SINGULAR } else { INFLECTED_FORM };
    let form = |it: String| WordForm { weight: weight(&it), term: it, kind: FormKind::Word };
    forms_of(word).into_iter().map(form).collect()
}

/// Adds terms of pasted text, scaled to at most a fraction of the weight of the sentences.
fn add_evidence(
    snapshot: &Snapshot,
    terms: &mut Vec<WeightedTerm>,
    mut evidence: Vec<WeightedTerm>,
) {
    evidence.retain(|it| !terms.iter().any(|known| known.term == it.term));
    evidence.truncate(PASTED_TERMS);
    if evidence.is_empty() {
        return;
    }
    let sum = |terms: &[WeightedTerm]| -> f32 {
        terms.iter().map(|it| it.weight * snapshot.idf(&it.term)).sum()
    };
    let most = PASTED_SHARE * sum(terms);
    let share = if terms.is_empty() {
        1.0
    } else {
        (most / sum(&evidence).max(f32::MIN_POSITIVE)).min(1.0)
    };
    let keep = terms.len().min(SENTENCE_TERMS);
    terms.truncate(keep);
    terms.extend(evidence.into_iter().map(|it| WeightedTerm { weight: it.weight * share, ..it }));
}
