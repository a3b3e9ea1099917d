//! Prose and local names in every language.

use crate::language::Language;
use crate::{Config, analyze};

/// Expects that every prose word contains `prose`, that `locals` are the bound names, and that `code` is neither.
#[track_caller]
fn check(language: Language, text: &str, locals: &[&str], code: &[&str]) {
    let symbols = analyze(text.as_bytes(), Some(language), &Config::default()).symbols;
    let name = language.name();
    let is_word = |it: char| !(it.is_alphanumeric() || it == '_');
    let prose: Vec<&str> = symbols.prose.iter().map(|it| it.of(text)).collect();
    for part in &prose {
        for word in part.split(is_word).filter(|it| it.len() > 1) {
            assert!(word.starts_with("pr"), "{name}: {word} is prose in {prose:?}");
        }
    }
    for (at, _) in text.match_indices("prose") {
        let inside = symbols.prose.iter().any(|it| it.contains_byte(at));
        assert!(inside, "{name}: no prose at {:?}", &text[at..(at + 20).min(text.len())]);
    }
    let mut found: Vec<&str> = symbols.locals.iter().map(|it| it.of(text)).collect();
    found.sort_unstable();
    assert_eq!(found, locals, "{name}");
    for word in code {
        assert!(text.contains(word) && !found.contains(word), "{name}: {word}");
    }
}

#[test]
fn words_of_comments_and_strings_are_prose_and_interpolated_code_is_not() {
    let text = "# prose\ndef f(a_param, *rest, key=DEFAULT, typed: Kind = None):\n    \"prose\"\n    \
                for item, other in walk(rest):\n        x.attr = f\"prose {shown(item)} prose\" + 'pr'\n    \
                with held() as handle:\n        lam = lambda inner: inner\n    return [e for entry in made]\n";
    let locals =
        ["a_param", "entry", "handle", "inner", "item", "key", "lam", "other", "rest", "typed"];
    check(
        Language::Python,
        text,
        &locals,
        &["DEFAULT", "Kind", "shown", "walk", "attr", "held", "made"],
    );
    let text = "// prose\nfunction f(one, { two, three: four }, ...rest) {\n  const fifth = `prose ${shown(one)} prose`;\n  \
                for (const item of walked) call('prose', /prose/, (seen) => seen);\n  try {} catch (err) {}\n  obj.field = 1;\n}\n";
    let locals = ["err", "fifth", "four", "item", "one", "rest", "seen", "two"];
    check(
        Language::JavaScript,
        text,
        &locals,
        &["shown", "walked", "call", "obj", "field", "three"],
    );
    let text = "/* prose */\nfunction f(one: Kind, two?: Other): Made {\n  let three: Third = make(\"prose\");\n}\n";
    check(Language::TypeScript, text, &["one", "three", "two"], &["Kind", "Other", "Made", "make"]);
    let text =
        "// prose\nconst f = ({ one }: Props) => <div title=\"prose\">prose {shown(one)}</div>;\n";
    check(Language::Tsx, text, &["one"], &["Props", "shown", "div"]);
}

#[test]
fn parameters_and_variables_of_typed_languages_are_local() {
    let text = "// prose\nfn f(one: Kind, (two, three): (A, B)) -> Made {\n    let Some(four) = make(\"prose\", 'p') else { return; };\n    \
                for item in walk(one) { run(|seen| seen.field, r#\"prose\"#); }\n    match two { Kind::Of(inner) => inner, _ => LIMIT }\n}\n";
    let locals = ["four", "inner", "item", "one", "seen", "three", "two"];
    check(Language::Rust, text, &locals, &["Kind", "Made", "make", "walk", "LIMIT", "field"]);
    let text = "package p\n\n// prose\nfunc (recv *Kind) Run(one Other, two ...string) (made error) {\n\tthree, err := build(\"prose\", `prose`)\n\t\
                for idx, item := range walked {\n\t}\n\tvar four Third\n}\n";
    let locals = ["err", "four", "idx", "item", "made", "one", "recv", "three", "two"];
    check(Language::Go, text, &locals, &["Kind", "Other", "walked", "build", "Third"]);
    let text = "class A {\n  // prose\n  void f(Kind one) {\n    int two = make(\"prose\", 'p');\n    \
                for (Item item : walked) run(seen -> seen.call());\n    try { } catch (Problem err) { }\n  }\n}\n";
    check(
        Language::Java,
        text,
        &["err", "item", "one", "seen", "two"],
        &["Kind", "make", "walked", "run", "call"],
    );
    let text = "class A {\n  // prose\n  fun f(one: Kind) {\n    val two = make(\"prose ${shown(one)} prose\")\n    \
                for (item in walked) { run { seen -> seen.call() } }\n  }\n}\n";
    check(
        Language::Kotlin,
        text,
        &["item", "one", "seen", "two"],
        &["Kind", "make", "shown", "walked", "run"],
    );
}

