//! Any completed lines of a file, with comments for the gaps, are valid code if the file is, and define nothing that
//! the file does not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use foreword_chunk::outline::fold;
use foreword_chunk::{Config, Definition, Kind, Language, LineIndex, Outline, Parse, analyze};
use proptest::prelude::*;

fn is_valid(text: &str, language: Language) -> bool {
    Parse::new(text.as_bytes(), Some(language)).defects().is_some_and(|it| it.is_empty())
}

/// The definitions of a text, each with the names of its ancestors.
fn names(text: &str, language: Language) -> BTreeSet<String> {
    let symbols = analyze(text.as_bytes(), Some(language), &Config::default()).symbols;
    // A namespace of the whole file has no brackets to show.
    let is_shown = |it: &&Definition| {
        let rest = it.signature.of(text).len() + it.signature.start as usize;
        let opens = |it: &str| it.trim_start().starts_with(['{', ':']);
        !matches!(language, Language::CSharp | Language::Php | Language::Scala)
            || it.kind != Kind::Module
            || it.signature.of(text).ends_with('{')
            || opens(&text[rest..])
    };
    let dotted = |idx: usize| {
        let around = symbols.ancestors(Some(idx as u32)).filter(is_shown);
        around.map(|it| it.name.of(text)).collect::<Vec<_>>().join(" in ")
    };
    (0..symbols.definitions.len()).map(dotted).collect()
}

/// A valid file and its definitions.
struct File<'t> {
    text: &'t str,
    language: Language,
    outline: Outline,
    names: BTreeSet<String>,
}

impl<'t> File<'t> {
    /// `None` if the text is invalid.
    fn new(text: &'t str, language: Language) -> Option<Self> {
        let outline = Parse::new(text.as_bytes(), Some(language)).outline();
        let names = names(text, language);
        is_valid(text, language).then_some(Self { text, language, outline, names })
    }

    /// The error in an excerpt of some of its lines, if any.
    fn fault(&self, lines: std::ops::Range<usize>) -> Option<String> {
        let shown = self.outline.complete(lines.clone());
        let index = LineIndex::new(self.text.as_bytes());
        let made = fold(self.text, &index, Some(self.language), &self.outline, &shown);
        let made = match self.language {
            Language::Php if !made.contains("<?") => format!("<?php\n{made}"),
            _ => made,
        };
        if !is_valid(&made, self.language) {
            return Some(format!("lines {lines:?} are shown as invalid code:\n{made}"));
        }
        let made_names = names(&made, self.language);
        let new: Vec<&String> = made_names.difference(&self.names).collect();
        let fault = || format!("lines {lines:?} are shown as if they defined {new:?}:\n{made}");
        (!new.is_empty()).then(fault)
    }
}

/// A fixed sequence of ranges of up to 40 lines, spread over the file.
fn ranges(n: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..n.min(60)).map(move |it| {
        let start = it * 7919 % n;
        start..(start + 1 + it * 31 % 40).min(n)
    })
}

#[test]
fn any_lines_of_a_file_in_any_language_are_shown_as_valid_code() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let mut faults = String::new();
    let mut checked = 0;
    for path in files(&dir) {
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(language) = code_in(&path, &text) else { continue };
        let Some(file) = File::new(&text, language) else { continue };
        checked += 1;
        if let Some(it) = ranges(text.lines().count()).find_map(|it| file.fault(it)) {
            let _ = writeln!(faults, "{}: {it}", path.display());
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(checked > 12, "only {checked} files are valid");
}

/// Languages whose excerpts are not checked yet.
const UNCHECKED: &[Language] = &[
    Language::Dart,
    Language::PowerShell,
    Language::R,
    Language::Make,
    Language::Dockerfile,
    Language::Hcl,
    Language::Protobuf,
    Language::GraphQl,
    Language::Solidity,
    Language::GdScript,
    Language::Nix,
    Language::Erlang,
];

fn code_in(path: &Path, text: &str) -> Option<Language> {
    let head = &text[..text.floor_char_boundary(4096)];
    let language = Language::of_path(&path.to_string_lossy(), head);
    language.filter(|it| it.is_code() && !UNCHECKED.contains(it))
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(dir).into_iter().flatten().flatten().map(|it| it.path()).collect();
    found.sort();
    found
}

/// `FOREIGN=DIR:DIR cargo test -p foreword-chunk --release -- --ignored foreign --nocapture` counts, by language, the
/// errors among 60 excerpts of each valid file below these directories.
#[test]
#[ignore = "needs directories of foreign code in FOREIGN"]
#[expect(clippy::print_stdout, reason = "a report for the one who runs it")]
fn excerpts_of_foreign_files_are_valid_code() {
    let dirs = std::env::var("FOREIGN").unwrap();
    let mut todo: Vec<PathBuf> = dirs.split(':').map(PathBuf::from).collect();
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(files(&path));
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(language) = code_in(&path, &text) else { continue };
        let of = counts.entry(language.name()).or_default();
        if of[0] >= 60 || text.len() > 100_000 || text.lines().count() < 30 {
            continue;
        }
        let Some(file) = File::new(&text, language) else {
            of[1] += 1;
            continue;
        };
        of[0] += 1;
        for lines in ranges(text.lines().count()) {
            of[2] += 1;
            if let Some(fault) = file.fault(lines) {
                of[3] += 1;
                if of[3] % 16 == 1 {
                    println!("{}: {fault}", path.display());
                }
            }
        }
    }
    for (language, [valid, invalid, excerpts, wrong]) in counts {
        println!("{language}: {valid} files ({invalid} not valid), {wrong} of {excerpts} excerpts");
    }
}

