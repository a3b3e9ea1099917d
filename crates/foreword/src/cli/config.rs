//! Settings in force, with what only the command line has.

mod flags;
pub(super) mod show;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foreword_load::{Analyzer, Limits as ReadLimits, WalkConfig};
use foreword_model::ask::HelpSettings;
use foreword_model::embed::EmbedderSettings;
use foreword_session::answer::next::EditModel;
use foreword_session::backend::{BackendSettings, ChatSettings, ModelFile, Prices};
use foreword_session::config::Config;
pub(super) use foreword_session::config::{Role, RoleSettings, Setting, Shape};
use foreword_session::setup::Setup;
use foreword_session::tools::Access;

use super::args::{Global, LogLevel, McpArgs};
use super::output;
use crate::parser::analyzer;
use flags::flags;

/// The settings in force.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) root: Option<PathBuf>,
    pub(super) here: bool,
    /// The commit whose files are read instead of those on disk.
    pub(super) revision: Option<String>,
    pub(super) stale: bool,
    pub(super) quiet: bool,
    pub(super) log: Option<LogLevel>,
    pub(super) threads: Setting<usize>,
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
    /// The parser of texts.
    pub(super) analyzer: Arc<Analyzer>,
    mcp_roots: Vec<String>,
    pub(super) config: Config,
}

impl Settings {
    pub(super) fn new(global: &Global) -> anyhow::Result<Self> {
        output::set_color(global.color);
        let config = Config::read(&flags(global), directory(global).as_deref())?;
        let layers = &config.layers;
        Ok(Self {
            analyzer: analyzer(),
            root: global.root.clone(),
            here: global.here,
            revision: global.rev.clone(),
            stale: global.stale && !global.fresh,
            quiet: global.quiet,
            log: global.log,
            threads: layers.number("threads"),
            model: layers.text("model").map(Option::unwrap_or_default),
            gguf: layers.path("gguf"),
            gguf_context: layers.optional_number("gguf_context"),
            budget: layers.number("budget"),
            shape: config.shape(),
            least_confidence: layers.real("least_confidence"),
            tokenizer: layers.path("tokenizer"),
            mcp_roots: layers.texts("mcp_roots"),
            config,
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
        chat.help = self.config.help(chat.limits.parallel)?;
        chat.reranker = self.conversing_model(Role::Rerank)?.map(Box::new);
        Ok(Some(chat))
    }

    /// The next-edit model, if configured.
    pub(super) fn edit_model(&self) -> anyhow::Result<Option<EditModel>> {
        Ok(self.config.edit_model()?.map(EditModel::new))
    }

    /// The conversing model of a role, if configured.
    fn conversing_model(&self, role: Role) -> anyhow::Result<Option<ChatSettings>> {
        let role = self.role(role);
        if !role.is_named() {
            return Ok(None);
        }
        role.check()?;
        let key = role.key()?;
        let price =
            |name: &str| self.config.layers.real(&Role::Chat.key(name)).value.unwrap_or(0.0);
        let prices = Prices { prompt: price("prompt_price"), answer: price("answer_price") };
        let hourly = self.config.layers.text(&Role::Chat.key("hourly")).value;
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
        self.config.embedder()
    }

    /// Model settings of a role.
    pub(super) fn role(&self, role: Role) -> RoleSettings {
        self.config.role(role)
    }

    /// Settings of the host.
    pub(super) fn setup(&self) -> Setup {
        let revision = self.revision.clone();
        Setup { here: self.here, revision, ..self.config.setup(&self.analyzer) }
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
        self.config.walk()
    }

    /// Limits of reading.
    pub(super) fn limits(&self) -> ReadLimits {
        self.config.limits()
    }
}

/// The working directory of the command, with links resolved.
fn directory(global: &Global) -> Option<PathBuf> {
    dunce::canonicalize(global.root.as_deref().unwrap_or(Path::new("."))).ok()
}
