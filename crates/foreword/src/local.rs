//! A model that is run by this program itself, from a file (`--gguf`): where it was built for that.

use std::path::PathBuf;
use std::sync::Arc;

use foreword_engine::compose::Format;
use foreword_model::TokenCounter;
use foreword_model::request::Model;

use crate::usage::usage;

/// Whether this program can run a model file.
pub const CAN_RUN: bool = cfg!(feature = "gguf");

/// What builds a program that can.
pub const BUILD: &str = "cargo install --path crates/foreword --features gguf";

/// Fewer tokens say too little of a file to complete it.
const LEAST: usize = 64;

/// A model file, and how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// The file.
    pub path: PathBuf,
    /// Tokens of a prompt and its answer at the most; `None` for the default.
    pub context: Option<usize>,
    /// Threads; 0 for one a core.
    pub threads: usize,
}

/// From a text to the numbers of its tokens.
type Tokenise = dyn Fn(&str) -> Vec<i32> + Send + Sync;

/// A model that was loaded.
pub(crate) struct Local {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) name: String,
    pub(crate) format: &'static Format,
    pub(crate) counter: TokenCounter,
    /// Tokens of a prompt and its answer at the most.
    pub(crate) window: usize,
    /// By the model's own vocabulary.
    pub(crate) tokenise: Box<Tokenise>,
    path: PathBuf,
    /// Tokens that it was trained to read.
    trained: usize,
}

impl Local {
    /// Loads the model of a file. Its format is the one that is named, else its own.
    #[cfg(feature = "gguf")]
    pub(crate) fn open(file: &ModelFile, named: Option<&str>) -> anyhow::Result<Self> {
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

    /// Says what to do about it.
    #[cfg(not(feature = "gguf"))]
    pub(crate) fn open(file: &ModelFile, _: Option<&str>) -> anyhow::Result<Self> {
        let path = file.path.display();
        Err(usage(format!(
            "--gguf {path}: this foreword was built without what runs model files; build one that has it with `{BUILD}` (docs/complete.md), or name a server with --model-url"
        )))
    }

    /// Tokens of a prompt, where so many are wanted and the answer may have so many.
    pub(crate) fn budget(&self, wanted: usize, answer: usize) -> anyhow::Result<usize> {
        let Self { window, trained, .. } = *self;
        let room = window.saturating_sub(answer);
        if room < LEAST {
            return Err(usage(format!(
                "{} reads {window} tokens at a time, which leaves no room for a prompt beside an answer of {answer}; raise --gguf-context (it was trained for {trained}), or ask for fewer with --max-tokens",
                self.path.display()
            )));
        }
        Ok(wanted.min(room))
    }
}
