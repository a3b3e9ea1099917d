//! Pushes to a real OpenSearch and searches there, whose address `FOREWORD_OPENSEARCH` has (ci/test starts one).

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::{Repository, Run, skipped};

/// A repository and an index of its own on the cluster.
pub(crate) struct Pushed {
    pub(crate) repository: Repository,
    pub(crate) url: String,
    pub(crate) index: String,
}

impl Pushed {
    pub(crate) fn new(test: &str) -> Option<Self> {
        let Ok(url) = std::env::var("FOREWORD_OPENSEARCH") else {
            skipped(test, "FOREWORD_OPENSEARCH is not set; see ci/opensearch/cluster");
            return None;
        };
        let repository = Repository::new("//- needle.py\ndef needle_in_haystack():\n    pass\n");
        let index = format!("{test}-{}", std::process::id());
        let res = Self { repository, url, index };
        res.fill("value");
        Some(res)
    }

    /// Writes files whose functions have a parameter of this name.
    fn fill(&self, parameter: &str) {
        for n in 0..150 {
            let function = |it: usize| {
                format!(
                    "def function_{n}_{it}({parameter}):\n    return other_{it}({parameter}, {n})\n\n"
                )
            };
            let text: String = (0..20).map(function).collect();
            self.repository.write(&format!("src/m{}/f{n}.py", n % 20), &text);
        }
    }

    pub(crate) fn args<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        let at = ["--cluster", &self.url, "--cluster-index", &self.index];
        [args, &at].concat()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.repository.run(&self.args(args))
    }

    /// The name of the repository on the cluster.
    pub(crate) fn name(&self) -> String {
        self.repository.root().file_name().unwrap().to_string_lossy().into_owned()
    }

    /// The answer as it was pushed, and that of the index.
    fn answers(&self, query: &str) -> [Value; 2] {
        let (args, name) = (["search", "--json", query], self.name());
        let named = [&args[..], &["--repository", &name]].concat();
        [self.repository.json(&self.args(&named)), self.repository.json(&args)].map(comparable)
    }

    /// In a clone, what differs on disk counts for every command.
    fn check_working_copy(&self) {
        let commands: [&[&str]; 6] = [
            &["search", "--json", "zebra crossing"],
            &["search", "--json", "needle_in_haystack"],
            &["ask", "--json", "where is the zebra"],
            &["ask", "--json", "where is other_3 used"],
            &["context", "--json", "zebra.py:4"],
            &["context", "--json", "src/m3/f3.py:20"],
        ];
        for args in commands {
            let [there, here] =
                [self.args(args), args.to_vec()].map(|it| comparable(self.repository.json(&it)));
            assert_eq!(there, here, "{args:?}");
        }
        let nothing = ["search", "no_such_name_anywhere"];
        assert_eq!(self.run(&nothing).out, self.repository.run(&nothing).out);
        self.run(&["context", "zebra.py:4", "--repository", "x"]).fails(2, &["in a clone"]);
    }

    /// Definitions and uses of names are those of the index, whether the repository is named or found.
    fn check_symbols(&self) {
        for name in ["needle_in_haystack", "function_7_3", "other_3"] {
            let here = self.repository.run(&["symbols", "--json", name]);
            let here: Value = serde_json::from_str(&here.out).unwrap();
            let there: Value =
                serde_json::from_str(&self.run(&["symbols", "--json", name]).out).unwrap();
            let all = there["repositories"].as_array().unwrap();
            assert_eq!(all.len(), 1, "{name}: {there}");
            for field in ["definitions", "references", "total_references", "snapshot"] {
                assert_eq!(all[0][field], here[field], "{name}: {field}");
            }
            let repository = all[0]["repository"].as_str().unwrap();
            let named = self.run(&["symbols", name, "--repository", repository]);
            assert_eq!(named.out, self.run(&["symbols", name]).out);
        }
        let none = self.run(&["symbols", "no_such_name"]);
        assert_eq!(none.code, 1, "{none:?}");
        assert!(none.out.contains("no repository of the cluster"), "{none:?}");
    }

    /// Changes, adds and removes files.
    fn check_working_copy_of_changes(&self) {
        let repository = &self.repository;
        repository.write(
            "zebra.py",
            "from needle import needle_in_haystack\n\ndef zebra_crossing():\n    \n    return 1\n",
        );
        repository
            .write("needle.py", "def needle_in_haystack(zebra):\n    return other_3(zebra, 1)\n");
        std::fs::remove_file(repository.root().join("src/m4/f4.py")).unwrap();
        self.check_working_copy();
        let [there, here] = self.answers("zebra_crossing");
        assert_ne!(there, here);
        assert_eq!(there["results"].as_array().unwrap().len(), 0);
    }

    fn check_parity(&self) {
        for query in ["needle_in_haystack", "function_7_3", "needel_in_haystack", "other function"]
        {
            let [there, here] = self.answers(query);
            assert_eq!(there, here, "{query}");
            assert!(!there["results"].as_array().unwrap().is_empty(), "{query}");
        }
    }
}

