//! `foreword feedback`: what people say of answers, on the command line.

use serde_json::{Value, json};

use crate::Repository;

const TWINS: &str = "
//- a.py
def take_item(stock):
    '''Takes an item.'''
    return stock.pop()
//- b.py
def take_item(stock):
    '''Takes an item.'''
    return stock.pop()
";

fn first(repository: &Repository) -> String {
    let found = repository.json(&["search", "takes an item", "--json"]);
    found["results"][0]["path"].as_str().unwrap().to_owned()
}

fn configure(repository: &Repository, text: &str) {
    let directory = repository.dir.path().join("home/config/foreword");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("config.toml"), text).unwrap();
}

#[test]
fn a_verdict_on_the_last_answer_changes_the_next_one_until_it_is_forgotten() {
    let twins = Repository::new(TWINS);
    assert_eq!(first(&twins), "a.py");
    let run = twins.run(&["feedback", "good", "2"]);
    assert!(run.code == 0 && run.out.contains("good b.py:1-3"), "{run:?}");
    assert_eq!(first(&twins), "b.py");
    let answer = twins.json(&["search", "takes an item", "--json"]);
    let reasons = answer["results"][0]["reasons"].to_string();
    assert!(reasons.contains("voted on before"), "{reasons}");

    let kept = twins.json(&["feedback", "list", "--json"]);
    let event = &kept["events"][0];
    assert_eq!((&event["verdict"], &event["source"]), (&json!("good"), &json!("person")));
    assert_eq!(
        (&event["question"], &event["symbol"]),
        (&json!("takes an item"), &json!("take_item"))
    );
    let exported = twins.run(&["feedback", "export", "-"]).out;
    let row: Value = serde_json::from_str(exported.trim()).unwrap();
    assert_eq!((&row["label"], &row["path"]), (&json!(1), &json!("b.py")));
    assert!(row["text"].as_str().unwrap().starts_with("def take_item"), "{row}");

    configure(&twins, "feedback = \"off\"\n");
    assert_eq!(first(&twins), "a.py");
    let refused = twins.run(&["feedback", "good", "a.py"]);
    assert!(refused.code == 2 && refused.err.contains("switched off"), "{refused:?}");
    configure(&twins, "");
    assert_eq!(first(&twins), "b.py");
    assert_eq!(twins.run(&["feedback", "clear"]).out, "1 deleted\n");
    assert_eq!(first(&twins), "a.py");
    assert_eq!(twins.run(&["feedback", "list"]).code, 1);
}

#[test]
fn a_verdict_names_a_piece_of_an_answer_by_number_id_or_path() {
    let twins = Repository::new(TWINS);
    let asked = twins.json(&["ask", "what does take_item do", "--json"]);
    let id = asked["evidence"][0]["id"].as_str().unwrap();
    let run = twins.run(&["feedback", "bad", id, "b.py:2"]);
    let path = asked["evidence"][0]["path"].as_str().unwrap();
    assert!(run.code == 0 && run.out.contains(&format!("bad  {path}:")), "{run:?}");
    assert!(run.out.contains("bad  b.py:2-2"), "{run:?}");
    for (place, why) in [("99", "pieces"), ("gone.py", "gone.py does not exist")] {
        let run = twins.run(&["feedback", "good", place]);
        assert!(run.code == 2 && run.err.contains(why), "{run:?}");
    }
    let run = twins.run(&["feedback", "good"]);
    assert!(run.code == 2 && run.err.contains("name the places"), "{run:?}");
}

#[test]
fn nothing_is_kept_unasked_and_nothing_in_the_repository() {
    let twins = Repository::new(TWINS);
    let before = twins.json(&["ask", "how are items taken", "--json"])["evidence"].clone();
    assert_eq!(twins.run(&["feedback", "list"]).out, "no feedback about this repository\n");
    twins.run(&["feedback", "good", "1"]);
    let names = std::fs::read_dir(twins.root()).unwrap().count();
    assert_eq!(names, 2);
    twins.run(&["feedback", "clear"]);
    let after = twins.json(&["ask", "how are items taken", "--json"])["evidence"].clone();
    assert_eq!(before, after);
}
