//! A real Neovim (`ci/neovim`), which a script of Lua drives by its keys.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Repository, Run, skipped};

/// The program; `None`, with a word on stderr, where there is none.
pub(crate) fn neovim(test: &str) -> Option<PathBuf> {
    let program = std::env::var_os("FOREWORD_NEOVIM").filter(|it| !it.is_empty());
    if program.is_none() {
        skipped(test, "FOREWORD_NEOVIM is not set; see ci/neovim");
    }
    program.map(PathBuf::from)
}

/// Has the script `driver` of this directory edit `file` in a Neovim with these settings. What it saw.
#[track_caller]
pub(crate) fn drive(
    neovim: &Path,
    repository: &Repository,
    driver: &str,
    (init, settings): (&str, &str),
    file: &str,
) -> Value {
    let init = repository.index().with_file_name(init);
    std::fs::write(&init, settings).unwrap();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut command = Command::new(neovim);
    command.args(["--clean", "--headless", "-l"]).arg(scripts.join(driver));
    command.arg(neovim).args([init, repository.root().join(file)]);
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
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"))
}
