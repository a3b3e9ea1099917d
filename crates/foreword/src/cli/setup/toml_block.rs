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

/// Undoes [`insert`].
pub(super) fn remove(text: &str, table: &str) -> Removal {
    let newline = newline(text);
    let own = new_file(newline, table);
    if text == own {
        return Removal::File;
    }
    let name = format!("{table}.{NAME}");
    let Some((before, after)) = text.rsplit_once(&format!("{newline}{own}")) else {
        return if text.contains(&name) { Removal::Changed } else { Removal::Nothing };
    };
    // What the user has added to the table would belong to the one before it.
    let ends = after.is_empty() || after.starts_with(newline) || after.starts_with('[');
    match ends && !before.contains(&name) && !after.contains(&name) {
        true => Removal::Rest(format!("{before}{after}")),
        false => Removal::Changed,
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

    #[test]
    fn a_table_to_which_the_user_added_is_left_alone() {
        for more in ["env = {}\n", "\n[t.foreword.env]\nA = \"b\"\n"] {
            assert!(matches!(remove(&(insert("a = 1\n", "t") + more), "t"), Removal::Changed));
        }
    }
}
