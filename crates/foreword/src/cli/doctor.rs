//! `foreword doctor`: checks the installation and suggests repairs.

pub(super) mod agents;
mod cluster;
mod customisation;

use foreword_chunk::{Config, Language, analyze};
use foreword_engine::compose::Format;
use foreword_engine::index::{OtherStore, Store};
use foreword_load::Workspace;
use foreword_model::TokenCounter;
use foreword_session::answer::status::{Listing, Stale, Status, status, unparsed_note};
use foreword_session::answer::tokens;
use foreword_session::backend::{BUILD, CAN_RUN};
use serde::Serialize;

use super::args::DoctorArgs;
use super::config::{Role, Settings};
use super::output::{BAD, DIM, GOOD};
use super::setup::clients::Locations;
use super::{Outcome, output, workspace};

/// The result of one check.
#[derive(Serialize)]
struct Check {
    check: &'static str,
    ok: bool,
    found: String,
    /// Suggested repair; empty on success.
    mend: String,
}

impl Check {
    fn good(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, ok: true, found: found.into(), mend: String::new() }
    }

    fn bad(check: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { check, ok: false, found: found.into(), mend: mend.into() }
    }
}

/// A prompt format with its token counting.
#[derive(Serialize)]
struct FormatSupport {
    name: &'static str,
    evidence: &'static str,
    counted_by: String,
}

pub(super) fn run(args: &DoctorArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if let Some(url) = &args.cluster {
        return show(args, &cluster::checks(url, &args.index, settings)?, &[]);
    }
    let mut checks = vec![
        grammars(),
        parsers(settings),
        settings_file(settings),
        model(settings),
        model_file(settings),
    ];
    checks.extend(Role::ALL.into_iter().filter_map(|it| role(settings, it)));
    checks.extend(repository(settings));
    checks.extend(agents(settings));
    let formats: Vec<FormatSupport> = Format::ALL.iter().map(format_support).collect();
    show(args, &checks, &formats)
}

fn show(args: &DoctorArgs, checks: &[Check], formats: &[FormatSupport]) -> anyhow::Result<Outcome> {
    let ok = checks.iter().all(|it| it.ok);
    if args.json {
        output::json(
            &serde_json::json!({ "version": 1, "ok": ok, "checks": checks, "formats": formats }),
        )?;
    } else {
        output::text(&text(checks, formats))?;
    }
    Ok(if ok { Outcome::Done } else { Outcome::Nothing })
}

fn format_support(format: &'static Format) -> FormatSupport {
    let counted_by = TokenCounter::for_format(format, None)
        .map_or_else(|error| error.to_string(), |it| tokens::accuracy(&it));
    FormatSupport { name: format.name, evidence: format.evidence.as_str(), counted_by }
}

/// Agents and editors configured to start foreword.
fn agents(settings: &Settings) -> Vec<Check> {
    let root = workspace::discover(settings, None).ok().map(|it| it.root);
    Locations::current(root).map_or_else(Vec::new, |it| agents::checks(&it))
}

/// Checks that every grammar of this build loads and parses.
fn grammars() -> Check {
    let (built, left_out): (Vec<Language>, Vec<Language>) =
        Language::ALL.iter().copied().partition(|it| it.has_grammar());
    let parses =
        |it: &&Language| analyze(b"\n", Some(**it), &Config::default()).outcome.is_parsed();
    let names = |all: Vec<&Language>| all.into_iter().map(|it| it.name()).collect::<Vec<_>>();
    let broken = names(built.iter().filter(|it| !parses(it)).collect());
    let without = match left_out.is_empty() {
        true => String::new(),
        false => format!("; not in this build: {}", names(left_out.iter().collect()).join(", ")),
    };
    match broken.is_empty() {
        true => Check::good("grammars", format!("{} languages{without}", built.len())),
        false => {
            Check::bad("grammars", format!("broken: {}", broken.join(", ")), "reinstall foreword")
        }
    }
}

