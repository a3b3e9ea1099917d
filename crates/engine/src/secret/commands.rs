//! Passwords of command lines, by the manuals of the programs.

use std::ops::Range;

use super::plausible::{Form, is_secret};
use super::values;

/// Maximum length of a command up to its password.
const MAX_COMMAND: usize = 240;

/// The password in `curl -u user:password`.
pub(super) fn user(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    matches!(text[..anchor.start].last(), Some(b' ' | b'\t')).then_some(())?;
    let value = values::argument(text, anchor.end)?;
    let colon = text[value.span.clone()].iter().position(|it| *it == b':')?;
    let span = value.span.start + colon + 1..value.span.end;
    // `user:'password'`
    let span = if span.is_empty() { values::literal(text, span.end)? } else { span };
    secret(text, span, Form::Quoted)
}

/// The password in `sshpass -p password`.
pub(super) fn argument(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    secret(text, values::argument(text, anchor.end)?.span, Form::Quoted)
}

/// The password between quotes in `-p'password'`; the anchor ends with the first.
pub(super) fn literal(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    secret(text, values::literal(text, anchor.end - 1)?, Form::Quoted)
}

/// The password in `redis-cli -h host -a password`.
pub(super) fn redis(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let at = after_flag(text, anchor.end, b" -a ")?;
    argument(text, at..at)
}

/// The password in `docker login -u user -p password`.
pub(super) fn login(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let at = after_flag(text, anchor.end, b" -p ")?;
    secret(text, values::argument(text, at)?.span, Form::Bare)
}

/// The password in `sqlcmd -U user -P password`.
pub(super) fn sqlcmd(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let at = after_flag(text, anchor.end, b" -P ")?;
    argument(text, at..at)
}

/// The password in `openssl enc -k password`.
pub(super) fn openssl(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let at = after_flag(text, anchor.end, b" -k ")?;
    secret(text, values::argument(text, at)?.span, Form::Bare)
}

/// The password in `mysql -u user -ppassword`.
pub(super) fn mysql(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let at = after_flag(text, anchor.end, b" -p")?;
    text.get(at).is_some_and(u8::is_ascii_graphic).then_some(())?;
    secret(text, values::argument(text, at)?.span, Form::Bare)
}

/// The place after a flag of the command whose name ends at `at`, with a blank.
fn after_flag(text: &[u8], at: usize, flag: &[u8]) -> Option<usize> {
    let line = &text[at - 1..text.len().min(at + MAX_COMMAND)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    Some(memchr::memmem::find(line, flag)? + at - 1 + flag.len())
}

fn secret(text: &[u8], span: Range<usize>, form: Form) -> Option<Vec<Range<usize>>> {
    is_secret(&text[span.clone()], form).then(|| vec![span])
}
