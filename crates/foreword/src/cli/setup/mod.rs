//! `foreword setup`: makes the agents and editors of this machine start `foreword mcp`.
//!
//! It shows what it would write as a diff and writes it with consent only. `agent-config` would do this for more clients,
//! but writes JSON files anew, without their comments (ARCHITECTURE.md).

pub(super) mod clients;
mod diff;
mod file;
mod json;
mod plan;
mod toml_block;

use std::path::Path;

use foreword_session::usage::PAGES;

use self::clients::{CLIENTS, Client, Locations, Scope};
use self::plan::{Action, Outcome as PlanOutcome, Plan};
use super::args::SetupArgs;
use super::config::Settings;
use super::output::NAME as NAME_STYLE;
use super::{Outcome, output, usage, workspace};

/// Name of the server in the files, and of the program.
const NAME: &str = "foreword";

/// What is left of a file without foreword's entry.
enum Removal {
    /// Nothing: the file was made for it.
    File,
    Rest(String),
    /// There is an entry, but another than is written here.
    Changed,
    Nothing,
}

/// An editor whose configuration is a program or needs each language's own server: the lines are shown, not written.
struct Editor {
    name: &'static str,
    program: &'static str,
    file: &'static str,
    lines: &'static str,
}

const EDITORS: [Editor; 2] = [
    Editor {
        name: "Neovim",
        program: "nvim",
        file: "init.lua",
        lines: "vim.lsp.config('foreword', { cmd = { 'foreword', 'lsp' }, root_markers = { '.git' } })\nvim.lsp.enable('foreword')\nvim.lsp.inline_completion.enable()\n",
    },
    Editor {
        name: "Helix",
        program: "hx",
        file: "languages.toml",
        lines: "[language-server.foreword]\ncommand = \"foreword\"\nargs = [\"lsp\"]\n",
    },
];

pub(super) fn run(args: &SetupArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let root = workspace::discover(settings, None).ok().map(|it| it.root);
    let locations = Locations::current(root)
        .ok_or_else(|| usage("there is no home directory: HOME is not set"))?;
    if args.project && locations.root.is_none() {
        return Err(usage("--project: there is no repository here; go to one, or name it with -C"));
    }
    let action = if args.undo { Action::Undo } else { Action::Add };
    let scope = if args.project { Scope::Project } else { Scope::User };
    let clients = chosen(&args.clients, action, &locations)?;
    let plans = plan::plans(&clients, scope, action, &locations);
    output::text(&shown(&plans, action))?;
    if args.clients.is_empty() && action == Action::Add {
        output::text(&editors())?;
    }
    let is_left = |it: &Plan| matches!(it.outcome, Err(_) | Ok(PlanOutcome::Edited));
    let is_complete = !plans.iter().any(is_left) && !clients.is_empty();
    if clients.is_empty() {
        output::note(&format!("no agent or editor was found; name one of: {}", ids()));
    }
    let is_written = apply(&plans, args, action, &locations)?;
    Ok(if is_complete && is_written { Outcome::Done } else { Outcome::Nothing })
}

fn ids() -> String {
    CLIENTS.iter().map(|it| it.id).collect::<Vec<_>>().join(", ")
}

/// The clients that are named, else those that are installed; to undo, all.
fn chosen(
    names: &[String],
    action: Action,
    locations: &Locations,
) -> anyhow::Result<Vec<&'static Client>> {
    if names.is_empty() {
        let is_meant = |it: &&Client| action == Action::Undo || it.is_installed(locations);
        return Ok(CLIENTS.iter().filter(is_meant).collect());
    }
    let named = |name: &String| {
        let client = CLIENTS.iter().find(|it| it.id == *name || it.name == *name);
        client.ok_or_else(|| usage(format!("`{name}` is not known here; known are: {}", ids())))
    };
    names.iter().map(named).collect()
}

/// The files with what would change in them.
fn shown(plans: &[Plan], action: Action) -> String {
    let mut res = String::new();
    for plan in plans {
        let names = plan.names.join(", ");
        let path = output::plain(&plan.path.display().to_string());
        let mut line = |words: &str| {
            res.push_str(&format!("{NAME_STYLE}{names}{NAME_STYLE:#}: {path}{words}\n"));
        };
        match &plan.outcome {
            Ok(PlanOutcome::Write { before, after }) => {
                line(match (before, after) {
                    (None, _) => " (new)",
                    (_, None) => " (delete)",
                    _ => "",
                });
                let (before, after) = (before.as_deref(), after.as_deref());
                res.push_str(&diff::diff(before.unwrap_or(""), after.unwrap_or("")));
            }
            Ok(PlanOutcome::Present) => line(" has foreword already"),
            Ok(PlanOutcome::Edited) => line(" has an entry that was changed; take it out by hand"),
            Ok(PlanOutcome::Absent) => {}
            Err(why) => line(&format!(": {}; not touched", output::plain(why))),
        }
    }
    if res.is_empty() && action == Action::Undo {
        res.push_str("nothing to undo\n");
    }
    res
}

/// The lines for installed editors.
fn editors() -> String {
    let installed = EDITORS.iter().filter(|it| clients::is_on_path(Path::new(it.program)));
    installed
        .map(|it| {
            format!(
                "{NAME_STYLE}{}{NAME_STYLE:#}: add to {} ({}/editors.md):\n{}",
                it.name, it.file, PAGES, it.lines
            )
        })
        .collect()
}

/// Writes the files, if the user agrees. `false` if something is left to write.
fn apply(
    plans: &[Plan],
    args: &SetupArgs,
    action: Action,
    locations: &Locations,
) -> anyhow::Result<bool> {
    let changes: Vec<_> = plans.iter().filter_map(change).collect();
    if changes.is_empty() {
        return Ok(true);
    }
    if action == Action::Add && !clients::is_on_path(Path::new(NAME)) {
        output::note("foreword is not on PATH, where these programs look for it");
    }
    let files = if changes.len() == 1 { "file" } else { "files" };
    if !args.yes && !output::agrees(&format!("write {} {files}?", changes.len()))? {
        output::note("nothing was written; --yes writes it");
        return Ok(false);
    }
    let mut is_written = true;
    for (path, change) in changes {
        let shown = path.display();
        let done = if change.1.is_some() { "wrote" } else { "deleted" };
        match file::write(path, change, locations.base(path)) {
            Ok(()) => output::note(&format!("{done} {shown}")),
            Err(why) => {
                is_written = false;
                output::note(&format!("{shown}: not written: {why}"));
            }
        }
    }
    if action == Action::Add {
        output::note("start these programs again; `foreword setup --undo` takes this out");
    }
    Ok(is_written)
}

/// A file with its text before and after.
type Change<'p> = (&'p Path, (Option<&'p str>, Option<&'p str>));

fn change(plan: &Plan) -> Option<Change<'_>> {
    match &plan.outcome {
        Ok(PlanOutcome::Write { before, after }) => {
            Some((&plan.path, (before.as_deref(), after.as_deref())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_for_editors_are_those_of_the_page() {
        let page = include_str!("../../../../../docs/editors.md");
        for it in &EDITORS {
            assert!(page.contains(it.lines), "{}", it.name);
        }
    }
}
