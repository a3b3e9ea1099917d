//! The page that explains a prompt.

use serde_json::{Value, json};

use super::suggestions::ready;
use super::{Editor, TABLE, begun};
use crate::Repository;

/// Opens the page at the end of a line that is begun; gives its URI.
fn show(repository: &Repository, editor: &mut Editor) -> String {
    ready(editor);
    let (text, at) = begun("\n");
    editor.open(repository, "src/table.py", &text);
    editor.show_page(repository, "src/table.py", at)
}

#[track_caller]
fn check(page: &str) {
    assert!(page.starts_with("# foreword: context at src/table.py:8:"), "{page}");
    let is_told =
        page.contains("- **src/registry.py:") && page.contains("defines register_handler");
    assert!(is_told, "{page}");
    assert!(page.contains("'epsilon', <CURSOR>"), "the prompt has what is unsaved: {page}");
}

#[test]
fn an_editor_that_asks_for_texts_gets_a_virtual_document() {
    let repository = Repository::new(TABLE);
    let can = json!({
        "window": { "showDocument": { "support": true } },
        "workspace": { "textDocumentContent": {} },
    });
    let (mut editor, opened) = Editor::with(&repository, &can, &Value::Null);
    let schemes = &opened["capabilities"]["workspace"]["textDocumentContent"]["schemes"];
    assert_eq!(*schemes, json!(["foreword"]));
    let uri = show(&repository, &mut editor);
    let opens = editor.aside.iter().find(|it| it["method"] == "window/showDocument").unwrap();
    assert_eq!(opens["params"]["uri"], uri);
    let page = editor.ask("workspace/textDocumentContent", &json!({ "uri": uri }));
    check(page["result"]["text"].as_str().unwrap());
    let other = editor.ask("workspace/textDocumentContent", &json!({ "uri": "foreword:/x" }));
    assert_eq!(other["error"]["code"], -32602);
    editor.end();
}

#[test]
fn others_get_a_file_that_is_removed_with_the_server() {
    let repository = Repository::new(TABLE);
    let (mut editor, _) = Editor::with(&repository, &json!({}), &Value::Null);
    let uri = show(&repository, &mut editor);
    let path = uri.strip_prefix("file://").unwrap().to_owned();
    check(&std::fs::read_to_string(&path).unwrap());
    assert!(!path.starts_with(repository.root().canonicalize().unwrap().to_str().unwrap()));
    let wrong = json!({ "command": "foreword.showContext", "arguments": ["file:///x", 3] });
    let wrong = editor.ask("workspace/executeCommand", &wrong);
    assert_eq!(wrong["error"]["code"], -32602);
    editor.end();
    assert!(!std::path::Path::new(&path).exists());
}
