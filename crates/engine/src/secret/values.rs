//! The value that a text assigns to a name, in the syntax of programs, settings, manifests, command lines and addresses.

use std::ops::Range;

use super::cursor::Cursor;
use super::plausible::Form;

/// A value, and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) span: Range<usize>,
    pub(super) form: Form,
}

/// Maximum length of a value between quotes or tags: keys in Base64 have some 2,000 letters.
const MAX_VALUE: usize = 4096;

/// Maximum length of a value that is a bare word. A word may consist of names, and is read once for each.
const MAX_WORD: usize = 1024;

/// Maximum number of blanks in a row; files with columns have some.
const MAX_BLANKS: usize = 40;

/// Maximum length of a type or a function's name between a name and its value.
const MAX_TYPE: usize = 48;

/// Maximum distance of the default of a variable in Terraform from its name; a type is between them.
const MAX_PAIR: usize = 120;

/// Names of the other half of a pair.
const VALUES: &[&[u8]] = &[b"value", b"Value", b"defaultValue", b"default", b"ParameterValue"];

/// What stands before the value of a variable that is not set: in Python, JavaScript, Kotlin, Rust and Scala.
const FALLBACKS: &[&[u8]] = &[
    b"or ",
    b"|| ",
    b"?? ",
    b"?: ",
    b".unwrap_or(",
    b".unwrap_or_else(|_| ",
    b".unwrap_or_else(|| ",
    b".getOrElse(",
    b".orElse(",
];

/// The value assigned to a name.
pub(super) fn after(text: &[u8], name: Range<usize>) -> Option<Value> {
    let mut it = Cursor { text, at: name.end };
    let closing = it.any(b"\"'`\\]}", 5);
    match it.peek() {
        b'>' => return tagged(it),
        b'<' if it.eat(b"</") => return next_element(it),
        b')' if !closing.is_empty() => return fallback(it),
        b'{' if closing.is_empty() => return braced(it),
        _ => {}
    }
    if it.eat(b"%3D") || it.eat(b"%3d") {
        return bare(it);
    }
    let blanks = !it.any(b" \t", MAX_BLANKS).is_empty();
    let operator = operator(&mut it);
    match operator {
        // `PASSWORD 'x'`, `--password x`, `var token string = "x"`, `name: TOKEN` and on the next line `value: "x"`.
        b"" if blanks || !closing.is_empty() || matches!(it.peek(), b'\r' | b'\n') => {
            let pair = || attributes(it).or_else(|| typed(it)).or_else(|| pair(it));
            quoted(it).or_else(pair).or_else(|| last(it))
        }
        b"" => call(it),
        b":" => quoted(it).or_else(|| call(it)).or_else(|| typed(it)).or_else(|| bare(it)),
        b"=" | b":=" | b"?=" | b"=>" | b":-" | b"<-" => {
            quoted(it).or_else(|| call(it)).or_else(|| bare(it))
        }
        // Two cells of a table.
        b"|" if text[..name.start].trim_ascii_end().ends_with(b"|") => {
            quoted(it).or_else(|| bare(it))
        }
        // The first two arguments of a call; in the middle of a row, a name says nothing about its neighbour.
        b"," if is_first_argument(&text[..name.start]) => quoted(it).or_else(|| pair(it)),
        // A tuple of Erlang: `{password, "x"}`.
        b"," if closing.is_empty() && text[..name.start].ends_with(b"{") => quoted(it),
        b"," if !closing.is_empty() => nested(it).or_else(|| pair(it)),
        b"," => None,
        _ => quoted(it),
    }
}

/// Whether a name after this text and a quote is the first argument of a call.
fn is_first_argument(before: &[u8]) -> bool {
    matches!(before, [.., b'(', b'"' | b'\'' | b'`'] | [.., b'(', b'\\', b'"'])
}

/// The value after a flag: `-u x`.
pub(super) fn argument(text: &[u8], at: usize) -> Option<Value> {
    let mut it = Cursor { text, at };
    it.any(b" \t", MAX_BLANKS);
    quoted(it).or_else(|| bare(it))
}

/// The text of a string literal, after blanks and line ends.
pub(super) fn literal(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut it = Cursor { text, at };
    it.any(b" \t\r\n", MAX_BLANKS);
    Some(quoted(it)?.span)
}

/// A string literal within another, as in settings of Gradle: `'"x"'`.
fn nested(mut it: Cursor<'_>) -> Option<Value> {
    let outer = it.any(b"\"'", 1);
    (!outer.is_empty() && outer[0] != it.peek()).then(|| quoted(it)).flatten()
}

/// Passes an operator such as `=`, `:=`, `||=` and the blanks after it. Properties of C# have `{ get; set; }` before it.
fn operator<'t>(it: &mut Cursor<'t>) -> &'t [u8] {
    if it.rest().starts_with(b"{ get;") {
        it.run(32, |letter| letter != b'}');
        it.any(b"} ", 2);
    }
    if it.eat(b"<- ") {
        return b"<-";
    }
    let operator = it.any(b"=:?|!>,", 4);
    if operator == b":" && it.eat(b"-") {
        return b":-";
    }
    // A value that begins with a mark: `PASSWORD=!x`.
    if operator == b"=!" || operator == b"=?" {
        it.at -= 1;
        return b"=";
    }
    if !operator.is_empty() {
        it.any(b" \t", MAX_BLANKS);
    }
    operator
}

