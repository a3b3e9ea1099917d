//! The addresses in calls: `fetch('/api/items')`, `client.get(f"/items/{id}")`, `get "/items"`.

use foreword_chunk::{Language, Span};

use super::super::super::users::family_of;
use super::super::tokens::MAX_NAME;
use super::method::{Methods, words_of};
use super::pattern::{Pattern, VALUE};
use crate::retrieve::names::place::is_name;

/// Bytes around a string that are read for the call around it.
const MAX_CALL: usize = 240;
/// Strings that are joined to one address.
const MAX_PARTS: usize = 8;
/// Words of the functions that ask for an address.
const CALLERS: &str = "ajax axios beacon call client delete del do eventsource fetch get head http intercept json load open \
    options patch perform post put redirect request req swr uri url visit websocket";
/// Words of the objects of which a call needs no slash before its address: `api.get('items')`.
const CLIENTS: &[&str] = &["http", "api", "axios", "client", "ajax", "request", "fetch"];
/// Keys whose values are addresses.
const KEYS: &[&str] = &["url", "uri", "endpoint"];
/// Beginnings of the hosts under which a repository asks itself.
const OWN_HOSTS: &[&str] = &["localhost", "127.0.0.1", "0.0.0.0", "testserver", "test"];

/// Other languages than scripts with clients that put a base address before what they ask for.
const BASED: &[Language] = &[Language::Python, Language::CSharp];

/// An address that code asks for.
pub(super) struct Address {
    /// The string, or the first of those that are joined.
    pub(super) name: Span,
    /// What it may be: with what is added to its end (`'/items' + query`) and without.
    pub(super) patterns: Vec<Pattern>,
    /// Whether something unknown may stand before it.
    pub(super) is_open: bool,
    /// Whether it begins with a slash, so that only what is usual may stand before it.
    pub(super) is_rooted: bool,
    pub(super) methods: Methods,
}

/// The call around a string.
#[derive(Default)]
struct Call<'t> {
    callee: &'t str,
    receiver: &'t str,
    /// Its arguments before the string.
    before: &'t str,
    /// Whether another value is joined before the string.
    is_joined: bool,
    is_key: bool,
}

impl Call<'_> {
    /// Whether its address needs no slash at the beginning.
    fn is_client(&self) -> bool {
        let mut words = words_of(self.callee).into_iter().chain(words_of(self.receiver));
        words.any(|it| CLIENTS.contains(&it.as_str()))
    }
}

/// The address in a string, which is given without its quotes.
pub(super) fn address_in(text: &str, language: Language, name: Span) -> Option<Address> {
    let written = name.of(text);
    // Most strings are none.
    if written.len() > MAX_NAME
        || written.contains(char::is_whitespace) && !written.contains(['{', '?'])
    {
        return None;
    }
    let call = call_around(text, language, name)?;
    let words = words_of(call.callee);
    let named = verb_in(call.before).or_else(|| words.iter().find_map(|it| Methods::named(it)));
    let is_caller = verb_in(call.before).is_some()
        || call.is_key && KEYS.contains(&call.callee)
        || words.iter().any(|it| CALLERS.split(' ').any(|caller| caller == it));
    if !is_caller {
        return None;
    }
    let (whole, end) = joined(text, name, language);
    let is_getter = words.last().is_some_and(|it| matches!(it.as_str(), "fetch" | "swr"));
    let is_alone = || text.get(end..).is_some_and(|it| it.trim_start().starts_with(')'));
    let alone = || Methods::named("get").filter(|_| is_getter && is_alone());
    let methods = named.or_else(|| verb_after(text, end)).or_else(alone).unwrap_or_default();
    // The query may have an address of another host in it.
    let (path, has_host) = located(whole.split(['?', '#']).next().unwrap_or(&whole))?;
    let is_open = has_host || call.is_joined;
    let is_relative = !path.starts_with('/');
    let is_php = family_of(language) == Language::Php;
    // Laravel's tests need no slash.
    let takes_relative = is_open || call.is_client() || is_php && named.is_some();
    if is_relative && !takes_relative {
        return None;
    }
    let has_base = call.callee != "fetch" && (is_script(language) || BASED.contains(&language));
    let is_rooted = !is_relative && !is_open;
    let is_open = is_open || has_base || is_relative && !is_php;
    let patterns = patterns_of(path)?;
    Some(Address { name, patterns, is_open, is_rooted, methods })
}

