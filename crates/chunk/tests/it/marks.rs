//! Marks in the files of `tests/languages`; `tests/languages/main.rs` describes them.

/// The column and the text of a line that is a mark.
pub(crate) fn mark(line: &str) -> Option<(u32, String)> {
    let unindented = line.trim_start();
    let sign = ["//", "--", "#", "%"].into_iter().find(|it| unindented.starts_with(it))?;
    let start = line.len() - unindented.len();
    let rest = &unindented[sign.len()..];
    let pointed = rest.trim_start();
    let column = start + sign.len() + rest.len() - pointed.len();
    for (pointer, column) in [("^ ", column), ("<- ", start), ("~ ", u32::MAX as usize)] {
        if let Some(said) = pointed.strip_prefix(pointer) {
            return Some((column as u32, said.trim().to_owned()));
        }
    }
    None
}
