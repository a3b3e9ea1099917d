//! Neovim itself, where there is one with inline completion (`ci/neovim`): it is set up by the very block of
//! docs/editors.md, shows the ghost text, and takes it.

use crate::Repository;
use crate::neovim::{drive, neovim};

/// What every step ends with.
const LINES: &str = "logger.info('finished', extra=context)\n    return job.result()";

#[test]
fn neovim_shows_and_accepts_ghost_text_when_set_up_as_the_page_says() {
    let test = "lsp::neovim::neovim_shows_and_accepts_ghost_text_when_set_up_as_the_page_says";
    let Some(neovim) = neovim(test) else { return };
    let step =
        |n: usize| format!("\n\ndef step_{n}(job):\n    check_permissions(job)\n    {LINES}\n");
    let steps: String = (1..=6).map(step).collect();
    let repository =
        Repository::new(&format!("//- src/steps.py\ndef install(job):\n    pass{steps}"));
    repository.git(&["init", "-q"]);
    // A build for debugging on a busy machine takes its time.
    let patient = "vim.lsp.config('foreword', { init_options = { deadlineMs = 10000 } })\n";
    let settings = super::block("Neovim 0.12", "lua").to_owned() + patient;
    let file = "src/steps.py";
    let seen = drive(&neovim, &repository, "lsp/neovim.lua", ("init.lua", &settings), file);
    assert_eq!(seen["shown"], LINES, "{seen}");
    assert_eq!(seen["rest"], LINES.strip_prefix("logger").unwrap(), "{seen}");
    let saved = std::fs::read_to_string(repository.root().join(file)).unwrap();
    assert!(saved.ends_with(&step(9)), "{saved}");
}