/// A statement that may hold others.
#[derive(Clone, Debug)]
enum Statement {
    Call(u8),
    LongCall(u8),
    Block(u8, Vec<Self>),
    Choice(Vec<Self>, Vec<Self>),
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let leaf = prop_oneof![
        any::<u8>().prop_map(Statement::Call),
        any::<u8>().prop_map(Statement::LongCall)
    ];
    let inner = |it: BoxedStrategy<Statement>| {
        let some = prop::collection::vec(it, 1..5);
        prop_oneof![
            (any::<u8>(), some.clone()).prop_map(|it| Statement::Block(it.0, it.1)),
            (some.clone(), some).prop_map(|it| Statement::Choice(it.0, it.1)),
        ]
    };
    let any = leaf.prop_recursive(5, 60, 5, move |it| inner(it.boxed()));
    prop::collection::vec(any, 1..6)
}

/// Writes the statements in Python.
fn python(all: &[Statement], depth: usize, res: &mut String) {
    let pad = "    ".repeat(depth);
    for it in all {
        let _ = match it {
            Statement::Call(n) => writeln!(res, "{pad}call_of_something({n})"),
            Statement::LongCall(n) => writeln!(res, "{pad}call(\n{pad}    {n},\n\n{pad})"),
            Statement::Block(n, inner) => {
                let _ = writeln!(
                    res,
                    "{pad}def f{n}(\n{pad}    a,\n{pad}):\n{pad}    \"\"\"Two\n\n    lines.\"\"\""
                );
                python(inner, depth + 1, res);
                Ok(())
            }
            Statement::Choice(yes, no) => {
                let _ = writeln!(res, "{pad}if a:\n{pad}    # Says why.\n{pad}    # At length.");
                python(yes, depth + 1, res);
                let _ = writeln!(res, "{pad}else:");
                python(no, depth + 1, res);
                Ok(())
            }
        };
    }
}

/// Writes the statements in JavaScript.
fn javascript(all: &[Statement], depth: usize, res: &mut String) {
    let pad = "  ".repeat(depth);
    for it in all {
        let _ = match it {
            Statement::Call(n) => writeln!(res, "{pad}callOfSomething({n});"),
            Statement::LongCall(n) => writeln!(res, "{pad}call(\n{pad}  {n}, `a\n}}`,\n{pad});"),
            Statement::Block(n, inner) => {
                let _ = writeln!(
                    res,
                    "{pad}/** Two\n{pad} * lines. */\n{pad}function f{n}(a,\n{pad}  b) {{"
                );
                javascript(inner, depth + 1, res);
                writeln!(res, "{pad}}}")
            }
            Statement::Choice(yes, no) => {
                let _ = writeln!(res, "{pad}if (a) {{");
                javascript(yes, depth + 1, res);
                let _ = writeln!(res, "{pad}}} else {{");
                javascript(no, depth + 1, res);
                writeln!(res, "{pad}}}")
            }
        };
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_lines_of_generated_code_are_shown_as_valid_code(
        all in statements(), start in 0.0..1.0_f64, len in 1..30_usize,
    ) {
        for (language, write) in [
            (Language::Python, python as fn(&[Statement], usize, &mut String)),
            (Language::JavaScript, javascript),
        ] {
            let mut text = String::new();
            write(&all, 0, &mut text);
            let n = text.lines().count();
            let start = (start * n as f64) as usize;
            let file = File::new(&text, language).unwrap();
            let fault = file.fault(start..(start + len).min(n));
            prop_assert!(fault.is_none(), "{}\n{text}", fault.unwrap_or_default());
        }
    }
}

#[test]
fn the_scripts_of_a_component_have_their_errors_where_they_are() {
    let text = "<template><p>{{ a }}</p></template>\n<script>\nlet a = ;\n</script>\n<style>\np { color: }\n</style>\n";
    let parse = Parse::new(text.as_bytes(), Some(Language::Vue));
    let scripts = parse.scripts();
    assert_eq!(scripts.len(), 1, "{scripts:?}");
    assert_eq!(scripts[0].language, Language::JavaScript);
    assert_eq!(&text[scripts[0].regions[0].clone()], "\nlet a = ;\n");
    assert!(!scripts[0].defects.is_empty());
    let line = text.find("let").unwrap()..text.find(';').unwrap() + 1;
    assert!(scripts[0].defects.iter().all(|it| line.contains(&(it.start as usize))));
    assert!(parse.defects().is_none());
    assert!(Parse::new(b"let a = 1;", Some(Language::JavaScript)).scripts().is_empty());
}
