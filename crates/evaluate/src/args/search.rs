//! Which questions, and the settings: the arguments shared by `search` and `sweep`.

use std::path::PathBuf;
use std::time::Duration;

use crate::runs::search::QuestionSource;
use crate::tasks::selection::Selection;
use crate::tasks::split::Split;
use anyhow::Result;
use foreword_model::embed::{EmbedderSettings, EmbedderSource};

/// Questions, an embedding model, and changes to the preset.
#[derive(clap::Args)]
pub struct SelectionArgs {
    /// The tasks, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// A directory with a checkout for each repository.
    #[arg(long, value_name = "DIR")]
    corpora: PathBuf,
    /// Only this repository (may be repeated).
    #[arg(long = "repo", value_name = "NAME")]
    repos: Vec<String>,
    /// Which repositories.
    #[arg(long, value_enum, default_value_t)]
    split: Split,
    /// A server of embeddings, by which the signal `dense` searches.
    #[arg(long, value_name = "URL", requires = "vectors")]
    embed_url: Option<String>,
    /// Its model; the server's own without it.
    #[arg(long, value_name = "NAME", requires = "embed_url")]
    embed_model: Option<String>,
    /// Where the vectors of chunks are kept, so that each is asked for once.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

impl SelectionArgs {
    /// The questions, and the changes to the preset.
    pub fn split_off(self) -> Result<(QuestionSource, Vec<String>)> {
        let Self { tasks, corpora, repos, split, sets, .. } = self;
        let settings = self.embed_url.map(|url| settings(url, self.embed_model));
        let embedder = settings.zip(self.vectors);
        let tasks = Selection { file: tasks, repos, split, ids: Vec::new(), limit: None };
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
