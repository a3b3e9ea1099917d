//! Tests each format on small files that we wrote in its published shape (no row is from a data set), and that errors
//! name their line.

use super::*;
use crate::tasks::task::Position;

/// Writes rows to a file in a temporary directory.
fn file(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    (dir, path)
}

fn one(name: &str, text: &str, format: Format) -> Task {
    let (_dir, path) = file(name, text);
    let mut loaded = load(&path, None).unwrap();
    assert_eq!((loaded.format, loaded.notice()), (format, None));
    assert_eq!(loaded.tasks.len(), 1);
    loaded.tasks.remove(0)
}

const OURS: &str = r#"{"id": "a", "task": "nl2file", "repo": "o/n", "language": "go", "corpus": {"kind": "git", "rev": "c"}, "query_text": "where", "relevant": [{"path": "a.go", "start_line": null, "end_line": null, "grade": 2}]}"#;

#[test]
fn our_own_rows_survive_writing_and_reading() {
    let task = one("a.jsonl", OURS, Format::Ours);
    let again = one("a.jsonl", &serde_json::to_string(&task).unwrap(), Format::Ours);
    assert_eq!(serde_json::to_value(&task).unwrap(), serde_json::to_value(&again).unwrap());
}

#[test]
fn repoeval_names_the_file_below_its_repository() {
    let row = r#"{"prompt": "import os\n\ndef f():\n", "metadata": {"task_id": "own_repo-x/3", "ground_truth": "    return os\n", "fpath_tuple": ["own_repo-x", "src", "a.py"], "context_start_lineno": 0, "line_no": 3}}"#;
    let task = one("line.test.jsonl", row, Format::Repoeval);
    assert_eq!((task.repo.as_str(), task.target_file.as_deref()), ("own/repo-x", Some("src/a.py")));
    assert_eq!(task.position, Some(Position { start_line: 4, end_line: 4 }));
    assert_eq!(task.corpus.path.as_deref(), Some("own_repo-x"));
}

#[test]
fn crosscodeeval_has_both_sides_and_the_chunks_that_came_with_it() {
    let row = r#"{"prompt": "a = ", "groundtruth": "b()", "right_context": "\nc", "metadata": {"task_id": "project_cc_python/1", "repository": "o-n-1", "file": "x.py", "context_start_lineno": 0, "groundtruth_start_lineno": 0, "right_context_start_lineno": 1}, "crossfile_context": {"text": "", "list": [{"retrieved_chunk": "def b", "filename": "b.py", "score": 1.5}]}}"#;
    let task = one("line_completion.jsonl", row, Format::Crosscodeeval);
    assert_eq!((task.suffix.as_deref(), task.language.as_str()), (Some("\nc"), "python"));
    assert_eq!(task.meta.other["retrieved"][0]["filename"], "b.py");
}

#[test]
fn swebench_wants_the_lines_that_the_fix_replaces() {
    let row = r#"{"instance_id": "o__n-1", "repo": "o/n", "base_commit": "abc", "patch": "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "test_patch": "", "problem_statement": "b is wrong", "hints_text": "", "created_at": "2021", "version": "1", "FAIL_TO_PASS": "[]", "PASS_TO_PASS": "[]", "environment_setup_commit": "abc"}"#;
    let task = one("test.jsonl", row, Format::Swebench);
    let it = &task.relevant[0];
    assert_eq!((it.path.as_str(), it.start_line, it.end_line), ("x.py", Some(2), Some(2)));
}

#[test]
fn deveval_leaves_the_text_to_the_file() {
    let row = r#"{"namespace": "p.m.f", "type": "function", "project_path": "Topic/p", "completion_path": "Topic/p/p/m.py", "signature_position": [1, 1], "body_position": [2, 3], "dependency": {"intra_class": [], "intra_file": [], "cross_file": ["p.n.g"]}, "indent": 4, "tests": [], "requirement": {"Functionality": "Says it.", "Arguments": ":param a: it."}}"#;
    let mut task = one("data.jsonl", row, Format::Deveval);
    assert_eq!(task.target_file.as_deref(), Some("p/m.py"));
    hole::line_up(&mut task, "def f(a):\n    b = a\n    return b\n").unwrap();
    assert_eq!(task.ground_truth.as_deref(), Some("    b = a\n    return b\n"));
}

#[test]
fn repocod_cuts_the_function_below_its_prompt() {
    let row = r#"{"repository": "n", "repo_id": "0", "target_module_path": "n/a.py", "prompt": "def f(a):\n    \"\"\"It.\"\"\"\n", "relavent_test_path": "/usr/t.txt", "full_function": "def f(a):\n    \"\"\"It.\"\"\"\n    return a\n", "function_name": "f"}"#;
    let mut task = one("repocod.jsonl", row, Format::Repocod);
    hole::line_up(&mut task, "import n\n\ndef f(a):\n    \"\"\"It.\"\"\"\n    return a\n\nx = 1\n")
        .unwrap();
    assert_eq!(task.ground_truth.as_deref(), Some("    return a"));
    assert_eq!(task.suffix.as_deref(), Some("\n\nx = 1\n"));
}

