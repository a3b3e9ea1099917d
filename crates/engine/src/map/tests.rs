//! Maps of small repositories.

use foreword_chunk::Language;
use proptest::prelude::*;

use super::*;
use crate::index::{Change, FileId, IndexConfig};
use crate::source::Source;

fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    let source = |it: &(&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
    Snapshot::of_sources(files.iter().map(source).collect(), IndexConfig::default()).unwrap()
}

/// Words and signs, as a tokenizer may count them.
fn count(text: &str) -> usize {
    let mut n = 0;
    crate::index::terms::identifiers(text, |_, _| n += 1);
    n + text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && *c != '_').count()
}

fn sample() -> Snapshot {
    snapshot(&[
        (
            "src/url.py",
            "import re\n\n@cache\nclass ParsedUrl(Base):\n    scheme = ''\n\n    def with_scheme(self,\n            scheme):\n        return self\n\n\ndef parse_url(text):\n    def inner():\n        pass\n    return ParsedUrl()\n",
        ),
        (
            "src/app.py",
            "from url import parse_url\n\ndef main():\n    return parse_url('x').with_scheme('y')\n",
        ),
        (
            "src/client.py",
            "from url import parse_url\n\ndef fetch(text):\n    return parse_url(text)\n",
        ),
        ("src/lone.py", "def nobody_calls_this():\n    pass\n"),
        (
            "tests/test_url.py",
            "def helper_of_tests():\n    parse_url('')\n\ndef test_it():\n    helper_of_tests()\n",
        ),
        ("README.md", "# Url parser\n\nIt parses.\n"),
        ("src/url.rs", "pub fn parse_url(text: &str) {}\n"),
    ])
}

fn text(focus: &[&str], tokens: usize) -> String {
    let focus: Vec<String> = focus.iter().map(|it| (*it).to_owned()).collect();
    map(&sample(), &MapRequest { focus: &focus, tokens, keep: None }, &count).text
}

#[test]
fn namespaces_that_many_files_open_take_no_lines() {
    let snapshot = snapshot(&[
        ("Models/Song.php", "<?php\nnamespace App\\Models;\nclass Song { function play() {} }\n"),
        ("Shop/Guard.cs", "namespace Shop;\npublic class Guard { public void Check() {} }\n"),
        ("src/set.cpp", "namespace shop {\nclass Set { void add(); };\n}\n"),
        ("lib/desk.rb", "module Desk\n  class Lamp\n  end\nend\n"),
    ]);
    let map = map(&snapshot, &MapRequest { focus: &[], tokens: 500, keep: None }, &count);
    for shown in ["\n  class Song", "\n  public class Guard", "\n  class Set", "\n  module Desk"] {
        assert!(map.text.contains(shown), "{shown} in {}", map.text);
    }
    assert!(!map.text.contains("namespace"), "{}", map.text);
    let mut definitions = map.entries.iter().flat_map(|it| &it.definitions);
    assert!(definitions.all(|it| !it.signature.starts_with("namespace")));
}

