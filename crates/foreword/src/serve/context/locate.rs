//! The repositories of a server, and in them the file of a request's cursor: by its name, or by its text, since most tools
//! do not name it and send the text around the cursor. The engine's cursor is in that file, or in a file of the client's
//! text alone.
//!
//! Hashes of line pairs select candidates among the indexed files. Each is aligned with the text
//! ([`align`](super::anchors::align)), allowing edits, and the best match is the file, if it matches well enough.

use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use foreword_engine::index::Snapshot;
use foreword_engine::scope::Cursor;
use foreword_engine::sorting::{sort_by, sort_by_key};
use foreword_session::host::{Host, Repository, View, large_text};
use foreword_session::uri;
use foreword_session::usage::usage;

use super::anchor_table::{AnchorTable, Finder};
use super::anchors::{Alignment, TextWindow, align};
use super::outcome::Location;
use crate::serve::protocols::request::ClientRequest;

/// The repositories that are served.
pub(crate) struct Workspaces {
    /// In the order given; the first is the default for a request.
    pub(crate) repositories: Vec<Arc<Repository>>,
    /// Finds files by their lines.
    pub(crate) finder: Finder,
    /// The index of the repository in which a file was found last.
    last_used: AtomicUsize,
}

/// A repository in its current state.
pub(super) struct WorkspaceView<'w> {
    pub(super) repository: &'w Repository,
    pub(super) view: View,
}

impl Workspaces {
    /// Opens the repositories, which are indexed in the background.
    pub(crate) fn open(host: &Host, paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut repositories: Vec<Arc<Repository>> = Vec::new();
        for path in paths {
            let it = host.repository(path)?;
            if repositories.iter().all(|known| known.workspace().root != it.workspace().root) {
                repositories.push(it);
            }
        }
        if repositories.is_empty() {
            return Err(usage("no workspace is named"));
        }
        Ok(Self { repositories, finder: Finder::default(), last_used: AtomicUsize::new(0) })
    }

    /// The current state of every repository. Half of `patience` is for checking the disks; a repository not checked by then
    /// is returned as last seen.
    pub(super) fn views(&self, patience: Duration) -> anyhow::Result<Vec<WorkspaceView<'_>>> {
        let each = patience / 2 / self.repositories.len() as u32;
        let view = |repository| {
            let repository: &Repository = repository;
            anyhow::Ok(WorkspaceView { repository, view: repository.view_watched(each)? })
        };
        self.repositories.iter().map(|it| view(it)).collect()
    }

    /// The index of the repository of a request whose file is not known.
    pub(super) fn default_for(&self, request: &ClientRequest) -> usize {
        let last_used = || self.last_used.load(Ordering::Relaxed).min(self.repositories.len() - 1);
        request.snippet_repository.unwrap_or_else(last_used)
    }

    /// Keeps what was just edited for the next start.
    pub(crate) fn store_sessions(&self) {
        self.repositories.iter().for_each(|it| it.activity().store());
    }

    /// Remembers where a file was found.
    pub(super) fn used(&self, repository: usize) {
        self.last_used.store(repository, Ordering::Relaxed);
    }

    /// Makes the paths of the client's snippets relative to their repository: editors send absolute paths.
    pub(crate) fn relativize_snippets(&self, request: &mut ClientRequest) {
        for snippet in &mut request.snippets {
            if let Some((repository, path)) = self.relative(Path::new(&snippet.path)) {
                snippet.path = path;
                request.snippet_repository.get_or_insert(repository);
            }
        }
    }

    /// The repository that an absolute path is in, and the path relative to it.
    pub(super) fn relative(&self, path: &Path) -> Option<(usize, String)> {
        // The roots are canonical, so the path must be canonical too; a path that leads out by links is outside.
        let canonical = || dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let path = path.is_absolute().then(canonical)?;
        self.repositories.iter().enumerate().find_map(|(at, it)| {
            let relative = path.strip_prefix(&it.workspace().root).ok()?;
            Some((at, relative.to_str()?.replace(MAIN_SEPARATOR, "/")))
        })
    }
}

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
    let (found, reason) = match named {
        Some(it) => (Some(it), String::new()),
        None => by_text(workspaces, request, views),
    };
    match found {
        Some((repository, file)) => {
            workspaces.used(repository);
            LocatedFile { repository, file: Some(file), reason }
        }
        None => LocatedFile { repository: workspaces.default_for(request), file: None, reason },
    }
}

