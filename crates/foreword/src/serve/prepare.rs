//! From a request to what the model is to see: the file is found, the context composed, what the client brought is
//! counted in.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foreword_chunk::Language;
use foreword_engine::compose::Format;
use foreword_engine::preset::Preset;
use foreword_engine::scope::Cursor;
use foreword_model::TokenCounter;
use foreword_model::request::{Fill, Rendered, Shown};

use super::app::App;
use super::ask::{Ask, Kind};
use super::locate::{Found, by_content, by_name};
use super::merge::{self, Merged};
use super::record::{Context, Place, Snippet};
use crate::answer::nearby::nearby;
use crate::host::{Repository, View};
use crate::uri;

/// How a model is going to be sent what it sees.
#[derive(Clone)]
pub(crate) struct Form {
    /// The format that is rendered, or by which pieces are counted where none is.
    pub(crate) format: &'static Format,
    pub(crate) counter: TokenCounter,
    /// Tokens of the whole prompt.
    pub(crate) budget: usize,
    /// How candidates are ranked.
    pub(crate) preset: Preset,
    /// Whether the model reads whole files instead of a prompt: the embedded one.
    pub(crate) reads_files: bool,
}

/// What a model is to see, and where it comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) place: Place,
    pub(crate) context: Context,
    pub(crate) fill: Fill,
    /// The file's text before and after the cursor.
    pub(crate) whole: (String, String),
    /// Files that are likely to be like the cursor's; only where the model reads files.
    pub(crate) nearby: Vec<Arc<str>>,
    /// What of the fill's pieces is shown to people.
    pub(crate) snippets: Arc<[Snippet]>,
    /// How the context came about, as JSON.
    pub(crate) trace: Option<Arc<str>>,
    pub(crate) snapshot: Option<String>,
    /// Milliseconds until the file was found, and from there.
    pub(crate) took: (f64, f64),
    pub(crate) notes: Vec<String>,
}

/// A repository in its present state.
struct Seen<'a> {
    repository: &'a Repository,
    view: View,
}

/// Where a request belongs: a repository by its number, and the cursor's file if it is known.
struct Where {
    repository: usize,
    found: Option<Found>,
    /// Why not, if not.
    why: String,
}

/// Makes the context; `patience` is for the look at the disk.
pub(crate) fn prepare(
    app: &App,
    ask: &Ask,
    form: &Form,
    patience: Duration,
) -> anyhow::Result<Prepared> {
    let start = Instant::now();
    let mut seen = Vec::new();
    for repository in &app.repositories {
        seen.push(Seen { repository, view: repository.view(Some(patience / 2))? });
    }
    let place = locate(app, ask, &seen);
    let located = ms(start);
    let Seen { repository, view } = &seen[place.repository];
    let mut res = Prepared {
        place: told(repository, &place),
        context: if place.found.is_some() { Context::File } else { Context::Lexical },
        snapshot: Some(view.snapshot.id().to_owned()),
        took: (located, 0.0),
        ..Prepared::default()
    };
    if ask.kind == Kind::Plain && place.found.is_none() {
        res.context = Context::Untouched;
        res.notes.push("the text is of no file here, so it may be no code".to_owned());
        return Ok(res);
    }
    let start = Instant::now();
    let cursor = cursor(ask, place.found);
    res.notes.extend(view.trouble.clone());
    if !view.is_complete() {
        res.notes.push("the index was not up to date".to_owned());
    }
    compose(&mut res, &repository.workspace().name, view, &cursor, ask, form)?;
    res.took.1 = ms(start);
    Ok(res)
}

