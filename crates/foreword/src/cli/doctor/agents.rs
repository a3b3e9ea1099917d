//! Coding agents and editors configured to start `foreword mcp` or connect to `foreword serve`, and whether that would
//! work. `foreword setup` writes their files.

use std::ffi::OsStr;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::time::Duration;

use foreword_session::usage::PAGES;
use serde_json::Value;

use super::Check;
use crate::cli::setup::clients::{CLIENTS, Client, Locations, Scope, is_on_path};

/// Time limit of a connection to a server.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(300);

/// A configured server.
pub(in crate::cli) enum ServerEntry {
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
    CLIENTS.iter().filter_map(|it| check(it, locations)).collect()
}

/// `None` if the client has no file here.
fn check(client: &Client, locations: &Locations) -> Option<Check> {
    let mut files = client.files(Scope::User, locations);
    files.extend(client.files(Scope::Project, locations));
    files.retain(|it| it.is_file());
    let first = files.first()?;
    for file in &files {
        let shown = file.display();
        let value = match read(file) {
            Ok(value) => value,
            Err(why) => {
                let mend = format!("fix {shown}");
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
    let found = format!(
        "not set up for foreword in {}; `foreword setup {}` does it",
        first.display(),
        client.id
    );
    Some(Check::good(client.name, found))
}

fn read(file: &Path) -> Result<Value, String> {
    parse_file(&std::fs::read_to_string(file).map_err(|it| it.to_string())?, file)
}

/// The value of a file's text; null if it has none.
pub(in crate::cli) fn parse_file(text: &str, file: &Path) -> Result<Value, String> {
    if file.extension() == Some(OsStr::new("toml")) {
        // Omits the line itself: a repository's file may be a link to any other.
        return toml::from_str(text).map_err(|it: toml::de::Error| it.message().replace('\n', " "));
    }
    // Editors allow comments and trailing commas.
    let options = jsonc_parser::ParseOptions::default();
    jsonc_parser::parse_to_serde_value::<Value>(text, &options).map_err(|it| it.to_string())
}

/// The entry for foreword, by name or command, in the project's table or the general one.
pub(in crate::cli) fn entry(
    value: &Value,
    table: &str,
    root: Option<&Path>,
) -> Option<ServerEntry> {
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
    (!is_on_path(command)).then(|| format!("{named} is not on PATH"))
}