/// The patterns that a path may stand for; `None` for other texts.
fn patterns_of(path: &str) -> Option<Vec<Pattern>> {
    let is_path = |it: char| {
        it.is_alphanumeric()
            || matches!(it, '/' | '-' | '_' | '.' | '~' | '@' | ':' | ',' | '%' | '+' | VALUE)
    };
    let is_word = path.starts_with('/') || path.contains(char::is_alphabetic);
    if !is_word || !path.chars().all(is_path) {
        return None;
    }
    let mut patterns = vec![Pattern::plain(path)];
    let plain = path.trim_end_matches(VALUE);
    if plain.len() < path.len() && !plain.ends_with('/') && !plain.is_empty() {
        patterns.push(Pattern::plain(plain));
    }
    Some(patterns)
}

fn is_script(language: Language) -> bool {
    family_of(language.of_code()) == Language::JavaScript
}

/// The path of an address, and whether a value stands before it; `None` for that of another host.
fn located(whole: &str) -> Option<(&str, bool)> {
    if let Some((scheme, rest)) = whole.split_once("://") {
        let (host, _) = rest.split_once(['/', VALUE]).unwrap_or((rest, ""));
        let is_own = scheme.len() <= "https".len()
            && (host.is_empty() || OWN_HOSTS.iter().any(|it| host.starts_with(it)));
        let at = rest.find('/').unwrap_or(rest.len());
        let is_open = rest[..at].contains(VALUE);
        return is_own.then_some((&rest[at..], is_open));
    }
    if whole.starts_with("//") {
        return None;
    }
    // A mock answers for any host: `*/api/items`.
    match whole.strip_prefix(VALUE).or_else(|| whole.strip_prefix('*')) {
        Some(rest) if rest.starts_with(VALUE) => None,
        Some(rest) => Some((rest, true)),
        None => Some((whole, false)),
    }
}

/// The text of a string and of those that are joined to it, with marks in place of values, and where it ends.
fn joined(text: &str, name: Span, language: Language) -> (String, usize) {
    let joint = if matches!(language, Language::Php | Language::Blade) { '.' } else { '+' };
    let mut res = without_values(name.of(text));
    let mut at = (name.range().end + 1).min(text.len());
    let stop = text.floor_char_boundary((at + MAX_CALL).min(text.len()));
    for _ in 0..MAX_PARTS {
        let Some(rest) = text.get(at..stop) else { break };
        let Some(more) = rest.trim_start().strip_prefix(joint) else { break };
        let more = more.trim_start();
        at = stop - more.len();
        if let Some(quote) = more.chars().next().filter(|it| matches!(it, '"' | '\'' | '`')) {
            let Some(len) = more[1..].find(quote) else { break };
            res.push_str(&without_values(&more[1..=len]));
            at += len + 2;
            continue;
        }
        if !res.ends_with(VALUE) {
            res.push(VALUE);
        }
        at += expression_len(more, joint);
    }
    (res, at)
}

/// The length of an expression up to the next sign that joins strings, or to the end of the argument.
fn expression_len(text: &str, joint: char) -> usize {
    let mut depth = 0_i32;
    let is_end = |(_, it): &(usize, char)| {
        let is_over = depth == 0
            && (matches!(it, ',' | ';' | '\n' | ')' | ']' | '}') || *it == joint && joint == '+');
        depth +=
            i32::from(matches!(it, '(' | '[' | '{')) - i32::from(matches!(it, ')' | ']' | '}'));
        is_over || depth == 0 && joint == '.' && *it == ' '
    };
    text.char_indices().find(is_end).map_or(text.len(), |it| it.0)
}

/// A string with marks in place of the values in it: `${id}`, `#{id}`, `{id}`, `$item->id`, `%s`.
fn without_values(string: &str) -> String {
    let mut res = String::with_capacity(string.len());
    let mut rest = string;
    while let Some(it) = rest.chars().next() {
        let inner = rest.strip_prefix(['$', '#']).unwrap_or(rest);
        let len = if inner.starts_with('{') {
            matching_brace(inner).map(|it| it + rest.len() - inner.len())
        } else if it == '$' && inner.starts_with(|it: char| it.is_alphabetic() || it == '_') {
            let is_part = |it: char| is_name(it) || matches!(it, '>');
            let plain = inner.replace("->", ">>");
            Some(1 + plain.find(|it| !is_part(it)).unwrap_or(plain.len()))
        } else if it == '%' && rest[1..].starts_with(['s', 'd', 'v', 'q']) {
            Some(2)
        } else {
            None
        };
        match len {
            Some(len) => {
                if !res.ends_with(VALUE) {
                    res.push(VALUE);
                }
                rest = &rest[len..];
            }
            None => {
                res.push(it);
                rest = &rest[it.len_utf8()..];
            }
        }
    }
    res
}

