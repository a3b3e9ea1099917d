//! The stages with a chat model: its help before the evidence is gathered, and its answer.

use std::time::{Duration, Instant};

use anyhow::Result;
use foreword_engine::ask::{AskRequest, EvidenceSet, Verifier, gather, passages};
use foreword_engine::index::Snapshot;
use foreword_model::ask::{
    AnswerLimits, Contents, Conversation, HelpModels, HelpSettings, converse, help,
};
use foreword_model::http::{Api, Server};
use foreword_model::{TokenCounter, wait};
use serde::Serialize;

use super::outcome::{FoundShare, Gold, places_of};

/// A chat model and its tasks.
pub struct ChatSettings {
    /// The server.
    pub url: String,
    /// Its protocol, by name; detected by default.
    pub api: Option<String>,
    /// The model; the server's own by default.
    pub model: Option<String>,
    /// The API key.
    pub key: Option<String>,
    /// The model's help before the answer.
    pub help: HelpSettings,
    /// Whether the model also answers.
    pub answers: bool,
    /// Timeout of an answer.
    pub timeout: Duration,
}

/// A connected model.
pub struct ChatStage {
    server: Server,
    settings: ChatSettings,
}

/// The model's results for one question.
#[derive(Clone, Debug, Serialize)]
pub struct ChatOutcome {
    /// The evidence gathered with its help.
    pub(crate) helped: FoundShare,
    /// Unusable parts of its help.
    pub(crate) notes: Vec<String>,
    /// Cited evidence; `None` without an answer.
    pub(crate) cited: Option<FoundShare>,
    /// Number of citations of the answer, and of its marked errors.
    pub(crate) citations: [usize; 2],
    /// Number of wrong citations without a mark.
    pub(crate) unmarked: usize,
    /// Why the answer is missing.
    pub(crate) error: Option<String>,
    /// Milliseconds of its help, and of its answer.
    pub(crate) milliseconds: [f64; 2],
}

impl ChatStage {
    /// Connects.
    pub fn connect(settings: ChatSettings) -> Result<Self> {
        let api = settings.api.as_deref().and_then(Api::named);
        let (model, key) = (settings.model.as_deref(), settings.key.clone());
        let server = wait(Server::connect(&settings.url, api, model, key))?;
        Ok(Self { server, settings })
    }

    /// Runs the model's help and answer.
    pub(super) fn ask(
        &self,
        snapshot: &Snapshot,
        request: &AskRequest<'_>,
        gold: &Gold<'_>,
    ) -> ChatOutcome {
        let counter = TokenCounter::general();
        let start = Instant::now();
        let found = passages(snapshot, request);
        let models = HelpModels { writer: &self.server, reranker: &self.server };
        let given = wait(help(models, &self.settings.help, snapshot, request.question, &found));
        let helped = start.elapsed().as_secs_f64() * 1e3;
        let request = AskRequest { written: &given.written, order: &given.order, ..*request };
        let gathered = gather(snapshot, &request, &|text| counter.count(text));
        let mut outcome = ChatOutcome {
            helped: gold.overlap(&places_of(&gathered.evidence)),
            notes: given.notes,
            cited: None,
            citations: [0, 0],
            unmarked: 0,
            error: None,
            milliseconds: [helped, 0.0],
        };
        if self.settings.answers {
            self.answer(snapshot, &request, gathered, gold, &mut outcome);
        }
        outcome
    }

    fn answer(
        &self,
        snapshot: &Snapshot,
        request: &AskRequest<'_>,
        gathered: EvidenceSet,
        gold: &Gold<'_>,
        outcome: &mut ChatOutcome,
    ) {
        let conversation = Conversation {
            contents: Contents::Here(snapshot),
            repository: request.repository.to_owned(),
            question: request.question.to_owned(),
            pasted: request.pasted.to_owned(),
            earlier: Vec::new(),
            gathered,
            missing: None,
        };
        let limits = AnswerLimits {
            max_tokens: 1_024,
            timeout: self.settings.timeout,
            more_tokens: request.tokens,
        };
        let start = Instant::now();
        match wait(converse(&self.server, &conversation, limits, &mut |_| {})) {
            Ok(answer) => {
                let of = |n: &u32| answer.evidence.get((*n as usize).checked_sub(1)?);
                let cited: Vec<_> = answer.cited.iter().filter_map(of).cloned().collect();
                outcome.unmarked = answer.cited.len() - cited.len();
                outcome.unmarked += unmarked(snapshot, &answer.evidence, &answer.text);
                outcome.citations = [answer.cited.len(), answer.problems.len()];
                outcome.cited = Some(gold.overlap(&places_of(&cited)));
            }
            Err(error) => outcome.error = Some(error.to_string()),
        }
        outcome.milliseconds[1] = start.elapsed().as_secs_f64() * 1e3;
    }
}

/// Wrong lines of an answer that have no mark.
fn unmarked(
    snapshot: &Snapshot,
    evidence: &[foreword_engine::ask::EvidenceItem],
    text: &str,
) -> usize {
    let mut verifier = Verifier::new(snapshot, evidence);
    let is_wrong = |line: &&str| !verifier.line(line).problems.is_empty() && !line.contains('⚠');
    text.lines().filter(is_wrong).count()
}
