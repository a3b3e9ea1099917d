//! Files without a syntax tree still have definitions, references and imports.

use foreword_chunk::{Analysis, Config, Language, ParseOutcome, analyze};

/// The text after enough garbage that it gets no tree.
fn broken(text: &str, language: Language) -> (String, Analysis) {
    let noise = ") ] } ) ] } $ ` ) ) ] ] } }\n".repeat(text.len() / 8 + 8);
    let text = format!("{text}{noise}");
    let analysis = analyze(text.as_bytes(), Some(language), &Config::default());
    assert_ne!(analysis.outcome, ParseOutcome::Parsed);
    (text, analysis)
}

fn check(code: &str, language: Language, defined: &[&str], used: &[&str], imported: &[&str]) {
    let (text, Analysis { symbols, .. }) = broken(code, language);
    let dotted = |idx| {
        let names: Vec<&str> = symbols.ancestors(Some(idx)).map(|it| it.name.of(&text)).collect();
        names.into_iter().rev().collect::<Vec<_>>().join(".")
    };
    let definitions = symbols.definitions.iter().zip(0..);
    let definitions: Vec<String> =
        definitions.map(|(it, idx)| format!("{} {}", it.kind.name(), dotted(idx))).collect();
    assert_eq!(definitions, defined);
    let references: Vec<&str> = symbols.references.iter().map(|it| it.name.of(&text)).collect();
    assert_eq!(references, used);
    let import = |it: &foreword_chunk::Import| {
        let names: Vec<&str> = it.names.iter().map(|it| it.name.as_str()).collect();
        format!("{}({})", it.module, names.join(" "))
    };
    assert_eq!(symbols.imports.iter().map(import).collect::<Vec<_>>(), imported);
}

#[test]
fn kotlin_without_a_tree_keeps_its_definitions() {
    check(
        "import okio.Buffer\n\n/** fun nothing() */\ninternal class Store<T>(val size: Int) : Base() {\n    private val limit = 3\n\n    override suspend fun load(path: String): T {\n        val local = read(path)\n        return local\n    }\n}\n\nfun <T> List<T>.second(): T = this[1]\ntypealias Names = List<String>\n",
        Language::Kotlin,
        &["class Store", "field Store.limit", "method Store.load", "function second", "type Names"],
        &["Base", "read"],
        &["okio(Buffer)"],
    );
}

#[test]
fn python_without_a_tree_keeps_its_definitions() {
    check(
        "from a.b import c, d\n\nclass Store:\n    def load(self):\n        return open(self)\n\nasync def main():\n    run()\n",
        Language::Python,
        &["class Store", "method Store.load", "function main"],
        &["open", "run"],
        &["a.b(c d)"],
    );
}

#[test]
fn go_and_rust_without_a_tree_keep_their_definitions() {
    check(
        "func (e *Engine) Run(addr string) error {\n\treturn listen(addr)\n}\ntype Engine struct {\n}\n",
        Language::Go,
        &["function Run", "type Engine"],
        &["listen"],
        &[],
    );
    check(
        "use std::fmt;\npub struct A;\nimpl A {\n    pub const fn new() -> A {\n        make()\n    }\n}\n",
        Language::Rust,
        &["class A", "implementation A", "method A.new"],
        &["make"],
        &["std(fmt)"],
    );
}

#[test]
fn a_definition_without_a_tree_reaches_to_its_last_line() {
    let (text, analysis) = broken("fun f() {\n    g()\n}\n\nfun h() = 1\n", Language::Kotlin);
    let it = &analysis.symbols.definitions[0];
    assert_eq!(it.span.of(&text), "fun f() {\n    g()\n}");
    assert_eq!(it.signature.of(&text), "fun f()");
    assert_eq!(it.body.map(|it| it.of(&text)), Some("{\n    g()\n}"));
}

#[test]
fn prose_and_data_without_a_tree_define_nothing() {
    let text = "the class of this value is a function of type x\n".repeat(50);
    let analysis = analyze(text.as_bytes(), Some(Language::Java), &Config::default());
    assert!(analysis.symbols.definitions.is_empty());
}