/// The length of a text in braces.
fn matching_brace(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let end = text.bytes().position(|it| {
        depth += i32::from(it == b'{') - i32::from(it == b'}');
        depth == 0
    });
    end.map(|it| it + 1)
}

/// The call of which a string is an argument, or the key of which it is the value.
fn call_around(text: &str, language: Language, name: Span) -> Option<Call<'_>> {
    let quote = name.range().start.checked_sub(1)?;
    let from = text.ceil_char_boundary(quote.saturating_sub(MAX_CALL));
    let before = &text[from..quote];
    let letters = before.trim_end_matches(['f', 'r', 'b', 'u', 'F', '$', '@']);
    let before = if letters.ends_with(is_name) { before } else { letters };
    let trimmed = before.trim_end();
    let word = last_word(trimmed);
    let is_ruby = matches!(language, Language::Ruby | Language::Erb);
    if is_ruby && !word.is_empty() && trimmed.len() < before.len() {
        // `get '/items'`
        let is_symbol = trimmed[..trimmed.len() - word.len()].ends_with(':');
        return (!is_symbol).then(|| Call { callee: word, ..Call::default() });
    }
    let (own, inner) = opened(trimmed);
    let arguments = &trimmed[inner..];
    let is_joined = arguments.ends_with('+')
        || arguments.ends_with('.') && family_of(language) == Language::Php;
    let last = arguments.rsplit(',').next().unwrap_or(arguments).trim();
    let is_value =
        last.ends_with([':', '=']) || is_joined && last.contains(['=', ':']) && own.is_none();
    if is_value {
        let key = last.split([':', '=']).next().unwrap_or(last).trim_matches(['\'', '"', ' ']);
        return Some(Call { callee: last_word(key), is_joined, is_key: true, ..Call::default() });
    }
    let (before_word, callee) = split_word(without_generics(trimmed[..own?].trim_end()));
    // An annotation declares.
    if callee.is_empty() || before_word.ends_with(['@', '[']) {
        return None;
    }
    let receiver = last_word(before_word.trim_end_matches(['.', '$', '>', '-', ':', '?']));
    Some(Call { callee, receiver, before: arguments, is_joined, is_key: false })
}

/// A text without the word at its end, and that word.
fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.len() - last_word(text).len())
}

/// The parenthesis that is open at the end of a text, and where the innermost open bracket's contents begin.
pub(super) fn opened(text: &str) -> (Option<usize>, usize) {
    let mut depth = 0_i32;
    for (at, it) in text.char_indices().rev() {
        depth +=
            i32::from(matches!(it, ')' | ']' | '}')) - i32::from(matches!(it, '(' | '[' | '{'));
        if depth < 0 {
            return ((it == '(').then_some(at), at + 1);
        }
        if depth == 0 && it == ';' {
            return (None, at + 1);
        }
    }
    (None, 0)
}

/// A callee without the arguments of its type: `get` of `get<Item[]>`.
fn without_generics(callee: &str) -> &str {
    if !callee.ends_with('>') {
        return callee;
    }
    let mut depth = 0_i32;
    let open = callee.char_indices().rev().find(|(_, it)| {
        depth += i32::from(*it == '>') - i32::from(*it == '<');
        depth == 0
    });
    open.map_or(callee, |it| &callee[..it.0])
}

pub(super) fn last_word(text: &str) -> &str {
    &text[text.trim_end_matches(is_name).len()..]
}

/// The method among the arguments before an address: `"POST"`, `http.MethodPost`, `HttpMethod.Post`.
fn verb_in(arguments: &str) -> Option<Methods> {
    let words = arguments.split(|it| !is_name(it)).filter(|it| !it.is_empty());
    let verb = |it: &str| {
        let plain = it.strip_prefix("Method").unwrap_or(it);
        let is_named = plain.len() < it.len() || it.bytes().all(|it| it.is_ascii_uppercase());
        Methods::named(plain).filter(|_| is_named)
    };
    words.filter_map(verb).next_back()
}

/// The method that stands behind an address: `method: 'POST'`.
fn verb_after(text: &str, at: usize) -> Option<Methods> {
    let stop = text.floor_char_boundary((at + MAX_CALL).min(text.len()));
    let rest = text.get(at..stop)?;
    let rest = rest.split("fetch").next().unwrap_or(rest);
    let mut keys = ["method", "type"].into_iter().filter_map(|it| Some(rest.split_once(it)?.1));
    let value = |it: &str| {
        let it = it.trim_start_matches(['"', '\'']).trim_start();
        let it = it.strip_prefix([':', '='])?.trim_start().strip_prefix(['"', '\'', '`'])?;
        Methods::named(&it[..it.find(|it| !is_name(it)).unwrap_or(it.len())])
    };
    keys.find_map(value)
}
