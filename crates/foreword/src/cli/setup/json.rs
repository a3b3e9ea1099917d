//! Adds one member to a table of a JSON file, and takes it out again, by inserting and cutting text: comments, order and
//! layout stay. What is inserted has a layout that tells whether the table or the file was there before, so that taking it
//! out gives the original bytes.

use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp};
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::{NAME, Removal};

/// A file's text as parsed. `root` is `None` if the text has no value.
struct Document<'a> {
    text: &'a str,
    root: Option<Object<'a>>,
    tokens: Vec<TokenAndRange<'a>>,
}

/// The text with the entry in `table`. Fails if the text is malformed, or where the entry should be is something else.
pub(super) fn insert(text: &str, table: &str, entry: &str) -> Result<String, String> {
    let document = Document::parse(text)?;
    let Some(root) = &document.root else {
        let newline = newline(text);
        return Ok(format!("{text}{newline}{}", new_file(newline, table, entry)));
    };
    let member = format!("\"{NAME}\": {entry}");
    let insertions = match root.get(table) {
        Some(servers) => {
            let servers = servers.value.as_object();
            let servers = servers.ok_or_else(|| format!("`{table}` is not an object"))?;
            if servers.get(NAME).is_some() {
                return Err(format!("`{table}` has another entry `{NAME}`"));
            }
            document.additions(servers, &member)
        }
        None => document.additions(root, &document.new_table(root, table, &member)),
    };
    let mut res = text.to_owned();
    for (at, inserted) in insertions.iter().rev() {
        res.insert_str(*at, inserted);
    }
    Ok(res)
}

/// Undoes [`insert`].
pub(super) fn remove(text: &str, table: &str, entry: &str) -> Result<Removal, String> {
    let created = new_file(newline(text), table, entry);
    if text == created {
        return Ok(Removal::File);
    }
    if let Some(before) = text.strip_suffix(&created).and_then(|it| it.strip_suffix(newline(text)))
        && Document::parse(before).is_ok_and(|it| it.root.is_none())
    {
        return Ok(Removal::Rest(before.to_owned()));
    }
    let document = Document::parse(text)?;
    let Some(root) = &document.root else { return Ok(Removal::Nothing) };
    let Some(servers) = root.get(table) else { return Ok(Removal::Nothing) };
    let Some(object) = servers.value.as_object() else { return Ok(Removal::Nothing) };
    let Some(own) = object.get(NAME) else { return Ok(Removal::Nothing) };
    if value_of(text, own)? != serde_json::from_str::<Value>(entry).map_err(|it| it.to_string())? {
        return Ok(Removal::Changed);
    }
    let was_there = &text[object.range.start + 1..own.range.start] == " ";
    let (comma, line) = match object.properties.len() > 1 || was_there {
        true => document.cuts(object, own),
        false => document.cuts(root, servers),
    };
    let mut res = text.to_owned();
    res.replace_range(line, "");
    if let Some(comma) = comma {
        res.replace_range(comma, "");
    }
    Ok(Removal::Rest(res))
}

/// The value of a member.
fn value_of(text: &str, it: &ObjectProp<'_>) -> Result<Value, String> {
    let range = jsonc_parser::common::Ranged::range(&it.value);
    let text = &text[range.start..range.end];
    jsonc_parser::parse_to_serde_value(text, &ParseOptions::default()).map_err(|it| it.to_string())
}

/// How the lines of a text end.
pub(super) fn newline(text: &str) -> &'static str {
    let first = text.split_once('\n').map(|it| it.0);
    if first.is_some_and(|it| it.ends_with('\r')) { "\r\n" } else { "\n" }
}

/// A file with nothing else.
pub(super) fn new_file(newline: &str, table: &str, entry: &str) -> String {
    format!(
        "{{{newline}  \"{table}\": {{{newline}    \"{NAME}\": {entry}{newline}  }}{newline}}}{newline}"
    )
}

impl<'a> Document<'a> {
    fn parse(text: &'a str) -> Result<Self, String> {
        let collect =
            CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
        let parsed = parse_to_ast(text, &collect, &ParseOptions::default());
        let parsed = parsed.map_err(|it| it.to_string())?;
        let root = match parsed.value {
            None => None,
            Some(jsonc_parser::ast::Value::Object(it)) => Some(it),
            Some(_) => return Err("is not an object".to_owned()),
        };
        Ok(Self { text, root, tokens: parsed.tokens.unwrap_or_default() })
    }

