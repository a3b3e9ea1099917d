//! What an agent reads of what it found is feedback, where the user wants that.

use serde_json::json;

use super::Client;
use crate::Repository;

const FILES: &str = "
//- a.py
def take_item(stock):
    '''Takes an item.'''
    return stock.pop()
//- b.py
def take_item(stock):
    '''Takes an item.'''
    return stock.pop()
";

fn read_after_search(repository: &Repository) {
    let mut client = Client::of(repository);
    client.answer("search", json!({ "query": "takes an item" }));
    client.answer("context", json!({ "file": "b.py:2" }));
    client.answer("context", json!({ "file": "b.py:2" }));
}

#[test]
fn a_read_after_a_search_is_kept_only_where_the_user_wants_that() {
    let repository = Repository::new(FILES);
    read_after_search(&repository);
    assert_eq!(repository.run(&["feedback", "list"]).code, 1);
    let directory = repository.dir.path().join("home/config/foreword");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("config.toml"), "feedback = \"all\"\n").unwrap();
    read_after_search(&repository);
    let kept = repository.json(&["feedback", "list", "--json"]);
    let events = kept["events"].as_array().unwrap();
    assert_eq!(events.len(), 1, "{kept}");
    assert_eq!((&events[0]["source"], &events[0]["path"]), (&json!("agent"), &json!("b.py")));
    assert_eq!(events[0]["question"], "takes an item");
}
