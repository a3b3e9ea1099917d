//! Agents and editors that start `foreword mcp`: the files in which they look for servers, and the entry that each reads
//! (docs/agents.md shows the same; a test compares them).

use std::path::{Path, PathBuf};

/// A client that starts servers.
pub(in crate::cli) struct Client {
    /// Name on the command line.
    pub(in crate::cli) id: &'static str,
    pub(in crate::cli) name: &'static str,
    /// The servers' table in its files.
    pub(in crate::cli) table: &'static str,
    /// The entry for foreword, as JSON.
    pub(in crate::cli) entry: &'static str,
    /// Its program.
    program: &'static str,
    /// A directory or file that it makes.
    sign: Base,
    /// Its files for all projects; several where systems or versions differ.
    user: &'static [Base],
    /// Its files in a project.
    project: &'static [&'static str],
}

/// A path below a directory of the user.
#[derive(Clone, Copy)]
enum Base {
    Home(&'static str),
    Config(&'static str),
    /// Below the directory that an environment variable names, else below one of the home directory.
    Variable(&'static str, &'static str, &'static str),
}

use Base::{Config, Home, Variable};

/// The file of Claude Code, which is beside its other files only if the variable is set.
const CLAUDE: Base = Variable("CLAUDE_CONFIG_DIR", "", ".claude.json");

/// What most clients read.
const PLAIN: &str = r#"{ "command": "foreword", "args": ["mcp"] }"#;

pub(in crate::cli) const CLIENTS: [Client; 14] = [
    Client {
        id: "claude",
        name: "Claude Code",
        table: "mcpServers",
        entry: PLAIN,
        program: "claude",
        sign: CLAUDE,
        user: &[CLAUDE],
        project: &[".mcp.json"],
    },
    Client {
        id: "codex",
        name: "Codex",
        table: "mcp_servers",
        entry: PLAIN,
        program: "codex",
        sign: Variable("CODEX_HOME", ".codex", ""),
        user: &[Variable("CODEX_HOME", ".codex", "config.toml")],
        project: &[".codex/config.toml"],
    },
    Client {
        id: "vscode",
        name: "VS Code",
        table: "servers",
        entry: r#"{ "type": "stdio", "command": "foreword", "args": ["mcp"] }"#,
        program: "code",
        sign: Config("Code/User"),
        user: &[
            Config("Code/User/mcp.json"),
            Home("Library/Application Support/Code/User/mcp.json"),
            Home("AppData/Roaming/Code/User/mcp.json"),
        ],
        project: &[".vscode/mcp.json"],
    },
    Client {
        id: "cursor",
        name: "Cursor",
        table: "mcpServers",
        entry: PLAIN,
        program: "cursor",
        sign: Home(".cursor"),
        user: &[Home(".cursor/mcp.json")],
        project: &[".cursor/mcp.json"],
    },
    Client {
        id: "zed",
        name: "Zed",
        table: "context_servers",
        entry: r#"{ "command": "foreword", "args": ["mcp"], "env": {} }"#,
        program: "zed",
        sign: Config("zed"),
        user: &[Config("zed/settings.json"), Home("AppData/Roaming/Zed/settings.json")],
        project: &[".zed/settings.json"],
    },
    Client {
        id: "copilot",
        name: "Copilot CLI",
        table: "mcpServers",
        entry: r#"{ "type": "local", "command": "foreword", "args": ["mcp"], "tools": ["*"] }"#,
        program: "copilot",
        sign: Home(".copilot"),
        user: &[Home(".copilot/mcp-config.json")],
        project: &[".mcp.json"],
    },
    Client {
        id: "gemini",
        name: "Gemini CLI",
        table: "mcpServers",
        entry: PLAIN,
        program: "gemini",
        sign: Home(".gemini/settings.json"),
        user: &[Home(".gemini/settings.json")],
        project: &[".gemini/settings.json"],
    },
    Client {
        id: "antigravity",
        name: "Antigravity",
        table: "mcpServers",
        entry: PLAIN,
        program: "agy",
        sign: Home(".gemini/config"),
        user: &[
            Home(".gemini/config/mcp_config.json"),
            Home(".gemini/antigravity-cli/mcp_config.json"),
        ],
        project: &[".agents/mcp_config.json"],
    },
    Client {
        id: "qwen",
        name: "Qwen Code",
        table: "mcpServers",
        entry: PLAIN,
        program: "qwen",
        sign: Home(".qwen"),
        user: &[Home(".qwen/settings.json")],
        project: &[".mcp.json"],
    },
    Client {
        id: "opencode",
        name: "opencode",
        table: "mcp",
        entry: r#"{ "type": "local", "command": ["foreword", "mcp"] }"#,
        program: "opencode",
        sign: Config("opencode"),
        user: &[Config("opencode/opencode.json"), Config("opencode/opencode.jsonc")],
        project: &["opencode.json", "opencode.jsonc"],
    },
    Client {
        id: "cline",
        name: "Cline",
        table: "mcpServers",
        entry: PLAIN,
        program: "cline",
        sign: Home(".cline"),
        user: &[
            Home(".cline/data/settings/cline_mcp_settings.json"),
            Config(
                "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            ),
        ],
        project: &[],
    },
    Client {
        id: "continue",
        name: "Continue",
        table: "mcpServers",
        entry: PLAIN,
        program: "cn",
        sign: Home(".continue"),
        user: &[Home(".continue/mcpServers/foreword.json")],
        project: &[".continue/mcpServers/foreword.json"],
    },
    Client {
        id: "windsurf",
        name: "Windsurf",
        table: "mcpServers",
        entry: PLAIN,
        program: "windsurf",
        sign: Home(".codeium/windsurf"),
        user: &[Home(".codeium/windsurf/mcp_config.json")],
        project: &[],
    },
    Client {
        id: "junie",
        name: "Junie",
        table: "mcpServers",
        entry: PLAIN,
        program: "junie",
        sign: Home(".junie"),
        user: &[Home(".junie/mcp/mcp.json")],
        project: &[".junie/mcp/mcp.json"],
    },
];

/// Whose files are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Scope {
    User,
    Project,
}

/// Directories with configuration files.
pub(in crate::cli) struct Locations {
    pub(in crate::cli) home: PathBuf,
    /// Directory of the user's settings.
    pub(in crate::cli) config: PathBuf,
    /// Root of the current repository, if any.
    pub(in crate::cli) root: Option<PathBuf>,
}

impl Locations {
    /// Those of this process; `None` without a home directory.
    pub(in crate::cli) fn current(root: Option<PathBuf>) -> Option<Self> {
        let home = foreword_load::Environment::current().home?;
        Some(Self { home, config: foreword_session::config::base()?, root })
    }

    /// The innermost of the directories that a path is below.
    pub(super) fn base(&self, path: &Path) -> &Path {
        let all = [Some(&self.config), self.root.as_ref(), Some(&self.home)];
        let around = all.into_iter().flatten().filter(|it| path.starts_with(it));
        around.max_by_key(|it| it.components().count()).unwrap_or(&self.home)
    }

    fn path(&self, base: Base) -> PathBuf {
        match base {
            Home(path) => self.home.join(path),
            Config(path) => self.config.join(path),
            Variable(name, directory, path) => std::env::var_os(name)
                .filter(|it| !it.is_empty())
                .map_or_else(|| self.home.join(directory), PathBuf::from)
                .join(path),
        }
    }
}

impl Client {
    /// Its files of a scope that may exist.
    pub(in crate::cli) fn files(&self, scope: Scope, locations: &Locations) -> Vec<PathBuf> {
        match (scope, &locations.root) {
            (Scope::User, _) => self.user.iter().map(|it| locations.path(*it)).collect(),
            (Scope::Project, Some(root)) => self.project.iter().map(|it| root.join(it)).collect(),
            (Scope::Project, None) => Vec::new(),
        }
    }

    /// The file to write: the first that exists, else the first whose directory does, else the first.
    pub(in crate::cli) fn file(&self, scope: Scope, locations: &Locations) -> Option<PathBuf> {
        let files = self.files(scope, locations);
        let existing = files.iter().find(|it| it.is_file());
        let near = || files.iter().find(|it| it.parent().is_some_and(Path::is_dir));
        existing.or_else(near).or(files.first()).cloned()
    }

    pub(in crate::cli) fn is_installed(&self, locations: &Locations) -> bool {
        let has_file = || self.user.iter().any(|it| locations.path(*it).is_file());
        locations.path(self.sign).exists() || has_file() || is_on_path(Path::new(self.program))
    }
}

/// Whether a program is in one of the directories of `PATH`.
pub(in crate::cli) fn is_on_path(program: &Path) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|it| it.join(program))
        .any(|it| ["", "exe", "cmd"].iter().any(|end| it.with_extension(end).is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_the_files_of_every_client() {
        let page = include_str!("../../../../../docs/agents.md");
        for it in &CLIENTS {
            let user = match it.user[0] {
                Home(path) => format!("~/{path}"),
                Config(path) => format!("~/.config/{path}"),
                Variable(_, "", path) => format!("~/{path}"),
                Variable(_, directory, path) => format!("~/{directory}/{path}"),
            };
            let project = it.project.first().map_or("none".to_owned(), |it| format!("`{it}`"));
            let row = format!("| {} | `{}` | `{user}` | {project} |", it.name, it.id);
            assert!(page.contains(&row), "{row}");
        }
    }
}
