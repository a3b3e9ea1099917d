//! Forecasts that a model may write: true, false, hostile, huge.

use super::*;
use crate::index::IndexConfig;
use crate::source::{ContentHash, Source};
use crate::speculate::plan::{Citation, Place, Target};

const CODE: &str = "import json\n\n\nclass Store:\n    def load(self, path):\n        return json.load(open(path))\n";

fn snapshot() -> Snapshot {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let files = vec![source("store.py", CODE), source("notes.txt", "hello\n")];
    Snapshot::of_sources(files, IndexConfig::default()).unwrap()
}

fn cited(first_line: u32, text: &str) -> Citation {
    let hash = ContentHash::of(text.as_bytes());
    let place = Place { path: "store.py".into(), first_line, last_line: first_line, hash };
    Citation { place, what: "is beside it".into() }
}

fn of_model(name: &str, line: u32, code: &str) -> Forecast {
    Forecast {
        name: name.into(),
        code: code.into(),
        target: Target { path: "store.py".into(), line },
        evidence: vec![cited(4, "class Store:")],
        score: 0.5,
    }
}

#[track_caller]
fn check(forecast: &Forecast, expect: Option<Flaw>) {
    let verdict = validate(&snapshot(), vec![forecast.clone()], &Limits::in_force());
    let flaws: Vec<Flaw> = verdict.rejected.into_iter().map(|it| it.flaw).collect();
    assert_eq!(flaws, expect.into_iter().collect::<Vec<_>>());
}

const SAVE: &str = "    def save(self, path, value):\n        json.dump(value, open(path))\n";

#[test]
fn what_can_be_true_is_accepted() {
    check(&of_model("save", 7, SAVE), None);
    check(&of_model("check", 7, "def check(store):\n    return store.load(1)\n"), None);
}

#[test]
fn what_does_not_parse_in_its_place_is_rejected() {
    check(&of_model("save", 7, "    def save(self, path:\n"), Some(Flaw::DoesNotParse));
    check(&of_model("save", 6, SAVE), Some(Flaw::DoesNotParse));
    check(&of_model("save", 7, "function save() { return 1; }"), Some(Flaw::DoesNotParse));
}

#[test]
fn existing_code_is_rejected() {
    let load = "    def load(self, other):\n        return None\n";
    check(&of_model("load", 7, load), Some(Flaw::Duplicate));
    let copy = "    def fetch(self, path):\n        return json.load(open(path))\n";
    check(&of_model("fetch", 7, copy), Some(Flaw::Duplicate));
    let twice = vec![of_model("save", 7, SAVE), of_model("save", 7, SAVE)];
    let verdict = validate(&snapshot(), twice, &Limits::in_force());
    assert_eq!((verdict.accepted.len(), verdict.flaws()["duplicate"]), (1, 1));
}

#[test]
fn a_decorated_namesake_is_no_duplicate() {
    let setter = "    @load.setter\n    def load(self, value):\n        self.value = value\n";
    check(&of_model("load", 7, setter), None);
    let twice = vec![of_model("load", 7, setter), of_model("load", 7, setter)];
    let verdict = validate(&snapshot(), twice, &Limits::in_force());
    assert_eq!((verdict.accepted.len(), verdict.flaws()["duplicate"]), (1, 1));
}

/// The flaw of code at the end of a file.
fn flaw_at_end(path: &str, text: &str, code: &str) -> Option<Flaw> {
    let source = Source { path: path.into(), text: text.into() };
    let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
    let first = text.lines().next().unwrap();
    let hash = ContentHash::of(first.as_bytes());
    let place = Place { path: path.into(), first_line: 1, last_line: 1, hash };
    let line = text.lines().count() as u32 + 1;
    let forecast = Forecast {
        name: String::new(),
        code: code.into(),
        target: Target { path: path.into(), line },
        evidence: vec![Citation { place, what: "is beside it".into() }],
        score: 0.5,
    };
    validate(&snapshot, vec![forecast], &Limits::in_force()).rejected.pop().map(|it| it.flaw)
}

