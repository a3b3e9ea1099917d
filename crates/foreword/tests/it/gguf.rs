//! A model file in the program itself (`--gguf`), and a program that was built without what runs one.

use crate::Repository;
use crate::llama_cpp::SHOP;

#[test]
fn one_model_answers_and_a_second_is_refused() {
    let shop = Repository::new(SHOP);
    let place = "shop/stock.py:4";
    let both = ["complete", place, "--gguf", "m.gguf", "--model-url", "http://127.0.0.1:9"];
    shop.run(&both).fails(2, &["--gguf", "--model-url", "cannot be used together"]);
    // What the command line names goes before what the file does.
    let home = shop.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("config.toml"), "model_url = 'http://127.0.0.1:9'\n").unwrap();
    let run = shop.run(&["complete", place, "--gguf", "m.gguf"]);
    assert!(run.code == 2 && run.err.contains("m.gguf"), "{run:?}");
    std::fs::write(home.join("config.toml"), "model_url = 'http://x'\ngguf = 'm.gguf'\n").unwrap();
    shop.run(&["complete", place]).fails(2, &["`gguf` and `model_url`", "cannot be used together"]);
    std::fs::write(home.join("config.toml"), "gguf = 'm.gguf'\ngguf_context = 1000\n").unwrap();
    let shown = shop.run(&["config"]).out;
    assert!(shown.contains("\"m.gguf\"") && shown.contains("1000"), "{shown}");
    assert_eq!(shop.run(&["complete", place, "--model", "embedded"]).code, 0);
}

#[cfg(not(feature = "gguf"))]
#[test]
fn a_program_that_cannot_run_model_files_says_how_to_build_one_that_can() {
    let shop = Repository::new(SHOP);
    let remedy = ["m.gguf", "cargo install --path crates/foreword --features gguf", "--model-url"];
    shop.run(&["complete", "shop/stock.py:4", "--gguf", "m.gguf"]).fails(2, &remedy);
    shop.run(&["serve", "--port", "0", "--gguf", "m.gguf"]).fails(2, &remedy);
    shop.run(&["lsp", "--gguf", "m.gguf"]).fails(2, &remedy);
    let said = shop.run(&["doctor"]).out;
    assert!(said.contains("model files") && said.contains("--features gguf"), "{said}");
}

/// Writes the settings of the embedding model.
fn embed_with(shop: &Repository, settings: &str) {
    let home = shop.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("config.toml"), format!("[models.embed]\n{settings}\n")).unwrap();
}

#[test]
fn one_embedding_model_answers_and_a_second_is_refused() {
    let shop = Repository::new(SHOP);
    embed_with(&shop, "gguf = 'm.gguf'\nurl = 'http://127.0.0.1:9'");
    shop.run(&["embed"])
        .fails(2, &["models.embed.gguf", "models.embed.url", "cannot be used together"]);
}

#[cfg(not(feature = "gguf"))]
#[test]
fn a_program_that_cannot_run_an_embedding_model_file_says_how_to_build_one_that_can() {
    let shop = Repository::new(SHOP);
    embed_with(&shop, "gguf = 'm.gguf'");
    let remedy = ["models.embed.gguf", "m.gguf", "--features gguf", "models.embed.url"];
    shop.run(&["embed"]).fails(2, &remedy);
}

#[cfg(feature = "gguf")]
pub(crate) use with_models::Models;

#[cfg(feature = "gguf")]
mod with_models {
    use std::path::PathBuf;

    use serde_json::Value;

    use crate::Repository;
    use crate::llama_cpp::{SHOP, script};

    /// A folder of tiny models.
    pub(crate) struct Models(tempfile::TempDir);

