//! Indexes the repositories of a set of questions.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use foreword_engine::dense::QuestionVector;
use foreword_engine::index::{Snapshot, VectorStore, Vectors};
use foreword_engine::retrieve::{self, Meanings};
use foreword_engine::search::SearchResult;
use foreword_model::embed::{Embedder, EmbedderSettings, fill};
use foreword_model::wait;
use rayon::prelude::*;

use crate::measures::lines::{LineSpan, first_hit};
use crate::tasks::corpus::exclude::blank_excluded;
use crate::tasks::corpus::{is_checked_out, snapshot_cut};
use crate::tasks::selection::{LeftOut, Selection, TaskBatch, TaskKind};
use crate::tasks::split::{Split, short_name};
use crate::tasks::task::{Relevant, Task};

/// The questions, and the location of the code.
#[derive(Clone, Debug)]
pub struct QuestionSource {
    /// The tasks.
    pub tasks: Selection,
    /// The directory with a checkout per repository, named by the last part of its name.
    pub corpora: PathBuf,
    /// The settings of the chunker.
    pub chunk: foreword_chunk::Config,
    /// An embedding model, and the directory of its vectors.
    pub embedder: Option<(EmbedderSettings, PathBuf)>,
}

/// An indexed repository with its questions.
pub(super) struct Repository {
    name: String,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) questions: Vec<Question>,
}

impl Repository {
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

pub(super) struct Question {
    pub(super) task: Task,
    /// The repository without the text that the task excludes, if any.
    pub(super) blanked: Option<Arc<Snapshot>>,
    pub(super) text: String,
    /// Relevant files, from the root of the snapshot.
    pub(super) gold: Vec<String>,
    /// Lines that answer by themselves: path, first, last.
    lines: Vec<(String, u32, u32)>,
    /// The question's vector, and those of the chunks.
    pub(super) embedded: Option<(QuestionVector, Arc<Vectors>)>,
}

/// Indexed repositories with their questions, to be run with any preset.
pub struct QuestionSet {
    pub(super) data: String,
    pub(super) split: Split,
    /// In the order of the file.
    pub(super) repositories: Vec<Repository>,
    pub(super) left_out: LeftOut,
    /// Relevant files that no snapshot contains, as `repository path`: they cannot be found.
    pub(super) missing: Vec<String>,
}

const QUESTIONS: TaskKind =
    TaskKind { name: "nl2file", matches: |it| it.task == "nl2file", has_corpus: None };

/// Reads the tasks and indexes their repositories.
pub fn prepare(source: &QuestionSource) -> Result<QuestionSet> {
    let is_present = |it: &Task| is_checked_out(&source.root(it));
    let TaskBatch { data, split, repositories, mut left_out } =
        source.tasks.read(&QUESTIONS, is_present)?;
    let index = |(name, tasks): (String, Vec<Task>)| source.index(name, tasks);
    let indexed: Vec<Result<(Repository, Vec<String>)>> =
        repositories.into_par_iter().map(index).collect();
    let mut repositories = Vec::new();
    for it in indexed {
        let (repository, mut failed) = it?;
        repositories.push(repository);
        left_out.failed.append(&mut failed);
    }
    let missing = repositories.iter().flat_map(missing).collect();
    Ok(QuestionSet { data, split, repositories, left_out, missing })
}

impl QuestionSource {
    /// The searched directory of a task.
    fn root(&self, task: &Task) -> PathBuf {
        let subdir = task.corpus.subdir.as_deref().unwrap_or_default();
        self.corpora.join(short_name(&task.repo)).join(subdir)
    }

