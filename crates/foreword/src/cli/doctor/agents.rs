//! Coding agents and editors configured to start `foreword mcp` or connect to `foreword serve`, and whether that would
//! work. Their files are never written (docs/agents.md describes the entries).

use std::ffi::OsStr;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use foreword_session::usage::PAGES;
use serde_json::Value;

use super::Check;

/// Time limit of a connection to a server.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(300);

/// A client that starts servers, with its configuration files.
struct Client {
    name: &'static str,
    /// Name of the servers' table in its files.
    table: &'static str,
    files: Vec<PathBuf>,
}

/// Directories with configuration files.
pub(super) struct Locations {
    pub(super) home: PathBuf,
    /// Directory of the user's settings.
    pub(super) config: PathBuf,
    /// Root of the current repository, if any.
    pub(super) root: Option<PathBuf>,
}

/// A configured server.
enum ServerEntry {
    /// Started by the client.
    Stdio { command: String, args: Vec<String> },
    /// The client connects to `foreword serve`.
    Http { url: String },
}

impl ServerEntry {
    /// The command line or the URL.
    fn describe(&self) -> String {
        match self {
            Self::Stdio { command, args } => format!("`{command} {}`", args.join(" ")),
            Self::Http { url } => url.clone(),
        }
    }

    fn is_foreword(&self) -> bool {
        match self {
            Self::Stdio { command, .. } => {
                Path::new(command).file_stem() == Some(OsStr::new("foreword"))
            }
            Self::Http { .. } => false,
        }
    }
}

/// One check for each client with a file here.
pub(super) fn checks(locations: &Locations) -> Vec<Check> {
    clients(locations).iter().filter_map(|it| check(it, locations)).collect()
}

/// A client with those of its files whose directory exists.
fn of(name: &'static str, table: &'static str, files: [Option<PathBuf>; 3]) -> Client {
    Client { name, table, files: files.into_iter().flatten().collect() }
}

fn clients(locations: &Locations) -> Vec<Client> {
    let home = |path: &str| Some(locations.home.join(path));
    let config = |path: &str| Some(locations.config.join(path));
    let project = |path: &str| locations.root.as_ref().map(|it| it.join(path));
    let codex = std::env::var_os("CODEX_HOME").map(|it| PathBuf::from(it).join("config.toml"));
    let mac = "Library/Application Support/Code/User/mcp.json";
    vec![
        of("Claude Code", "mcpServers", [home(".claude.json"), project(".mcp.json"), None]),
        of(
            "Codex",
            "mcp_servers",
            [codex.or_else(|| home(".codex/config.toml")), project(".codex/config.toml"), None],
        ),
        of(
            "VS Code",
            "servers",
            [config("Code/User/mcp.json"), home(mac), project(".vscode/mcp.json")],
        ),
        of("Cursor", "mcpServers", [home(".cursor/mcp.json"), project(".cursor/mcp.json"), None]),
        of(
            "Gemini CLI",
            "mcpServers",
            [home(".gemini/settings.json"), project(".gemini/settings.json"), None],
        ),
        of(
            "opencode",
            "mcp",
            [
                config("opencode/opencode.json"),
                config("opencode/opencode.jsonc"),
                project("opencode.json"),
            ],
        ),
        of(
            "Zed",
            "context_servers",
            [config("zed/settings.json"), project(".zed/settings.json"), None],
        ),
    ]
}

/// `None` if the client has no file here.
fn check(client: &Client, locations: &Locations) -> Option<Check> {
    let existing: Vec<&PathBuf> = client.files.iter().filter(|it| it.is_file()).collect();
    let first = existing.first()?;
    for file in &existing {
        let shown = file.display();
        let value = match read(file) {
            Ok(value) => value,
            Err(why) => {
                let mend = format!("fix {shown}; foreword does not write it");
                return Some(Check::bad(client.name, format!("{shown}: {why}"), mend));
            }
        };
        let Some(entry) = entry(&value, client.table, locations.root.as_deref()) else { continue };
        let line = format!("{} in {shown}", entry.describe());
        return Some(match problem(&entry) {
            None => Check::good(client.name, line),
            Some(why) => {
                Check::bad(client.name, format!("{line}: {why}"), format!("see {PAGES}/agents.md"))
            }
        });
    }
    let found =
        format!("not set up for foreword in {} ({PAGES}/agents.md says how)", first.display());
    Some(Check::good(client.name, found))
}

