//! Which file a request belongs to, and what the model sees.

mod embedded;
mod missing;
mod sessions;

use serde_json::{Value, json};

use super::stub::{Stub, StubResponse};
use super::{Reply, SHOP, Server, hole, until};
use crate::Repository;

fn stub() -> Stub {
    Stub::llama(|_| StubResponse::json(&json!({ "content": "add(name)", "stop": true })))
}

fn infill(server: &Server, prefix: &str, suffix: &str) -> Reply {
    server.post("/infill", &json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "" }))
}

/// The last prompt that the model got.
fn prompt(stub: &Stub) -> String {
    let seen = stub.requests_to("/completion");
    seen.last().unwrap_or_else(|| panic!("no prompt"))["prompt"].as_str().unwrap().to_owned()
}

#[test]
fn a_window_without_a_path_is_located_and_gets_context_of_file_and_repository() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let reply = infill(&server, &prefix, &suffix);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(
        reply.header("x-foreword-match").starts_with("shop/order.py:16; confidence="),
        "{reply:?}"
    );
    assert_eq!(reply.header("x-foreword-context"), "file");
    assert!(!reply.header("x-foreword-snapshot").is_empty());
    let prompt = prompt(&stub);
    assert!(prompt.contains("<|file_sep|>shop/cart.py\n"), "{prompt}");
    assert!(prompt.contains("def add(self, item, amount=1)"), "{prompt}");
    assert!(prompt.contains("<|file_sep|>shop/order.py\n<|fim_prefix|>from shop.cart"), "{prompt}");
    // A special token in the repository's text is escaped.
    assert!(prompt.contains("'< |fim_middle|>'"), "{prompt}");
    assert!(!prompt.contains("contraband") && !prompt.contains("very-secret"), "{prompt}");
}

#[test]
fn a_short_window_is_extended_to_the_whole_file_without_the_saved_line() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let start = prefix.find("def open_order").unwrap();
    let end = suffix.find("    gross").unwrap();
    let reply = infill(&server, &prefix[start..], &suffix[..end]);
    assert!(reply.header("x-foreword-match").starts_with("shop/order.py:16"), "{reply:?}");
    let prompt = prompt(&stub);
    assert!(prompt.contains("TAX = 0.19") && prompt.contains("return gross"), "{prompt}");
    assert!(!prompt.contains("cart.add(name, amount=10)"), "{prompt}");
}

#[test]
fn unsaved_lines_do_not_hide_the_file() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let prefix = prefix
        .replace("    for name in names:\n", "    count = 0\n    for one in sorted(names):\n");
    let reply = infill(&server, &prefix, &suffix);
    assert!(reply.header("x-foreword-match").starts_with("shop/order.py:18"), "{reply:?}");
    assert!(prompt(&stub).contains("for one in sorted(names):\n        cart.<|fim_suffix|>"));
}

#[test]
fn a_window_of_no_file_gets_context_by_its_words_and_says_so() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let reply = infill(&server, "cart = Cart('me')\ncart.total(", "\n");
    assert_eq!(reply.header("x-foreword-match"), "none");
    assert_eq!(reply.header("x-foreword-context"), "lexical");
    assert!(prompt(&stub).contains("def total(self, prices)"), "{}", prompt(&stub));
    let record = server.record(&reply);
    assert!(!record["place"]["how"].as_str().unwrap().is_empty(), "{record}");
}

#[test]
fn a_file_that_was_just_written_is_located() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    infill(&server, &prefix, &suffix);
    shop.write("shop/gift.py", "def wrap_gift(cart, paper):\n    paper.cut()\n    cart.note = paper.name\n    return paper\n");
    let reply = infill(
        &server,
        "def wrap_gift(cart, paper):\n    paper.cut()\n    cart.note = ",
        "\n    return paper\n",
    );
    assert!(reply.header("x-foreword-match").starts_with("shop/gift.py:3"), "{reply:?}");
}

