//! Learns a map of questions for a repository (`foreword_engine::dense::query_map`): from questions whose answers somebody voted
//! for, and from doc comments with their definitions.
//!
//! What is not yet known of these texts is embedded, batch by batch and kept, at most 500 questions of feedback and, where doc
//! comments are wanted, 500 of them with their definitions.

use foreword_engine::dense::query_map::{MOST_PAIRS, Pair, PairSource, Report, learn as learn_map};
use foreword_engine::feedback::FeedbackPair;
use foreword_engine::index::{
    DocPair, LearnedMap, PairDigest, Snapshot, TextKey, VectorStore, VectorWriter, Vectors,
    chunk_texts, doc_pairs,
};

use super::embedder::Embedder;
use super::fill::FillError;

/// From what a map is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LearnFrom {
    /// From doc comments: each is sent with its definition.
    pub docs: bool,
    /// From votes: the questions are sent once more.
    pub feedback: bool,
}

impl LearnFrom {
    /// Whether a map is wanted at all.
    pub fn is_any(self) -> bool {
        self.docs || self.feedback
    }

    /// Whether a map that was learned from this may be used.
    pub fn allows(self, report: &Report) -> bool {
        (self.docs || report.docs == 0) && (self.feedback || report.feedback == 0)
    }
}

/// Pairs of each kind at the most.
pub const MOST_OF_KIND: usize = MOST_PAIRS / 2;

/// Texts that are sent at a time.
const BATCH: usize = 16;

/// Chunks among which the answer of a question is looked for, to see whether a map helps.
const OTHERS: usize = 1000;

/// What a doc comment counts, of 1 for a person's word on a question: the first are cheap and many.
const DOC_WEIGHT: f32 = 0.3;

/// What a map is learned from.
pub struct Lessons {
    docs: Vec<DocPair>,
    feedback: Vec<FeedbackPair>,
    /// The texts of the chunks of `feedback`.
    answers: Vec<TextKey>,
}

impl Lessons {
    /// Those of a repository; `feedback` counts only where votes are wanted.
    pub fn new(snapshot: &Snapshot, feedback: Vec<FeedbackPair>, from: LearnFrom) -> Self {
        let docs = if from.docs { doc_pairs(snapshot, MOST_OF_KIND) } else { Vec::new() };
        let mut feedback = if from.feedback { feedback } else { Vec::new() };
        feedback.truncate(MOST_OF_KIND);
        let answer = |it: &FeedbackPair| {
            let text = chunk_texts(snapshot, it.chunk.file).swap_remove(it.chunk.idx as usize);
            TextKey::of(&text)
        };
        let answers = feedback.iter().map(answer).collect();
        Self { docs, feedback, answers }
    }

    /// The texts that have to be embedded: questions, then definitions.
    fn texts(&self) -> [Vec<&str>; 2] {
        let asked = self.feedback.iter().map(|it| it.question.as_str());
        let documented = self.docs.iter().map(|it| it.question.as_str());
        let definitions = self.docs.iter().map(|it| it.text.as_str());
        [asked.chain(documented).collect(), definitions.collect()]
    }

    /// How many texts would be sent, and how many characters they have, where vectors of `store` are known already.
    pub fn unknown(&self, store: &VectorStore) -> (usize, usize) {
        let known = store.pairs().load();
        let [questions, definitions] = self.texts();
        let questions = questions.into_iter().map(|it| (question_key(it), it));
        let all = questions.chain(definitions.into_iter().map(|it| (TextKey::of(it), it)));
        let new = all.filter(|it| known.of_text(it.0).is_none());
        new.fold((0, 0), |(n, sum), it| (n + 1, sum + it.1.chars().count()))
    }

    /// What was learned of the same pairs before, beside the vectors of `store`.
    pub fn learned(&self, store: &VectorStore) -> Option<Report> {
        let known = store.load_map(&store.load())?;
        (known.digest == self.digest()).then_some(known.report)
    }

