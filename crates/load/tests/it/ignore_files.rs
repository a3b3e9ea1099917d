//! Ignore files and built-in rules: precedence and overrides.

use foreword_load::{Inclusion, WalkConfig, walk};

use crate::{Tree, everything, paths};

#[test]
fn a_nested_gitignore_overrides_the_one_above() {
    let tree = Tree::of(&["a.log", "keep/a.log", "keep/b.log", "keep/deep/a.log", "src/x.rs"]);
    tree.write(".gitignore", "*.log\n").write("keep/.gitignore", "!a.log\n");
    assert_eq!(tree.files(), ["keep/a.log", "keep/deep/a.log", "src/x.rs"]);
    assert_eq!(tree.reason("keep/b.log"), "ignored by .gitignore:1: *.log");
}

#[test]
fn nothing_below_an_ignored_directory_can_be_included_on_its_own() {
    let tree = Tree::of(&["out/a.rs", "out/keep.rs"]);
    tree.write(".gitignore", "out/\n!out/keep.rs\n");
    assert_eq!(tree.files(), Vec::<String>::new());
    assert_eq!(tree.reason("out"), "ignored by .gitignore:1: out/");
}

#[test]
fn a_pattern_with_a_slash_is_bound_to_its_directory() {
    let tree = Tree::of(&["a/gen.rs", "b/a/gen.rs", "gen.rs"]);
    tree.write(".gitignore", "/a/gen.rs\n/gen.rs\n");
    assert_eq!(tree.files(), ["b/a/gen.rs"]);
}

#[test]
fn a_directory_pattern_does_not_match_a_file_of_that_name() {
    let tree = Tree::of(&["a/tmp/x", "b/tmp"]);
    tree.write(".gitignore", "tmp/\n");
    assert_eq!(tree.files(), ["b/tmp"]);
}

#[test]
fn gitignore_applies_outside_of_repositories() {
    let tree = Tree::of(&["a.rs", "b.rs"]);
    tree.write(".gitignore", "b.rs\n");
    assert_eq!(tree.files(), ["a.rs"]);
}

#[test]
fn each_ignore_file_is_honoured() {
    for name in [
        ".cursorignore",
        ".aiignore",
        ".aiexclude",
        ".continueignore",
        ".geminiignore",
        ".codeiumignore",
        ".aiderignore",
        ".clineignore",
        ".rooignore",
        ".kilocodeignore",
        ".augmentignore",
        ".ignore",
        ".forewordignore",
    ] {
        let tree = Tree::of(&["a.rs", "sub/a.rs", "sub/b.rs"]);
        tree.write(&format!("sub/{name}"), "# no\na.rs\n");
        assert_eq!(tree.files(), ["a.rs", "sub/b.rs"], "{name}");
        assert_eq!(tree.reason("sub/a.rs"), format!("ignored by sub/{name}:2: a.rs"));
    }
}

#[test]
fn an_empty_aiexclude_hides_its_directory() {
    let tree = Tree::of(&["a.rs", "private/b.rs", "private/deep/c.rs"]);
    tree.write("private/.aiexclude", "");
    assert_eq!(tree.files(), ["a.rs"]);
    assert_eq!(
        tree.reason("private/deep"),
        "ignored by private/.aiexclude: (the file is empty: everything)"
    );
}

#[test]
fn forewordignore_includes_what_other_files_ignore() {
    let tree = Tree::of(&["gen/a.rs", "gen/b.rs"]);
    tree.write(".gitignore", "gen/*\n")
        .write(".cursorignore", "a.rs\n")
        .write(".forewordignore", "!a.rs\n");
    assert_eq!(tree.files(), ["gen/a.rs"]);
    assert!(tree.found("gen/a.rs").inclusion == Inclusion::Explicit);
}

#[test]
fn forewordignore_includes_what_built_in_rules_exclude() {
    let tree = Tree::of(&[
        "node_modules/x/i.js",
        ".vscode/s.json",
        "Cargo.lock",
        "a.min.js",
        ".idea/x.xml",
    ]);
    assert_eq!(tree.files(), Vec::<String>::new());
    tree.write(".forewordignore", "!node_modules/\n!.vscode/\n!Cargo.lock\n!a.min.js\n");
    assert_eq!(tree.files(), [".vscode/s.json", "Cargo.lock", "a.min.js", "node_modules/x/i.js"]);
}

#[test]
fn other_ignore_files_cannot_include_what_built_in_rules_exclude() {
    let tree = Tree::of(&["node_modules/x/i.js", "a.rs"]);
    tree.write(".gitignore", "/*\n!*/\n!a.rs\n");
    assert_eq!(tree.files(), ["a.rs"]);
}

