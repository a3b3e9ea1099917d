//! A question in words is answered by one definition: its name and its text count, not words that are spread over a chunk.

use foreword_engine::pipeline::Control;
use foreword_engine::preset::{self, Preset};
use foreword_engine::retrieve::Question;
use foreword_engine::search::{SearchAnswer, SearchRequest, search};

use super::{count, snapshot};

/// A file whose functions share the words of the question, and one whose function has them.
const POOL: &str = r#"
//- pool/statistics.py
def first(log):
    return log.kill - log.kill


def second(log):
    return log.threads - log.threads


def third(log):
    return log.idle - log.idle
//- pool/workers.py
def reap(workers, clock):
    """Kill threads that are idle."""
    now = clock.now()
    limit = now - workers.timeout
    for it in list(workers.threads):
        if it.last_seen < limit:
            it.stop()
            workers.remove(it)
"#;

fn ask(files: &str, question: &str, tokens: Option<usize>, preset: &Preset) -> SearchAnswer {
    let snapshot = snapshot(files);
    let request = SearchRequest { question: Question::new(question), limit: 5, tokens };
    search(&snapshot, &request, preset, &count, &mut Control::default())
}

fn paths(files: &str, question: &str, preset: &Preset) -> Vec<String> {
    ask(files, question, None, preset).results.into_iter().map(|it| it.path).collect()
}

#[test]
fn words_of_one_definition_say_more_than_words_of_several() {
    let question = "kill threads that are idle";
    assert_eq!(paths(POOL, question, &preset::search())[0], "pool/workers.py");
    let mut without = preset::search();
    (without.rerank.answers_by_name, without.rerank.answers_by_text) = (1.0, 1.0);
    assert_eq!(paths(POOL, question, &without)[0], "pool/statistics.py");
}

#[test]
fn data_that_the_question_names_by_its_path_comes_first() {
    let files = r"
//- .github/workflows/release.yml
on: push
jobs:
  publish:
    steps: [build]
//- Dockerfile
FROM alpine
ENTRYPOINT [start]
//- src/actions.py
def run_action(kind):
    # Also for the release of a workflow.
    return kind.start()
//- src/plugins.py
def discover():
    # Finds every entrypoint that docker may start.
    return entrypoint('docker')
//- config/cart.json
{ total: 1 }
//- src/cart.py
def total(cart):
    return cart.total
";
    let found = |question: &str, path: &str| {
        let answer = ask(files, question, None, &preset::search());
        let at = answer.results.iter().position(|it| it.path == path).unwrap();
        let reasons = &answer.results[at].reasons;
        (at, reasons.iter().any(|it| it.to_string() == "data ×0.35"))
    };
    assert_eq!(found("release workflow", ".github/workflows/release.yml"), (0, false));
    assert_eq!(found("docker entrypoint", "Dockerfile").0, 0);
    // Code that the question names as well is meant.
    assert_eq!(found("cart total", "src/cart.py").0, 0);
    assert!(found("cart total", "config/cart.json").1);
}

#[test]
fn what_the_asker_wants_to_do_is_no_word_of_the_code() {
    let files = r"
//- account.py
def change_password(user, password):
    user.password = password


def change_email(user, email):
    user.email = email
//- server.py
def listen(options):
    port = options.port or 8080
    return Server(host=options.host, port=port)
";
    for question in ["how do I change the port", "change the port", "where can one modify the port"]
    {
        assert_eq!(paths(files, question, &preset::search())[0], "server.py", "{question}");
    }
    // Nor is it missing in the code.
    let answer = ask(files, "how do I tweak the port", None, &preset::search());
    assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
    let question = "how does a user change the password";
    assert_eq!(paths(files, question, &preset::search())[0], "account.py");
}

#[test]
fn of_equal_names_the_one_without_other_words_titles() {
    let files = r"
//- headers.ts
export interface MergeHeadersOptions {
  headers: Headers;
  merge: boolean;
}

export function mergeHeaderContainers(first: Headers, second: Headers) {
  return new Container(first, second);
}

export function mergeHeaders(first: Headers, second: Headers) {
  return new Headers([...first, ...second]);
}
";
    let answer = ask(files, "how to merge the headers of both", None, &preset::search());
    assert_eq!(answer.results[0].symbol, "mergeHeaders");
}

