//! Exported issues and pull requests (`gh issue list --json …`, one array or one object a line) as a text to index: a
//! heading for each, its state and labels, its text.

use serde_json::Value;

/// Longer exports are cut after this many entries, and each text after this many characters.
const MAX_ENTRIES: usize = 5_000;
const MAX_BODY: usize = 6_000;

/// Comments of an entry, and characters of each.
const MAX_COMMENTS: usize = 5;
const MAX_COMMENT: usize = 1_500;

/// An export as readable text; `None` for other texts.
pub fn readable_export(text: &str) -> Option<String> {
    let mut res = String::new();
    let entries = entries(text);
    for it in entries.iter().take(MAX_ENTRIES) {
        push(&mut res, it);
    }
    (!res.is_empty()).then_some(res)
}

/// The entries of an array, or of one object a line; other lines are skipped.
fn entries(text: &str) -> Vec<Value> {
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text).unwrap_or_default();
    }
    text.lines().filter_map(|it| serde_json::from_str(it).ok()).collect()
}

fn push(res: &mut String, it: &Value) {
    let text = |key: &str| it[key].as_str().unwrap_or_default();
    let (Some(number), title) = (it["number"].as_u64(), one_line(text("title"))) else { return };
    if title.is_empty() {
        return;
    }
    let is_pull = it.get("headRefName").is_some()
        || it.get("mergedAt").is_some()
        || it.get("pull_request").is_some()
        || text("url").contains("/pull/");
    let kind = if is_pull { "pull request" } else { "issue" };
    res.push_str(&format!("# {kind} #{number}: {title}\n"));
    let names = it["labels"].as_array().into_iter().flatten();
    let labels: Vec<&str> = names.filter_map(|it| it["name"].as_str().or(it.as_str())).collect();
    let known = [text("state").to_lowercase(), labels.join(", "), text("url").to_owned()];
    let known: Vec<&str> = known.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
    if !known.is_empty() {
        res.push_str(&format!("{}\n", one_line(&known.join("; "))));
    }
    push_body(res, text("body"), MAX_BODY);
    for it in it["comments"].as_array().into_iter().flatten().take(MAX_COMMENTS) {
        push_body(res, it["body"].as_str().unwrap_or_default(), MAX_COMMENT);
    }
    res.push('\n');
}

/// Appends a text, with its headings one level deeper.
fn push_body(res: &mut String, body: &str, most: usize) {
    let end = body.char_indices().nth(most).map_or(body.len(), |it| it.0);
    for line in body[..end].lines() {
        let line = line.trim_end();
        let indent = if line.starts_with('#') { "#" } else { "" };
        res.push_str(&format!("{indent}{line}\n"));
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_is_a_heading_and_a_text_for_each_entry() {
        let line = r##"{"number":12,"title":"Items vanish","state":"OPEN","labels":[{"name":"bug"}],"url":"https://x/issues/12","body":"# Steps\r\nTake one.","comments":[{"body":"Same here."}]}"##;
        let expect = "# issue #12: Items vanish\nopen; bug; https://x/issues/12\n## Steps\nTake one.\nSame here.\n\n";
        assert_eq!(readable_export(line).unwrap(), expect);
        assert_eq!(readable_export(&format!("[{line}]")).unwrap(), expect);
        assert_eq!(readable_export(&format!("not JSON\n{line}\n")).unwrap(), expect);
        let pull = r#"{"number":3,"title":"Mend it","headRefName":"mend","body":""}"#;
        assert_eq!(readable_export(pull).unwrap(), "# pull request #3: Mend it\n\n");
        assert_eq!(readable_export("{\"a\":1}\n[]"), None);
    }
}
