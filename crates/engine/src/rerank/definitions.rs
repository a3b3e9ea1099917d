//! How much of a question one definition answers: the share of the question's words in its name, and in its text with its
//! comment. A chunk holds several definitions, and words that are spread over all of them say less than words of one.
//!
//! Words are weighted by their rarity; a word counts once, in any of its forms.

use foreword_chunk::{Definition, Kind};
use rustc_hash::FxHashMap;

use super::inputs::RerankInputs;
use super::texts::texts;
use crate::evidence::Feature;
use crate::fuse::Candidate;
use crate::index::terms::{identifiers, terms_of};
use crate::index::{ChunkId, Snapshot};
use crate::preset::constants::rerank::ANSWER_DEPTH;
use crate::preset::constants::retrieve::{CONVERSATIONAL_WORD, INFLECTED_FORM};
use crate::retrieve::Query;
use crate::retrieve::words::is_conversational;

/// Reads and measures the first candidates.
pub(super) fn measure(inputs: &RerankInputs<'_>, candidates: &mut [Candidate]) {
    let texts = texts(inputs.snapshot, candidates, ANSWER_DEPTH);
    let mut reader = Reader::new(QuestionWords::new(inputs.query, inputs.snapshot));
    for (it, text) in candidates.iter_mut().zip(&texts) {
        let (name, whole) = reader.best(inputs.snapshot, it.chunk, text);
        it.features.set(Feature::AnswersByName, name);
        it.features.set(Feature::AnswersByText, whole);
    }
}

/// The words of a question, by form.
struct QuestionWords<'q> {
    /// For each form, the words that have it, and how much it is the word, 0 to 1.
    forms: FxHashMap<&'q str, Vec<(usize, f32)>>,
    /// Share of each word in the weight of all.
    weights: Vec<f32>,
}

impl<'q> QuestionWords<'q> {
    fn new(query: &'q Query, snapshot: &Snapshot) -> Self {
        let mut forms: FxHashMap<&str, Vec<(usize, f32)>> = FxHashMap::default();
        let mut weights = Vec::with_capacity(query.words.len());
        for (word, of_word) in query.words.iter().enumerate() {
            let known = |term: &str| snapshot.document_frequency(term);
            let most = of_word.forms.iter().map(|it| known(&it.term)).max().unwrap_or(0);
            let is_light = of_word.forms.first().is_some_and(|it| is_conversational(&it.term));
            let share = if is_light { CONVERSATIONAL_WORD } else { 1.0 };
            weights.push(if most == 0 { 0.0 } else { share * snapshot.idf_of(most) });
            for it in &of_word.forms {
                let degree = if it.weight <= INFLECTED_FORM { 1.0 } else { it.weight.min(1.0) };
                forms.entry(&it.term).or_default().push((word, degree));
            }
        }
        let all = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        weights.iter_mut().for_each(|it| *it /= all);
        Self { forms, weights }
    }
}

/// Reads texts; code repeats the same names, so each is looked up once.
struct Reader<'q, 't> {
    words: QuestionWords<'q>,
    known: FxHashMap<&'t str, Vec<(usize, f32)>>,
    scratch: String,
}

impl<'q, 't> Reader<'q, 't> {
    fn new(words: QuestionWords<'q>) -> Self {
        Self { words, known: FxHashMap::default(), scratch: String::new() }
    }

    /// The shares of the best name and of the best text among the definitions that begin in a chunk.
    fn best(&mut self, snapshot: &Snapshot, chunk: ChunkId, text: &'t str) -> (f32, f32) {
        let (info, record) = (snapshot.chunk(chunk), snapshot.record(chunk.file));
        let all = &record.symbols.definitions;
        let first = all.partition_point(|it| it.span.start < info.start);
        let here = all[first..].iter().take_while(|it| it.span.start < info.end);
        let here: Vec<&Definition> = here.filter(|it| may_answer(it.kind)).collect();
        let within = |at: u32| text.floor_char_boundary(at.saturating_sub(info.start) as usize);
        let mut res = (0.0_f32, 0.0_f32);
        for (at, it) in here.iter().enumerate() {
            let next = here.get(at + 1).map_or(info.end, |it| beginning(it));
            let last = within(it.span.end.min(next));
            let own = text.get(within(beginning(it))..last).unwrap_or_default();
            let name = text.get(within(it.name.start)..within(it.name.end)).unwrap_or_default();
            res = (res.0.max(self.share(name)), res.1.max(self.share(own)));
        }
        res
    }

    /// Share of the question's weight that the words of a text have.
    fn share(&mut self, text: &'t str) -> f32 {
        let mut met = vec![0.0_f32; self.words.weights.len()];
        identifiers(text, |start, end| {
            let identifier = &text[start..end];
            let Self { words, known, scratch } = self;
            let found = known.entry(identifier).or_insert_with(|| {
                let mut found = Vec::new();
                terms_of(identifier, scratch, |term, _| {
                    found.extend(words.forms.get(term).into_iter().flatten());
                });
                found
            });
            for (word, degree) in found {
                met[*word] = met[*word].max(*degree);
            }
        });
        met.iter().zip(&self.words.weights).map(|(degree, weight)| degree * weight).sum()
    }
}

/// Whether a definition of this kind does something, or holds what does.
fn may_answer(kind: Kind) -> bool {
    !matches!(kind, Kind::Field | Kind::Constant | Kind::Section)
}

/// Where a definition begins, with its comment.
fn beginning(it: &Definition) -> u32 {
    it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start))
}
