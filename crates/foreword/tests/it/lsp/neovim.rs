//! Neovim itself, where there is one with inline completion (`ci/neovim`): it is set up by the very block of
//! docs/editors.md, shows the ghost text, and takes it.

use crate::neovim::{drive, neovim};
use crate::{Repository, edited, skipped};

/// What every step ends with.
const LINES: &str = "logger.info('finished', extra=context)\n    return job.result()";

/// A repository with six steps that end alike, in one file.
fn repository() -> Repository {
    let steps: String = (1..=6).map(step).collect();
    let repository =
        Repository::new(&format!("//- src/steps.py\ndef install(job):\n    pass{steps}"));
    repository.git(&["init", "-q"]);
    repository
}

fn step(n: usize) -> String {
    format!("\n\ndef step_{n}(job):\n    check_permissions(job)\n    {LINES}\n")
}

#[test]
fn neovim_shows_and_accepts_ghost_text_when_set_up_as_the_page_says() {
    let test = "lsp::neovim::neovim_shows_and_accepts_ghost_text_when_set_up_as_the_page_says";
    let Some(neovim) = neovim(test) else { return };
    let repository = repository();
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

#[test]
fn the_plugin_suggests_searches_shows_the_context_and_checks_its_health() {
    let test = "lsp::neovim::the_plugin_suggests_searches_shows_the_context_and_checks_its_health";
    let Some(neovim) = neovim(test) else { return };
    let repository = repository();
    let plugin = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors/neovim");
    let settings = format!(
        "vim.opt.runtimepath:prepend('{plugin}')\n\
         require('foreword').setup({{ settings = {{ deadlineMs = 10000 }} }})\n"
    );
    let file = "src/steps.py";
    let seen = drive(&neovim, &repository, "lsp/neovim_plugin.lua", ("init.lua", &settings), file);
    assert_eq!(seen["found"][0][0], "steps.py", "{seen}");
    assert_eq!(seen["found"][0][1], 1, "{seen}");
    assert!(
        seen["said"].to_string().contains("bogus: no such command; there are search"),
        "{seen}"
    );
    assert_eq!(seen["completed"], serde_json::json!(["restart"]), "{seen}");
    let health = seen["health"].as_str().unwrap();
    for expected in [
        "has inline completion",
        "foreword 0.",
        "a server runs for",
        "foreword doctor",
        "no ghost text was asked for yet",
    ] {
        assert!(health.contains(expected), "{expected}: {health}");
    }
    assert!(seen["status"].as_str().unwrap().ends_with(" %"), "{seen}");
    assert!(!health.contains("ERROR"), "{health}");
    assert!(seen["taken"].as_str().unwrap().ends_with(step(9).trim_end()), "{seen}");
    assert!(seen["page"].as_str().unwrap().contains("src/steps.py"), "{seen}");
}

/// A function that two others call, far from each other.
fn shop() -> Repository {
    let far = "def other():\n    return 0\n\n\n".repeat(12);
    let repository = Repository::new(&format!(
        "//- fees.py\ndef late_fee(days):\n    return days * 2\n\
         //- desk.py\nfrom fees import late_fee\n\n\ndef pay(days):\n    return late_fee(days)\n\n\n{far}\
         def charge(days):\n    total = late_fee(days)\n    return total\n"
    ));
    repository.git(&["init", "-q"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "first"]);
    repository
}

#[test]
fn the_plugin_leads_through_the_edits_that_follow_a_rename_by_one_key() {
    let test = "lsp::neovim::the_plugin_leads_through_the_edits_that_follow_a_rename_by_one_key";
    let Some(neovim) = neovim(test) else { return };
    let repository = shop();
    let plugin = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors/neovim");
    let settings = format!(
        "vim.opt.runtimepath:prepend('{plugin}')\nrequire('foreword').setup({{ accept = false }})\n"
    );
    let file = "fees.py";
    let seen = drive(&neovim, &repository, "lsp/neovim_next.lua", ("init.lua", &settings), file);
    assert!(seen["steps"].as_u64().unwrap() >= 2, "{seen}");
    for (file, uses) in [("fees.py", 1), ("desk.py", 3)] {
        let saved = std::fs::read_to_string(repository.root().join(file)).unwrap();
        assert_eq!(saved.matches("overdue_fee").count(), uses, "{saved}{seen}");
        assert!(!saved.contains("late_fee"), "{saved}{seen}");
    }
}

#[test]
fn two_files_are_edited_by_keys_and_the_prompt_of_a_third_cites_them() {
    let test = "lsp::neovim::two_files_are_edited_by_keys_and_the_prompt_of_a_third_cites_them";
    let Some(neovim) = neovim(test) else { return };
    let repository = edited::repository();
    repository.git(&["init", "-q"]);
    let plugin = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors/neovim");
    let settings =
        format!("vim.opt.runtimepath:prepend('{plugin}')\nrequire('foreword').setup({{}})\n");
    let driver = "lsp/neovim_session.lua";
    let seen = drive(&neovim, &repository, driver, ("init.lua", &settings), "report.py");
    let page = seen["page"].as_str().unwrap();
    assert!(page.contains("context at report.py:3:"), "{page}");
    for cited in ["- **ledger.py:", "- **pages/page_7.py:", edited::FOUND] {
        assert!(page.contains(cited), "{cited}: {page}");
    }
}

#[test]
fn sidekick_follows_a_rename_through_the_file_by_one_key() {
    let test = "lsp::neovim::sidekick_follows_a_rename_through_the_file_by_one_key";
    let Some(neovim) = neovim(test) else { return };
    let Some(plugin) = std::env::var("FOREWORD_SIDEKICK").ok().filter(|it| !it.is_empty()) else {
        return skipped(test, "FOREWORD_SIDEKICK is not set; see ci/sidekick");
    };
    let far = "def other():\n    return 0\n\n\n".repeat(6);
    let text = format!(
        "def late_fee(days):\n    return days * 2\n\n\n{far}\
         def pay(days):\n    return late_fee(days)\n\n\n{far}\
         def twice(days):\n    größer = late_fee(days) + late_fee(1)\n    return größer\n"
    );
    let repository = Repository::new(&format!("//- fees.py\n{text}"));
    for args in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "first"]] {
        repository.git(args);
    }
    let page = include_str!("../../../../../docs/editors.md");
    let block = page.split("[sidekick.nvim](").nth(1).unwrap().split("```lua\n").nth(1).unwrap();
    let settings = block.split("```").next().unwrap();
    let settings = format!("vim.opt.runtimepath:prepend('{plugin}')\n{settings}");
    let driver = "lsp/sidekick.lua";
    let seen = drive(&neovim, &repository, driver, ("init.lua", &settings), "fees.py");
    // Exactly one edit at a time.
    assert_eq!(seen["most"], 1, "{seen}");
    assert!(seen["moved"].as_u64().unwrap() >= 1, "{seen}");
    let saved = std::fs::read_to_string(repository.root().join("fees.py")).unwrap();
    assert_eq!(saved, text.replace("late_fee", "overdue_fee"), "{seen}");
}