    /// Indexes a repository; returns failed questions with the reason.
    fn index(&self, name: String, tasks: Vec<Task>) -> Result<(Repository, Vec<String>)> {
        let subdir = tasks.first().and_then(|it| it.corpus.subdir.clone()).unwrap_or_default();
        let root = self.corpora.join(short_name(&name)).join(&subdir);
        let snapshot = Arc::new(snapshot_cut(&root, self.chunk)?);
        let (mut questions, mut failed) = (Vec::new(), Vec::new());
        let embedding = self.embedding(&name, &snapshot)?;
        for task in tasks {
            let id = task.id.clone();
            match Question::new(task, &subdir, &snapshot) {
                Ok(Some(it)) => {
                    let embedded =
                        embedding.as_ref().map(|by| by.question(&it.text)).transpose()?;
                    questions.push(Question { embedded, ..it });
                }
                Ok(None) => {}
                Err(why) => failed.push(format!("{id}: {why:#}")),
            }
        }
        Ok((Repository { name, snapshot, questions }, failed))
    }
}

/// A model with the vectors of a repository.
struct Embedding {
    embedder: Embedder,
    vectors: Arc<Vectors>,
}

impl Embedding {
    fn question(&self, text: &str) -> Result<(QuestionVector, Arc<Vectors>)> {
        Ok((wait(self.embedder.question(text))?.0, Arc::clone(&self.vectors)))
    }
}

impl QuestionSource {
    /// Embeds the chunks that lack a vector.
    fn embedding(&self, name: &str, snapshot: &Snapshot) -> Result<Option<Embedding>> {
        let Some((settings, dir)) = &self.embedder else { return Ok(None) };
        let store = VectorStore::in_directory(&dir.join(short_name(name)), &settings.identity());
        let embedder = wait(Embedder::connect(settings))?;
        wait(fill(&embedder, snapshot, &store, &|_| true))?;
        let vectors = Arc::new(store.load());
        Ok(Some(Embedding { embedder, vectors }))
    }
}

fn missing(it: &Repository) -> Vec<String> {
    let gold = it.questions.iter().flat_map(|it| &it.gold);
    let absent = gold.filter(|path| it.snapshot.file(path).is_none());
    let mut res: Vec<String> = absent.map(|path| format!("{} {path}", it.name)).collect();
    res.sort_unstable();
    res.dedup();
    res
}

impl Question {
    pub(super) fn new(task: Task, subdir: &str, snapshot: &Arc<Snapshot>) -> Result<Option<Self>> {
        let inside =
            |path: &str| path.strip_prefix(subdir).map(|it| it.trim_start_matches('/').to_owned());
        let path = |it: &Relevant| inside(&it.path).unwrap_or_else(|| it.path.clone());
        let mut gold: Vec<String> = task.relevant.iter().map(path).collect();
        let primary = task.relevant.iter().filter(|it| it.grade.is_none_or(|it| it >= 2));
        let lines = primary.filter_map(|it| Some((path(it), it.start_line?, it.end_line?)));
        let lines = lines.collect();
        gold.sort_unstable();
        gold.dedup();
        let Some(text) = task.query_text.clone().filter(|_| !gold.is_empty()) else {
            return Ok(None);
        };
        let blanked = match task.exclude.is_empty() {
            true => None,
            false => Some(blank_excluded(snapshot, &task, subdir)?),
        };
        Ok(Some(Self { task, blanked, text, gold, lines, embedded: None }))
    }

    /// The rank of the first result with a line of an answer; the outer `None` if the truth has no lines.
    #[expect(clippy::option_option, reason = "no truth differs from no hit")]
    pub(super) fn line_rank(&self, results: &[SearchResult]) -> Option<Option<usize>> {
        let truth = self.lines.iter().map(|(path, first, last)| (path.as_str(), *first, *last));
        let places = results.iter().map(|it| (it.path.as_str(), it.start_line, it.end_line));
        let (truth, places): (Vec<LineSpan<'_>>, Vec<_>) = (truth.collect(), places.collect());
        (!truth.is_empty()).then(|| first_hit(&truth, &places))
    }

    /// Converts to the engine's question.
    pub(super) fn asked(&self) -> retrieve::Question<'_> {
        let meanings =
            self.embedded.as_ref().map(|(question, chunks)| Meanings { question, chunks });
        retrieve::Question { meanings, ..retrieve::Question::new(&self.text) }
    }
}
