//! What is stored for the next edits, and where they are likely, as the page shows it.

use serde_json::{Value, json};

use super::Server;
use crate::serve::stub::StubResponse;
use crate::speculate::agents::{Shop, file_of, forecast, good, is_retriever, results, said};

/// A class that does not have all that its base asks for.
pub(super) const SHAPES: &str = "\
from abc import ABC, abstractmethod
from shop.stock import take


class Shape(ABC):
    @abstractmethod
    def area(self):
        pass

    @abstractmethod
    def name(self):
        pass


class Square(Shape):
    def area(self):
        return take(self.side, 'area', 2)
";

fn server() -> Server {
    let server = Server::new(&["--patience", "60000"]);
    server.repository.write("shop/shapes.py", SHAPES);
    server
}

#[test]
fn a_plan_says_whether_it_is_stored_and_whether_it_still_holds() {
    let server = server();
    let plan = |server: &Server| server.get("/api/plan?file=shop/shapes.py")["plans"][0].clone();
    let proposed = plan(&server);
    assert_eq!((&proposed["state"], &proposed["age_s"]), (&json!("proposed"), &json!(null)));
    let forecast = &proposed["forecasts"][0];
    // The base declares it, which does not make it written.
    assert_eq!((&forecast["name"], &forecast["state"]), (&json!("name"), &json!("open")));
    assert_eq!(server.repository.run(&["speculate", "-q"]).code, 0);
    let stored = plan(&server);
    assert_eq!(
        (&stored["state"], &stored["blocks"][0]["state"]),
        (&json!("current"), &json!("same"))
    );
    let at = stored["blocks"][0]["start_line"].as_u64().unwrap();
    let path = stored["blocks"][0]["path"].as_str().unwrap();
    assert_eq!(path, "shop/stock.py");
    // Lines that have moved are found again; lines that have changed are not.
    let text = std::fs::read_to_string(server.repository.root().join(path)).unwrap();
    server.repository.write(path, &format!("import os\n\n{text}"));
    let moved = plan(&server);
    assert_eq!(
        (&moved["state"], &moved["blocks"][0]["state"]),
        (&json!("outdated"), &json!("kept"))
    );
    assert_eq!(moved["blocks"][0]["start_line"], at + 2);
    assert_eq!(moved["changed"], json!(["shop/stock.py"]));
    server.repository.write(path, &text.replace("stock[name]", "stock[0]"));
    let gone = plan(&server)["blocks"][0].clone();
    assert_eq!(
        (&gone["state"], &gone["why"]),
        (&json!("gone"), &json!("its lines have changed since"))
    );
    std::fs::remove_file(server.repository.root().join(path)).unwrap();
    let gone = plan(&server)["blocks"][0].clone();
    assert_eq!(gone["why"], "shop/stock.py is not in the index any more");
    let (status, message) = server.refusal("/api/plan?file=shop/notes.md");
    assert!(status == 404 && message.contains("not planned for"), "{message}");
    assert_eq!(server.refusal("/api/plan?file=.env").0, 404);
}

#[test]
fn a_plan_counts_the_prompts_that_had_its_lines() {
    let server = server();
    assert_eq!(server.repository.run(&["speculate", "-q"]).code, 0);
    let (prefix, suffix) = SHAPES.split_once("'area', 2").unwrap();
    let body =
        json!({ "segments": { "prefix": prefix, "suffix": suffix, "filepath": "shop/shapes.py" } });
    let (status, answer) = server.ask("POST /v1/completions HTTP/1.1", &body.to_string());
    assert_eq!(status, 200, "{answer}");
    let id = answer.lines().find_map(|it| it.strip_prefix("x-foreword-request: ")).unwrap();
    server.get(&format!("/api/requests/{id}"));
    let event =
        json!({ "type": "select", "completion_id": format!("cmpl-{id}"), "choice_index": 0 });
    server.ask("POST /v1/events HTTP/1.1", &event.to_string());
    let plan = server.get("/api/plan?file=shop/shapes.py");
    let block = &plan["plans"][0]["blocks"][0];
    assert_eq!(plan["requests"], 1, "{plan}");
    assert_eq!((&block["prompts"], &block["accepted"]), (&json!(1), &json!(1)), "{plan}");
}

