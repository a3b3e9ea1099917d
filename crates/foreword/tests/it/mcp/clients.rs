//! Third-party clients, where they are installed: the Python SDK (`ci/python`) and MCP Inspector (`ci/inspector/install`).

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::SMALL;
use crate::{Repository, Run, installed};

#[test]
fn the_python_sdk_searches_reads_and_receives_progress() {
    let test = "mcp::clients::the_python_sdk_searches_reads_and_receives_progress";
    for mode in ["auto", "legacy"] {
        asked_by_the_sdk(test, &super::many(), env!("CARGO_BIN_EXE_foreword"), mode);
    }
}

/// Runs the Python SDK against a server of the repository: one that it starts, or a URL.
pub(crate) fn asked_by_the_sdk(test: &str, repository: &Repository, target: &str, mode: &str) {
    let Some(python) = installed(test, "python/bin/python") else { return };
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/mcp/sdk.py");
    let output = Command::new(&python)
        .arg(&script)
        .args([target, mode])
        .args([repository.root(), repository.index()])
        .output()
        .unwrap();
    let run = Run::of(&output);
    assert_eq!((run.code, run.out.trim()), (0, "done"), "{mode}: {run:?}");
}

#[test]
fn mcp_inspector_lists_and_calls_in_both_eras_and_accepts_the_schemas() {
    let test = "mcp::clients::mcp_inspector_lists_and_calls_in_both_eras_and_accepts_the_schemas";
    let repository = Repository::new(SMALL);
    repository.run(&["index"]);
    let index = format!("FOREWORD_INDEX_DIR={}", repository.index().display());
    let program = env!("CARGO_BIN_EXE_foreword");
    inspected(test, &repository, &[program, "mcp", "-e", &index, "-e", "FOREWORD_STRUCTURED=1"]);
}

/// Runs MCP Inspector against a server of the repository, in both eras.
pub(crate) fn inspected(test: &str, repository: &Repository, target: &[&str]) {
    let Some(node) = installed(test, "inspector/node") else { return };
    let launcher =
        "inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
    let Some(launcher) = installed(test, launcher) else { return };
    let inspect = |era: &str, args: &[&str]| -> Value {
        let output = Command::new(&node)
            .arg(&launcher)
            .arg("--cli")
            .args(target)
            .args(["--protocol-era", era])
            .args(args)
            .current_dir(repository.root())
            .output()
            .unwrap();
        let run = Run::of(&output);
        assert_eq!(run.code, 0, "{era}: {run:?}");
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("no JSON: {run:?}"))
    };
    for era in ["legacy", "modern"] {
        let tools = inspect(era, &["--strict", "--method", "tools/list"]);
        assert_eq!(tools["tools"].as_array().unwrap().len(), 4, "{era}: {tools}");
        let call = ["--method", "tools/call", "--tool-name", "search"];
        let arguments = ["--tool-arg", "query=open_session", "wait_ms=20000"];
        let found = inspect(era, &[&call[..], &arguments].concat());
        assert_eq!(
            found["structuredContent"]["results"][0]["path"], "src/session.py",
            "{era}: {found}"
        );
        let resources = inspect(era, &["--method", "resources/list"]);
        let names: Vec<&Value> =
            resources["resources"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert!(names.contains(&&json!("src/clock.py")), "{era}: {resources}");
    }
}
