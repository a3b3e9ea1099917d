//! Adds the table of foreword to the end of a TOML file, and takes it out again, as text.

use super::json::newline;
use super::{NAME, Removal};

/// A file with nothing else.
pub(super) fn new_file(newline: &str, table: &str) -> String {
    format!("[{table}.{NAME}]{newline}command = \"{NAME}\"{newline}args = [\"mcp\"]{newline}")
}

/// The text with the table below it. The line break between them says that the file was there.
pub(super) fn insert(text: &str, table: &str) -> String {
    format!("{text}{}{}", newline(text), new_file(newline(text), table))
}

/// Undoes [`insert`]. The caller compares what the rest means: what the user has added to the table would belong to the one
/// before it.
pub(super) fn remove(text: &str, table: &str) -> Removal {
    let newline = newline(text);
    let own = new_file(newline, table);
    if text == own {
        return Removal::File;
    }
    match text.rsplit_once(&format!("{newline}{own}")) {
        Some((before, after)) => Removal::Rest(format!("{before}{after}")),
        None if text.contains(&format!("{table}.{NAME}")) => Removal::Changed,
        None => Removal::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_gives_the_bytes_back() {
        for text in ["", "\n", "a = 1", "a = 1 # one\n", "[t]\r\nb = 2\r\n", "a = 1\n\n\n"] {
            let after = insert(text, "mcp_servers");
            let value: toml::Table = after.parse().unwrap();
            assert_eq!(value["mcp_servers"]["foreword"]["command"].as_str(), Some("foreword"));
            match remove(&after, "mcp_servers") {
                Removal::Rest(rest) => assert_eq!(rest, text),
                _ => panic!("not undone: {after}"),
            }
        }
        assert!(matches!(remove(&new_file("\n", "t"), "t"), Removal::File));
        assert!(matches!(remove("a = 1\n", "t"), Removal::Nothing));
    }
}