#[test]
fn what_was_only_declared_or_is_in_another_branch_is_no_duplicate() {
    let code = "int size(int n) {\n    return count(n);\n}\n";
    let check = |text: &str, expect| assert_eq!(flaw_at_end("a.c", text, code), expect, "{text}");
    let count = "int count(int n) {\n    return n;\n}\n";
    let size = "int size(int n) {\n    return count(n) + 1;\n}\n";
    check(&format!("{count}int size(int n);\n"), None);
    check(&format!("{count}{size}"), Some(Flaw::Duplicate));
    check(&format!("{count}#ifdef SMALL\n{size}#else\n#endif\n"), None);
}

#[test]
fn a_forecast_may_use_the_macros_that_its_file_uses() {
    let each = |name: &str| {
        format!(
            "int {name}(struct list *all) {{\n    EACH(it, all) {{\n        use(it);\n    }}\n    return 0;\n}}\n"
        )
    };
    let code = each("last");
    let file = |n: usize| (0..n).map(|it| each(&format!("f{it}"))).collect::<String>();
    assert_eq!(flaw_at_end("a.c", &file(1), &code), Some(Flaw::DoesNotParse));
    assert_eq!(flaw_at_end("a.c", &file(3), &code), None);
    let unclosed = code.replace("    return 0;\n}\n", "    return 0;\n");
    assert_eq!(flaw_at_end("a.c", &file(3), &unclosed), Some(Flaw::DoesNotParse));
}

#[test]
fn what_uses_an_accepted_forecast_or_a_neighbour_is_related() {
    let check = |files: &[(&str, &str)], code: &[&str], expect: &[Option<Flaw>]| {
        let source = |it: &(&str, &str)| Source { path: it.0.into(), text: it.1.into() };
        let sources = files.iter().map(source).collect();
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let (path, text) = files[0];
        let hash = ContentHash::of(text.lines().next().unwrap().as_bytes());
        let place = Place { path: path.into(), first_line: 1, last_line: 1, hash };
        let forecast = |code: &&str| Forecast {
            name: String::new(),
            code: (*code).into(),
            target: Target { path: path.into(), line: text.lines().count() as u32 + 1 },
            evidence: vec![Citation { place: place.clone(), what: String::new() }],
            score: 0.5,
        };
        let forecasts: Vec<Forecast> = code.iter().map(forecast).collect();
        let verdict = validate(&snapshot, forecasts.clone(), &Limits::in_force());
        let flaw_of = |it: &Forecast| {
            verdict.rejected.iter().find(|other| other.forecast == *it).map(|it| it.flaw.clone())
        };
        assert_eq!(forecasts.iter().map(flaw_of).collect::<Vec<_>>(), expect);
    };
    let store = ("shop/store.py", "def open_store():\n    return 1\n");
    let other = ("other/store.py", store.1);
    let cart = ("shop/cart.py", "class Cart:\n    pass\n");
    let sell = "def sell():\n    return open_store()\n";
    check(&[cart, store], &[sell], &[None]);
    check(&[cart, other], &[sell], &[Some(Flaw::Unrelated)]);
    let importing = ("shop/cart.py", "from other.store import other_name\n");
    check(&[importing, other], &[sell], &[None]);
    let first = "def first():\n    return Cart()\n";
    let second = "def second():\n    return first()\n";
    check(&[cart], &[first, second], &[None, None]);
    let main = "def main():\n    return 1\n";
    let twice = "def twice():\n    return main()\n";
    check(&[cart], &[main, twice], &[Some(Flaw::Unrelated), Some(Flaw::Unrelated)]);
}

#[test]
fn type_parameters_are_known() {
    let text = "struct Pair {\n    left: u8,\n}\n";
    let code = "fn first<T>(it: T, pair: Pair) -> Pair {\n    let other: T = it;\n    pair\n}\n";
    assert_eq!(flaw_at_end("a.rs", text, code), None);
    let code = code.replace("other: T", "other: Twin");
    assert_eq!(flaw_at_end("a.rs", text, &code), Some(Flaw::UnknownName("Twin".into())));
    assert_eq!(flaw_at_end("a.rs", text, &code.replace("<T>", "<T, Twin>")), None);
}

