//! The value that a text assigns to a name, in the syntax of programs, settings, manifests, command lines and addresses.

use std::ops::Range;

use super::cursor::Cursor;
use super::plausible::{Form, is_noise, is_strong};

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

/// Length of the shortest line of a key of several lines.
const MIN_LINE: usize = 32;

/// Maximum length of a value with blanks in it, and number of the blanks; sentences have more.
const MAX_SALT: usize = 128;
const MAX_SALT_BLANKS: usize = 4;

/// Maximum number of blanks in a row; files with columns have some.
const MAX_BLANKS: usize = 40;

/// Maximum length of a type or a function's name between a name and its value.
const MAX_TYPE: usize = 48;

/// Maximum length of the words of a sentence between a name and its value.
const MAX_PHRASE: usize = 24;

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

/// Words, arrows and flags between a name and its value: in prose, Kotlin, AppleScript, Scala and command lines.
const LINKS: &[&[u8]] = &[b"is ", b"to ", b"-> ", b"is: ", b"--body ", b"--value ", b"-b "];

/// The value assigned to a name.
pub(super) fn after(text: &[u8], name: Range<usize>) -> Option<Value> {
    let mut it = Cursor { text, at: name.end };
    if !it.eat(b"[]") {
        it.eat(b"**");
    }
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
    if blanks && LINKS.iter().any(|word| it.eat(word)) {
        return quoted(it).or_else(|| bare(it));
    }
    let is_flag = text[name.start] == b'-';
    let operator = operator(&mut it);
    match operator {
        // Two items of a list: `- --token`, `- x`.
        b"" if is_flag && matches!(it.peek(), b'\r' | b'\n') => item(it),
        // `PASSWORD 'x'`, `--password x`, `var token string = "x"`, `name: TOKEN` and on the next line `value: "x"`.
        b"" if blanks || !closing.is_empty() || matches!(it.peek(), b'\r' | b'\n') => {
            near(it, closing)
        }
        b"" => call(it),
        b":" => quoted(it).or_else(|| call(it)).or_else(|| typed(it)).or_else(|| setting(it)),
        b"=" | b":=" | b"?=" | b"=>" | b":-" | b"<-" => {
            let value = quoted(it).or_else(|| call(it)).or_else(|| below(it));
            let line = || is_line(&text[..name.start]).then(|| line(it))?;
            value.or_else(line).or_else(|| applied(it)).or_else(|| listed(it))
        }
        // Base64 in LDIF; a hidden field of Jsonnet.
        b"::" if text[it.at - 1] == b' ' => quoted(it).or_else(|| bare(it)),
        // Two cells of a table.
        b"|" if is_first_cell(&text[..name.start]) => quoted(it).or_else(|| bare(it)),
        b"," => after_comma(it, name, closing),
        _ => quoted(it),
    }
}

/// The value behind a name without an operator. In markup, what follows a value in quotes is no type.
fn near(it: Cursor<'_>, closing: &[u8]) -> Option<Value> {
    let typed = || if closing.is_empty() { typed(it) } else { None };
    let value = quoted(it).or_else(|| attributes(it)).or_else(typed).or_else(|| pair(it));
    let braced = || if it.peek() == b'{' { listed(it) } else { last(it) };
    let value = value.or_else(|| attribute(it)).or_else(braced);
    value.or_else(|| word(it)).or_else(|| phrase(it))
}

/// The value behind a name and a comma; `closing` is what ends the name.
fn after_comma(it: Cursor<'_>, name: Range<usize>, closing: &[u8]) -> Option<Value> {
    let (before, is_quoted) = (&it.text[..name.start], !closing.is_empty());
    let name = &it.text[name];
    if is_constant(name) && !is_quoted {
        return quoted(it);
    }
    // The first two arguments of a call; in the middle of a row, a name says nothing about its neighbour.
    if is_first_argument(before) || name[0] == b'-' && is_quoted {
        return quoted(it).or_else(|| pair(it));
    }
    // A tuple of Erlang: `{password, "x"}`.
    match is_quoted {
        true => nested(it).or_else(|| pair(it)),
        false if is_in_tuple(before) => quoted(it),
        false => pair(it),
    }
}

/// Whether a name after this text and a quote is the first argument of a call.
fn is_first_argument(before: &[u8]) -> bool {
    matches!(before, [.., b'(', b'"' | b'\'' | b'`'] | [.., b'(', b'\\', b'"'])
}

/// Whether a name after this text begins its line, as in files of an environment.
fn is_line(before: &[u8]) -> bool {
    let before = before.strip_suffix(b"export ").unwrap_or(before);
    matches!(before.last(), None | Some(b'\n'))
}

/// Whether a name after this text is in a cell of a table.
fn is_first_cell(before: &[u8]) -> bool {
    let marks = before.iter().rev().take(4).take_while(|it| b"`* ".contains(it)).count();
    before[..before.len() - marks].ends_with(b"|")
}

