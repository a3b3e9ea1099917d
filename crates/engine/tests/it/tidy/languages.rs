//! The steps of CONTRIBUTING.md, "To add a language", that neither the compiler nor the tests of the chunker ask for.

use std::path::Path;

use foreword_chunk::{CONTENT_VERSION, Language};

/// Number of languages, and the content version that came with the last one.
const LANGUAGES: (usize, u32) = (48, 6);

/// Languages whose imports are resolved by the default rule: split at dots, colons and slashes.
const DEFAULT_IMPORTS: &str = "bash dockerfile erlang gdscript graphql hcl make nix powershell protobuf r ruby \
                               solidity zig";

/// Languages that are not code, but whose files have the role of their path.
const ROLE_BY_PATH: &str = "jinja sql";

/// Languages that the benchmarks do not compare with other chunkers.
const NOT_COMPARED: &str = "astro blade dart dockerfile eex ejs erb erlang gdscript graphql hcl jinja make nix \
                            notebook powershell protobuf r solidity svelte vue";

#[test]
fn a_new_language_raises_the_content_version() {
    let message = "step 6: raise CONTENT_VERSION in crates/chunk/src/lib.rs, then LANGUAGES here";
    assert_eq!(Language::ALL.len(), LANGUAGES.0, "{message}");
    assert!(CONTENT_VERSION >= LANGUAGES.1, "{message}");
}

#[test]
fn every_language_has_a_rule_for_imports() {
    let code = Language::ALL.iter().filter(|it| it.is_code()).map(|it| it.of_code());
    let missing = unnamed(code, "crates/engine/src/scope/resolve.rs", DEFAULT_IMPORTS);
    assert!(
        missing.is_empty(),
        "step 7: no rule in scope/resolve.rs, nor in DEFAULT_IMPORTS: {missing:?}"
    );
}

#[test]
fn every_document_language_has_a_role() {
    let documents = Language::ALL.iter().filter(|it| !it.is_code()).copied();
    let missing = unnamed(documents, "crates/engine/src/index/file_role.rs", ROLE_BY_PATH);
    assert!(
        missing.is_empty(),
        "step 7: no role in index/file_role.rs, nor in ROLE_BY_PATH: {missing:?}"
    );
}

#[test]
fn every_language_is_compared_or_known_not_to_be() {
    let all = Language::ALL.iter().copied();
    let missing = unnamed(all, "benchmarks/src/grammar.rs", NOT_COMPARED);
    assert!(
        missing.is_empty(),
        "step 5: not in benchmarks/src/grammar.rs, nor in NOT_COMPARED: {missing:?}"
    );
}

/// The list has every language with a grammar of its own, the sentence after it those that embed others.
#[test]
fn the_readmes_name_every_language() {
    let readme = read("README.md");
    let (_, rest) = readme.split_once("Languages with a grammar: ").unwrap();
    let (list, rest) = rest.split_once(". ").unwrap();
    let embedding = rest.split_once(". ").unwrap().0.to_lowercase();
    let names = list.split(", ").map(|it| it.split(" (").next().unwrap());
    let listed: Vec<Option<Language>> = names.map(Language::from_name).collect();
    let is_named = |it: &Language| listed.contains(&Some(*it)) || embedding.contains(it.name());
    let missing: Vec<&str> =
        Language::ALL.iter().filter(|it| !is_named(it)).map(|it| it.name()).collect();
    assert!(missing.is_empty(), "step 8: README.md does not name {missing:?}");
    assert!(!listed.contains(&None), "README.md names a language that there is not: {list}");
    let number = format!("grammars for {} languages", listed.len());
    let page = read("crates/chunk/README.md");
    assert!(page.contains(&number), "step 8: crates/chunk/README.md does not say \"{number}\"");
}

#[test]
fn every_grammar_was_read() {
    let manifest = read("crates/chunk/Cargo.toml");
    let page = read("docs/grammars.md");
    let names = manifest.lines().filter_map(|it| {
        it.strip_prefix("tree-sitter-")?.split_once(" = {").map(|it| it.0.trim_end_matches("-ng"))
    });
    let missing: Vec<&str> = names.filter(|it| !page.contains(it)).collect();
    assert!(missing.is_empty(), "step 1: docs/grammars.md does not name the grammars {missing:?}");
}

/// The names of the languages that neither the file nor `others` has.
fn unnamed(
    languages: impl Iterator<Item = Language>,
    file: &str,
    others: &str,
) -> Vec<&'static str> {
    let text = read(file);
    let has_variant = |it: Language| {
        let variant = format!("Language::{it:?}");
        text.match_indices(&variant)
            .any(|(at, _)| !text[at + variant.len()..].starts_with(|it: char| it.is_alphanumeric()))
    };
    let is_known =
        |it: Language| has_variant(it) || others.split(' ').any(|name| name == it.name());
    languages.filter(|it| !is_known(*it)).map(Language::name).collect()
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}
