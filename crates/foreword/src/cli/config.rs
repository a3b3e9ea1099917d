//! Settings and where each comes from: flag, environment, the user's file, default.

use std::path::PathBuf;

use foreword_load::{Environment, Limits as ReadLimits, WalkConfig};
use serde::{Deserialize, Serialize};

use super::args::{ConfigArgs, Global};
use super::{Outcome, output, usage};
use crate::backend::{BackendSettings, Limits, ModelFile};
use crate::host::Setup;

/// More threads than this are not started, however many are asked for: each costs memory of its own.
const MOST_THREADS: usize = 256;

/// A value and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Setting<T> {
    pub(super) value: T,
    pub(super) origin: String,
}

/// What the user's `config.toml` may hold; every key is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    index_dir: Option<PathBuf>,
    memory: Option<String>,
    threads: Option<usize>,
    max_file_size: Option<String>,
    model: Option<String>,
    model_url: Option<String>,
    model_api: Option<String>,
    gguf: Option<PathBuf>,
    gguf_context: Option<usize>,
    budget: Option<usize>,
    tokenizer: Option<PathBuf>,
    #[serde(default)]
    ignore: Vec<String>,
    #[serde(default)]
    not_secret: Vec<String>,
}

/// The settings in force.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) root: Option<PathBuf>,
    pub(super) here: bool,
    pub(super) stale: bool,
    pub(super) quiet: bool,
    pub(super) index_dir: Setting<Option<PathBuf>>,
    pub(super) memory: Setting<usize>,
    pub(super) threads: Setting<usize>,
    pub(super) max_file_size: Setting<u64>,
    pub(super) model: Setting<String>,
    pub(super) model_url: Setting<Option<String>>,
    pub(super) model_api: Setting<Option<String>>,
    pub(super) gguf: Setting<Option<PathBuf>>,
    pub(super) gguf_context: Setting<Option<usize>>,
    pub(super) budget: Setting<usize>,
    pub(super) tokenizer: Setting<Option<PathBuf>>,
    pub(super) file: Option<PathBuf>,
    ignore: Vec<String>,
    not_secret: Vec<String>,
}

/// Enough for a batch of some 10 MB of source beside what every run needs.
const MEMORY: usize = 192 << 20;

