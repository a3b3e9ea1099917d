//! semble's annotations (MinishLab/semble, `benchmarks/annotations/NAME.json`): an array of questions with the files
//! that answer them, in paths below the repository or below its searched part. `repos.json` beside the file or above it
//! has each repository's address, revision and searched part.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::format::{Format, FormatSpec, RowContext, SembleRepository};
use super::row::JsonRow;
use crate::tasks::task::{Corpus, Meta, Relevant, Task};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Semble,
    telltale: &["query", "relevant"],
    fields: &["query", "relevant", "secondary", "category", "repo"],
    task,
};

/// The repositories by name, from the nearest `repos.json`.
pub(super) fn repositories(annotations: &Path) -> Result<BTreeMap<String, SembleRepository>> {
    let places = annotations.ancestors().skip(1).take(2).map(|it| it.join("repos.json"));
    let Some(path) = places.into_iter().find(|it| it.exists()) else {
        bail!("{}: there is no repos.json beside it or above it", annotations.display());
    };
    let text = std::fs::read_to_string(&path)?;
    let rows: Vec<SembleRepository> = serde_json::from_str(&text)
        .with_context(|| format!("{}: no repositories", path.display()))?;
    Ok(rows.into_iter().map(|it| (it.name.clone(), it)).collect())
}

fn task(row: JsonRow<'_>, context: &RowContext) -> Result<Task> {
    let name = row.optional_text("repo")?.unwrap_or_else(|| context.stem.clone());
    let repository = context.repositories.get(&name);
    let repository = repository.with_context(|| format!("repos.json has no `{name}`"))?;
    let root = repository.benchmark_root.as_deref();
    let mut relevant = places(row.list("relevant")?, root, 2)?;
    relevant.extend(places(row.list("secondary")?, root, 1)?);
    let query = row.text("query")?;
    let category = row.optional_text("category")?.unwrap_or_else(|| category_of(&query).to_owned());
    Ok(Task {
        id: format!("semble/{name}/{}", context.row),
        dataset: "semble".into(),
        task: "nl2file".into(),
        repo: full_name(&repository.url),
        language: repository.language.clone(),
        corpus: Corpus {
            kind: "git".into(),
            rev: Some(repository.revision.clone()),
            subdir: repository.benchmark_root.clone(),
            ..Corpus::default()
        },
        query_text: Some(query),
        relevant,
        meta: Meta { category: Some(category), ..Meta::default() },
        ..Task::default()
    })
}

/// `owner/name` at the end of an address.
fn full_name(url: &str) -> String {
    let url = url.trim_end_matches('/').trim_end_matches(".git");
    let mut parts: Vec<&str> = url.rsplit(['/', ':']).take(2).collect();
    parts.reverse();
    parts.join("/")
}

fn places(list: &[Value], root: Option<&str>, grade: u32) -> Result<Vec<Relevant>> {
    let place = |it: &Value| -> Result<Relevant> {
        let (path, start_line, end_line) = match it {
            Value::String(path) => (path.clone(), None, None),
            Value::Object(fields) => {
                let row = JsonRow::new(fields);
                let spanned = row.optional_number("start_line")?.is_some();
                let line = |name| if spanned { row.line(name).map(Some) } else { Ok(None) };
                (row.text("path")?, line("start_line")?, line("end_line")?)
            }
            _ => bail!("a relevant place is neither a path nor an object"),
        };
        let path = from_root(&path, root);
        Ok(Relevant { path, start_line, end_line, grade: Some(grade), kind: None })
    };
    list.iter().map(place).collect()
}

/// The path from the repository's root.
fn from_root(path: &str, root: Option<&str>) -> String {
    match root {
        Some(root) if !path.starts_with(&format!("{root}/")) => format!("{root}/{path}"),
        _ => path.to_owned(),
    }
}

/// The default category of a question, by semble's own rule.
fn category_of(query: &str) -> &'static str {
    if !query.trim().contains(' ') {
        "symbol"
    } else if query.to_lowercase().starts_with("how ") {
        "architecture"
    } else {
        "semantic"
    }
}
