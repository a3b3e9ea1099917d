//! The first messages of the agents: instructions, and the file with its surroundings.

use foreword_engine::speculate::{Block, requote};

use super::prompts::{FORECASTER, RETRIEVER, without_version};
use super::{AgentConfig, Subject};
use crate::ask::{one_line, plain};
use crate::chat::Message;

/// Maximum number of listed companions, and of listed files of the directory.
const NAMED: usize = 12;

/// Minimum average bytes of a token, for estimates.
pub(super) const BYTES_A_TOKEN: u64 = 3;

/// Estimates the tokens of messages; rather too many.
pub(super) fn tokens(messages: &[Message]) -> u64 {
    messages.iter().map(|it| text_tokens(it.text()) + 8).sum()
}

/// Estimates the tokens of a text; rather too many.
pub(super) fn text_tokens(text: &str) -> u64 {
    text.len() as u64 / BYTES_A_TOKEN + 1
}

/// The first messages of the retriever.
pub(super) fn retriever(subject: &Subject<'_>, config: &AgentConfig) -> Vec<Message> {
    let asked = "Choose the blocks for the next edits of this file.";
    let text = format!("{}{}\n{asked}\n", file(subject, config), surroundings(subject));
    vec![Message::System(without_version(RETRIEVER)), Message::User(text)]
}

/// The first messages of the forecaster, with the chosen blocks.
pub(super) fn forecaster(
    subject: &Subject<'_>,
    blocks: &[Block],
    config: &AgentConfig,
) -> Vec<Message> {
    let mut shown = String::new();
    let mut left = config.tool_tokens / 3;
    for it in blocks {
        let Some(text) = block(subject, it).filter(|it| (text_tokens(it) as usize) < left) else {
            continue;
        };
        left -= text_tokens(&text) as usize;
        shown.push_str(&text);
    }
    if !shown.is_empty() {
        shown = format!("\nCode of the repository that may be of use:\n{shown}");
    }
    let asked = "Foretell what will be added to this file.";
    let text = format!("{}{shown}\n{asked}\n", file(subject, config));
    vec![Message::System(without_version(FORECASTER)), Message::User(text)]
}

fn block(subject: &Subject<'_>, it: &Block) -> Option<String> {
    let place = &it.place;
    let text = subject.snapshot.text(subject.snapshot.file(&place.path)?);
    let quote = requote(it, &text)?;
    let (path, first, last) = (one_line(&place.path), place.first_line, place.last_line);
    Some(plain(&format!("\n{path}:{first}-{last}\n{}", quote.text)))
}

/// The file with numbered lines, up to the limit.
fn file(subject: &Subject<'_>, config: &AgentConfig) -> String {
    let Subject { snapshot, path, repository, .. } = *subject;
    let text = snapshot.file(path).map(|it| snapshot.text(it)).unwrap_or_default();
    let n = text.lines().count();
    let (name, shown) = (one_line(repository), one_line(path));
    let mut res = plain(&format!("Repository: {name}\nFile: {shown}, {n} lines\n\n"));
    let mut left = config.file_tokens as u64;
    for (number, line) in (1..).zip(text.lines()) {
        let line = numbered(number, line);
        let tokens = text_tokens(&line);
        if tokens > left {
            res.push_str(&format!("(lines {number}-{n} are not shown; `read` shows them)\n"));
            break;
        }
        left -= tokens;
        res.push_str(&line);
    }
    res
}

/// A line with its number; a long line is cut.
pub(super) fn numbered(number: u32, line: &str) -> String {
    let end = line.floor_char_boundary(LONGEST_LINE);
    let mark = if end < line.len() { "…" } else { "" };
    format!("{number}| {}{mark}\n", plain(&line[..end]))
}

/// Maximum bytes of a shown line.
const LONGEST_LINE: usize = 400;

/// Files that change together with the file, and those of its directory.
fn surroundings(subject: &Subject<'_>) -> String {
    let Subject { snapshot, path, together, .. } = *subject;
    let mut text = String::new();
    let companions = together.companions(path);
    let companions = companions.iter().map(|it| it.path).filter(|it| snapshot.file(it).is_some());
    add_list(&mut text, "Files that are often changed together with it", companions);
    let directory = path.rsplit_once('/').map_or(String::new(), |it| format!("{}/", it.0));
    let beside = snapshot.files_under(&directory).map(|it| snapshot.path(it));
    let is_beside = |it: &&str| *it != path && !it[directory.len()..].contains('/');
    add_list(&mut text, "Files of the same directory", beside.filter(is_beside));
    text
}

fn add_list<'p>(text: &mut String, title: &str, paths: impl Iterator<Item = &'p str>) {
    let paths: Vec<&str> = paths.take(NAMED).collect();
    if !paths.is_empty() {
        text.push_str(&format!("\n{title}: {}\n", plain(&one_line(&paths.join(", ")))));
    }
}
