//! What a person meets at a shell: paths that are pasted back, proposals, help, completion, other encodings.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::{Repository, Run, foreword, paths, skipped};

const NESTED: &str = "
//- readme.md
# Store

How the store works.
//- lib/store/store.py
class Store:
    def redirect(self, place):
        return place
//- lib/other.py
def elsewhere(store):
    return store.redirect(1)
//- lib/store/lib/twin.py
def twin():
    return 1
";

/// A command in a directory of a repository.
fn run_in(repository: &Repository, directory: &str, args: &[&str]) -> Run {
    let directory = repository.root().canonicalize().unwrap().join(directory);
    Run::of(&foreword(&directory, &repository.index()).args(args).output().unwrap())
}

fn nested() -> Repository {
    let repository = Repository::new(NESTED);
    repository.git(&["init", "-q"]);
    repository
}

/// The first place that a search in a directory prints.
fn printed_in(repository: &Repository, directory: &str) -> String {
    let found = run_in(repository, directory, &["search", "redirect"]);
    found.out.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn what_an_answer_prints_can_be_pasted_back_from_any_directory() {
    let repository = nested();
    assert_eq!(printed_in(&repository, ""), "lib/store/store.py:2-3");
    assert_eq!(printed_in(&repository, "lib"), "store/store.py:2-3");
    assert_eq!(printed_in(&repository, "lib/store/lib"), "../store.py:2-3");
    let absolute = repository.root().canonicalize().unwrap().join("lib/store/store.py");
    let [exact, colon] = ["lib/store/store.py:2-3", "lib/store/store.py:"];
    for directory in ["", "lib", "lib/store"] {
        let printed = printed_in(&repository, directory);
        for file in [printed.as_str(), exact, colon, absolute.to_str().unwrap()] {
            for args in [
                &["context", file, "--explain"][..],
                &["symbols", "--file", file],
                &["status", file],
                &["chunk", file],
                &["search", "redirect", "-p", file],
                &["map", file],
            ] {
                let run = run_in(&repository, directory, args);
                assert!(run.code == 0 && run.out.contains("store.py"), "{args:?}: {run:?}");
            }
        }
    }
}

#[test]
fn a_path_is_looked_for_in_the_working_directory_first() {
    let repository = nested();
    let below = |directory: &str, path: &str| {
        let args = ["search", "redirect", "--exact", "--json", "-p", path];
        let run = run_in(&repository, directory, &args);
        let answer: serde_json::Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
        paths(&answer).iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(below("lib/store", "."), ["lib/store/store.py"]);
    assert_eq!(below("lib/store", "..").len(), 2);
    assert_eq!(below("lib", "other.py"), ["lib/other.py"]);
    // The working directory has a `lib` of its own.
    let run = run_in(&repository, "lib/store", &["symbols", "--file", "lib/twin.py"]);
    assert!(run.code == 0 && run.out.starts_with("lib/twin.py"), "{run:?}");
    let run = run_in(&repository, "", &["symbols", "--file", "lib/absent.py"]);
    run.fails(2, &["lib/absent.py is not in the index"]);
}

#[test]
fn definitions_come_before_headings_of_the_same_name() {
    let repository = Repository::new(NESTED);
    let run = repository.run(&["symbols", "Store"]);
    let first = run.out.lines().next().unwrap();
    assert!(first.starts_with("lib/store/store.py:1-3"), "{run:?}");
    assert!(run.out.contains("readme.md:"), "{run:?}");
}

#[test]
fn components_partials_and_resources_are_definitions() {
    let repository = Repository::new(
        "
//- ui/TheButton.vue
<template><b>ok</b></template>
//- ui/Page.vue
<template><TheButton /></template>
//- app/views/posts/_form.html.erb
<p>form</p>
//- main.tf
resource \"aws_nat_gateway\" \"this\" {
  count = 1
}
output \"gateway\" {
  value = aws_nat_gateway.this[0].id
}
",
    );
    let check = |name: &str, first: &str, use_of_it: &str| {
        let run = repository.run(&["symbols", name]);
        assert!(run.out.starts_with(first) && run.out.contains(use_of_it), "{name}: {run:?}");
    };
    check("TheButton", "ui/TheButton.vue:1", "ui/Page.vue:1");
    check("_form", "app/views/posts/_form.html.erb:1", "");
    check("form", "app/views/posts/_form.html.erb:1", "");
    check("aws_nat_gateway", "main.tf:1-3", "main.tf:5");
    check("aws_nat_gateway.this", "main.tf:1-3", "main.tf:5");
    let map = repository.run(&["map"]).out;
    assert!(map.contains("component TheButton"), "{map}");
}

