//! The answer without a model: a reading list that quotes code and documentation, with citations.

use foreword_chunk::Kind;
use foreword_engine::ask::{EvidenceItem, EvidenceSet, QuestionKind, Role};
use foreword_engine::index::Snapshot;
use serde::Serialize;

use super::verdict::missing;

/// Maximum lines of a definition, and of a document.
const MAX_LINES: usize = 11;
const DOCUMENT_LINES: usize = 6;
const FEW_DOCUMENT_LINES: usize = 3;

/// Maximum key lines of a match after the first.
const FEW_KEY_LINES: usize = 2;

/// Maximum number of nearest places if the repository lacks what the question is about.
const MAX_NEAREST: usize = 5;
const NEAREST_TITLE: &str = "Nearest, perhaps about something else";

/// Styles of a reading list: plain for programs, styles and links for a terminal.
pub struct Look<'l> {
    /// `path:start-end`.
    pub place: &'l dyn Fn(&EvidenceItem) -> String,
    /// A heading.
    pub strong: &'l dyn Fn(&str) -> String,
    /// Less important text.
    pub faint: &'l dyn Fn(&str) -> String,
    /// Text of the repository, without control sequences.
    pub plain: &'l dyn Fn(&str) -> String,
}

/// The reading list of the evidence.
pub fn reading(snapshot: &Snapshot, gathered: &EvidenceSet, look: &Look<'_>) -> String {
    let missing = missing(snapshot, gathered).map(|it| (look.plain)(&it));
    if gathered.is_absent() {
        return nearest(&missing.unwrap_or_default(), gathered, look);
    }
    let mut text = missing.map(|it| format!("{}\n", (look.strong)(&it))).unwrap_or_default();
    for it in &gathered.messages {
        text.push_str(&format!("{}\n", (look.strong)(&(look.plain)(it))));
    }
    let mut section = None;
    for (at, it) in gathered.evidence.iter().enumerate() {
        let title = title(it, &gathered.kinds);
        let is_first = section != Some(title);
        if is_first {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{}\n", (look.strong)(title)));
            section = Some(title);
        }
        // A README's summary already describes the whole.
        let is_said = title == WHAT_IT_IS && !it.summary.is_empty();
        let detail = if is_first && !is_said { Detail::Full } else { Detail::Short };
        push(&mut text, at + 1, it, detail, look);
    }
    text
}

/// A heading of the reading list, with the numbers of the pieces below it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    title: &'static str,
    evidence: Vec<usize>,
}

/// The sections of the reading list; the nearest places if the repository lacks what the question is about.
pub fn sections(gathered: &EvidenceSet) -> Vec<Section> {
    if gathered.is_absent() {
        let evidence: Vec<usize> = nearest_items(gathered).map(|it| it.0 + 1).collect();
        return match evidence.is_empty() {
            true => Vec::new(),
            false => vec![Section { title: NEAREST_TITLE, evidence }],
        };
    }
    let mut res: Vec<Section> = Vec::new();
    for (at, it) in gathered.evidence.iter().enumerate() {
        let title = title(it, &gathered.kinds);
        match res.last_mut().filter(|last| last.title == title) {
            Some(last) => last.evidence.push(at + 1),
            None => res.push(Section { title, evidence: vec![at + 1] }),
        }
    }
    res
}

/// The lines of a citation: those of the definition if the piece is an excerpt of it.
pub fn lines(it: &EvidenceItem) -> String {
    let (first, last) = cited_lines(it);
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// The same as numbers.
pub fn cited_lines(it: &EvidenceItem) -> (u32, u32) {
    // A match may show more than its definition.
    let is_within = !it.symbol.is_empty() && it.start_line <= it.extent.0;
    match it.key_lines.is_empty() {
        _ if it.role == Role::Match && is_within && it.extent.1 < it.end_line => it.extent,
        _ if it.is_inside_type() => (it.start_line, it.end_line),
        true => (it.start_line, it.end_line),
        false => (it.start_line.min(it.extent.0), it.end_line.max(it.extent.1)),
    }
}

const WHAT_IT_IS: &str = "What it is";

/// Amount of detail of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Full,
    Short,
}

/// The nearest places for a question without an answer.
fn nearest(missing: &str, gathered: &EvidenceSet, look: &Look<'_>) -> String {
    let mut text = format!("{}\n", (look.strong)(missing));
    for (n, (at, it)) in nearest_items(gathered).enumerate() {
        if n == 0 {
            text.push_str(&format!("\n{NEAREST_TITLE}\n"));
        }
        text.push_str(&heading(at + 1, it, look));
    }
    text
}

/// The nearest places.
fn nearest_items(gathered: &EvidenceSet) -> impl Iterator<Item = (usize, &EvidenceItem)> {
    let all = gathered.evidence.iter().enumerate();
    let is_shown = |role| {
        matches!(role, Role::Faq | Role::Match | Role::Document | Role::Discussion | Role::Guide)
    };
    let matches = all.filter(move |it| is_shown(it.1.role));
    matches.take(MAX_NEAREST)
}

/// The heading of a piece.
fn title(it: &EvidenceItem, kinds: &[QuestionKind]) -> &'static str {
    let is_overview = kinds.contains(&QuestionKind::Overview);
    let is_pasted = !matches!(it.why.first(), Some(foreword_engine::ask::Why::Path));
    match it.role {
        Role::Named if is_pasted => "Where it happens",
        Role::Named => "What the question names",
        Role::Faq => "The team says",
        Role::Discussion => "Mentioned in",
        Role::Guide if is_overview => WHAT_IT_IS,
        Role::Guide => "How to",
        Role::Part => "Its parts",
        Role::Match if is_overview => "Most used",
        Role::Match => "Start here",
        Role::Further => "Further matches",
        Role::Definition => "It uses",
        Role::Caller => "Used by",
        Role::Subtype => "Extended by",
        Role::Test => "Tests",
        Role::Document => "Documentation",
        Role::Earlier => "Cited before",
    }
}

