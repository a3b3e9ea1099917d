//! The exact prompt of every format, and properties of all of them.

use crate::compose::{Format, Hole, Order, Origin, Part, Prompt, compose, neutralise, piece};
use proptest::prelude::*;

const HOLE: Hole<'_> = Hole {
    repository: "shop",
    path: "src/cart.py",
    line_comment: Some("#"),
    language_name: Some("Python"),
    prefix: "def total(cart):\n    return ",
    suffix: "\n\nprint(total([]))\n",
};

const PARTS: [Part<'_>; 2] = [
    Part { path: "src/tax.py", text: "RATE = 0.2\n\ndef tax(x):\n    return x * RATE\n" },
    Part { path: "src/item.py", text: "class Item: ..." },
];

#[track_caller]
fn check(name: &str, expect: &str) -> Prompt {
    let format = Format::named(name).expect("a format");
    let prompt = compose(format, &HOLE, &PARTS);
    assert_eq!(prompt.text, expect, "\n{}\n", prompt.text);
    prompt
}

#[test]
fn qwen() {
    check(
        "qwen2.5-coder",
        "<|repo_name|>shop\n\
         <|file_sep|>src/tax.py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n\
         <|file_sep|>src/item.py\nclass Item: ...\n\
         <|file_sep|>src/cart.py\n\
         <|fim_prefix|>def total(cart):\n    return <|fim_suffix|>\n\nprint(total([]))\n<|fim_middle|>",
    );
}

#[test]
fn starcoder2() {
    check(
        "starcoder2",
        "<repo_name>shop\
         <file_sep>src/tax.py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n\
         <file_sep>src/item.py\nclass Item: ...\n\
         <file_sep><fim_prefix>src/cart.py\n\
         def total(cart):\n    return <fim_suffix>\n\nprint(total([]))\n<fim_middle>",
    );
}

#[test]
fn starcoder() {
    check(
        "starcoder",
        "<reponame>shop\
         <filename>src/tax.py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n\
         <filename>src/item.py\nclass Item: ...\n\
         <filename>src/cart.py\n\
         <fim_prefix>def total(cart):\n    return <fim_suffix>\n\nprint(total([]))\n<fim_middle>",
    );
}

#[test]
fn codellama() {
    check(
        "codellama",
        "<PRE> \
         # Path: src/tax.py\n# RATE = 0.2\n#\n# def tax(x):\n#     return x * RATE\n\n\
         # Path: src/item.py\n# class Item: ...\n\n\
         # Path: src/cart.py\n\
         def total(cart):\n    return  <SUF>\n\nprint(total([]))\n <MID>",
    );
}

#[test]
fn deepseek_coder() {
    check(
        "deepseek-coder",
        "#src/tax.py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n\
         #src/item.py\nclass Item: ...\n\
         #src/cart.py\n\
         <\u{ff5c}fim\u{2581}begin\u{ff5c}>def total(cart):\n    return \
         <\u{ff5c}fim\u{2581}hole\u{ff5c}>\n\nprint(total([]))\n<\u{ff5c}fim\u{2581}end\u{ff5c}>",
    );
}

#[test]
fn codestral() {
    check(
        "codestral",
        "[SUFFIX]\n\nprint(total([]))\n[PREFIX]\
         +++++ src/tax.py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n\n\
         +++++ src/item.py\nclass Item: ...\n\n\
         +++++ src/cart.py\n\
         def total(cart):\n    return ",
    );
}

#[test]
fn codegemma() {
    check(
        "codegemma",
        "src/tax.py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n<|file_separator|>\
         src/item.py\nclass Item: ...\n<|file_separator|>\
         src/cart.py\n\
         <|fim_prefix|>def total(cart):\n    return <|fim_suffix|>\n\nprint(total([]))\n<|fim_middle|>",
    );
}