#[test]
fn definitions_in_code_come_before_those_in_tests_and_built_files() {
    let repository = Repository::new(OPENED);
    let out = repository.run(&["symbols", "openShop"]).out;
    let places = out.lines().filter(|it| !it.starts_with(' ') && it.contains("  function "));
    let files: Vec<&str> = places.filter_map(|it| it.split(':').next()).collect();
    assert_eq!(files, ["src/shop.js", "spec/shop.spec.js", "dist/shop.js"], "{out}");
}

const OPENED: &str = "
//- dist/shop.js
function openShop(name) {
  return name
}
//- src/shop.js
export function openShop(name) {
  return name
}
//- spec/shop.spec.js
function openShop(name) {
  return name
}
";

#[test]
fn a_file_is_outlined_where_a_key_has_the_name_of_its_extension() {
    let repository = Repository::new(NESTED);
    repository.write("Cargo.toml", "[package.metadata.docs.rs]\nall-features = true\n");
    repository.write("src/lib.rs", "pub fn open() {}\n");
    let out = repository.run(&["symbols", "src/lib.rs"]).out;
    assert!(out.starts_with("src/lib.rs\n") && out.contains("pub fn open()"), "{out}");
}

#[test]
fn a_misspelt_name_of_several_words_is_corrected_as_a_whole() {
    let repository = Repository::new(NESTED);
    let text =
        "def get(url, keep_open=True):\n    return keep_open\n\n\ndef kept():\n    return 1\n";
    repository.write("shop/http.py", text);
    let out = repository.run(&["search", "kep_open"]).out;
    let first = "nothing has \"kep_open\"; searched for keep_open\n";
    assert!(out.starts_with(first) && !out.contains("function kept"), "{out}");
}

#[test]
fn a_notebook_on_one_line_is_folded_as_code_and_receivers_are_scopes() {
    let code = "import os\\n\", \"def load(path):\\n\", \"    text = open(path)\\n\", \"    return text.read()";
    let cells = format!("[{{\"cell_type\": \"code\", \"source\": [\"{code}\"]}}]");
    let repository = Repository::new(NESTED);
    repository.write("a.ipynb", &format!("{{\"cells\": {cells}, \"metadata\": {{}}}}"));
    let out = repository.run(&["skeleton", "a.ipynb"]).out;
    assert!(out.contains("def load(path):\n    ...") && !out.contains("cell_type"), "{out}");
    let line = "\tx = x + 1\n".repeat(9);
    repository
        .write("a.go", &format!("package a\n\nfunc (e *Engine) Run() {{\n\tx := 1\n{line}}}\n"));
    let out = repository.run(&["chunk", "--json", "--max", "40", "a.go"]).out;
    assert!(out.contains("\"scope\":[\"Engine\",\"Run\"]"), "{out}");
}

#[test]
fn a_misspelt_name_is_told_first_and_what_it_may_mean_is_shown() {
    let repository = Repository::new(NESTED);
    let run = repository.run(&["search", "redirct"]);
    assert_eq!(run.code, 0);
    let (first, rest) = run.out.split_once('\n').unwrap();
    assert_eq!(first, "nothing has \"redirct\"; searched for redirect");
    assert!(rest.contains("def redirect"), "{run:?}");
}

#[test]
fn parts_of_a_name_that_does_not_exist_are_no_results() {
    let repository = Repository::new(NESTED);
    repository.write("a.py", "def follow(limit):\n    return limit\n");
    let run = repository.run(&["search", "follow_zebra_limit"]);
    assert_eq!((run.code, run.out.lines().count()), (1, 1), "{run:?}");
    assert!(run.out.starts_with("nothing in") && run.out.contains("follow_zebra_limit"), "{run:?}");
    // All parts together are evidence.
    repository.write("a.py", "def follow(zebra, limit):\n    return limit\n");
    let run = repository.run(&["search", "follow_zebra_limit"]);
    assert!(run.out.starts_with("nothing has \"follow_zebra_limit\"\n\na.py:1-2"), "{run:?}");
}

#[test]
fn a_query_needs_no_quotes_and_its_own_quotes_and_slashes_make_it_a_pattern() {
    let repository = Repository::new(NESTED);
    let check = |args: &[&str], same: &[&str]| {
        let (run, same) = (repository.run(args), repository.run(same));
        assert_eq!((run.code, &run.out), (0, &same.out), "{args:?}");
    };
    check(&["search", "where", "is", "redirect"], &["search", "where is redirect"]);
    check(&["search", "\"def redirect\""], &["search", "--exact", "def redirect"]);
    check(&["search", "/def red\\w+/"], &["search", "--regex", "def red\\w+"]);
}

