//! Tests decide about completions, in a sandbox that keeps what it promises. Skipped by name where bubblewrap or Python of
//! the system is missing, or the machine allows no namespaces.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::removed::{git, reply, request};

const TAX: &str =
    "RATE_OF_TAX = 0.25\n\n\ndef taxed_amount(amount):\n    return amount * (1 + RATE_OF_TAX)\n";

const PRICES: &str = "from shop.tax import taxed_amount\n\n\ndef final_price(item, count):\n    \
    gross = taxed_amount(item * count)\n    return round(gross, 2)\n\n\ndef unchecked_label(item):\n    \
    label = str(item)\n    return label.title()\n";

const CHECKS: &str = "import unittest\n\nfrom shop.prices import final_price\n\n\nclass Prices(unittest.TestCase):\n    \
    def test_final(self):\n        self.assertEqual(final_price(2, 4), 10)\n";

/// A repository with an environment, and tasks of two functions.
struct Shop(tempfile::TempDir);

impl Shop {
    /// `None`, with a line that says why, where no sandbox can be made.
    fn new() -> Option<Self> {
        let res = Self(tempfile::tempdir().unwrap());
        let tree = res.0.path().join("environments/own+shop/tree");
        for (path, text) in
            [("shop/tax.py", TAX), ("shop/prices.py", PRICES), ("tests/test_prices.py", CHECKS)]
        {
            let path = tree.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        git(&tree, &["init", "--quiet", "--initial-branch=main"]);
        git(&tree, &["add", "--all"]);
        git(&tree, &["-c", "user.name=n", "-c", "user.email=e@x", "commit", "--quiet", "-m", "m"]);
        std::fs::create_dir(res.0.path().join("own+shop")).unwrap();
        std::fs::rename(tree.join(".git"), res.0.path().join("own+shop/repo")).unwrap();
        let (git_dir, tasks) = (res.path("own+shop/repo"), res.path("tasks.jsonl"));
        run(&["remove", "--git-dir", &git_dir, "--repo", "own/shop", "--out", &tasks]).unwrap();
        res.tested_by("true");
        let missing = match Path::new("/usr/bin/python3").is_file() {
            true => res.passed(&[]).err().filter(|it| it.contains("no sandbox")),
            false => Some("no /usr/bin/python3".to_owned()),
        };
        let Some(why) = missing else { return Some(res) };
        skipped(&format!("foreword-evaluate pass ({})", why.lines().next().unwrap_or_default()));
        None
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Sets the command that tests the repository.
    fn tested_by(&self, command: &str) {
        let tasks = std::fs::read_to_string(self.path("tasks.jsonl")).unwrap();
        let task: Value = serde_json::from_str(tasks.lines().next().unwrap()).unwrap();
        let revision = &task["corpus"]["rev"];
        let text = format!("revision = {revision}\ntest = {}\n", json!(command));
        std::fs::write(self.path("environments/own+shop/environment.toml"), text).unwrap();
    }

    fn passed(&self, args: &[&str]) -> Result<(String, Value), String> {
        let (tasks, dirs) = (self.path("tasks.jsonl"), self.path(""));
        let (environments, json) = (self.path("environments"), self.path("run.json"));
        let own = ["pass", "--tasks", &tasks, "--git-dirs", &dirs, "--environments", &environments];
        let text = run(&[&own[..], &["--budget", "1000", "--json", &json], args].concat())?;
        Ok((text, serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap()))
    }

    /// How the repository's command ended, and the end of what it printed, with the true body.
    fn ended(&self, command: &str, args: &[&str]) -> (String, String) {
        self.tested_by(command);
        let (_, run) = self.passed(args).unwrap();
        let run = &run["functions"][0]["run"];
        let text = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
        (text("ending"), text("output"))
    }
}

fn run(args: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foreword-evaluate"));
    let output = command.args(args).output().unwrap();
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Tells a person, and `ci/test`, what was skipped.
fn skipped(what: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "skipped: {what}");
    let Some(list) = std::env::var_os("FOREWORD_SKIPPED") else { return };
    let mut file = std::fs::File::options().append(true).create(true).open(list).unwrap();
    writeln!(file, "{what}").unwrap();
}

/// A model that writes the true body if its prompt shows the rate of the tax, which is in another file.
fn model() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (path, body) = request(&stream);
            let answer = match path.as_str() {
                "/v1/models" => json!({ "data": [{ "id": "qwen2.5-coder" }] }),
                _ => {
                    let right =
                        "    gross = taxed_amount(item * count)\n    return round(gross, 2)\n";
                    let knows = body.contains("RATE_OF_TAX");
                    let text = if knows { right } else { "    return item * count\n" };
                    json!({ "choices": [{ "text": text, "finish_reason": "stop" }] })
                }
            };
            reply(stream, "application/json", &answer.to_string());
        }
    });
    url
}