/// A string literal, perhaps with a prefix, perhaps escaped within another.
fn quoted(mut it: Cursor<'_>) -> Option<Value> {
    it.any(b"bBrRfFuUc@$L", 2);
    let escapes = it.any(b"\\", 3).len();
    let quote = it.peek();
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    it.any(&[quote], 3);
    let span =
        it.run(MAX_VALUE, |letter| letter.is_ascii_graphic() && letter != quote && letter != b'\\');
    let is_whole = match escapes {
        0 => it.peek() == quote,
        _ => it.peek() == b'\\',
    };
    is_whole.then_some(Value { span, form: Form::Quoted })
}

/// The first argument of a call: `.password("x")`, `Secret::new("x")`.
fn call(mut it: Cursor<'_>) -> Option<Value> {
    it.eat(b"new ");
    it.run(MAX_TYPE, |letter| letter.is_ascii_alphanumeric() || b"_.:!".contains(&letter));
    it.eat(b"(").then_some(())?;
    it.any(b" \t\r\n", MAX_BLANKS);
    quoted(it)
}

/// A string literal after a type and `=`.
fn typed(mut it: Cursor<'_>) -> Option<Value> {
    it.run(MAX_TYPE, |letter| letter.is_ascii_alphanumeric() || b" _<>[]|?&'.,*".contains(&letter));
    it.eat(b"=").then_some(())?;
    it.any(b" \t", MAX_BLANKS);
    quoted(it).or_else(|| call(it))
}

/// What stands for a variable of the environment that is not set: `getenv("X") or "x"`.
fn fallback(mut it: Cursor<'_>) -> Option<Value> {
    it.eat(b")");
    it.any(b" \t", MAX_BLANKS);
    let is_fallback = FALLBACKS.iter().any(|word| it.eat(word));
    it.any(b" \t\r\n", MAX_BLANKS);
    is_fallback.then(|| quoted(it))?
}

/// The text of an initializer of C++: `secret{"x"}`.
fn braced(mut it: Cursor<'_>) -> Option<Value> {
    it.eat(b"{");
    quoted(it)
}

/// The text of an element with further attributes: `<string name="token" translatable="false">x</string>`.
fn attributes(mut it: Cursor<'_>) -> Option<Value> {
    it.run(MAX_PAIR, |letter| letter.is_ascii_alphanumeric() || b" :_-=\"/.".contains(&letter));
    (it.peek() == b'>' && it.text[it.at - 1] == b'"').then(|| tagged(it))?
}

/// The value of a pair: `name: X, value: "x"`, also in JSON, XML, and in blocks of Terraform.
fn pair(mut it: Cursor<'_>) -> Option<Value> {
    let between = it.any(b" \t\r\n,{\"'", MAX_BLANKS);
    if between.contains(&b'{') {
        let window = &it.rest()[..it.rest().len().min(MAX_PAIR)];
        let window = &window[..memchr::memchr2(b'}', b'(', window).unwrap_or(window.len())];
        it.at += memchr::memmem::find(window, b"default")?;
    }
    let is_value = VALUES.iter().any(|word| it.eat(word));
    is_value.then_some(())?;
    it.any(b"\"'", 1);
    it.any(b" \t", MAX_BLANKS);
    matches!(operator(&mut it), b"=" | b":").then_some(())?;
    quoted(it).or_else(|| bare(it))
}

/// The text of an XML element or attribute's element: `<password>x</password>`.
fn tagged(mut it: Cursor<'_>) -> Option<Value> {
    it.eat(b">");
    it.any(b" \t\r\n", MAX_BLANKS);
    // `<Password><Value>x</Value></Password>`
    if it.eat(b"<Value>") || it.eat(b"<value>") {
        it.any(b" \t\r\n", MAX_BLANKS);
    }
    let span = it.run(MAX_VALUE, |letter| letter.is_ascii_graphic() && letter != b'<');
    it.any(b" \t\r\n", MAX_BLANKS);
    it.rest().starts_with(b"</").then_some(Value { span, form: Form::Quoted })
}

/// The text of the element after the one that holds a name: `<key>x</key><string>y</string>`.
fn next_element(mut it: Cursor<'_>) -> Option<Value> {
    it.run(MAX_TYPE, |letter| letter.is_ascii_alphanumeric());
    it.eat(b">").then_some(())?;
    it.any(b" \t\r\n", MAX_BLANKS);
    it.eat(b"<").then_some(())?;
    it.run(MAX_TYPE, |letter| letter.is_ascii_alphanumeric());
    (it.peek() == b'>').then(|| tagged(it))?
}

/// A word without quotes.
fn bare(mut it: Cursor<'_>) -> Option<Value> {
    let span = it.run(MAX_WORD, is_bare);
    let next = it.peek();
    let is_end = next.is_ascii_whitespace() || b"\0;&\"'`,})\\|".contains(&next);
    (is_end || it.rest().starts_with(b"</")).then_some(Value { span, form: Form::Bare })
}

/// A word without quotes that ends its line and names no file.
fn last(it: Cursor<'_>) -> Option<Value> {
    let value = bare(it)?;
    let next = it.text.get(value.span.end);
    let is_file = it.text[value.span.clone()].iter().rev().take(6).any(|letter| *letter == b'.');
    (matches!(next, None | Some(b'\r' | b'\n')) && !is_file).then_some(value)
}

fn is_bare(letter: u8) -> bool {
    /// For each byte; a table, since a hostile text has these words read often.
    const BARE: [bool; 256] = {
        let mut res = [false; 256];
        let mut at = b'!';
        while at <= b'~' {
            res[at as usize] = !matches!(
                at,
                b'"' | b'\''
                    | b'`'
                    | b'<'
                    | b'>'
                    | b'('
                    | b')'
                    | b'['
                    | b']'
                    | b'{'
                    | b'}'
                    | b','
                    | b';'
                    | b'&'
                    | b'|'
                    | b'$'
                    | b'\\'
            );
            at += 1;
        }
        res
    };
    BARE[usize::from(letter)]
}
