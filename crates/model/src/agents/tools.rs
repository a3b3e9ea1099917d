//! Tools of the agents. They read only the snapshot and the history, so files outside of the index are not accessible, and
//! secrets are masked.

use foreword_engine::ask::{AskRequest, EvidenceItem, gather, read};
use foreword_engine::index::FileId;
use foreword_engine::speculate::StatedLines;
use serde_json::{Value, json};

use super::Subject;
use super::render::{numbered, text_tokens};
use crate::ask::{one_line, plain};
use crate::chat::{Tool, ToolCall};

/// Maximum tokens of a search result.
const SEARCH_TOKENS: usize = 1_500;
/// Maximum lines of one `read`.
const LINES: u32 = 120;
/// Maximum number of listed definitions, uses, files or commits.
const LISTED: usize = 30;

/// The tools with their descriptions for the model.
pub(super) fn offered() -> Vec<Tool> {
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: json!({
            "type": "object", "properties": properties, "required": required,
        }),
    };
    let (text, line) = (json!({ "type": "string" }), json!({ "type": "integer", "minimum": 1 }));
    vec![
        tool(
            "search",
            "Finds code and documents of the repository by a question in plain words or by a name.",
            json!({ "query": text }),
            &["query"],
        ),
        tool(
            "symbols",
            "Says where a name is defined and where it is used; with a path instead of a name, what the file defines.",
            json!({ "name": text, "path": text }),
            &[],
        ),
        tool(
            "read",
            "Reads lines of one file.",
            json!({ "path": text, "start_line": line, "end_line": line }),
            &["path", "start_line"],
        ),
        tool("list", "Lists the files of a directory.", json!({ "path": text }), &["path"]),
        tool(
            "log",
            "Lists the last commits that changed a file, with the files that they changed beside it.",
            json!({ "path": text }),
            &["path"],
        ),
    ]
}

/// Answers calls within a token budget.
pub(super) struct Toolbox<'a> {
    subject: Subject<'a>,
    left: u64,
    /// Earlier calls of the conversation.
    calls: Vec<(String, String)>,
    /// The lines that the tools have shown in all conversations.
    shown: Vec<StatedLines>,
}

impl<'a> Toolbox<'a> {
    pub(super) fn new(subject: Subject<'a>, tokens: usize) -> Self {
        Self { subject, left: tokens as u64, calls: Vec::new(), shown: Vec::new() }
    }

    /// Starts another conversation, in which no call is a repetition yet.
    pub(super) fn begin(&mut self) {
        self.calls.clear();
    }

    /// The lines that the tools have shown, or whose place and signature they have told.
    pub(super) fn shown(&self) -> &[StatedLines] {
        &self.shown
    }

    fn note(&mut self, path: &str, (first_line, last_line): (u32, u32)) {
        let path = path.to_owned();
        self.shown.push(StatedLines { path, first_line, last_line, what: String::new() });
    }

    /// Answers a call with a text for the model.
    pub(super) fn call(&mut self, call: &ToolCall) -> String {
        let text = self.answer(call).unwrap_or_else(|error| error);
        // Errors count, too: a model may make only mistakes.
        let end = text.floor_char_boundary((self.left * 3) as usize);
        let text = plain(&text[..end]);
        self.left = self.left.saturating_sub(text_tokens(&text));
        text
    }

    fn answer(&mut self, call: &ToolCall) -> Result<String, String> {
        if self.left == 0 {
            return Err("there are no tokens left for more; answer from what you have".to_owned());
        }
        let arguments =
            call.parsed_arguments().map_err(|it| format!("the arguments are no JSON: {it}"))?;
        let asked = (call.name.clone(), arguments.to_string());
        if self.calls.contains(&asked) {
            return Err("you were shown that already; ask for something else, or answer".to_owned());
        }
        self.calls.push(asked);
        let text = |name: &str| arguments[name].as_str().map(str::trim).filter(|it| !it.is_empty());
        let path = || text("path").map(|it| it.trim_start_matches("./"));
        match call.name.as_str() {
            "search" => self.search(text("query").ok_or("search needs `query`, a text")?),
            "read" => self.read(path().ok_or("read needs `path`, a text")?, &arguments),
            "symbols" => match (text("name"), path()) {
                (Some(name), _) => self.symbol(name),
                (None, Some(path)) => self.outline(path),
                (None, None) => Err("symbols needs `name` or `path`, a text".to_owned()),
            },
            "list" => self.list(arguments["path"].as_str().unwrap_or_default()),
            "log" => self.log(path().ok_or("log needs `path`, a text")?),
            other => Err(format!(
                "{other}: there is no such tool; there are search, symbols, read, list, log"
            )),
        }
    }