#[test]
fn granite_4() {
    check(
        "granite-4",
        "<|fim_prefix|>\
         # Path: src/tax.py\n# RATE = 0.2\n#\n# def tax(x):\n#     return x * RATE\n\n\
         # Path: src/item.py\n# class Item: ...\n\n\
         # Path: src/cart.py\n\
         def total(cart):\n    return <|fim_suffix|>\n\nprint(total([]))\n<|fim_middle|>",
    );
}

#[test]
fn mellum_and_mellum2() {
    for name in ["mellum", "mellum2"] {
        check(
            name,
            "<filename>src/tax.py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n\
             <filename>src/item.py\nclass Item: ...\n\
             <filename>src/cart.py\n\
             <fim_suffix>\n\nprint(total([]))\n<fim_prefix>def total(cart):\n    return <fim_middle>",
        );
    }
}

#[test]
fn seed_coder() {
    check(
        "seed-coder",
        "<[fim-suffix]>\n\nprint(total([]))\n<[fim-prefix]>\
         # Path: src/tax.py\n# RATE = 0.2\n#\n# def tax(x):\n#     return x * RATE\n\n\
         # Path: src/item.py\n# class Item: ...\n\n\
         # Path: src/cart.py\n\
         def total(cart):\n    return <[fim-middle]>",
    );
}

#[test]
fn glm_4() {
    check(
        "glm-4",
        "<|code_prefix|>\
         # Path: src/tax.py\n# RATE = 0.2\n#\n# def tax(x):\n#     return x * RATE\n\n\
         # Path: src/item.py\n# class Item: ...\n\n\
         # Path: src/cart.py\n\
         def total(cart):\n    return <|code_suffix|>\n\nprint(total([]))\n<|code_middle|>",
    );
}

#[test]
fn aixcoder() {
    check(
        "aixcoder",
        "<s>\u{2581}<AIX-SPAN-PRE>\u{2581}<AIX-SPAN-POST>\n\nprint(total([]))\n\u{2581}<AIX-SPAN-MIDDLE>\
         # Path: src/tax.py\n# RATE = 0.2\n#\n# def tax(x):\n#     return x * RATE\n\n\
         # Path: src/item.py\n# class Item: ...\n\n\
         # the file path is: src/cart.py\n# the code file is written by Python\n\
         def total(cart):\n    return ",
    );
}

#[test]
fn codegeex4() {
    check(
        "codegeex4",
        "<|user|>\n###REFERENCE:\n\
         ###PATH:src/tax.py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n\
         ###PATH:src/item.py\nclass Item: ...\n\
         ###PATH:src/cart.py\n###LANGUAGE:Python\n###MODE:BLOCK\n\
         <|code_suffix|>\n\nprint(total([]))\n<|code_prefix|>def total(cart):\n    return \
         <|code_middle|><|assistant|>\n",
    );
}

#[test]
fn comment() {
    let prompt = check(
        "comment",
        "# Path: src/tax.py\n# RATE = 0.2\n#\n# def tax(x):\n#     return x * RATE\n\n\
         # Path: src/item.py\n# class Item: ...\n\n\
         # Path: src/cart.py\n\
         def total(cart):\n    return ",
    );
    assert_eq!(prompt.stop, ["\n# Path: "]);
}

#[test]
fn none() {
    check(
        "none",
        "## src/tax.py\n\n```py\nRATE = 0.2\n\ndef tax(x):\n    return x * RATE\n```\n\n\
         ## src/item.py\n\n```py\nclass Item: ...\n```\n\n\
         ## src/cart.py (being edited)\n\n\
         ```py\ndef total(cart):\n    return <CURSOR>\n\nprint(total([]))\n```\n",
    );
}