/// What there is without any context: what the client brought.
pub(crate) fn bare(ask: &Ask, form: &Form) -> Prepared {
    let cursor = cursor(ask, None);
    let language = Language::of_path(&cursor.path, "");
    let mut fill = fill(&cursor, language, ask.prefix.clone(), ask.suffix.clone());
    if ask.kind == Kind::Plain {
        let prompt = ask.prefix.clone();
        fill.prompt = Some(Rendered { format: form.format.name, text: prompt, stop: Vec::new() });
    } else {
        let merged = merge::render(form.format, "", &cursor.path, language, &fill, &ask.shown);
        fill.prompt = Some(merged.prompt);
    }
    fill.pieces.clone_from(&ask.shown);
    Prepared { fill, whole: (ask.prefix.clone(), ask.suffix.clone()), ..Prepared::default() }
}

fn compose(
    res: &mut Prepared,
    name: &str,
    view: &View,
    cursor: &Cursor,
    ask: &Ask,
    form: &Form,
) -> anyhow::Result<()> {
    let Merged { prompt, pieces, prefix, suffix, chosen, trace } =
        merge::compose(name, view, cursor, ask, form)?;
    if form.reads_files {
        res.nearby = nearby(&view.snapshot, cursor, &chosen);
    }
    res.trace = Some(trace.into());
    let score = |it: &Shown| {
        let own = chosen.iter().find(|piece| piece.path == it.path && piece.text == it.text);
        own.map_or(1.0, |it| it.score)
    };
    let snippet =
        |it: &Shown| Snippet { filepath: it.path.clone(), body: it.text.clone(), score: score(it) };
    res.snippets = pieces.iter().map(snippet).collect::<Vec<_>>().into();
    let language = Language::of_path(&cursor.path, "");
    res.fill = Fill { pieces, prompt: Some(prompt), ..fill(cursor, language, prefix, suffix) };
    res.whole = (cursor.prefix().to_owned(), cursor.suffix().to_owned());
    Ok(())
}

fn fill(cursor: &Cursor, language: Option<Language>, prefix: String, suffix: String) -> Fill {
    Fill {
        path: cursor.path.clone(),
        language: language.map(Language::name),
        line_comment: language.and_then(Language::line_comment),
        prefix,
        suffix,
        pieces: Vec::new(),
        prompt: None,
    }
}

fn locate(app: &App, ask: &Ask, seen: &[Seen<'_>]) -> Where {
    let named = ask.file.as_deref().map(|it| by_the_name(ask, it, seen));
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
    let of_snippets = ask.shown.iter().find_map(|it| inside(Path::new(&it.path), seen));
    let repository = of_snippets.map_or_else(|| app.last().min(seen.len() - 1), |it| it.0);
    Where { repository, found: None, why }
}

/// The file by its name, in the repository whose address the client gives, else in the first that has it.
fn by_the_name(ask: &Ask, name: &str, seen: &[Seen<'_>]) -> Option<(usize, Found)> {
    let path = uri::path_of(name).unwrap_or_else(|| name.into());
    if path.is_absolute() {
        let (at, path) = inside(&path, seen)?;
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
fn inside(path: &Path, seen: &[Seen<'_>]) -> Option<(usize, String)> {
    let path = if path.is_absolute() { path } else { return None };
    // The root is canonical, so the path has to be too; a path that leads out by links is not inside.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    seen.iter().enumerate().find_map(|(at, it)| {
        let relative = path.strip_prefix(&it.repository.workspace().root).ok()?;
        Some((at, relative.to_str()?.replace('\\', "/")))
    })
}

/// The cursor in the file, or in a file that has nothing but what the client sent.
fn cursor(ask: &Ask, found: Option<Found>) -> Cursor {
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
        && Path::new(&name).components().all(|it| matches!(it, std::path::Component::Normal(_)));
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

fn told(repository: &Repository, place: &Where) -> Place {
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

/// Milliseconds since then.
pub(crate) fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// A snippet that says nothing of its file.
pub(crate) fn snippet(path: &str, text: &str) -> Option<Shown> {
    (!text.trim().is_empty()).then(|| Shown { path: path.to_owned(), text: text.to_owned() })
}
