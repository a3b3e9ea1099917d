//! The models of `[models.<role>]` in the user's file.

use serde_json::{Value, json};

use crate::llama_cpp::SHOP;
use crate::{Repository, Run};

/// Runs a command with this text in the user's file.
fn run(shop: &Repository, config: &str, args: &[&str]) -> Run {
    let home = shop.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("config.toml"), config).unwrap();
    shop.run(args)
}

fn setting<'a>(settings: &'a Value, key: &str) -> &'a Value {
    let all = settings["settings"].as_array().unwrap();
    all.iter().find(|it| it["key"] == key).unwrap_or(&Value::Null)
}

const ROLES: &str = "
[models.complete]
url = 'http://127.0.0.1:9'
timeout_ms = 900
[models.chat]
url = 'https://models.example'
api = 'openai'
model = 'qwen3'
key_env = 'FOREWORD_TEST_KEY_THAT_IS_NOT_SET'
parallel = 2
[models.embed]
url = 'http://127.0.0.1:11434'
api = 'ollama'
";

#[test]
fn roles_are_shown_with_their_origin_and_never_with_a_key() {
    let shop = Repository::new(SHOP);
    let run = run(&shop, ROLES, &["config", "--json"]);
    let shown: Value = serde_json::from_str(&run.out).unwrap();
    // The general keys are those of completions.
    assert_eq!(setting(&shown, "model_url")["value"], "http://127.0.0.1:9");
    assert_eq!(setting(&shown, "models.complete.timeout_ms")["value"], 900);
    let key = setting(&shown, "models.chat.key_env");
    assert_eq!(
        (&key["value"], &key["is_set"]),
        (&json!("FOREWORD_TEST_KEY_THAT_IS_NOT_SET"), &json!(false))
    );
    assert!(key["origin"].as_str().unwrap().ends_with("config.toml"), "{key}");
    assert_eq!(setting(&shown, "models.embed.api")["value"], "ollama");
    assert_eq!(setting(&shown, "models.embed.model"), &Value::Null);
    let text = shop.run(&["config"]).out;
    let table: toml::Table = text.parse().unwrap();
    assert_eq!(
        table["models"]["chat"]["url"].as_str(),
        setting(&shown, "models.chat.url")["value"].as_str()
    );
    assert!(text.contains("models.chat.key_env") && text.contains("variable is not set"), "{text}");
}

#[test]
fn a_setting_that_is_given_twice_is_refused_by_both_names() {
    let shop = Repository::new(SHOP);
    let both = "model_url = 'http://a'\n[models.complete]\nurl = 'http://b'\n";
    let words = ["config.toml", "`model_url`", "`models.complete.url`", "remove one"];
    run(&shop, both, &["status"]).fails(2, &words);
    let two = "gguf = 'm.gguf'\n[models.complete]\nurl = 'http://b'\n";
    run(&shop, two, &["status"]).fails(2, &["`gguf`", "`models.complete.url`"]);
    let wrong = "[models.chat]\nparallel = 'two'\n";
    run(&shop, wrong, &["status"]).fails(2, &["config.toml", "models.chat.parallel", "number"]);
}

#[test]
fn doctor_checks_roles_without_asking_anybody() {
    let shop = Repository::new(SHOP);
    let said = run(&shop, ROLES, &["doctor"]).out;
    assert!(said.contains("$FOREWORD_TEST_KEY_THAT_IS_NOT_SET is not set; export it"), "{said}");
    assert!(said.contains("the server's own model at http://127.0.0.1:11434 (ollama)"), "{said}");
    let said = run(&shop, "[models.chat]\nmodel = 'x'\n", &["doctor"]).out;
    assert!(said.contains("models.chat.url: is missing"), "{said}");
    let mistral = "[models.chat]\nurl = 'http://a'\napi = 'mistral'\n";
    let said = run(&shop, mistral, &["doctor"]).out;
    assert!(said.contains("there are llama.cpp, ollama, openai"), "{said}");
}

#[test]
fn the_model_of_the_role_completes_with_the_key_of_its_variable() {
    let shop = Repository::new(SHOP);
    let place = ["complete", "shop/stock.py:4"];
    let config = "[models.complete]\nurl = 'http://127.0.0.1:9'\nmodel = 'qwen2.5-coder'\n";
    run(&shop, config, &place).fails(2, &["no model answers at http://127.0.0.1:9"]);
    let keyed = format!("{config}key_env = 'FOREWORD_TEST_KEY_THAT_IS_NOT_SET'\n");
    run(&shop, &keyed, &place).fails(2, &["models.complete.key_env", "is not set; export it"]);
    assert_eq!(run(&shop, &keyed, &["complete", place[1], "--model", "embedded"]).code, 0);
}

#[test]
fn the_model_of_completions_gives_the_format_of_a_context() {
    let shop = Repository::new(SHOP);
    let place = ["context", "shop/stock.py:4", "--json"];
    let context: Value =
        serde_json::from_str(&run(&shop, "[models.complete]\nmodel = 'starcoder2'\n", &place).out)
            .unwrap();
    assert_eq!(context["model"], "starcoder2");
    let both = "model = 'starcoder2'\n[models.complete]\nmodel = 'qwen2.5-coder'\n";
    run(&shop, both, &place).fails(2, &["`model`", "`models.complete.model`"]);
}

#[test]
fn agents_are_served_although_no_model_answers() {
    let shop = Repository::new(SHOP);
    let config = "[models.complete]\nurl = 'http://127.0.0.1:9'\nkey_env = 'FOREWORD_TEST_KEY_THAT_IS_NOT_SET'\n";
    let served = run(&shop, config, &["mcp"]);
    assert_eq!((served.code, served.err.as_str()), (0, ""), "{served:?}");
}
