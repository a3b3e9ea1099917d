//! Lines of code, and what they say of a variable.

use super::*;

#[track_caller]
fn check(text: &str, expect: &str) {
    let text = format!("{text}\n");
    let found = declared(&text, 0..text.len(), "w", NameKind::Variable);
    let shown = match found {
        Some(Origin::Type(it)) => format!("type {}", it.of(&text)),
        Some(Origin::Call(it)) => format!("call {}", it.of(&text)),
        Some(Origin::Value(it)) => format!("value {}", it.of(&text)),
        Some(Origin::List { element: it, .. }) => format!("list of {}", it.of(&text)),
        Some(Origin::ElementOfValue(it)) => format!("element of value {}", it.of(&text)),
        Some(Origin::ElementOfCall(it)) => format!("element of call {}", it.of(&text)),
        None => String::new(),
    };
    assert_eq!(shown, expect, "{text}");
}

#[test]
fn a_declaration_or_an_assignment_gives_a_variable_its_type() {
    check("def f(self, w: t.Optional[Writer] = None):", "type Writer");
    check("fn f(w: &mut Writer) {", "type Writer");
    check("func f(w *io.Writer, n int) {", "type Writer");
    check("const Writer& w)", "type Writer");
    check("w := &Writer{}", "type Writer");
    check("w, err := New(x)", "call New");
    check("w = open(x).reader(1)", "call reader");
    check("with app.client() as w:", "call client");
    check("w = self.writer", "value writer");
    for text in ["w == Writer()", "x, w = pair()", "if w:"] {
        check(text, "");
    }
}

#[test]
fn lists_have_elements_that_loops_subscripts_and_callbacks_take() {
    check("def f(w: list[Writer]):", "list of Writer");
    check("function f(w: readonly Writer[], n: number) {", "list of Writer");
    check("w: Map<string, Array<Writer>>", "type Map");
    check("w: ReadonlyMap<string, io.Writer>;", "list of Writer");
    check("func f(w []*io.Writer) {", "list of Writer");
    check("w map[string]*io.Writer", "list of Writer");
    check("w: Writer[][],", "");
    check("w: Option<Vec<&Writer>>,", "list of Writer");
    check("w = rows[0]", "element of value rows");
    check("w = rows[1:]", "value rows");
    check("w = make()[0]", "element of call make");
    check("for (const w of this.rows) {", "element of value rows");
    check("for w in make(1):", "element of call make");
    check("for (const w in rows) {", "");
    check("for _, w := range rows {", "element of value rows");
    check("rows.map((w) => w.name)", "element of value rows");
    check("make(a).filter(b).forEach(async (w, i) => {", "element of call filter");
    check("rows.iter().map(|w| w.name)", "element of call iter");
    check("app.get('/', (w) => w.name)", "");
    check("hook((w) => w.name)", "");
}
