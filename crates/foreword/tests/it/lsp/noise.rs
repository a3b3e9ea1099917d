//! Bytes that no editor should send: each is answered by the protocol's error or by nothing, and the next request by its
//! answer.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Editor, TABLE};
use crate::Repository;

/// A message in its frame.
fn framed(body: &[u8]) -> Vec<u8> {
    [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
}

fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,8}", inner, 0..4)
                .prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    });
    value.prop_map(|it| it.to_string())
}

/// Requests and notifications that the server knows, with parameters of any shape.
fn wrong_parameters() -> impl Strategy<Value = Vec<u8>> {
    let methods = prop::sample::select(vec![
        "initialize",
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/didFocus",
        "textDocument/didPartiallyAcceptCompletion",
        "textDocument/inlineCompletion",
        "textDocument/completion",
        "textDocument/codeAction",
        "textDocument/copilotInlineEdit",
        "workspace/symbol",
        "workspace/executeCommand",
        "workspace/textDocumentContent",
        "workspace/didChangeConfiguration",
        "workspace/didChangeWorkspaceFolders",
        "$/cancelRequest",
        "no/such/method",
    ]);
    (methods, json_text(), any::<Option<u16>>()).prop_map(|(method, params, id)| {
        let id = id.map_or(String::new(), |it| format!("\"id\":{},", u32::from(it) + 1_000_000));
        framed(
            format!("{{\"jsonrpc\":\"2.0\",{id}\"method\":\"{method}\",\"params\":{params}}}")
                .as_bytes(),
        )
    })
}

fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        // A length that is another's, so that what follows is not where it is looked for.
        (0_usize..200, json_text())
            .prop_map(|(length, body)| format!("Content-Length: {length}\r\n\r\n{body}\r\n").into()),
        json_text().prop_map(|it| framed(it.as_bytes())),
        prop::collection::vec(any::<u8>(), 0..80).prop_map(|it| framed(&it)),
        wrong_parameters(),
        // No number: what it counts would be waited for.
        "Content-Length: [-a-z][-a-z0-9]{0,19}\r\n\r\n".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(|it| [&it, &b"\r\n"[..]].concat()),
    ]
}

/// More than any wrong length above swallows.
const PADDING: usize = 1000;

#[test]
fn after_any_noise_the_next_request_has_its_answer() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(200));
    let editor = std::cell::RefCell::new(&mut editor);
    let outcome = runner.run(&prop::collection::vec(noise(), 1..6), |noises| {
        let mut editor = editor.borrow_mut();
        noises.iter().for_each(|it| editor.send_bytes(it));
        editor.send_bytes(&[&[b' '; PADDING][..], b"\r\n"].concat());
        let query = json!({ "query": "install" });
        let answer = editor.ask("workspace/symbol", &query);
        prop_assert!(answer["result"].is_array(), "{}", answer);
        Ok(())
    });
    outcome.unwrap();
    let editor = editor.into_inner();
    let codes = editor.aside.iter().filter_map(|it| it["error"]["code"].as_i64());
    let known = [-32700, -32600, -32601, -32602, -32800, -32803, -32002];
    let others: Vec<i64> = codes.filter(|it| !known.contains(it)).collect();
    assert!(others.is_empty(), "{others:?}");
    let refused = editor.aside.iter().filter(|it| it.get("error").is_some()).count();
    assert!(refused > 50, "{refused} refusals: the noise was noise");
}

#[test]
fn a_message_of_many_megabytes_is_read_and_one_above_the_limit_rejected() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    let text = "x = 1\n".repeat(2 << 20);
    editor.open(&repository, "src/huge.py", &text);
    editor.send_bytes(b"Content-Length: 99999999999999999999\r\n\r\n");
    let found = editor.ask("workspace/symbol", &json!({ "query": "install" }));
    assert!(found["result"].is_array(), "{found}");
    assert!(editor.aside.iter().any(|it| it["error"]["code"] == -32600), "{:?}", editor.aside);
    editor.end();
}