#[test]
fn the_clients_snippets_are_used_once_and_come_first() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let cart = SHOP.split("//- shop/cart.py\n").nth(1).unwrap().split("//-").next().unwrap();
    let extra = json!([
        { "filename": "notes.py", "text": "def remember(note, <|fim_suffix|>):\n    journal.append(note)\n" },
        { "filename": "shop/cart.py", "text": cart },
        { "filename": "shop/order.py", "text": "def open_order(customer):\n    cart = Cart(customer)\n    return cart\n" },
    ]);
    let body = json!({ "input_prefix": prefix, "input_suffix": suffix, "input_extra": extra });
    server.post("/infill", &body);
    let prompt = prompt(&stub);
    assert!(
        prompt.contains("<|file_sep|>notes.py\ndef remember(note, < |fim_suffix|>)"),
        "{prompt}"
    );
    for once in ["class Cart", "def open_order(customer)", "def remember"] {
        assert_eq!(prompt.matches(once).count(), 1, "{once} in\n{prompt}");
    }
    let reply = server.post(
        "/infill",
        &json!({ "input_prefix": "", "input_suffix": "", "input_extra": [{ "filename": 1 }] }),
    );
    assert_eq!(reply.status, 400, "{reply:?}");
    assert!(reply.body.contains("text"), "{reply:?}");
}

#[test]
fn the_start_of_the_prompt_is_stable_between_keystrokes() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let mut prompts = Vec::new();
    for typed in ["", "a", "ad", "add"] {
        infill(&server, &format!("{prefix}{typed}"), &suffix);
        prompts.push(prompt(&stub));
    }
    let up_to_cursor = |it: &String| it[..it.find("cart.<|fim").unwrap_or(0)].to_owned();
    let first = up_to_cursor(&prompts[0]);
    assert!(!first.is_empty() && prompts.iter().all(|it| it.starts_with(&first)), "{prompts:?}");
}

#[test]
fn a_window_is_located_among_several_repositories() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let farm = Repository::new(
        "//- farm/barn.py\ndef feed(animals, hay):\n    for animal in animals:\n        animal.eat(hay)\n    return hay\n",
    );
    let (a, b) = (shop.root(), farm.root());
    let args = [
        "--model-url",
        &stub.url,
        "--workspace",
        a.to_str().unwrap(),
        "--workspace",
        b.to_str().unwrap(),
    ];
    let server = Server::start(&shop, &args);
    let (prefix, suffix) = hole();
    let reply = infill(
        &server,
        "def feed(animals, hay):\n    for animal in animals:\n        animal.",
        "\n    return hay\n",
    );
    assert!(reply.header("x-foreword-match").starts_with("farm/barn.py:3"), "{reply:?}");
    assert!(
        server.record(&reply)["place"]["workspace"]
            .as_str()
            .unwrap()
            .starts_with(b.canonicalize().unwrap().to_str().unwrap())
    );
    let reply = infill(&server, &prefix, &suffix);
    assert!(reply.header("x-foreword-match").starts_with("shop/order.py:16"), "{reply:?}");
    assert!(!prompt(&stub).contains("animal"), "{}", prompt(&stub));
}

#[test]
fn a_path_outside_of_the_workspace_is_not_read() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    std::fs::write(shop.dir.path().join("outside.py"), "OUTSIDE_SECRET = 'do not show'\n").unwrap();
    let server = Server::with_upstream(&shop, &stub.url);
    let outside = shop.dir.path().join("outside.py");
    for path in [
        outside.to_str().unwrap(),
        "../outside.py",
        "shop/../../outside.py",
        "hidden.py",
        "shop/secret.env",
    ] {
        let segments = json!({ "prefix": "x = OUTSIDE", "suffix": "\n", "filepath": path });
        let reply =
            server.post("/v1/completions", &json!({ "language": "python", "segments": segments }));
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        let prompt = prompt(&stub);
        for secret in ["do not show", "contraband", "very-secret"] {
            assert!(!prompt.contains(secret), "{path}:\n{prompt}");
        }
    }
}

#[test]
fn a_request_whose_context_is_late_is_answered_without() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::start(&shop, &["--model-url", &stub.url, "--patience", "0"]);
    let (prefix, suffix) = hole();
    let body = json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "strange": { "field": 1 } });
    let reply = server.post("/infill", &body);
    assert_eq!((reply.status, reply.header("x-foreword-context")), (200, "late"), "{reply:?}");
    // It is forwarded unchanged.
    let seen = stub.requests_to("/infill").pop().unwrap();
    for field in ["input_prefix", "input_suffix", "strange"] {
        assert_eq!(seen[field], body[field]);
    }
}

