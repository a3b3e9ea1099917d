//! How much of a question one definition answers: the share of the question's words in its name, and in its text with its
//! comment. A chunk holds several definitions, and words that are spread over all of them say less than words of one.
//!
//! Words are weighted by their rarity; a word counts once, in any of its forms.

use foreword_chunk::{Definition, Kind};
use rustc_hash::FxHashMap;

use super::config::RerankConfig;
use super::inputs::RerankInputs;
use super::texts::texts;
use crate::evidence::Feature;
use crate::fuse::Candidate;
use crate::index::terms::{identifiers, terms_of};
use crate::index::{ChunkId, Snapshot};
use crate::preset::constants::rerank::{ANSWER_DEPTH, ANSWER_LENGTH, ANY_NAME};
use crate::preset::constants::retrieve::CONVERSATIONAL_WORD;
use crate::retrieve::Query;
use crate::retrieve::query::FormKind;
use crate::sorting::sort_by;

/// Reads and measures the first candidates.
pub(super) fn measure(
    inputs: &RerankInputs<'_>,
    candidates: &mut [Candidate],
    config: &RerankConfig,
) {
    // One word is a name or its form, and every definition that has it has all of the question.
    if inputs.query.words.len() < 2 {
        return;
    }
    let texts = texts(inputs.snapshot, candidates, ANSWER_DEPTH);
    let words = QuestionWords::new(inputs.query, inputs.snapshot);
    let mut reader = Reader::new(&words);
    for (it, text) in candidates.iter_mut().zip(&texts) {
        // The definitions of copied projects are not the answers of this one.
        if it.features.value(Feature::ThirdParty) > 0.0 {
            continue;
        }
        let answers = reader.answers(inputs.snapshot, it.chunk, text);
        let best = |share: fn(&Answer) -> f32| answers.iter().map(share).fold(0.0, f32::max);
        it.features.set(Feature::AnswersByName, best(|it| it.name));
        it.features.set(Feature::AnswersByText, best(|it| it.text));
        it.answer = likeliest(&answers, config);
    }
}

/// The definition that answers best; the first of equals.
fn likeliest(answers: &[Answer], config: &RerankConfig) -> Option<u32> {
    by_answer(answers, config).first().map(|it| it.0)
}

/// The definitions that have words of the question, best first, with the logarithm of their factor.
fn by_answer(answers: &[Answer], config: &RerankConfig) -> Vec<(u32, f32)> {
    let (of_name, of_text) = (config.answers_by_name.ln(), config.answers_by_text.ln());
    let of_length = |it: &Answer| ANSWER_LENGTH * (1.0 + it.lines as f32).ln();
    let score =
        |it: &Answer| (it.definition, of_name * it.name + of_text * it.scoped + of_length(it));
    let mut res: Vec<(u32, f32)> = answers.iter().filter(|it| it.text > 0.0).map(score).collect();
    sort_by(&mut res, |a, b| b.1.total_cmp(&a.1));
    res
}

/// Ranks the definitions of chunks for a question.
pub(crate) struct DefinitionRanker<'q> {
    words: QuestionWords<'q>,
    config: &'q RerankConfig,
}

impl<'q> DefinitionRanker<'q> {
    /// For a query over a snapshot.
    pub(crate) fn new(query: &'q Query, snapshot: &Snapshot, config: &'q RerankConfig) -> Self {
        Self { words: QuestionWords::new(query, snapshot), config }
    }

    /// The definitions that begin in a chunk and have words of the question, best first, with how well they answer.
    pub(crate) fn rank(&self, snapshot: &Snapshot, chunk: ChunkId, text: &str) -> Vec<(u32, f32)> {
        let answers = Reader::new(&self.words).answers(snapshot, chunk, text);
        by_answer(&answers, self.config)
    }
}