#[test]
fn code_that_shares_no_name_with_its_file_is_rejected() {
    check(&of_model("main", 7, "def main():\n    pass\n"), Some(Flaw::Unrelated));
    check(&of_model("main", 7, "def main():\n    return Store()\n"), None);
    let main = "int main(void) {\n    return 0;\n}\n";
    let count = "void count(int n) {\n    total = 0;\n}\n";
    assert_eq!(flaw_at_end("a.c", count, main), Some(Flaw::Unrelated));
}

#[test]
fn names_must_be_known_forecast_imported_or_bound() {
    let unknown = "    def save(self, path):\n        frobnicate(path)\n";
    check(&of_model("save", 7, unknown), Some(Flaw::UnknownName("frobnicate".into())));
    let local =
        "    def save(self, then):\n        inner = then\n        inner(print(json.dumps(1)))\n";
    check(&of_model("save", 7, local), None);
    let both = vec![
        of_model("save", 7, unknown),
        of_model("frobnicate", 7, "def frobnicate(path):\n    return path\n"),
    ];
    let verdict = validate(&snapshot(), both, &Limits::in_force());
    assert_eq!(verdict.accepted.len(), 2, "{:?}", verdict.rejected);
}

#[test]
fn a_forecast_must_define_its_name() {
    check(&of_model("store", 7, SAVE), Some(Flaw::OtherName));
}

#[test]
fn false_places_are_rejected() {
    let with = |change: &dyn Fn(&mut Forecast)| {
        let mut it = of_model("save", 7, SAVE);
        change(&mut it);
        it
    };
    check(&with(&|it| it.target.line = 8), Some(Flaw::BadPlace));
    check(&with(&|it| it.target.line = 0), Some(Flaw::BadPlace));
    for path in ["../store.py", "/etc/passwd", "a//b.py", ".git/config", "a/./b.py", "C:\\a.py", ""]
    {
        check(&with(&|it| it.target.path = path.into()), Some(Flaw::BadPath));
    }
    check(&with(&|it| it.evidence.clear()), Some(Flaw::BadEvidence));
    check(&with(&|it| it.evidence = vec![cited(4, "class Other:")]), Some(Flaw::BadEvidence));
    check(&with(&|it| it.evidence = vec![cited(99, "class Store:")]), Some(Flaw::BadEvidence));
    check(
        &with(&|it| (it.target.path, it.target.line) = ("notes.txt".into(), 1)),
        Some(Flaw::Unchecked),
    );
}

#[test]
fn a_new_file_may_be_forecast() {
    let mut it = of_model("check", 1, "def check(store):\n    return store.load(1)\n");
    it.target.path = "tests/test_store.py".into();
    check(&it, None);
}

#[test]
fn hostile_texts_are_rejected_without_being_parsed() {
    check(&of_model("save", 7, &"(".repeat(4000)), Some(Flaw::TooLong));
    check(&of_model("save", 7, &"x = 1\n".repeat(200_000)), Some(Flaw::TooLong));
    check(&of_model("save", 7, "x = \"\u{0}\u{1b}[2J\"\n"), Some(Flaw::Unreadable));
    check(&of_model("save", 7, " \n\t\n"), Some(Flaw::Empty));
    let many = vec![of_model("save", 7, SAVE); 5000];
    let verdict = validate(&snapshot(), many, &Limits::in_force());
    assert_eq!(verdict.accepted.len(), 1);
    assert_eq!(verdict.flaws()["too_many"], 5000 - Limits::in_force().forecasts);
}

#[test]
fn code_that_would_swallow_the_rest_of_the_file_is_rejected() {
    let mut it = of_model("save", 4, "def save():\n    return \"\"\"\n");
    it.evidence = vec![cited(4, "class Store:")];
    check(&it, Some(Flaw::DoesNotParse));
}

/// The flaw of code before a line of a file.
fn flaw_before(path: &str, text: &str, line: u32, code: &str) -> Option<Flaw> {
    let source = Source { path: path.into(), text: text.into() };
    let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
    let hash = ContentHash::of(text.lines().next().unwrap().as_bytes());
    let place = Place { path: path.into(), first_line: 1, last_line: 1, hash };
    let forecast = Forecast {
        name: String::new(),
        code: code.into(),
        target: Target { path: path.into(), line },
        evidence: vec![Citation { place, what: String::new() }],
        score: 0.5,
    };
    validate(&snapshot, vec![forecast], &Limits::in_force()).rejected.pop().map(|it| it.flaw)
}

