//! Examples in the help of every command, and the page that says more.
//!
//! They work in any repository; FILE and FILE:LINE stand for a place in it (a test runs them).

use clap::{Arg, Command, CommandFactory as _};

use foreword_session::usage::PAGES;

use super::Args;

/// A command, two examples, and its page.
pub(super) const EXAMPLES: [(&str, [&str; 2], &str); 25] = [
    ("index", ["foreword index", "foreword index --rebuild"], "how-it-works.md"),
    (
        "search",
        ["foreword search where are errors handled", "foreword search '/TODO|FIXME/' --around 2"],
        "recipes.md",
    ),
    (
        "ask",
        [
            "foreword ask 'how do I run the tests?'",
            "foreword ask 'how is this project organized?' --evidence",
        ],
        "ask.md",
    ),
    (
        "context",
        [
            "foreword context FILE:LINE --explain",
            "foreword context FILE:LINE --budget 2048 --prompt",
        ],
        "context.md",
    ),
    (
        "complete",
        ["foreword complete FILE:LINE", "foreword complete FILE:LINE --lines 3 --json"],
        "complete.md",
    ),
    ("symbols", ["foreword symbols main", "foreword symbols --file FILE"], "recipes.md"),
    ("map", ["foreword map", "foreword map FILE --tokens 500"], "recipes.md"),
    ("next", ["foreword next", "foreword next FILE:LINE"], "next.md"),
    ("feedback", ["foreword feedback good 1", "foreword feedback list"], "customise.md"),
    (
        "chunk",
        ["foreword chunk FILE", "foreword chunk FILE --granularity definition --json"],
        "how-it-works.md",
    ),
    ("skeleton", ["foreword skeleton FILE", "foreword skeleton FILE --tokens 200"], "context.md"),
    (
        "speculate",
        ["foreword speculate --dry-run", "foreword speculate --budget 10m,500kt"],
        "speculation.md",
    ),
    ("embed", ["foreword embed --dry-run", "foreword embed"], "embedding.md"),
    (
        "push",
        [
            "foreword push --cluster http://127.0.0.1:9200",
            "foreword push --cluster http://127.0.0.1:9200 --remove-all",
        ],
        "scale.md",
    ),
    ("status", ["foreword status --ignored", "foreword status FILE"], "troubleshooting.md"),
    ("clean", ["foreword clean", "foreword clean --all --older-than 30"], "uninstall.md"),
    ("doctor", ["foreword doctor", "foreword doctor --json"], "troubleshooting.md"),
    ("setup", ["foreword setup", "foreword setup claude --project"], "agents.md"),
    ("config", ["foreword config", "foreword config --json"], "configuration.md"),
    ("mcp", ["claude mcp add foreword -- foreword mcp", "foreword mcp ~/src ~/notes"], "agents.md"),
    (
        "hook",
        [
            r#"echo '{"tool_name": "Bash", "tool_input": {"command": "rg x"}}' | foreword hook"#,
            r#"echo '{"tool_name": "Bash", "tool_input": {"command": "git grep x"}}' | foreword hook"#,
        ],
        "agents.md",
    ),
    ("lsp", ["foreword lsp", "foreword lsp --log info"], "editors.md"),
    ("serve", ["foreword serve", "foreword serve --model-url http://127.0.0.1:8012"], "serve.md"),
    (
        "completions",
        [
            "foreword completions bash > ~/.local/share/bash-completion/completions/foreword",
            "foreword completions fish > ~/.config/fish/completions/foreword.fish",
        ],
        "recipes.md",
    ),
    (
        "man",
        ["foreword man > ~/.local/share/man/man1/foreword.1", "foreword man | man -l -"],
        "README.md",
    ),
];

/// The commands with their examples. The help of a command has its own options; the general ones are in that of
/// `foreword`.
pub(in crate::cli) fn command() -> Command {
    let first = "Examples:\n  foreword search where are errors handled\n  foreword map";
    let is_frequent = |it: &Arg| ["root", "rev", "quiet"].iter().any(|id| it.get_id() == id);
    let command = Args::command().after_help(format!("{first}\n\nMore: {PAGES}/README.md"));
    let mut command = command.mut_args(|it| match it.is_global_set() && !is_frequent(&it) {
        true => it.hide_short_help(true),
        false => it,
    });
    command = command.mut_subcommands(with_both_names_of_budgets);
    // Copies the global options into each command.
    command.build();
    command.mut_subcommands(|it| with_examples(without_global_options(it)))
}

/// `--budget` and `--tokens` mean the same in every command; the budget of `speculate` is not one of tokens alone.
fn with_both_names_of_budgets(command: Command) -> Command {
    if command.get_name() == "speculate" {
        return command;
    }
    command.mut_args(|it| match it.get_id().as_str() {
        "budget" => it.alias("tokens").short_alias('t'),
        "tokens" => it.alias("budget").short_alias('b'),
        _ => it,
    })
}

fn without_global_options(command: Command) -> Command {
    command
        .mut_args(|it| match it.is_global_set() {
            true => it.hide_short_help(true).hide_long_help(true),
            false => it,
        })
        .mut_subcommands(without_global_options)
}

fn with_examples(command: Command) -> Command {
    let Some((_, [first, second], page)) = EXAMPLES.iter().find(|it| it.0 == command.get_name())
    else {
        return command;
    };
    command.after_help(format!(
        "Examples:\n  {first}\n  {second}\n\nGlobal options: foreword --help\nMore: {PAGES}/{page}"
    ))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_command_has_examples_and_a_page() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        for it in command().get_subcommands().filter(|it| it.get_name() != "help") {
            let text = it.get_after_help().map(ToString::to_string).unwrap_or_default();
            let page = text.rsplit_once("/docs/").map(|it| it.1).unwrap_or_default();
            assert!(docs.join(page).is_file(), "{}: {text}", it.get_name());
        }
    }

    /// A letter that meant a limit here and lines there would be typed wrongly.
    #[test]
    fn a_letter_means_the_same_in_every_command() {
        let mut known = std::collections::BTreeMap::new();
        for command in command().get_subcommands() {
            for it in command.get_arguments() {
                let (Some(letter), Some(long)) = (it.get_short(), it.get_long()) else { continue };
                let first = known.entry(letter).or_insert(long.to_owned());
                assert_eq!(first, long, "-{letter} of {}", command.get_name());
            }
        }
    }
}
