//! Neovim itself, where there is one with inline completion (`ci/neovim`): it is set up by the very block of
//! docs/editors.md, shows the ghost text, and takes it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Repository, Run, skipped};

/// What every step ends with.
const LINES: &str = "logger.info('finished', extra=context)\n    return job.result()";

#[test]
fn neovim_shows_ghost_text_and_takes_it_when_set_up_as_the_page_says() {
    let test = "lsp::neovim::neovim_shows_ghost_text_and_takes_it_when_set_up_as_the_page_says";
    let neovim = std::env::var("FOREWORD_NEOVIM").unwrap_or_default();
    if neovim.is_empty() {
        return skipped(test, "FOREWORD_NEOVIM is not set; see ci/neovim");
    }
    let step =
        |n: usize| format!("\n\ndef step_{n}(job):\n    check_permissions(job)\n    {LINES}\n");
    let steps: String = (1..=6).map(step).collect();
    let repository =
        Repository::new(&format!("//- src/steps.py\ndef install(job):\n    pass{steps}"));
    repository.git(&["init", "-q"]);
    let init = repository.index().with_file_name("init.lua");
    // A build for debugging on a busy machine takes its time.
    let patient = "vim.lsp.config('foreword', { init_options = { deadlineMs = 10000 } })\n";
    std::fs::write(&init, super::block("Neovim 0.12", "lua").to_owned() + patient).unwrap();
    let driver = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/lsp/neovim.lua");
    let file = repository.root().join("src/steps.py");

    let mut command = Command::new(&neovim);
    command.args(["--clean", "--headless", "-l"]).arg(&driver).arg(&neovim).args([&init, &file]);
    let programs = Path::new(env!("CARGO_BIN_EXE_foreword")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path)));
    let home = repository.index().with_file_name("home");
    command.current_dir(repository.root()).env("PATH", path.unwrap());
    command.env("FOREWORD_INDEX_DIR", repository.index()).env("HOME", &home);
    for kind in ["CONFIG", "STATE", "DATA", "CACHE"] {
        command.env(format!("XDG_{kind}_HOME"), home.join(kind));
    }
    let run = Run::of(&command.output().unwrap());
    assert_eq!(run.code, 0, "{run:?}");

    let seen: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
    assert_eq!(seen["shown"], LINES, "{seen}");
    assert_eq!(seen["rest"], LINES.strip_prefix("logger").unwrap(), "{seen}");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.ends_with(&step(9)), "{saved}");
}
