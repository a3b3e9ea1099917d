//! Settings in force: from the command line, the environment, the user's file, or defaults.
//!
//! [`definitions`] is the table of all settings; [`layers`] finds the value and source of each.

mod definitions;
mod embedder;
mod file;
mod help;
mod layers;
mod role;
mod role_settings;
mod shape;
pub(super) mod show;
mod value;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foreword_load::{Analyzer, Environment, Limits as ReadLimits, Revision, WalkConfig};
use foreword_model::ask::HelpSettings;
use foreword_model::embed::EmbedderSettings;
use foreword_session::backend::{BackendSettings, ChatSettings, ModelFile, Prices};
use foreword_session::setup::{FeedbackUse, Setup};
use foreword_session::tools::Access;

use super::args::{Global, LogLevel, McpArgs};
use super::{output, usage};
use crate::parser::analyzer;
use embedder::embedder;
use file::ConfigFile;
use layers::Layers;
pub(super) use layers::Setting;
pub(super) use role::Role;
pub(super) use role_settings::RoleSettings;
pub(super) use shape::Shape;

/// The settings in force.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) root: Option<PathBuf>,
    pub(super) here: bool,
    /// The files of a commit, below `root`.
    pub(super) revision: Option<Revision>,
    pub(super) stale: bool,
    pub(super) quiet: bool,
    pub(super) log: Option<LogLevel>,
    pub(super) index_dir: Setting<Option<PathBuf>>,
    pub(super) memory: Setting<usize>,
    pub(super) threads: Setting<usize>,
    pub(super) max_file_size: Setting<u64>,
    /// Prompt format if neither a server nor a file names its model.
    pub(super) model: Setting<String>,
    pub(super) gguf: Setting<Option<PathBuf>>,
    pub(super) gguf_context: Setting<Option<usize>>,
    pub(super) budget: Setting<usize>,
    /// Settings of prompts.
    pub(super) shape: Shape,
    /// Minimum confidence of unrequested suggestions; `None` for the model's default.
    pub(super) least_confidence: Setting<Option<f64>>,
    pub(super) tokenizer: Setting<Option<PathBuf>>,
    /// Kinds of feedback to keep and use: `off`, `votes` or `all`.
    pub(super) feedback: Setting<Option<String>>,
    /// Whether customisation by team and user is used: `on` or `off`.
    pub(super) customise: Setting<Option<String>>,
    /// The parser of texts.
    pub(super) analyzer: Arc<Analyzer>,
    /// The user's file, if it exists.
    pub(super) file: Option<PathBuf>,
    ignore: Vec<String>,
    not_secret: Vec<String>,
    mcp_roots: Vec<String>,
    layers: Layers,
}

impl Settings {
    pub(super) fn new(global: &Global) -> anyhow::Result<Self> {
        output::set_color(global.color);
        let file = config_path().filter(|it| it.is_file());
        let directory = directory(global);
        let read = |it| ConfigFile::read(it, directory.as_deref());
        let config = file.as_deref().map_or(Ok(ConfigFile::default()), read)?;
        let mut layers = Layers::new(global, &config)?;
        only_one_model(global, &mut layers)?;
        let index_dir = layers.path("index_dir");
        let revision = revision(global, index_dir.value.as_deref())?;
        let root = revision.as_ref().map(|it| it.directory.clone());
        Ok(Self {
            analyzer: analyzer(),
            root: root.or_else(|| global.root.clone()),
            here: global.here,
            revision,
            stale: global.stale && !global.fresh,
            quiet: global.quiet,
            log: global.log,
            index_dir,
            memory: layers.number("memory"),
            threads: layers.number("threads"),
            max_file_size: layers.number("max_file_size").map(|it| it as u64),
            model: layers.text("model").map(Option::unwrap_or_default),
            gguf: layers.path("gguf"),
            gguf_context: layers.optional_number("gguf_context"),
            budget: layers.number("budget"),
            shape: Shape::of(&layers),
            least_confidence: layers.real("least_confidence"),
            tokenizer: layers.path("tokenizer"),
            feedback: layers.text("feedback"),
            customise: layers.text("customise"),
            ignore: layers.texts("ignore"),
            not_secret: layers.texts("not_secret"),
            mcp_roots: layers.texts("mcp_roots"),
            file,
            layers,
        })
    }

    /// The completion model; `named` is the model or format from a command's flag.
    pub(super) fn backend(&self, named: Option<&str>) -> anyhow::Result<BackendSettings> {
        let role = self.role(Role::Complete);
        let file = |path: &PathBuf| ModelFile {
            path: path.clone(),
            context: self.gguf_context.value,
            threads: self.threads.value,
        };
        let is_model = role.url.is_some() || self.gguf.value.is_some();
        Ok(BackendSettings {
            key: if role.url.is_some() { role.key()? } else { None },
            model: named.map(str::to_owned).or(role.model.filter(|_| is_model)),
            url: role.url,
            api: role.api,
            gguf: self.gguf.value.as_ref().map(file),
            tokenizer: self.tokenizer.value.clone(),
            limits: role.limits,
        })
    }