#[test]
fn the_lines_within_a_budget_begin_with_the_definition() {
    let body: String = (0..30).map(|it| format!("    step_{it}(state)\n")).collect();
    let files = format!(
        "//- load.py\ndef load_env(path):\n    state = open(path)\n{body}    load(state, env)\n    env.load(state)\n"
    );
    let answer = ask(&files, "where is the env loaded", Some(400), &preset::search());
    assert_eq!(answer.results[0].start_line, 1, "{:?}", answer.results[0].text);
}

#[test]
fn a_file_that_a_traceback_names_comes_before_one_with_its_words() {
    let files = r#"
//- shop/errors.py
class SocketError(Exception):
    """A socket error that was not caught: reset, closed, timed out."""


class CaughtSocketError(SocketError):
    """A socket error that was caught."""
//- shop/models.py
def content(response):
    if response.error:
        raise response.error
    return b"".join(response.stream())
"#;
    let issue = "socket error is not caught\n\nIt should be wrapped in another one of ours.\n\n```\n  File \"/opt/lib/site-packages/shop/models.py\", line 4, in content\n    return b''.join(response.stream())\n```\n";
    let mut with = preset::search();
    with.rerank.named_file = 50.0;
    assert_eq!(paths(files, issue, &with)[0], "shop/models.py");
    with.rerank.named_file = 1.0;
    assert_eq!(paths(files, issue, &with)[0], "shop/errors.py");
}

/// A checker with a table of messages, functions that raise, and a test.
const CHECKER: &str = r#"
//- checker/messages.py
MESSAGES = {
    "E0107": "nonexistent operator",
    "E0108": "duplicate argument name",
    "E0109": "statement is not reachable",
}


def register(linter):
    linter.register(MESSAGES)
//- checker/control.py
def visit_raise(node):
    """Checks what is raised, and where it is raised again."""
    if node.raised is None:
        raise_again(node)
    return raised_of(node)
//- tests/test_control.py
def test_visit_raise():
    """What is raised is checked."""
    assert visit_raise(parse("raise x")) == "x"
"#;

#[test]
fn an_error_code_says_more_than_the_words_around_it() {
    let found = paths(CHECKER, "where is E0108 raised", &preset::search());
    assert_eq!(found[0], "checker/messages.py");
}

#[test]
fn an_error_code_has_no_spelling() {
    let answer = ask(CHECKER, "where is E0999 raised", None, &preset::search());
    assert_eq!(answer.unknown[0].word, "E0999");
    assert!(answer.unknown[0].similar.is_empty(), "{:?}", answer.unknown);
}

#[test]
fn who_asks_which_tests_check_a_thing_gets_tests_first() {
    for question in ["which tests check what is raised", "tests for raise", "where is raise tested"]
    {
        let found = paths(CHECKER, question, &preset::search());
        assert_eq!(found[0], "tests/test_control.py", "{question}: {found:?}");
    }
    assert_eq!(paths(CHECKER, "what is raised again", &preset::search())[0], "checker/control.py");
}

#[test]
fn a_short_function_is_not_shown_below_another() {
    let files =
        "//- m.py\nimport os\n\n\ndef a():\n    pass\n\n\ndef zebra_unique():\n    return 1\n";
    let answer = ask(files, "zebra_unique", None, &preset::search());
    assert_eq!(answer.results[0].excerpt(8).text.lines().next(), Some("def zebra_unique():"));
}

#[test]
fn a_licence_is_not_first_unless_the_question_is_about_it() {
    let files = r"
//- LICENSE
Permission to use this software is granted.
//- README.md
# A client

It sends requests, follows redirects, reads responses and keeps sessions. Other software calls it.
";
    let first = |question: &str| paths(files, question, &preset::search()).swap_remove(0);
    assert_eq!(first("permission to use software"), "README.md");
    assert_eq!(first("license permission to use software"), "LICENSE");
}

#[test]
fn copying_is_a_plain_word_unless_it_is_written_as_the_file() {
    let files = r"
//- COPYING
Copying, distribution and modification of this software: copying is granted.
//- sync.py
def transfer(source, target):
    '''Moves bytes of files to the target.'''
    target.write(source.read())
";
    let first = |question: &str| paths(files, question, &preset::search()).swap_remove(0);
    assert_eq!(first("copying of software files"), "sync.py");
    assert_eq!(first("COPYING of files"), "COPYING");
    assert_eq!(first("licence copying"), "COPYING");
}