/// Whether a name is that of an option, as libcurl's: `CURLOPT_USERPWD, "user:password"`.
fn is_constant(name: &[u8]) -> bool {
    name.contains(&b'_') && !name.iter().any(u8::is_ascii_lowercase)
}

/// Whether a name after this text is the first in braces: `{password, …}`, `{:password, …}`.
fn is_in_tuple(before: &[u8]) -> bool {
    before.strip_suffix(b":").unwrap_or(before).ends_with(b"{")
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
    it.any(b"bBrRfFuUc@$LN", 2);
    let escapes = it.any(b"\\", 3).len();
    let quote = it.peek();
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let is_block = it.any(&[quote], 3).len() == 3;
    it.any(b" \t\r\n", if is_block { MAX_BLANKS } else { 0 });
    let is_letter = |letter: u8| letter.is_ascii_graphic() && letter != quote && letter != b'\\';
    let mut span = it.run(MAX_VALUE, is_letter);
    if it.peek() == b' ' && !is_block {
        // Salts of WordPress have blanks.
        let start = span.start;
        span = start..it.run(MAX_SALT, |letter| letter == b' ' || is_letter(letter)).end;
        let value = &it.text[span.clone()];
        let blanks = memchr::memchr_iter(b' ', value).count();
        (blanks <= MAX_SALT_BLANKS && is_noise(value)).then_some(())?;
    }
    if is_block && span.len() < MIN_LINE {
        it.any(b" \t\r\n", MAX_BLANKS);
    }
    let is_cut = span.len() >= MIN_LINE && matches!(it.rest(), [b'\n', ..] | [b'\\', b'\n', ..]);
    let is_whole = match escapes {
        // A key of several lines.
        0 if is_cut => is_strong(&it.text[span.clone()]),
        0 => it.peek() == quote,
        _ => it.peek() == b'\\',
    };
    is_whole.then_some(Value { span, form: Form::Quoted })
}

/// The first argument of a call, `.password("x")`, `Secret::new("x")`, or the second, if that is a literal, too.
fn call(mut it: Cursor<'_>) -> Option<Value> {
    let text = it.text;
    it.eat(b"new ");
    it.run(MAX_TYPE, |letter| letter.is_ascii_alphanumeric() || b"_.:![]&*".contains(&letter));
    it.eat(b"(").then_some(())?;
    it.any(b" \t\r\n", MAX_BLANKS);
    let first = quoted(it);
    // `getenv("NAME", "default")`
    let second = first.as_ref().and_then(|it| next_argument(text, it));
    second.or(first)
}

/// The literal after another argument.
fn next_argument(text: &[u8], last: &Value) -> Option<Value> {
    let mut it = Cursor { text, at: last.span.end + 1 };
    it.eat(b", ").then(|| quoted(it))?
}

/// A string literal after a type and `=`.
fn typed(mut it: Cursor<'_>) -> Option<Value> {
    it.run(MAX_TYPE, |letter| letter.is_ascii_alphanumeric() || b" _<>[]|?&'.,*".contains(&letter));
    it.eat(b"=").then_some(())?;
    it.any(b" \t\r\n", MAX_BLANKS);
    quoted(it).or_else(|| call(it))
}

/// A string literal below its name: `password =` and on the next line `"x"`.
fn below(mut it: Cursor<'_>) -> Option<Value> {
    if it.eat(b"<<") {
        // A here-document: `<<~TEXT`.
        it.run(MAX_TYPE, |letter| letter.is_ascii_graphic());
        let is_text = !it.any(b"\r\n", 2).is_empty();
        it.any(b" \t", MAX_BLANKS);
        return is_text.then(|| bare(it))?;
    }
    matches!(it.peek(), b'\r' | b'\n').then_some(())?;
    it.any(b" \t\r\n", MAX_BLANKS);
    quoted(it).or_else(|| call(it))
}

/// The argument of a function without brackets, as in Haskell: `pack "x"`.
fn applied(mut it: Cursor<'_>) -> Option<Value> {
    let function = it.run(MAX_TYPE, |letter| letter.is_ascii_alphanumeric() || letter == b'.');
    (!function.is_empty() && it.eat(b" ")).then(|| quoted(it))?
}

/// A word up to the end of its line, of so many marks that it is no expression: a key of Django's.
fn line(mut it: Cursor<'_>) -> Option<Value> {
    let span = it.run(MAX_SALT, |letter| letter.is_ascii_graphic());
    let is_end = matches!(it.peek(), b'\0' | b' ' | b'\r' | b'\n');
    (is_end && is_noise(&it.text[span.clone()])).then_some(Value { span, form: Form::Quoted })
}

/// A word, or the first of a list, or a word in braces as in ODBC.
fn listed(mut it: Cursor<'_>) -> Option<Value> {
    if it.eat(b"&quot;") || it.eat(b"q{") || it.eat(b"qq{") || it.eat(b"q(") {
        return bare(it);
    }
    if !matches!(it.peek(), b'[' | b'{') {
        return bare(it);
    }
    it.at += 1;
    it.any(b" \t\r\n", MAX_BLANKS);
    let ends = |word: &Value| matches!(it.text.get(word.span.end), Some(b'}' | b']' | b','));
    let braced = || bare(it).filter(ends);
    quoted(it).or_else(braced)
}