#[test]
fn tests_decide_which_functions_count_and_which_completions_are_right() {
    let Some(shop) = Shop::new() else { return };
    shop.tested_by("/usr/bin/python3 -B -m unittest tests.test_prices");
    let (text, run) = shop.passed(&[]).unwrap();
    assert!(text.contains("| own/shop | python | 2 | 1 |"), "{text}");
    assert!(text.contains("discarded: 1, the tests pass with an empty body"), "{text}");
    let functions = run["functions"].as_array().unwrap();
    let unchecked =
        functions.iter().find(|it| it["id"].as_str().unwrap().ends_with("unchecked_label"));
    assert_eq!(unchecked.unwrap()["discarded"], "the tests pass with an empty body");

    let (url, cache) = (model(), shop.path("cache"));
    let asked = ["--model", &url, "--model-api", "openai", "--cache", &cache];
    let plans = ["--script", "oracle", "--mixes", "live+3", "--id", "final_price"];
    let (text, _) = shop.passed(&[&asked[..], &plans].concat()).unwrap();
    assert!(text.contains("pass@1 foreword at 1000: 1.000"), "{text}");
    assert!(text.contains("pass@1 none at 1000: 0.000"), "{text}");
    assert!(text.contains("pass@1 live+3 at 1000: 1.000"), "{text}");
    let saved = std::fs::read_to_string(shop.path("environments/own+shop/tree/shop/prices.py"));
    assert_eq!(saved.unwrap(), PRICES);
}

#[test]
fn foreign_tests_reach_nothing_outside_of_their_copy() {
    let Some(shop) = Shop::new() else { return };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let secret = shop.path("secret");
    std::fs::write(&secret, "text").unwrap();
    let connect = format!("import socket; socket.create_connection((\"127.0.0.1\", {port}), 2)");
    let outside = format!("/tmp/foreword-outside-{}", std::process::id());
    for denied in [
        format!("/usr/bin/python3 -c '{connect}'"),
        format!("cat '{secret}'"),
        "touch /usr/written".to_owned(),
        "mount -t tmpfs none /usr".to_owned(),
        "kill -0 $PPID && ls /proc | grep -q '^[0-9]\\{4,\\}$'".to_owned(),
    ] {
        let (ending, output) = shop.ended(&format!("! {{ {denied}; }}"), &[]);
        assert_eq!(ending, "passed", "{denied}: {output}");
    }
    let change =
        format!("echo x > shop/tax.py && touch {outside} && test -z \"$FOREWORD_MODEL_KEY\"");
    assert_eq!(shop.ended(&change, &[]).0, "passed");
    assert!(!Path::new(&outside).exists());
    let saved = std::fs::read_to_string(shop.path("environments/own+shop/tree/shop/tax.py"));
    assert_eq!(saved.unwrap(), TAX);
}

#[test]
fn foreign_tests_keep_their_limits() {
    let Some(shop) = Shop::new() else { return };
    assert_eq!(shop.ended("sleep 60", &["--test-seconds", "1"]).0, "too-slow");
    assert_eq!(shop.ended("yes", &["--test-output", "16"]).0, "too-much-output");
    let take = "/usr/bin/python3 -c 'x = bytearray(600 << 20)'";
    assert_eq!(shop.ended(take, &["--test-memory", "256"]).0, "failed");
    assert_eq!(shop.ended(take, &["--test-memory", "1024"]).0, "passed");
    // Four processes with 150 MiB each, which stay until all are there.
    let group = "for it in 1 2 3 4; do /usr/bin/python3 -c 'import time; x = b\"1\" * (150 << 20); time.sleep(4)' & done; wait";
    let limits = ["--test-memory", "256", "--test-total-memory"];
    let ending = |most| shop.ended(group, &[&limits[..], &[most]].concat()).0;
    assert_eq!(ending("400"), "too-much-memory");
    assert_eq!(ending("1000"), "passed");
    let shared = "head -c 60000000 /dev/zero > /dev/shm/big";
    assert_eq!(shop.ended(shared, &["--test-disk", "32"]).0, "failed");
    let write = "head -c 60000000 /dev/zero > big";
    assert_eq!(shop.ended(write, &["--test-disk", "32"]).0, "failed");
    let start = "for it in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 3 & done; wait";
    let (ending, output) = shop.ended(start, &["--test-processes", "8"]);
    assert_eq!(ending, "failed", "{output}");
    assert_eq!(shop.ended(start, &[]).0, "passed");
}