/// The shares of a question's weight that one definition has.
struct Answer {
    definition: u32,
    /// In its name.
    name: f32,
    /// In its text with its comment.
    text: f32,
    /// In its text and the name of the type around it: a method answers before its type.
    scoped: f32,
    /// Lines of its text.
    lines: usize,
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
            let share = if of_word.is_light { CONVERSATIONAL_WORD } else { 1.0 };
            weights.push(if most == 0 { 0.0 } else { share * snapshot.idf_of(most) });
            for it in &of_word.forms {
                let degree = if it.kind == FormKind::Word { 1.0 } else { it.weight };
                forms.entry(&it.term).or_default().push((word, degree));
            }
        }
        let all = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        weights.iter_mut().for_each(|it| *it /= all);
        Self { forms, weights }
    }
}

/// Reads texts; code repeats the same names, so each is looked up once.
struct Reader<'w, 'q, 't> {
    words: &'w QuestionWords<'q>,
    known: FxHashMap<&'t str, Vec<(usize, f32)>>,
    scratch: String,
}

impl<'w, 'q, 't> Reader<'w, 'q, 't> {
    fn new(words: &'w QuestionWords<'q>) -> Self {
        Self { words, known: FxHashMap::default(), scratch: String::new() }
    }

    /// The definitions that begin in a chunk.
    fn answers(&mut self, snapshot: &Snapshot, chunk: ChunkId, text: &'t str) -> Vec<Answer> {
        let (info, record) = (snapshot.chunk(chunk), snapshot.record(chunk.file));
        let all = &record.symbols.definitions;
        let first = all.partition_point(|it| it.span.start < info.start);
        let here = (first as u32..).zip(&all[first..]);
        let here = here.take_while(|it| it.1.span.start < info.end);
        let here: Vec<(u32, &Definition)> = here.filter(|it| may_answer(it.1.kind)).collect();
        let within = |at: u32| text.floor_char_boundary(at.saturating_sub(info.start) as usize);
        let mut res = Vec::with_capacity(here.len());
        for (at, (definition, it)) in here.iter().enumerate() {
            let next = here.get(at + 1).map_or(info.end, |it| beginning(it.1));
            let last = within(it.span.end.min(next));
            let own = text.get(within(beginning(it))..last).unwrap_or_default();
            let name = text.get(within(it.name.start)..within(it.name.end)).unwrap_or_default();
            let around = it.parent.and_then(|parent| all.get(parent as usize));
            let around = around.filter(|it| it.name.start >= info.start);
            let around = around.map(|it| within(it.name.start)..within(it.name.end));
            let around = around.and_then(|it| text.get(it)).unwrap_or_default();
            res.push(Answer {
                definition: *definition,
                name: self.share(&[name]) * self.likeness(name),
                text: self.share(&[own]),
                scoped: self.share(&[own, around]),
                lines: memchr::memchr_iter(b'\n', own.as_bytes()).count(),
            });
        }
        res
    }

    /// How much of a name is of the question, from `ANY_NAME` to 1: `mergeHeaders` answers "merge headers" better than
    /// `mergeHeaderContainers`.
    fn likeness(&mut self, name: &str) -> f32 {
        let Self { words, scratch, .. } = self;
        let (mut parts, mut known, mut is_whole) = (0_u16, 0_u16, false);
        terms_of(name, scratch, |term, of_all| {
            let is_known = words.forms.contains_key(term);
            is_whole |= of_all && is_known;
            parts += u16::from(!of_all);
            known += u16::from(!of_all && is_known);
        });
        if is_whole || parts == 0 {
            return 1.0;
        }
        ANY_NAME + (1.0 - ANY_NAME) * f32::from(known) / f32::from(parts)
    }

    /// Share of the question's weight that the words of some texts have.
    fn share(&mut self, texts: &[&'t str]) -> f32 {
        let mut met = vec![0.0_f32; self.words.weights.len()];
        texts.iter().for_each(|it| self.read(it, &mut met));
        met.iter().zip(&self.words.weights).map(|(degree, weight)| degree * weight).sum()
    }

    /// Adds the words of a text: for each word of the question, how much of it was met.
    fn read(&mut self, text: &'t str, met: &mut [f32]) {
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