    impl Models {
        pub(crate) fn new(test: &str) -> Option<Self> {
            let dir = tempfile::tempdir().unwrap();
            let made = script(test)?.arg("--models").arg(dir.path()).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&made.stdout), "ready\n", "{made:?}");
            Some(Self(dir))
        }

        pub(crate) fn path(&self, name: &str) -> String {
            let path: PathBuf = self.0.path().join(format!("{name}.gguf"));
            path.to_str().unwrap().to_owned()
        }
    }

    #[test]
    fn a_model_file_completes_and_says_who_it_is() {
        let Some(models) = Models::new("a_model_file_completes_and_says_who_it_is") else { return };
        let shop = Repository::new(SHOP);
        let path = models.path("qwen2.5-coder-tiny");
        let ask = |more: &[&str]| {
            let args = ["complete", "shop/stock.py:4", "--gguf", &path, "--max-tokens", "12"];
            shop.run(&[&args, more].concat())
        };
        let run = ask(&["--json", "--n", "3"]);
        // Noise may be cut down to nothing, which is exit code 1; of llama.cpp's own talk nothing is seen.
        assert!(run.code <= 1 && run.err.is_empty(), "{run:?}");
        let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
        let model = answer["model"].as_str().unwrap();
        assert!(model.starts_with("tiny-qwen2.5-coder from "), "{answer}");
        let first = answer["completions"].as_array().unwrap().first().cloned().unwrap_or_default();
        let streamed = ask(&["--stream"]);
        assert!(streamed.code <= 1 && streamed.err.is_empty(), "{streamed:?}");
        // What a terminal would take for commands is shown as something else.
        let seen = |it: &str| it.chars().filter(char::is_ascii_graphic).collect::<String>();
        let text = seen(first["text"].as_str().unwrap_or_default());
        assert_eq!((seen(&streamed.out), text.is_empty()), (text.clone(), false));
        // The prompt is the one that `context` composes, but for the room for its answer.
        let named = ["context", "shop/stock.py:4", "--model", "qwen2.5-coder", "--json"];
        assert!(shop.json(&named)["prompt"].as_str().unwrap().contains("def add(cart, item)"));
    }

    #[test]
    fn an_embedding_model_file_makes_vectors_that_searches_use() {
        let Some(models) = Models::new("an_embedding_model_file_makes_vectors_that_searches_use")
        else {
            return;
        };
        let shop = Repository::new(SHOP);
        let path = models.path("embedding");
        super::embed_with(&shop, &format!("gguf = '{path}'\ncontext = 128"));
        let dry = shop.run(&["embed", "--dry-run"]);
        assert!(dry.code == 0 && dry.out.contains("would be embedded by embedding"), "{dry:?}");
        let run = shop.run(&["embed", "--json"]);
        let made: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
        assert!(made["known"] == made["chunks"] && made["dimensions"] == 32, "{made}");
        let found = shop.json(&["search", "where do the things go that somebody wants", "--json"]);
        assert_eq!(found["searched"]["embedded"], made["chunks"], "{found}");
        assert!(found.to_string().contains("similar in meaning"), "{found}");
        assert_eq!(shop.json(&["embed", "--json"])["embedded"], 0);
        // Another model in a file of the same name has vectors of its own.
        std::fs::copy(models.path("short-embedding"), &path).unwrap();
        assert_eq!(shop.json(&["--stale", "status", "--json"])["vectors"]["known"], 0);
        let said = shop.run(&["doctor"]).out;
        assert!(said.contains("embedding.gguf is there"), "{said}");
    }

    #[test]
    fn a_file_that_embeds_nothing_is_refused_and_words_answer() {
        let test = "a_file_that_embeds_nothing_is_refused_and_words_answer";
        let Some(models) = Models::new(test) else { return };
        let shop = Repository::new(SHOP);
        super::embed_with(&shop, &format!("gguf = '{}'", models.path("qwen2.5-coder-tiny")));
        shop.run(&["embed"]).fails(2, &["qwen2.5-coder-tiny.gguf", "not an embedding model"]);
        super::embed_with(&shop, &format!("gguf = '{}'", models.path("absent")));
        shop.run(&["embed"]).fails(2, &["cannot read the model", "models.embed.gguf wants"]);
        assert_eq!(shop.run(&["search", "add an item to the cart"]).code, 0);
    }

    #[test]
    fn a_model_file_that_is_no_good_is_refused_with_the_remedy() {
        let test = "a_model_file_that_is_no_good_is_refused_with_the_remedy";
        let Some(models) = Models::new(test) else { return };
        let shop = Repository::new(SHOP);
        let fails = |name: &str, more: &[&str], words: &[&str]| {
            let path = models.path(name);
            let args = ["complete", "shop/stock.py:4", "--gguf", &path];
            shop.run(&[&args, more].concat()).fails(2, &[words, &[&path]].concat());
        };
        fails("absent", &[], &["cannot read the model", "*.gguf"]);
        fails("vocabulary", &[], &["no weights"]);
        fails("nameless", &[], &["--model", "qwen2.5-coder", "garbage"]);
        fails("qwen2.5-coder-tiny", &["--model", "starcoder2"], &["<fim_prefix>"]);
        fails("short", &["--max-tokens", "250"], &["256 tokens at a time", "--max-tokens"]);
        let path = models.path("nameless");
        let named = ["--gguf", &path, "--model", "qwen2.5-coder", "--max-tokens", "4"];
        assert!(shop.run(&[&["complete", "shop/stock.py:4"][..], &named].concat()).code <= 1);
        let said = shop.run(&["doctor", "--gguf", &path]).out;
        assert!(said.contains("nameless.gguf is there"), "{said}");
    }
}
