//! Arguments of runs over questions, shared by `search`, `sweep` and `feedback`.

use std::path::PathBuf;
use std::time::Duration;

use crate::runs::search::QuestionSource;
use crate::tasks::split::Split;
use anyhow::Result;
use foreword_model::embed::{EmbedderSettings, EmbedderSource};

use super::tasks::TaskArgs;

/// Questions, an embedding model, and changes to the preset.
#[derive(clap::Args)]
pub struct SelectionArgs {
    /// Tasks, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// Directory with a checkout per repository.
    #[arg(long, value_name = "DIR")]
    corpora: PathBuf,
    #[command(flatten)]
    questions: TaskArgs,
    /// Embedding server for the signal `dense`.
    #[arg(long, value_name = "URL", requires = "vectors")]
    embed_url: Option<String>,
    /// Name of its model [default: the server's].
    #[arg(long, value_name = "NAME", requires = "embed_url")]
    embed_model: Option<String>,
    /// Directory that caches the vectors of chunks.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

impl SelectionArgs {
    /// The questions, and the changes to the preset.
    pub fn split_off(self) -> Result<(QuestionSource, Vec<String>)> {
        let Self { tasks, corpora, questions, sets, .. } = self;
        let settings = self.embed_url.map(|url| settings(url, self.embed_model));
        let embedder = settings.zip(self.vectors);
        let tasks = questions.select(tasks, Split::default());
        let chunk = foreword_chunk::Config::default();
        Ok((QuestionSource { tasks, corpora, chunk, embedder }, sets))
    }
}

fn settings(url: String, model: Option<String>) -> EmbedderSettings {
    EmbedderSettings {
        source: EmbedderSource::Server { url, api: None, model, key: None },
        question_prefix: None,
        text_prefix: None,
        context: None,
        patience: Duration::from_mins(2),
    }
}
