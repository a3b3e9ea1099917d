//! Plans and likely next edits, as the page shows them.

use serde_json::{Value, json};

use super::Server;
use crate::serve::stub::StubResponse;
use crate::speculate::agents::{Shop, file_of, forecast, good, is_retriever, results, said};

#[test]
fn a_repository_without_plans_has_none_and_prose_gets_none() {
    let server = Server::new(&[]);
    assert_eq!(server.get("/api/plan?file=shop/stock.py")["plan"], Value::Null);
    assert_eq!(server.get("/api/plans")["plans"], Value::Null);
    let (status, message) = server.refusal("/api/plan?file=shop/notes.md");
    assert!(status == 404 && message.contains("no plans are made for"), "{message}");
    assert_eq!(server.refusal("/api/plan?file=.env").0, 404);
}

#[test]
fn a_plan_says_whether_it_is_current_and_whether_its_lines_are_unchanged() {
    let server = planned();
    let plan = || server.get("/api/plan?file=shop/cart.py")["plan"].clone();
    let store = server.repository.root().join("shop/store.py");
    let text = std::fs::read_to_string(&store).unwrap();
    std::fs::write(&store, text.replacen("import os\n\n", "", 1).replace("sync", "flush")).unwrap();
    let current = plan();
    assert_eq!((&current["state"], &current["changed"]), (&json!("current"), &json!([])));
    assert_eq!(current["blocks"][1]["state"], "same");
    std::fs::remove_file(&store).unwrap();
    assert_eq!(plan()["blocks"][0]["why"], "shop/store.py is no longer in the index");
}

#[test]
fn a_plan_counts_the_prompts_that_had_its_lines() {
    let server = planned();
    let text = std::fs::read_to_string(server.repository.root().join("shop/cart.py")).unwrap();
    let (prefix, suffix) = text.split_once("(cart.items)").unwrap();
    let body =
        json!({ "segments": { "prefix": prefix, "suffix": suffix, "filepath": "shop/cart.py" } });
    let (status, answer) = server.ask("POST /v1/completions HTTP/1.1", &body.to_string());
    assert_eq!(status, 200, "{answer}");
    let id = answer.lines().find_map(|it| it.strip_prefix("x-foreword-request: ")).unwrap();
    server.get(&format!("/api/requests/{id}"));
    let event =
        json!({ "type": "select", "completion_id": format!("cmpl-{id}"), "choice_index": 0 });
    server.ask("POST /v1/events HTTP/1.1", &event.to_string());
    let plan = server.get("/api/plan?file=shop/cart.py");
    let block = &plan["plan"]["blocks"][0];
    assert_eq!(plan["requests"], 1, "{plan}");
    assert_eq!((&block["prompts"], &block["accepted"]), (&json!(1), &json!(1)), "{plan}");
}

/// A chat model that chooses two functions of the store and lines that do not exist, and forecasts two functions, one with
/// unknown names.
fn careless(body: &Value) -> StubResponse {
    let is_first = is_retriever(body) && results(body).is_empty();
    if is_first || file_of(body) != "shop/cart.py" {
        return good(body);
    }
    if !is_retriever(body) {
        let mut all = forecast();
        let unknown = "\n\ndef send_cart(path):\n    courier_of_nowhere(path, handle_of_nobody)\n";
        let mut second = all["functions"][0].clone();
        (second["name"], second["code"]) = (json!("send_cart"), json!(unknown));
        all["functions"].as_array_mut().unwrap().push(second);
        return said(&all.to_string());
    }
    let block = |first: u32, last: u32, why: &str| json!({ "path": "shop/store.py", "start_line": first, "end_line": last, "reason": why });
    let blocks = [
        block(1, 4, "opens the store"),
        block(7, 10, "closes the store"),
        block(90, 99, "the end of the store"),
    ];
    said(&json!({ "blocks": blocks }).to_string())
}

/// A server of a repository that a chat model planned, edited afterwards: of the two chosen functions of the store one has
/// moved, the other has changed.
pub(super) fn planned() -> Server {
    let shop = Shop::new(careless);
    // Plans belong to a view, which depends on git.
    shop.repository.git(&["init", "-q"]);
    assert_eq!(shop.json(&[])["planned"], 2);
    let store = shop.repository.root().join("shop/store.py");
    let text = std::fs::read_to_string(&store).unwrap();
    std::fs::write(&store, "import os\n\n".to_owned() + &text.replace("flush", "sync")).unwrap();
    Server::of(shop.repository, &["--patience", "60000"])
}