#[test]
fn results_have_line_numbers_and_on_request_reasons() {
    let repository = Repository::new("");
    repository.write("a.py", "import os\n\n\ndef redirect(place):\n    return place\n");
    let run = repository.run(&["search", "redirect"]);
    let lines = "     4  def redirect(place):\n     5      return place\n\n";
    assert!(run.out.starts_with("a.py:4-5  function redirect\n"), "{run:?}");
    assert!(run.out.ends_with(lines), "{run:?}");
    let run = repository.run(&["search", "redirect", "--explain"]);
    assert!(run.out.contains("defines redirect"), "{run:?}");
    let run = repository.run(&["search", "--exact", "def redirect", "--around", "1"]);
    assert_eq!(run.out, format!("a.py:4:1  in redirect\n     3  \n{lines}"));
}

#[test]
fn carriage_returns_are_not_shown() {
    let repository = Repository::new("");
    repository.write("a.py", "def redirect(place):\r\n    return place\r\n");
    for args in [&["search", "redirect"][..], &["search", "--exact", "redirect", "--around", "1"]] {
        let run = repository.run(args);
        assert!(run.code == 0 && !run.out.contains(['\u{fffd}', '\r']), "{run:?}");
    }
}

#[test]
fn a_file_with_a_byte_of_latin_1_is_found_and_the_status_says_how_it_was_read() {
    let repository = Repository::new("//- b.py\nx = 1\n");
    repository.write_bytes("a.py", b"# by Andr\xe9\ndef redirect(place):\n    return place\n");
    assert_eq!(paths(&repository.json(&["search", "redirect", "--json"])), ["a.py"]);
    let run = repository.run(&["search", "--exact", "by Andr\u{e9}"]);
    assert!(run.code == 0 && run.out.contains("Andr\u{e9}"), "{run:?}");
    let status = repository.run(&["status", "a.py"]);
    assert!(status.out.contains("in the index, read as windows-1252"), "{status:?}");
}

#[test]
fn a_bare_repository_is_not_indexed_and_the_error_says_what_to_do() {
    let repository = Repository::new("//- hooks/update.sample\necho x\n");
    let bare = repository.dir.path().join("bare.git");
    repository.git(&["init", "-q", "--bare", bare.to_str().unwrap()]);
    for directory in [bare.clone(), bare.join("refs")] {
        let output = foreword(&directory, &repository.index()).args(["search", "x"]).output();
        let run = Run::of(&output.unwrap());
        run.fails(2, &["is a bare repository", "worktree add", "--rev HEAD"]);
    }
}

#[test]
fn global_options_are_in_the_help_of_the_program_alone() {
    let repository = Repository::new("");
    let help = |args: &[&str]| repository.run(args).out;
    let (own, general) = (help(&["search", "--help"]), help(&["--help"]));
    assert!(own.contains("--explain") && !own.contains("--index-dir"), "{own}");
    assert!(own.contains("Global options: foreword --help"), "{own}");
    assert!(general.contains("--index-dir") && !general.contains("--explain"), "{general}");
    // They are accepted all the same.
    assert_eq!(repository.run(&["search", "x", "--threads", "1", "--quiet"]).code, 1);
}

/// Names of commands, as `foreword --help` lists them.
fn commands(repository: &Repository) -> Vec<String> {
    let help = repository.run(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names =
        list.lines().filter_map(|it| it.strip_prefix("  ").filter(|it| !it.starts_with(' ')));
    let names = names.map(|it| it.split(' ').next().unwrap().to_owned());
    names.filter(|it| it != "help").collect()
}

/// Commands whose examples start a server, write into the home directory, or need a model or a cluster.
const NOT_RUN: [&str; 8] =
    ["speculate", "embed", "push", "mcp", "lsp", "serve", "completions", "man"];

/// Runs a line of a page or of a help in the shop, FILE and the like being places in it.
#[cfg(unix)]
fn works(repository: &Repository, line: &str) {
    let line = line.split("  #").next().unwrap().trim();
    if NOT_RUN.iter().any(|it| line.split(' ').nth(1) == Some(it)) {
        return;
    }
    let line = line.replace("FILE:LINE:COL", "shop/jobs.py:5:1").replace("LINE", "5");
    let line = line.replace("FILE", "shop/jobs.py").replace("FOLDER", "shop");
    let program = foreword(&repository.root(), &repository.index());
    let set = program.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line.replacen("foreword", "\"$FOREWORD\"", 1)]).envs(set);
    shell.env("FOREWORD", env!("CARGO_BIN_EXE_foreword")).current_dir(repository.root());
    let run = Run::of(&shell.output().unwrap());
    assert!(run.code <= 1 && !(run.out.is_empty() && run.err.is_empty()), "{line}: {run:?}");
}