    /// Whether the first member is on a line of its own, and with what before it.
    fn indent(&self, object: &Object<'_>) -> Option<&'a str> {
        let first = object.properties.first()?;
        let (_, line) = self.text[object.range.start + 1..first.range.start].rsplit_once('\n')?;
        Some(&line[..line.len() - line.trim_start().len()])
    }

    /// A new table with one member, in the layout of the object that it goes into.
    fn new_table(&self, root: &Object<'_>, table: &str, member: &str) -> String {
        match self.indent(root) {
            None => format!("\"{table}\": {{{member}}}"),
            Some(indent) => {
                let newline = newline(self.text);
                format!("\"{table}\": {{{newline}{indent}{indent}{member}{newline}{indent}}}")
            }
        }
    }

    /// The first token at or after `at` that is no comment, if it is a comma.
    fn comma_after(&self, at: usize) -> Option<Range<usize>> {
        let from = self.tokens.partition_point(|it| it.range.start < at);
        let is_comment =
            |it: &Token<'_>| matches!(it, Token::CommentLine(_) | Token::CommentBlock(_));
        let next = self.tokens[from..].iter().find(|it| !is_comment(&it.token))?;
        (next.token == Token::Comma).then_some(next.range.start..next.range.end)
    }

    /// Where to insert what, in order, so that an object has one member more, after the others.
    fn additions(&self, object: &Object<'_>, member: &str) -> Vec<(usize, String)> {
        let (start, close) = (object.range.start + 1, object.range.end - 1);
        let Some(last) = object.properties.last().map(|it| it.range.end) else {
            let after = if self.text[start..close].contains('\n') { "" } else { " " };
            return vec![(start, format!(" {member}{after}"))];
        };
        let comma = self.comma_after(last);
        let Some(indent) = self.indent(object) else {
            return match comma {
                Some(it) => vec![(it.end, format!(" {member},"))],
                None => vec![(last, format!(", {member}"))],
            };
        };
        // Below the comments at the end.
        let before_close = self.tokens.partition_point(|it| it.range.start < close);
        let end = self.tokens[..before_close].last().map_or(last, |it| it.range.end);
        let line = format!("{}{indent}{member}", newline(self.text));
        match comma {
            Some(_) => vec![(end, line + ",")],
            None => vec![(last, ",".to_owned()), (end, line)],
        }
    }

    /// What to cut so that an object has one member less: the comma before it, where it was the last, and itself.
    fn cuts(
        &self,
        object: &Object<'_>,
        member: &ObjectProp<'_>,
    ) -> (Option<Range<usize>>, Range<usize>) {
        let start = self.start_of_line(member.range.start);
        if let Some(comma) = self.comma_after(member.range.end) {
            return (None, start..comma.end);
        }
        let previous = object.properties.iter().rfind(|it| it.range.end < member.range.start);
        let Some(previous) = previous else {
            let rest = &self.text[member.range.end..object.range.end];
            let after = usize::from(!rest.contains('\n') && rest.starts_with(' '));
            return (None, start..member.range.end + after);
        };
        (self.comma_after(previous.range.end), start..member.range.end)
    }

    /// Where the line of a member begins, with the line break before it; without one, where the blanks before it begin.
    fn start_of_line(&self, member: usize) -> usize {
        let blanks = self.text[..member].trim_end_matches([' ', '\t']);
        let lines = blanks.strip_suffix('\n').unwrap_or(blanks);
        lines.strip_suffix('\r').unwrap_or(lines).len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ENTRY: &str = r#"{ "command": "foreword", "args": ["mcp"] }"#;

    /// Adds the entry, looks for `line` in the result, and undoes it.
    #[track_caller]
    fn check(text: &str, line: &str) {
        let after = insert(text, "mcpServers", ENTRY).unwrap();
        assert!(after.contains(line), "{after}");
        match remove(&after, "mcpServers", ENTRY).unwrap() {
            Removal::Rest(rest) => assert_eq!(rest, text),
            _ => panic!("not undone: {after}"),
        }
    }

    #[test]
    fn layout_and_comments_stay() {
        let line = "\n    \"foreword\": { \"command\": \"foreword\", \"args\": [\"mcp\"] }\n";
        check("{\n  // mine\n  \"a\": 1 // one\n}\n", "\"a\": 1, // one\n  \"mcpServers\": {\n");
        check("{\n  \"mcpServers\": {\n    \"b\": {} /* b */\n  }\n}\n", line);
        check("{\n  \"mcpServers\": {\n    \"b\": {},\n  },\n}\n", "[\"mcp\"] },\n  },\n");
        check("{\r\n\t\"a\": 1\r\n}", ",\r\n\t\"mcpServers\": {\r\n\t\t\"foreword\": ");
        check("{}", "{ \"mcpServers\": {\"foreword\": ");
        check("{ \"mcpServers\": {} }\n", "{ \"mcpServers\": { \"foreword\": ");
        check("{ \"a\": 1, }", "\"a\": 1, \"mcpServers\": {\"foreword\": ");
        check("", line);
        check("// nothing yet\n", line);
    }

    #[test]
    fn a_file_that_was_made_for_the_entry_goes_with_it() {
        let made = new_file("\n", "servers", ENTRY);
        assert!(matches!(remove(&made, "servers", ENTRY), Ok(Removal::File)));
        assert!(matches!(remove("{ \"servers\": {} }", "servers", ENTRY), Ok(Removal::Nothing)));
        let changed = made.replace("[\"mcp\"]", "[\"mcp\", \"--quiet\"]");
        assert!(matches!(remove(&changed, "servers", ENTRY), Ok(Removal::Changed)));
    }

    #[test]
    fn an_entry_between_others_is_cut_with_its_line() {
        let text = format!("{{\"s\": {{\n  \"foreword\": {ENTRY}, \n  // next\n  \"b\": 1\n}}}}");
        let Ok(Removal::Rest(rest)) = remove(&text, "s", ENTRY) else { panic!("{text}") };
        assert_eq!(rest, "{\"s\": { \n  // next\n  \"b\": 1\n}}");
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in ["[1]", "{ \"s\": [] }", "{ \"s\": { \"foreword\": 3 } }", "{ \"a\": ", "{} {}"]
        {
            assert!(insert(text, "s", ENTRY).is_err(), "{text}");
        }
    }

    proptest! {
        /// An object in any layout: what is added can be read, and undone to the byte.
        #[test]
        fn undo_gives_the_bytes_back(
            pieces in prop::collection::vec((0_usize..5, 0_usize..7, 0_usize..5), 0..5),
            has_table in 0_usize..3,
            end in 0_usize..7,
            has_comma in any::<bool>(),
        ) {
            let blanks = ["", " ", "\n", "\n  ", "\r\n\t", " // c \n ", " /* d */ "];
            let values = ["1", "{}", "{ \"x\": [1, 2] }", "{\n }", "\"s\\\"// no\""];
            let mut members: Vec<String> = pieces.iter().enumerate()
                .map(|(i, (value, blank, after))| {
                    format!("{}\"k{i}\": {}{}", blanks[*blank], values[*value], blanks[*after])
                })
                .collect();
            if has_table > 0 && !members.is_empty() {
                let last = members.pop().unwrap();
                let inner = if has_table == 1 { last } else { blanks[end].to_owned() };
                members.push(format!("\n  \"mcpServers\": {{{inner}}}"));
            }
            let comma = if has_comma && !members.is_empty() { "," } else { "" };
            let text = format!("{{{}{comma}{}}}", members.join(","), blanks[end]);
            let after = insert(&text, "mcpServers", ENTRY).unwrap();
            let value = jsonc_parser::parse_to_serde_value::<Value>(&after, &ParseOptions::default());
            let entry: Value = serde_json::from_str(ENTRY).unwrap();
            prop_assert_eq!(&value.unwrap()["mcpServers"]["foreword"], &entry, "{}", after);
            match remove(&after, "mcpServers", ENTRY).unwrap() {
                Removal::Rest(rest) => prop_assert_eq!(rest, text),
                _ => prop_assert!(false, "not undone: {:?}", after),
            }
        }
    }
}