/// An answer without what differs.
pub(crate) fn comparable(mut it: Value) -> Value {
    it["elapsed_ms"] = Value::Null;
    it["searched"]["root"] = Value::Null;
    it
}

#[test]
fn a_cluster_answers_as_the_index_does() {
    let Some(pushed) = Pushed::new("cluster-answers") else { return };
    let run = pushed.run(&["push"]);
    assert!(run.out.contains("151 of 151 files sent"), "{run:?}");
    pushed.check_parity();
    assert!(pushed.run(&["push"]).out.contains("nothing new"));
    let brief = |args: &[&str]| pushed.repository.run(args).out;
    let question = ["search", "--brief", "where is the needle"];
    assert_eq!(brief(&pushed.args(&question)), brief(&question));
    let filtered = ["search", "--brief", "function", "--path", "src/m3/", "-k", "4"];
    assert_eq!(brief(&pushed.args(&filtered)), brief(&filtered));
    pushed.check_symbols();
    // A chat model that does not answer leaves the evidence.
    pushed.repository.configure_chat("http://127.0.0.1:9");
    let asked = pushed.run(&["ask", "where is the needle"]);
    assert!(asked.code == 0 && asked.out.contains("needle.py"), "{asked:?}");
    assert!(asked.err.contains("showing the evidence instead"), "{asked:?}");
    pushed.run(&["search", "x", "--branch", "topic"]).fails(2, &["no branch topic", "main"]);
    pushed.run(&["search", "x", "--repository", "no"]).fails(2, &["no was not pushed"]);
    pushed.check_working_copy_of_changes();
    let removed = pushed.run(&["push", "--remove-all"]);
    assert!(removed.out.contains("none is left"), "{removed:?}");
    pushed.run(&["search", "needle"]).fails(2, &["was not pushed", "foreword push"]);
}

