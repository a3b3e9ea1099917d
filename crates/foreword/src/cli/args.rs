//! The command line's arguments; their comments are the help.

mod ask;
mod embed;
mod feedback;
pub(super) mod manual;
mod names;
mod next;
mod search;
mod speculate;

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

pub(super) use self::ask::{AskArgs, LinkTarget};
pub(super) use self::embed::EmbedArgs;
pub(super) use self::feedback::{FeedbackAction, FeedbackArgs, VoteArgs};
use self::names::Names;
pub(super) use self::next::NextArgs;
pub(super) use self::search::SearchArgs;
pub(super) use self::speculate::{PlannerName, SpeculateArgs, Speculated, SpeculatedArgs};
use crate::mcp::AnswerContent;

/// Gives a code model its foreword: the right pieces of the repository, in the right order, inside the token budget.
///
/// The first query on a repository indexes it; later ones re-index what has changed. The index lives outside the
/// repository (see `foreword status`). Nothing leaves this machine but what you send to a model that you name.
///
/// Exit codes: 0 done; 1 nothing found, or not all done; 2 usage or configuration; 3 internal.
#[derive(Debug, Parser)]
#[command(name = "foreword", version, max_term_width = 100)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Options of every command.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options of every command")]
pub(super) struct Global {
    /// The directory to work in; the repository around it is what is indexed [default: the current directory]
    #[arg(short = 'C', long, global = true, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
    /// Take that directory itself for the root, not the repository around it
    #[arg(long, global = true)]
    pub(super) here: bool,
    /// Answer from the files of this commit, branch or tag, as in main, v1.2~3 or 4f2a9c1, and not from those on the
    /// disk; also in a bare repository
    #[arg(long, global = true, value_name = "REVISION")]
    pub(super) rev: Option<String>,
    /// Where indexes are kept [default: the user's cache directory]
    #[arg(long, global = true, value_name = "DIR", env = "FOREWORD_INDEX_DIR")]
    pub(super) index_dir: Option<PathBuf>,
    /// About how much memory indexing may use, as in 150M or 1G [default: 192M]
    #[arg(long, global = true, value_name = "SIZE", env = "FOREWORD_MEMORY")]
    pub(super) memory: Option<String>,
    /// The server of a completion model, as in http://127.0.0.1:8012 [default: none, the embedded model]
    #[arg(long, global = true, value_name = "URL", env = "FOREWORD_MODEL_URL")]
    pub(super) model_url: Option<String>,
    /// The server's protocol: llama.cpp, llama.cpp-infill, ollama, ollama-suffix, openai, openai-suffix, mistral,
    /// deepseek or chat [default: detected]
    #[arg(long, global = true, value_name = "API", env = "FOREWORD_MODEL_API")]
    pub(super) model_api: Option<String>,
    /// A model file (GGUF) that this program runs itself, instead of a server (docs/complete.md)
    #[arg(long, global = true, value_name = "PATH", env = "FOREWORD_GGUF")]
    pub(super) gguf: Option<PathBuf>,
    /// Tokens that the model of --gguf reads and writes at a time; its memory grows with that [default: 8192, or what
    /// it was trained for]
    #[arg(long, global = true, value_name = "N", env = "FOREWORD_GGUF_CONTEXT")]
    pub(super) gguf_context: Option<usize>,
    /// Threads [default: one per core]
    #[arg(long, global = true, value_name = "N", env = "FOREWORD_THREADS")]
    pub(super) threads: Option<usize>,
    /// Files above this size are not indexed, as in 1M [default: 1M]
    #[arg(long, global = true, value_name = "SIZE", env = "FOREWORD_MAX_FILE_SIZE")]
    pub(super) max_file_size: Option<String>,
    /// Answer from the index as it was last written, without checking the disk
    #[arg(long, global = true)]
    pub(super) stale: bool,
    /// Check the disk first and re-index what has changed; this is the default
    #[arg(long, global = true, overrides_with = "stale")]
    pub(super) fresh: bool,
    /// No progress and no remarks on stderr
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// What to log on stderr; never the text of files or prompts [default: warn for lsp, mcp and serve, else off].
    /// `json` and `text` say how `serve` logs requests [default: text on a terminal, else json]
    #[arg(long, global = true, value_name = "LEVEL", env = "FOREWORD_LOG")]
    pub(super) log: Option<LogLevel>,
    /// When to use colours; NO_COLOR is honoured
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
    /// Requests of `serve` as lines of JSON
    Json,
    /// Requests of `serve` as lines for people
    Text,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Build or update the index of a repository
    Index(IndexArgs),
    /// Find code by a question, words, a name, or a pattern
    Search(SearchArgs),
    /// Answer a question about the repository, with citations (docs/ask.md)
    Ask(AskArgs),
    /// Compose what a model should see at a position in a file
    Context(ContextArgs),
    /// Complete the code at a position in a file
    Complete(CompleteArgs),
    /// Show where a name is defined and used, or what a file defines
    Symbols(SymbolsArgs),
    /// Show the most important definitions of a repository within a budget
    Map(MapArgs),
    /// Show where the next edit is likely, given what was changed since the last commit
    Next(NextArgs),
    /// Say which places of an answer were useful, and see or forget what was said (docs/customise.md)
    Feedback(FeedbackArgs),
    /// Show how files are split into chunks
    Chunk(ChunkArgs),
    /// Print files with the bodies of their definitions folded
    Skeleton(SkeletonArgs),
    /// Work out what the next edits of each file will need, before a cursor is there (docs/speculation.md)
    Speculate(SpeculateArgs),
    /// Make vectors of all chunks by the model of [models.embed], by which search and ask compare meanings
    Embed(EmbedArgs),
    /// Show what is indexed, what is not, and why
    Status(StatusArgs),
    /// Check that everything works, and say how to repair what does not
    Doctor(DoctorArgs),
    /// Show the settings and where each comes from
    Config(ConfigArgs),
    /// Serve coding agents by the Model Context Protocol, over stdin and stdout (docs/agents.md). It asks no model
    Mcp(McpArgs),
    /// Serve an editor by the Language Server Protocol, over stdin and stdout (docs/editors.md)
    Lsp,
    /// Serve completion tools over HTTP in the protocol of the model server they know (docs/serve.md)
    Serve(ServeArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// What calls may name as their repository, beside the repository of the working directory and the client's roots.
#[derive(Debug, ClapArgs)]
pub(super) struct McpArgs {
    /// Directories that agents may ask about, with all below them; also `mcp_roots` in the configuration
    pub(super) directories: Vec<PathBuf>,
    /// Agents may ask about any directory that the user can read
    #[arg(long, conflicts_with = "directories")]
    pub(super) allow_any: bool,
    #[command(flatten)]
    pub(super) content: ContentArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct IndexArgs {
    /// A directory of the repository [default: the current directory]
    pub(super) path: Option<PathBuf>,
    /// Discard the index and build it again
    #[arg(long)]
    pub(super) rebuild: bool,
    /// Print a summary as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Where the cursor is, and how its context is composed.
#[derive(Debug, ClapArgs)]
pub(super) struct CursorArgs {
    /// FILE, FILE:LINE or FILE:LINE:COL. Lines and columns count from 1, columns in characters; the cursor is before
    /// that column, or at the end of the line without one
    #[arg(value_name = "FILE:LINE[:COL]")]
    pub(super) position: String,
    /// The cursor is at this byte of the file
    #[arg(long, value_name = "BYTE")]
    pub(super) offset: Option<usize>,
    /// Tokens of the whole prompt [default: 4096]
    #[arg(short, long, value_name = "N")]
    pub(super) budget: Option<usize>,
    /// Count tokens with the model's tokenizer.json, or Mistral's tekken.json
    #[arg(long, value_name = "FILE")]
    pub(super) tokenizer: Option<PathBuf>,
    /// Read the file's text from stdin: an unsaved buffer
    #[arg(long)]
    pub(super) stdin: bool,
    /// A file that was open or edited recently, the latest first; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(super) recent: Vec<String>,
    /// What is to be written there, in words
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) intent: String,
    /// How many lines of a chunk a piece shows, those that say most; the best pieces grow where tokens are left over
    /// [default: 40]; also `piece_lines` in the configuration
    #[arg(long, value_name = "N")]
    pub(super) piece_lines: Option<usize>,
    /// The most pieces [default: 48]; also `pieces`
    #[arg(long, value_name = "N")]
    pub(super) pieces: Option<usize>,
    /// Where the best pieces stand: best-first, best-last, or auto, at the end that the model's server does not cut
    /// [default: auto]; also `order`
    #[arg(long, value_name = "ORDER", value_parser = ["auto", "best-first", "best-last"], hide_possible_values = true)]
    pub(super) order: Option<String>,
    /// What is shown of the file where it does not fit: the nearest lines with the imports, headers and constants that
    /// they need (scope), or those lines alone (nearest) [default: scope]; also `trim`
    #[arg(long, value_name = "TRIM", value_parser = ["scope", "nearest"], hide_possible_values = true)]
    pub(super) trim: Option<String>,
    /// Leave out these signals (lexical, symbol, graph, package, recent, diff)
    #[arg(long, value_name = "SIGNAL", value_delimiter = ',')]
    pub(super) without: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ContextArgs {
    #[command(flatten)]
    pub(super) at: CursorArgs,
    /// The model or prompt format [default: qwen2.5-coder]; `foreword doctor` lists them
    #[arg(short, long, value_name = "MODEL", value_parser = Names::Formats, hide_possible_values = true)]
    pub(super) model: Option<String>,
    #[command(flatten)]
    pub(super) plan: SpeculatedArgs,
    /// Print the prompt and nothing else, byte for byte
    #[arg(long, conflicts_with_all = ["explain", "json", "trace"])]
    pub(super) prompt: bool,
    /// Explain why each piece is there, what it costs, and what was left out [default, with the prompt]
    #[arg(long)]
    pub(super) explain: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// Print one JSON object that traces every candidate through all stages, as the inspector shows it
    #[arg(long, conflicts_with = "json")]
    pub(super) trace: bool,
    /// Write the inspector's page with this context into FILE (`-`: stdout); it needs no server and no network
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "trace", "prompt", "explain"])]
    pub(super) html: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompleteArgs {
    #[command(flatten)]
    pub(super) at: CursorArgs,
    /// `embedded`, the name of a model at --model-url, or the format of the one in --gguf [default: embedded without
    /// either]
    #[arg(short, long, value_name = "MODEL", value_parser = Names::Models, hide_possible_values = true)]
    pub(super) model: Option<String>,
    /// The most completions
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub(super) n: usize,
    /// The most lines of a completion [default: one, or a block where the cursor is at the start of one]
    #[arg(short, long, value_name = "N")]
    pub(super) lines: Option<usize>,
    /// The most tokens of a completion [default: 256]
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<usize>,
    /// Milliseconds until the request is given up [default: 20000]
    #[arg(long, value_name = "MS")]
    pub(super) timeout: Option<u64>,
    /// Print the text as it comes
    #[arg(long, conflicts_with = "json")]
    pub(super) stream: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// What the answers to agents consist of.
#[derive(Debug, ClapArgs)]
pub(super) struct ContentArgs {
    /// Answer agents with structured content for programs, too. Many show it to their models in place of the text
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
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(super) host: std::net::IpAddr,
    /// The port; 0 for any that is free, which is printed
    #[arg(short, long, value_name = "PORT", default_value_t = 8484)]
    pub(super) port: u16,
    /// The bearer token that clients must send; required on any address but the loopback
    #[arg(long, value_name = "TOKEN", env = "FOREWORD_TOKEN", hide_env_values = true)]
    pub(super) token: Option<String>,
    /// A further host name of the server; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(super) allow_host: Vec<String>,
    /// A directory of a repository to serve; may be given several times [default: the current directory]
    #[arg(short, long, value_name = "PATH")]
    pub(super) workspace: Vec<PathBuf>,
    /// The name of the model at --model-url, or the prompt format of that or of --gguf [default: the model's own]
    #[arg(short, long, value_name = "MODEL", value_parser = Names::Formats, hide_possible_values = true)]
    pub(super) model: Option<String>,
    /// Tokens of a prompt [default: 4096]
    #[arg(short, long, value_name = "N")]
    pub(super) budget: Option<usize>,
    /// Count tokens with the model's tokenizer.json, or Mistral's tekken.json
    #[arg(long, value_name = "FILE")]
    pub(super) tokenizer: Option<PathBuf>,
    /// Completions of the embedded model that are less likely right are withheld, from 0 to 1 [default: by
    /// measurement, docs/serve.md]; also `least_confidence` in the configuration
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(super) least_confidence: Option<f64>,
    /// Milliseconds that a request waits for its context; then it is passed on without one
    #[arg(long, value_name = "MS", default_value_t = 60)]
    pub(super) patience: u64,
    /// Add no context unless a request says `x-foreword-bypass: 0`
    #[arg(long)]
    pub(super) bypass: bool,
    #[command(flatten)]
    pub(super) content: ContentArgs,
    /// Include code in the request log
    #[arg(long)]
    pub(super) log_code: bool,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|it| (0.0..=1.0).contains(it));
    share.ok_or_else(|| "a number from 0 to 1 is expected".to_owned())
}

#[derive(Debug, ClapArgs)]
pub(super) struct SymbolsArgs {
    /// The name; without it, --file shows what a file defines
    #[arg(required_unless_present = "file")]
    pub(super) name: Option<String>,
    /// Show what this file defines and imports
    #[arg(short, long, value_name = "FILE", conflicts_with = "name")]
    pub(super) file: Option<String>,
    /// The most references
    #[arg(short = 'k', long, value_name = "N", default_value_t = 50)]
    pub(super) limit: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct MapArgs {
    /// Paths or names that the map is to focus on
    pub(super) focus: Vec<String>,
    /// Tokens of the map
    #[arg(short, long, value_name = "N", default_value_t = 1024)]
    pub(super) tokens: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ChunkArgs {
    /// The files
    #[arg(required = true)]
    pub(super) files: Vec<String>,
    /// The most non-whitespace characters of a chunk
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(super) max: u32,
    /// cast, definition, method, file, or lines=N
    #[arg(long, value_name = "WHAT", default_value = "cast")]
    pub(super) granularity: String,
    /// Lines by which a chunk overlaps the one before
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) overlap: u32,
    /// The language [default: by the file's name]
    #[arg(short, long, value_name = "LANGUAGE", value_parser = Names::Languages, hide_possible_values = true)]
    pub(super) lang: Option<String>,
    /// Print one JSON object per file, each on a line
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SkeletonArgs {
    /// The files
    #[arg(required = true)]
    pub(super) files: Vec<String>,
    /// The most tokens of each file: doc comments are left out first, then members from the last one on
    #[arg(short, long, value_name = "N")]
    pub(super) tokens: Option<usize>,
    /// The language [default: by the file's name]
    #[arg(short, long, value_name = "LANGUAGE", value_parser = Names::Languages, hide_possible_values = true)]
    pub(super) lang: Option<String>,
    /// Print one JSON object per file, each on a line
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct StatusArgs {
    /// Explain why this file or directory is in the index or not
    pub(super) path: Option<String>,
    /// List what is not indexed, each with its reason
    #[arg(long)]
    pub(super) ignored: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct DoctorArgs {
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
