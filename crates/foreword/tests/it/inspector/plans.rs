//! What is stored for the next edits, and where they are likely, as the page shows it.

use serde_json::json;

use super::Server;

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
    let plan = |server: &Server| server.get("/api/plan?file=shop/shapes.py");
    let proposed = plan(&server);
    assert_eq!(proposed["state"], "proposed", "{proposed}");
    let forecast = &proposed["forecasts"][0];
    assert_eq!((&forecast["name"], &forecast["written"]), (&json!("name"), &json!(true)));
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
    server.repository.write(path, &text.replace("stock[name]", "stock[0]"));
    assert_eq!(plan(&server)["blocks"][0]["state"], "gone");
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
    let block = &plan["blocks"][0];
    assert_eq!(plan["requests"], 1, "{plan}");
    assert_eq!((&block["prompts"], &block["accepted"]), (&json!(1), &json!(1)), "{plan}");
}

#[test]
fn the_plans_of_a_repository_are_counted() {
    let server = server();
    let before = server.get("/api/plans");
    assert_eq!((&before["files"], &before["current"]), (&json!(3), &json!(0)), "{before}");
    assert_eq!(before["next"].as_array().unwrap().len(), 3);
    assert_eq!(server.repository.run(&["speculate", "-q"]).code, 0);
    let after = server.get("/api/plans");
    assert_eq!((&after["current"], &after["next"]), (&json!(3), &json!([])), "{after}");
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