    fn digest(&self) -> PairDigest {
        let votes = self.feedback.iter().zip(&self.answers);
        let votes = votes.map(|(it, answer)| (question_key(&it.question), *answer, it.weight));
        let docs = self.docs.iter();
        let docs = docs.map(|it| (question_key(&it.question), TextKey::of(&it.text), DOC_WEIGHT));
        PairDigest::of(votes.chain(docs))
    }

    /// The pairs that have vectors; doc comments come last.
    fn pairs(&self, snapshot: &Snapshot, chunks: &Vectors, known: &Vectors) -> Vec<Pair> {
        let question = |it: &str| known.of_text(question_key(it));
        let voted = self.feedback.iter().filter_map(|it| {
            Some(Pair {
                question: question(&it.question)?,
                target: chunks.of_chunk(snapshot, it.chunk)?,
                weight: it.weight,
                source: PairSource::Feedback,
                group: question_key(&it.question).number(),
            })
        });
        let documented = self.docs.iter().filter_map(|it| {
            Some(Pair {
                question: question(&it.question)?,
                target: known.of_text(TextKey::of(&it.text))?,
                weight: DOC_WEIGHT,
                source: PairSource::Doc,
                group: it.group,
            })
        });
        voted.chain(documented).collect()
    }
}

/// A question's vector is another one than that of the same text: it may have other words before it.
fn question_key(question: &str) -> TextKey {
    TextKey::of(&format!("question\0{question}"))
}

/// Learns a map beside the vectors of `store`. `None` while another process writes, where vectors are missing or are by
/// another model, or where `goes_on` said no; what was embedded is kept.
pub async fn learn(
    embedder: &Embedder,
    snapshot: &Snapshot,
    store: &VectorStore,
    lessons: &Lessons,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Report>, FillError> {
    let chunks = store.load();
    // What is learned from a part would be kept as if it were of all.
    if chunks.is_empty() || !chunks.coverage(snapshot).is_whole() {
        return Ok(None);
    }
    let probe = embedder.probe().await?;
    if !chunks.is_by(&probe) {
        return Ok(None);
    }
    let Some(mut writer) = store.pairs().try_write(&probe)? else { return Ok(None) };
    let [questions, definitions] = lessons.texts();
    let questions: Vec<(TextKey, String)> =
        questions.into_iter().map(|it| (question_key(it), embedder.as_question(it))).collect();
    let definitions: Vec<(TextKey, String)> =
        definitions.into_iter().map(|it| (TextKey::of(it), embedder.as_text(it))).collect();
    for texts in [questions, definitions] {
        if !embed(embedder, &mut writer, texts, goes_on).await? {
            return Ok(None);
        }
    }
    let pairs = lessons.pairs(snapshot, &chunks, &store.pairs().load());
    let (map, report) = learn_map(&pairs, &chunks.sample(snapshot, OTHERS));
    store.save_map(&LearnedMap { map, report, digest: lessons.digest() }, &probe)?;
    writer.finish(snapshot)?;
    Ok(Some(report))
}

/// Embeds the texts that have no vector; whether all was done.
async fn embed(
    embedder: &Embedder,
    writer: &mut VectorWriter,
    mut texts: Vec<(TextKey, String)>,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<bool, FillError> {
    texts.retain(|it| !writer.has(it.0));
    for batch in texts.chunks(BATCH) {
        if !goes_on() {
            return Ok(false);
        }
        let sent: Vec<String> = batch.iter().map(|it| it.1.clone()).collect();
        let vectors = embedder.prefixed(sent).await?;
        let named = batch.iter().map(|it| it.0).zip(vectors);
        let named: Vec<(TextKey, Vec<f32>)> =
            named.filter_map(|(key, vector)| Some((key, vector?))).collect();
        writer.append(&named)?;
    }
    Ok(true)
}
