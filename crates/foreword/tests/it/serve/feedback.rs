//! Verdicts over HTTP, and what a completion took from the pieces of its prompt.

use serde_json::json;

use super::{SHOP, Server, hole};
use crate::Repository;

#[test]
fn verdicts_are_kept_listed_and_forgotten() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    server.get("/api/index");
    let place =
        json!({ "path": "shop/cart.py", "start_line": 6, "end_line": 9, "symbol": "Cart.add" });
    let verdict = json!({ "verdict": "good", "about": "ask", "question": "add to the cart", "places": [place] });
    let kept = server.post("/api/feedback", &verdict);
    assert_eq!((kept.status, &kept.json()["kept"]), (200, &json!(1)), "{kept:?}");
    let list = server.get("/api/feedback").json();
    assert_eq!((&list["enabled"], &list["total"]), (&json!(true), &json!(1)));
    assert_eq!(list["events"][0]["symbol"], "Cart.add");
    assert_eq!(shop.json(&["feedback", "list", "--json"])["events"], list["events"]);

    let wrong = [
        json!({ "verdict": "good", "about": "ask", "places": [] }),
        json!({ "verdict": "good", "about": "ask", "places": [{ "path": "../etc/passwd" }] }),
        json!({ "verdict": "fine", "about": "ask", "places": [place] }),
    ];
    for it in wrong {
        assert_eq!(server.post("/api/feedback", &it).status, 400, "{it}");
    }
    let foreign = ["origin: https://elsewhere.example"];
    assert_eq!(server.ask("POST", "/api/feedback", &foreign, &verdict.to_string()).status, 403);
    assert_eq!(server.ask("DELETE", "/api/feedback", &[], "").status, 200);
    assert_eq!(server.get("/api/feedback").json()["total"], 0);
}

#[test]
fn a_record_says_what_the_completion_took_from_each_piece() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let (prefix, suffix) = hole();
    let reply = server.post("/v1/fim/completions", &json!({ "prompt": prefix, "suffix": suffix }));
    let id = reply.header("x-foreword-request").to_owned();
    let record = server.get(&format!("/api/requests/{id}")).json();
    let (used, snippets) =
        (record["used"].as_array().unwrap(), record["snippets"].as_array().unwrap());
    assert!(!used.is_empty() && used.len() == snippets.len(), "{record}");
    assert!(record["answer"].as_str().unwrap().starts_with("add("), "{record}");
    for (use_of, snippet) in used.iter().zip(snippets) {
        for name in use_of["names"].as_array().unwrap() {
            let name = name.as_str().unwrap();
            assert!(snippet["body"].as_str().unwrap().contains(name), "{name}: {snippet}");
            assert!(record["answer"].as_str().unwrap().contains(name), "{name}");
        }
    }
}
