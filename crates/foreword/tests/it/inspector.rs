//! The inspector's page, from the command line.

use serde_json::Value;

use crate::Repository;

const HOSTILE: &str = "
//- a.py
def page():
    '''Ends a script: </script><script>alert(1)</script> and begins a comment <!--data-->.'''
    return '</script>'
//- b.py
from a import page

print(page())
";

/// The data of a page.
fn data(page: &str) -> Value {
    let begin = "<script id=\"data\" type=\"application/json\">";
    let rest = page.split_once(begin).expect("there is data").1;
    serde_json::from_str(rest.split_once("</script>").expect("it ends").0).unwrap()
}

#[test]
fn a_page_holds_the_trace_and_no_code_can_end_it() {
    let repository = Repository::new(HOSTILE);
    let page = repository.run(&["context", "b.py:3", "--html", "-"]).out;
    let (trace, prompt) = (data(&page), repository.run(&["context", "b.py:3", "--prompt"]).out);
    let segments = trace["segments"].as_array().unwrap();
    let text: String = segments.iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(text, prompt);
    assert!(prompt.contains("</script><script>alert(1)"), "{prompt}");
    assert!(!page.contains("alert(1)</script>"));
}

#[test]
fn a_page_is_written_where_it_is_wanted() {
    let repository = Repository::new(HOSTILE);
    let file = repository.dir.path().join("out.html");
    let file = file.to_str().unwrap();
    let run = repository.run(&["context", "b.py:3", "--html", file]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert_eq!(data(&std::fs::read_to_string(file).unwrap())["path"], "b.py");
    repository.run(&["context", "b.py:3", "--html", "no/such/dir.html"]).fails(2, &["no/such"]);
}