/// Checks that parser processes start.
fn parsers(settings: &Settings) -> Check {
    match settings.analyzer.check() {
        Ok(()) => Check::good("parsers", "run in separate processes".to_owned()),
        Err(error) => Check::bad(
            "parsers",
            format!("cannot start worker processes: {error}; files are parsed without isolation"),
            "allow this program to start itself",
        ),
    }
}

fn settings_file(settings: &Settings) -> Check {
    match &settings.config.file {
        Some(path) => Check::good("settings", path.display().to_string()),
        None => Check::good("settings", "no file; defaults"),
    }
}

fn model(settings: &Settings) -> Check {
    let name = &settings.model.value;
    let Some(format) = Format::named(name).or_else(|| Format::of_model(name)) else {
        return Check::bad(
            "model",
            format!("{name} is unknown"),
            "set `model` to one of the formats below",
        );
    };
    match TokenCounter::for_format(format, settings.tokenizer.value.as_deref()) {
        Ok(counter) => {
            Check::good("model", format!("{}; {}", format.name, tokens::accuracy(&counter)))
        }
        Err(error) => {
            Check::bad("model", error.to_string(), "fix or remove the setting `tokenizer`")
        }
    }
}

/// Checks a role's model settings offline; `None` if unset.
fn role(settings: &Settings, role: Role) -> Option<Check> {
    let check = match role {
        Role::Complete => "models.complete",
        Role::Chat => "models.chat",
        Role::Embed => "models.embed",
        Role::Rerank => "models.rerank",
        Role::Edit => "models.edit",
    };
    let it = settings.role(role);
    if !it.is_named() {
        return None;
    }
    if let Err(error) = it.check() {
        return Some(Check::bad(check, error.to_string(), "see the message"));
    }
    if let Some(path) = &it.gguf {
        return Some(match foreword_load::open_regular(path) {
            Ok(_) => Check::good(check, format!("{} is there", path.display())),
            Err(error) => {
                let mend = format!("fix the setting `{}`", role.key("gguf"));
                Check::bad(check, format!("{}: {error}", path.display()), mend)
            }
        });
    }
    let url = it.url.as_deref().unwrap_or("no server");
    let model = it.model.as_deref().unwrap_or("the server's own model");
    let api = it.api.as_deref().unwrap_or("protocol detected");
    let key = it.key_env.map_or_else(String::new, |it| format!(", key from ${it}"));
    Some(Check::good(check, format!("{model} at {url} ({api}{key})")))
}

/// Checks that model files are supported, and that the configured one is readable.
fn model_file(settings: &Settings) -> Check {
    let check = "model files";
    let mend = format!("build with `{BUILD}`, or take `gguf` out of the settings");
    match (&settings.gguf.value, CAN_RUN) {
        (None, true) => Check::good(check, "can be run (--gguf)"),
        (None, false) => Check::good(check, format!("not in this build; `{BUILD}` has it")),
        (Some(path), false) => {
            Check::bad(check, format!("{} cannot be run by this build", path.display()), mend)
        }
        (Some(path), true) => match foreword_load::open_regular(path) {
            Ok(_) => Check::good(check, format!("{} is there", path.display())),
            Err(error) => {
                Check::bad(check, format!("{}: {error}", path.display()), "fix the setting `gguf`")
            }
        },
    }
}

fn repository(settings: &Settings) -> Vec<Check> {
    let workspace = match workspace::discover(settings, None) {
        Ok(workspace) => workspace,
        Err(error) => {
            let mend = "go to a project, or name one with -C";
            return vec![Check::bad("repository", format!("{error:#}"), mend)];
        }
    };
    let root = Check::good("repository", workspace.root.display().to_string());
    let mut res = vec![root];
    if let Some(problem) = foreword_load::git_problem(&workspace) {
        let found = "the history is not read, or not all of it";
        res.push(Check::bad("git", found, problem.to_string()));
    }
    match workspace::store(settings, &workspace) {
        Ok(store) => {
            res.push(files(settings, &workspace, &store));
            res.extend(trees(&workspace, &store));
            res.extend([index_directory(&store), index(&store, &workspace)]);
            res.extend(store.other_versions().iter().map(other_version));
            // Runs last, because it updates the index.
            res.extend(customisation::checks(settings, &workspace, &store));
        }
        Err(error) => {
            let mend = "choose a directory with --index-dir";
            res.push(Check::bad("index", format!("{error:#}"), mend));
        }
    }
    res
}

