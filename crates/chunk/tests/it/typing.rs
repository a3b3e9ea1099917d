//! An incremental parse equals a fresh one: always on complete lines, and nearly always during typing.

use std::ops::Range;
use std::path::Path;

use foreword_chunk::{Config, Language, Parse, PreviousParse};

use crate::cover::check_chunks;

/// Number of lines retyped in each file.
const LINES: usize = 5;

/// A file whose lines are retyped.
struct Typing {
    language: Option<Language>,
    kept: Option<PreviousParse>,
    keystrokes: usize,
    /// Number of keystrokes after which the parses differed.
    differ: usize,
}

impl Typing {
    /// Parses a text both ways; returns whether the results agree.
    fn agrees(&mut self, text: &str) -> bool {
        let config = Config { max_size: 200, ..Config::default() };
        let (after, fresh) = (
            Parse::after(text.as_bytes(), self.language, self.kept.as_ref()),
            Parse::new(text.as_bytes(), self.language),
        );
        let (symbols, expect) = (after.symbols(), fresh.symbols());
        let chunks = after.chunks(&symbols, &config);
        check_chunks(text.as_bytes(), &chunks, &config);
        let same = symbols == expect && chunks == fresh.chunks(&expect, &config);
        self.kept = after.into_previous();
        same
    }

    /// Deletes a line's text and retypes it character by character.
    fn type_line(&mut self, text: &str, line: Range<usize>, path: &Path) {
        let typed = text[line.clone()].trim();
        let start = line.start + text[line].find(typed).unwrap_or_default();
        for (at, c) in typed.char_indices() {
            let end = at + c.len_utf8();
            let rest = &text[start + typed.len()..];
            let now = format!("{}{}{rest}", &text[..start], &typed[..end]);
            let same = self.agrees(&now);
            assert!(same || end < typed.len(), "{}: {typed}", path.display());
            self.keystrokes += 1;
            self.differ += usize::from(!same);
        }
    }
}

fn lines_of(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let line = |it: &str| {
        at += it.len();
        at - it.len()..at
    };
    let lines = text.split_inclusive('\n').map(line);
    lines.filter(|it| !text[it.clone()].trim().is_empty()).collect()
}

/// Whether files of the language embed others, and are therefore always parsed anew.
fn embeds_others(language: Language) -> bool {
    language.of_code() != language
        || matches!(language, Language::Html | Language::Blade | Language::Jinja)
}

#[test]
fn incremental_parses_agree_with_fresh_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let (mut keystrokes, mut differ) = (0, 0);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let language = Language::of_path(path.to_str().unwrap(), &text);
        let mut typing = Typing { language, kept: None, keystrokes: 0, differ: 0 };
        let lines = lines_of(&text);
        let step = (lines.len() / LINES).max(1);
        for line in lines.into_iter().step_by(step) {
            typing.type_line(&text, line, &path);
        }
        let is_kept = language.is_none_or(embeds_others) || typing.kept.is_some();
        assert!(is_kept, "{}: a tree", path.display());
        keystrokes += typing.keystrokes;
        differ += typing.differ;
    }
    assert!(differ * 1000 <= keystrokes, "{differ} of {keystrokes} keystrokes");
}

#[test]
fn a_parse_in_another_language_is_not_reused() {
    let python = Parse::new(b"def f(): pass\n", Some(Language::Python)).into_previous();
    let text = b"fn f() {}\n";
    let after = Parse::after(text, Some(Language::Rust), python.as_ref());
    assert_eq!(after.symbols(), Parse::new(text, Some(Language::Rust)).symbols());
}