#[test]
fn what_others_refer_to_comes_first() {
    insta::assert_snapshot!(text(&[], 1000), @r"
    src/url.py
      class ParsedUrl(Base):
        scheme = ''
        def with_scheme(self, scheme):
      def parse_url(text):
    src/app.py
      def main():
    src/client.py
      def fetch(text):
    src/lone.py
      def nobody_calls_this():
    src/url.rs
      pub fn parse_url(text: &str)
    tests/test_url.py
      def helper_of_tests():
      def test_it():
    ");
}

#[test]
fn a_small_budget_keeps_the_best() {
    insta::assert_snapshot!(text(&[], 16), @r"
    src/url.py
      def parse_url(text):
    ");
}

#[test]
fn the_focus_comes_first_and_what_it_refers_to_next() {
    assert!(text(&["src/lone.py"], 1000).starts_with("src/lone.py\n"));
    assert!(text(&["nobody_calls_this"], 1000).starts_with("src/lone.py\n"));
    assert!(text(&["lone.nobody_calls_this"], 1000).starts_with("src/lone.py\n"));
    assert!(text(&["tests/"], 1000).starts_with("tests/test_url.py\n"));
}

#[test]
fn documents_are_in_the_map_if_the_focus_names_them() {
    assert!(!text(&[], 1000).contains("README"));
    assert!(text(&["README.md"], 1000).starts_with("README.md\n  # Url parser\n"));
}

#[test]
fn a_name_means_nothing_in_another_language() {
    let made = map(&sample(), &MapRequest { tokens: 1000, ..MapRequest::default() }, &count);
    let rank =
        |path: &str| made.entries.iter().find(|it| it.path == path).map_or(0.0, |it| it.rank);
    assert!(rank("src/url.py") > 2.0 * rank("src/url.rs"));
    assert!((rank("src/url.rs") - rank("src/lone.py")).abs() < 1e-9);
}

#[test]
fn a_budget_too_small_for_anything_gives_an_empty_map_and_a_flag() {
    let made = map(&sample(), &MapRequest { tokens: 2, ..MapRequest::default() }, &count);
    assert_eq!((made.text.as_str(), made.tokens, made.too_small), ("", 0, true));
    assert_eq!((made.files_total, made.files_shown, made.definitions_shown), (6, 0, 0));
    let empty = map(&snapshot(&[]), &MapRequest { tokens: 2, ..MapRequest::default() }, &count);
    assert_eq!(empty, Map::default());
}

#[test]
fn only_files_that_are_kept_are_ranked() {
    let snapshot = sample();
    let keep = |file: FileId| snapshot.path(file).starts_with("src/c");
    let request = MapRequest { tokens: 1000, keep: Some(&keep), ..MapRequest::default() };
    let made = map(&snapshot, &request, &count);
    assert_eq!((made.files_total, made.files_shown, made.definitions_total), (1, 1, 1));
}

#[test]
fn signatures_are_one_line_of_limited_length() {
    let long = format!("def f(\n    a,\n    {}):\n    pass\n", "b_é, ".repeat(100));
    let made = map(
        &snapshot(&[("a.py", &long)]),
        &MapRequest { tokens: 9999, ..MapRequest::default() },
        &count,
    );
    let signature = &made.entries[0].definitions[0].signature;
    assert!(signature.starts_with("def f( a, b_é, ") && signature.ends_with('…'));
    assert_eq!(signature.chars().count(), MapConfig::baseline().signature_chars);
}

#[test]
fn a_use_refers_to_what_the_file_imports() {
    let snapshot = snapshot(&[
        ("a/store.py", "def open_store():\n    pass\n"),
        ("b/store.py", "def open_store():\n    pass\n"),
        ("user.py", "from b.store import open_store\n\nopen_store()\n"),
    ]);
    let request = MapRequest { tokens: 1000, ..MapRequest::default() };
    assert_eq!(map(&snapshot, &request, &count).entries[0].path, "b/store.py");
}

#[test]
fn a_call_does_not_refer_to_a_field_of_its_name() {
    let snapshot = snapshot(&[
        ("a.rs", "pub struct Reader {\n    last: u8,\n}\n\npub fn open_reader() {}\n"),
        ("b.rs", "fn main() {\n    list.last();\n    open_reader();\n}\n"),
    ]);
    let made = map(&snapshot, &MapRequest { tokens: 9, ..MapRequest::default() }, &count);
    assert_eq!(made.text, "a.rs\n  pub fn open_reader()\n");
}

#[test]
fn tests_beside_the_code_are_left_out() {
    let code = "pub fn read() {}\n\nmod tests {\n    fn helper() {}\n    fn a() { helper() }\n}\n";
    let snapshot = snapshot(&[("a.rs", code)]);
    let made = map(&snapshot, &MapRequest { tokens: 100, ..MapRequest::default() }, &count);
    assert_eq!(made.text, "a.rs\n  pub fn read()\n");
}

#[test]
fn members_are_shown_under_their_parents() {
    let snapshot = snapshot(&[
        (
            "src/lib.rs",
            "pub struct Reader;\n\nimpl Reader {\n    pub fn read_record(&self) {}\n    fn other(&self) {}\n}\n",
        ),
        ("src/main.rs", "fn main() { it.read_record(); }\n"),
    ]);
    assert_eq!(snapshot.language(FileId(0)), Some(Language::Rust));
    let made = map(&snapshot, &MapRequest { tokens: 100, ..MapRequest::default() }, &count);
    insta::assert_snapshot!(made.text, @r"
    src/lib.rs
      pub struct Reader;
      impl Reader
        pub fn read_record(&self)
        fn other(&self)
    src/main.rs
      fn main()
    ");
    let places: Vec<_> = made.entries[0]
        .definitions
        .iter()
        .map(|it| (it.start_line, it.end_line, it.depth))
        .collect();
    assert_eq!(places, [(1, 1, 0), (3, 6, 0), (4, 4, 1), (5, 5, 1)]);
}

#[test]
fn central_types_come_before_functions_and_both_before_methods() {
    let uses = "import { Store, openStore } from './store';\nopenStore(new Store()).flush();\n";
    let snapshot = snapshot(&[
        (
            "src/store.ts",
            "export function openStore(it: Store) { return it; }\n\nexport class Store {\n  flush() {}\n}\n",
        ),
        ("src/a.ts", uses),
        ("src/b.ts", uses),
    ]);
    let shown = |tokens| map(&snapshot, &MapRequest { tokens, ..MapRequest::default() }, &count);
    assert_eq!(shown(9).text, "src/store.ts\n  export class Store\n");
    let more = shown(17).text;
    assert!(more.contains("openStore") && !more.contains("flush"), "{more}");
}

#[test]
fn other_projects_stand_back_unless_the_focus_names_them() {
    let snapshot = snapshot(&[
        (
            "deps/lua/lapi.c",
            "struct lua_State { int top; };\nint lua_gettop(struct lua_State *it) { return it->top; }\n",
        ),
        ("src/a.c", "int helper_of_ours(void) { return lua_gettop(0); }\n"),
        ("src/b.c", "int main(void) { return lua_gettop(0); }\n"),
    ]);
    let first = |focus: &[String]| {
        let request = MapRequest { focus, tokens: 1000, keep: None };
        map(&snapshot, &request, &count).entries[0].path.clone()
    };
    assert!(first(&[]).starts_with("src/"));
    assert_eq!(first(&["deps/lua".to_owned()]), "deps/lua/lapi.c");
}

#[test]
fn edges_lead_from_users_to_definers() {
    let made = map(&sample(), &MapRequest { tokens: 1000, ..MapRequest::default() }, &count);
    let name = |at: usize| made.entries[at].path.as_str();
    let edges: Vec<(&str, &str)> =
        made.edges.iter().map(|it| (name(it.user), name(it.definer))).collect();
    assert!(edges.contains(&("src/app.py", "src/url.py")), "{edges:?}");
    assert!(edges.contains(&("src/client.py", "src/url.py")), "{edges:?}");
    assert!(edges.iter().all(|(user, definer)| user != definer), "{edges:?}");
    assert!(edges.iter().all(|it| it.0 != "src/lone.py" && it.1 != "src/lone.py"), "{edges:?}");
    assert!(made.edges.is_sorted_by(|a, b| a.weight >= b.weight));
}

#[test]
fn a_snapshot_made_in_steps_has_the_same_map() {
    let at_once = sample();
    let mut in_steps = Snapshot::empty(IndexConfig::default());
    for file in at_once.files() {
        let (path, text) = (at_once.path(file).to_owned(), at_once.text(file).to_string());
        in_steps = in_steps.with_changes(vec![Change::Write(Source { path, text })]).unwrap();
    }
    let request = MapRequest { tokens: 60, ..MapRequest::default() };
    assert_eq!(map(&in_steps, &request, &count), map(&at_once, &request, &count));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_budget_is_never_exceeded(
        calls in prop::collection::vec((0_u8..8, 0_u8..20), 0..60), tokens in 0_usize..200,
    ) {
        let defined = (0..20_u8).map(|n| {
            (n % 8, format!("class Type{n}:\n    def method_{n}(self, a): pass\n"))
        });
        let called = calls.iter().map(|(file, n)| (*file, format!("x = method_{n}(Type{n}())\n")));
        let mut files: Vec<(String, String)> =
            (0..8).map(|at| (format!("f{at}.py"), String::new())).collect();
        for (file, line) in defined.chain(called) {
            files[file as usize].1 += &line;
        }
        let files: Vec<(&str, &str)> =
            files.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
        let made = map(&snapshot(&files), &MapRequest { tokens, ..MapRequest::default() }, &count);
        prop_assert!(made.tokens <= tokens);
        prop_assert_eq!(made.tokens, count(&made.text));
        prop_assert_eq!(made.too_small, made.text.is_empty());
    }
}
