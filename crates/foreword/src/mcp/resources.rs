//! Files and symbols as resources. Only indexed files are resources.

use std::path::Path;

use foreword_chunk::Language;
use foreword_engine::index::FileId;
use foreword_engine::retrieve::Certainty;
use foreword_session::answer::symbols;
use foreword_session::tools::Target;
use foreword_session::uri;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};

/// The number of files on a page of the list.
const PAGE: usize = 200;

/// The prefix of the URI of a file, before its path relative to the root.
const FILE: &str = "foreword://file/";

/// The prefix of the URI of a symbol, before its name.
const SYMBOL: &str = "foreword://symbol/";

/// The number of uses that the resource of a symbol shows.
const USES: usize = 100;

/// The bytes of definitions after which the resource of a symbol ends.
const MAX_SYMBOL_BYTES: usize = 1 << 20;

/// A page of the files of all repositories.
pub(super) fn list(
    targets: &[Target<'_>],
    cursor: Option<&str>,
) -> Result<ListResourcesResult, ErrorData> {
    let bad =
        |it: &str| ErrorData::invalid_params(format!("cursor {it}: not from this server"), None);
    let start = cursor.map_or(Ok(0), |it| it.parse::<usize>().map_err(|_| bad(it)))?;
    let files = targets.iter();
    let files = files.flat_map(|target| target.view.snapshot.files().map(move |it| (target, it)));
    let files = files.skip(start).take(PAGE);
    let resources: Vec<Resource> = files.map(|(target, it)| resource(target, it)).collect();
    let end = start + resources.len();
    let more = end < targets.iter().map(|it| it.view.snapshot.files().len()).sum();
    let mut res = ListResourcesResult::with_all_items(resources);
    res.next_cursor = more.then(|| end.to_string());
    Ok(res)
}

fn resource(target: &Target<'_>, file: FileId) -> Resource {
    let snapshot = &target.view.snapshot;
    let path = snapshot.path(file);
    let uri = uri::of_path(&target.root().unwrap_or(Path::new("")).join(path));
    let (bytes, _) = snapshot.size(file);
    Resource::new(uri, path)
        .with_mime_type(mime(snapshot.language(file)))
        .with_size(u64::from(bytes))
}

/// URI templates of the resources that the list does not contain.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{FILE}{{+path}}"), "file")
            .with_title("A file")
            .with_description(
                "A source file, by its path relative to the root, as the index has it.",
            ),
        ResourceTemplate::new(format!("{SYMBOL}{{name}}"), "symbol")
            .with_title("A symbol")
            .with_description(
                "The definitions of a symbol, whole, and the places where it is used.",
            )
            .with_mime_type("text/plain"),
    ]
}

/// The text of a resource, from the first repository that has it.
pub(super) fn read(targets: &[Target<'_>], uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let (text, mime) = targets.iter().find_map(|it| find(it, uri)).ok_or_else(|| {
        let roots = targets.iter().filter_map(|it| Some(it.root()?.display().to_string()));
        let what = format!(
            "{uri}: no such resource; ignored files, binary files and files outside {} are not resources",
            roots.collect::<Vec<_>>().join(", ")
        );
        ErrorData::resource_not_found(what, None)
    })?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)]))
}

fn find(target: &Target<'_>, uri: &str) -> Option<(String, &'static str)> {
    match uri.strip_prefix(SYMBOL) {
        Some(name) => {
            uri::decode(name).and_then(|it| symbol(target, &it)).map(|it| (it, "text/plain"))
        }
        None => file(target, uri),
    }
}

fn file(target: &Target<'_>, uri: &str) -> Option<(String, &'static str)> {
    let relative = uri.strip_prefix(FILE).map(uri::decode);
    let (path, file) = target.file(relative.flatten().as_deref().unwrap_or(uri)).ok()?;
    let snapshot = &target.view.snapshot;
    target.origin.read(&path, (1, snapshot.size(file).1));
    Some((snapshot.text(file).to_string(), mime(snapshot.language(file))))
}

/// The definitions of a symbol, whole, then its uses.
fn symbol(target: &Target<'_>, name: &str) -> Option<String> {
    let snapshot = &target.view.snapshot;
    let mut text = String::new();
    let definitions = symbols::definitions(snapshot, name, &|_| true).found;
    for it in &definitions {
        if text.len() > MAX_SYMBOL_BYTES {
            text.push_str("more definitions are left out\n\n");
            break;
        }
        let whole = snapshot.file(&it.path).map(|file| snapshot.text(file))?;
        let shown = it.span.of(&whole).trim_end();
        text.push_str(&format!("{}:{}-{}\n{shown}\n\n", it.path, it.start_line, it.end_line));
    }
    let used = symbols::last_part(name);
    let uses = symbols::uses(snapshot, used, &definitions, &|_| true, USES);
    if uses.total() > 0 {
        text.push_str(&format!("used {} times, possibly {} more\n", uses.sure, uses.possible));
    }
    for it in uses.found {
        let possible = if it.certainty == Certainty::Possible { "possibly " } else { "" };
        text.push_str(&format!("{possible}{}:{}: {}\n", it.path, it.line, it.text));
    }
    (!text.is_empty()).then_some(text)
}

fn mime(language: Option<Language>) -> &'static str {
    match language {
        Some(Language::Markdown) => "text/markdown",
        Some(Language::Html) => "text/html",
        Some(Language::Css) => "text/css",
        Some(Language::Json) => "application/json",
        _ => "text/plain",
    }
}