    fn search(&mut self, query: &str) -> Result<String, String> {
        let Subject { snapshot, repository, .. } = self.subject;
        let tokens = SEARCH_TOKENS.min(self.left as usize);
        let request = AskRequest { question: query, repository, tokens, ..AskRequest::default() };
        let gathered = gather(snapshot, &request, &|text| text_tokens(text) as usize);
        match gathered.strength.is_enough() && !gathered.evidence.is_empty() {
            true => {
                let lines = |it: &EvidenceItem| (it.start_line, it.end_line);
                gathered.evidence.iter().for_each(|it| self.note(&it.path, lines(it)));
                Ok(gathered.evidence.iter().map(shown).collect())
            }
            false => Err(format!("nothing in the repository is about \"{query}\"")),
        }
    }

    fn read(&mut self, path: &str, arguments: &Value) -> Result<String, String> {
        let number = |name: &str| arguments[name].as_u64().and_then(|it| u32::try_from(it).ok());
        let first = number("start_line").unwrap_or(1).max(1);
        let most = first.saturating_add(LINES - 1);
        let last = number("end_line").unwrap_or(most).clamp(first, most);
        let snapshot = self.subject.snapshot;
        let item = read(snapshot, path, (first, last), &|text| text_tokens(text) as usize);
        let item = item.ok_or_else(|| not_there(path))?;
        let lines =
            self.subject.snapshot.file(path).map_or(0, |it| snapshot.text(it).lines().count());
        match first as usize > lines.max(1) {
            true => Err(format!("{path} has {lines} lines")),
            false => {
                self.note(path, (item.start_line, item.end_line));
                Ok(shown(&item))
            }
        }
    }

