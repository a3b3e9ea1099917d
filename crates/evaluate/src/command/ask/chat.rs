//! Options of the chat model that helps and answers.

use std::time::Duration;

use anyhow::{Context as _, Result};
use foreword_evaluate::runs::ask::{ChatSettings, ChatStage};
use foreword_model::ask::{HelpSettings, RerankKind, WriteKind};

#[derive(clap::Args)]
pub(super) struct ChatArgs {
    /// Address of a server (llama.cpp, Ollama, or OpenAI-compatible) that helps and answers. Code is sent to this
    /// server and nowhere else.
    #[arg(long = "chat", value_name = "URL")]
    url: Option<String>,
    /// Name of the model [default: the server's].
    #[arg(long, value_name = "NAME", requires = "url")]
    chat_model: Option<String>,
    /// Protocol: llama.cpp, ollama or openai [default: detected].
    #[arg(long, value_name = "API", requires = "url")]
    chat_api: Option<String>,
    /// Texts that the model adds to the query: plain, code, idiom, parts.
    #[arg(long, value_name = "KIND", value_delimiter = ',', requires = "url")]
    write: Vec<String>,
    /// Method of ranking passages by the model: pointwise or listwise.
    #[arg(long, value_name = "KIND", requires = "url")]
    rerank: Option<String>,
    /// Let the model answer, too.
    #[arg(long, requires = "url")]
    answer: bool,
    /// Timeout of its help and of its answer, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    chat_timeout: u64,
    /// Maximum number of parallel requests.
    #[arg(long, value_name = "N", default_value_t = 4)]
    chat_parallel: usize,
}

impl ChatArgs {
    /// Connects to the model, if one is named. FOREWORD_MODEL_KEY holds its key.
    pub(super) fn connect(self) -> Result<Option<ChatStage>> {
        let Some(url) = self.url else { return Ok(None) };
        let write = |it: &String| {
            WriteKind::named(it)
                .with_context(|| format!("--write {it}: plain, code, idiom or parts"))
        };
        let rerank = |it: String| {
            RerankKind::named(&it).with_context(|| format!("--rerank {it}: pointwise or listwise"))
        };
        let timeout = Duration::from_secs(self.chat_timeout);
        let help = HelpSettings {
            write: self.write.iter().map(write).collect::<Result<_>>()?,
            rerank: self.rerank.map(rerank).transpose()?,
            timeout,
            parallel: self.chat_parallel,
        };
        let settings = ChatSettings {
            url,
            api: self.chat_api,
            model: self.chat_model,
            key: std::env::var("FOREWORD_MODEL_KEY").ok().filter(|it| !it.is_empty()),
            help,
            answers: self.answer,
            timeout,
        };
        ChatStage::connect(settings).map(Some)
    }
}