#[test]
fn with_a_key_the_answers_are_the_same_and_without_it_there_are_none() {
    let Some(pushed) = Pushed::new("cluster-keyed") else { return };
    let directory = tempfile::tempdir().unwrap();
    let key = directory.path().join("key");
    let key = key.to_str().unwrap();
    let keyed = ["--cluster-key", key];
    let push = [&["push"][..], &keyed].concat();
    pushed.run(&push).fails(2, &[key, "cannot read the cluster's key"]);
    std::fs::write(key, "too short").unwrap();
    pushed.run(&push).fails(2, &[key, "9 bytes", "openssl rand -hex 32"]);
    std::fs::write(key, "0123456789abcdef0123456789abcdef\n").unwrap();
    assert!(pushed.run(&push).out.contains("151 of 151 files sent"));
    assert!(pushed.run(&push).out.contains("nothing new"));

    let here = ["search", "--json", "needle_in_haystack"];
    let name = pushed.name();
    let there = [&here[..], &keyed, &["--repository", &name]].concat();
    let [there, here] =
        [pushed.args(&there), here.to_vec()].map(|it| comparable(pushed.repository.json(&it)));
    assert_eq!(there, here);
    assert!(!here["results"].as_array().unwrap().is_empty());
    let of_all = ["symbols", "needle_in_haystack"];
    assert!(pushed.run(&[&of_all[..], &keyed].concat()).out.contains("needle.py"));

    pushed.run(&["search", "needle"]).fails(2, &["with the key", "without a key", "--cluster-key"]);
    pushed.run(&["push"]).fails(2, &["with the key", "without a key"]);
    let nothing = pushed.run(&of_all);
    assert!(nothing.code == 1 && nothing.out.contains("doctor --cluster"), "{nothing:?}");
    let nothing = pushed.run(&["search", "needle", "--repository", "**"]);
    assert!(nothing.code == 1 && nothing.err.contains("doctor --cluster"), "{nothing:?}");
    let doctor = pushed.run(&["doctor"]);
    assert!(
        doctor.code == 1 && doctor.out.contains("1 of them pushed with another key"),
        "{doctor:?}"
    );
    pushed.run(&["push", "--remove-all"]);
}

