//! Editors that show a menu and accept its item: Vim with ALE (`ci/vim`), Emacs with eglot (`ci/emacs`), Helix (`ci/helix`)
//! and Kakoune with kakoune-lsp (`ci/kakoune`), set up as docs/editors.md says.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{TABLE, block};
use crate::{Repository, Run, installed, skipped};

/// Settings of somebody who waits, and takes what is not likely, too: of a line that is nowhere yet, few are right.
const UNSURE: &str = "deadlineMs: 10000, leastConfidence: 0.0";

/// The line that they are to write.
const WHOLE: &str = "register_handler(registry, 'epsilon', priority=10, reload=True)";

/// A repository whose `src/table.py` is edited, and the line that is begun there.
fn repository() -> (Repository, &'static str) {
    let repository = Repository::new(TABLE);
    repository.git(&["init", "-q"]);
    let run = repository.run(&["index"]);
    assert_eq!(run.code, 0, "{run:?}");
    (repository, "    register_handler(registry, 'epsilon', prio")
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/lsp").join(name)
}

/// Has an editor edit `src/table.py`. The last line of the file as it was saved.
#[track_caller]
fn edit(repository: &Repository, mut command: Command, typed: &str) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_foreword")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path)));
    let home = repository.index().with_file_name("home");
    std::fs::create_dir_all(&home).unwrap();
    command.current_dir(repository.root()).env("PATH", path.unwrap()).env("HOME", &home);
    command.env("XDG_CONFIG_HOME", &home).env("XDG_RUNTIME_DIR", &home);
    command.env("FOREWORD_INDEX_DIR", repository.index()).env("TYPED", typed);
    let run = Run::of(&command.output().unwrap());
    let saved = std::fs::read_to_string(repository.root().join("src/table.py")).unwrap();
    assert_eq!(run.code, 0, "{run:?}\n{saved}");
    saved.lines().last().unwrap_or_default().trim().to_owned()
}

/// The program or directory that a script below `ci` has found.
fn found(test: &str, variable: &str, script: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).filter(|it| !it.is_empty());
    if path.is_none() {
        skipped(test, &format!("{variable} is not set; see {script}"));
    }
    path.map(PathBuf::from)
}

/// A command that drives a program by keys; what a step is says `keys.py`.
fn typing(python: &Path, steps: &Value, program: &[&std::ffi::OsStr]) -> Command {
    let mut command = Command::new(python);
    command.arg(script("keys.py")).arg(steps.to_string()).args(program);
    command
}

#[test]
fn vim_with_ale_accepts_an_item_without_losing_what_was_typed() {
    let test = "lsp::menu_clients::vim_with_ale_accepts_an_item_without_losing_what_was_typed";
    let Some(vim) = found(test, "FOREWORD_VIM", "ci/vim") else { return };
    let Some(python) = installed(test, "python/bin/python") else { return };
    let (repository, typed) = repository();
    // The page's options show everything; a build for debugging takes its time.
    let options = "{'leastConfidence': 0}";
    let ale = block("Vim with ALE", "vim");
    assert!(ale.contains(options), "{ale}");
    let ale = ale.replace(options, &format!("#{{{UNSURE}}}"));
    let settings = repository.index().with_file_name("vimrc");
    let first = "set nocompatible noswapfile completeopt=menuone,noinsert\nfiletype plugin on\nset rtp^=/usr/share/vim-ale\n\
                 runtime plugin/ale.vim\n";
    std::fs::write(&settings, format!("{first}{ale}")).unwrap();
    let steps = json!([
        // The screen is drawn when the last line of the file is.
        ["", "delta", 20, 1],
        ["", null, 1, 1],
        [format!("Go{}", typed.trim_start()), "prio", 10, 1],
        ["", null, 1, 1],
        // The server may still be starting when it is asked for the first time.
        ["\u{18}\u{f}", "reload=True", 5, 6],
        ["", null, 0.5, 1],
        ["\u{19}", null, 0.5, 1],
        ["\u{1b}:wq!\r", null, 5, 1],
    ]);
    let words = ["-i", "NONE", "-Nu"].map(std::ffi::OsStr::new);
    let program =
        [&[vim.as_os_str()][..], &words, &[settings.as_os_str(), "src/table.py".as_ref()]];
    let line = edit(&repository, typing(&python, &steps, &program.concat()), typed);
    assert_eq!(line, WHOLE);
}