#[test]
fn an_outdated_plan_shows_which_lines_are_unchanged() {
    let server = planned();
    let of_file = server.get("/api/plan?file=shop/cart.py");
    let stored = &of_file["plan"];
    assert_eq!(stored["model"], "scripted");
    assert_eq!(
        (&stored["state"], &stored["changed"]),
        (&json!("outdated"), &json!(["shop/store.py"]))
    );
    assert!(stored["age_s"].as_u64().unwrap() < 60, "{stored}");
    let blocks = stored["blocks"].as_array().unwrap();
    let states: Vec<_> = blocks.iter().map(|it| (&it["state"], &it["start_line"])).collect();
    assert_eq!(states, [(&json!("kept"), &json!(3)), (&json!("gone"), &json!(7))]);
    assert_eq!(blocks[0]["reason"], "opens the store");
    assert_eq!(blocks[1]["why"], "its lines have changed since");
    let run = &stored["run"];
    let thrown: Vec<_> =
        run["thrown_out"].as_array().unwrap().iter().map(|it| &it["code"]).collect();
    assert_eq!(thrown, ["block.bad_lines", "forecast.unknown_name"], "{run}");
    assert_eq!((&run["requests"], &run["calls"]), (&json!(3), &json!(1)), "{run}");
    assert!(run["usd"].as_f64().unwrap() > 0.0, "{run}");
}

#[test]
fn a_forecast_is_open_until_it_is_written_or_its_evidence_changes() {
    let server = planned();
    let cart = server.repository.root().join("shop/cart.py");
    let text = std::fs::read_to_string(&cart).unwrap();
    let plan = |path: &str| server.get(&format!("/api/plan?file={path}"))["plan"].clone();
    let with = |text: &str| {
        std::fs::write(&cart, text).unwrap();
        plan("shop/cart.py")["forecasts"][0].clone()
    };
    let open = with(&text);
    assert_eq!((&open["name"], &open["state"]), (&json!("drop_cart"), &json!("open")));
    assert_eq!(with(&format!("{text}\n\ndef drop_cart(path):\n    pass\n"))["state"], "written");
    let dropped = with(&text.replace("save_cart", "keep_cart"));
    assert_eq!(dropped["state"], "dropped", "{dropped}");
    assert_eq!(dropped["why"], "shop/cart.py:4-5 has changed since");
    server.repository.write("shop/new.py", "def new():\n    return 1\n");
    assert_eq!(plan("shop/new.py")["state"], "missing");
}

#[test]
fn plans_are_counted_with_their_cost() {
    let server = planned();
    let all = server.get("/api/plans");
    let plans = &all["plans"];
    // The plan of the store cites nothing that was changed, and most of the store is left.
    assert_eq!((&plans["model"], &plans["current"]), (&json!("scripted"), &json!(1)), "{all}");
    assert_eq!((&plans["files"], &plans["outdated"]), (&json!(2), &json!(1)), "{all}");
    assert!(plans["age_s"].as_u64().unwrap() < 60 && plans["bytes"].as_u64().unwrap() > 0);
    let cost = &plans["cost"];
    assert_eq!((&cost["requests"], &cost["thrown_out"]), (&json!(6), &json!(2)), "{all}");
    assert!(cost["usd"].as_f64().unwrap() > 0.0 && cost["paused"] == false, "{all}");
    assert_eq!(server.repository.run(&["speculate", "--pause"]).code, 0);
    assert_eq!(server.get("/api/plans")["plans"]["cost"]["paused"], true);
}

#[test]
fn the_next_edit_is_likely_where_what_was_changed_is_used() {
    let server = Server::new(&[]);
    let repository = &server.repository;
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "first"]);
    let nothing = server.get("/api/next");
    assert_eq!((&nothing["edits"], &nothing["places"]), (&json!(0), &json!([])), "{nothing}");
    let text = std::fs::read_to_string(repository.root().join("shop/stock.py")).unwrap();
    repository.write("shop/stock.py", &text.replace("name, count", "name, count, force"));
    let after = server.get("/api/next");
    assert_eq!(after["edits"], 1, "{after}");
    let places = after["places"].as_array().unwrap();
    let caller = places.iter().find(|it| it["path"] == "shop/cart.py" && it["symbol"] == "add");
    let reason = &caller.unwrap()["reasons"][0];
    assert_eq!(reason["text"], "uses take, whose signature changed", "{after}");
    let here = server.get("/api/next?file=shop/cart.py&line=4&limit=1");
    assert_eq!(here["places"].as_array().unwrap().len(), 1, "{here}");
    assert_eq!(server.refusal("/api/next?file=shop/stock.py&line=99").0, 400);
    assert_eq!(server.refusal("/api/next?file=.env").0, 404);
}
