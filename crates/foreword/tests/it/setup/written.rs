//! `foreword setup`: what it writes into the files of agents, and that it takes exactly that out again.

use std::path::PathBuf;

use serde_json::Value;

use crate::{Repository, Run};

/// Runs `foreword setup` with a home of the test and no agent on the path.
fn setup(repository: &Repository, args: &[&str]) -> Run {
    let mut command = repository.command(&["setup"]);
    Run::of(
        &command
            .args(args)
            .env("PATH", "/nowhere")
            .env_remove("CODEX_HOME")
            .env_remove("CLAUDE_CONFIG_DIR")
            .output()
            .unwrap(),
    )
}

fn home(repository: &Repository) -> PathBuf {
    repository.index().with_file_name("home")
}

/// A user's file of each form, with comments and another server.
const FILES: [(&str, &str, &str); 13] = [
    (
        "claude",
        ".claude.json",
        "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\" }\n  },\n  \"projects\": {}\n}",
    ),
    (
        "codex",
        ".codex/config.toml",
        "model = \"m\" # mine\n\n[mcp_servers.other]\ncommand = \"x\"\n",
    ),
    (
        "vscode",
        "config/Code/User/mcp.json",
        "{\n\t// mine\n\t\"servers\": {\n\t\t\"other\": { \"command\": \"x\" }, // last\n\t},\n\t\"inputs\": []\n}\n",
    ),
    ("cursor", ".cursor/mcp.json", "{ \"mcpServers\": { \"other\": { \"command\": \"x\" } } }\n"),
    ("zed", "config/zed/settings.json", "// Zed\n{\n  \"theme\": \"One\", // dark\n}\n"),
    ("copilot", ".copilot/mcp-config.json", "{\r\n  \"mcpServers\": {}\r\n}\r\n"),
    ("gemini", ".gemini/settings.json", "{}"),
    ("antigravity", ".gemini/config/mcp_config.json", ""),
    ("qwen", ".qwen/settings.json", "{\n  \"a\": [\n    1\n  ] /* end */\n}\n"),
    (
        "opencode",
        "config/opencode/opencode.jsonc",
        "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n  },\n}\n",
    ),
    (
        "cline",
        ".cline/data/settings/cline_mcp_settings.json",
        "{\"mcpServers\":{\"other\":{\"command\":\"x\"}}}",
    ),
    ("windsurf", ".codeium/windsurf/mcp_config.json", "\u{feff}{\n    \"mcpServers\": { }\n}"),
    (
        "junie",
        ".junie/mcp/mcp.json",
        "{\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
    ),
];

#[test]
fn foreign_files_keep_their_bytes_and_get_them_back() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let home = home(&repository);
    let read = |path: &str| std::fs::read_to_string(home.join(path)).unwrap();
    for (_, path, text) in FILES {
        std::fs::create_dir_all(home.join(path).parent().unwrap()).unwrap();
        std::fs::write(home.join(path), text).unwrap();
    }
    let run = setup(&repository, &[]);
    assert_eq!((run.code, FILES.map(|it| read(it.1))), (1, FILES.map(|it| it.2.to_owned())));
    assert!(run.out.contains('+') && run.err.contains("nothing was written"), "{run:?}");

    assert_eq!(setup(&repository, &["--yes"]).code, 0);
    let written = FILES.map(|it| read(it.1));
    for ((client, _, before), after) in FILES.iter().zip(&written) {
        assert!(after.contains("foreword"), "{client}: {after}");
        let mut rest = after.chars();
        let is_kept = before.chars().all(|c| rest.any(|it| it == c));
        assert!(is_kept, "{client}: something is missing or moved:\n{after}");
    }
    let again = setup(&repository, &["--yes"]);
    assert_eq!((again.code, FILES.map(|it| read(it.1))), (0, written));
    assert_eq!(again.out.matches("has foreword already").count(), FILES.len(), "{again:?}");

    assert_eq!(setup(&repository, &["--undo", "--yes"]).code, 0);
    assert_eq!(FILES.map(|it| read(it.1)), FILES.map(|it| it.2.to_owned()));
}

