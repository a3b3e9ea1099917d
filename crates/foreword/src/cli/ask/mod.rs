//! `foreword ask`: evidence for a question, with citations, or a chat model's answer from it.

mod before;
mod link;

use std::io::Read as _;
use std::time::{Duration, Instant};

use foreword_engine::ask::{
    AskRequest, EvidenceItem, EvidenceSet, QuestionKind, gather, lacks_information, passages,
};
use foreword_model::ask::{Call, Contents, Conversation, Help, Progress, ReadElsewhere, converse};
use foreword_model::embed::EmbedderSettings;
use foreword_session::answer::tokens;
use foreword_session::ask::intent::{NO_QUESTION, is_courtesy, is_greeting};
use foreword_session::ask::model::ChatModel;
use foreword_session::ask::output::{AnswerOutput, AskOutput, evidence};
use foreword_session::ask::reading::{Look, lines, reading};
use foreword_session::ask::sources::{follow_up, sources};
use foreword_session::ask::verdict::missing;
use foreword_session::backend::ChatSettings;
use foreword_session::custom::Adjustments;
use foreword_session::feedback::{About, Place, ShownAnswer, ShownPiece};
use foreword_session::filter::Filter;
use foreword_session::setup::Setup;
use foreword_session::tools::EvidenceId;
use foreword_session::usage::check_length;

use super::args::{AskArgs, LinkTarget};
use super::config::Settings;
use super::output::{DIM, GOOD, NAME};
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, embed as embedding, output, search, usage};
use before::EarlierAnswer;
use link::Links;

/// Maximum bytes read from stdin: coverage reports can be long.
const MAX_STDIN: u64 = 16 << 20;

pub(super) fn run(args: &AskArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let (question, setup) = (CliQuestion::new(args)?, settings.setup());
    let embedder = settings.embedder()?;
    let filter = search::filter_of((&args.path, &args.lang, &[]), &args.on, settings)?;
    if args.on.cluster.is_some() {
        return on_cluster(args, &question, &filter, settings);
    }
    let chat = settings.chat()?.filter(|_| !args.evidence && !args.without_model);
    let model = chat.as_ref().and_then(|it| connect(it, args.tokens));
    let tokens = model.as_ref().map_or(args.tokens, |it| it.evidence_tokens);
    let (opened, (gathered, notes, additions, took)) =
        workspace::answer(settings, None, |opened| {
            let start = Instant::now();
            search::check_filter(&filter, &opened.snapshot)?;
            let adjustments = opened.adjustments(&setup, &args.tags.tag)?;
            let models = (embedder.as_ref(), model.as_ref());
            let (gathered, notes) =
                question.gather(opened, tokens, &filter, &adjustments, models)?;
            Ok((gathered, notes, adjustments.additions, start.elapsed()))
        })?;
    workspace::remark_additions(settings, &additions);
    shown_answer(&question.text, &gathered.evidence, &[]).remember(&setup, &opened.workspace);
    let missing = missing(&opened.snapshot, &gathered);
    notes.iter().for_each(|it| output::note(&format!("no help from the model: {it}")));
    let customisation = additions.digest.clone();
    let found = FoundEvidence {
        opened: &opened,
        read: None,
        customisation,
        gathered,
        missing,
        notes,
        took,
    };
    found.answered(args, &question, model.as_ref(), &setup)
}

/// The evidence from a cluster, or a chat model's answer from it. A model that helps before the answer is not asked there.
fn on_cluster(
    args: &AskArgs,
    question: &CliQuestion,
    filter: &Filter,
    settings: &Settings,
) -> anyhow::Result<Outcome> {
    let setup = settings.setup();
    let chat = settings.chat()?.filter(|_| !args.evidence && !args.without_model);
    let model = chat.as_ref().and_then(|it| connect(it, args.tokens));
    let tokens = model.as_ref().map_or(args.tokens, |it| it.evidence_tokens);
    let make = |opened: OpenWorkspace| {
        let start = Instant::now();
        search::check_filter(filter, &opened.snapshot)?;
        let adjustments = opened.adjustments(&setup, &args.tags.tag)?;
        let (gathered, _) = question.gather(&opened, tokens, filter, &adjustments, (None, None))?;
        missing(&opened.snapshot, &gathered);
        Ok((opened, gathered, adjustments.additions, start.elapsed()))
    };
    workspace::answer_and_read(settings, &args.on, None, make, |made, read| {
        let (opened, gathered, additions, took) = made;
        workspace::remark_additions(settings, &additions);
        let found = FoundEvidence {
            missing: missing(&opened.snapshot, &gathered),
            opened: &opened,
            read: Some(read),
            customisation: additions.digest.clone(),
            gathered,
            notes: Vec::new(),
            took,
        };
        found.answered(args, question, model.as_ref(), &setup)
    })
}

