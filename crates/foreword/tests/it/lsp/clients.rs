//! Clients of others, where they are installed: pytest-lsp on pygls (`ci/python`), and the library that VS Code's client
//! is built on (`ci/vscode/package`).

use std::path::PathBuf;
use std::process::Command;

use super::TABLE;
use crate::{Repository, Run, installed};

fn script(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/lsp").join(name)
}

#[test]
fn pytest_lsp_works_with_ghost_text_and_with_the_menu_and_finds_nothing_that_is_not_allowed() {
    let test = "lsp::clients::pytest_lsp_works_with_ghost_text_and_with_the_menu_and_finds_nothing_that_is_not_allowed";
    let Some(python) = installed(test, "python/bin/python") else { return };
    let repository = Repository::new(TABLE);
    let output = Command::new(&python)
        .args(["-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"])
        .args(["-o", "asyncio_default_fixture_loop_scope=function"])
        .arg(script("editor.py"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("FOREWORD", env!("CARGO_BIN_EXE_foreword"))
        .env("ROOT", repository.root().canonicalize().unwrap())
        .env("FOREWORD_INDEX_DIR", repository.index())
        .current_dir(repository.root())
        .output()
        .unwrap();
    let run = Run::of(&output);
    assert!(run.code == 0 && run.out.contains("3 passed"), "{}{}", run.out, run.err);
}

#[test]
fn the_library_below_vs_codes_client_works_with_ghost_text_and_with_the_menu() {
    let test =
        "lsp::clients::the_library_below_vs_codes_client_works_with_ghost_text_and_with_the_menu";
    let Some(node) = installed(test, "vscode/node") else { return };
    let Some(packages) = installed(test, "vscode/node_modules") else { return };
    let repository = Repository::new(TABLE);
    let output = Command::new(&node)
        .arg(script("editor.mjs"))
        .arg(packages.canonicalize().unwrap())
        .args([
            PathBuf::from(env!("CARGO_BIN_EXE_foreword")),
            repository.root().canonicalize().unwrap(),
        ])
        .env("FOREWORD_INDEX_DIR", repository.index())
        .output()
        .unwrap();
    let run = Run::of(&output);
    assert_eq!((run.code, run.out.trim()), (0, "done"), "{run:?}");
}
