//! `foreword man`: a single page with all commands and options.

use std::io::Write;

use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};
use foreword_session::usage::PAGES;

use super::examples::EXAMPLES;

/// Writes the page.
pub(in crate::cli) fn render(command: &Command, out: &mut dyn Write) -> std::io::Result<()> {
    let mut command = command.clone();
    command.build();
    let man = Man::new(command.clone());
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    let mut roff = Roff::new();
    roff.control("SH", ["COMMANDS"]);
    let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
    for it in visible.filter(|it| it.get_name() != "help") {
        push_command(&mut roff, it);
    }
    push_sections(&mut roff, &command);
    roff.to_writer(out)?;
    man.render_version_section(out)
}

/// Writes a command with its own options.
fn push_command(roff: &mut Roff, command: &Command) {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    roff.control("SS", [usage.as_str()]);
    let about = command.get_long_about().or_else(|| command.get_about());
    roff.text([roman(about.map(ToString::to_string).unwrap_or_default())]);
    let own = |it: &&Arg| !it.is_hide_set() && !it.is_global_set() && it.get_id() != "help";
    for it in command.get_arguments().filter(own) {
        roff.control("TP", []);
        roff.text([bold(flags(it)), roman(" "), italic(values(it))]);
        let help = it.get_long_help().or_else(|| it.get_help());
        roff.text([roman(help.map(ToString::to_string).unwrap_or_default())]);
    }
}

/// What a manual has after its options.
fn push_sections(roff: &mut Roff, command: &Command) {
    roff.control("SH", ["EXAMPLES"]);
    for line in EXAMPLES.iter().flat_map(|it| it.1) {
        roff.text([roman(line)]).control("br", []);
    }
    roff.control("SH", ["FILES"]);
    roff.text([roman(FILES)]);
    roff.control("SH", ["ENVIRONMENT"]);
    let variables = command.get_arguments().filter_map(|it| Some((it, it.get_env()?)));
    for (arg, variable) in variables {
        roff.control("TP", []);
        roff.text([bold(variable.to_string_lossy())]);
        roff.text([roman(format!("the default of {}", flags(arg)))]);
    }
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman(format!("{PAGES}/README.md"))]);
}

/// Where settings, indexes and feedback are.
const FILES: &str = "~/.config/foreword/config.toml has the settings, ~/.cache/foreword the indexes, ~/.local/share/foreword feedback on answers; XDG_CONFIG_HOME, XDG_CACHE_HOME and XDG_DATA_HOME move them.";

/// `-k, --limit`; empty for positional arguments.
fn flags(arg: &Arg) -> String {
    let short = arg.get_short().map(|it| format!("-{it}"));
    let long = arg.get_long().map(|it| format!("--{it}"));
    short.into_iter().chain(long).collect::<Vec<_>>().join(", ")
}

/// Names of the option's values.
fn values(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::new();
    }
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