#[test]
fn context_can_be_bypassed_by_a_request_or_by_the_server() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::start(&shop, &["--model-url", &stub.url, "--bypass"]);
    let (prefix, suffix) = hole();
    let body = json!({ "input_prefix": prefix, "input_suffix": suffix }).to_string();
    let reply = server.ask("POST", "/infill", &[], &body);
    assert_eq!(reply.header("x-foreword-context"), "untouched", "{reply:?}");
    assert_eq!(stub.requests_to("/infill").len(), 1);
    let reply = server.ask("POST", "/infill", &["x-foreword-bypass: 0"], &body);
    assert_eq!(reply.header("x-foreword-context"), "file", "{reply:?}");
    let server = Server::with_upstream(&shop, &stub.url);
    let reply = server.ask("POST", "/infill", &["x-foreword-bypass: 1"], &body);
    assert_eq!(reply.header("x-foreword-context"), "untouched", "{reply:?}");
}

#[test]
fn a_warm_up_has_the_server_read_the_start_of_the_next_prompt() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let extra = json!([{ "text": "def remember(note):\n    journal.append(note)\n", "time": [313, -1_371_494_631], "filename": "notes.py" }]);
    // Word for word what llama.vim sends.
    let body = json!({
        "id_slot": 0, "input_prefix": "", "input_suffix": "", "input_extra": extra, "prompt": "", "n_predict": 0,
        "temperature": 0.0, "samplers": [], "stream": false, "cache_prompt": true, "t_max_prompt_ms": 1,
        "t_max_predict_ms": 1, "response_fields": [""], "model": "qwen",
    });
    let reply = server.post("/infill", &body);
    assert_eq!((reply.status, reply.header("x-foreword-context")), (200, "untouched"), "{reply:?}");
    let warm = stub.requests_to("/completion").pop().unwrap();
    for field in ["id_slot", "n_predict", "samplers", "t_max_prompt_ms", "response_fields", "model"]
    {
        assert_eq!(warm[field], body[field], "{field}");
    }
    let (prefix, suffix) = hole();
    server.post(
        "/infill",
        &json!({ "input_prefix": prefix, "input_suffix": suffix, "input_extra": extra }),
    );
    let warmed = warm["prompt"].as_str().unwrap();
    assert!(
        warmed.contains("def remember") && prompt(&stub).starts_with(warmed),
        "{warmed}\n---\n{}",
        prompt(&stub)
    );
}

#[test]
fn a_warm_up_has_only_the_snippets_that_fit_into_the_next_prompt() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let args = ["--model-url", &stub.url, "--budget", "1000"];
    let server = Server::start(&shop, &args);
    let chunk = |n: usize| {
        let lines = (0..12).map(|it| format!("    note_{n}_{it} = remember(ledger, {it})\n"));
        let text = format!("def page_{n}(ledger):\n") + &lines.collect::<String>();
        json!({ "filename": format!("notes/{n}.py"), "text": text })
    };
    let extra: Vec<Value> = (0..16).map(chunk).collect();
    let warm =
        json!({ "input_prefix": "", "input_suffix": "", "input_extra": extra, "n_predict": 0 });
    server.post("/infill", &warm);
    let warmed = prompt(&stub);
    let (prefix, suffix) = hole();
    let body = json!({ "input_prefix": prefix, "input_suffix": suffix, "input_extra": extra });
    server.post("/infill", &body);
    assert!(warmed.contains("def page_15(") && !warmed.contains("def page_0("), "{warmed}");
    assert!(prompt(&stub).starts_with(&warmed), "{warmed}\n---\n{}", prompt(&stub));
}

#[test]
fn absolute_paths_of_snippets_become_relative_to_the_repository() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let inside = shop.root().canonicalize().unwrap().join("shop/new.py");
    let prompt_with = |path: &str| {
        let text = "def wrap(gift):\n    gift.paper = 'red'\n    return gift\n";
        let extra = json!([{ "filename": path, "text": text }]);
        server.post(
            "/infill",
            &json!({ "input_prefix": "wrap(", "input_suffix": ")\n", "input_extra": extra }),
        );
        prompt(&stub)
    };
    let prompt = prompt_with(inside.to_str().unwrap());
    assert!(prompt.contains("<|file_sep|>shop/new.py\ndef wrap"), "{prompt}");
    let prompt = prompt_with("/usr/lib/gift.py");
    assert!(prompt.contains("<|file_sep|>/usr/lib/gift.py\ndef wrap"), "{prompt}");
}