impl Settings {
    pub(super) fn new(global: &Global) -> anyhow::Result<Self> {
        output::set_color(global.color);
        let path = config_path();
        let (mut file, path) = match path.filter(|it| it.is_file()) {
            Some(path) => (read(&path)?, Some(path)),
            None => (File::default(), None),
        };
        let named = (global.model_url.is_some(), global.gguf.is_some());
        only_one_model(named, &mut file)?;
        let named = path.as_ref().map_or_else(String::new, |it| it.display().to_string());
        let from = |flag: bool, in_file: bool, variable: &str| {
            let by_environment = std::env::var_os(variable).is_some();
            match (flag, in_file) {
                (true, _) if by_environment => format!("flag or ${variable}"),
                (true, _) => "flag".to_owned(),
                (false, true) => named.clone(),
                (false, false) => "default".to_owned(),
            }
        };
        let size = |flag: &Option<String>, in_file: &Option<String>, key: &str, default: usize| {
            let text = flag.as_ref().or(in_file.as_ref());
            text.map_or(Ok(default), |it| parse_size(it, key))
        };
        Ok(Self {
            root: global.root.clone(),
            here: global.here,
            stale: global.stale && !global.fresh,
            quiet: global.quiet,
            index_dir: Setting {
                origin: from(
                    global.index_dir.is_some(),
                    file.index_dir.is_some(),
                    "FOREWORD_INDEX_DIR",
                ),
                value: global.index_dir.clone().or(file.index_dir),
            },
            memory: Setting {
                origin: from(global.memory.is_some(), file.memory.is_some(), "FOREWORD_MEMORY"),
                value: size(&global.memory, &file.memory, "memory", MEMORY)?,
            },
            threads: Setting {
                origin: from(global.threads.is_some(), file.threads.is_some(), "FOREWORD_THREADS"),
                value: global.threads.or(file.threads).unwrap_or(0).min(MOST_THREADS),
            },
            max_file_size: Setting {
                origin: from(
                    global.max_file_size.is_some(),
                    file.max_file_size.is_some(),
                    "FOREWORD_MAX_FILE_SIZE",
                ),
                value: size(&global.max_file_size, &file.max_file_size, "max_file_size", 1 << 20)?
                    as u64,
            },
            model: Setting {
                origin: from(false, file.model.is_some(), ""),
                value: file.model.unwrap_or_else(|| "qwen2.5-coder".to_owned()),
            },
            model_url: Setting {
                origin: from(
                    global.model_url.is_some(),
                    file.model_url.is_some(),
                    "FOREWORD_MODEL_URL",
                ),
                value: global.model_url.clone().or(file.model_url),
            },
            model_api: Setting {
                origin: from(
                    global.model_api.is_some(),
                    file.model_api.is_some(),
                    "FOREWORD_MODEL_API",
                ),
                value: global.model_api.clone().or(file.model_api),
            },
            gguf: Setting {
                origin: from(global.gguf.is_some(), file.gguf.is_some(), "FOREWORD_GGUF"),
                value: global.gguf.clone().or(file.gguf),
            },
            gguf_context: Setting {
                origin: from(
                    global.gguf_context.is_some(),
                    file.gguf_context.is_some(),
                    "FOREWORD_GGUF_CONTEXT",
                ),
                value: global.gguf_context.or(file.gguf_context),
            },
            budget: Setting {
                origin: from(false, file.budget.is_some(), ""),
                value: file.budget.unwrap_or(4096),
            },
            tokenizer: Setting {
                origin: from(false, file.tokenizer.is_some(), ""),
                value: file.tokenizer,
            },
            file: path,
            ignore: file.ignore,
            not_secret: file.not_secret,
        })
    }

    /// The model that completes; `named` is the model or format that a command's own flag names.
    pub(super) fn backend(&self, named: Option<&str>) -> BackendSettings {
        let file = |path: &PathBuf| ModelFile {
            path: path.clone(),
            context: self.gguf_context.value,
            threads: self.threads.value,
        };
        BackendSettings {
            url: self.model_url.value.clone(),
            api: self.model_api.value.clone(),
            model: named.map(str::to_owned),
            key: std::env::var("FOREWORD_MODEL_KEY").ok().filter(|it| !it.is_empty()),
            gguf: self.gguf.value.as_ref().map(file),
            tokenizer: self.tokenizer.value.clone(),
            limits: Limits::default(),
        }
    }

    /// What is indexed, where, and at what cost.
    pub(super) fn setup(&self) -> Setup {
        Setup {
            here: self.here,
            index_dir: self.index_dir.value.clone(),
            memory: self.memory.value,
            threads: self.threads.value,
            walk: self.walk(),
            limits: self.limits(),
        }
    }

    /// What is walked.
    pub(super) fn walk(&self) -> WalkConfig {
        WalkConfig {
            threads: self.threads.value,
            record_ignored: false,
            global_excludes: Environment::current().global_excludes,
            rules: self.ignore.clone(),
            not_secret: self.not_secret.clone(),
        }
    }

    /// What is read.
    pub(super) fn limits(&self) -> ReadLimits {
        ReadLimits { max_file_size: self.max_file_size.value, ..ReadLimits::default() }
    }
}

/// One model answers: a server's or a file's. What the command line or the environment names goes before what the
/// user's file does; `named` says whether they name a server and a file.
fn only_one_model(named: (bool, bool), file: &mut File) -> anyhow::Result<()> {
    match named {
        (true, true) => {
            return Err(usage(
                "--gguf and --model-url name two models, and one answers; leave one of them out (also $FOREWORD_GGUF and $FOREWORD_MODEL_URL)",
            ));
        }
        (true, false) => file.gguf = None,
        (false, true) => file.model_url = None,
        (false, false) if file.gguf.is_some() && file.model_url.is_some() => {
            return Err(usage(
                "`gguf` and `model_url` in the user's file name two models, and one answers; take one of them out",
            ));
        }
        (false, false) => {}
    }
    Ok(())
}

