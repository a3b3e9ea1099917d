//! `foreword chunk`: shows how files are split into chunks, without an index.

pub(super) mod skeleton;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use foreword_chunk::{Chunk, Config, Definition, Granularity, Language, LineIndex, Symbols};
use foreword_engine::index::scope_names;
use foreword_load::{Analyzer, Encoding, Job, Masking, SkipReason, Workspace};
use serde::Serialize;

use super::args::ChunkArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::position::Position;
use super::{Outcome, output, usage, workspace};

/// Maximum bytes of an enclosing definition's name or first line.
const MAX_NAME: usize = 1000;

/// JSON of `chunk --json` per file (docs/json.md).
#[derive(Serialize)]
struct FileOutput<'f> {
    version: u32,
    path: &'f str,
    language: Option<&'static str>,
    parsed: bool,
    /// Result of parsing, as a word.
    outcome: &'static str,
    chunks: Vec<ChunkOutput>,
}

#[derive(Serialize)]
struct ChunkOutput {
    start: u32,
    end: u32,
    start_line: u32,
    end_line: u32,
    size: u32,
    overlap: u32,
    /// Names of enclosing definitions, outermost first, each after the names of its qualifier.
    scope: Vec<String>,
    /// Their first lines.
    header: Vec<String>,
    defines: Vec<Name>,
    references: Vec<String>,
    text: String,
}

#[derive(Serialize)]
struct Name {
    name: String,
    kind: &'static str,
    line: u32,
}

pub(super) fn run(args: &ChunkArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let config = Config {
        max_size: args.max,
        granularity: granularity(&args.granularity)?,
        overlap_lines: args.overlap,
    };
    if args.max == 0 {
        return Err(usage("--max 0: a chunk holds one character at least"));
    }
    let language = args.lang.as_deref().map(language).transpose()?;
    check_only(&args.files, settings)?;
    let mut outcome = Outcome::Done;
    for named in &args.files {
        let Some(file) = NamedFile::read(named, language, settings)? else {
            outcome = Outcome::Nothing;
            continue;
        };
        let job = Job { text: &file.text, language: file.language, config, document: None };
        let output = file_output(&file.name, &job, &settings.analyzer);
        if args.json {
            output::json(&output)?
        } else {
            output::text(&render(&output))?
        };
    }
    Ok(outcome)
}

/// Fails if the only file does not exist or is a directory, as every command does; of several the others are shown.
fn check_only(files: &[String], settings: &Settings) -> anyhow::Result<()> {
    let [named] = files else { return Ok(()) };
    let (workspace, path) = file_of(named, settings)?;
    if workspace.is_some_and(|it| it.revision.is_some()) {
        return Ok(());
    }
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(usage(workspace::unreadable(&path, &SkipReason::Gone)))
        }
        Ok(it) if it.is_dir() => {
            Err(usage(format!("{} is a directory; name a file in it", path.display())))
        }
        _ => Ok(()),
    }
}

/// A file named on the command line.
struct NamedFile {
    name: String,
    text: String,
    language: Option<Language>,
}

impl NamedFile {
    /// Reads a file; prints a note and returns `None` if that fails. Without `language` it is detected from the path
    /// and the first lines.
    fn read(
        named: &str,
        language: Option<Language>,
        settings: &Settings,
    ) -> anyhow::Result<Option<Self>> {
        let (workspace, path) = &file_of(named, settings)?;
        let name = path.display().to_string();
        let masking = match settings.setup().admit_file(workspace.as_ref(), path) {
            Ok(masking) => masking,
            Err(secret) => {
                output::note(&secret.to_string());
                return Ok(None);
            }
        };
        let text = match read(workspace.as_ref(), path, masking, settings)? {
            Ok((text, _)) => text,
            Err(reason) => {
                output::note(&workspace::unreadable(path, &reason));
                return Ok(None);
            }
        };
        let head = &text[..text.floor_char_boundary(4096)];
        let language = language.or_else(|| Language::of_path(&name, head));
        Ok(Some(Self { name, text, language }))
    }
}

/// Reads a file on disk, or of the revision.
fn read(
    workspace: Option<&Workspace>,
    path: &Path,
    masking: Masking,
    settings: &Settings,
) -> anyhow::Result<Result<(String, Encoding), SkipReason>> {
    let most = workspace::most_bytes(settings);
    Ok(match workspace.filter(|it| it.revision.is_some()) {
        None => foreword_load::read_named(path, most, masking),
        Some(it) => foreword_load::read_as_stored(&it.open()?, &it.relative(path)?, most, masking),
    })
}

