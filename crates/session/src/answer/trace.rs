//! The explanation of a composed prompt, as data. docs/inspector.md describes its fields.

mod candidate;
#[cfg(test)]
mod tests;

use foreword_chunk::{LineIndex, Span};
use foreword_engine::compose::Prompt;
use foreword_engine::evidence::Signal;
use foreword_engine::pipeline::{CursorRetrieval, Ranking};
use foreword_engine::preset::Preset;
use foreword_engine::trim::Count;
use serde::Serialize;

use super::prompt::{PromptRequest, PromptRun, StageTime};
use super::tokens;

pub use candidate::{DroppedCandidate, Piece};

/// The explanation of one composed context.
#[derive(Clone, Debug, Serialize)]
pub struct Trace {
    /// Version of these fields.
    pub version: u32,
    /// The name of the repository.
    pub repository: String,
    /// The id of the snapshot.
    pub snapshot: String,
    /// Whether all of the repository was indexed.
    pub complete: bool,
    /// Whether the index was up to date with the disk; `false` for a door that does not wait.
    pub fresh: bool,
    /// The file of the cursor.
    pub path: String,
    /// Its language.
    pub language: Option<&'static str>,
    /// The line of the cursor, from 1.
    pub line: usize,
    /// The column of the cursor, from 1, in characters.
    pub column: usize,
    /// The settings in force.
    pub settings: Settings,
    /// The tokens of the prompt.
    pub budget: TokenUsage,
    /// The parts of the prompt, which is their texts joined.
    pub segments: Vec<Segment>,
    /// Strings at which a completion ends.
    pub stop: Vec<String>,
    /// The lines of the file in the prompt.
    pub window: VisibleLines,
    /// What was done in other files.
    pub session: Session,
    /// The words and names looked for.
    pub query: Query,
    /// The ranked list of each signal.
    pub lists: Vec<List>,
    /// In the order of the prompt.
    pub pieces: Vec<Piece>,
    /// Best first.
    pub dropped: Vec<DroppedCandidate>,
    /// Notes for the reader.
    pub notes: Vec<String>,
    /// In order of time.
    pub stages: Vec<StageTime>,
}

/// Settings of a prompt.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// The name of the prompt format.
    pub format: &'static str,
    /// Token budget of the prompt.
    pub budget: usize,
    /// The weight of each signal.
    pub weights: Vec<Weight>,
    /// Identifies all settings of the ranking.
    pub fingerprint: String,
}

/// Weight of a signal; 0 omits it.
#[derive(Clone, Debug, Serialize)]
pub struct Weight {
    /// The name of the signal.
    pub signal: &'static str,
    /// Its weight.
    pub weight: f32,
}

/// Tokens. `used` is `segments` + `seams` + `added`.
#[derive(Clone, Debug, Serialize)]
pub struct TokenUsage {
    /// The budget.
    pub total: usize,
    /// Tokens of the prompt.
    pub used: usize,
    /// Tokens of the text around the cursor and of the format itself.
    pub around: usize,
    /// Tokens of the pieces.
    pub pieces: usize,
    /// Sum over the segments, each counted alone.
    pub segments: usize,
    /// Difference between the prompt and its segments: a token can span a boundary.
    pub(crate) seams: i64,
    /// Tokens added by a server.
    pub added: usize,
    /// How tokens are counted.
    pub counted_by: String,
}

/// A part of the prompt.
#[derive(Clone, Debug, Serialize)]
pub struct Segment {
    /// `sentinel`, `header`, `piece`, `prefix` or `suffix`.
    pub source: &'static str,
    /// Index of its piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<usize>,
    /// The text.
    pub text: String,
    /// Tokens of the text.
    pub tokens: usize,
}

/// Lines of the cursor's file in the prompt.
#[derive(Clone, Debug, Serialize)]
pub struct VisibleLines {
    /// Number of lines of the file.
    pub lines: u32,
    /// First and last line of each shown part.
    pub shown: Vec<(u32, u32)>,
    /// First and last line of each edit since the file was indexed.
    pub changed: Vec<(u32, u32)>,
    /// First and last line of each difference to the last commit, saved or not.
    pub(crate) since_commit: Vec<(u32, u32)>,
}

/// What was done in other files, and its share of the prompt.
#[derive(Clone, Debug, Serialize)]
pub struct Session {
    /// Files that were edited or looked at, the latest first.
    pub files: Vec<SessionFile>,
    /// Lines that were edited in them, the latest first.
    pub edited: Vec<String>,
    /// Tokens of the pieces from these files.
    pub tokens: usize,
}

/// A file of the session.
#[derive(Clone, Debug, Serialize)]
pub struct SessionFile {
    /// The file, relative to the root.
    pub path: String,
    /// The lines that were edited or looked at, from 1, the latest first.
    pub lines: Vec<u32>,
}

/// The words and names of the query.
#[derive(Clone, Debug, Serialize)]
pub struct Query {
    /// Words, by weight in the query.
    pub terms: Vec<Term>,
    /// Names, by weight.
    pub names: Vec<Name>,
}

/// A word, in lower case.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    pub(crate) term: String,
    /// Weight by its distance from the cursor.
    pub weight: f32,
    /// The weight times the rarity of the word; `None` if the repository does not have it.
    pub worth: Option<f32>,
}

