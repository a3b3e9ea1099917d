//! The command that tells where the next edit is likely.

use serde_json::json;

use super::suggestions::ready_with;
use super::{Editor, uri};
use crate::Repository;

const SHOP: &str = "
//- fees.py
def late_fee(days):
    return days * 2
//- desk.py
from fees import late_fee


def pay(days):
    return late_fee(days)
//- setup.py
def install():
    pass
";

#[test]
fn what_an_unsaved_buffer_renames_leads_to_the_callers() {
    let shop = Repository::new(SHOP);
    shop.git(&["init", "-q"]);
    shop.git(&["add", "."]);
    shop.git(&["commit", "-qm", "first"]);
    let mut editor = Editor::of(&shop);
    ready_with(&mut editor, &["install", "pay", "late_fee"]);
    editor.open(&shop, "fees.py", "def overdue_fee(days):\n    return days * 2\n");
    let at = json!({ "line": 0, "character": 4 });
    let ask = json!({ "command": "foreword.nextEdits", "arguments": [uri(&shop, "fees.py"), at] });
    let answer = editor.ask("workspace/executeCommand", &ask);
    let places = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let desk =
        places.iter().find(|it| it["path"] == "desk.py").unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(desk["location"]["uri"], uri(&shop, "desk.py"));
    assert!(desk["message"].as_str().unwrap().contains("late_fee"), "{desk}");
    let wrong = json!({ "command": "foreword.nextEdits", "arguments": ["file:///x", at] });
    assert_eq!(editor.ask("workspace/executeCommand", &wrong)["error"]["code"], -32602);
    editor.end();
}
