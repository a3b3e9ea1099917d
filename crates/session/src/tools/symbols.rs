//! The tool `symbols`: where a name is defined and used, or what a file defines.

use foreword_chunk::LineIndex;
use foreword_engine::fuzzy;
use foreword_engine::index::terms::identifiers;
use foreword_engine::retrieve::Certainty;
use serde_json::{Map, json};

use super::arguments::{self, SymbolsArguments};
use super::cursor::QuestionId;
use super::evidence::{Evidence, EvidenceReason, Locator, SiteKind};
use super::page::{Entry, Page, ToolAnswer};
use super::search::spelled_alike;
use super::target::{Place, Target, check_line};
use crate::answer::symbols::{self, Definition, Use, WithoutTree};
use crate::filter::Filter;
use crate::usage::usage;

/// Maximum number of similar names in an empty answer.
const MAX_SIMILAR: usize = 5;

pub(super) fn answer(
    target: &Target<'_>,
    arguments: &SymbolsArguments,
) -> anyhow::Result<ToolAnswer> {
    let SymbolsArguments { name, file, path, .. } = arguments;
    let question = QuestionId::of(&(name, file, path));
    let offset = question.offset(arguments.cursor.as_deref())?;
    let mut page = match (name, file) {
        (Some(name), None) => sites(target, name, &target.filter((path, &[], &[]))?),
        (None, Some(file)) => outline(target, file)?,
        (Some(name), Some(file)) => meant(target, name, file)?,
        (None, None) => return Err(usage("symbols: give name (a symbol) or file (to outline it)")),
    };
    page.entries.drain(..offset.min(page.entries.len()));
    page.offset = offset;
    page.question = Some(question);
    Ok(page.answer(target, arguments::budget(arguments.tokens, 2000)))
}

/// The definitions of a name, then its uses.
fn sites(target: &Target<'_>, name: &str, filter: &Filter) -> Page {
    let snapshot = &target.view.snapshot;
    let keep = |file| filter.accepts(snapshot, file);
    let definitions = symbols::definitions(snapshot, name, &keep);
    let used = symbols::last_part(name);
    let mut locator = Locator::new(snapshot);
    let mut note = definitions.note(name).map(|it| format!(" ({it})")).unwrap_or_default();
    let definitions = definitions.found;
    // What is used here may be defined elsewhere.
    let all = symbols::definitions(snapshot, name, &|_| true).found;
    let uses = symbols::uses(snapshot, used, &all, &keep, usize::MAX);
    if all.is_empty() && uses.total() > 0 {
        let unseen = symbols::unseen(snapshot, name, uses.total());
        note.extend(unseen.map(|it| format!(" ({it})")));
    }
    let precise = uses.precision.as_ref().map(|it| it.note(uses.total()));
    let mut entries: Vec<Entry> =
        definitions.iter().map(|it| definition_entry(&mut locator, it)).collect();
    let implementations = uses.implementations.iter();
    entries.extend(implementations.map(|it| implementation_entry(&mut locator, it)));
    entries.extend(uses.found.iter().map(|it| use_entry(&locator, used, it)));
    let mut page = Page::whole(entries);
    page.note = Some(match page.entries.is_empty() {
        true => nothing_matched(target, name),
        false => {
            let n = definitions.len();
            let possible = match uses.possible {
                0 => String::new(),
                n => format!(", {n} possible ones (the object's type is unknown)"),
            };
            let precise = precise.map(|it| format!("; {it}")).unwrap_or_default();
            format!("{name}: {n} definitions, {} uses{possible}{note}{precise}", uses.sure)
        }
    });
    page.fields.insert("definitions".to_owned(), definitions.len().into());
    page.fields.insert("uses".to_owned(), uses.sure.into());
    page.fields.insert("possible_uses".to_owned(), uses.possible.into());
    page
}

/// The definitions that a name means where a line has it; `file` is `path:line`.
fn meant(target: &Target<'_>, name: &str, file: &str) -> anyhow::Result<Page> {
    let snapshot = &target.view.snapshot;
    let Place { path, file: id, lines } = target.place(file)?;
    let Some((line, _)) = lines else {
        return Err(usage(format!("symbols: with a name, file is path:line, such as {path}:1")));
    };
    let line = check_line("line", line, snapshot.size(id).1, &path)?;
    let word = symbols::last_part(name);
    let Some(byte) = word_on(&snapshot.text(id), line, word) else {
        return Err(usage(format!("symbols: line {line} of {path} has no {word}")));
    };
    let found = symbols::at(snapshot, id, byte);
    let mut locator = Locator::new(snapshot);
    let definitions = found.definitions.iter();
    let mut page = Page::whole(definitions.map(|it| definition_entry(&mut locator, it)).collect());
    let n = page.entries.len();
    page.note = Some(match (n, found.sure) {
        (0, _) => format!("nothing matched: no definition of {word} is known"),
        (n, true) => format!("{word} at {path}:{line}: {n} definitions"),
        (n, false) => {
            format!("{word} at {path}:{line}: {n} possible definitions (nothing identifies one)")
        }
    });
    page.fields.insert("definitions".to_owned(), n.into());
    page.fields.insert("sure".to_owned(), found.sure.into());
    Ok(page)
}

