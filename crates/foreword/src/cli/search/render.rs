//! Results of a search as text: place, title and numbered lines; on a terminal the words found in them stand out.

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

/// The results, after a line about words that occur nowhere.
pub(super) fn results(answer: &SearchAnswer, detail: Detail) -> String {
    let terms: HashSet<&str> = answer.terms.iter().map(String::as_str).collect();
    let mut text = match unknown_words(answer) {
        Some(note) => format!("{}\n\n", output::plain(&note).replace('\n', " ")),
        None => String::new(),
    };
    for (n, it) in answer.results.iter().enumerate() {
        push_title(&mut text, it, detail);
        if detail == Detail::Brief {
            continue;
        }
        let excerpt = it.excerpt(LINES[usize::from(n >= FIRST_RESULTS)]);
        for (number, line) in (excerpt.start_line..).zip(excerpt.text.lines()) {
            let line = marked(&output::plain(line), &terms);
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
    fn words_with_a_term_stand_out() {
        let terms = HashSet::from(["session", "open"]);
        let line = marked("  openSession(path, sessions) # open", &terms);
        let found = |word: &str| format!("{FOUND}{word}{FOUND:#}");
        let expected = format!("  {}(path, sessions) # {}", found("openSession"), found("open"));
        assert_eq!(line, expected);
    }
}