#[test]
fn a_token_limit_as_large_as_the_window_leaves_room_for_the_context() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let body = json!({ "input_prefix": prefix, "input_suffix": suffix, "n_predict": 8192 });
    let reply = server.post("/infill", &body);
    assert_eq!(reply.header("x-foreword-context"), "file", "{reply:?}");
    assert_eq!(stub.requests_to("/completion").pop().unwrap()["n_predict"], 8192);
}

#[test]
fn a_change_on_the_disk_is_indexed_without_a_request() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let ask = || server.post("/infill", &json!({ "input_prefix": "x", "input_suffix": "" }));
    let snapshot = |reply: &Reply| reply.header("x-foreword-snapshot").to_owned();
    let first = snapshot(&ask());
    shop.write("shop/gift.py", "def wrap_gift(cart):\n    pass\n");
    let second: Value = until(|| Some(json!(snapshot(&ask()))).filter(|it| *it != json!(first)));
    assert_ne!(second, json!(""));
}

#[test]
fn tokens_are_counted_by_the_servers_own_tokenizer() {
    let shop = Repository::new(SHOP);
    // A tokenizer by which every letter is a token: any estimate of ours would be far below.
    let stub = Stub::new(|path, body| match path {
        "/props" => StubResponse::json(
            &json!({ "default_generation_settings": { "n_ctx": 8192 }, "total_slots": 1 }),
        ),
        "/v1/models" => StubResponse::json(&json!({ "data": [{ "id": "codellama-7b" }] })),
        "/tokenize" => {
            let text = body["content"].as_str().unwrap();
            let tokens = if text.starts_with('<') && text.len() < 8 { 1 } else { text.len() };
            StubResponse::json(&json!({ "tokens": vec![1; tokens] }))
        }
        _ => StubResponse::json(&json!({ "content": "", "stop": true })),
    });
    let (prefix, suffix) = hole();
    let length = |budget: &str| {
        let server = Server::start(&shop, &["--model-url", &stub.url, "--budget", budget]);
        let reply = infill(&server, &prefix, &suffix);
        assert_eq!(reply.header("x-foreword-context"), "file", "{reply:?}");
        let by = server.record(&reply)["trace"]["budget"]["counted_by"].clone();
        assert!(by.as_str().unwrap().contains(&stub.url), "{by}");
        prompt(&stub).len()
    };
    let (small, large) = (length("900"), length("2000"));
    assert!(small < 900 && small < large && large < 2000, "{small} {large}");
    assert!(prompt(&stub).contains("def add(self, item"), "{}", prompt(&stub));
}

/// A number of `/metrics`.
fn metric(server: &Server, name: &str) -> usize {
    let text = server.get("/metrics").body;
    let line = text.lines().find_map(|it| it.strip_prefix(name)?.trim().parse().ok());
    line.unwrap_or_else(|| panic!("{name} is not in\n{text}"))
}

#[test]
fn each_of_many_writes_is_known_to_the_request_after_it() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    until(|| Some(metric(&server, "foreword_files")).filter(|it| *it > 0));
    for at in 0..30 {
        let head = format!("def wrap_gift_{at}(cart, paper_{at}):\n    paper_{at}.cut({at})\n");
        let (prefix, suffix) = (format!("{head}    cart.note_{at} = "), "\n    return paper\n");
        shop.write("shop/gift.py", &format!("{prefix}paper_{at}.name{suffix}"));
        let reply = infill(&server, &prefix, suffix);
        assert!(reply.header("x-foreword-match").starts_with("shop/gift.py:3"), "{at}: {reply:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn requests_look_at_no_file_while_the_watcher_is_told_of_no_change() {
    const REQUESTS: usize = 40;
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let checks_of_requests = || {
        let before = metric(&server, "foreword_disk_checks");
        for _ in 0..REQUESTS {
            let reply = infill(&server, &prefix, &suffix);
            assert_eq!(reply.header("x-foreword-context"), "file", "{reply:?}");
        }
        metric(&server, "foreword_disk_checks") - before
    };
    // At first each looks; later on one of a second does.
    until(|| (checks_of_requests() < REQUESTS / 2).then_some(()));
}

#[test]
fn what_is_written_is_indexed_before_anybody_asks() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let files = || metric(&server, "foreword_files");
    let before = until(|| Some(files()).filter(|it| *it > 0));
    // The first look is over; nothing but a watcher makes another one.
    std::thread::sleep(std::time::Duration::from_secs(1));
    let before = files().max(before);
    shop.write("shop/watched.py", "def watched():\n    return 1\n");
    until(|| (files() == before + 1).then_some(()));
    std::fs::remove_file(shop.root().join("shop/watched.py")).unwrap();
    until(|| (files() == before).then_some(()));
}

