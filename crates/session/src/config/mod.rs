//! Settings in force: from the command line, the environment, the user's file, or defaults.
//!
//! `definitions` is the table of all settings; `layers` finds the value and source of each.

mod definitions;
mod edit_model;
mod embedder;
mod file;
mod help;
mod layers;
mod role;
mod role_settings;
mod shape;
mod value;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use foreword_load::{Analyzer, Environment, Limits, WalkConfig};
use foreword_model::ask::HelpSettings;
use foreword_model::embed::EmbedderSettings;

use crate::backend::EditSettings;
use crate::seed::ClusterSettings;
use crate::setup::{FeedbackUse, Setup};
use crate::usage::usage;
use file::ConfigFile;

pub use definitions::Definition;
pub use layers::{Layers, Origin, ResolvedSetting, Setting};
pub use role::Role;
pub use role_settings::RoleSettings;
pub use shape::Shape;
pub use value::{Kind, Value};

/// Values that take precedence over the user's file, by the key of the setting, as a command line has them.
pub type Flags = BTreeMap<&'static str, OsString>;

/// Maximum size of an explicitly named file, unless larger files are indexed; bounds memory.
const MAX_NAMED_BYTES: u64 = 64 << 20;

/// The settings in force.
#[derive(Debug)]
pub struct Config {
    /// All settings.
    pub layers: Layers,
    /// The user's file, if it exists.
    pub file: Option<PathBuf>,
}

impl Config {
    /// Reads the user's file. For a command in `directory`, its tables of the workspaces around it count first.
    pub fn read(flags: &Flags, directory: Option<&Path>) -> anyhow::Result<Self> {
        let file = path().filter(|it| it.is_file());
        let read = |it| ConfigFile::read(it, directory);
        let table = file.as_deref().map_or(Ok(ConfigFile::default()), read)?;
        let mut layers = Layers::new(flags, &table)?;
        only_one_model(flags, &mut layers)?;
        Ok(Self { layers, file })
    }

    /// Files to index, their index directory and resources, in the repository around a directory.
    pub fn setup(&self, analyzer: &Arc<Analyzer>) -> Setup {
        Setup {
            here: false,
            revision: None,
            index_dir: self.layers.path("index_dir").value,
            memory: self.layers.number("memory").value,
            threads: self.layers.number("threads").value,
            git_alternates: self.layers.texts("git_alternates").iter().map(PathBuf::from).collect(),
            walk: self.walk(),
            limits: self.limits(),
            analyzer: Arc::clone(analyzer),
            customise: self.layers.text("customise").value.as_deref() != Some("off"),
            remember: self.layers.text("remember").value.as_deref() != Some("off"),
            feedback: match self.layers.text("feedback").value.as_deref() {
                Some("off") => FeedbackUse::Off,
                Some("all") => FeedbackUse::All,
                _ => FeedbackUse::Votes,
            },
            forecasts: self.layers.number("forecasts").value,
            embedder: self.embedder().ok().flatten(),
            cluster: self.cluster(),
        }
    }

    /// The cluster that answers while there is no index.
    pub fn cluster(&self) -> Option<ClusterSettings> {
        let text = |name: &str| self.layers.text(name).value;
        Some(ClusterSettings {
            url: text("cluster.url")?,
            index: text("cluster.index").unwrap_or_default(),
            key: text("cluster.key").map(PathBuf::from),
            timeout: self.cluster_timeout(),
        })
    }

    /// Longest wait for one answer of a cluster; `None` for the usual one.
    pub fn cluster_timeout(&self) -> Option<Duration> {
        let seconds = self.layers.optional_number("cluster.timeout").value?;
        Some(Duration::from_secs(seconds.max(1) as u64))
    }

    /// Settings of the directory walk.
    pub fn walk(&self) -> WalkConfig {
        WalkConfig {
            threads: self.layers.number("threads").value,
            record_ignored: false,
            global_excludes: Environment::current().global_excludes,
            rules: self.layers.texts("ignore"),
            not_secret: self.layers.texts("not_secret"),
        }
    }

    /// Limits of reading.
    pub fn limits(&self) -> Limits {
        let max_file_size = self.layers.number("max_file_size").value as u64;
        Limits { max_file_size, ..Limits::default() }
    }

    /// Maximum size of an explicitly named file.
    pub fn max_named_bytes(&self) -> u64 {
        self.limits().max_file_size.max(MAX_NAMED_BYTES)
    }

    /// The embedding model's settings, if it is configured. Fails on invalid ones.
    pub fn embedder(&self) -> anyhow::Result<Option<EmbedderSettings>> {
        embedder::embedder(&self.layers, self.file.as_deref())
    }

    /// The next-edit model's settings, if it is configured. Fails on invalid ones.
    pub fn edit_model(&self) -> anyhow::Result<Option<EditSettings>> {
        edit_model::edit_model(&self.layers, self.file.as_deref())
    }

    /// Model settings of a role.
    pub fn role(&self, role: Role) -> RoleSettings {
        RoleSettings::new(role, &self.layers, self.file.as_deref())
    }

    /// Help of models before answers; `parallel` is the model's limit.
    pub fn help(&self, parallel: Option<usize>) -> anyhow::Result<HelpSettings> {
        help::settings(&self.layers, parallel)
    }

    /// Settings of prompts.
    pub fn shape(&self) -> Shape {
        Shape::of(&self.layers)
    }
}

/// The settings that the environment has in place of flags.
pub fn environment() -> Flags {
    let variables = definitions::definitions().into_iter().filter_map(|it| it.flag());
    let value = |(key, variable)| Some((key, std::env::var_os(variable)?));
    variables.filter_map(value).filter(|it: &(_, OsString)| !it.1.is_empty()).collect()
}

/// Rejects a server together with a model file. Those of the command line or environment replace those of the user's
/// file.
fn only_one_model(flags: &Flags, layers: &mut Layers) -> anyhow::Result<()> {
    match (flags.contains_key("model_url"), flags.contains_key("gguf")) {
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

/// The user's file: `$XDG_CONFIG_HOME/foreword/config.toml`, else `~/.config/foreword/config.toml`.
pub fn path() -> Option<PathBuf> {
    Some(base()?.join("foreword").join("config.toml"))
}

/// Directory of the user's settings: `$XDG_CONFIG_HOME`, else `~/.config`.
pub fn base() -> Option<PathBuf> {
    Environment::current().config_dir
}
