//! The picture of README.md is what the program prints. `FOREWORD_PICTURE=1` draws it again.

use std::path::Path;

use crate::Repository;

/// A shop in Python.
pub(crate) const SHOP: &str = "
//- shop/sessions.py
from shop.clock import seconds
from shop.store import Store

IDLE_SECONDS = 1800


class Session:
    \"\"\"A customer's cart, and when it was last used.\"\"\"

    def is_idle(self, now):
        return now - self.used_at > IDLE_SECONDS


def expire_sessions(store: Store):
    \"\"\"Deletes the sessions that nobody has used for half an hour.\"\"\"
    now = seconds()
    for session in store.sessions():
        if session.is_idle(now):
            store.delete(session)
//- shop/store.py
class Store:
    \"\"\"Sessions by customer, in memory.\"\"\"

    def sessions(self):
        return list(self.by_customer.values())

    def delete(self, session):
        del self.by_customer[session.customer]
//- shop/clock.py
import time


def seconds():
    \"\"\"The time in seconds, which tests replace.\"\"\"
    return time.time()
//- shop/jobs.py
from shop.sessions import expire_sessions


def every_minute(store):
    expire_sessions(store)
//- tests/test_sessions.py
from shop.sessions import expire_sessions
from shop.store import Store


def test_an_idle_session_is_deleted():
    store = Store()
    expire_sessions(store)
    assert store.sessions() == []
";

const QUESTION: &str = "when does a session expire?";

#[test]
fn the_picture_of_the_readme_is_what_the_program_prints() {
    let answer = Repository::new(SHOP).run(&["ask", QUESTION]).out;
    let drawn = svg(&format!("$ foreword ask \"{QUESTION}\"\n{answer}"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/ask.svg");
    if std::env::var_os("FOREWORD_PICTURE").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == drawn, "draw it again with FOREWORD_PICTURE=1:\n{answer}");
}

/// Lines of a terminal as a picture, light or dark as its reader's screen.
fn svg(text: &str) -> String {
    const STYLE: &str = "text{font:13px ui-monospace,Menlo,Consolas,monospace;white-space:pre;fill:#1f2328}\
        .p{font-weight:bold}.n{fill:#0550ae}.c{fill:#59636e}rect{fill:#f6f8fa}\
        @media(prefers-color-scheme:dark){text{fill:#e6edf3}.n{fill:#79c0ff}.c{fill:#9198a1}rect{fill:#0d1117}}";
    let lines: Vec<&str> = text.lines().collect();
    let width = lines.iter().map(|it| it.chars().count()).max().unwrap_or(0) * 8 + 32;
    let height = lines.len() * 18 + 24;
    let mut res = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" width=\"{width}\" height=\"{height}\"><style>{STYLE}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n"
    );
    for (n, line) in lines.iter().enumerate().filter(|it| !it.1.is_empty()) {
        let class = match line.trim_start().chars().next() {
            Some('[') => "n",
            Some(c) if c.is_ascii_digit() => "c",
            _ if !line.starts_with(' ') => "p",
            _ => "t",
        };
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        res.push_str(&format!(
            "<text class=\"{class}\" x=\"16\" y=\"{}\">{line}</text>\n",
            n * 18 + 26
        ));
    }
    res + "</svg>\n"
}
