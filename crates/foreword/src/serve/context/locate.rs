//! Finds the repository and the file of a request's cursor, by the file's name or by its text, and makes the engine's
//! cursor there, or in a file of the client's text alone.

use std::path::{Component, Path};

use foreword_engine::scope::Cursor;
use foreword_engine::sorting::sort_by_key;
use foreword_session::host::Repository;
use foreword_session::host::large_text;
use foreword_session::uri;

use super::finder::{FileMatch, by_content, by_name};
use super::outcome::Location;
use super::workspaces::{WorkspaceView, Workspaces};
use crate::serve::protocols::request::ClientRequest;

/// The repository of a request, and the cursor's file if it is known.
pub(super) struct LocatedFile {
    /// The index of the repository.
    pub(super) repository: usize,
    pub(super) file: Option<FileMatch>,
    /// The reason for a missing file; empty if there is one.
    reason: String,
}

/// Finds the file: by its name if the request has one, else by its text.
pub(super) fn locate(
    workspaces: &Workspaces,
    request: &ClientRequest,
    views: &[WorkspaceView<'_>],
) -> LocatedFile {
    let named = request.file.as_deref().and_then(|it| named(workspaces, request, it, views));
    if let Some((repository, file)) = named {
        workspaces.used(repository);
        return LocatedFile { repository, file: Some(file), reason: String::new() };
    }
    let mut best: Option<(usize, FileMatch)> = None;
    let mut reason = "nothing is indexed yet".to_owned();
    for (at, it) in views.iter().enumerate() {
        let root = it.repository.workspace().root.to_string_lossy();
        let table = workspaces.finder.table(&root, &it.view.snapshot);
        match by_content(&table, &it.view.snapshot, &request.prefix, &request.suffix) {
            Ok(file) if best.as_ref().is_none_or(|it| it.1.confidence < file.confidence) => {
                best = Some((at, file));
            }
            Ok(_) => {}
            Err(why) => reason = why,
        }
    }
    if let Some((repository, file)) = best {
        workspaces.used(repository);
        return LocatedFile { repository, file: Some(file), reason };
    }
    LocatedFile { repository: workspaces.default_for(request), file: None, reason }
}

/// The file with this name, in the repository whose URL the client gives, else in the first that has it.
fn named(
    workspaces: &Workspaces,
    request: &ClientRequest,
    name: &str,
    views: &[WorkspaceView<'_>],
) -> Option<(usize, FileMatch)> {
    let (prefix, suffix) = (&request.prefix, &request.suffix);
    let path = uri::path_of(name).unwrap_or_else(|| name.into());
    if path.is_absolute() {
        let (at, path) = workspaces.relative(&path)?;
        return Some((at, by_name(&views[at].view.snapshot, &path, prefix, suffix)?));
    }
    let path = name.trim_start_matches("./").replace('\\', "/");
    let mut order: Vec<usize> = (0..views.len()).collect();
    sort_by_key(&mut order, |it| !is_at_url(views[*it].repository, request));
    let file =
        |at: usize| by_name(&views[at].view.snapshot, &path, prefix, suffix).map(|it| (at, it));
    let mut files = order.into_iter().filter_map(file);
    let first = files.next()?;
    let better = |it: &(usize, FileMatch)| it.1.confidence > first.1.confidence;
    Some(files.find(better).unwrap_or(first))
}

/// Whether the repository's name is the last part of the URL that the client gives.
fn is_at_url(repository: &Repository, request: &ClientRequest) -> bool {
    let url = request.repository_url.as_deref().unwrap_or_default();
    let url = url.trim_end_matches('/').trim_end_matches(".git");
    url.rsplit(['/', ':']).next() == Some(repository.workspace().name.as_str())
}

/// The location as records state it.
pub(super) fn location(repository: &Repository, located: &LocatedFile) -> Location {
    let workspace = Some(repository.workspace().root.to_string_lossy().into_owned());
    let Some(file) = &located.file else {
        return Location { workspace, how: located.reason.clone(), ..Location::default() };
    };
    let before = &file.text[..file.offset];
    Location {
        workspace,
        path: Some(file.path.clone()),
        line: Some(before.matches('\n').count() + 1),
        column: Some(before.rsplit('\n').next().unwrap_or("").chars().count() + 1),
        confidence: file.confidence,
        how: file.how.clone(),
    }
}

/// The cursor in the located file, or in a file made of the client's text; cut to the lines around it if the text has
/// more than `limit` bytes.
pub(super) fn cursor(request: &ClientRequest, found: Option<FileMatch>, limit: usize) -> Cursor {
    let (path, text, offset) = match found {
        Some(it) => (it.path, it.text, it.offset),
        None => {
            let text = format!("{}{}", request.prefix, request.suffix);
            (untitled(request), text, request.prefix.len())
        }
    };
    let offset = text.floor_char_boundary(offset);
    let (text, offset) = large_text::analysable(&text, offset, limit);
    Cursor::new(path, text, offset).expect("the offset is a character boundary of the text")
}

/// A path for a text of an unknown file: the client's own if it is below the root, else one with the language's
/// extension.
fn untitled(request: &ClientRequest) -> String {
    let name = request.file.as_deref().unwrap_or_default().replace('\\', "/");
    let is_below_root = !name.is_empty()
        && !name.contains(':')
        && Path::new(&name).components().all(|it| matches!(it, Component::Normal(_)));
    if is_below_root {
        return name;
    }
    let last = name.rsplit('/').next().filter(|it| it.contains('.') && !it.contains(':'));
    if let Some(extension) = last.and_then(|it| it.rsplit_once('.')) {
        return format!("untitled.{}", extension.1);
    }
    let extension = request.language.as_deref().and_then(extension);
    extension.map_or_else(|| "untitled".to_owned(), |it| format!("untitled.{it}"))
}

/// The file extension of a language by its identifier in editors.
fn extension(language: &str) -> Option<&'static str> {
    Some(match language.to_ascii_lowercase().as_str() {
        "python" => "py",
        "rust" => "rs",
        "javascript" | "javascriptreact" => "js",
        "typescript" => "ts",
        "typescriptreact" => "tsx",
        "go" => "go",
        "java" => "java",
        "kotlin" => "kt",
        "c" => "c",
        "cpp" => "cpp",
        "csharp" => "cs",
        "ruby" => "rb",
        "php" => "php",
        "swift" => "swift",
        "scala" => "scala",
        "lua" => "lua",
        "shellscript" | "bash" | "sh" => "sh",
        _ => return None,
    })
}