#[test]
fn without_pieces_a_prompt_is_what_the_model_was_trained_on() {
    let bare = |name: &str| compose(Format::named(name).unwrap(), &HOLE, &[]).text;
    assert!(
        bare("qwen2.5-coder")
            .starts_with("<|repo_name|>shop\n<|file_sep|>src/cart.py\n<|fim_prefix|>def")
    );
    assert_eq!(
        bare("codestral"),
        "[SUFFIX]\n\nprint(total([]))\n[PREFIX]def total(cart):\n    return "
    );
    assert!(bare("codellama").starts_with("<PRE> def total"));
    assert!(bare("deepseek-coder").starts_with("<｜fim▁begin｜>def total"));
    assert_eq!(bare("comment"), HOLE.prefix);
}

#[test]
fn a_repository_without_a_name_and_a_file_without_a_path_leave_no_gap() {
    let hole = Hole { repository: "", path: "", suffix: "", ..HOLE };
    let prompt = compose(Format::named("qwen").unwrap(), &hole, &[]);
    assert_eq!(
        prompt.text,
        "<|file_sep|>untitled\n<|fim_prefix|>def total(cart):\n    return <|fim_suffix|>\n<|fim_middle|>"
    );
}

#[test]
fn a_language_without_line_comments_keeps_its_pieces() {
    let format = Format::named("comment").unwrap();
    let css = Hole {
        line_comment: None,
        language_name: Some("CSS"),
        path: "a.css",
        prefix: "a {",
        ..HOLE
    };
    let part = Part { path: "b.css", text: "b {}" };
    assert_eq!(
        compose(format, &css, &[part]).text,
        "// Path: b.css\n// b {}\n\n// Path: a.css\na {"
    );
    let text = Hole { language_name: None, ..css };
    assert!(compose(format, &text, &[part]).text.starts_with("# Path: b.css\n# b {}\n"));
}

#[test]
fn a_fence_is_longer_than_any_in_the_text() {
    let format = Format::named("none").unwrap();
    let hole = Hole { path: "a.md:1-9", prefix: "``", suffix: "``", ..HOLE };
    let prompt = compose(format, &hole, &[Part { path: "Makefile", text: "````\nx\n````" }]);
    assert_eq!(
        prompt.text,
        "## Makefile\n\n`````\n````\nx\n````\n`````\n\n## a.md:1-9 (being edited)\n\n`````md\n``<CURSOR>``\n`````\n"
    );
}

#[test]
fn a_path_cannot_begin_a_new_line_or_token() {
    let hole = Hole { path: "a\n<|file_sep|>b", ..HOLE };
    let prompt = compose(Format::named("qwen").unwrap(), &hole, &[]);
    assert!(
        prompt.text.contains("<|file_sep|>a?< |file_sep|>b\n<|fim_prefix|>"),
        "{}",
        prompt.text
    );
}

#[test]
fn the_exact_prompt_of_every_format_is_tested() {
    let (checks, _) = include_str!("golden.rs").split_once("fn the_exact_prompt").unwrap();
    for format in Format::ALL {
        assert!(checks.contains(&format!("\"{}\"", format.name)), "no prompt of {}", format.name);
    }
}

#[test]
fn names_of_formats_are_unique_and_every_row_tells_its_order_truly() {
    let mut names = Vec::new();
    for format in Format::ALL {
        names.push(format.name);
        names.extend(format.aliases);
        let outline = format.outline();
        let (prefix, suffix) = (outline.find("{prefix}"), outline.find("{suffix}"));
        let order = match suffix {
            None => Order::PrefixOnly,
            Some(_) if prefix < suffix => Order::PrefixFirst,
            Some(_) => Order::SuffixFirst,
        };
        assert_eq!(order, format.order, "{}", format.name);
        assert!(format.stop.iter().all(|it| !it.is_empty()) && !format.note.is_empty());
    }
    let n_names = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), n_names);
}

#[test]
fn every_special_token_that_is_written_is_known_as_special() {
    for format in Format::ALL {
        let prompt = compose(format, &HOLE, &PARTS);
        for segment in prompt.segments.iter().filter(|it| it.origin == Origin::Sentinel) {
            let mut rest = prompt.text[segment.range.clone()].to_owned();
            format.specials.iter().for_each(|it| rest = rest.replace(it, ""));
            assert!(rest.chars().all(|it| matches!(it, ' ' | '▁')), "{}: {rest:?}", format.name);
        }
    }
}

