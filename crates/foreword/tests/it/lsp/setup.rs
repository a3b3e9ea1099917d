//! The blocks to paste that docs/editors.md gives: each is what its editor reads, and starts this server.

use std::process::Command;

use foreword_chunk::Language;
use serde_json::{Value, json};

use super::block;
use crate::skipped;

#[test]
fn the_configuration_of_helix_keeps_the_languages_own_server() {
    let table: toml::Table = block("Helix", "toml").parse().unwrap();
    let it = serde_json::to_value(table).unwrap();
    assert_eq!(
        it["language-server"]["foreword"],
        json!({ "command": "foreword", "args": ["lsp"] })
    );
    for language in it["language"].as_array().unwrap() {
        let servers = language["language-servers"].as_array().unwrap();
        assert!(language["name"].is_string() && servers.len() > 1, "{language}");
        assert!(servers.contains(&"foreword".into()), "{language}");
    }
}

#[test]
fn the_configuration_of_zed_keeps_the_languages_own_server() {
    let it: Value = serde_json::from_str(block("Zed", "json")).unwrap();
    let binary = &it["lsp"]["foreword"]["binary"];
    assert_eq!(*binary, json!({ "path": "foreword", "arguments": ["lsp"] }));
    for language in it["languages"].as_object().unwrap().values() {
        assert_eq!(language["language_servers"], json!(["foreword", "..."]), "{language}");
    }
}

#[test]
fn the_configurations_of_coc_and_jupyterlab_start_this_server() {
    let it: Value = serde_json::from_str(block("with [coc]", "json")).unwrap();
    let server = &it["languageserver"]["foreword"];
    assert_eq!((&server["command"], &server["args"]), (&json!("foreword"), &json!(["lsp"])));
    let it: Value = serde_json::from_str(block("jupyterlab-lsp", "json")).unwrap();
    let server = &it["LanguageServerManager"]["language_servers"]["foreword"];
    assert_eq!((&server["argv"], &server["version"]), (&json!(["foreword", "lsp"]), &json!(2)));
}

#[test]
fn the_template_for_jetbrains_maps_every_language_of_code() {
    let template = include_str!("../../../../../editors/jetbrains/template.json");
    let template: Value = serde_json::from_str(template).unwrap();
    assert_eq!(template["programArgs"]["default"], "foreword lsp");
    // Without one LSP4IJ links to a page of its own, which it has only for its templates.
    assert!(template["url"].as_str().unwrap().ends_with("docs/editors.md"));
    let mut mapped = Vec::new();
    let mut names = Vec::new();
    for it in template["fileTypeMappings"].as_array().unwrap() {
        for pattern in it["fileType"]["patterns"].as_array().unwrap() {
            let file = pattern.as_str().unwrap().replace('*', "x");
            let language = Language::of_path(&file, "").unwrap_or_else(|| panic!("{file}"));
            assert!(it["languageId"].is_string());
            mapped.push(language);
            names.push(file);
        }
    }
    let is_missing = |it: &&Language| it.is_code() && it.has_grammar() && !mapped.contains(it);
    let missing: Vec<&str> = Language::ALL.iter().filter(is_missing).map(|it| it.name()).collect();
    for name in ["Makefile", "Dockerfile", "Gemfile", "Rakefile"] {
        assert!(names.iter().any(|it| it == name), "{name}");
    }
    // Editors of JetBrains open notebooks with a viewer of their own.
    assert_eq!(missing, ["notebook"]);
    let options = include_str!("../../../../../editors/jetbrains/initializationOptions.json");
    let options: Value = serde_json::from_str(options).unwrap();
    let repository = crate::Repository::new("//- a.py\nx = 1\n");
    let (editor, _) = super::Editor::with(&repository, &json!({}), &options);
    assert!(editor.aside.iter().all(|it| it["method"] != "window/showMessage"));
    editor.end();
}

#[test]
fn the_configuration_of_vs_code_is_a_setting_of_the_extension() {
    let it: Value =
        serde_json::from_str(block("where the program is not on the path", "json")).unwrap();
    let manifest = include_str!("../../../../../editors/vscode/package.json");
    let manifest: Value = serde_json::from_str(manifest).unwrap();
    let known = &manifest["contributes"]["configuration"]["properties"];
    for (name, value) in it.as_object().unwrap() {
        assert_eq!(known[name]["type"], "string", "{name}");
        assert!(value.is_string());
    }
}

/// Brackets that are open at the end, outside of strings; `None` when one too many is closed.
fn open_brackets(lisp: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for c in lisp.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => in_string = !in_string,
            '(' if !in_string => depth += 1,
            ')' if !in_string => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (!in_string).then_some(depth)
}

#[test]
fn the_configuration_of_emacs_is_lisp_and_starts_the_server() {
    let test = "lsp::setup::the_configuration_of_emacs_is_lisp_and_starts_the_server";
    let lisp = block("Emacs", "elisp");
    assert_eq!(open_brackets(lisp), Some(0), "{lisp}");
    assert!(lisp.contains("'(\"foreword\" \"lsp\")"), "{lisp}");
    let emacs = std::env::var("FOREWORD_EMACS").unwrap_or_default();
    if emacs.is_empty() {
        return skipped(test, "FOREWORD_EMACS is not set, see ci/emacs; brackets were counted");
    }
    let home = tempfile::tempdir().unwrap();
    let program = format!(
        "(progn (package-initialize)
                (unless (require 'lsp-mode nil t) (princ \"no lsp-mode\") (kill-emacs))
                {lisp}
                (let ((it (gethash 'foreword lsp-clients)))
                  (prin1 (list (lsp--client-add-on? it)
                               (funcall (lsp--client-activation-fn it) \"a.py\" 'python-mode)
                               (and (plist-get (lsp--client-new-connection it) :connect) t)))))"
    );
    let mut command = Command::new(emacs);
    command.args(["--batch", "--eval", &program]).env("HOME", home.path());
    let output = command.current_dir(home.path()).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    if out.trim() == "no lsp-mode" {
        return skipped(test, "Emacs has no lsp-mode; brackets were counted");
    }
    assert_eq!(out.trim(), "(t t t)", "{output:?}");
}
