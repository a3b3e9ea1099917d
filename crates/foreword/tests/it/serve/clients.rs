//! Third-party programs, if they are installed: a llama.cpp server as upstream, and as clients the Python SDKs
//! and LiteLLM (`ci/python`), Continue's adapters and tabby-agent (`ci/clients/install`).

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::stub::{Stub, StubResponse};
use super::{SHOP, Server, hole};
use crate::llama_cpp::Llama;
use crate::{Repository, Run, installed};

#[test]
fn llama_cpp_evaluates_the_composed_prompt() {
    let test = "serve::clients::llama_cpp_evaluates_the_composed_prompt";
    let shop = Repository::new(SHOP);
    let Some(llama) = Llama::new(test, shop.dir.path(), "qwen2.5-coder-tiny.gguf") else { return };
    let server = Server::with_upstream(&shop, &llama.url());
    let (prefix, suffix) = hole();
    let rendered = format!("<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>");
    let mut prompts = Vec::new();
    for stream in [false, true] {
        let infill = json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "n_predict": 4, "stream": stream });
        let completion = json!({ "prompt": rendered, "n_predict": 4, "stream": stream });
        let openai =
            json!({ "prompt": prefix, "suffix": suffix, "max_tokens": 4, "stream": stream });
        for (path, body) in [
            ("/infill", &infill),
            ("/completion", &completion),
            ("/v1/completions", &openai),
            ("/v1/fim/completions", &openai),
        ] {
            let reply = server.post(path, body);
            assert_eq!(reply.status, 200, "{path}: {reply:?}");
            let composed = server.record(&reply)["prompt"].as_str().unwrap().to_owned();
            assert_eq!(llama.evaluated(), composed, "{path}, stream: {stream}");
            prompts.push(composed);
        }
    }
    assert!(prompts[0].contains("<|file_sep|>shop/cart.py"), "{}", prompts[0]);
    assert!(prompts.iter().all(|it| *it == prompts[0]), "{prompts:#?}");
    // The second time all but the end of the prompt is in the server's cache.
    let body = json!({ "input_prefix": format!("{prefix}a"), "input_suffix": suffix, "n_predict": 4, "cache_prompt": true });
    let record = server.record(&server.post("/infill", &body));
    let cached = record["model"]["cached_tokens"].as_u64().unwrap_or_else(|| panic!("{record}"));
    assert!(cached > 200, "{record}");
    // Requests about the server are answered by the server.
    assert_eq!(server.get("/props").json()["default_generation_settings"]["n_ctx"], 8192);
    let tokens = server.post("/tokenize", &json!({ "content": "<|fim_middle|>" })).json();
    assert_eq!(tokens["tokens"].as_array().map(Vec::len), Some(1), "{tokens}");
    let fields = json!(["content", "timings/prompt_n", "truncated"]);
    let body = json!({ "input_prefix": prefix, "input_suffix": suffix, "n_predict": 4, "response_fields": fields });
    let reply = server.post("/infill", &body);
    let names: Vec<String> = reply.json().as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["content", "timings/prompt_n", "truncated"], "{reply:?}");
    assert!(reply.body.contains("\"content\":\""), "{reply:?}");
}