/// Helix and Kakoune are typed in alike: the menu opens by itself, `next` takes its first item.
fn modal(next: &str, command: &str, typed: &str) -> Value {
    json!([
        ["", "delta", 20, 1],
        ["", null, 2, 1],
        ["geo", null, 0.5, 1],
        [typed.trim_start(), "reload=True", 20, 1],
        ["", null, 0.5, 1],
        [next, null, 1, 1],
        ["\u{1b}", null, 0.5, 2],
        [command, null, 5, 1],
    ])
}

#[test]
fn helix_accepts_an_item_without_losing_what_was_typed() {
    let test = "lsp::menu_clients::helix_accepts_an_item_without_losing_what_was_typed";
    let Some(helix) = found(test, "FOREWORD_HELIX", "ci/helix") else { return };
    let Some(python) = installed(test, "python/bin/python") else { return };
    let (repository, typed) = repository();
    let settings = repository.index().with_file_name("home").join("helix/languages.toml");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let args = "args = [\"lsp\"]\n";
    let unsure = format!("{args}config = {{ {} }}\n", UNSURE.replace(':', " ="));
    let table = block("Helix", "toml").replace(args, &unsure);
    // The language's own server is not there, which must not matter.
    let table = table.replace("\"rust\"", "\"python\"").replace("rust-analyzer", "pylsp");
    assert!(table.contains(&unsure) && table.contains("\"pylsp\", \"foreword\""), "{table}");
    std::fs::write(&settings, table).unwrap();
    let steps = modal("\t", ":wq!\r", typed);
    let program = [helix.as_os_str(), "src/table.py".as_ref()];
    assert_eq!(edit(&repository, typing(&python, &steps, &program), typed), WHOLE);
}

#[test]
fn kakoune_accepts_an_item_without_losing_what_was_typed() {
    let test = "lsp::menu_clients::kakoune_accepts_an_item_without_losing_what_was_typed";
    let Some(programs) = found(test, "FOREWORD_KAKOUNE", "ci/kakoune") else { return };
    let Some(python) = installed(test, "python/bin/python") else { return };
    let (repository, typed) = repository();
    let settings = repository.index().with_file_name("home").join("kak/kakrc");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let roots = "root_globs = [\".git\"]\n";
    let unsure = UNSURE.replace(": ", " = ").replace(", ", "\n");
    let unsure = format!("{roots}settings_section = \"_\"\n[foreword.settings._]\n{unsure}\n");
    let servers = block("Kakoune", "kak").replace(roots, &unsure);
    // The language's own server is not there.
    let own = "remove-hooks global lsp-filetype-python\n";
    assert!(
        servers.contains(&unsure)
            && include_str!("../../../../../docs/editors.md").contains(own.trim())
    );
    std::fs::write(&settings, format!("eval %sh{{kak-lsp}}\nlsp-enable\n{own}{servers}")).unwrap();
    let steps = modal("\u{e}", ":write-quit!\r", typed);
    let kak = programs.join("kak");
    let program = [
        "/usr/bin/env".as_ref(),
        "sh".as_ref(),
        "-c".as_ref(),
        "PATH=\"$0:$PATH\" exec kak src/table.py".as_ref(),
        programs.as_os_str(),
    ];
    assert!(kak.is_file(), "{}", kak.display());
    assert_eq!(edit(&repository, typing(&python, &steps, &program), typed), WHOLE);
}

#[test]
fn emacs_with_eglot_accepts_an_item_without_losing_what_was_typed() {
    let test = "lsp::menu_clients::emacs_with_eglot_accepts_an_item_without_losing_what_was_typed";
    let Some(emacs) = found(test, "FOREWORD_EMACS", "ci/emacs") else { return };
    let has = "(progn (package-initialize) (princ (if (require 'eglot nil t) \"yes\" \"no\")))";
    let output = Command::new(&emacs).args(["-q", "--batch", "--eval", has]).output().unwrap();
    if String::from_utf8_lossy(&output.stdout) != "yes" {
        return skipped(test, "Emacs has no eglot");
    }
    let (repository, typed) = repository();
    let settings = repository.index().with_file_name("init.el");
    std::fs::write(&settings, block("Emacs with eglot", "elisp")).unwrap();
    let mut command = Command::new(emacs);
    command.args(["-q", "--batch", "-l"]).arg(script("eglot.el")).env("SETTINGS", settings);
    let line = edit(&repository, command, typed);
    assert_eq!(line, WHOLE);
}
