//! The program, run as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod answers;
mod ask;
mod ask_help;
mod bad_input;
mod clean;
mod cluster;
mod cluster_chat;
mod cluster_doors;
mod cluster_patterns;
mod cluster_precise;
mod cluster_seed;
mod command_line;
mod complete;
mod concurrent;
mod contracts;
mod crash;
mod custom;
mod damage;
mod doors;
mod doubling;
mod edited;
mod embed;
mod environment;
mod feedback;
mod gguf;
mod host;
mod hostile;
mod inspector;
mod llama_cpp;
mod log;
mod lsp;
mod mcp;
mod neovim;
mod next;
mod next_model;
mod parse_outcomes;
mod parse_workers;
mod picture;
mod revision;
mod rights;
mod roles;
mod scip;
mod secret_files;
mod secrets;
mod serve;
mod setup;
mod speculate;
mod tools;
mod versions;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A directory with files, and a place for its index.
struct Repository {
    dir: tempfile::TempDir,
}

impl Repository {
    /// Files written as `//- path` headers with their text below.
    fn new(fixture: &str) -> Self {
        let res = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(res.root()).unwrap();
        let mut path = None;
        for line in fixture.trim_start_matches('\n').split_inclusive('\n') {
            if let Some(next) = line.strip_prefix("//- ") {
                path = Some(next.trim().to_owned());
                res.write(next.trim(), "");
            } else {
                let path = path.as_ref().expect("a fixture begins with `//- path`");
                let text = fs::read_to_string(res.root().join(path)).unwrap();
                res.write(path, &(text + line));
            }
        }
        res
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("repository")
    }

    fn index(&self) -> PathBuf {
        self.dir.path().join("index")
    }

    /// The directory of the only indexed workspace.
    fn workspace_index(&self) -> PathBuf {
        fs::read_dir(self.index()).unwrap().next().unwrap().unwrap().path()
    }

    /// The directory of its store, which is named by the version of the index.
    fn store(&self) -> PathBuf {
        let status = self.json(&["status", "--json"]);
        PathBuf::from(status["index"].as_str().unwrap())
    }

    /// Names a chat model in the user's configuration, which speaks OpenAI's protocol.
    fn configure_chat(&self, url: &str) {
        let home = self.dir.path().join("home/config/foreword");
        fs::create_dir_all(&home).unwrap();
        let config = format!("[models.chat]\nurl = '{url}'\napi = 'openai'\nmodel = 'scripted'\n");
        fs::write(home.join("config.toml"), config).unwrap();
    }

    fn write(&self, path: &str, text: &str) {
        self.write_bytes(path, text.as_bytes());
    }

    fn write_bytes(&self, path: &str, bytes: &[u8]) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut res = foreword(&self.root(), &self.index());
        res.args(args);
        res
    }

    /// Runs the program and says how it went; a panic is never right.
    fn run(&self, args: &[&str]) -> Run {
        Run::of(&self.command(args).output().unwrap())
    }

    fn json(&self, args: &[&str]) -> Value {
        let run = self.run(args);
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("no JSON: {run:?}"))
    }

    fn git(&self, args: &[&str]) {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(args)
            .current_dir(self.root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A program under target/, or a word on stderr that the test was skipped.
fn installed(test: &str, path: &str) -> Option<PathBuf> {
    let program = target().join(path);
    if program.exists() {
        return Some(program);
    }
    skipped(test, &format!("{path} is not under target/"));
    None
}

fn target() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(own, PathBuf::from)
}

/// Not through `eprintln!`, which the test harness swallows.
fn skipped(test: &str, why: &str) {
    use std::io::Write as _;
    std::io::stderr().write_all(format!("skipped: {test} ({why})\n").as_bytes()).unwrap();
    let Some(list) = std::env::var_os("FOREWORD_SKIPPED") else { return };
    let mut list = std::fs::OpenOptions::new().append(true).create(true).open(list).unwrap();
    list.write_all(format!("{test} ({why})\n").as_bytes()).unwrap();
}

/// The program in `root`, untouched by the environment of whoever runs the tests.
fn foreword(root: &Path, index: &Path) -> Command {
    let mut res = Command::new(env!("CARGO_BIN_EXE_foreword"));
    // Programs read structured content; that agents get none without asking has a test of its own.
    res.env("FOREWORD_STRUCTURED", "1");
    let home = index.with_file_name("home");
    res.current_dir(root).env("FOREWORD_INDEX_DIR", index).env("HOME", &home);
    res.env("XDG_CONFIG_HOME", home.join("config")).env("XDG_STATE_HOME", home.join("state"));
    res.env_remove("XDG_CACHE_HOME").env_remove("XDG_DATA_HOME");
    res.stdin(Stdio::null());
    res
}

/// Bytes of memory that a process has resident.
#[cfg(target_os = "linux")]
fn memory(pid: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    #[track_caller]
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let res = Self {
            code: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
        };
        assert!(!res.err.contains("panicked"), "{res:?}");
        res
    }

    /// An error that names all of `words`.
    #[track_caller]
    fn fails(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "{word:?} is not in {self:?}");
        }
    }
}

fn paths(answer: &Value) -> Vec<&str> {
    answer["results"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect()
}