/// A name near the cursor.
#[derive(Clone, Debug, Serialize)]
pub struct Name {
    /// The name.
    pub name: String,
    /// Its weight in the query.
    pub weight: f32,
    /// Distance from the cursor, in lines.
    pub(crate) distance: u32,
}

/// The list of one signal.
#[derive(Clone, Debug, Serialize)]
pub struct List {
    /// The name of the signal.
    pub signal: &'static str,
    pub(crate) hits: usize,
}

impl Trace {
    /// Explains a run. The caller may add stages and notes.
    pub fn new(request: &PromptRequest<'_>, run: &PromptRun<'_>) -> Self {
        let PromptRequest { repository, snapshot, cursor, preset, format, counter, .. } = *request;
        let PromptRun { answer, retrieval, .. } = run;
        let ranking = &retrieval.ranking;
        let count = |text: &str| counter.count(text);
        let segments = segments(&answer.prompt, &count);
        let counted: usize = segments.iter().map(|it| it.tokens).sum();
        let prefix = cursor.prefix();
        let (pieces, dropped) = candidate::outcomes(run);
        Self {
            version: 1,
            repository: repository.to_owned(),
            // The snapshot without the unsaved text, whose id other answers have, too.
            snapshot: snapshot.id().to_owned(),
            complete: snapshot.is_complete(),
            fresh: request.is_fresh,
            path: cursor.path().to_owned(),
            language: retrieval.scope.language.map(foreword_chunk::Language::name),
            line: prefix.matches('\n').count() + 1,
            column: prefix.rsplit('\n').next().unwrap_or("").chars().count() + 1,
            settings: settings(format.name, preset, counter.added()),
            budget: TokenUsage {
                total: preset.budget.total + counter.added(),
                used: answer.tokens + counter.added(),
                around: answer.base_tokens,
                pieces: answer.tokens - answer.base_tokens.min(answer.tokens),
                segments: counted,
                seams: answer.tokens as i64 - counted as i64,
                added: counter.added(),
                counted_by: tokens::accuracy(counter),
            },
            segments,
            stop: answer.prompt.stop.clone(),
            window: visible(retrieval),
            session: session(request, run),
            query: query(ranking),
            lists: ranking.lists.iter().map(list).collect(),
            pieces,
            dropped,
            notes: run.skipped_note().into_iter().collect(),
            stages: run.stages.clone(),
        }
    }
}

fn settings(format: &'static str, preset: &Preset, added: usize) -> Settings {
    let weight = |it: Signal| Weight { signal: it.name(), weight: preset.fuse.weights[it] };
    Settings {
        format,
        budget: preset.budget.total + added,
        weights: Signal::ALL.map(weight).to_vec(),
        fingerprint: preset.fingerprint(),
    }
}

fn segments(prompt: &Prompt, count: Count<'_>) -> Vec<Segment> {
    let segment = |it: &foreword_engine::compose::Segment| {
        let text = &prompt.text[it.range.clone()];
        let piece = match it.origin {
            foreword_engine::compose::Origin::Part(idx) => Some(idx),
            _ => None,
        };
        Segment { source: it.origin.name(), piece, text: text.to_owned(), tokens: count(text) }
    };
    prompt.segments.iter().map(segment).collect()
}

fn visible(retrieval: &CursorRetrieval<'_>) -> VisibleLines {
    let lines = LineIndex::new(retrieval.cursor.text().as_bytes());
    let of = |it: &std::ops::Range<usize>| lines.lines_of(Span::new(it.start, it.end));
    VisibleLines {
        lines: lines.line_of(retrieval.cursor.text().len()),
        shown: retrieval.window.visible.iter().map(of).collect(),
        changed: retrieval.scope.changed.iter().map(of).collect(),
        since_commit: retrieval.scope.since_commit.iter().map(of).collect(),
    }
}

fn session(request: &PromptRequest<'_>, run: &PromptRun<'_>) -> Session {
    let PromptRequest { cursor, activity, .. } = *request;
    let lines = |path: &str| {
        let visited = activity.visited.iter().filter(|it| it.0 == path);
        visited.map(|it| it.1).collect()
    };
    let file = |it: &String| SessionFile { path: it.clone(), lines: lines(it) };
    let files: Vec<SessionFile> = cursor.recent().iter().map(file).collect();
    let pieces = run.answer.selection.pieces.iter();
    let of_session = pieces.filter(|it| files.iter().any(|file| file.path == it.path));
    let tokens = of_session.map(|it| it.tokens).sum();
    Session { files, edited: activity.edited.clone(), tokens }
}

fn query(ranking: &Ranking) -> Query {
    let worth = |term: &str| ranking.weighed.weights().find(|it| it.0 == term).map(|it| it.1);
    let term = |it: &foreword_engine::index::bm25::WeightedTerm| Term {
        term: it.term.clone(),
        weight: it.weight,
        worth: worth(&it.term),
    };
    let name = |it: &foreword_engine::retrieve::Name| Name {
        name: it.name.clone(),
        weight: it.weight,
        distance: it.distance,
    };
    // A name with several spellings is looked up for each; the first has the largest weight.
    let mut names: Vec<Name> = Vec::new();
    for it in &ranking.query.names {
        if !names.iter().any(|other| other.name == it.name) {
            names.push(name(it));
        }
    }
    Query { terms: ranking.query.terms.iter().map(term).collect(), names }
}

fn list(it: &foreword_engine::retrieve::RankedList) -> List {
    List { signal: it.signal.name(), hits: it.hits.len() }
}
