//! The tool `search`: one query, as words, a name or a pattern.

mod name;
mod pattern;
mod words;

use foreword_engine::fuzzy;
use foreword_engine::grep::{GrepRequest, words_of as words_of_pattern};

use super::arguments::{self, Mode, SearchArguments};
use super::cursor::QuestionId;
use super::page::ToolAnswer;
use super::target::Target;
use crate::answer::search::QueryForm;
use crate::filter::Filter;
use crate::usage::usage;

/// Lines of an excerpt by default.
const LINES: usize = 12;

/// Results by default.
const LIMIT: usize = 10;

/// Maximum number of similar names in an empty answer.
const MAX_SIMILAR: usize = 5;

/// A search whose arguments have been checked.
struct Query<'a> {
    text: &'a str,
    mode: Mode,
    filter: Filter,
    /// Number of results on earlier pages.
    offset: usize,
    limit: usize,
    lines: Option<usize>,
    /// Required tags; a tag after `!` is excluded.
    tags: Vec<String>,
}

pub(super) fn answer(
    target: &Target<'_>,
    arguments: &SearchArguments,
) -> anyhow::Result<ToolAnswer> {
    if arguments.query.trim().is_empty() {
        return Err(usage(
            "search: the query is empty; give a question, words, a name or a pattern",
        ));
    }
    let (text, mode) = infer_mode(&arguments.query, arguments.mode);
    if matches!(mode, Mode::Exact | Mode::Regex) && !arguments.kind.is_empty() {
        return Err(usage(
            "search: a pattern finds lines, of which kind says nothing; leave it out",
        ));
    }
    if mode != Mode::Auto && !arguments.tag.is_empty() {
        return Err(usage(
            "search: tags are of results in mode auto only; leave `tag` or `mode` out",
        ));
    }
    let SearchArguments { path, lang, kind, tag, .. } = arguments;
    let question = QuestionId::of(&(text, mode as u8, path, lang, kind, tag));
    let query = Query {
        text,
        mode,
        filter: target.filter((path, lang, kind))?,
        offset: question.offset(arguments.cursor.as_deref())?,
        limit: arguments.limit.unwrap_or(LIMIT).clamp(1, 100),
        lines: arguments.lines.map(|it| it.min(200)),
        tags: arguments.tag.clone(),
    };
    let mut page = match mode {
        Mode::Auto => words::page(target, &query)?,
        Mode::Symbol => name::page(target, &query),
        Mode::Exact | Mode::Regex => pattern::page(target, &query)?,
    };
    page.question = Some(question);
    Ok(page.answer(target, arguments::budget(arguments.tokens, 2000)))
}

/// Whether lines are looked for that match a pattern.
pub(super) fn is_pattern(it: &SearchArguments) -> bool {
    matches!(infer_mode(&it.query, it.mode).1, Mode::Exact | Mode::Regex)
}

/// The words that are looked for: of a pattern, those that its matches have.
pub(super) fn words_of(it: &SearchArguments) -> String {
    match infer_mode(&it.query, it.mode) {
        (words, Mode::Auto | Mode::Symbol) => words.to_owned(),
        (pattern, mode) => {
            let regex = mode == Mode::Regex;
            let request = GrepRequest { pattern, regex, ..GrepRequest::default() };
            words_of_pattern(&request).join(" ")
        }
    }
}

/// In mode `auto`, quotes and slashes around the query decide.
fn infer_mode(query: &str, mode: Mode) -> (&str, Mode) {
    match (mode, QueryForm::of(query)) {
        (Mode::Auto, QueryForm::Exact(text)) => (text, Mode::Exact),
        (Mode::Auto, QueryForm::Regex(pattern)) => (pattern, Mode::Regex),
        _ => (query, mode),
    }
}

/// The note of an empty answer, with alternatives.
fn nothing_matched(target: &Target<'_>, query: &Query<'_>) -> String {
    let snapshot = &target.view.snapshot;
    let files = snapshot.totals().files;
    let how = match query.mode {
        Mode::Auto => "has any of the words",
        Mode::Symbol => "defines",
        Mode::Exact | Mode::Regex => "matches",
    };
    let similar = fuzzy::similar(snapshot, query.text, MAX_SIMILAR);
    let similar: Vec<String> =
        similar.into_iter().filter(|it| it.is_name).map(|it| it.name).collect();
    let similar = spelled_alike(&similar);
    format!("nothing matched: nothing in {files} files {how} \"{}\"{similar}", query.text)
}

/// The end of a sentence that offers similarly spelled names, if there are any.
pub(super) fn spelled_alike(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => format!("; spelt alike: {}", names.join(", ")),
    }
}