/// A value of YAML: with a name or type of its own, as a block of a line, or the first of a list.
fn setting(mut it: Cursor<'_>) -> Option<Value> {
    if it.eat(b"&") || it.eat(b"!!str") {
        it.run(MAX_TYPE, |letter| letter.is_ascii_alphanumeric() || b"_-".contains(&letter));
        it.any(b" ", MAX_BLANKS);
        return quoted(it).or_else(|| bare(it));
    }
    let is_block = !it.any(b"|>", 1).is_empty();
    it.any(b"-+0123456789", if is_block { 2 } else { 0 });
    match it.peek() {
        b'\r' | b'\n' if is_block => {
            it.any(b" \t\r\n", MAX_BLANKS);
            bare(it)
        }
        b'\r' | b'\n' => item(it).or_else(|| below(it)),
        _ => listed(it),
    }
}

/// The item of a list of YAML in the next line.
fn item(mut it: Cursor<'_>) -> Option<Value> {
    it.any(b" \t\r\n", MAX_BLANKS);
    it.eat(b"- ").then(|| quoted(it).or_else(|| bare(it)))?
}

/// The next value of a list.
pub(super) fn next(text: &[u8], last: &Value) -> Option<Value> {
    let mut it = Cursor { text, at: last.span.end };
    if last.form == Form::Quoted && matches!(it.peek(), b'\n' | b'\\') {
        // The next line of a string.
        it.any(b"\\\r\n \t", MAX_BLANKS);
        let span = it
            .run(MAX_VALUE, |letter| letter.is_ascii_alphanumeric() || b"+/=_-".contains(&letter));
        return Some(Value { span, form: Form::Quoted });
    }
    it.any(b"\"'`", 1);
    if it.eat(b",") {
        let is_bare = last.form == Form::Bare;
        it.any(b" \t\r\n", MAX_BLANKS);
        return quoted(it).or_else(|| is_bare.then(|| bare(it))?);
    }
    matches!(it.peek(), b'\r' | b'\n').then(|| item(it))?
}

/// A word after a few words of a sentence, `token in text: x`, or in the next line.
fn phrase(mut it: Cursor<'_>) -> Option<Value> {
    if matches!(it.peek(), b'\r' | b'\n') {
        it.any(b" \t\r\n", MAX_BLANKS);
        return last(it).filter(|word| is_strong(&it.text[word.span.clone()]));
    }
    let words = it.run(MAX_PHRASE, |letter| letter.is_ascii_lowercase() || letter == b' ');
    if !it.eat(b": ") {
        it.at = words.start + memchr::memrchr(b' ', &it.text[words])? + 1;
    }
    word(it)
}

/// A word in the middle of a line, if it can be nothing else than a secret.
fn word(it: Cursor<'_>) -> Option<Value> {
    bare(it).filter(|word| is_strong(&it.text[word.span.clone()]))
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

/// The value of an element with further attributes: `<Setting Name="token" Type="x" Value="y"/>`.
fn attribute(mut it: Cursor<'_>) -> Option<Value> {
    let window = &it.rest()[..it.rest().len().min(MAX_PAIR)];
    let window = &window[..memchr::memchr2(b'>', b'\n', window).unwrap_or(window.len())];
    let value = |name| memchr::memmem::find(window, name);
    let at = value(b" value=\"").or_else(|| value(b" Value=\"")).or_else(|| value(b":value=\""));
    it.at += at? + b" value=".len();
    quoted(it)
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
    let is_data = it.eat(b"<![CDATA[");
    let ends = |letter: u8| matches!(letter, b'<' | b'>') || is_data && letter == b']';
    let span = it.run(MAX_VALUE, |letter| letter.is_ascii_graphic() && !ends(letter));
    it.any(b" \t\r\n", MAX_BLANKS);
    it.eat(b"]]>");
    it.rest().starts_with(b"</").then_some(Value { span, form: Form::Quoted })
}

/// The text of the element after the one that holds a name: `<key>x</key><string>y</string>`.
fn next_element(mut it: Cursor<'_>) -> Option<Value> {
    let is_name = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
    it.run(MAX_TYPE, is_name);
    it.eat(b">").then_some(())?;
    it.any(b" \t\r\n", MAX_BLANKS);
    it.eat(b"<").then_some(())?;
    it.run(MAX_TYPE, is_name);
    (it.peek() == b'>').then(|| tagged(it))?
}

/// A word without quotes.
fn bare(mut it: Cursor<'_>) -> Option<Value> {
    let mut span = it.run(MAX_WORD, is_bare);
    if it.peek() == b'$' {
        // Where the whole is no password, a variable begins.
        let mut whole = it;
        let rest = whole.run(MAX_WORD, |letter| is_bare(letter) || letter == b'$');
        let all = span.start..rest.end;
        if is_strong(&it.text[all.clone()]) {
            (span, it) = (all, whole);
        }
    }
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