/// The file that the user means, who may have pasted `FILE:FIRST-LAST` from an answer, and the workspace. That of a
/// revision must be found.
fn file_of(named: &str, settings: &Settings) -> anyhow::Result<(Option<Workspace>, PathBuf)> {
    let mut file = Position::parse(named)?.file;
    let workspace = match settings.revision {
        Some(_) => Some(workspace::discover(settings, None)?),
        None => workspace::discover(settings, None).ok(),
    };
    // An existing file needs no workspace.
    if let Some(it) = workspace.as_ref().filter(|_| settings.revision.is_some() || !file.exists()) {
        file = workspace::locate(settings, it, &file);
    }
    Ok((workspace, file))
}

fn language(name: &str) -> anyhow::Result<Language> {
    Language::from_name(name).ok_or_else(|| usage(format!("--lang {name}: no such language")))
}

fn granularity(text: &str) -> anyhow::Result<Granularity> {
    let unknown = || usage(format!("--granularity {text}: write {}", Granularity::NAMES));
    Granularity::from_name(text).ok_or_else(unknown)
}

fn file_output<'f>(path: &'f str, job: &Job<'_>, analyzer: &Analyzer) -> FileOutput<'f> {
    let Job { text, language, .. } = *job;
    let analysis = analyzer.analyze(job);
    let lines = LineIndex::new(text.as_bytes());
    let chunks = analysis.chunks.iter();
    FileOutput {
        version: 1,
        path,
        language: language.map(Language::name),
        parsed: analysis.outcome.is_parsed(),
        outcome: analysis.outcome.code(),
        chunks: chunks.map(|it| chunk_output(text, &analysis.symbols, &lines, it)).collect(),
    }
}

fn chunk_output(text: &str, symbols: &Symbols, lines: &LineIndex, chunk: &Chunk) -> ChunkOutput {
    let mut enclosing: Vec<_> = symbols.ancestors(chunk.scope).collect();
    enclosing.reverse();
    let is_inside = |at: u32| chunk.span.contains_byte(at as usize);
    let definitions = symbols.definitions.iter().filter(|it| is_inside(it.name.start));
    let references = symbols.references.iter().filter(|it| is_inside(it.name.start));
    let mut references: Vec<String> = references.map(|it| it.name.of(text).to_owned()).collect();
    references.sort_unstable();
    references.dedup();
    let name = |it: &Definition| Name {
        name: it.name.of(text).to_owned(),
        kind: it.kind.name(),
        line: lines.line_of(it.name.start as usize),
    };
    // A chunk names all around it, so a long name would be repeated in each.
    let short = |it: &str| it[..it.floor_char_boundary(MAX_NAME)].to_owned();
    let first_line =
        |it: &&Definition| short(it.signature.of(text).lines().next().unwrap_or_default());
    ChunkOutput {
        start: chunk.span.start,
        end: chunk.span.end,
        start_line: chunk.start_line,
        end_line: chunk.end_line,
        size: chunk.size,
        overlap: chunk.overlap,
        scope: chunk.scope.map_or_else(Vec::new, |it| {
            scope_names(symbols, text, it).iter().map(|it| short(it)).collect()
        }),
        header: enclosing.iter().map(first_line).collect(),
        defines: definitions.map(name).collect(),
        references,
        text: chunk.span.of(text).to_owned(),
    }
}

fn render(file: &FileOutput<'_>) -> String {
    let language = file.language.unwrap_or("unknown language");
    let parsed = match file.parsed {
        true => String::new(),
        false => format!(", no syntax tree ({})", file.outcome),
    };
    let n = file.chunks.len();
    let mut text =
        format!("{NAME}{}{NAME:#}  {language}{parsed}, {n} chunks\n", output::path(file.path));
    for chunk in &file.chunks {
        let scope = output::plain(&chunk.scope.join(".")).replace('\n', " ");
        let names: Vec<String> =
            chunk.defines.iter().map(|it| format!("{} {}", it.kind, it.name)).collect();
        let names = output::plain(&names.join(", ")).replace('\n', " ");
        let scope = if scope.is_empty() { String::new() } else { format!("  in {scope}") };
        text.push_str(&format!(
            "{:>6}-{:<6} {:>5} chars{scope}  {DIM}{names}{DIM:#}\n",
            chunk.start_line, chunk.end_line, chunk.size
        ));
    }
    text
}