    /// The chat model, if configured.
    pub(super) fn chat(&self) -> anyhow::Result<Option<ChatSettings>> {
        let Some(mut chat) = self.conversing_model(Role::Chat)? else { return Ok(None) };
        chat.help = help::settings(&self.layers, chat.limits.parallel)?;
        chat.reranker = self.conversing_model(Role::Rerank)?.map(Box::new);
        Ok(Some(chat))
    }

    /// The conversing model of a role, if configured.
    fn conversing_model(&self, role: Role) -> anyhow::Result<Option<ChatSettings>> {
        let role = self.role(role);
        if !role.is_named() {
            return Ok(None);
        }
        role.check()?;
        let key = role.key()?;
        let price = |name: &str| self.layers.real(&Role::Chat.key(name)).value.unwrap_or(0.0);
        let prices = Prices { prompt: price("prompt_price"), answer: price("answer_price") };
        let hourly = self.layers.text(&Role::Chat.key("hourly")).value;
        let RoleSettings { url, api, model, limits, .. } = role;
        let (help, reranker) = (HelpSettings::default(), None);
        Ok(url.map(|url| ChatSettings {
            url,
            api,
            model,
            key,
            limits,
            help,
            reranker,
            prices,
            hourly,
        }))
    }

    /// The embedding model for semantic search, if configured.
    pub(super) fn embedder(&self) -> anyhow::Result<Option<EmbedderSettings>> {
        embedder(&self.layers, self.file.as_deref())
    }

    /// Model settings of a role.
    pub(super) fn role(&self, role: Role) -> RoleSettings {
        RoleSettings::new(role, &self.layers, self.file.as_deref())
    }

    /// Settings of the host.
    pub(super) fn setup(&self) -> Setup {
        Setup {
            here: self.here,
            index_dir: self.index_dir.value.clone(),
            memory: self.memory.value,
            threads: self.threads.value,
            walk: self.walk(),
            limits: self.limits(),
            analyzer: Arc::clone(&self.analyzer),
            customise: self.customise.value.as_deref() != Some("off"),
            feedback: match self.feedback.value.as_deref() {
                Some("off") => FeedbackUse::Off,
                Some("all") => FeedbackUse::All,
                _ => FeedbackUse::Votes,
            },
            embedder: self.embedder().ok().flatten(),
        }
    }

    /// Directories that agents may use.
    pub(super) fn mcp_access(&self, args: &McpArgs) -> Access {
        if args.allow_any {
            return Access::Any;
        }
        let configured = self.mcp_roots.iter().map(PathBuf::from);
        Access::Roots(args.directories.iter().cloned().chain(configured).collect())
    }

    /// Settings of the directory walk.
    pub(super) fn walk(&self) -> WalkConfig {
        WalkConfig {
            threads: self.threads.value,
            record_ignored: false,
            global_excludes: Environment::current().global_excludes,
            rules: self.ignore.clone(),
            not_secret: self.not_secret.clone(),
        }
    }

    /// Limits of reading.
    pub(super) fn limits(&self) -> ReadLimits {
        ReadLimits { max_file_size: self.max_file_size.value, ..ReadLimits::default() }
    }
}

/// The working directory of the command, with links resolved.
fn directory(global: &Global) -> Option<PathBuf> {
    dunce::canonicalize(global.root.as_deref().unwrap_or(Path::new("."))).ok()
}

/// The files of the requested commit.
fn revision(global: &Global, index: Option<&Path>) -> anyhow::Result<Option<Revision>> {
    let Some(name) = global.rev.as_deref() else { return Ok(None) };
    let from = global.root.as_deref().unwrap_or(Path::new("."));
    Ok(Some(Revision::check_out(from, name, index, &Environment::current())?))
}

/// Rejects a server together with a model file. Those of the command line or environment replace those of the user's
/// file.
fn only_one_model(global: &Global, layers: &mut Layers) -> anyhow::Result<()> {
    match (global.model_url.is_some(), global.gguf.is_some()) {
        (true, true) => {
            return Err(usage(
                "--gguf and --model-url cannot be used together; remove one (also $FOREWORD_GGUF and $FOREWORD_MODEL_URL)",
            ));
        }
        (true, false) => layers.unset("gguf"),
        (false, true) => layers.unset("model_url"),
        (false, false) => {
            if let (Some(gguf), Some(url)) = (layers.file_key("gguf"), layers.file_key("model_url"))
            {
                return Err(usage(format!(
                    "`{gguf}` and `{url}` cannot be used together in the user's file; remove one"
                )));
            }
        }
    }
    Ok(())
}

/// `$XDG_CONFIG_HOME/foreword/config.toml`, else `~/.config/foreword/config.toml`.
fn config_path() -> Option<PathBuf> {
    Some(config_base()?.join("foreword").join("config.toml"))
}

/// Directory of the user's settings: `$XDG_CONFIG_HOME`, else `~/.config`.
pub(super) fn config_base() -> Option<PathBuf> {
    Environment::current().config_dir
}
