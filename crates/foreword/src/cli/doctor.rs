//! `foreword doctor`: checks that everything works, and says how to mend what does not.

mod agents;

use foreword_chunk::{Config, Language, analyze};
use foreword_engine::compose::Format;
use foreword_load::{Environment, walk};
use foreword_model::TokenCounter;
use serde::Serialize;

use super::args::DoctorArgs;
use super::config::Settings;
use super::output::{BAD, DIM, GOOD};
use super::{Outcome, output, workspace};
use crate::answer::tokens;
use crate::backend::{BUILD, CAN_RUN};

/// The outcome of one check.
#[derive(Serialize)]
struct Check {
    check: &'static str,
    ok: bool,
    found: String,
    /// What to do; empty when nothing is.
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

#[derive(Serialize)]
struct Row {
    name: &'static str,
    evidence: &'static str,
    counted_by: String,
}

pub(super) fn run(args: &DoctorArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let mut checks =
        vec![grammars(), settings_file(settings), model(settings), model_file(settings)];
    checks.extend(repository(settings));
    checks.extend(agents(settings));
    let ok = checks.iter().all(|it| it.ok);
    let formats: Vec<Row> = Format::ALL.iter().map(row).collect();
    if args.json {
        output::json(
            &serde_json::json!({ "version": 1, "ok": ok, "checks": checks, "formats": formats }),
        )?;
    } else {
        output::text(&people(&checks, &formats))?;
    }
    Ok(if ok { Outcome::Done } else { Outcome::Nothing })
}

fn row(format: &'static Format) -> Row {
    let counted_by = TokenCounter::for_format(format, None)
        .map_or_else(|error| error.to_string(), |it| tokens::accuracy(&it));
    Row { name: format.name, evidence: format.evidence.as_str(), counted_by }
}

/// Agents and editors that are set up to start foreword.
fn agents(settings: &Settings) -> Vec<Check> {
    let (Some(home), Some(config)) = (Environment::current().home, super::config::config_base())
    else {
        return Vec::new();
    };
    let root = workspace::discover(settings, None).ok().map(|it| it.root);
    agents::checks(&agents::Places { home, config, root })
}

/// Every grammar loads and parses.
fn grammars() -> Check {
    let parses = |it: &&Language| analyze(b"\n", Some(**it), &Config::default()).parsed;
    let broken: Vec<&str> =
        Language::ALL.iter().filter(|it| !parses(it)).map(|it| it.name()).collect();
    match broken.is_empty() {
        true => Check::good("grammars", format!("{} languages", Language::ALL.len())),
        false => Check::bad(
            "grammars",
            format!("do not work: {}", broken.join(", ")),
            "install foreword again",
        ),
    }
}

fn settings_file(settings: &Settings) -> Check {
    match &settings.file {
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
            Check::bad("model", error.to_string(), "mend or remove the setting `tokenizer`")
        }
    }
}

/// Whether model files can be run, and the one that is named is there.
fn model_file(settings: &Settings) -> Check {
    let check = "model files";
    let mend = format!("build with `{BUILD}`, or take `gguf` out of the settings");
    match (&settings.gguf.value, CAN_RUN) {
        (None, true) => Check::good(check, "can be run (--gguf)"),
        (None, false) => Check::good(check, format!("not in this build; `{BUILD}` has it")),
        (Some(path), false) => {
            Check::bad(check, format!("{} cannot be run by this build", path.display()), mend)
        }
        (Some(path), true) => match std::fs::File::open(path) {
            Ok(_) => Check::good(check, format!("{} is there", path.display())),
            Err(error) => {
                Check::bad(check, format!("{}: {error}", path.display()), "mend the setting `gguf`")
            }
        },
    }
}

fn repository(settings: &Settings) -> Vec<Check> {
    let workspace = match workspace::discover(settings, None) {
        Ok(workspace) => workspace,
        Err(error) => {
            return vec![Check::bad(
                "repository",
                format!("{error:#}"),
                "go to a project, or name one with -C",
            )];
        }
    };
    let mut res = vec![Check::good("repository", workspace.root.display().to_string())];
    match walk(&workspace.root, &settings.walk()) {
        Ok(found) if found.files.is_empty() => {
            res.push(Check::bad(
                "files",
                "none",
                "`foreword status --ignored` says what was left out",
            ));
        }
        Ok(found) => res.push(Check::good("files", format!("{} to index", found.files.len()))),
        Err(error) => res.push(Check::bad("files", error.to_string(), "see the message")),
    }
    let store = match workspace::store(settings, &workspace) {
        Ok(store) => store,
        Err(error) => {
            res.push(Check::bad("index", format!("{error:#}"), "name a place with --index-dir"));
            return res;
        }
    };
    res.push(match store.try_write() {
        Ok(Some(_)) => Check::good("index directory", store.dir().display().to_string()),
        Ok(None) => Check::good("index directory", "another process is writing it just now"),
        Err(error) => {
            Check::bad("index directory", error.to_string(), "name another place with --index-dir")
        }
    });
    let manifest = store.manifest(&workspace.view_key());
    res.push(match &manifest {
        None if store.has_view(&workspace.view_key()) => Check::bad(
            "index",
            "damaged or of another version",
            "nothing: the next query builds it anew",
        ),
        None => Check::good("index", "not there yet; the first query builds it"),
        Some(manifest) => match store.verify(manifest) {
            Ok(()) => Check::good(
                "index",
                format!(
                    "{} files in {} segments, every block verified",
                    manifest.files.len(),
                    manifest.segments.len()
                ),
            ),
            Err(error) => Check::bad("index", error.to_string(), "run `foreword index --rebuild`"),
        },
    });
    res
}

fn people(checks: &[Check], formats: &[Row]) -> String {
    let mut text = String::new();
    for it in checks {
        let (style, mark) = if it.ok { (GOOD, "ok ") } else { (BAD, "BAD") };
        text.push_str(&format!(
            "{style}{mark}{style:#} {:16} {}\n",
            it.check,
            output::plain(&it.found)
        ));
        if !it.mend.is_empty() {
            text.push_str(&format!("    {:16} to mend: {}\n", "", output::plain(&it.mend)));
        }
    }
    text.push_str("\nprompt formats (--model):\n");
    for it in formats {
        text.push_str(&format!(
            "  {:16} {}  {DIM}{}{DIM:#}\n",
            it.name, it.evidence, it.counted_by
        ));
    }
    text
}