#[test]
fn parameters_and_variables_of_languages_with_interpolation_are_local() {
    let text = "class A {\n  // prose\n  void F(Kind one) {\n    var two = Make($\"prose {Shown(one)} prose\");\n    \
                foreach (var item in walked) Run(seen => seen.Call);\n  }\n}\n";
    check(
        Language::CSharp,
        text,
        &["item", "one", "seen", "two"],
        &["Kind", "Make", "Shown", "walked", "Run"],
    );
    let text = "class A {\n  // prose\n  def f(one: Kind) = {\n    val two = make(s\"prose ${shown(one)} prose\")\n    run(two)\n  }\n}\n";
    check(Language::Scala, text, &["one", "two"], &["Kind", "make", "shown", "run"]);
    let text = "class A {\n  // prose\n  func f(label one: Kind) {\n    let two = make(\"prose \\(shown(one)) prose\")\n    for item in walked { run(item) }\n  }\n}\n";
    check(
        Language::Swift,
        text,
        &["item", "one", "two"],
        &["Kind", "make", "shown", "walked", "run"],
    );
}

#[test]
fn parameters_and_variables_of_the_family_of_c_are_local() {
    let text = "/* prose */\nstatic int f(kind_t one, struct other *two) {\n  int three = make(\"prose\", 'p');\n  char *four;\n  for (int idx = 0; idx < LIMIT; idx++) run(&idx);\n}\n";
    check(
        Language::C,
        text,
        &["four", "idx", "one", "three", "two"],
        &["kind_t", "make", "LIMIT", "run"],
    );
    let text = "// prose\nvoid A::f(const Kind& one) {\n  auto two = make(\"prose\");\n  for (auto& item : walked) run([](int seen) { return seen; });\n}\n";
    check(Language::Cpp, text, &["item", "one", "seen", "two"], &["Kind", "make", "walked", "run"]);
    let text = "// prose\nfn f(one: Kind) void {\n    const two = make(\"prose\");\n    for (walked) |item| run(item);\n}\n";
    check(Language::Zig, text, &["item", "one", "two"], &["Kind", "make", "walked", "run"]);
}

#[test]
fn parameters_and_variables_of_languages_without_types_are_local() {
    let text = "# prose\ndef f(one, two: 1, &three)\n  four = make(\"prose #{shown(one)} prose\", :sym)\n  walked.each { |item| run(item, @own) }\nend\n";
    check(
        Language::Ruby,
        text,
        &["four", "item", "one", "three", "two"],
        &["make", "shown", "walked", "run", "sym"],
    );
    let text = "<?php\n// prose\nfunction f(Kind $one) {\n  $two = make(\"prose\", 'prose');\n  foreach ($walked as $item) { $this->run($item); }\n}\n";
    check(Language::Php, text, &["item", "one", "this", "two", "walked"], &["Kind", "make", "run"]);
    let text = "-- prose\nlocal function f(one, two)\n  local three = make(\"prose\", [[prose]])\n  for idx, item in walk(one) do run(item) end\n  M.field = 1\nend\n";
    check(
        Language::Lua,
        text,
        &["idx", "item", "one", "three", "two"],
        &["make", "walk", "run", "field"],
    );
    let text = "# prose\ndefmodule A do\n  def f(one, %{key: two}) do\n    three = make(\"prose #{shown(one)} prose\")\n    Other.run(three)\n  end\nend\n";
    check(
        Language::Elixir,
        text,
        &["one", "three", "two"],
        &["make", "shown", "Other", "run", "key"],
    );
    let text = "-- prose\nmade :: Kind -> Other\nmade one = run one \"prose\" (\\seen -> seen)\n";
    check(Language::Haskell, text, &["one", "seen"], &["Kind", "Other", "run"]);
    let text = "# prose\nf() {\n  local one=\"prose $(shown prose)\"\n  for item in $walked; do make prose \"prose\"; done\n}\n";
    check(Language::Bash, text, &["item", "one"], &["shown", "make", "walked"]);
}

#[test]
fn a_file_without_a_tree_has_the_prose_that_its_lines_show() {
    let text = "package p\n\n// prose of a line\nfunc f() {\n\tcall(\"prose\") // prose\n}\n";
    let outcome = crate::ParseOutcome::Invalid;
    let config = Config::default();
    let found =
        crate::Analysis::without_tree(text.as_bytes(), Some(Language::Go), outcome, &config);
    let prose: Vec<&str> = found.symbols.prose.iter().map(|it| it.of(text)).collect();
    assert_eq!(prose, ["// prose of a line", "\"prose\"", "// prose"]);
}

#[test]
fn documents_and_data_have_neither() {
    for language in Language::ALL.iter().filter(|it| !it.is_code()) {
        let text = "\"a string\" # a comment\n";
        let symbols = analyze(text.as_bytes(), Some(*language), &Config::default()).symbols;
        assert!(symbols.prose.is_empty() && symbols.locals.is_empty(), "{}", language.name());
    }
}