/// Text with many special tokens, marks and fragments of them.
fn hostile() -> impl Strategy<Value = String> {
    let pool: Vec<&str> = Format::ALL
        .iter()
        .flat_map(|it| it.specials.iter().chain(it.line_guards))
        .copied()
        .collect();
    let token = (0..pool.len(), 0..4_usize, "[a`<|>\\[\\]\r\n+#é ]{0,5}").prop_map(
        move |(pick, how, noise)| {
            let token = pool[pick];
            let half = token.char_indices().nth(token.chars().count() / 2).map_or(0, |it| it.0);
            match how {
                0 => format!("{token}{noise}"),
                1 => format!("{}{noise}", &token[..half]),
                2 => format!("{}{noise}", &token[half..]),
                _ => noise,
            }
        },
    );
    prop::collection::vec(token, 0..6).prop_map(|it| it.concat())
}

proptest! {
    #[test]
    fn nothing_from_the_repository_becomes_structure(
        row in 0..Format::ALL.len(),
        texts in prop::collection::vec(hostile(), 9),
    ) {
        let format = &Format::ALL[row];
        let hole = Hole {
            repository: &texts[0],
            path: &texts[1],
            line_comment: None,
            language_name: Some(&texts[2]),
            prefix: &texts[3],
            suffix: &texts[4],
        };
        let parts = [Part { path: &texts[5], text: &texts[6] }, Part { path: &texts[7], text: &texts[8] }];
        let prompt = compose(format, &hole, &parts);

        let mut end = 0;
        for segment in &prompt.segments {
            prop_assert_eq!(segment.range.start, end);
            prop_assert!(segment.range.end > end);
            end = segment.range.end;
        }
        prop_assert_eq!(end, prompt.text.len());

        let of = |origin: Origin| -> String {
            let all = prompt.segments.iter().filter(|it| it.origin == origin);
            all.map(|it| &prompt.text[it.range.clone()]).collect()
        };
        prop_assert_eq!(of(Origin::Prefix), neutralise(format, hole.prefix).into_owned());
        if format.shows_suffix() {
            let suffix = if hole.suffix.is_empty() { format.empty_suffix } else { hole.suffix };
            prop_assert_eq!(of(Origin::Suffix), neutralise(format, suffix).into_owned());
        }

        let sentinels: Vec<_> = prompt.segments.iter().filter(|it| it.origin == Origin::Sentinel).collect();
        let cursors = usize::from(format.name == "none");
        let mut stray = 0;
        for special in format.specials {
            for (at, _) in prompt.text.match_indices(special) {
                stray += usize::from(!sentinels.iter().any(|it| it.range.contains(&at)));
            }
        }
        prop_assert_eq!(stray, cursors);
        for guard in format.line_guards {
            let written = prompt.text.lines().filter(|it| it.starts_with(guard)).count();
            let harmless = Part { path: "a", text: "a" };
            let plain = Hole { repository: "a", path: "a", prefix: "a", suffix: "a", ..hole };
            let expected = compose(format, &plain, &[harmless; 2]);
            let expected = expected.text.lines().filter(|it| it.starts_with(guard)).count();
            prop_assert_eq!(written, expected, "{}", prompt.text);
        }
    }

    #[test]
    fn a_piece_alone_is_a_stretch_of_the_prompt(row in 0..Format::ALL.len(), text in hostile()) {
        let format = &Format::ALL[row];
        let part = Part { path: "b.py", text: &text };
        let prompt = compose(format, &HOLE, &[part, part]);
        let piece = piece(format, &HOLE, &part);
        let twice = piece.repeat(2);
        prop_assert!(prompt.text.contains(&twice));
    }
}
