//! Command line arguments. Doc comments of fields are the help texts.

mod ask;
mod clean;
mod cluster;
pub(super) mod completions;
mod embed;
mod examples;
mod feedback;
pub(super) mod manual;
mod names;
mod next;
mod search;
mod setup;
mod speculate;
mod symbols;

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use foreword_engine::speculate::ContextMix;

pub(super) use self::ask::{AskArgs, LinkTarget};
pub(super) use self::clean::CleanArgs;
pub(super) use self::cluster::{
    ClusterArgs, ClusterIndexArgs, DoctorArgs, PushArgs, ServeClusterArgs,
};
pub(super) use self::embed::EmbedArgs;
pub(super) use self::examples::command;
pub(super) use self::feedback::{FeedbackAction, FeedbackArgs, VoteArgs};
use self::names::Names;
pub(super) use self::next::NextArgs;
pub(super) use self::search::SearchArgs;
pub(super) use self::setup::SetupArgs;
pub(super) use self::speculate::SpeculateArgs;
pub(super) use self::symbols::{MapArgs, SymbolsArgs};
use crate::mcp::AnswerContent;

/// Finds the repository context that a code model needs, ordered and within a token budget.
///
/// The first query on a repository indexes it; later ones re-index changed files. The index is kept outside the
/// repository (see `foreword status`). Data leaves this machine only for a model that you configure or a
/// cluster that you name.
///
/// Exit codes: 0 success; 1 nothing found, or only partly done; 2 usage or configuration error; 3 internal error; 130 ended by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "foreword", version, max_term_width = 100)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Global options.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// Working directory; the repository around it is indexed [default: the current directory]
    #[arg(short = 'C', long, global = true, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
    /// Use that directory itself as the root, not the repository around it
    #[arg(long, global = true)]
    pub(super) here: bool,
    /// Use the files of this commit, branch or tag, as in main, v1.2~3 or 4f2a9c1, instead of those on disk; works in
    /// bare repositories
    #[arg(long, global = true, value_name = "REVISION")]
    pub(super) rev: Option<String>,
    /// Directory of the indexes [default: the user's cache directory]
    #[arg(long, global = true, value_name = "DIR", env = "FOREWORD_INDEX_DIR")]
    pub(super) index_dir: Option<PathBuf>,
    /// Approximate memory limit of indexing, as in 150M or 1G [default: 192M]
    #[arg(long, global = true, value_name = "SIZE", env = "FOREWORD_MEMORY")]
    pub(super) memory: Option<String>,
    /// URL of a completion model's server, as in http://127.0.0.1:8012 [default: the embedded model]
    #[arg(long, global = true, value_name = "URL", env = "FOREWORD_MODEL_URL")]
    pub(super) model_url: Option<String>,
    /// Protocol of the server: llama.cpp, llama.cpp-infill, ollama, ollama-suffix, openai, openai-suffix, mistral,
    /// deepseek or chat [default: detected]
    #[arg(long, global = true, value_name = "API", env = "FOREWORD_MODEL_API")]
    pub(super) model_api: Option<String>,
    /// Model file (GGUF) to run in this process instead of a server
    #[arg(long, global = true, value_name = "PATH", env = "FOREWORD_GGUF")]
    pub(super) gguf: Option<PathBuf>,
    /// Context window of the --gguf model in tokens; its memory grows with it [default: 8192, or less if trained for
    /// less]
    #[arg(long, global = true, value_name = "N", env = "FOREWORD_GGUF_CONTEXT")]
    pub(super) gguf_context: Option<usize>,
    /// Number of threads [default: one per core]
    #[arg(long, global = true, value_name = "N", env = "FOREWORD_THREADS")]
    pub(super) threads: Option<usize>,
    /// Do not index files above this size, as in 1M [default: 1M]
    #[arg(long, global = true, value_name = "SIZE", env = "FOREWORD_MAX_FILE_SIZE")]
    pub(super) max_file_size: Option<String>,
    /// Use the index as last written, without checking the disk
    #[arg(long, global = true)]
    pub(super) stale: bool,
    /// Check the disk and re-index changed files first (the default)
    #[arg(long, global = true, overrides_with = "stale")]
    pub(super) fresh: bool,
    /// Print no progress and no notes on stderr
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Log level on stderr; logs never contain text of files or prompts [default: warn for lsp, mcp and serve, else
    /// off]. `json` and `text` set the format of `serve`'s request log [default: text on a terminal, else json]
    #[arg(long, global = true, value_name = "LEVEL", env = "FOREWORD_LOG")]
    pub(super) log: Option<LogLevel>,
    /// When to use colours; honours NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
    /// Request log of `serve` as JSON lines
    Json,
    /// Request log of `serve` as text
    Text,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Build or update the index of a repository
    Index(IndexArgs),
    /// Search code by question, words, name or pattern
    Search(SearchArgs),
    /// Answer a question about the repository, with citations
    Ask(AskArgs),
    /// Show the context for a model at a position in a file
    Context(ContextArgs),
    /// Complete code at a position in a file
    Complete(CompleteArgs),
    /// Show definitions and uses of a name, or the outline of a file
    Symbols(SymbolsArgs),
    /// Show the most important definitions of a repository, within a token budget
    Map(MapArgs),
    /// Show likely next edits, from changes since the last commit
    Next(NextArgs),
    /// Rate places of an answer as useful or not, or list and delete ratings
    Feedback(FeedbackArgs),
    /// Show how files are split into chunks
    Chunk(ChunkArgs),
    /// Print files with folded function bodies
    Skeleton(SkeletonArgs),
    /// Have the configured chat model plan what the next edits of each file will need; code is sent to its server
    Speculate(SpeculateArgs),
    /// Embed all chunks with the model of [models.embed], for semantic search
    Embed(EmbedArgs),
    /// Write a repository to an OpenSearch cluster with many, or remove it there
    Push(PushArgs),
    /// Show indexed and excluded files, with reasons
    Status(StatusArgs),
    /// Remove indexes: that of this repository, all, or those not used for some days
    Clean(CleanArgs),
    /// Check the installation, and suggest repairs
    Doctor(DoctorArgs),
    /// Make installed agents and editors use foreword: show the changes to their files, and write them if you agree
    Setup(SetupArgs),
    /// Show all settings with their sources
    Config(ConfigArgs),
    /// Serve coding agents over stdin and stdout (Model Context Protocol). Uses no model
    Mcp(McpArgs),
    /// Before Claude Code searches with grep, tell it of foreword's tools: for a hook of its tool Bash
    Hook,
    /// Serve an editor over stdin and stdout (Language Server Protocol)
    Lsp,
    /// Serve completion clients over HTTP, in the protocols of common model servers
    Serve(ServeArgs),
    /// Print a shell completion script
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Directories that agents may use, besides the repository of the working directory and the client's roots.
#[derive(Debug, ClapArgs)]
pub(super) struct McpArgs {
    /// Directories that agents may use, including subdirectories; also `mcp_roots` in the configuration
    #[arg(conflicts_with = "cluster")]
    pub(super) directories: Vec<PathBuf>,
    /// Allow agents to use every directory that the user can read
    #[arg(long, conflicts_with_all = ["directories", "cluster"])]
    pub(super) allow_any: bool,
    #[command(flatten)]
    pub(super) content: ContentArgs,
    #[command(flatten)]
    pub(super) on: ClusterArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct IndexArgs {
    /// A directory of the repository [default: the current directory]
    pub(super) path: Option<PathBuf>,
    /// Rebuild the index from scratch
    #[arg(long)]
    pub(super) rebuild: bool,
    /// Take precise definitions and uses from this SCIP index, which a compiler or type checker wrote; may be repeated
    /// [default: index.scip at the root, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(super) scip: Vec<PathBuf>,
    /// Print a summary as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Position of the cursor and settings of its context.
#[derive(Debug, ClapArgs)]
pub(super) struct CursorArgs {
    /// FILE, FILE:LINE or FILE:LINE:COL. Lines and columns count from 1, columns in characters; the cursor is before
    /// the column, or at the end of the line if COL is missing
    #[arg(value_name = "FILE:LINE[:COL]")]
    pub(super) position: String,
    /// Position of the cursor as a byte offset
    #[arg(long, value_name = "BYTE")]
    pub(super) offset: Option<usize>,
    /// Token budget of the whole prompt [default: 4096]
    #[arg(short, long, value_name = "N")]
    pub(super) budget: Option<usize>,
    /// Count tokens with the model's tokenizer.json, or Mistral's tekken.json
    #[arg(long, value_name = "FILE")]
    pub(super) tokenizer: Option<PathBuf>,
    /// Read the file's text from stdin, for unsaved buffers
    #[arg(long)]
    pub(super) stdin: bool,
    /// Recently opened or edited file, latest first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(super) recent: Vec<String>,
    /// Description of the code to write
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) intent: String,
    /// Maximum lines of a piece (the best-scoring window); the best pieces grow if tokens are left [default: 40]; also
    /// `piece_lines` in the configuration
    #[arg(long, value_name = "N")]
    pub(super) piece_lines: Option<usize>,
    /// Maximum number of pieces [default: 48]; also `pieces`
    #[arg(long, value_name = "N")]
    pub(super) pieces: Option<usize>,
    /// Position of the best pieces: best-first, best-last, or auto, at the end that the model's server does not
    /// truncate [default: auto]; also `order`
    #[arg(long, value_name = "ORDER", value_parser = ["auto", "best-first", "best-last"], hide_possible_values = true)]
    pub(super) order: Option<String>,
    /// How to shorten a file that does not fit: nearest lines with the imports, headers and constants that they need
    /// (scope), or nearest lines only (nearest) [default: scope]; also `trim`
    #[arg(long, value_name = "TRIM", value_parser = ["scope", "nearest"], hide_possible_values = true)]
    pub(super) trim: Option<String>,
    /// Disable these signals (lexical, symbol, graph, package, recent, diff, head)
    #[arg(long, value_name = "SIGNAL", value_delimiter = ',')]
    pub(super) without: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ContextArgs {
    #[command(flatten)]
    pub(super) at: CursorArgs,
    /// Model or prompt format [default: qwen2.5-coder]; `foreword doctor` lists the formats
    #[arg(short, long, value_name = "MODEL", value_parser = Names::Formats, hide_possible_values = true)]
    pub(super) model: Option<String>,
    /// Maximum forecasts of the file's plan by `foreword speculate` beside retrieval, as in live+3 [default: `forecasts` in
    /// the configuration, if the plan is current]; or maximum blocks and forecasts of the plan alone, as in 9+3
    #[arg(long, value_name = "MIX")]
    pub(super) mix: Option<ContextMix>,
    /// Print the prompt and nothing else, byte for byte
    #[arg(long, conflicts_with_all = ["explain", "json", "trace"])]
    pub(super) prompt: bool,
    /// Explain each piece, its cost, and the dropped candidates [default, with the prompt]
    #[arg(long)]
    pub(super) explain: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// Print a JSON trace of every candidate through all stages, as shown by the inspector
    #[arg(long, conflicts_with = "json")]
    pub(super) trace: bool,
    /// Write the inspector's page for this context to FILE (`-`: stdout); works offline
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "trace", "prompt", "explain"])]
    pub(super) html: Option<PathBuf>,
    #[command(flatten)]
    pub(super) on: ClusterArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompleteArgs {
    #[command(flatten)]
    pub(super) at: CursorArgs,
    /// `embedded`, the name of a model at --model-url, or the format of the --gguf model [default: embedded without
    /// --model-url and --gguf]
    #[arg(short, long, value_name = "MODEL", value_parser = Names::Models, hide_possible_values = true)]
    pub(super) model: Option<String>,
    /// Maximum number of completions
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub(super) n: usize,
    /// Maximum lines of a completion [default: one, or a block if the cursor is at the start of one]
    #[arg(long, value_name = "N")]
    pub(super) lines: Option<usize>,
    /// Maximum tokens of a completion [default: 256]
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<usize>,
    /// Time limit in milliseconds [default: 20000]
    #[arg(long, value_name = "MS")]
    pub(super) timeout: Option<u64>,
    /// Print the text as it is generated
    #[arg(long, conflicts_with = "json")]
    pub(super) stream: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Form of the answers to agents.
#[derive(Debug, ClapArgs)]
pub(super) struct ContentArgs {
    /// Add structured content to the answers. Many clients show it to their models instead of the text
    #[arg(long, env = "FOREWORD_STRUCTURED", value_parser = BoolishValueParser::new())]
    structured: bool,
}

impl ContentArgs {
    pub(super) fn content(&self) -> AnswerContent {
        match self.structured {
            true => AnswerContent::TextAndStructured,
            false => AnswerContent::Text,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct ServeArgs {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(super) host: std::net::IpAddr,
    /// Port to listen on; 0 for any free one, which is printed
    #[arg(long, value_name = "PORT", default_value_t = 8484)]
    pub(super) port: u16,
    /// Bearer token that clients must send; required except on loopback addresses
    #[arg(long, value_name = "TOKEN", env = "FOREWORD_TOKEN", hide_env_values = true)]
    pub(super) token: Option<String>,
    /// Additional host name of the server; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) allow_host: Vec<String>,
    /// Directory of a repository to serve; may be repeated [default: the current directory]
    #[arg(long, value_name = "PATH")]
    pub(super) workspace: Vec<PathBuf>,
    /// Name of the model at --model-url, or prompt format of it or of --gguf [default: the model's own]
    #[arg(short, long, value_name = "MODEL", value_parser = Names::Formats, hide_possible_values = true)]
    pub(super) model: Option<String>,
    /// Token budget of a prompt [default: 4096]
    #[arg(short, long, value_name = "N")]
    pub(super) budget: Option<usize>,
    /// Count tokens with the model's tokenizer.json, or Mistral's tekken.json
    #[arg(long, value_name = "FILE")]
    pub(super) tokenizer: Option<PathBuf>,
    /// Minimum confidence of embedded completions, from 0 to 1; others are withheld [default: by measurement];
    /// also `least_confidence` in the configuration
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(super) least_confidence: Option<f64>,
    /// Maximum milliseconds that a request waits for its context; then it continues without
    #[arg(long, value_name = "MS", default_value_t = 60)]
    pub(super) patience: u64,
    /// Add no context, except to requests with `x-foreword-bypass: 0`
    #[arg(long)]
    pub(super) bypass: bool,
    #[command(flatten)]
    pub(super) content: ContentArgs,
    /// Include code in the request log
    #[arg(long)]
    pub(super) log_code: bool,
    #[command(flatten)]
    pub(super) many: ServeClusterArgs,
}

/// Parses a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|it| (0.0..=1.0).contains(it));
    share.ok_or_else(|| "a number from 0 to 1 is expected".to_owned())
}

#[derive(Debug, ClapArgs)]
pub(super) struct ChunkArgs {
    /// The files
    #[arg(required = true)]
    pub(super) files: Vec<String>,
    /// Maximum non-whitespace characters of a chunk
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(super) max: u32,
    /// cast, definition, method, file, or lines=N
    #[arg(long, value_name = "WHAT", default_value = "cast")]
    pub(super) granularity: String,
    /// Number of lines shared with the previous chunk
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) overlap: u32,
    /// Language [default: by file name]
    #[arg(short, long, value_name = "LANGUAGE", value_parser = Names::Languages, hide_possible_values = true)]
    pub(super) lang: Option<String>,
    /// Print one JSON object per file and line
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SkeletonArgs {
    /// The files
    #[arg(required = true)]
    pub(super) files: Vec<String>,
    /// Maximum tokens per file; doc comments are dropped first, then members from the last
    #[arg(short, long, value_name = "N")]
    pub(super) tokens: Option<usize>,
    /// Language [default: by file name]
    #[arg(short, long, value_name = "LANGUAGE", value_parser = Names::Languages, hide_possible_values = true)]
    pub(super) lang: Option<String>,
    /// Print one JSON object per file and line
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct StatusArgs {
    /// Show whether this file or directory is indexed, and why
    pub(super) path: Option<String>,
    /// List excluded files with reasons
    #[arg(long)]
    pub(super) ignored: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ConfigArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_json_of_every_command_is_documented() {
        let page = include_str!("../../../../docs/json.md");
        for command in Args::command().get_subcommands() {
            let has_json = command.get_arguments().any(|it| it.get_id() == "json");
            let heading = format!("\n## {} ", command.get_name());
            assert!(
                !has_json || page.contains(&heading),
                "{} is not in docs/json.md",
                command.get_name()
            );
        }
    }
}