#[test]
fn rules_of_the_caller_override_all_files() {
    let tree = Tree::of(&["a.rs", "b.rs"]);
    tree.write(".forewordignore", "!a.rs\nb.rs\n");
    let rules = vec!["a.rs".to_string(), "!b.rs".to_string()];
    let walk = tree.walk_with(&WalkConfig { rules, ..everything() });
    assert_eq!(paths(&walk), ["b.rs"]);
    let skipped = &walk.skipped[0];
    assert_eq!(skipped.reason.to_string(), "ignored by configuration:1: a.rs");
}

#[test]
fn global_excludes_are_the_weakest() {
    let home = Tree::new();
    home.write("excludes", "*.bak\n/top.rs\n");
    let tree = Tree::of(&["a.bak", "b.bak", "sub/top.rs", "top.rs"]);
    tree.write(".gitignore", "!b.bak\n");
    let config = WalkConfig { global_excludes: Some(home.path("excludes")), ..everything() };
    assert_eq!(paths(&tree.walk_with(&config)), ["b.bak", "sub/top.rs"]);
}

#[test]
fn secrets_are_excluded_whatever_ignore_files_say() {
    let tree = Tree::of(&[
        ".env",
        ".env.example",
        "deep/server.pem",
        "deep/id_rsa",
        ".ssh/config",
        "a.rs",
    ]);
    tree.write(".forewordignore", "!*\n!.*\n");
    assert_eq!(tree.files(), [".env.example", "a.rs"]);
    assert_eq!(tree.reason("deep/server.pem"), "may contain secrets (pem)");
}

#[test]
fn no_ignore_file_of_a_repository_brings_a_secret_back() {
    for name in [".forewordignore", ".cursorignore", ".geminiignore", ".ignore", ".gitignore"] {
        let tree = Tree::of(&[".env", "deep/.env", ".ssh/config", "a.rs"]);
        tree.write(name, "!.env\n!**/.env\n!.ssh/\n!.ssh/config\n!*\n");
        tree.write(&format!("deep/{name}"), "!.env\n");
        assert_eq!(tree.files(), ["a.rs"], "{name}");
        assert_eq!(tree.reason("deep/.env"), "may contain secrets (.env*)", "{name}");
        assert_eq!(tree.reason(".ssh"), "may contain secrets (.ssh)", "{name}");
    }
}

#[test]
fn neither_rules_of_the_caller_nor_global_excludes_bring_a_secret_back_by_accident() {
    let home = Tree::new();
    home.write("excludes", "!.env\n");
    let tree = Tree::of(&[".env", "a.rs"]);
    let config = WalkConfig {
        rules: vec!["!*".into(), "!.env".into()],
        global_excludes: Some(home.path("excludes")),
        ..everything()
    };
    assert_eq!(paths(&tree.walk_with(&config)), ["a.rs"]);
}

#[test]
fn a_gemini_file_is_obeyed_however_another_file_includes_the_path() {
    let tree = Tree::of(&["plans/next.md", "a.rs"]);
    tree.write(".geminiignore", "plans/\n").write(".cursorignore", "!plans/\n");
    assert_eq!(tree.files(), ["a.rs"]);
    assert_eq!(tree.reason("plans"), "ignored by .geminiignore:1: plans/");
}

#[test]
fn an_index_inside_the_tree_is_no_part_of_it() {
    let tree =
        Tree::of(&["a.rs", "idx/tool-1/v5/segments/1.segment", "idx/tool-1/v5/views/k.manifest"]);
    // The layout before version directories.
    tree.write("old/segments/1.segment", "x").write("old/views/k.manifest", "x");
    // A project may have directories with these names.
    tree.write("app/segments/s.py", "x").write("app/views/v.py", "x");
    tree.write(".forewordignore", "!idx/\n!old/\n");
    assert_eq!(tree.files(), ["a.rs", "app/segments/s.py", "app/views/v.py"]);
    assert_eq!(tree.reason("idx/tool-1/v5"), "an index of foreword");
    assert_eq!(tree.reason("old"), "an index of foreword");
}

#[test]
fn only_the_caller_can_except_a_file_from_the_secrets() {
    let tree = Tree::of(&["tests/ca.pem", "live.pem"]);
    let config = WalkConfig { not_secret: vec!["tests/*.pem".into()], ..everything() };
    assert_eq!(paths(&tree.walk_with(&config)), ["tests/ca.pem"]);
}

