//! Where a request belongs: the repository, and the file that its cursor is in, by what it says or by its text.

use std::path::{Component, Path};

use foreword_engine::scope::Cursor;

use crate::host::{Repository, View};
use crate::serve::app::App;
use crate::serve::context::finder::{Found, by_content, by_name};
use crate::serve::observation::record::Place;
use crate::serve::protocols::request::Ask;
use crate::uri;

/// A repository in its present state.
pub(crate) struct Seen<'a> {
    pub(crate) repository: &'a Repository,
    pub(crate) view: View,
}

/// Where a request belongs: a repository by its number, and the cursor's file if it is known.
pub(crate) struct Where {
    pub(crate) repository: usize,
    pub(crate) found: Option<Found>,
    /// Why not, if not.
    why: String,
}

/// Finds the file: by its name if the request has one, else by its text.
pub(crate) fn locate(app: &App, ask: &Ask, seen: &[Seen<'_>]) -> Where {
    let named = ask.file.as_deref().map(|it| by_the_name(app, ask, it, seen));
    if let Some(Some((repository, found))) = named {
        app.set_last(repository);
        return Where { repository, found: Some(found), why: String::new() };
    }
    let mut best: Option<(usize, Found)> = None;
    let mut why = "nothing is indexed yet".to_owned();
    for (at, it) in seen.iter().enumerate() {
        let root = it.repository.workspace().root.to_string_lossy();
        let table = app.finder.table(&root, &it.view.snapshot);
        match by_content(&table, &it.view.snapshot, &ask.prefix, &ask.suffix) {
            Ok(found) if best.as_ref().is_none_or(|it| it.1.confidence < found.confidence) => {
                best = Some((at, found));
            }
            Ok(_) => {}
            Err(reason) => why = reason,
        }
    }
    if let Some((repository, found)) = best {
        app.set_last(repository);
        return Where { repository, found: Some(found), why };
    }
    Where { repository: unfound(app, ask), found: None, why }
}

/// The repository of a request whose file is not known, by its number.
pub(crate) fn unfound(app: &App, ask: &Ask) -> usize {
    ask.beside.unwrap_or_else(|| app.last().min(app.repositories.len() - 1))
}

/// Names what the client shows as the repository names it: editors send whole paths, of which a model is to see the
/// part that is the repository's.
pub(crate) fn settle(app: &App, ask: &mut Ask) {
    for shown in &mut ask.shown {
        if let Some((repository, path)) = inside(app, Path::new(&shown.path)) {
            shown.path = path;
            ask.beside.get_or_insert(repository);
        }
    }
}

/// The file by its name, in the repository whose address the client gives, else in the first that has it.
fn by_the_name(app: &App, ask: &Ask, name: &str, seen: &[Seen<'_>]) -> Option<(usize, Found)> {
    let path = uri::path_of(name).unwrap_or_else(|| name.into());
    if path.is_absolute() {
        let (at, path) = inside(app, &path)?;
        let found = by_name(&seen[at].view.snapshot, &path, &ask.prefix, &ask.suffix)?;
        return Some((at, found));
    }
    let path = name.trim_start_matches("./").replace('\\', "/");
    let is_meant = |it: &Seen<'_>| {
        let address = ask.repository.as_deref().unwrap_or_default();
        let last = address.trim_end_matches('/').trim_end_matches(".git");
        last.rsplit(['/', ':']).next() == Some(it.repository.workspace().name.as_str())
    };
    let mut order: Vec<usize> = (0..seen.len()).collect();
    order.sort_by_key(|it| !is_meant(&seen[*it]));
    let has = |at: usize| {
        by_name(&seen[at].view.snapshot, &path, &ask.prefix, &ask.suffix).map(|it| (at, it))
    };
    let mut found = order.into_iter().filter_map(has);
    let first = found.next()?;
    let better = |it: &(usize, Found)| it.1.confidence > first.1.confidence;
    Some(found.find(better).unwrap_or(first))
}

/// The repository that an absolute path is in, and the path relative to it.
fn inside(app: &App, path: &Path) -> Option<(usize, String)> {
    let path = if path.is_absolute() { path } else { return None };
    // The root is canonical, so the path has to be too; a path that leads out by links is not inside.
    let path = dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    app.repositories.iter().enumerate().find_map(|(at, it)| {
        let relative = path.strip_prefix(&it.workspace().root).ok()?;
        Some((at, relative.to_str()?.replace('\\', "/")))
    })
}

/// The place for people.
pub(crate) fn told(repository: &Repository, place: &Where) -> Place {
    let workspace = Some(repository.workspace().root.to_string_lossy().into_owned());
    let Some(found) = &place.found else {
        return Place { workspace, how: place.why.clone(), ..Place::default() };
    };
    let before = &found.text[..found.offset];
    Place {
        workspace,
        path: Some(found.path.clone()),
        line: Some(before.matches('\n').count() + 1),
        column: Some(before.rsplit('\n').next().unwrap_or("").chars().count() + 1),
        confidence: found.confidence,
        how: found.how.clone(),
    }
}

/// The cursor in the file, or in a file that has nothing but what the client sent.
pub(crate) fn cursor(ask: &Ask, found: Option<Found>) -> Cursor {
    let found = found.unwrap_or_else(|| Found {
        path: untitled(ask),
        text: format!("{}{}", ask.prefix, ask.suffix),
        offset: ask.prefix.len(),
        confidence: 0.0,
        how: String::new(),
    });
    let Found { path, text, offset, .. } = found;
    Cursor { path, text, offset, resume: offset, ..Cursor::default() }
}

/// A name for a text of which no file is known: the client's own, if it stays below the root, else one that says the
/// language.
fn untitled(ask: &Ask) -> String {
    let name = ask.file.as_deref().unwrap_or_default().replace('\\', "/");
    let is_inner = !name.is_empty()
        && !name.contains(':')
        && Path::new(&name).components().all(|it| matches!(it, Component::Normal(_)));
    if is_inner {
        return name;
    }
    let last = name.rsplit('/').next().filter(|it| it.contains('.') && !it.contains(':'));
    if let Some(extension) = last.and_then(|it| it.rsplit_once('.')) {
        return format!("untitled.{}", extension.1);
    }
    let extension = ask.language.as_deref().and_then(extension);
    extension.map_or_else(|| "untitled".to_owned(), |it| format!("untitled.{it}"))
}

/// The extension of a language by its identifier in editors.
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