#[test]
fn repobench_knows_the_snippet_that_is_meant() {
    let row = r#"{"repo_name": "o/n", "file_path": "a.py", "context": [{"identifier": "g", "path": "b.py", "snippet": "def g(): ..."}], "import_statement": "from b import g", "token_num": 9, "cropped_code": "from b import g", "all_code": "from b import g", "next_line": "g()", "gold_snippet_index": 0, "created_at": "2023", "level": "2k"}"#;
    let task = one("cross_file_first.jsonl", row, Format::Repobench);
    assert_eq!(task.relevant[0].path, "b.py");
    assert_eq!(task.prefix.as_deref(), Some("from b import g\n"));
    let (_dir, path) = file("x.jsonl", &row.replace("_index\": 0", "_index\": 4"));
    assert!(load(&path, None).unwrap().problems[0].what.contains("no snippet 4"));
}

#[test]
fn semble_finds_its_repository_above() {
    let rows = r#"[
  {"query": "how it ends", "relevant": ["doc/a.go"], "secondary": [{"path": "b.go", "start_line": 2, "end_line": 3}], "category": "architecture"},
  {"query": "Symbol", "relevant": ["src/a.go"], "secondary": []}
]"#;
    let (dir, path) = file("annotations/own.json", rows);
    assert!(load(&path, None).unwrap_err().to_string().contains("repos.json"));
    let repos = r#"[{"name": "own", "language": "go", "url": "https://example.org/o/n.git", "revision": "abc", "benchmark_root": "src"}]"#;
    std::fs::write(dir.path().join("repos.json"), repos).unwrap();
    let loaded = load(&path, None).unwrap();
    assert_eq!(loaded.notice(), None);
    let paths = |idx: usize| {
        loaded.tasks[idx].relevant.iter().map(|it| it.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (paths(0), paths(1)),
        (vec!["src/doc/a.go".into(), "src/b.go".into()], vec!["src/a.go".into()])
    );
    assert_eq!(loaded.tasks[0].repo, "o/n");
    assert_eq!(loaded.tasks[1].meta.category.as_deref(), Some("symbol"));
}

#[test]
fn competition_rows_go_with_their_answers() {
    let row = r#"{"id": "7", "repo": "o/n", "revision": "abc", "path": "a.py", "modified": ["a.py"], "prefix": "x = ", "suffix": "\n", "archive": "o__n-abc.zip"}"#;
    let task = one("python-practice.jsonl", row, Format::Competition);
    assert_eq!((task.ground_truth, task.corpus.path.as_deref()), (None, Some("o__n-abc.zip")));
    let (dir, path) = file("python-practice.jsonl", row);
    std::fs::write(dir.path().join("answers-python-practice.jsonl"), r#"{"middle": "y"}"#).unwrap();
    assert_eq!(load(&path, None).unwrap().tasks[0].ground_truth.as_deref(), Some("y"));
}

#[test]
fn what_is_wrong_is_named_by_line_and_counted() {
    let hole = r#"{"id": "h", "task": "completion", "repo": "o/n", "language": "go", "corpus": {"kind": "git", "rev": "c"}, "target_file": "a.go", "prefix": "a\nb\n", "suffix": "", "position": {"start_line": 2, "end_line": 2}, "ground_truth": "c\n"}"#;
    let rows = [
        OURS.to_owned(),
        "{broken".to_owned(),
        OURS.replace("\"id\": \"a\"", "\"id\": \"b\"")
            .replace(r#""relevant": ["#, r#""relevant": [], "more": ["#),
        OURS.to_owned(),
        hole.to_owned(),
        hole.replace("\"h\"", "\"i\"").replace("c\\n", " \\n"),
        OURS.replace("\"id\": \"a\"", "\"id\": \"d\"").replace("\"git\"", "\"svn\""),
    ];
    let (_dir, path) = file("a.jsonl", &rows.join("\n"));
    let loaded = load(&path, None).unwrap();
    assert_eq!(loaded.tasks.len(), 1);
    let found: Vec<(usize, &str)> =
        loaded.problems.iter().map(|it| (it.line, it.what.as_str())).collect();
    let lines: Vec<usize> = found.iter().map(|it| it.0).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6, 7]);
    for (at, part) in [
        "no JSON",
        "empty ground truth",
        "line 1 too",
        "the prefix ends in 3",
        "empty ground truth",
        "`svn`",
    ]
    .iter()
    .enumerate()
    {
        assert!(found[at].1.contains(part), "{:?}", found[at]);
    }
    assert_eq!(loaded.unknown["more"], (1, 3));
    let first = loaded.notice().unwrap();
    assert!(first.starts_with("skipped 6 of 7 rows, the first: "), "{first}");
    assert!(
        first.contains("a.jsonl:2: no JSON") && first.contains("unknown field `more`"),
        "{first}"
    );
}

#[test]
fn a_file_of_no_known_format_is_an_error() {
    let (_dir, path) = file("a.jsonl", "{\"x\": 1}\n");
    let error = format!("{:#}", load(&path, None).unwrap_err());
    assert!(error.contains("--format") && error.contains("\"x\""), "{error}");
    let (_dir, path) = file("b.jsonl", "\n");
    assert!(load(&path, None).unwrap_err().to_string().contains("no rows"));
}
