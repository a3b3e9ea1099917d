//! A model file that runs in this process (`--gguf`, with the feature `gguf`).

use std::path::PathBuf;
use std::sync::Arc;

use foreword_engine::compose::Format;
use foreword_model::TokenCounter;
use foreword_model::request::Model;

use crate::usage::usage;

/// Whether this program can run a model file.
pub const CAN_RUN: bool = cfg!(feature = "gguf");

/// The command that builds a program with this feature.
pub const BUILD: &str = "cargo install --path crates/foreword --features gguf";

/// Minimum tokens of a prompt; shorter ones contain too little of the file.
const MIN_PROMPT_TOKENS: usize = 64;

/// A model file and the settings of its process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// The file.
    pub path: PathBuf,
    /// Maximum tokens of a prompt and its answer; `None` for the default.
    pub context: Option<usize>,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
}

/// Turns a text into the numbers of its tokens.
type Tokenise = dyn Fn(&str) -> Vec<i32> + Send + Sync;

/// A model that was loaded from a file.
pub struct LoadedModel {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Its name, for clients.
    pub name: String,
    /// The format of its prompts.
    pub format: &'static Format,
    /// Counts tokens by its vocabulary.
    pub counter: TokenCounter,
    /// Maximum tokens of a prompt and its answer.
    pub window: usize,
    /// By the model's own vocabulary.
    pub tokenise: Box<Tokenise>,
    path: PathBuf,
    /// Tokens of the context that it was trained with.
    trained: usize,
}

impl LoadedModel {
    /// Loads the model of a file. Its format is the named one, else its own.
    #[cfg(feature = "gguf")]
    pub(super) fn open(file: &ModelFile, named: Option<&str>) -> anyhow::Result<Self> {
        use foreword_model::ModelError;
        use foreword_model::gguf::{CONTEXT, Gguf, Settings};

        let settings = Settings { context: file.context.unwrap_or(CONTEXT), threads: file.threads };
        let gguf = Gguf::open(&file.path, settings).map_err(ModelError::from)?;
        let format = gguf.format(named).map_err(ModelError::from)?;
        let gguf = Arc::new(gguf);
        let vocabulary = Arc::clone(&gguf);
        Ok(Self {
            name: gguf.name().to_owned(),
            format,
            counter: gguf.counter(format),
            window: gguf.window(),
            path: file.path.clone(),
            trained: gguf.trained(),
            tokenise: Box::new(move |text| vocabulary.tokenise(text, format)),
            model: gguf,
        })
    }

    /// The error of a program without the feature.
    #[cfg(not(feature = "gguf"))]
    pub(super) fn open(file: &ModelFile, _: Option<&str>) -> anyhow::Result<Self> {
        let path = file.path.display();
        Err(usage(format!(
            "--gguf {path}: this foreword was built without what runs model files; build one that has it with `{BUILD}` ({}/complete.md), or name a server with --model-url",
            crate::usage::PAGES
        )))
    }

    /// Prompt budget after reserving the answer, at most `budget`.
    pub(super) fn prompt_budget(&self, budget: usize, answer: usize) -> anyhow::Result<usize> {
        let Self { window, trained, .. } = *self;
        let room = window.saturating_sub(answer);
        if room < MIN_PROMPT_TOKENS {
            return Err(usage(format!(
                "{} reads {window} tokens at a time, which leaves no room for a prompt beside an answer of {answer}; raise --gguf-context (it was trained for {trained}), or ask for fewer with --max-tokens",
                self.path.display()
            )));
        }
        Ok(budget.min(room))
    }
}