#[test]
fn in_pages_and_components_the_script_is_checked() {
    let script = "function load(id) {\n  return shown(id);\n}\n";
    let vue = format!(
        "<template>\n  <p v-if=\"a > 1\">{{{{ load(1) }}}}</p>\n</template>\n<script>\n{script}</script>\n"
    );
    let svelte = format!("<script>\n{script}</script>\n\n<p>one</p>\n");
    let good = "function load_all(ids) {\n  return ids.map(load);\n}\n";
    let unknown = good.replace("map(load)", "map(load, frobnicate(1))");
    let broken = good.replace("ids) {", "ids {");
    for (path, text, line) in
        [("a.vue", &vue, 8), ("a.svelte", &svelte, 5), ("a.html", &svelte, 5), ("a.astro", &vue, 8)]
    {
        assert_eq!(flaw_before(path, text, line, good), None, "{path}");
        let flaw = Some(Flaw::UnknownName("frobnicate".into()));
        assert_eq!(flaw_before(path, text, line, &unknown), flaw, "{path}");
        assert_eq!(flaw_before(path, text, line, &broken), Some(Flaw::DoesNotParse), "{path}");
        let copy = "function load(id, other) {\n  return other;\n}\n";
        let flaw = flaw_before(path, text, line, copy);
        assert!(matches!(flaw, None | Some(Flaw::Duplicate)), "{path}: {flaw:?}");
    }
    let outside = Some(Flaw::DoesNotParse);
    assert_eq!(flaw_before("a.vue", &vue, 2, good), outside, "in the markup");
    let ends = format!("{good}</script>\n<script>\n");
    assert_eq!(flaw_before("a.vue", &vue, 8, &ends), outside, "over the end of the script");
    assert_eq!(flaw_before("a.vue", "<p>one</p>\n", 2, good), Some(Flaw::Unchecked));
}

#[test]
fn a_shell_may_call_any_program() {
    let text = "read_all() {\n  cat \"$1\"\n}\n";
    let check = |path: &str, call: &str, expect: Option<&str>| {
        let code = format!("read_list() {{\n  read_all | {call} \"$1\"\n}}\n");
        let flaw = expect.map(|it| Flaw::UnknownName(it.into()));
        assert_eq!(flaw_at_end(path, text, &code), flaw, "{call}");
    };
    check("a.sh", "systemctl", None);
    check("a.zsh", "_arguments", None);
    check("a.sh", "read_header", Some("read_header"));
    check("a.sh", "readHeader", Some("readHeader"));
}

#[test]
fn heads_with_other_guards_are_no_duplicates() {
    let text = "defmodule A do\n  def add(all, name) when is_map(all) do\n    Map.put(all, name, 1)\n  end\nend\n";
    let head = "  def add(all, name) do\n    add(Map.new(all), name)\n  end\n";
    assert_eq!(flaw_before("a.ex", text, 5, head), None);
    let same = head.replace("name) do", "name) when is_map(all) do");
    assert_eq!(flaw_before("a.ex", text, 5, &same), Some(Flaw::Duplicate));
}

#[test]
fn what_is_named_as_its_file_or_a_part_of_it_is_related() {
    let text = "def shown():\n    return 1\n";
    let check = |path: &str, text: &str, name: &str, expect| {
        let code = format!("def {name}():\n    return 2\n");
        assert_eq!(flaw_at_end(path, text, &code), expect, "{path} {name}");
    };
    check("groups.py", text, "is_group", Some(Flaw::Unrelated));
    check("group.py", text, "is_group", None);
    check("group.py", text, "group", Some(Flaw::Unrelated));
    check("a.py", "def open_group():\n    return 1\n", "is_group", None);
    check("a.py", "def get_a():\n    return 1\n", "get_b", Some(Flaw::Unrelated));
}
