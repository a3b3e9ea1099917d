//! The tool `symbols`: where a name is defined and used, and what a file defines.

use foreword_engine::fuzzy;
use serde_json::{Map, json};

use super::arguments;
use super::page::{self, Answer, Item, Page};
use super::search::head;
use super::tools::Call;
use crate::answer::filter::Filter;
use crate::answer::symbols::{self, Row, Use};
use crate::usage::usage;

pub(super) fn answer(call: &Call<'_>, it: &arguments::Symbols) -> anyhow::Result<Answer> {
    let question = page::fingerprint(&(&it.name, &it.file, &it.path));
    let offset = page::offset_of(it.cursor.as_deref(), question)?;
    let mut page = match (&it.name, &it.file) {
        (Some(name), None) => named(call, name, &Filter::new(&it.path, &[], &[])?),
        (None, Some(file)) => outline(call, file)?,
        _ => return Err(usage("symbols: give either name (a symbol) or file (to outline it)")),
    };
    page.items.drain(..offset.min(page.items.len()));
    page.offset = offset;
    page.question = question;
    Ok(page.answer(call, arguments::budget(it.tokens, 2000)))
}

/// Definitions, then uses.
fn named(call: &Call<'_>, name: &str, filter: &Filter) -> Page {
    let snapshot = &call.view.snapshot;
    let keep = |file| filter.accepts(snapshot, file);
    let definitions = symbols::definitions(snapshot, name, &keep);
    let (uses, _) = symbols::uses(snapshot, symbols::last_part(name), &keep, usize::MAX);
    let (n_definitions, n_uses) = (definitions.len(), uses.len());
    let items = definitions.iter().map(definition).chain(uses.iter().map(used)).collect();
    let mut page = Page::whole(items);
    page.note = Some(match n_definitions + n_uses {
        0 => {
            let similar = fuzzy::similar(snapshot, symbols::last_part(name), 5);
            let similar: Vec<String> = similar.into_iter().map(|it| it.name).collect();
            let alike = if similar.is_empty() {
                String::new()
            } else {
                format!("; spelt alike: {}", similar.join(", "))
            };
            format!(
                "nothing matched: {name} is neither defined nor used in {} files{alike}",
                snapshot.totals().files
            )
        }
        _ => format!("{name}: {n_definitions} definitions, {n_uses} uses"),
    });
    page.fields.insert("definitions".to_owned(), n_definitions.into());
    page.fields.insert("uses".to_owned(), n_uses.into());
    page
}

fn definition(it: &Row) -> Item {
    Item {
        head: head(&it.path, it.start_line, it.end_line, it.kind, &it.symbol),
        body: format!("    {}", it.signature),
        row: json!({
            "role": "definition",
            "path": it.path,
            "start_line": it.start_line,
            "end_line": it.end_line,
            "kind": it.kind,
            "symbol": it.symbol,
        }),
    }
}

fn used(it: &Use) -> Item {
    let within = if it.symbol.is_empty() { String::new() } else { format!("  in {}", it.symbol) };
    Item {
        head: format!("{}:{}:{}  {}{within}: {}", it.path, it.line, it.column, it.kind, it.text),
        body: String::new(),
        row: json!({
            "role": it.kind,
            "path": it.path,
            "line": it.line,
            "symbol": it.symbol,
            "text": it.text,
        }),
    }
}

fn outline(call: &Call<'_>, file: &str) -> anyhow::Result<Page> {
    let (path, id) = call.file(file)?;
    let outline = symbols::outline(&call.view.snapshot, id);
    let mut items: Vec<Item> = outline.definitions.iter().map(defined).collect();
    let n = items.len();
    if !outline.imports.is_empty() {
        items.push(imported(&outline.imports));
    }
    let mut page = Page::whole(items);
    let language = outline.language.unwrap_or("a language without a grammar");
    page.note = Some(format!("{path}: {language}, {n} definitions"));
    page.fields = Map::from_iter([
        ("path".to_owned(), path.into()),
        ("language".to_owned(), outline.language.into()),
    ]);
    Ok(page)
}

/// The imports are one entry: they say what the file builds on.
fn imported(imports: &[String]) -> Item {
    let row = json!({ "imports": imports });
    Item { head: format!("imports\n{}", imports.join("\n")), body: String::new(), row }
}

fn defined(it: &Row) -> Item {
    let indent = "  ".repeat(it.depth);
    Item {
        head: format!("{:>5}-{:<5} {indent}{}", it.start_line, it.end_line, it.signature),
        body: String::new(),
        row: json!({
            "start_line": it.start_line,
            "end_line": it.end_line,
            "signature": it.signature,
            "depth": it.depth,
        }),
    }
}
