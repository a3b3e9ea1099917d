//! Recognises prompts for next-edit models that a client rendered.
//!
//! They are passed on as they are: the region that such a model rewrites is no hole to fill, although some formats borrow
//! the special tokens of fill-in-the-middle prompts. A prompt is recognised by its end, since code may mention any of
//! the marks. Sources: `crates/engine/src/compose/edit/table.rs`; Zed's `multi_region.rs` (Zeta 2.1); Tabby's
//! `next_edit_prompt.rs`.

/// Text within the prompts of a family, and their end without white space.
const ENDS: [(&str, &str); 4] = [
    // Zeta 2.
    ("\n<<<<<<< CURRENT\n", "\n=======\n<[fim-middle]>"),
    // Zeta 1 and Instinct.
    ("<|editable_region_end|>", "### Response:"),
    // Mercury.
    ("<|code_to_edit|>", "<|/edit_diff_history|>"),
    // Tabby.
    ("<|current_version|>", "<|next_version|>"),
];

/// Text before the name of a file; the name ends at a quote or the end of the line.
const HEADS: [&str; 9] = [
    "<filename>",
    "<|file_sep|>",
    "--- a/",
    "--- ",
    "User edited \"",
    "User edited file \"",
    "<|context_file|>: ",
    "file_path: ",
    "```",
];

/// Whether a text is a prompt for a next-edit model.
pub(crate) fn is_next_edit(prompt: &str) -> bool {
    let text = prompt.trim_end();
    let has_end = ENDS.iter().any(|(within, end)| text.ends_with(end) && text.contains(within));
    has_end || is_multi_region(text) || is_sweep(text)
}

/// Zeta 2.1: the last block ends with a numbered mark.
fn is_multi_region(text: &str) -> bool {
    let Some(before) = text.strip_suffix("<[fim-middle]>") else { return false };
    let Some((_, mark)) = before.trim_end().rsplit_once("<|marker_") else { return false };
    let number = mark.strip_suffix("|>").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())
}

/// Sweep: the last file is the updated region, perhaps begun.
fn is_sweep(text: &str) -> bool {
    let Some((before, last)) = text.rsplit_once("<|file_sep|>") else { return false };
    text.starts_with("<|file_sep|>")
        && before.contains("<|file_sep|>original/")
        && last.starts_with("updated/")
        && !last.ends_with("<|fim_middle|>")
}

/// The files that a prompt for a next-edit model names.
pub(crate) fn files(prompt: &str) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    let mut is_excerpt = false;
    for line in prompt.lines() {
        let of = |head: &&str| line.find(*head).map(|at| &line[at + head.len()..]);
        // Instinct names the file below a headline.
        let own = is_excerpt.then_some(line);
        let named = HEADS.iter().filter_map(of).chain(own);
        let names = named.map(|it| file_name(it).to_owned()).filter(|it| !it.is_empty());
        res.extend(names);
        is_excerpt = line == "### User Excerpt:";
    }
    res
}

/// The name of a file without what Sweep writes around it, `original/PATH:1:9`.
fn file_name(head: &str) -> &str {
    let mut name = head.split('"').next().unwrap_or_default().trim();
    for side in ["original/", "current/", "updated/"] {
        name = name.strip_prefix(side).unwrap_or(name);
    }
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    if let Some((rest, last)) = name.rsplit_once(':')
        && let Some((path, first)) = rest.rsplit_once(':')
        && is_number(first)
        && is_number(last)
    {
        name = path;
    }
    name.strip_suffix(".diff").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use foreword_engine::compose::edit::{EditFormat, EditInput, PastEdit, compose_edit};
    use foreword_engine::compose::{Format, Hole, Part, compose};

    use super::*;
    use crate::serve::protocols::fim;

    /// A prompt of Zeta 2.1 as Zed writes it.
    const MULTI_REGION: &str = "<[fim-suffix]>\nx\n<[fim-prefix]><filename>edit_history\n--- a/src/cart.py\n\
        +++ b/src/cart.py\n@@ -1 +1 @@\n-a\n+b\n\n<filename>src/cart.py\nimport tax\n<|marker_1|>total = <|user_cursor|>\n\
        <|marker_2|><[fim-middle]>";

    /// The formats whose prompts clients render: foreword's own is a message.
    fn rendered() -> impl Iterator<Item = &'static EditFormat> {
        EditFormat::ALL.iter().filter(|it| it.name != "chat")
    }

    fn prompt(format: &EditFormat) -> String {
        let past = PastEdit {
            path: "src/item.py",
            line: 3,
            before: "a\n",
            after: "b\n",
            above: "",
            below: "",
        };
        let input = EditInput {
            path: "src/cart.py",
            above: "import tax\n",
            to_cursor: "total = ",
            from_cursor: "0\n",
            original: "total = 0\n",
            below: "print(total)\n",
            file_before: "import tax\ntotal = 0\nprint(total)\n",
            parts: &[Part { path: "src/tax.py", text: "RATE = 2\n" }],
            history: &[past],
        };
        compose_edit(format, &input).text
    }

    #[test]
    fn prompts_of_next_edit_models_are_recognised_with_their_files() {
        let mut all: Vec<(&str, String)> = rendered().map(|it| (it.name, prompt(it))).collect();
        all.push(("zeta2.1", MULTI_REGION.to_owned()));
        all.push(("prefilled", format!("{}total = ", prompt(EditFormat::named("sweep").unwrap()))));
        for (name, text) in &all {
            assert!(is_next_edit(text), "{name}: {text}");
            assert!(is_next_edit(&format!("{text}\n")), "{name}");
            assert!(files(text).iter().any(|it| it == "src/cart.py"), "{name}: {:?}", files(text));
        }
        let borrowed = [MULTI_REGION.to_owned(), prompt(EditFormat::named("zeta2").unwrap())];
        for text in borrowed {
            assert!(fim::parse(&text, None).is_some(), "it is taken for a hole otherwise: {text}");
        }
        let tabby = "<|original_code|>a<|edits_diff|>b<|current_version|>c<|next_version|>";
        assert!(is_next_edit(tabby));
    }

    #[test]
    fn code_about_next_edit_models_is_no_such_prompt() {
        let marks: String = rendered().map(prompt).collect::<Vec<_>>().join("\n");
        let code = format!("{marks}\n{MULTI_REGION}\n<|next_version|>\nreturn ");
        for format in Format::ALL {
            let hole = Hole {
                repository: "shop",
                path: "a/b.py",
                line_comment: Some("#"),
                language_name: None,
                prefix: &code,
                suffix: "\n\nf(1)\n",
            };
            let text = compose(format, &hole, &[]).text;
            assert!(!is_next_edit(&text), "{}", format.name);
        }
        assert!(!is_next_edit("Tell me a joke"));
    }
}