/// The evidence as a record for feedback.
fn shown_answer(question: &str, items: &[EvidenceItem], cited: &[u32]) -> ShownAnswer {
    let piece = |it: &EvidenceItem| ShownPiece {
        id: EvidenceId::of(&it.path, &it.bytes, &it.text).to_string(),
        place: Place {
            path: it.path.clone(),
            start_line: it.start_line,
            end_line: it.end_line,
            symbol: if it.kind.is_some() { it.symbol.clone() } else { String::new() },
        },
    };
    ShownAnswer {
        about: About::Ask,
        question: question.to_owned(),
        pieces: items.iter().map(piece).collect(),
        cited: cited.iter().map(|it| *it as usize).collect(),
    }
}

/// Connects to the chat model; on failure prints a note.
fn connect(settings: &ChatSettings, tokens: usize) -> Option<ChatModel> {
    match foreword_model::wait(ChatModel::connect(settings, tokens)) {
        Ok(model) => Some(model),
        Err(error) => {
            output::note(&format!("{error}; showing the evidence instead"));
            None
        }
    }
}

/// A question from the command line.
struct CliQuestion {
    text: String,
    pasted: String,
    before: Option<EarlierAnswer>,
}

impl CliQuestion {
    fn new(args: &AskArgs) -> anyhow::Result<Self> {
        let text = args.question.join(" ");
        let pasted = if args.stdin { stdin()? } else { String::new() };
        if text.trim().is_empty() && pasted.trim().is_empty() {
            return Err(usage(
                "ask: no question; give one, or pipe a traceback or compiler output into `foreword ask --stdin`",
            ));
        }
        check_length("the question", &text)?;
        let before = args.after.as_deref().map(EarlierAnswer::read).transpose()?;
        Ok(Self { text, pasted, before })
    }

    /// The search query: a follow-up question includes words of the previous one.
    fn search_query(&self) -> String {
        let before = self.before.as_ref().map_or("", |it| it.question.as_str());
        follow_up(&self.text, before)
    }

    fn gather(
        &self,
        opened: &OpenWorkspace,
        tokens: usize,
        filter: &Filter,
        adjustments: &Adjustments,
        (embedder, model): (Option<&EmbedderSettings>, Option<&ChatModel>),
    ) -> anyhow::Result<(EvidenceSet, Vec<String>)> {
        let (snapshot, searched) = (&opened.snapshot, self.search_query());
        let meaning = embedding::meaning(embedder, opened, &searched);
        let request = AskRequest {
            meanings: meaning.meanings(),
            question: &searched,
            pasted: &self.pasted,
            repository: &opened.workspace.name,
            tokens,
            earlier: self.before.as_ref().map_or(&[], |it| &it.places),
            ..AskRequest::default()
        };
        let counter = tokens::general()?;
        adjustments.apply(&request, snapshot, filter, |request| {
            let help = match model.filter(|it| it.helps()) {
                Some(model) => {
                    let passages = passages(snapshot, &request);
                    foreword_model::wait(model.help(snapshot, &searched, &passages))
                }
                None => Help::default(),
            };
            let request = AskRequest { written: &help.written, order: &help.order, ..request };
            let gathered = gather(snapshot, &request, &|text| counter.count(text));
            Ok((gathered, help.notes))
        })
    }
}

/// The evidence for a question.
struct FoundEvidence<'o> {
    opened: &'o OpenWorkspace,
    /// Reads on, where the repository is on a cluster.
    read: Option<ReadElsewhere<'o>>,
    /// Identifies the state of the team's and user's customisation.
    customisation: String,
    gathered: EvidenceSet,
    missing: Option<String>,
    /// Failures of helping models.
    notes: Vec<String>,
    took: Duration,
}

impl FoundEvidence<'_> {
    /// Lets the model answer, if there is one; prints the evidence if it does not.
    fn answered(
        &self,
        args: &AskArgs,
        question: &CliQuestion,
        model: Option<&ChatModel>,
        setup: &Setup,
    ) -> anyhow::Result<Outcome> {
        if let Some(model) = model {
            match answer(args, question, self, model, setup) {
                Ok(outcome) => return Ok(outcome),
                Err(error) => output::note(&format!("{error}; showing the evidence instead")),
            }
        }
        self.print(args, question)
    }

    /// Prints the evidence without a model's answer.
    fn print(&self, args: &AskArgs, question: &CliQuestion) -> anyhow::Result<Outcome> {
        let evidence = &self.gathered.evidence;
        let is_about_nothing = question.pasted.is_empty()
            && is_greeting(&question.text)
            && !self.gathered.kinds.contains(&QuestionKind::Symbol);
        if is_about_nothing && !args.json && !args.evidence {
            output::text(NO_QUESTION)?;
            return Ok(Outcome::Nothing);
        }
        if args.json {
            output::json(&self.json(question, evidence, None))?;
        } else if args.evidence {
            output::text(&texts(evidence, args, self.opened))?;
        } else {
            output::text(&list(&self.gathered, args, self.opened))?;
        }
        Ok(if self.gathered.is_absent() { Outcome::Nothing } else { Outcome::Done })
    }

    /// The conversation for the model; a greeting needs no evidence.
    fn conversation(&self, question: &CliQuestion) -> Conversation<'_> {
        let mut res = Conversation {
            contents: self.read.map_or(Contents::Here(&self.opened.snapshot), Contents::Elsewhere),
            repository: self.opened.workspace.name.clone(),
            question: question.text.clone(),
            pasted: question.pasted.clone(),
            earlier: question.before.as_ref().map(EarlierAnswer::messages).unwrap_or_default(),
            gathered: self.gathered.clone(),
            missing: self.missing.clone(),
        };
        if question.pasted.is_empty() && is_courtesy(&question.text) {
            res.gathered.evidence.clear();
            res.missing = None;
        }
        res
    }

    fn json<'a>(
        &'a self,
        question: &'a CliQuestion,
        items: &'a [EvidenceItem],
        answer: Option<AnswerOutput<'a>>,
    ) -> AskOutput<'a> {
        let Self { opened, customisation, gathered, missing, notes, took, .. } = self;
        let mut res = AskOutput::new(&opened.snapshot, &question.text, gathered);
        res.complete &= opened.unread.is_none();
        res.answered_from = opened.answered_from;
        res.customisation = customisation;
        res.missing = missing.as_deref();
        res.notes = notes;
        res.answer = answer;
        res.evidence = evidence(items);
        res.elapsed_ms = (opened.took + *took).as_secs_f64() * 1e3;
        res
    }
}