/// `[n] path:start-end  kind symbol`.
fn heading(n: usize, it: &EvidenceItem, look: &Look<'_>) -> String {
    if it.source.is_some() {
        return format!("  [{n}] {}  {}\n", (look.plain)(&it.symbol), (look.place)(it));
    }
    let kind = it.kind.filter(|it| *it != Kind::Section).map_or("", Kind::name);
    let symbol = (look.plain)(&it.symbol.replace('\n', " "));
    let name = format!("{kind} {symbol}");
    let name = if symbol.is_empty() { String::new() } else { format!("  {}", name.trim()) };
    format!("  [{n}] {}{name}\n", (look.place)(it))
}

fn push(text: &mut String, n: usize, it: &EvidenceItem, detail: Detail, look: &Look<'_>) {
    match it.role {
        Role::Caller | Role::Subtype | Role::Test if it.start_line == it.end_line => {
            push_use(text, n, it, look);
        }
        Role::Part => push_part(text, n, it, look),
        // A list of places: what they do is in their names.
        Role::Further => text.push_str(&heading(n, it, look)),
        _ => push_code(text, n, it, detail, look),
    }
}

/// Adds a line with a use.
fn push_use(text: &mut String, n: usize, it: &EvidenceItem, look: &Look<'_>) {
    let symbol = (look.plain)(&it.symbol);
    let within = if symbol.is_empty() { String::new() } else { format!("  in {symbol}") };
    let line = (look.plain)(it.text.trim());
    text.push_str(&format!("  [{n}] {}{within}: {}\n", (look.place)(it), (look.faint)(&line)));
}

/// Adds a directory.
fn push_part(text: &mut String, n: usize, it: &EvidenceItem, look: &Look<'_>) {
    let what = if it.summary.is_empty() { &it.signature } else { &it.summary };
    let what = (look.plain)(what);
    let place = (look.faint)(&format!("[{n}] {}", (look.place)(it)));
    text.push_str(&format!("  {}  {what}  {place}\n", (look.plain)(&it.symbol)));
}

fn push_code(text: &mut String, n: usize, it: &EvidenceItem, detail: Detail, look: &Look<'_>) {
    text.push_str(&heading(n, it, look));
    if let Some(message) = &it.message {
        text.push_str(&format!("      {}\n", (look.plain)(message)));
    }
    let is_document = it.kind == Some(Kind::Section)
        || it.source.is_some()
        || matches!(it.role, Role::Document | Role::Guide);
    for line in it.summary.lines() {
        text.push_str(&format!("      {}\n", (look.plain)(line)));
    }
    let is_said = is_document && !it.summary.is_empty() && it.role != Role::Guide;
    let most = if is_document { DOCUMENT_LINES } else { MAX_LINES };
    let lines: Vec<(u32, &str)> = match (detail, it.key_lines.is_empty()) {
        _ if is_said => Vec::new(),
        (Detail::Short, _) if is_document && it.summary.is_empty() => {
            let lines = numbered(it).into_iter().filter(|it| !it.1.trim().is_empty());
            lines.take(FEW_DOCUMENT_LINES).collect()
        }
        (Detail::Full, true) => {
            let of_definition =
                |line: &(u32, &str)| it.role != Role::Match || line.0 <= it.extent.1;
            numbered(it).into_iter().skip(before(it)).take_while(of_definition).take(most).collect()
        }
        (Detail::Full, false) => signature_and_key_lines(it, usize::MAX),
        (Detail::Short, false) if it.role == Role::Match => {
            signature_and_key_lines(it, FEW_KEY_LINES)
        }
        (Detail::Short, _) if it.role == Role::Named => {
            numbered(it).into_iter().take(most).collect()
        }
        (Detail::Short, _) => Vec::new(),
    };
    if lines.is_empty() && !it.signature.is_empty() && !is_document {
        text.push_str(&format!("      {}\n", (look.faint)(&(look.plain)(&it.signature))));
    }
    for (line, code) in lines {
        let number = (look.faint)(&format!("{line:>5}│"));
        text.push_str(&format!("      {number} {}\n", (look.plain)(code)));
    }
}

/// Number of lines before the definition of a piece: its documentation, which the summary already quotes, and what is
/// beside it in a match.
fn before(it: &EvidenceItem) -> usize {
    let is_said = !it.summary.is_empty() || it.role == Role::Match;
    let is_before = is_said && it.extent.0 > it.start_line && it.extent.0 <= it.end_line;
    if is_before { (it.extent.0 - it.start_line) as usize } else { 0 }
}

/// The lines of a piece with their numbers.
fn numbered(it: &EvidenceItem) -> Vec<(u32, &str)> {
    it.text.lines().enumerate().map(|(at, line)| (it.start_line + at as u32, line)).collect()
}

/// The first line of a definition, then its key lines.
fn signature_and_key_lines(it: &EvidenceItem, most: usize) -> Vec<(u32, &str)> {
    // Without a definition the first line has no special meaning.
    let begins = |line: &(u32, &str)| !it.symbol.is_empty() && line.0 == it.extent.0;
    let first = numbered(it).into_iter().find(begins);
    let keys = it.key_lines.iter().take(most).map(|it| (it.line, it.text.as_str()));
    first.into_iter().chain(keys).collect()
}