/// The best match of a request's text in all repositories, and why others have none.
fn by_text(
    workspaces: &Workspaces,
    request: &ClientRequest,
    views: &[WorkspaceView<'_>],
) -> (Option<(usize, FileMatch)>, String) {
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
    (best, reason)
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
    match &located.file {
        None => Location { workspace, how: located.reason.clone(), ..Location::default() },
        Some(file) => {
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
    }
}

/// The cursor in the located file, or in a file made of the client's text; cut to the lines around it if the text is too
/// large. Fails for a file that is a secret by its name.
pub(super) fn cursor(
    request: &ClientRequest,
    found: Option<FileMatch>,
    repository: &Repository,
) -> anyhow::Result<Cursor> {
    let (path, text, offset) = match found {
        Some(it) => (it.path, it.text, it.offset),
        None => {
            let text = format!("{}{}", request.prefix, request.suffix);
            (untitled(request), text, request.prefix.len())
        }
    };
    let offset = text.floor_char_boundary(offset);
    let (text, offset) = large_text::analysable(&path, &text, offset, repository.max_text_bytes());
    repository.cursor(path, text, offset)
}

/// The cursor in the client's text alone. The request was admitted, and its secrets are masked.
pub(super) fn cursor_in_request(request: &ClientRequest) -> Cursor {
    let text = format!("{}{}", request.prefix, request.suffix);
    let cursor = Cursor::unmasked(untitled(request), text, request.prefix.len());
    cursor.expect("a prefix ends at a character boundary")
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

/// Minimum share of a text's anchors in its file.
const MIN_SHARE: f64 = 0.4;

/// Files whose share is this close to the best count as alike.
const ALIKE_MARGIN: f64 = 0.05;

/// Minimum anchors to choose among files that are alike.
const MIN_ANCHORS_IF_ALIKE: usize = 3;

/// Minimum share of a text's anchors in the file that the client names.
const MIN_SHARE_IF_NAMED: f64 = 0.2;

/// The file of a cursor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileMatch {
    pub(crate) path: String,
    /// The file's text with the client's text in place of the part that it matches.
    pub(crate) text: String,
    /// The cursor's offset in that text.
    pub(crate) offset: usize,
    /// Between 0 and 1.
    pub(crate) confidence: f64,
    /// How it was found.
    pub(crate) how: String,
}

/// The file of a text, found by its lines, or the reason why none was found.
pub(crate) fn by_content(
    table: &AnchorTable,
    snapshot: &Snapshot,
    prefix: &str,
    suffix: &str,
) -> Result<FileMatch, String> {
    let text = format!("{prefix}{suffix}");
    let matches = matches(table, snapshot, &TextWindow::new(&text, lines(prefix)));
    let near = |share: f64| matches.iter().take_while(|it| it.0 > share - ALIKE_MARGIN).count();
    let is_whole = |it: Alignment| it.share > 0.99;
    match matches.first().map(|it| (*it, near(it.0))) {
        None => Err("no file has lines of this text".to_owned()),
        Some(((share, path, it), _)) if share < MIN_SHARE || it.anchors < 2 && !is_whole(it) => {
            let percent = share * 100.0;
            Err(format!("{path} is the nearest, but has only {percent:.0} % of this text"))
        }
        Some(((_, _, it), alike)) if alike > 1 && it.anchors < MIN_ANCHORS_IF_ALIKE => {
            Err(format!("{alike} files have these lines, which are too few to tell them apart"))
        }
        Some(((share, path, alignment), alike)) => {
            let how = match alike {
                1 => format!("by its lines: {} pairs of lines agree", alignment.anchors),
                n => format!("by its lines, but {n} files have them: the first by name is taken"),
            };
            let text = file_text(snapshot, path).unwrap_or_default();
            let confidence = share / alike as f64;
            let (text, offset) = overlay(&text, prefix, suffix, alignment);
            Ok(FileMatch { path: path.to_owned(), text, offset, confidence, how })
        }
    }
}

/// The files that have a part of the text, with the share that counts, best first.
fn matches<'t>(
    table: &'t AnchorTable,
    snapshot: &Snapshot,
    window: &TextWindow<'_>,
) -> Vec<(f64, &'t str, Alignment)> {
    let mut res: Vec<(f64, &str, Alignment)> = Vec::new();
    let mut best = 0.0;
    for it in table.candidates(window) {
        // No alignment can make it the best or alike.
        if it.max_share <= best - ALIKE_MARGIN {
            break;
        }
        let file = snapshot.file(it.path);
        if let Some(alignment) = file.and_then(|file| align(&snapshot.text(file), window)) {
            let share = alignment.share * if alignment.is_near { 1.0 } else { 0.7 };
            best = f64::max(best, share);
            res.push((share, it.path, alignment));
        }
    }
    sort_by(&mut res, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    res
}

/// The file that the client names.
pub(crate) fn by_name(
    snapshot: &Snapshot,
    path: &str,
    prefix: &str,
    suffix: &str,
) -> Option<FileMatch> {
    let text = file_text(snapshot, path)?;
    let window = format!("{prefix}{suffix}");
    let alignment = align(&text, &TextWindow::new(&window, lines(prefix)));
    if let Some(alignment) = alignment.filter(|it| it.share > MIN_SHARE_IF_NAMED) {
        let (text, offset) = overlay(&text, prefix, suffix, alignment);
        let (path, how) = (path.to_owned(), "by its name".to_owned());
        return Some(FileMatch { path, text, offset, confidence: 1.0, how });
    }
    // A short or rewritten file: only the client's text is certain.
    Some(FileMatch {
        path: path.to_owned(),
        text: format!("{prefix}{suffix}"),
        offset: prefix.len(),
        confidence: 0.9,
        how: "by name; the content differs from the saved file".to_owned(),
    })
}

fn file_text(snapshot: &Snapshot, path: &str) -> Option<Arc<str>> {
    Some(snapshot.text(snapshot.file(path)?))
}

/// The file's text with the client's text in place of the part that it is aligned with, and the cursor's offset.
fn overlay(text: &str, prefix: &str, suffix: &str, alignment: Alignment) -> (String, usize) {
    let with_newlines = |it: &str| match prefix.contains('\r') || suffix.contains('\r') {
        true => it.to_owned(),
        // The tool sends lines without carriage returns, so the rest of the file has none either.
        false => it.replace("\r\n", "\n"),
    };
    let (above, below) =
        (with_newlines(&text[..alignment.top]), text.get(alignment.bottom..).unwrap_or_default());
    let offset = above.len() + prefix.len();
    // Without a suffix, the rest of the cursor's line may have been deleted.
    let below = match suffix.is_empty() {
        true => below.find('\n').map_or("", |at| &below[at..]),
        false => below,
    };
    let text = format!("{above}{prefix}{suffix}{}", with_newlines(below));
    (text, offset)
}

fn lines(text: &str) -> u32 {
    text.matches('\n').count() as u32
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source;

    use super::*;

    fn snapshot(files: &[(&str, &str)]) -> Snapshot {
        let source = |it: &(&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
        let sources = files.iter().map(source).collect();
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    }

    fn module(name: &str) -> String {
        (0..30)
            .map(|it| format!("def {name}_{it}(item):\n    return item.{name} + {it}\n\n"))
            .collect()
    }

    fn find(snapshot: &Snapshot, prefix: &str, suffix: &str) -> Result<FileMatch, String> {
        by_content(&AnchorTable::new(snapshot, &AnchorTable::default()), snapshot, prefix, suffix)
    }

    #[test]
    fn a_file_is_found_by_a_few_lines_of_it() {
        let (a, b) = (module("alpha"), module("beta"));
        let snapshot = snapshot(&[("a.py", &a), ("b.py", &b)]);
        let at = b.find("def beta_9").unwrap();
        let (prefix, suffix) = (&b[at - 300..at + 30], &b[at + 31..at + 400]);
        let found = find(&snapshot, prefix, suffix).unwrap();
        assert_eq!(found.path, "b.py");
        assert!(found.confidence > 0.7, "{found:?}");
        assert_eq!(&found.text[..found.offset], &b[..at + 30]);
    }

    #[test]
    fn unsaved_edits_replace_the_saved_text() {
        let b = module("beta");
        let snapshot = snapshot(&[("a.py", &module("alpha")), ("b.py", &b)]);
        let at = b.find("def beta_9").unwrap();
        let end = b.find("def beta_10").unwrap();
        let prefix = format!("{}def quite_new(", &b[at - 350..at]);
        let found =
            find(&snapshot, &prefix, &format!("):\n    pass\n\n{}", &b[end..end + 300])).unwrap();
        assert_eq!(found.path, "b.py");
        assert!(
            found.text.contains("def beta_8(item)") && found.text.contains("def beta_29(item)")
        );
        assert!(!found.text.contains("def beta_9(item)"), "{}", found.text);
    }

    #[test]
    fn unknown_text_is_not_found_and_text_in_two_files_is_uncertain() {
        let b = module("beta");
        let snapshot = snapshot(&[("a.py", &b), ("b.py", &b)]);
        assert!(find(&snapshot, "fn main() {\n    let x = 1;\n", "}\n").is_err());
        let found = find(&snapshot, &b[..200], &b[200..500]).unwrap();
        assert_eq!(found.path, "a.py");
        assert!(found.confidence <= 0.5 && found.how.contains("2 files"), "{found:?}");
    }

    #[test]
    fn a_named_file_is_found_even_if_all_of_its_text_is_new() {
        let snapshot = snapshot(&[("b.py", "x = 1\n")]);
        let found = by_name(&snapshot, "b.py", "y = ", "\n").unwrap();
        assert_eq!((found.text.as_str(), found.offset), ("y = \n", 4));
        assert_eq!(by_name(&snapshot, "c.py", "y = ", "\n"), None);
    }
}
