//! The item of the completion menu, for editors without ghost text: what the protocol says, and real clients that accept
//! it, Vim's ALE (`ci/vim`) and Emacs' eglot (`ci/emacs`).

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::suggestions::ready;
use super::{Editor, TABLE, begun, block, patient, place};
use crate::{Repository, Run, installed, skipped};

/// Settings of somebody who waits, and takes what is not likely, too: half a word says little.
const UNSURE: &str = "deadlineMs: 10000, leastConfidence: 0.1";

/// An editor with these options, and what it offers behind a line of the table that ends in `typed`.
#[track_caller]
fn offer(can: &Value, options: &Value, typed: &str) -> (Value, (u32, u32)) {
    let repository = Repository::new(TABLE);
    let (mut editor, _) = Editor::with(&repository, can, options);
    ready(&mut editor);
    let (text, (line, column)) = begun("\n");
    let text = text.trim_end_matches('\n').to_owned() + typed + "\n";
    editor.open(&repository, "src/table.py", &text);
    let at = (line, column + typed.len() as u32);
    let answer = editor.ask("textDocument/completion", &place(&repository, "src/table.py", at));
    assert!(answer.get("error").is_none(), "{answer}");
    editor.end();
    (answer["result"].clone(), (line, column))
}

#[test]
fn the_item_replaces_the_word_by_the_whole_of_it_in_every_encoding() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let can = json!({
            "general": { "positionEncodings": [encoding] },
            "textDocument": { "completion": { "completionItem": { "insertReplaceSupport": true } } },
        });
        let options = json!({ "deadlineMs": 10_000, "leastConfidence": 0.1 });
        let (found, (line, start)) = offer(&can, &options, "prio");
        let items = found["items"].as_array().unwrap_or_else(|| panic!("{encoding}: {found}"));
        let [item] = items.as_slice() else { panic!("{found}") };
        let whole = "priority=10, reload=True)";
        assert_eq!(item["textEdit"]["newText"], whole);
        let range = json!({
            "start": { "line": line, "character": start },
            "end": { "line": line, "character": start + 4 },
        });
        assert_eq!(item["textEdit"]["range"], range, "{encoding}");
        assert_eq!((&item["filterText"], &item["label"]), (&whole.into(), &whole.into()));
        assert_eq!(item["preselect"], false);
        assert_eq!(item["labelDetails"]["description"], "foreword");
        assert!(item["sortText"].as_str().unwrap() > "zzz");
    }
}

#[test]
fn an_item_that_is_not_likely_is_not_offered() {
    let options = |least: f64| json!({ "deadlineMs": 10_000, "leastConfidence": least });
    assert_eq!(offer(&json!({}), &options(1.0), "prio").0, Value::Null);
    assert_eq!(offer(&json!({}), &patient(), "prio").0, Value::Null);
    assert!(offer(&json!({}), &options(0.1), "prio").0["items"].is_array());
    assert!(offer(&json!({}), &patient(), "").0["items"].is_array());
}

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
    command.current_dir(repository.root()).env("PATH", path.unwrap()).env("HOME", home);
    command.env("FOREWORD_INDEX_DIR", repository.index()).env("TYPED", typed);
    let run = Run::of(&command.output().unwrap());
    let saved = std::fs::read_to_string(repository.root().join("src/table.py")).unwrap();
    assert_eq!(run.code, 0, "{run:?}\n{saved}");
    saved.lines().last().unwrap_or_default().trim().to_owned()
}

#[test]
fn vim_with_ale_accepts_an_item_without_losing_what_was_typed() {
    let test = "lsp::menu::vim_with_ale_accepts_an_item_without_losing_what_was_typed";
    let vim = std::env::var("FOREWORD_VIM").unwrap_or_default();
    if vim.is_empty() {
        return skipped(test, "FOREWORD_VIM is not set; see ci/vim");
    }
    let Some(python) = installed(test, "python/bin/python") else { return };
    let (repository, typed) = repository();
    let linter = "'lsp': 'stdio',";
    let ale = block("Vim with ALE", "vim");
    assert!(ale.contains(linter), "{ale}");
    let ale = ale.replace(linter, &format!("{linter} 'initialization_options': #{{{UNSURE}}},"));
    let settings = repository.index().with_file_name("vimrc");
    let first = "set nocompatible noswapfile completeopt=menuone,noinsert\nfiletype plugin on\nset rtp^=/usr/share/vim-ale\n\
                 runtime plugin/ale.vim\n";
    std::fs::write(&settings, format!("{first}{ale}")).unwrap();
    let mut command = Command::new(python);
    command.arg(script("vim.py")).arg(vim).arg(settings).arg("src/table.py");
    let line = edit(&repository, command, typed.trim_start());
    assert_eq!(line, "register_handler(registry, 'epsilon', priority=10, reload=True)");
}

#[test]
fn emacs_with_eglot_accepts_an_item_without_losing_what_was_typed() {
    let test = "lsp::menu::emacs_with_eglot_accepts_an_item_without_losing_what_was_typed";
    let emacs = std::env::var("FOREWORD_EMACS").unwrap_or_default();
    if emacs.is_empty() {
        return skipped(test, "FOREWORD_EMACS is not set; see ci/emacs");
    }
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
    assert_eq!(line, "register_handler(registry, 'epsilon', priority=10, reload=True)");
}