#[test]
fn a_push_killed_at_any_instant_is_never_seen_by_half() {
    let Some(pushed) = Pushed::new("cluster-killed") else { return };
    pushed.run(&["push"]);
    let before = pushed.answers("function_7_3")[0].clone();
    pushed.fill("changed");
    pushed.repository.run(&["index"]);
    let mut seen = Vec::new();
    for delay in [30, 60, 100, 150, 200, 300, 400, 600, 900] {
        let mut child = pushed
            .repository
            .command(&pushed.args(&["push"]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        let _ = child.kill();
        child.wait().unwrap();
        let [there, here] = pushed.answers("function_7_3");
        assert!(there == before || there == here, "after {delay} ms: {there}");
        seen.push(there == here);
    }
    assert!(!seen[0], "the first push was killed too late to tell");
    let last = pushed.run(&["push", "--force"]);
    assert_eq!(last.code, 0, "{last:?}");
    pushed.check_parity();
    assert!(pushed.run(&["push"]).out.contains("nothing new"));
}

#[test]
fn a_commit_is_pushed_from_a_bare_clone() {
    let Some(pushed) = Pushed::new("cluster-revision") else { return };
    let repository = &pushed.repository;
    repository.git(&["init", "-q", "-b", "main"]);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-qm", "one"]);
    // Commits have seconds.
    std::thread::sleep(Duration::from_millis(1100));
    repository.write("needle.py", "def second_needle():\n    pass\n");
    repository.git(&["commit", "-qam", "two"]);
    let bare = repository.dir.path().join("shop.git");
    repository.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let push = |args: &[&str]| {
        let at = ["push", "--repository", "acme/shop"];
        let args = pushed.args(&[&at[..], args].concat()).join("\n");
        let args: Vec<&str> = args.split('\n').collect();
        Run::of(&crate::foreword(&bare, &repository.index()).args(args).output().unwrap())
    };
    push(&["--rev", "main"]).fails(2, &["--branch main"]);
    let first = push(&["--rev", "main", "--branch", "main"]);
    assert!(first.out.contains("151 of 151 files sent"), "{first:?}");
    let again = push(&["--rev", "HEAD", "--branch", "main"]);
    assert!(again.out.contains("nothing new"), "{again:?}");
    push(&["--rev", "HEAD~1", "--branch", "main"]).fails(2, &["newer state"]);
    let other = push(&["--rev", "HEAD~1", "--branch", "release"]);
    assert!(other.out.contains("1 of 151 files sent"), "{other:?}");
    let found = |branch: &str| {
        let args = ["symbols", "second_needle", "--repository", "acme/shop", "--branch", branch];
        pushed.run(&args).code
    };
    assert_eq!((found("main"), found("release")), (0, 1));
    pushed.run(&["push", "--remove-all", "--repository", "acme/shop"]);
}

#[test]
fn one_list_comes_from_several_repositories() {
    let Some(pushed) = Pushed::new("cluster-several") else { return };
    pushed.run(&["push", "--repository", "acme/shop"]);
    pushed.repository.write("needle.py", "def haystack_needle_finder():\n    pass\n");
    pushed.run(&["push", "--repository", "acme/site"]);
    pushed.run(&["push", "--repository", "other/x"]);
    let question = ["search", "--json", "needle finder", "--repository"];
    let ask = |named: &str| -> Value {
        let run = pushed.run(&[&question[..], &[named]].concat());
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"))
    };
    let all = ask("acme/*");
    let found = &all["results"];
    assert_eq!(found[0]["repository"], "acme/site", "{all}");
    assert_eq!(
        (&found[0]["symbol"], &found[0]["rank"]),
        (&"haystack_needle_finder".into(), &1.into())
    );
    assert!(found.as_array().unwrap().iter().any(|it| it["repository"] == "acme/shop"), "{all}");
    assert_eq!(all["repositories"].as_array().unwrap().len(), 2, "{all}");
    assert_eq!((&all["failed_shards"], &all["shards"]), (&0.into(), &3.into()));
    assert_eq!(ask("acme/shop, other/x")["repositories"].as_array().unwrap().len(), 2);
    // One name alone is answered as before.
    assert_eq!(ask("acme/shop")["searched"]["query"], "needle finder");
    let text = pushed.run(&["search", "--brief", "needle finder", "--repository", "**"]);
    assert!(text.out.contains("acme/site:needle.py:1-2"), "{text:?}");
    assert!(text.err.contains("searched in "), "{text:?}");
    let limited = [&question[..], &["**", "-k", "1"]].concat();
    let limited: Value = serde_json::from_str(&pushed.run(&limited).out).unwrap();
    assert_eq!(limited["results"].as_array().unwrap().len(), 1);
    let none = pushed.run(&["search", "zzzunknown", "--repository", "acme/*"]);
    assert_eq!(none.code, 1, "{none:?}");
    pushed.run(&["search", "x", "--repository", "acme/*,"]).fails(2, &["a pattern is empty"]);
    let doctor = pushed.run(&["doctor", "--json"]);
    let doctor: Value = serde_json::from_str(&doctor.out).unwrap();
    let checks = doctor["checks"].as_array().unwrap();
    let found = |check: &str| checks.iter().find(|it| it["check"] == check).unwrap();
    assert!(found("cluster")["found"].as_str().unwrap().starts_with("opensearch 2."));
    let index = found("cluster index");
    assert!(index["found"].as_str().unwrap().ends_with(": 3 repositories"), "{index}");
    assert_eq!(found("cluster writes")["ok"], true);
    assert!(found("cluster health")["found"].as_str().unwrap().contains("shards on"));
    assert!(found("cluster disks")["found"].as_str().unwrap().contains("% full"));
    for it in ["acme/shop", "acme/site", "other/x"] {
        pushed.run(&["push", "--remove-all", "--repository", it]);
    }
}

#[test]
fn a_cluster_that_is_not_there_is_told_with_what_to_do() {
    let repository = Repository::new("//- a.py\ndef alpha(): pass\n");
    let at = ["--cluster", "http://127.0.0.1:9"];
    let run = |args: &[&str]| repository.run(&[args, &at].concat());
    run(&["search", "alpha"]).fails(2, &["127.0.0.1:9", "cannot be reached", "OpenSearch"]);
    run(&["push"]).fails(2, &["cannot be reached"]);
    let doctor = run(&["doctor"]);
    assert_eq!(doctor.code, 1, "{doctor:?}");
    assert!(doctor.out.contains("to fix: check the address"), "{doctor:?}");
    repository.run(&["push"]).fails(2, &["--cluster http://"]);
    repository.run(&["search", "alpha", "--branch", "main"]).fails(2, &["--cluster"]);
}