/// The byte of a word on a line of a text, counted from 1.
fn word_on(text: &str, line: u32, word: &str) -> Option<usize> {
    let lines = LineIndex::new(text.as_bytes());
    let (start, end) = (lines.start_of(line), lines.start_of(line + 1));
    let on_line = &text[start..end.min(text.len())];
    let mut found = None;
    identifiers(on_line, |from, to| {
        if found.is_none() && &on_line[from..to] == word {
            found = Some(start + from);
        }
    });
    found
}

/// The note of an empty answer, with similar names.
fn nothing_matched(target: &Target<'_>, name: &str) -> String {
    let snapshot = &target.view.snapshot;
    let similar = fuzzy::similar(snapshot, symbols::last_part(name), MAX_SIMILAR);
    let similar: Vec<String> = similar.into_iter().map(|it| it.name).collect();
    let notes = [WithoutTree::of(snapshot).note(), symbols::unseen(snapshot, name, 0)];
    let notes: String = notes.into_iter().flatten().map(|it| format!("; {it}")).collect();
    format!(
        "nothing matched: no definition or use of {name} is known in {} files{notes}{}",
        snapshot.totals().files,
        spelled_alike(&similar)
    )
}

fn definition_evidence(locator: &mut Locator<'_>, it: &Definition) -> Evidence {
    locator
        .bytes(&it.path, it.span.range(), (it.start_line, it.end_line))
        .named(&it.symbol, Some(SiteKind::Definition(it.kind)))
        .because([EvidenceReason::Defines])
}

fn definition_entry(locator: &mut Locator<'_>, it: &Definition) -> Entry {
    let mut entry = Entry::of(definition_evidence(locator, it), format!("    {}", it.signature));
    entry.fields["role"] = "definition".into();
    entry.fields["source"] = json!(it.source);
    entry
}

fn implementation_entry(locator: &mut Locator<'_>, it: &Definition) -> Entry {
    let mut entry = definition_entry(locator, it);
    entry.fields["role"] = "implementation".into();
    entry.body = format!("    implements or overrides: {}", it.signature);
    entry
}

fn use_entry(locator: &Locator<'_>, name: &str, it: &Use) -> Entry {
    let evidence = locator
        .text(&it.path, it.start, (it.line, it.line), &it.text)
        .named(&it.symbol, it.kind.map(SiteKind::Use))
        .because([EvidenceReason::Uses(name.to_owned())]);
    let kind = symbols::use_kind(it.kind);
    let possible = if it.certainty == Certainty::Possible { "possible " } else { "" };
    let within = if it.symbol.is_empty() { String::new() } else { format!("  in {}", it.symbol) };
    Entry {
        evidence: Some(evidence),
        heading: format!(
            "{}:{}:{}  {possible}{kind}{within}: {}",
            it.path, it.line, it.column, it.text
        ),
        body: String::new(),
        fields: json!({
            "role": kind,
            "path": it.path,
            "line": it.line,
            "symbol": it.symbol,
            "text": it.text,
            "match": it.certainty.name(),
            "source": it.source,
        }),
    }
}

/// The definitions of a file, then its imports.
fn outline(target: &Target<'_>, file: &str) -> anyhow::Result<Page> {
    let Place { path, file: id, .. } = target.place(file)?;
    let outline = symbols::outline(&target.view.snapshot, id);
    let uses = symbols::uses_of_file(&target.view.snapshot, id);
    let mut locator = Locator::new(&target.view.snapshot);
    let definitions = outline.definitions.iter();
    let mut entries: Vec<Entry> = definitions.map(|it| outline_entry(&mut locator, it)).collect();
    let n = entries.len();
    if !outline.imports.is_empty() {
        entries.push(imports_entry(&outline.imports));
    }
    let name = path.rsplit('/').next().unwrap_or(&path);
    entries.extend(uses.iter().map(|it| use_entry(&locator, name, it)));
    let mut page = Page::whole(entries);
    let language = outline.language.unwrap_or("a language without a grammar");
    let used = if uses.is_empty() { String::new() } else { format!(", used {} times", uses.len()) };
    page.note = Some(format!("{path}: {language}, {n} definitions{used}"));
    page.fields = Map::from_iter([
        ("path".to_owned(), path.into()),
        ("language".to_owned(), outline.language.into()),
    ]);
    Ok(page)
}

/// All imports as one entry.
fn imports_entry(imports: &[String]) -> Entry {
    let fields = json!({ "imports": imports });
    let heading = format!("imports\n{}", imports.join("\n"));
    Entry { evidence: None, heading, body: String::new(), fields }
}

fn outline_entry(locator: &mut Locator<'_>, it: &Definition) -> Entry {
    let indent = "  ".repeat(it.depth);
    Entry {
        evidence: Some(definition_evidence(locator, it)),
        heading: format!("{:>5}-{:<5} {indent}{}", it.start_line, it.end_line, it.signature),
        body: String::new(),
        fields: json!({
            "start_line": it.start_line,
            "end_line": it.end_line,
            "signature": it.signature,
            "depth": it.depth,
        }),
    }
}