#[cfg(unix)]
fn shop() -> Repository {
    let repository = Repository::new(crate::picture::SHOP);
    repository.git(&["init", "-q"]);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    repository
}

#[cfg(unix)]
#[test]
fn the_examples_of_every_help_work_in_any_repository() {
    let repository = shop();
    let commands = commands(&repository);
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        let help = repository.run(&[&command, "--help"]).out;
        assert!(!help.contains("(docs/"), "{help}");
        let examples = help.split("Examples:\n").nth(1).unwrap_or_else(|| panic!("{help}"));
        let examples: Vec<&str> = examples.split("\n\n").next().unwrap().lines().collect();
        assert!(examples.len() >= 2, "{help}");
        examples.into_iter().for_each(|it| works(&repository, it));
    }
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_pages_work_in_any_repository() {
    let repository = shop();
    let pages = [
        include_str!("../../../../README.md"),
        include_str!("../../../../docs/recipes.md"),
        include_str!("../../../../docs/ask.md"),
        include_str!("../../../../docs/next.md"),
        include_str!("../../../../docs/inspector.md"),
        include_str!("../../../../docs/configuration.md"),
    ];
    let blocks = pages.iter().flat_map(|it| it.split("```sh\n").skip(1));
    let lines = blocks.flat_map(|it| it.split("```").next().unwrap().lines());
    let lines: Vec<&str> = lines.filter(|it| it.starts_with("foreword ")).collect();
    assert!(lines.len() > 35, "{lines:?}");
    lines.into_iter().for_each(|it| works(&repository, it));
}

