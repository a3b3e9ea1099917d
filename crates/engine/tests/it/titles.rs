//! A result is titled by the definition in its chunk that matches best, and shows the lines where it matches.

use foreword_chunk::Kind;
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::retrieve::Question;
use foreword_engine::search::{SearchRequest, SearchResult, search};

use super::{count, snapshot};

/// A chunk of two functions, as flask's `helpers.py` has, and one of several methods.
const FILES: &str = r#"
//- helpers.py
def url_for(endpoint, values):
    """Generate a URL to the given endpoint."""
    adapter = current_app.create_url_adapter(request)
    return adapter.build(endpoint, values)


def redirect(location, code=302):
    """Create a response that sends the client elsewhere.

    :param location: The URL to send it to.
    """
    if current_app:
        return current_app.redirect(location, code=code)
    return wz_redirect(location, code=code)
//- testing.py
class FlaskClient(Client):
    environ_base = {}

    def _copy_environ(self, other):
        out = {**self.environ_base, **other}
        if self.preserve_context:
            out["werkzeug.debug.preserve_context"] = self._new_contexts.append
        return out

    def open(self, *args, buffered=False, follow_redirects=False, **kwargs):
        request = self._request_from_builder_args(args, kwargs)
        # Contexts are not preserved across redirects.
        self._context_stack.close()
        response = super().open(request, buffered=buffered, follow_redirects=follow_redirects)
        response.json_module = self.application.json
        return response

    def __enter__(self):
        self.preserve_context = True
        return self
//- signals.py
from blinker import Namespace

_signals = Namespace()

template_rendered = _signals.signal("template-rendered")
request_started = _signals.signal("request-started")
request_finished = _signals.signal("request-finished")
//- settings.py
class Settings:
    defaults = dict(
        debug=None,
        testing=False,
        propagate_exceptions=None,
        secret_key=None,
        secret_key_fallbacks=None,
        permanent_session_lifetime=31,
        use_x_sendfile=False,
        trusted_hosts=None,
        server_name=None,
        application_root="/",
        session_cookie_partitioned=False,
    )
"#;

fn first(question: &str, tokens: Option<usize>) -> SearchResult {
    let snapshot = snapshot(FILES);
    let request = SearchRequest { question: Question::new(question), limit: 1, tokens };
    let answer = search(&snapshot, &request, &preset::search(), &count, &mut Control::default());
    answer.results.into_iter().next().unwrap()
}

#[track_caller]
fn check(question: &str, symbol: &str, begins: &str) {
    for tokens in [None, Some(400)] {
        let found = first(question, tokens);
        assert_eq!(found.symbol, symbol, "{question}");
        let excerpt = found.excerpt(12);
        assert!(excerpt.text.trim_start().starts_with(begins), "{question}: {excerpt:?}");
        let (start, end) = found.focus_lines();
        assert!(
            (start..=end).contains(&excerpt.start_line),
            "{question}: {start}-{end} {excerpt:?}"
        );
        let lines = FILES.split(&format!("//- {}\n", found.path)).nth(1).unwrap();
        let line = lines.lines().nth(excerpt.start_line as usize - 1).unwrap();
        assert_eq!(excerpt.text.lines().next(), Some(line), "the number of the line is right");
    }
}

#[test]
fn a_name_that_is_asked_for_titles_its_chunk_wherever_it_stands_there() {
    check("redirect", "redirect", "def redirect(");
    check("url_for", "url_for", "def url_for(");
}

#[test]
fn a_question_is_titled_by_the_method_that_answers_it_not_by_the_first() {
    check("where are redirects followed", "FlaskClient.open", "def open(");
    check("copy the environ", "FlaskClient._copy_environ", "def _copy_environ(");
}

#[test]
fn a_constant_of_one_line_is_shown_with_the_lines_around_it() {
    let found = first("request_finished", None);
    assert_eq!(
        (found.symbol.as_str(), found.kind.unwrap().name()),
        ("request_finished", "constant")
    );
    assert!(found.excerpt(12).text.contains("template_rendered"), "{:?}", found.excerpt(12));
}

#[test]
fn of_a_long_definition_the_lines_that_match_are_shown() {
    let found = first("session cookie partitioned", None);
    assert_eq!(found.symbol, "Settings.defaults");
    assert!(found.excerpt(4).text.contains("session_cookie_partitioned"));
    assert!(found.excerpt(4).start_line > 8);
}

#[test]
fn a_doc_comment_leaves_room_for_what_it_is_of() {
    let doc: String = (0..30).map(|n| format!("// Line {n} of many.\n")).collect();
    let snapshot =
        snapshot(&format!("//- a.go\npackage a\n\n{doc}func Retry() error {{\n\treturn nil\n}}\n"));
    let request = SearchRequest { question: Question::new("Retry"), limit: 1, tokens: None };
    let answer = search(&snapshot, &request, &preset::search(), &count, &mut Control::default());
    assert!(answer.results[0].excerpt(12).text.contains("func Retry()"));
}

#[test]
fn the_title_is_of_a_kind_that_was_asked_for() {
    let snapshot = snapshot(FILES);
    let question = Question { kinds: &[Kind::Class], ..Question::new("follow redirects") };
    let request = SearchRequest { question, limit: 1, tokens: None };
    let answer = search(&snapshot, &request, &preset::search(), &count, &mut Control::default());
    assert_eq!(answer.results[0].symbol, "FlaskClient");
}

#[test]
fn words_outside_of_every_definition_are_not_titled_by_one() {
    let files = "//- a.py\nfrom sessions import Session\nfrom zebra import unique\n\n\ndef a():\n    return 1\n";
    let snapshot = snapshot(files);
    let check = |question: &str, symbol: &str, line: &str| {
        let request = SearchRequest { question: Question::new(question), limit: 1, tokens: None };
        let answer =
            search(&snapshot, &request, &preset::search(), &count, &mut Control::default());
        let found = &answer.results[0];
        assert_eq!(found.symbol, symbol, "{question}");
        let shown = found.excerpt(4);
        assert!(shown.text.contains(line), "{question}: {shown:?}");
    };
    check("where is the zebra imported", "", "from zebra import unique");
}

#[test]
fn the_lines_under_a_title_have_the_definition() {
    let files = "//- a.py\n\"\"\"All about a zebra, a zebra and a zebra.\"\"\"\nx = 1\nzebra = 2\nzebra()\ny = 3\n\n\ndef zebra_unique():\n    pass\n";
    let snapshot = snapshot(files);
    let request = SearchRequest { question: Question::new("zebra_unique"), limit: 1, tokens: None };
    let answer = search(&snapshot, &request, &preset::search(), &count, &mut Control::default());
    assert_eq!(answer.results[0].symbol, "zebra_unique");
    for n in 2..8 {
        let shown = answer.results[0].excerpt(n);
        assert!(shown.text.contains("def zebra_unique"), "{n}: {shown:?}");
    }
}