#[test]
fn the_plans_of_a_repository_are_counted() {
    let server = server();
    let of_static = |it: &Value| it["planners"][0].clone();
    let before = of_static(&server.get("/api/plans"));
    assert_eq!((&before["planner"], &before["age_s"]), (&json!("static"), &json!(null)));
    assert_eq!((&before["files"], &before["current"]), (&json!(3), &json!(0)), "{before}");
    assert_eq!(before["next"].as_array().unwrap().len(), 3);
    assert_eq!(server.repository.run(&["speculate", "-q"]).code, 0);
    let after = of_static(&server.get("/api/plans"));
    assert_eq!((&after["current"], &after["next"]), (&json!(3), &json!([])), "{after}");
}

/// A chat model that chooses two functions of the store and lines that do not exist, and foretells one function twice: once
/// with names that nobody knows.
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

/// A server of a repository that was planned by the static planner and by a chat model, and then edited: what the model
/// chose of the store has moved, and changed in part.
pub(super) fn planned() -> Server {
    let shop = Shop::new(careless);
    // The server does it as well: where plans are depends on it.
    shop.repository.git(&["init", "-q"]);
    assert_eq!(shop.json(&[])["planned"], 2);
    assert_eq!(shop.repository.run(&["speculate", "-q"]).code, 0);
    let store = shop.repository.root().join("shop/store.py");
    let text = std::fs::read_to_string(&store).unwrap();
    std::fs::write(&store, "import os\n\n".to_owned() + &text.replace("flush", "sync")).unwrap();
    Server::of(shop.repository, &["--patience", "60000"])
}

#[test]
fn the_plan_of_a_chat_model_stands_beside_the_static_one_with_what_became_of_it() {
    let server = planned();
    let of_file = server.get("/api/plan?file=shop/cart.py");
    let stored = &of_file["plans"][1];
    assert_eq!(of_file["plans"][0]["planner"], "static");
    assert_eq!((&stored["planner"], &stored["model"]), (&json!("agents"), &json!("scripted")));
    assert_eq!(
        (&stored["state"], &stored["changed"]),
        (&json!("outdated"), &json!(["shop/store.py"]))
    );
    assert!(stored["age_s"].as_u64().unwrap() < 60, "{stored}");
    let blocks = stored["blocks"].as_array().unwrap();
    let states: Vec<_> = blocks.iter().map(|it| (&it["state"], &it["start_line"])).collect();
    assert_eq!(states, [(&json!("kept"), &json!(3)), (&json!("gone"), &json!(7))]);
    assert_eq!(blocks[0]["reasons"][0]["text"], "said by the model: opens the store");
    assert_eq!(blocks[1]["why"], "its lines have changed since");
    let run = &stored["run"];
    let thrown: Vec<_> =
        run["thrown_out"].as_array().unwrap().iter().map(|it| &it["code"]).collect();
    assert_eq!(thrown, ["block.bad_lines", "forecast.unknown_name"], "{run}");
    assert_eq!((&run["requests"], &run["calls"]), (&json!(3), &json!(1)), "{run}");
    assert!(run["usd"].as_f64().unwrap() > 0.0, "{run}");
}

#[test]
fn what_a_chat_model_foretold_is_open_until_it_is_written_or_its_grounds_change() {
    let server = planned();
    let cart = server.repository.root().join("shop/cart.py");
    let text = std::fs::read_to_string(&cart).unwrap();
    let plan = |path: &str| server.get(&format!("/api/plan?file={path}"))["plans"][1].clone();
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
fn what_a_chat_model_has_planned_is_counted_with_its_cost() {
    let server = planned();
    let all = server.get("/api/plans");
    let of_agents = &all["planners"][1];
    assert_eq!(
        (&of_agents["model"], &of_agents["current"]),
        (&json!("scripted"), &json!(0)),
        "{all}"
    );
    assert_eq!((&of_agents["files"], &of_agents["outdated"]), (&json!(2), &json!(2)), "{all}");
    assert!(of_agents["age_s"].as_u64().unwrap() < 60 && of_agents["bytes"].as_u64().unwrap() > 0);
    let cost = &of_agents["cost"];
    assert_eq!((&cost["requests"], &cost["thrown_out"]), (&json!(6), &json!(2)), "{all}");
    assert!(cost["usd"].as_f64().unwrap() > 0.0 && cost["paused"] == false, "{all}");
    assert_eq!(server.repository.run(&["speculate", "--agents", "--pause"]).code, 0);
    assert_eq!(server.get("/api/plans")["planners"][1]["cost"]["paused"], true);
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