#[test]
fn a_project_gets_files_of_its_own_and_loses_them_again() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let clients = ["claude", "codex", "copilot", "qwen", "vscode", "continue"];
    let args = |more: &[&'static str]| [&clients[..], &["--project", "--yes"], more].concat();
    let run = setup(&repository, &args(&[]));
    assert!(run.code == 0 && run.out.contains("Claude Code, Copilot CLI, Qwen Code: "), "{run:?}");
    let value = |path: &str| -> Value {
        let text = std::fs::read_to_string(repository.root().join(path)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(value(".mcp.json")["mcpServers"]["foreword"]["command"], "foreword");
    assert_eq!(value(".vscode/mcp.json")["servers"]["foreword"]["type"], "stdio");
    assert!(repository.root().join(".continue/mcpServers/foreword.json").is_file());
    assert!(!home(&repository).join(".claude.json").exists());
    assert_eq!(setup(&repository, &args(&["--undo"])).code, 0);
    for path in [".mcp.json", ".codex/config.toml", ".vscode/mcp.json"] {
        assert!(!repository.root().join(path).exists(), "{path}");
    }
    let run = setup(&repository, &["--project", "--undo"]);
    assert!(run.code == 0 && run.out == "nothing to undo\n", "{run:?}");
}

#[test]
fn a_malformed_file_is_named_and_not_touched_and_the_others_are_written() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let home = home(&repository);
    let broken = "{ \"mcpServers\": { ";
    std::fs::create_dir_all(home.join(".cursor")).unwrap();
    std::fs::write(home.join(".cursor/mcp.json"), broken).unwrap();
    let run = setup(&repository, &["cursor", "claude", "--yes"]);
    assert!(run.code == 1 && run.out.contains(".cursor/mcp.json: "), "{run:?}");
    assert!(run.out.contains("not touched"), "{run:?}");
    assert_eq!(std::fs::read_to_string(home.join(".cursor/mcp.json")).unwrap(), broken);
    assert!(home.join(".claude.json").is_file());
    setup(&repository, &["emacs"]).fails(2, &["`emacs`", "claude, codex"]);
}

#[test]
fn an_entry_of_the_user_is_kept() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let file = home(&repository).join(".cursor/mcp.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let own =
        "{ \"mcpServers\": { \"code\": { \"command\": \"/opt/foreword\", \"args\": [\"mcp\"] } } }";
    std::fs::write(&file, own).unwrap();
    let run = setup(&repository, &["cursor", "--yes"]);
    assert!(run.code == 0 && run.out.contains("has foreword already"), "{run:?}");
    let edited = own.replace("code", "foreword");
    std::fs::write(&file, &edited).unwrap();
    let run = setup(&repository, &["cursor", "--undo", "--yes"]);
    assert!(run.code == 1 && run.out.contains("take it out by hand"), "{run:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_at_home_and_refused_in_a_project() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let home = home(&repository);
    std::fs::create_dir_all(home.join("dotfiles")).unwrap();
    let target = home.join("dotfiles/claude.json");
    std::fs::write(&target, "{}").unwrap();
    std::os::unix::fs::symlink(&target, home.join(".claude.json")).unwrap();
    std::os::unix::fs::symlink(&target, repository.root().join(".mcp.json")).unwrap();
    let run = setup(&repository, &["claude", "--project", "--yes"]);
    assert!(run.code == 1 && run.out.contains("leads out of the repository"), "{run:?}");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "{}");
    assert_eq!(setup(&repository, &["claude", "--yes"]).code, 0);
    assert!(std::fs::read_to_string(&target).unwrap().contains("foreword"));
    assert!(home.join(".claude.json").is_symlink());
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_said_before_and_the_others_are_written() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let repository = Repository::new("//- a.py\nx = 1\n");
    let home = home(&repository);
    for it in [".cursor/mcp.json", ".qwen"] {
        std::fs::create_dir_all(home.join(it)).unwrap();
    }
    let locked = home.join(".claude.json");
    std::fs::write(&locked, "{}").unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o444)).unwrap();
    symlink(home.join("nowhere.json"), home.join(".qwen/settings.json")).unwrap();
    let run = setup(&repository, &["claude", "cursor", "qwen", "junie", "--yes"]);
    for (file, why) in [
        (".claude.json", "is read-only"),
        (".cursor/mcp.json", "is not a file"),
        (".qwen/settings.json", "is a link to a file that does not exist"),
    ] {
        assert!(run.out.contains(&format!("{file}: {why}; not touched")), "{why}: {run:?}");
    }
    assert!(run.code == 1 && home.join(".junie/mcp/mcp.json").is_file(), "{run:?}");
    assert_eq!(std::fs::read_to_string(&locked).unwrap(), "{}");
    assert_eq!(setup(&repository, &["junie", "--undo", "--yes"]).code, 0);
    assert!(!home.join(".junie").exists(), "empty directories are left");
}

#[test]
fn an_entry_for_one_project_is_no_entry_for_all() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let root = repository.root().canonicalize().unwrap();
    let servers = serde_json::json!({ "foreword": { "command": "foreword", "args": ["mcp"] } });
    let of_project =
        serde_json::json!({ "projects": { (root.to_str().unwrap()): { "mcpServers": servers } } });
    let file = home(&repository).join(".claude.json");
    std::fs::create_dir_all(home(&repository)).unwrap();
    std::fs::write(&file, of_project.to_string()).unwrap();
    assert_eq!(setup(&repository, &["claude", "--yes"]).code, 0);
    let after: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(after["mcpServers"], servers);
    assert_eq!(after["projects"], of_project["projects"]);
}

#[test]
fn a_shared_file_is_undone_by_each_of_its_clients() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let file = repository.root().join(".mcp.json");
    for (adds, undoes) in [("claude", "copilot"), ("copilot", "qwen")] {
        assert_eq!(setup(&repository, &[adds, "--project", "--yes"]).code, 0);
        let run = setup(&repository, &[undoes, "--project", "--undo", "--yes"]);
        assert!(run.code == 0 && !file.exists(), "{run:?}");
    }
}

#[test]
fn what_the_user_added_to_a_table_is_not_moved_by_undo() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let file = home(&repository).join(".codex/config.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for (before, more) in
        [("a = 1\n", "env = {}\n"), ("[t]\n", "\n[mcp_servers.foreword.env]\nA = \"b\"\n")]
    {
        std::fs::write(&file, before).unwrap();
        assert_eq!(setup(&repository, &["codex", "--yes"]).code, 0);
        let edited = std::fs::read_to_string(&file).unwrap() + more;
        std::fs::write(&file, &edited).unwrap();
        let run = setup(&repository, &["codex", "--undo", "--yes"]);
        assert!(run.code == 1 && run.out.contains("take it out by hand"), "{run:?}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
    }
    let text = "s = \"\"\"\n[mcp_servers.foreword]\n\"\"\"\n";
    std::fs::write(&file, text).unwrap();
    assert_eq!(setup(&repository, &["codex", "--yes"]).code, 0);
    assert_eq!(setup(&repository, &["codex", "--undo", "--yes"]).code, 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}
