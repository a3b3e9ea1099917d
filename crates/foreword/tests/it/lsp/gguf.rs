//! Ghost text that a model file writes.

use serde_json::{Value, json};

use super::{Editor, TABLE, place};
use crate::Repository;
use crate::gguf::Models;

#[test]
fn a_model_file_writes_ghost_text() {
    let Some(models) = Models::new("a_model_file_writes_ghost_text") else { return };
    let repository = Repository::new(TABLE);
    let path = models.path("qwen2.5-coder-tiny");
    let mut editor = Editor::run(repository.command(&["lsp", "--gguf", &path]));
    let capabilities = json!({ "textDocument": { "inlineCompletion": {} } });
    let options = json!({ "leastConfidence": 0 });
    let params = json!({ "capabilities": capabilities, "initializationOptions": options });
    editor.ask("initialize", &params);
    editor.tell("initialized", &json!({}));
    // What the model writes is noise, and some of it is cut down to nothing.
    let lines = ["x = ", "def f(a, ", "return ", "y = [", "z = {", "print(", "a = b + ", "w = "];
    editor.open(&repository, "src/new.py", &(lines.join("\n") + "\n"));
    let mut written = Vec::new();
    for (line, text) in lines.iter().enumerate() {
        let params = place(&repository, "src/new.py", (line as u32, text.len() as u32));
        let answer = editor.ask("textDocument/inlineCompletion", &params);
        assert!(answer.get("error").is_none(), "{answer}");
        let said = answer.pointer("/result/items/0/insertText").and_then(Value::as_str);
        written.extend(said.map(str::to_owned));
    }
    assert!(!written.is_empty());
    editor.end();
}