/// Servers with a stub of llama.cpp and with the embedded model, and the text that each completes.
fn servers(shop: &Repository) -> (Stub, Vec<(Server, String)>) {
    let stub = Stub::llama(|body| {
        let whole = |text: &str| {
            json!({
                "content": text, "stop": true, "object": "text_completion",
                "choices": [{ "index": 0, "text": text, "finish_reason": "stop", "logprobs": null }],
            })
        };
        if body["stream"] != true {
            return StubResponse::json(&whole("add(name)"));
        }
        let event = |text: &str| format!("data: {}\n\n", whole(text));
        StubResponse::stream(
            "text/event-stream",
            &[event("add("), event("name)"), "data: [DONE]\n\n".to_owned()],
        )
    });
    let (prefix, suffix) = hole();
    let embedded = Server::embedded(shop);
    let body = json!({ "prompt": prefix, "suffix": suffix });
    let own = embedded.post("/beta/completions", &body).json()["choices"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(own.starts_with("add("), "{own}");
    let before = Server::with_upstream(shop, &stub.url);
    (stub, vec![(before, "add(name)".to_owned()), (embedded, own)])
}

fn request(expected: &str) -> Value {
    let (prompt, suffix) = hole();
    json!({ "prompt": prompt, "suffix": suffix, "expected": expected })
}

fn script(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/serve").join(name)
}

/// A script of Python that completes with a client's library, in front of each server; skipped by name without Python.
fn completes_in_python(test: &str, name: &str) {
    let Some(python) = installed(test, "python/bin/python") else { return };
    let shop = Repository::new(SHOP);
    let (_stub, servers) = servers(&shop);
    for (server, expected) in &servers {
        let url = format!("http://127.0.0.1:{}", server.port);
        let mut command = Command::new(&python);
        command.arg(script(name)).arg(url).arg(request(expected).to_string());
        let run = Run::of(&command.output().unwrap());
        assert_eq!((run.code, run.out.trim()), (0, "done"), "{run:?}");
    }
}

#[test]
fn the_python_sdks_complete_whole_and_in_streams() {
    completes_in_python("serve::clients::the_python_sdks_complete_whole_and_in_streams", "sdk.py");
}

#[test]
fn litellm_completes_whole_and_in_streams() {
    let test = "serve::clients::litellm_completes_whole_and_in_streams";
    completes_in_python(test, "litellm_calls.py");
}

#[test]
fn continues_adapters_complete_whole_and_in_streams() {
    let test = "serve::clients::continues_adapters_complete_whole_and_in_streams";
    let Some(node) = installed(test, "clients/node") else { return };
    let packages = node.with_file_name("node_modules").canonicalize().unwrap();
    let shop = Repository::new(SHOP);
    let (stub, servers) = servers(&shop);
    for (server, expected) in &servers {
        let url = format!("http://127.0.0.1:{}", server.port);
        let mut command = Command::new(&node);
        command.arg(script("continue.mjs")).arg(&packages).arg(url);
        let run = Run::of(&command.arg(request(expected).to_string()).output().unwrap());
        assert_eq!((run.code, run.out.trim()), (0, "done"), "{run:?}");
    }
    assert!(
        stub.requests_to("/v1/completions")
            .iter()
            .all(|it| it["prompt"].as_str().unwrap().contains("shop/cart.py"))
    );
}

/// A stub that completes a call of `add`.
fn adding() -> Stub {
    Stub::llama(|_| {
        let end = json!({ "content": "add(name, amount=2)", "stop": true });
        StubResponse::stream("text/event-stream", &[format!("data: {end}\n\n")])
    })
}

#[test]
fn tabby_agent_completes_and_reports_what_was_accepted() {
    let test = "serve::clients::tabby_agent_completes_and_reports_what_was_accepted";
    let Some(node) = installed(test, "clients/node") else { return };
    let packages = node.with_file_name("node_modules").canonicalize().unwrap();
    let shop = Repository::new(SHOP);
    let stub = adding();
    let args = ["--model-url", &stub.url, "--token", "auth_test_token"];
    let server = Server::start(&shop, &args);
    let (prefix, suffix) = hole();
    let file = json!({ "filepath": "shop/order.py", "language": "python", "text": format!("{prefix}{suffix}") });
    let request =
        json!({ "file": file, "line": 15, "column": 13, "expected": "add(name, amount=2)" });
    let mut command = Command::new(&node);
    command
        .arg(script("tabby.cjs"))
        .arg(&packages)
        .arg(format!("http://127.0.0.1:{}", server.port));
    // It writes its own log into the current directory.
    command.arg("auth_test_token").arg(request.to_string());
    command.env("HOME", shop.dir.path()).current_dir(shop.dir.path());
    let run = Run::of(&command.output().unwrap());
    assert_eq!(run.code, 0, "{run:?}");
    let token = ["authorization: Bearer auth_test_token"];
    let list = server.ask("GET", "/api/requests?door=tabby", &token, "").json();
    let first = &list["requests"][0];
    assert_eq!(
        (&first["verdict"], &first["place"]["path"]),
        (&json!("accepted"), &json!("shop/order.py")),
        "{list}"
    );
    assert!(run.out.contains(first["id"].as_str().unwrap()), "{run:?} {list}");
    let prompt =
        stub.requests_to("/completion").pop().unwrap()["prompt"].as_str().unwrap().to_owned();
    for text in
        ["def transfer(amount)", "def changed_just_now()", "def add(self, item", "TAX = 0.19"]
    {
        assert!(prompt.contains(text), "{text}: {prompt}");
    }
}

#[test]
fn tabby_agent_as_a_language_server_shows_our_text() {
    let test = "serve::clients::tabby_agent_as_a_language_server_shows_our_text";
    let Some(node) = installed(test, "clients/node") else { return };
    let packages = node.with_file_name("node_modules").canonicalize().unwrap();
    let shop = Repository::new(SHOP);
    let stub = adding();
    let server = Server::with_upstream(&shop, &stub.url);
    // The path that docs/serve.md names.
    let home = tempfile::tempdir().unwrap();
    let settings = home.path().join(".tabby-client/agent/config.toml");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let port = server.port;
    let text = format!(
        "[server]\nendpoint = \"http://127.0.0.1:{port}\"\ntoken = \"\"\n[anonymousUsageTracking]\ndisable = true\n"
    );
    std::fs::write(settings, text).unwrap();
    let (prefix, suffix) = hole();
    let file = shop.root().join("shop/order.py");
    let request = json!({
        "uri": format!("file://{}", file.display()), "source": format!("{prefix}{suffix}"), "line": 15,
        "character": 13, "expected": "add(name, amount=2)",
    });
    let mut command = Command::new(&node);
    command.arg(script("tabby_lsp.cjs")).arg(&packages).arg(request.to_string());
    command.env("HOME", home.path()).current_dir(home.path());
    let run = Run::of(&command.output().unwrap());
    assert_eq!((run.code, run.out.trim()), (0, "done"), "{run:?}");
    let first = &server.get("/api/requests?door=tabby").json()["requests"][0];
    assert_eq!(first["place"]["path"], "shop/order.py", "{first}");
    let prompt =
        stub.requests_to("/completion").pop().unwrap()["prompt"].as_str().unwrap().to_owned();
    assert!(prompt.contains("def add(self, item") && prompt.contains("TAX = 0.19"), "{prompt}");
}
