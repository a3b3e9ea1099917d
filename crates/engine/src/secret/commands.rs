//! Passwords of command lines, by the manuals of the programs.

use std::ops::Range;

use super::plausible::{Form, is_secret, is_strong};
use super::values;

/// Maximum length of a command up to its password.
const MAX_COMMAND: usize = 240;

/// Maximum number of words of a command that are judged.
const MAX_ARGUMENTS: usize = 12;

/// The password in `curl -u user:password`.
pub(super) fn user(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    matches!(text[..anchor.start].last(), Some(b' ' | b'\t' | b'-')).then_some(())?;
    let value = values::argument(text, anchor.end)?;
    let colon = text[value.span.clone()].iter().position(|it| b":%,".contains(it))?;
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

/// The password after a flag of any program, such as `-p password`.
pub(super) fn flag(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let span = values::argument(text, anchor.end)?.span;
    is_strong(&text[span.clone()]).then(|| vec![span])
}

/// A password that is a word of the command, as in `htpasswd -b file user password`, or the last part of one.
pub(super) fn word(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let line = &text[anchor.end..text.len().min(anchor.end + MAX_COMMAND)];
    let line = &line[..memchr::memchr2(b'\n', b'|', line).unwrap_or(line.len())];
    let ends = |it: &u8| it.is_ascii_whitespace() || b"\"'`:/@;<>=".contains(it);
    let mut at = anchor.end;
    for word in line.split(ends).take(MAX_ARGUMENTS) {
        if is_strong(word) {
            let span = at..at + word.len();
            return Some(vec![span]);
        }
        at += word.len() + 1;
    }
    None
}

/// The password that a line writes for another command: `echo password | sudo -S`.
pub(super) fn echoed(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let start = anchor.start.saturating_sub(MAX_COMMAND);
    let line = &text[start..anchor.start];
    let line = &line[memchr::memrchr(b'\n', line).unwrap_or(0)..];
    let at = anchor.start - line.len() + memchr::memmem::rfind(line, b"echo ")? + b"echo ".len();
    let mut span = values::argument(text, at)?.span;
    if let Some(colon) = memchr::memchr(b':', &text[span.clone()]) {
        span.start += colon + 1;
    }
    secret(text, span, Form::Bare)
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