/// `$XDG_CONFIG_HOME/foreword/config.toml`, else `~/.config/foreword/config.toml`.
fn config_path() -> Option<PathBuf> {
    Some(config_base()?.join("foreword").join("config.toml"))
}

/// Where programs keep the user's settings: `$XDG_CONFIG_HOME`, else `~/.config`.
pub(super) fn config_base() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|it| it.is_absolute());
    base.or_else(|| Environment::current().home.map(|it| it.join(".config")))
}

fn read(path: &std::path::Path) -> anyhow::Result<File> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| usage(format!("{} cannot be read: {error}", path.display())))?;
    toml::from_str(&text).map_err(|error| usage(format!("{}: {error}", path.display())))
}

/// `150M`, `1G`, `4096`.
fn parse_size(text: &str, key: &str) -> anyhow::Result<usize> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &lower[digits.len()..] {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => 0,
    };
    let number = digits.trim().parse::<usize>().ok().filter(|_| factor > 0);
    let size = number.and_then(|it| it.checked_mul(factor));
    size.ok_or_else(|| {
        usage(format!("{key} = {text}: not a size; write bytes, or a number with K, M or G"))
    })
}

#[derive(Serialize)]
struct Row {
    key: &'static str,
    value: serde_json::Value,
    origin: String,
}

/// `foreword config`.
pub(super) fn run(args: &ConfigArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let path = |it: &Option<PathBuf>| it.as_ref().map(|it| it.display().to_string());
    let row =
        |key, value: serde_json::Value, origin: &str| Row { key, value, origin: origin.to_owned() };
    let it = settings;
    let rows = [
        row("index_dir", path(&it.index_dir.value).into(), &it.index_dir.origin),
        row("memory", it.memory.value.into(), &it.memory.origin),
        row("threads", it.threads.value.into(), &it.threads.origin),
        row("max_file_size", it.max_file_size.value.into(), &it.max_file_size.origin),
        row("model", it.model.value.clone().into(), &it.model.origin),
        row("model_url", it.model_url.value.clone().into(), &it.model_url.origin),
        row("model_api", it.model_api.value.clone().into(), &it.model_api.origin),
        row("gguf", path(&it.gguf.value).into(), &it.gguf.origin),
        row("gguf_context", it.gguf_context.value.into(), &it.gguf_context.origin),
        row("budget", it.budget.value.into(), &it.budget.origin),
        row("tokenizer", path(&it.tokenizer.value).into(), &it.tokenizer.origin),
        row("ignore", it.ignore.clone().into(), "list"),
        row("not_secret", it.not_secret.clone().into(), "list"),
    ];
    if args.json {
        let file = it.file.as_ref().or(config_path().as_ref()).map(|it| it.display().to_string());
        return output::json(&serde_json::json!({ "file": file, "settings": rows }));
    }
    let mut text = String::new();
    for Row { key, value, origin } in &rows {
        text.push_str(&format!("{key:14} = {value:24}  # {origin}\n", value = value.to_string()));
    }
    if let Some(path) = config_path() {
        let state = if it.file.is_some() { "read" } else { "not there" };
        text.push_str(&format!("\nuser's file: {} ({state})\n", path.display()));
    }
    output::text(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_with_a_letter() {
        assert_eq!(parse_size("150M", "memory").unwrap(), 150 << 20);
        assert_eq!(parse_size("1g", "memory").unwrap(), 1 << 30);
        assert_eq!(parse_size("4096", "memory").unwrap(), 4096);
        assert!(parse_size("lots", "memory").unwrap_err().to_string().contains("memory = lots"));
        assert!(parse_size("99999999999999999999G", "memory").is_err());
    }
}
