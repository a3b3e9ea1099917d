//! Reads the process environment. No other file does, so everything else can be tested with values.
//!
//! Callers read [`Environment::current`] once and pass it on. Variables, in order of precedence: `FOREWORD_INDEX_DIR`,
//! `XDG_CACHE_HOME`, then the platform's cache directory.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

/// Directories configured by the process environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `FOREWORD_INDEX_DIR`: the directory for all indexes.
    pub index_dir: Option<PathBuf>,
    /// The user's cache directory: `XDG_CACHE_HOME`, else the platform's.
    pub cache_dir: Option<PathBuf>,
    /// The user's data directory: `XDG_DATA_HOME`, else the platform's.
    pub data_dir: Option<PathBuf>,
    /// The user's configuration directory: `XDG_CONFIG_HOME`, else `~/.config`.
    pub config_dir: Option<PathBuf>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The user's global git excludes: `core.excludesFile`, else `git/ignore` in the configuration directory.
    pub global_excludes: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    pub fn current() -> Self {
        let home = absolute_variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        Self {
            // Relative to the working directory, like any path on a command line.
            index_dir: variable("FOREWORD_INDEX_DIR")
                .and_then(|path| std::path::absolute(path).ok()),
            cache_dir: absolute_variable("XDG_CACHE_HOME")
                .or_else(|| platform_cache(home.as_deref())),
            data_dir: absolute_variable("XDG_DATA_HOME").or_else(|| platform_data(home.as_deref())),
            config_dir: absolute_variable("XDG_CONFIG_HOME")
                .or_else(|| Some(home.as_ref()?.join(".config"))),
            home,
            global_excludes: ignore::gitignore::gitconfig_excludes_path(),
        }
    }

    /// The parent of all index directories.
    pub fn index_base(&self) -> Option<PathBuf> {
        self.index_dir.clone().or_else(|| Some(self.cache_dir.as_ref()?.join("foreword")))
    }
}

/// Makes `path` absolute by the working directory, without resolving links.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path)
}

fn platform_cache(home: Option<&Path>) -> Option<PathBuf> {
    if cfg!(windows) {
        return absolute_variable("LOCALAPPDATA")
            .or_else(|| Some(home?.join("AppData").join("Local")));
    }
    let below_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    Some(home?.join(below_home))
}

fn platform_data(home: Option<&Path>) -> Option<PathBuf> {
    if cfg!(windows) {
        return platform_cache(home);
    }
    let below_home =
        if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    Some(home?.join(below_home))
}

/// An empty variable counts as absent, as the XDG specification requires.
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Ignores relative values, as the XDG specification requires.
fn absolute_variable(name: &str) -> Option<PathBuf> {
    variable(name).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_variable_wins_over_the_cache() {
        let mut environment =
            Environment { cache_dir: Some("/c".into()), ..Environment::default() };
        assert_eq!(environment.index_base(), Some(Path::new("/c").join("foreword")));
        environment.index_dir = Some("/i".into());
        assert_eq!(environment.index_base(), Some("/i".into()));
    }

    #[test]
    fn without_a_home_there_is_no_index_base() {
        assert_eq!(Environment::default().index_base(), None);
    }
}