    fn symbol(&mut self, name: &str) -> Result<String, String> {
        let snapshot = self.subject.snapshot;
        let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name).trim_end_matches("()");
        let mut text = String::new();
        for site in snapshot.definitions(last).into_iter().take(LISTED) {
            text.push_str(&format!("defined {}", self.definition(site.file, site.definition)));
        }
        let uses = snapshot.references(last);
        for (file, _) in uses.iter().take(LISTED) {
            text.push_str(&self.uses_in(*file, last));
        }
        if uses.len() > LISTED {
            text.push_str(&format!("used in {} more files\n", uses.len() - LISTED));
        }
        match text.is_empty() {
            true => Err(format!("{last} is neither defined nor used in the repository")),
            false => Ok(text),
        }
    }

    /// The first uses of a name in a file.
    fn uses_in(&self, file: FileId, name: &str) -> String {
        let snapshot = self.subject.snapshot;
        let (path, text) = (one_line(snapshot.path(file)), snapshot.text(file));
        let references = snapshot.references_in(file);
        let uses = references.iter().filter(|it| it.name.of(&text) == name).take(3);
        let start = |at: usize| text[..at].rfind('\n').map_or(0, |it| it + 1);
        let shown = |at: usize| text[start(at)..].lines().next().unwrap_or_default();
        uses.map(|it| it.name.start as usize)
            .map(|at| {
                let code = shown(at).trim();
                let end = code.floor_char_boundary(160);
                format!("used {path}:{}: {}\n", line_of(&text, at), &code[..end])
            })
            .collect()
    }

    /// Location and signature of a definition.
    fn definition(&mut self, file: FileId, idx: u32) -> String {
        let snapshot = self.subject.snapshot;
        let (text, record) = snapshot.contents(file);
        let Some(it) = record.symbols.definitions.get(idx as usize) else { return String::new() };
        let (start, end) = (it.span.start as usize, it.span.end as usize);
        let (first, last) =
            (line_of(&text, start), line_of(&text, end.saturating_sub(1).max(start)));
        self.note(snapshot.path(file), (first as u32, last as u32));
        let signature = it.signature.of(&text).split_whitespace().collect::<Vec<_>>().join(" ");
        let end = signature.floor_char_boundary(160);
        format!("{}:{first}-{last}: {}\n", one_line(snapshot.path(file)), &signature[..end])
    }

    fn outline(&mut self, path: &str) -> Result<String, String> {
        let snapshot = self.subject.snapshot;
        let file = snapshot.file(path).ok_or_else(|| not_there(path))?;
        let n = snapshot.record(file).symbols.definitions.len();
        let shown: String =
            (0..n.min(4 * LISTED) as u32).map(|it| self.definition(file, it)).collect();
        if n == 0 { Err(format!("{path} defines nothing")) } else { Ok(shown) }
    }

    fn list(&self, path: &str) -> Result<String, String> {
        let snapshot = self.subject.snapshot;
        let name = path.trim().trim_start_matches("./").trim_matches('/');
        let directory = if matches!(name, "" | ".") { String::new() } else { format!("{name}/") };
        let mut entries: Vec<String> = Vec::new();
        for file in snapshot.files_under(&directory) {
            let rest = &snapshot.path(file)[directory.len()..];
            let entry = rest.split_once('/').map_or(rest.to_owned(), |it| format!("{}/", it.0));
            let entry = one_line(&entry);
            // Paths are sorted, so entries of one directory are adjacent.
            if entries.last() != Some(&entry) {
                entries.push(entry);
            }
        }
        let n = entries.len();
        entries.truncate(4 * LISTED);
        let more = if n > entries.len() {
            format!("\nand {} more", n - entries.len())
        } else {
            String::new()
        };
        match n {
            0 => Err(format!("{name}: there is no such directory in the repository")),
            _ => Ok(format!("{}{more}\n", entries.join("\n"))),
        }
    }

    fn log(&self, path: &str) -> Result<String, String> {
        let Subject { snapshot, history, .. } = self.subject;
        snapshot.file(path).ok_or_else(|| not_there(path))?;
        let number = history.paths.iter().position(|it| it == path).map(|it| it as u32);
        let last = history.commits.first().map_or(0, |it| it.time);
        let commits =
            history.commits.iter().filter(|it| number.is_some_and(|n| it.files.contains(&n)));
        let mut text = String::new();
        for commit in commits.take(LISTED) {
            let others = commit.files.iter().filter(|it| Some(**it) != number);
            let others = others.filter_map(|it| history.paths.get(*it as usize));
            // Files outside of the index are not named.
            let others: Vec<&str> =
                others.map(String::as_str).filter(|it| snapshot.file(it).is_some()).collect();
            let days = (last - commit.time).max(0) / 86_400;
            let id: String = commit.id[..4].iter().map(|it| format!("{it:02x}")).collect();
            let shown = one_line(&others[..others.len().min(8)].join(", "));
            text.push_str(&format!(
                "{id}, {days} days before the last commit: {} other files {shown}\n",
                others.len()
            ));
        }
        match text.is_empty() {
            true => Err(format!("no commit that is known changed {path}")),
            false => Ok(text),
        }
    }
}

/// A piece with numbered lines.
fn shown(it: &EvidenceItem) -> String {
    let mut text = format!("{}:{}-{}\n", one_line(&it.path), it.start_line, it.end_line);
    for (number, line) in (it.start_line..).zip(it.text.lines()) {
        text.push_str(&numbered(number, line));
    }
    text.push('\n');
    text
}

/// The 1-based line of a byte offset.
fn line_of(text: &str, at: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at.min(text.len())]).count()
}

fn not_there(path: &str) -> String {
    let path: String = path.chars().take(200).collect();
    format!("{path}: there is no such file in the repository")
}
