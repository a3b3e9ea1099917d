//! The evidence for a question, in the form of `ask --json` (docs/json.md).

use foreword_engine::ask::{
    EvidenceItem, EvidenceSet, Problem, QuestionKind, Strength, WordStrength,
};
use foreword_engine::index::Snapshot;
use foreword_model::ask::{Call, ModelAnswer};
use serde::Serialize;
use serde_json::Value;

use super::reading::cited_lines;
use crate::tools::EvidenceId;

/// Version of the JSON of `ask`; increases when a field is removed or changes its meaning.
const VERSION: u32 = 1;

/// JSON of `ask --json`.
#[derive(Serialize)]
pub struct AskOutput<'a> {
    version: u32,
    snapshot: &'a str,
    /// True if the answer covers the whole repository.
    pub complete: bool,
    /// `cluster` for the first answers of a clone, which come from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_from: Option<&'static str>,
    /// Identifies the state of the team's and user's customisation.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub customisation: &'a str,
    question: &'a str,
    kinds: Vec<&'static str>,
    messages: &'a [String],
    strength: StrengthOutput<'a>,
    /// The thing that the repository seems to lack, in a sentence.
    pub missing: Option<&'a str>,
    /// Failures of helping models.
    pub notes: &'a [String],
    /// The chat model's answer, if one is configured.
    pub answer: Option<AnswerOutput<'a>>,
    /// The pieces.
    pub evidence: Vec<EvidenceOutput<'a>>,
    /// Time of the answer.
    pub elapsed_ms: f64,
}

impl<'a> AskOutput<'a> {
    /// The evidence alone.
    pub fn new(snapshot: &'a Snapshot, question: &'a str, gathered: &'a EvidenceSet) -> Self {
        Self {
            version: VERSION,
            snapshot: snapshot.id(),
            complete: snapshot.is_complete(),
            answered_from: None,
            customisation: "",
            question,
            kinds: kinds(&gathered.kinds),
            messages: &gathered.messages,
            strength: strength(&gathered.strength),
            missing: None,
            notes: &[],
            answer: None,
            evidence: evidence(&gathered.evidence),
            elapsed_ms: 0.0,
        }
    }
}

/// A piece of evidence.
#[derive(Serialize)]
pub struct EvidenceOutput<'e> {
    /// Its number in citations, from 1.
    n: usize,
    id: String,
    role: &'static str,
    path: &'e str,
    start_line: u32,
    end_line: u32,
    /// Lines in citations: those of the definition if the piece is an excerpt of it.
    cited_lines: (u32, u32),
    symbol: &'e str,
    kind: &'static str,
    signature: &'e str,
    summary: &'e str,
    key_lines: Vec<KeyLineOutput<'e>>,
    why: Vec<WhyOutput>,
    /// Its origin, if a team or the user added it.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceOutput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'e str>,
    tokens: usize,
    text: &'e str,
}

#[derive(Serialize)]
struct KeyLineOutput<'e> {
    line: u32,
    text: &'e str,
}

#[derive(Serialize)]
struct WhyOutput {
    code: &'static str,
    text: String,
}

/// Whether the evidence is sufficient, and what is missing.
#[derive(Serialize)]
pub struct StrengthOutput<'s> {
    score: f32,
    enough: bool,
    /// Words of the question that occur nowhere.
    absent: &'s [String],
    /// Words that occur, but not near the others.
    apart: &'s [String],
    words: Vec<WordOutput<'s>>,
}

#[derive(Serialize)]
struct WordOutput<'s> {
    word: &'s str,
    weight: f32,
    chunks: u32,
    common: bool,
    found: f32,
    /// The most significant kind of place in which the word occurs.
    stands: &'static str,
}

/// The answer of a chat model.
#[derive(Serialize)]
pub struct AnswerOutput<'a> {
    /// Name of the model.
    by: &'a str,
    text: &'a str,
    cited: &'a [u32],
    problems: Vec<ProblemOutput>,
    calls: Vec<CallOutput<'a>>,
    end: &'static str,
}

