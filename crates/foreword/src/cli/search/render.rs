//! Results of a search as text: place, title and numbered lines; on a terminal the words found in them stand out.

use std::borrow::Cow;
use std::collections::HashSet;

use foreword_chunk::Kind;
use foreword_engine::index::terms::{identifiers, terms_of};
use foreword_engine::search::{SearchAnswer, SearchResult};
use foreword_session::answer::search::unknown_words;

use super::Detail;
use crate::cli::output::{self, DIM, FOUND, NAME};

/// Lines of the first results, and of the others.
const LINES: [usize; 2] = [8, 4];

/// Number of results that count as first.
const FIRST_RESULTS: usize = 3;

/// Characters of a line; a longer one is shown around the first word found. A paragraph on one line, or minified code,
/// would fill the screen.
const LINE_CHARS: usize = 240;

/// Characters before that word.
const CHARS_BEFORE: usize = 60;

/// The results, after a line about words that occur nowhere.
pub(super) fn results(answer: &SearchAnswer, detail: Detail) -> String {
    let terms: HashSet<&str> = answer.terms.iter().map(String::as_str).collect();
    let mut text = match unknown_words(answer) {
        Some(note) => format!("{}\n\n", output::plain(&note).replace('\n', " ")),
        None => String::new(),
    };
    let mut seen = HashSet::new();
    // Parts of one long line have the same place.
    let is_new = |it: &&SearchResult| seen.insert((it.path.clone(), it.focus_lines()));
    for (n, it) in answer.results.iter().filter(is_new).enumerate() {
        push_title(&mut text, it, detail);
        if detail == Detail::Brief {
            continue;
        }
        let excerpt = it.excerpt(LINES[usize::from(n >= FIRST_RESULTS)]);
        for (number, line) in (excerpt.start_line..).zip(excerpt.text.lines()) {
            let line = marked(&cut(&output::plain(line), &terms), &terms);
            text.push_str(&format!("{DIM}{number:>6}{DIM:#}  {line}\n"));
        }
        text.push('\n');
    }
    text
}

/// The place and its definition; if explained, the score, and the reasons on the next line.
fn push_title(text: &mut String, it: &SearchResult, detail: Detail) {
    let symbol = output::plain(&it.symbol).replace('\n', " ");
    let kind = it.kind.map_or("", Kind::name);
    let (first, last) = it.focus_lines();
    let title = if symbol.is_empty() { String::new() } else { format!("  {kind} {symbol}") };
    let path = output::path(&it.path);
    text.push_str(&format!("{NAME}{path}:{first}-{last}{NAME:#}{title}"));
    if detail == Detail::Explained {
        let reasons: Vec<String> = it.reasons.iter().map(ToString::to_string).collect();
        let reasons = output::plain(&reasons.join("; "));
        text.push_str(&format!("  {DIM}{:.2}{DIM:#}\n        {DIM}{reasons}{DIM:#}", it.score));
    }
    text.push('\n');
}

/// A line, or the part of a long one around the first word that has one of the terms.
fn cut<'l>(line: &'l str, terms: &HashSet<&str>) -> Cow<'l, str> {
    if line.chars().nth(LINE_CHARS).is_none() {
        return Cow::Borrowed(line);
    }
    let (mut first, mut scratch) = (None, String::new());
    identifiers(line, |start, end| {
        if first.is_none() {
            terms_of(&line[start..end], &mut scratch, |term, _| {
                first = first.or_else(|| terms.contains(term).then_some(start));
            });
        }
    });
    let before = line[..first.unwrap_or_default()].chars().rev();
    let before: usize = before.take(CHARS_BEFORE).map(char::len_utf8).sum();
    let start = first.unwrap_or_default() - before;
    let shown: String = line[start..].chars().take(LINE_CHARS).collect();
    let is_end = start + shown.len() == line.len();
    let (left, right) = (if start > 0 { "…" } else { "" }, if is_end { "" } else { "…" });
    Cow::Owned(format!("{left}{shown}{right}"))
}

/// A line in which the words that have one of the terms stand out.
fn marked(line: &str, terms: &HashSet<&str>) -> String {
    let (mut text, mut done) = (String::with_capacity(line.len()), 0);
    let mut scratch = String::new();
    identifiers(line, |start, end| {
        let word = &line[start..end];
        let mut is_found = false;
        terms_of(word, &mut scratch, |term, _| is_found |= terms.contains(term));
        if is_found {
            text.push_str(&format!("{}{FOUND}{word}{FOUND:#}", &line[done..start]));
            done = end;
        }
    });
    text + &line[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_around_the_first_word_found() {
        let terms = HashSet::from(["giraffe"]);
        let line = format!("{}giraffe {}", "wörd ".repeat(100), "after ".repeat(100));
        let shown = cut(&line, &terms);
        assert!(shown.starts_with("…wörd wörd") && shown.ends_with('…'), "{shown}");
        assert!(shown.contains(" giraffe after") && shown.chars().count() == LINE_CHARS + 2);
        assert_eq!(cut("a giraffe", &terms), "a giraffe");
        let unmatched = cut(&line[..400], &HashSet::new()).into_owned();
        assert!(unmatched.starts_with("wörd") && unmatched.ends_with('…'), "{unmatched}");
    }

    #[test]
    fn words_with_a_term_stand_out() {
        let terms = HashSet::from(["session", "open"]);
        let line = marked("  openSession(path, sessions) # open", &terms);
        let found = |word: &str| format!("{FOUND}{word}{FOUND:#}");
        let expected = format!("  {}(path, sessions) # {}", found("openSession"), found("open"));
        assert_eq!(line, expected);
    }
}
