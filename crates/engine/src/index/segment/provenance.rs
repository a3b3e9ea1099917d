//! What licences and `.gitattributes` say of where files come from. The table keeps it, so that no text is read to find
//! copies of other projects.

/// Bytes of a licence that are read.
const LICENCE_BYTES: usize = 8 << 10;

/// Most bytes that are kept of a file; lines beyond are left out.
pub(super) const MOST_BYTES: usize = 8 << 10;

/// Most rules of one `.gitattributes`.
const MAX_RULES: usize = 256;

/// The file with attributes of paths.
const ATTRIBUTES: &str = ".gitattributes";

/// The words that name the holders of a licence, or the rules of a `.gitattributes` about generated and vendored files,
/// one a line; `None` for other files.
pub(in crate::index) fn provenance(path: &str, text: &str) -> Option<String> {
    let name = name_of(path);
    let lines = if is_attributes(name) {
        let rules = text.lines().filter(|it| states_origin(it));
        rules.take(MAX_RULES).map(str::to_owned).collect()
    } else if is_licence(name) {
        holders(&text[..text.floor_char_boundary(LICENCE_BYTES)])
    } else {
        return None;
    };
    let mut res = String::new();
    for line in lines {
        if res.len() + line.len() < MOST_BYTES {
            res.push_str(&line);
            res.push('\n');
        }
    }
    Some(res)
}

/// Whether the text of a file decides which files are copies: licences and `.gitattributes`.
pub(crate) fn has_provenance(path: &str) -> bool {
    let name = name_of(path);
    is_attributes(name) || is_licence(name)
}

fn name_of(path: &str) -> &str {
    &path[path.rfind('/').map_or(0, |it| it + 1)..]
}

/// Whether a file of this name has attributes of paths.
pub(crate) fn is_attributes(name: &str) -> bool {
    name.eq_ignore_ascii_case(ATTRIBUTES)
}

/// `LICENSE`, `COPYING.txt`, `LICENSE-MIT`; not `license.py`.
pub(crate) fn is_licence(name: &str) -> bool {
    let Some((begin, rest)) = name.split_at_checked("license".len()) else { return false };
    ["license", "licence", "copying"].iter().any(|it| begin.eq_ignore_ascii_case(it))
        && (rest.starts_with('-')
            || ["", ".txt", ".md", ".rst", ".lib", ".mit"]
                .iter()
                .any(|it| rest.eq_ignore_ascii_case(it)))
}

/// Whether a line of a `.gitattributes` says that files are generated or vendored, or that they are not.
fn states_origin(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    words.next().is_some_and(|it| !it.starts_with('#')) && words.any(|it| origin(it).is_some())
}

/// The value of `linguist-generated` or `linguist-vendored`; `None` for other attributes.
pub(crate) fn origin(attribute: &str) -> Option<bool> {
    let (name, value) = attribute.split_once('=').unwrap_or((attribute, "true"));
    let bare = name.trim_start_matches(['-', '!']);
    matches!(bare, "linguist-generated" | "linguist-vendored")
        .then(|| bare == name && value != "false")
}

/// Words of the copyright lines that name holders.
fn holders(licence: &str) -> Vec<String> {
    let mut res = Vec::new();
    let is_gnu = licence.contains("GNU ");
    for line in licence.lines() {
        let line =
            line.trim_start_matches(|it: char| !it.is_alphanumeric() && it != '©' && it != '(');
        let lower = line.to_lowercase();
        let begins = ["copyright", "(c)", "©"].iter().any(|it| lower.starts_with(it));
        let is_dated = lower.contains("(c)")
            || lower.contains('©')
            || lower.contains(|it: char| it.is_ascii_digit());
        if !begins || !is_dated || (is_gnu && lower.contains("free software foundation")) {
            continue;
        }
        let words = lower.split(|it: char| !it.is_alphabetic());
        res.extend(
            words.filter(|it| it.len() > 2 && !SAYS_NOTHING.contains(it)).map(str::to_owned),
        );
    }
    res.sort_unstable();
    res.dedup();
    res
}

/// Words of a copyright line that name nobody.
const SAYS_NOTHING: [&str; 24] = [
    "all",
    "and",
    "author",
    "authors",
    "com",
    "contributors",
    "copyright",
    "corporation",
    "foundation",
    "github",
    "holders",
    "https",
    "inc",
    "llc",
    "ltd",
    "org",
    "others",
    "present",
    "project",
    "reserved",
    "rights",
    "software",
    "team",
    "the",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_and_attributes_are_kept_without_their_other_lines() {
        let licence = "MIT\n\nCopyright (c) 2020 Ada Lovelace and contributors\n\nPermission";
        assert_eq!(provenance("a/LICENSE-MIT", licence).as_deref(), Some("ada\nlovelace\n"));
        let rules =
            "# linguist-vendored\n*.a -linguist-generated\n*.md text\nlib/** linguist-vendored\n";
        let kept = "*.a -linguist-generated\nlib/** linguist-vendored\n";
        assert_eq!(provenance(".gitattributes", rules).as_deref(), Some(kept));
        assert_eq!(provenance("license.py", licence), None);
    }

    #[test]
    fn many_rules_are_bounded() {
        let long = format!("{} linguist-vendored\n", "x".repeat(MOST_BYTES));
        let many = format!("{long}{}", "*.a linguist-vendored\n".repeat(2 * MOST_BYTES));
        let kept = provenance(".gitattributes", &many).unwrap();
        assert!(kept.starts_with("*.a ") && kept.len() < MOST_BYTES);
    }
}