/// Checks that there is something to index; the numbers are those of `foreword status`.
fn files(settings: &Settings, workspace: &Workspace, store: &Store) -> Check {
    match status(&settings.setup(), workspace, store, Listing::Counts) {
        Ok(it) if it.files == 0 && it.stale.added == 0 => {
            Check::bad("files", "none", "`foreword status --ignored` lists excluded files")
        }
        Ok(Status { files, stale: Stale { changed, added, removed }, .. }) => Check::good(
            "files",
            format!("{files} indexed; since then {changed} changed, {added} new, {removed} gone"),
        ),
        Err(error) => Check::bad("files", format!("{error:#}"), "see the message"),
    }
}

/// Files without a syntax tree, by reason.
fn trees(workspace: &Workspace, store: &Store) -> Option<Check> {
    let check = "syntax trees";
    let stored = foreword_load::open_as_is(workspace, store)?;
    let Some(note) = unparsed_note(&stored.snapshot) else {
        return Some(Check::good(check, "every file in a language with a grammar has one"));
    };
    let is_final = |it| !stored.snapshot.outcome(it).is_preliminary();
    Some(match stored.snapshot.files().all(is_final) {
        true => Check::good(check, note),
        false => Check::bad(check, note, "run `foreword index`, which tries again"),
    })
}

/// The index of another version, which may still be installed.
fn other_version(it: &OtherStore) -> Check {
    let found = format!(
        "another version of foreword has an index of {} MB here: {}; older versions mask fewer secrets; if it is no longer installed, delete `segments` and `views` there",
        it.bytes.div_ceil(1_000_000),
        it.path.display()
    );
    Check::good("other versions", found)
}

/// Checks that the index is writable.
fn index_directory(store: &Store) -> Check {
    let check = "index directory";
    match store.try_write() {
        Ok(Some(_)) => Check::good(check, store.dir().display().to_string()),
        Ok(None) => Check::good(check, "another process is writing it"),
        Err(error) => {
            Check::bad(check, error.to_string(), "choose another directory with --index-dir")
        }
    }
}

/// Checks that the index is readable.
fn index(store: &Store, workspace: &Workspace) -> Check {
    let check = "index";
    let Some(manifest) = store.manifest(&workspace.view_key()) else {
        return match store.has_view(&workspace.view_key()) {
            true => {
                let mend = "nothing to do: the next query rebuilds it";
                Check::bad(check, "damaged", mend)
            }
            false => Check::good(check, "not built yet; the first query builds it"),
        };
    };
    let (files, segments) = (manifest.files.len(), manifest.segments.len());
    match store.verify(&manifest) {
        Ok(()) => Check::good(
            check,
            format!("{files} files in {segments} segments, every block verified"),
        ),
        Err(error) => Check::bad(check, error.to_string(), "run `foreword index`"),
    }
}

fn text(checks: &[Check], formats: &[FormatSupport]) -> String {
    let mut text = String::new();
    for it in checks {
        let (style, mark) = if it.ok { (GOOD, "ok ") } else { (BAD, "BAD") };
        text.push_str(&format!(
            "{style}{mark}{style:#} {:16} {}\n",
            it.check,
            output::plain(&it.found)
        ));
        if !it.mend.is_empty() {
            text.push_str(&format!("    {:16} to fix: {}\n", "", output::plain(&it.mend)));
        }
    }
    if !formats.is_empty() {
        text.push_str("\nprompt formats (--model):\n");
    }
    for it in formats {
        text.push_str(&format!(
            "  {:16} {}  {DIM}{}{DIM:#}\n",
            it.name, it.evidence, it.counted_by
        ));
    }
    text
}