fn read(file: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(file).map_err(|it| it.to_string())?;
    if file.extension() == Some(OsStr::new("toml")) {
        // Omits the line itself: a repository's file may be a link to any other.
        return toml::from_str(&text)
            .map_err(|it: toml::de::Error| it.message().replace('\n', " "));
    }
    // Editors allow comments and trailing commas.
    let options = jsonc_parser::ParseOptions::default();
    jsonc_parser::parse_to_serde_value::<Value>(&text, &options).map_err(|it| it.to_string())
}

/// The entry for foreword, by name or command, in the project's table or the general one.
fn entry(value: &Value, table: &str, root: Option<&Path>) -> Option<ServerEntry> {
    let of_project = root.and_then(|it| value.get("projects")?.get(it.to_str()?));
    let tables = [of_project, Some(value)].into_iter().flatten();
    let servers = tables.filter_map(|it| it.get(table)?.as_object()).flatten();
    let entries = servers.filter_map(|(name, it)| {
        let entry = parse(it)?;
        (name == "foreword" || entry.is_foreword()).then_some(entry)
    });
    entries.into_iter().next()
}

/// Parses `url` (Gemini CLI: `httpUrl`), or `command` and `args`; Zed also nests them as `command: { path, args }`,
/// opencode uses one list.
fn parse(server: &Value) -> Option<ServerEntry> {
    let url = server.get("url").or_else(|| server.get("httpUrl"));
    if let Some(url) = url.and_then(Value::as_str) {
        return Some(ServerEntry::Http { url: url.to_owned() });
    }
    if let Some(line) = server.get("command").and_then(Value::as_array) {
        let mut words = line.iter().filter_map(Value::as_str).map(str::to_owned);
        return Some(ServerEntry::Stdio { command: words.next()?, args: words.collect() });
    }
    let (command, args) = match server.get("command")? {
        Value::String(command) => (command.as_str(), server.get("args")),
        nested => (nested.get("path")?.as_str()?, nested.get("args")),
    };
    let args = args.and_then(Value::as_array).into_iter().flatten();
    let args = args.filter_map(Value::as_str).map(str::to_owned).collect();
    Some(ServerEntry::Stdio { command: command.to_owned(), args })
}

/// The reason why the server would not work, if any.
fn problem(entry: &ServerEntry) -> Option<String> {
    match entry {
        ServerEntry::Stdio { command, args } => cannot_start(command, args),
        ServerEntry::Http { url } => cannot_connect(url),
    }
}

fn cannot_connect(url: &str) -> Option<String> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    let Some((authority, "mcp")) = rest.and_then(|it| it.split_once('/')) else {
        return Some("the address for agents is http://HOST:PORT/mcp".to_owned());
    };
    let default = if url.starts_with("https") { 443 } else { 80 };
    let with_port = if authority.rsplit(']').next().is_some_and(|it| it.contains(':')) {
        authority.to_owned()
    } else {
        format!("{authority}:{default}")
    };
    let addresses = with_port.to_socket_addrs().into_iter().flatten();
    let listens =
        addresses.into_iter().any(|it| TcpStream::connect_timeout(&it, CONNECT_TIMEOUT).is_ok());
    (!listens).then(|| format!("no server at {with_port}; start `foreword serve`"))
}

fn cannot_start(named: &str, args: &[String]) -> Option<String> {
    if !args.iter().any(|it| it == "mcp") {
        return Some("the argument `mcp` is missing".to_owned());
    }
    let command = Path::new(named);
    if command.components().count() > 1 {
        return (!command.is_file()).then(|| format!("{named} does not exist"));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = std::env::split_paths(&path)
        .any(|it| it.join(command).is_file() || it.join(command).with_extension("exe").is_file());
    (!there).then(|| format!("{named} is not on PATH"))
}