#[test]
fn shells_complete_the_names_of_models_languages_and_kinds() {
    let repository = Repository::new("");
    let script = |shell: &str| repository.run(&["completions", shell]).out;
    for shell in ["zsh", "fish"] {
        let script = script(shell);
        for name in ["starcoder2", "typescript", "constructor"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    let test = "command_line::shells_complete_the_names_of_models_languages_and_kinds";
    if Command::new("bash").arg("--version").stdout(Stdio::null()).status().is_err() {
        return skipped(test, "there is no bash");
    }
    let complete = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let program = format!(
            "{}\nCOMP_WORDS=({line}); COMP_CWORD={}; _foreword foreword '{}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            script("bash"),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let output = Command::new("bash").args(["-c", &program]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(complete("foreword search --lang typ"), "typescript");
    assert_eq!(complete("foreword search --kind construc"), "constructor");
    assert_eq!(complete("foreword context --model starcoder2"), "starcoder2");
    // A name that is not completed is taken as it is.
    let run = repository.run(&["search", "x", "--lang", "klingon"]);
    run.fails(2, &["klingon: no such language; there are python"]);
}

#[test]
fn the_manual_names_no_page_that_is_not_there() {
    let repository = Repository::new("");
    let page = repository.run(&["man"]).out;
    assert!(!page.contains("foreword\\-search") && !page.contains("(1)"), "{page}");
    let sections = ["EXAMPLES", "FILES", "ENVIRONMENT", "SEE ALSO", "FOREWORD_INDEX_DIR"];
    for word in ["foreword search", "regex", "foreword serve", "patience"].iter().chain(&sections) {
        assert!(page.contains(word), "{word}: {page}");
    }
}

#[test]
fn a_first_batch_that_takes_long_is_not_taken_for_another_process() {
    let repository = Repository::new("");
    let method = "    def method(self, a, b):\n        return {a: [b, self.c(a)(b)[0].d + 1]}\n";
    for n in 0..6 {
        let text = format!("class C{n}:\n{}", method.repeat(10_000));
        repository.write(&format!("c{n}.py"), &text);
    }
    let start = std::time::Instant::now();
    let run = repository.run(&["index", "--threads", "1"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(start.elapsed().as_secs_f64() > 1.0, "too quick to show anything");
    assert!(!run.err.contains("another process"), "{run:?}");
}

#[test]
fn an_index_command_waits_for_another_process_that_writes_and_uses_its_work() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    assert_eq!(repository.run(&["index"]).code, 0);
    repository.write("b.py", "def beta():\n    pass\n");
    let store = foreword_engine::index::Store::new(
        repository.store().parent().unwrap().to_owned(),
        foreword_engine::index::IndexConfig::default(),
    );
    let writer = store.try_write().unwrap().expect("nobody writes");
    let mut command = repository.command(&["index"]);
    let waiting = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(12));
    drop(writer);
    let run = Run::of(&waiting.wait_with_output().unwrap());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("another process is indexing this repository"), "{run:?}");
    assert!(!run.out.contains("not written"), "{run:?}");
}

#[test]
fn a_shell_completes_branches_tags_and_formats() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    repository.git(&["init", "-q"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "first"]);
    repository.git(&["branch", "feature/one"]);
    repository.git(&["branch", "$(touch${IFS}ran)"]);
    repository.git(&["branch", "`touch${IFS}ran`"]);
    repository.git(&["tag", "v1.0"]);
    let script = repository.run(&["completions", "bash"]).out;
    let complete = |words: &str| {
        let test = format!(
            "{script}\nCOMP_WORDS=({words} ''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMP_LINE='{words} '
            _foreword foreword '' \"${{COMP_WORDS[-2]}}\"; echo ${{COMPREPLY[@]}}"
        );
        // In a file: an argument may not have 128 kB.
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), test).unwrap();
        let mut bash = std::process::Command::new("bash");
        let output = bash.arg(file.path()).current_dir(repository.root()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    assert_eq!(complete("foreword search --rev"), "feature/one main v1.0\n");
    assert!(!repository.root().join("ran").exists(), "the name of a branch was run as a command");
    assert!(complete("foreword search --tag").contains("deprecated"));
    assert!(complete("foreword next --format").contains("sweep2"));
    for shell in ["fish", "zsh", "powershell", "elvish"] {
        assert!(!repository.run(&["completions", shell]).out.contains("FOREWORD_REVISIONS"));
    }
}

#[test]
fn a_hook_speaks_of_the_tools_where_the_shell_greps_and_never_denies() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let config = repository.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), "[").unwrap();
    assert_eq!(repository.run(&["search", "x"]).code, 2);
    let hook = |input: &str| {
        let mut command = repository.command(&["hook"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let run = Run::of(&child.wait_with_output().unwrap());
        assert_eq!((run.code, &*run.err), (0, ""), "{input}");
        run.out
    };
    let call = |tool: &str, command: &str| {
        json!({ "tool_name": tool, "tool_input": { "command": command }, "cwd": "/repo" })
            .to_string()
    };
    let said: serde_json::Value =
        serde_json::from_str(&hook(&call("Bash", "grep -rn x ."))).unwrap();
    let said = &said["hookSpecificOutput"];
    assert_eq!(said["hookEventName"], "PreToolUse");
    assert!(said["additionalContext"].as_str().unwrap().contains("`search`"));
    assert!(said.get("permissionDecision").is_none());
    for silent in ["", "{", "[]", "{\"tool_name\": 3}", &call("Bash", "ls"), &call("Read", "rg x")]
    {
        assert_eq!(hook(silent), "", "{silent}");
    }
}

#[test]
fn a_context_knows_the_uncommitted_changes_and_the_authors_last_commits() {
    let repository = crate::edited::repository();
    repository.git(&["init", "-q"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-q", "-m", "first"]);
    let by = |author: &str, file: &str| {
        repository.write(file, "changed = True\n");
        repository.git(&["add", "."]);
        let author = format!("{author} <{author}@example.com>");
        repository.git(&["commit", "-q", "-m", "more", "--author", &author]);
    };
    by("me", "pages/page_1.py");
    by("other", "pages/page_2.py");
    by("me", "pages/page_3.py");
    let session = || {
        let trace = repository.json(&["context", "report.py:2", "--budget", "2000", "--trace"]);
        let files = trace["session"]["files"].as_array().unwrap().clone();
        let files = files.iter().map(|it| it["path"].as_str().unwrap().to_owned());
        let pieces = trace["pieces"].as_array().unwrap().clone();
        let found = pieces.iter().any(|it| it["path"] == "vault/settle.py");
        (files.collect::<Vec<_>>(), found)
    };
    let committed = ["pages/page_3.py", "pages/page_1.py"].map(str::to_owned);
    assert_eq!(session(), (committed.to_vec(), false));
    let (before, after) = crate::edited::edited();
    repository.write("ledger.py", &(before + after));
    let (files, found) = session();
    assert_eq!(files, [&["ledger.py".to_owned()], &committed[..]].concat());
    assert!(found);
}