#[test]
fn build_directories_need_proof() {
    let tree = Tree::of(&[
        "target/a.rs",
        "crate/Cargo.toml",
        "crate/target/b.rs",
        "build/c.py",
        "dist/d.js",
    ]);
    tree.write("app/App.csproj", "").write("app/obj/e.cs", "");
    assert_eq!(
        tree.files(),
        ["app/App.csproj", "build/c.py", "crate/Cargo.toml", "dist/d.js", "target/a.rs"]
    );
    assert!(
        tree.reason("crate/target").starts_with("vendored or built (target beside Cargo.toml)")
    );
}

#[test]
fn environments_and_caches_are_recognised_by_their_contents() {
    let tree = Tree::of(&[
        "env/pyvenv.cfg",
        "env/lib/x.py",
        "cache/data.txt",
        "vendor/modules.txt",
        "vendor/x/y.go",
    ]);
    tree.write("cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    tree.write("plain/CACHEDIR.TAG", "no signature\n");
    assert_eq!(tree.files(), ["plain/CACHEDIR.TAG"]);
    assert!(tree.reason("env").contains("pyvenv.cfg inside"));
    tree.write(".forewordignore", "!env/\n");
    assert_eq!(tree.files(), ["env/lib/x.py", "env/pyvenv.cfg", "plain/CACHEDIR.TAG"]);
}

#[test]
fn a_root_is_walked_whatever_it_contains() {
    let tree = Tree::of(&["pyvenv.cfg", "lib/x.py"]);
    assert_eq!(tree.files(), ["lib/x.py", "pyvenv.cfg"]);
}

#[test]
fn hidden_files_are_in_and_hidden_directories_are_not() {
    let tree = Tree::of(&[".eslintrc.js", ".github/workflows/ci.yml", ".idea/x.xml"]);
    assert_eq!(tree.files(), [".eslintrc.js", ".github/workflows/ci.yml"]);
    assert!(tree.reason(".idea").starts_with("hidden directory"));
}

#[test]
fn routine_reasons_are_recorded_only_on_request() {
    let tree = Tree::of(&["a.log", ".idea/x", "b.png"]);
    tree.write(".gitignore", "*.log\n");
    let codes = |config: &WalkConfig| {
        tree.walk_with(config)
            .skipped
            .iter()
            .map(|skipped| skipped.reason.code())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(&WalkConfig::default()), ["binary"]);
    assert_eq!(codes(&everything()), ["hidden", "ignored", "binary"]);
}

#[test]
fn an_ignore_file_with_a_mark_and_windows_lines_works() {
    let tree = Tree::of(&["a.log", "b.log", "c.rs"]);
    tree.write(".gitignore", "\u{feff}a.log\r\nb.log\r\n");
    assert_eq!(tree.files(), ["c.rs"]);
    assert_eq!(tree.reason("b.log"), "ignored by .gitignore:2: b.log");
}

#[test]
fn a_directory_named_like_an_ignore_file_is_not_one() {
    let tree = Tree::of(&["a.rs", ".ignore/x"]);
    assert_eq!(tree.files(), ["a.rs"]);
}

#[test]
fn an_ignore_file_of_too_many_lines_hides_everything_beside_it() {
    let lines = |n: usize| (0..n).map(|it| format!("/out{it}/\n")).collect::<String>();
    let tree = Tree::of(&["a.rs", "long/a.rs", "long/out9999/a.rs", "longer/a.rs"]);
    tree.write("long/.gitignore", lines(10_000)).write("longer/.gitignore", lines(10_001));
    assert_eq!(tree.files(), ["a.rs", "long/a.rs"]);
    assert_eq!(
        tree.reason("longer/a.rs"),
        "ignored by longer/.gitignore: (the file has more than 10,000 lines or 512 KiB: everything)"
    );
}

#[test]
fn too_many_patterns_in_all_ignore_files_are_an_error_on_any_number_of_threads() {
    let lines: String = (0..10_000).map(|it| format!("out{it}\n")).collect();
    let tree = Tree::of(&["a.rs"]);
    for n in 0..20 {
        tree.write(&format!("p{n}/.gitignore"), &*lines);
    }
    assert_eq!(tree.files(), ["a.rs"]);
    tree.write("p20/.gitignore", "/out/\n");
    for threads in [1, 4] {
        let config = WalkConfig { threads, ..WalkConfig::default() };
        let error = walk(&tree.root, &config).unwrap_err().to_string();
        assert!(error.contains("more than 200000 patterns"), "{error}");
    }
}