/// A call of a tool.
#[derive(Serialize)]
struct CallOutput<'a> {
    tool: &'a str,
    arguments: &'a Value,
    /// Numbers of the evidence that it returned.
    evidence: &'a [u32],
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// A problem of the answer.
#[derive(Serialize)]
struct ProblemOutput {
    code: &'static str,
    text: String,
}

impl<'a> AnswerOutput<'a> {
    /// Renders an answer by the model `by`.
    pub fn new(by: &'a str, it: &'a ModelAnswer) -> Self {
        let problem = |it: &Problem| ProblemOutput { code: it.code(), text: it.to_string() };
        Self {
            by,
            text: &it.text,
            cited: &it.cited,
            problems: it.problems.iter().map(problem).collect(),
            calls: it.calls.iter().map(call).collect(),
            end: it.end,
        }
    }
}

/// A tool call of a model, with the evidence that it returned.
#[derive(Serialize)]
pub struct CallWithEvidence<'a> {
    call: CallOutput<'a>,
    pieces: Vec<EvidenceOutput<'a>>,
}

impl<'a> CallWithEvidence<'a> {
    /// Finds the numbers of the evidence that a call returned.
    pub fn new(it: &'a Call, items: &'a [EvidenceItem]) -> Self {
        let numbers = it.evidence.iter().map(|it| *it as usize);
        let pieces = numbers.zip(items).map(|(n, it)| piece(n, it)).collect();
        Self { call: call(it), pieces }
    }
}

fn call(it: &Call) -> CallOutput<'_> {
    let Call { tool, arguments, evidence, error } = it;
    CallOutput { tool, arguments, evidence, error: error.as_deref() }
}

/// Origin of a piece.
#[derive(Serialize)]
struct SourceOutput {
    kind: &'static str,
    text: String,
}

/// The evidence with its numbers.
pub fn evidence(items: &[EvidenceItem]) -> Vec<EvidenceOutput<'_>> {
    items.iter().enumerate().map(|(at, it)| piece(at + 1, it)).collect()
}

fn piece(n: usize, it: &EvidenceItem) -> EvidenceOutput<'_> {
    let key_lines = it.key_lines.iter();
    let why = it.why.iter().map(|it| WhyOutput { code: it.code(), text: it.to_string() });
    EvidenceOutput {
        n,
        id: EvidenceId::of(&it.path, &it.bytes, &it.text).to_string(),
        role: it.role.name(),
        path: &it.path,
        start_line: it.start_line,
        end_line: it.end_line,
        cited_lines: cited_lines(it),
        symbol: &it.symbol,
        kind: it.kind.map_or("", foreword_chunk::Kind::name),
        signature: &it.signature,
        summary: &it.summary,
        key_lines: key_lines.map(|it| KeyLineOutput { line: it.line, text: &it.text }).collect(),
        why: why.collect(),
        source: it.source.as_ref().map(|it| SourceOutput { kind: it.name(), text: it.to_string() }),
        message: it.message.as_deref(),
        tokens: it.tokens,
        text: &it.text,
    }
}

/// The strength of the evidence.
pub fn strength(it: &Strength) -> StrengthOutput<'_> {
    StrengthOutput {
        score: it.score,
        enough: it.is_enough(),
        absent: &it.absent,
        apart: &it.scattered,
        words: it.words.iter().map(word).collect(),
    }
}

fn word(it: &WordStrength) -> WordOutput<'_> {
    WordOutput {
        word: &it.word,
        weight: it.weight,
        chunks: it.frequency,
        common: it.is_common,
        found: it.found,
        stands: it.occurrence.name(),
    }
}

/// The names of the kinds of a question.
pub fn kinds(kinds: &[QuestionKind]) -> Vec<&'static str> {
    kinds.iter().map(|it| it.name()).collect()
}