#[test]
fn ollamas_window_limits_the_prompt() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let ask = |options: Value| {
        let body = json!({ "model": "m", "prompt": prefix, "suffix": suffix, "stream": false, "options": options });
        let reply = server.post("/api/generate", &body);
        assert_eq!(reply.status, 200, "{reply:?}");
        (server.record(&reply), prompt(&stub))
    };
    let (all, long) = ask(json!({ "num_predict": 16 }));
    let (few, short) = ask(json!({ "num_predict": 16, "num_ctx": 280 }));
    // 32 are left free.
    assert_eq!(few["trace"]["budget"]["total"], 280 - 16 - 32, "{few}");
    assert!(all["trace"]["budget"]["total"].as_u64() > Some(280), "{all}");
    assert!(short.len() < long.len() && short.contains("cart.<|fim_suffix|>"), "{short}");
}

#[test]
fn several_choices_are_asked_for_and_handed_back() {
    let shop = Repository::new(SHOP);
    let choices = |n: u64| -> Vec<Value> {
        (0..n).map(|it| json!({ "index": it, "text": format!("add({it})") })).collect()
    };
    let stub = Stub::llama(move |body| {
        StubResponse::json(&json!({ "choices": choices(body["n"].as_u64().unwrap_or(1)) }))
    });
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let asked = json!({ "prompt": prefix, "suffix": suffix, "n": 3 });
    let texts = |reply: &Reply| {
        let choices = reply.json()["choices"].as_array().unwrap().clone();
        let told = |(at, it): (usize, &Value)| {
            assert_eq!(it["index"], at);
            it["text"].as_str().unwrap().to_owned()
        };
        choices.iter().enumerate().map(told).collect::<Vec<_>>()
    };
    let reply = server.post("/v1/completions", &asked);
    assert_eq!(texts(&reply), ["add(0)", "add(1)", "add(2)"]);
    assert_eq!(stub.requests_to("/v1/completions")[0]["n"], 3);
    // The embedded model has as many as it finds likely.
    let embedded = Server::embedded(&shop);
    let found = texts(&embedded.post("/v1/completions", &asked));
    assert!((2..=3).contains(&found.len()), "{found:?}");
    assert!(found[0].starts_with("add(") && found[0] != found[1], "{found:?}");
}

#[test]
fn a_replay_shows_what_was_sent_and_asks_the_model_when_it_is_told_to() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let ring = "def ring(one):\n    two = one\n    return two\n";
    let extra = json!([{ "filename": "ring.py", "text": ring }]);
    let asked = json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "input_extra": extra, "stream": true });
    let record = server.record(&server.post("/infill", &asked));
    let trace = &record["trace"];
    assert_eq!(trace["settings"]["budget"], trace["budget"]["total"]);
    let replay = |more: Value| {
        let mut body = json!({ "request": record["id"] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = server.post("/api/replay", &body);
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()
    };
    let seen = stub.requests_to("/completion").len();
    let again = replay(json!({}));
    assert_eq!((&again["segments"], &again["answer"]), (&trace["segments"], &Value::Null));
    assert_eq!(stub.requests_to("/completion").len(), seen);
    let again = replay(json!({ "answer": true, "budget": trace["settings"]["budget"] }));
    assert_eq!((&again["segments"], &again["answer"]), (&trace["segments"], &json!("add(name)")));
    let sent = stub.requests_to("/completion");
    assert_eq!(sent.len(), seen + 1);
    assert_eq!((&sent[seen]["prompt"], &sent[seen]["stream"]), (&record["prompt"], &json!(false)));
}
