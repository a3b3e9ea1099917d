//! llama.vim in Neovim, if both are installed (`ci/neovim`): it is set up by the block of docs/serve.md, sends requests
//! while text is typed, shows our completion, and accepts it.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::docs::blocks;
use super::stub::{Stub, StubResponse};
use super::{SHOP, Server};
use crate::neovim::{drive, neovim};
use crate::{Repository, edited, skipped};

/// A file that was opened in the editor, and that is unrelated to the shop.
const LEDGER: &str = "
//- notes/ledger.py
def remember(journal, entry):
    journal.append(entry)
    journal.flush()
    return journal
";

/// Neovim, and the directory of llama.vim.
fn programs(test: &str) -> Option<(PathBuf, PathBuf)> {
    let neovim = neovim(test)?;
    let own = neovim.with_file_name("root/usr/share/vim-llama.cpp");
    let places = [own, PathBuf::from("/usr/share/vim-llama.cpp")];
    let Some(plugin) = places.into_iter().find(|it| it.is_dir()) else {
        skipped(test, "llama.vim (Debian's package vim-llama.cpp) is not there; see ci/neovim");
        return None;
    };
    if Command::new("curl").arg("--version").output().is_err() {
        skipped(test, "curl is not there, by which llama.vim asks");
        return None;
    }
    Some((neovim, plugin))
}

/// Types the start of a function into the shop and accepts the completion. Returns what was observed, and the file after it.
fn typed(programs: &(PathBuf, PathBuf), shop: &Repository, server: &Server) -> (Value, String) {
    let (neovim, plugin) = programs;
    let block = blocks()["llama.vim"].1.replace("8484", &server.port.to_string());
    let settings = format!("{block}set runtimepath+={}\n", plugin.display());
    let file = "shop/order.py";
    let seen = drive(neovim, shop, "serve/llama_vim.lua", ("init.vim", &settings), file);
    let saved = std::fs::read_to_string(shop.root().join(file)).unwrap();
    (seen, saved)
}

fn shop() -> Repository {
    let shop = Repository::new(&(SHOP.to_owned() + LEDGER.trim_start()));
    shop.git(&["init", "-q"]);
    shop
}

/// The text up to the cursor.
const BEGUN: &str = "\n\ndef reorder(cart, names):\n    for name in names:\n        cart.";

#[test]
fn llama_vim_shows_the_servers_text_for_a_prompt_that_knows_the_repository() {
    let test =
        "serve::llama_vim::llama_vim_shows_the_servers_text_for_a_prompt_that_knows_the_repository";
    let Some(programs) = programs(test) else { return };
    let shop = shop();
    let stub = Stub::llama(|body| {
        let is_at_dot = body["prompt"].as_str().unwrap_or_default().contains("cart.<|fim_suffix|>");
        let text = if is_at_dot { "add(name, amount=3)" } else { "" };
        StubResponse::json(&json!({ "content": text, "tokens_cached": 77, "timings/prompt_n": 5 }))
    });
    let server = Server::with_upstream(&shop, &stub.url);
    let (seen, saved) = typed(&programs, &shop, &server);
    assert_eq!(seen["shown"], "add(name, amount=3)", "{seen}");
    assert!(seen["info"].as_str().unwrap().contains("c: 77, r: "), "{seen}");
    assert!(saved.ends_with(&format!("{BEGUN}add(name, amount=3)\n")), "{saved}");

    let asked = stub.requests_to("/completion");
    let (warm, fills): (Vec<&Value>, Vec<&Value>) =
        asked.iter().partition(|it| it["n_predict"] == 0);
    let prompt = |it: &Value| it["prompt"].as_str().unwrap().to_owned();
    let last = fills.iter().rfind(|it| prompt(it).contains("cart.<|fim_suffix|>")).unwrap();
    assert_eq!((&last["n_predict"], &last["id_slot"]), (&json!(128), &json!(0)), "{last}");
    let shown = prompt(last);
    // Context of the repository and of the opened file, each once.
    assert!(shown.contains("<|file_sep|>shop/cart.py\n"), "{shown}");
    assert!(shown.contains("def add(self, item, amount=1)"), "{shown}");
    assert_eq!(shown.matches("def remember(journal, entry)").count(), 1, "{shown}");
    assert!(shown.contains("<|file_sep|>shop/order.py\n<|fim_prefix|>from shop.cart"), "{shown}");
    // The opened file was read ahead.
    let last = warm.last().unwrap();
    assert!(prompt(last).contains("<|file_sep|>notes/ledger.py\ndef remember("), "{last}");
    assert_eq!(last["t_max_predict_ms"], 1, "{last}");
}

#[test]
fn llama_vim_completes_with_the_embedded_model_and_no_server() {
    let test = "serve::llama_vim::llama_vim_completes_with_the_embedded_model_and_no_server";
    let Some(programs) = programs(test) else { return };
    let shop = shop();
    let server = Server::embedded(&shop);
    let (seen, saved) = typed(&programs, &shop, &server);
    let shown = seen["shown"].as_str().unwrap();
    assert!(shown.starts_with("add(name, amount=1"), "{seen}");
    assert!(saved.ends_with(&format!("{BEGUN}{shown}\n")), "{saved}");
    let list = server.get("/api/requests").json();
    let ids = list["requests"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap());
    let mut answers = ids.map(|it| server.get(&format!("/api/requests/{it}")).json());
    assert!(answers.any(|it| it["answer"] == shown && it["place"]["path"] == "shop/order.py"));
}

#[test]
fn two_files_are_edited_by_keys_and_the_prompt_of_a_third_cites_them() {
    let test =
        "serve::llama_vim::two_files_are_edited_by_keys_and_the_prompt_of_a_third_cites_them";
    let Some((neovim, plugin)) = programs(test) else { return };
    let repository = edited::repository();
    repository.git(&["init", "-q"]);
    let stub = Stub::llama(|_| StubResponse::json(&json!({ "content": "" })));
    let server = Server::with_upstream(&repository, &stub.url);
    let block = blocks()["llama.vim"].1.replace("8484", &server.port.to_string());
    let settings = format!("{block}set runtimepath+={}\n", plugin.display());
    let driver = "serve/llama_vim_session.lua";
    drive(&neovim, &repository, driver, ("init.vim", &settings), "report.py");
    let asked = stub.requests_to("/completion");
    let mut prompts = asked.iter().filter_map(|it| it["prompt"].as_str());
    let last = prompts.rfind(|it| it.contains("report.<|fim_suffix|>")).unwrap();
    for cited in ["<|file_sep|>ledger.py", "<|file_sep|>pages/page_7.py", edited::FOUND] {
        assert!(last.contains(cited), "{cited}: {last}");
    }
}