/// Lets the model answer; prints text line by line as it is verified.
fn answer(
    args: &AskArgs,
    question: &CliQuestion,
    found: &FoundEvidence<'_>,
    model: &ChatModel,
    setup: &Setup,
) -> anyhow::Result<Outcome> {
    let conversation = found.conversation(question);
    let is_shown = !args.json;
    let mut watch = |it: Progress<'_>| match it {
        // Ignores a broken pipe here; printing the sources reports it.
        Progress::Text(text) if is_shown => drop(output::text(&output::plain(text))),
        Progress::Call(call, _) if is_shown => output::note(&call_line(call)),
        _ => {}
    };
    let answer =
        foreword_model::wait(converse(&model.server, &conversation, model.limits, &mut watch))?;
    if found.opened.pushed.is_none() {
        shown_answer(&question.text, &answer.evidence, &answer.cited)
            .remember(setup, &found.opened.workspace);
    }
    if args.json {
        let by = model.name();
        output::json(&found.json(
            question,
            &answer.evidence,
            Some(AnswerOutput::new(by, &answer)),
        ))?;
    } else {
        let links = links(args, found.opened);
        let sources = sources(&answer.evidence, &answer.cited, &|it| place(it, &links));
        output::text(&format!("\n{sources}"))?;
        if lacks_information(&answer.text) {
            output::text(&list(&found.gathered, args, found.opened))?;
        }
    }
    let is_nothing = answer.text.trim().is_empty();
    Ok(if is_nothing { Outcome::Nothing } else { Outcome::Done })
}

/// A tool call on one line: the request, and the evidence numbers or the error.
fn call_line(call: &Call) -> String {
    let numbers: String = call.evidence.iter().map(|it| format!("[{it}]")).collect();
    let given = call.error.as_deref().unwrap_or(&numbers);
    output::plain(&format!("{} {}: {given}", call.tool, call.arguments)).replace('\n', " ")
}

/// Reads stdin up to a limit.
fn stdin() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().take(MAX_STDIN).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The reading list.
fn list(gathered: &EvidenceSet, args: &AskArgs, opened: &OpenWorkspace) -> String {
    let links = links(args, opened);
    let place = |it: &EvidenceItem| place(it, &links);
    let look = Look {
        place: &place,
        strong: &|text| format!("{GOOD}{text}{GOOD:#}"),
        faint: &|text| format!("{DIM}{text}{DIM:#}"),
        plain: &output::plain,
    };
    reading(&opened.snapshot, gathered, &look)
}

/// Links to the files, where they are on this machine.
fn links(args: &AskArgs, opened: &OpenWorkspace) -> Links {
    let target = if opened.pushed.is_some() { LinkTarget::Never } else { args.links };
    Links::new(target, &opened.workspace)
}

/// `path:start-end`, with a link if the terminal supports it.
fn place(it: &EvidenceItem, links: &Links) -> String {
    let lines = lines(it);
    let shown = format!("{NAME}{}:{lines}{NAME:#}", output::path(&it.path));
    links.linked(&it.path, it.start_line, &shown)
}

/// All pieces with reasons and text.
fn texts(items: &[EvidenceItem], args: &AskArgs, opened: &OpenWorkspace) -> String {
    let links = links(args, opened);
    let mut text = String::new();
    for (at, it) in items.iter().enumerate() {
        let why: Vec<String> = it.why.iter().map(ToString::to_string).collect();
        let (place, role) = (place(it, &links), it.role.name());
        let symbol = output::plain(&it.symbol);
        text.push_str(&format!("[{}] {place}  {role}  {symbol}\n", at + 1));
        text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(&why.join("; "))));
        for line in output::plain(&it.text).lines() {
            text.push_str(&format!("    {line}\n"));
        }
        text.push('\n');
    }
    text
}
