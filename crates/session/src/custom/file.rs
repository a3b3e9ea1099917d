//! Reads one TOML file of customisation. A faulty entry is omitted, and so is a file that is no TOML or has unknown
//! fields; each problem names file, line, field and remedy.

use std::collections::BTreeMap;
use std::ops::Range;

use foreword_chunk::{Kind, Language, LineIndex};
use foreword_engine::custom::{
    BUILT_IN, Customisation, DirectorySummary, FaqEntry, FaqPlace, Location, TagRule,
};
use grep_regex::RegexMatcherBuilder;
use serde::Deserialize;
use toml::Spanned;

use super::globs;

/// Maximum size of a file in bytes, and maximum number of entries of each kind in all files.
const MAX_BYTES: usize = 256 << 10;
const MAX_ENTRIES: usize = 500;
const MAX_TAGS: usize = 100;

/// Maximum characters of a question, an answer or summary, and a pattern.
const MAX_QUESTION: usize = 500;
const MAX_ANSWER: usize = 8_000;
const MAX_PATTERN: usize = 500;

/// Maximum bytes of a compiled pattern.
const MAX_COMPILED: usize = 1 << 20;

/// Minimum and maximum weight of a tag.
const WEIGHT_RANGE: (f64, f64) = (0.1, 3.0);

/// The fields of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTable {
    #[serde(default)]
    faq: Vec<FaqTable>,
    #[serde(default)]
    directories: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    tags: BTreeMap<String, Spanned<TagTable>>,
    paths: Option<Spanned<PathsTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaqTable {
    question: Spanned<String>,
    answer: Spanned<String>,
    #[serde(default)]
    places: Vec<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TagTable {
    paths: Vec<String>,
    text: Option<String>,
    languages: Vec<String>,
    kinds: Vec<String>,
    weight: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PathsTable {
    pin: Vec<String>,
    demote: Vec<String>,
}

/// Reads files one after another.
#[derive(Default)]
pub(super) struct Reader {
    res: Customisation,
    problems: Vec<String>,
    pinned: Vec<String>,
    demoted: Vec<String>,
    patterns: Vec<PathPattern>,
}

/// A pattern of paths, with its location.
pub struct PathPattern {
    /// The pattern.
    pub pattern: String,
    /// File, line and field.
    pub place: String,
}

/// The text of a file.
struct Source<'s> {
    path: &'s str,
    text: &'s str,
    lines: LineIndex,
}

impl Source<'_> {
    fn line(&self, at: &Range<usize>) -> u32 {
        self.lines.line_of(at.start.min(self.text.len()))
    }

    fn problem(&self, at: &Range<usize>, what: &str) -> String {
        format!("{}:{}: {what}", self.path, self.line(at))
    }

    /// The lines of these bytes.
    fn at(&self, bytes: &Range<usize>) -> Location {
        let last =
            self.lines.line_of(bytes.end.saturating_sub(1).clamp(bytes.start, self.text.len()));
        let lines = (self.line(bytes), last);
        let skipped = self.text.lines().skip(lines.0 as usize - 1);
        let text = skipped.take((lines.1 - lines.0 + 1) as usize).collect::<Vec<_>>().join("\n");
        Location { path: self.path.to_owned(), lines, text }
    }
}

impl Reader {
    /// Reads one file.
    pub(super) fn read(&mut self, path: &str, text: &str) {
        if text.len() > MAX_BYTES {
            let what = format!("{path}: more than {MAX_BYTES} bytes; divide it into several files");
            return self.problems.push(what);
        }
        let source = Source { path, text, lines: LineIndex::new(text.as_bytes()) };
        let table: FileTable = match toml::from_str(text) {
            Ok(table) => table,
            Err(error) => {
                let at = error.span().unwrap_or(0..0);
                let what = explained(&error.message().replace('\n', "; "), text, &at);
                return self.problems.push(source.problem(&at, &what));
            }
        };
        table.faq.iter().for_each(|it| self.faq(&source, it));
        table.directories.iter().for_each(|(path, it)| self.directory(&source, path, it));
        table.tags.iter().for_each(|(name, it)| self.tag(&source, name, it));
        if let Some(paths) = &table.paths {
            self.paths(&source, paths);
        }
    }

    /// The customisation of all files, their path patterns, and their problems.
    pub(super) fn finish(mut self) -> (Customisation, Vec<PathPattern>, Vec<String>) {
        self.res.paths.pinned = globs(&self.pinned).unwrap_or_default();
        self.res.paths.demoted = globs(&self.demoted).unwrap_or_default();
        (self.res, self.patterns, self.problems)
    }

    fn faq(&mut self, source: &Source<'_>, it: &FaqTable) {
        let (question, answer) = (it.question.get_ref().trim(), it.answer.get_ref().trim());
        let spans = [it.question.span(), it.answer.span()];
        let spans = spans.into_iter().chain(it.places.iter().map(Spanned::span));
        let (start, end) =
            spans.fold((usize::MAX, 0), |all, it| (all.0.min(it.start), all.1.max(it.end)));
        let fault = match () {
            () if self.res.faq.len() == MAX_ENTRIES => {
                Some(format!("more than {MAX_ENTRIES} questions; the rest is left out"))
            }
            () if question.is_empty() => {
                Some("question: it is empty; write what is asked".to_owned())
            }
            () if question.chars().count() > MAX_QUESTION => {
                Some(format!("question: more than {MAX_QUESTION} characters; shorten it"))
            }
            () if answer.is_empty() => Some("answer: it is empty; write the answer".to_owned()),
            () if answer.chars().count() > MAX_ANSWER => Some(format!(
                "answer: more than {MAX_ANSWER} characters; put it into a page beside this file"
            )),
            () => None,
        };
        if let Some(fault) = fault {
            return self.problems.push(source.problem(&it.question.span(), &fault));
        }
        let mut places = Vec::new();
        for place in &it.places {
            match place_of(place.get_ref()) {
                Ok(place) => places.push(place),
                Err(what) => self.problems.push(source.problem(&place.span(), &what)),
            }
        }
        let at = source.at(&(start..end));
        let (question, answer) = (question.to_owned(), answer.to_owned());
        self.res.faq.push(FaqEntry { question, answer, places, at });
    }

    fn directory(&mut self, source: &Source<'_>, path: &str, it: &Spanned<String>) {
        let (summary, tidy) = (it.get_ref().trim(), path.trim_end_matches('/'));
        let fault = match () {
            () if self.res.directories.len() == MAX_ENTRIES => {
                Some(format!("more than {MAX_ENTRIES} directories; the rest is left out"))
            }
            () if !goes_down(tidy) => Some(format!(
                "directories: `{path}` is no directory below the root; write it as in \"src/net\""
            )),
            () if summary.is_empty() => {
                Some(format!("directories: `{path}` has no text; say what it is for"))
            }
            () if summary.chars().count() > MAX_ANSWER => Some(format!(
                "directories: the text of `{path}` has more than {MAX_ANSWER} characters; shorten it"
            )),
            () => None,
        };
        if let Some(fault) = fault {
            return self.problems.push(source.problem(&it.span(), &fault));
        }
        let at = source.at(&it.span());
        let (directory, summary) = (format!("{tidy}/"), summary.to_owned());
        self.res.directories.push(DirectorySummary { directory, summary, at });
    }

    fn tag(&mut self, source: &Source<'_>, name: &str, it: &Spanned<TagTable>) {
        match self.rule(name, it.get_ref()) {
            Ok(rule) => {
                self.res.tags.push(rule);
                self.note(source, &it.span(), &format!("tags.{name}.paths"), &it.get_ref().paths);
            }
            Err(what) => {
                let what = source.problem(&it.span(), &format!("tags.{name}: {what}"));
                self.problems.push(what);
            }
        }
    }

    /// Records patterns with their locations.
    fn note(&mut self, source: &Source<'_>, at: &Range<usize>, field: &str, patterns: &[String]) {
        let place = source.problem(at, field);
        let pattern = |it: &String| PathPattern { pattern: it.clone(), place: place.clone() };
        self.patterns.extend(patterns.iter().map(pattern));
    }

    fn rule(&self, name: &str, it: &TagTable) -> Result<TagRule, String> {
        let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
        if name.is_empty() || !name.chars().all(is_word) {
            return Err("a tag's name has letters, digits, - and _ only".to_owned());
        }
        if self.res.tags.len() == MAX_TAGS {
            return Err(format!("more than {MAX_TAGS} tags; the rest is left out"));
        }
        if self.res.tags.iter().any(|it| it.name == name) {
            return Err(
                "there is such a tag already, in this file or another; rename one".to_owned()
            );
        }
        let has_rule = !it.paths.is_empty()
            || it.text.is_some()
            || !it.languages.is_empty()
            || !it.kinds.is_empty();
        let is_built_in = BUILT_IN.iter().any(|it| it.0 == name);
        if is_built_in && has_rule {
            return Err(
                "the tag is built in and takes only `weight`; choose another name".to_owned()
            );
        }
        if !is_built_in && !has_rule {
            return Err("no rule; give paths, text, languages or kinds".to_owned());
        }
        Ok(TagRule {
            name: name.to_owned(),
            paths: (!it.paths.is_empty())
                .then(|| globs(&it.paths))
                .transpose()
                .map_err(|it| format!("paths: {it}"))?,
            text: it.text.as_deref().map(pattern).transpose()?,
            languages: it.languages.iter().map(|it| language(it)).collect::<Result<_, _>>()?,
            kinds: it.kinds.iter().map(|it| kind(it)).collect::<Result<_, _>>()?,
            weight: weight(it.weight.unwrap_or(1.0))?,
        })
    }

    fn paths(&mut self, source: &Source<'_>, it: &Spanned<PathsTable>) {
        for (name, patterns, all) in [
            ("pin", &it.get_ref().pin, &mut self.pinned),
            ("demote", &it.get_ref().demote, &mut self.demoted),
        ] {
            if patterns.len() + all.len() > MAX_ENTRIES {
                let what =
                    format!("paths.{name}: more than {MAX_ENTRIES} patterns; use wider ones");
                self.problems.push(source.problem(&it.span(), &what));
            } else if let Err(what) = globs(patterns) {
                self.problems.push(source.problem(&it.span(), &format!("paths.{name}: {what}")));
            } else {
                all.extend(patterns.iter().cloned());
            }
        }
        let table = it.get_ref();
        self.note(source, &it.span(), "paths.pin", &table.pin);
        self.note(source, &it.span(), "paths.demote", &table.demote);
    }
}

/// The message of the TOML parser, with the field and its expected form for a wrong type.
fn explained(message: &str, text: &str, at: &Range<usize>) -> String {
    let start = text[..at.start.min(text.len())].rfind('\n').map_or(0, |it| it + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let table = line.trim().strip_prefix('[').and_then(|it| it.split(']').next());
    let field = line.split_once('=').map(|it| it.0.trim());
    match (table, field) {
        (Some(table), _) if message.contains("map, expected a sequence") => {
            format!("{table}: there may be several; write [[{table}]]")
        }
        (None, Some(field)) if message.contains("expected a sequence") => {
            format!("{field}: a list is expected; write it as in {field} = [\"a\", \"b\"]")
        }
        (None, Some(field)) if message.contains("invalid type") => format!("{field}: {message}"),
        _ => message.to_owned(),
    }
}

/// Whether a path stays below the root.
fn goes_down(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\\')
        && path.split('/').all(|it| !matches!(it, "" | "." | ".."))
}

/// Parses `path`, `path:3`, `path:3-9` or `path#L3-L9`.
fn place_of(text: &str) -> Result<FaqPlace, String> {
    let wrong =
        |what: &str| Err(format!("places: `{text}` {what}; write it as in \"src/net.rs:3-9\""));
    let anchored = text.replace("#L", ":").replace("-L", "-");
    let plain = if text.contains("#L") { anchored.as_str() } else { text };
    let plain = plain.trim_start_matches("./");
    let parts = plain.rsplit_once(':').and_then(|(path, lines)| {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        Some((path, (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?)))
    });
    let (path, lines) = match parts {
        Some((path, lines)) => (path, Some(lines)),
        None => (plain, None),
    };
    let is_range = lines.is_none_or(|(first, last)| first > 0 && first <= last);
    let path = path.trim_end_matches('/');
    if !goes_down(path) {
        return wrong("is no place below the root");
    }
    if !is_range {
        return wrong("has no lines from a first to a last one, counted from 1");
    }
    Ok(FaqPlace { path: path.to_owned(), lines })
}

fn pattern(text: &str) -> Result<grep_regex::RegexMatcher, String> {
    if text.chars().count() > MAX_PATTERN {
        return Err(format!("text: more than {MAX_PATTERN} characters; shorten it"));
    }
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED).nest_limit(50);
    let built = builder.build(text);
    built.map_err(|error| {
        format!("text: no regular expression: {}", error.to_string().replace('\n', " "))
    })
}

fn language(name: &str) -> Result<Language, String> {
    Language::from_name(name).ok_or_else(|| {
        format!("languages: there is no language {name}; `foreword search --lang x y` lists them")
    })
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::ALL.into_iter().find(|it| it.name() == name).ok_or_else(|| {
        let all = Kind::ALL.map(Kind::name).join(", ");
        format!("kinds: there is no kind {name}; there are {all}")
    })
}

/// The weight of a tag, checked.
fn weight(weight: f64) -> Result<f32, String> {
    let (least, most) = WEIGHT_RANGE;
    match (least..=most).contains(&weight) {
        true => Ok(weight as f32),
        false => Err(format!("weight: from {least} to {most}, not {weight}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Customisation, Vec<String>) {
        let mut reader = Reader::default();
        reader.read(".foreword/a.toml", text);
        let (said, _, problems) = reader.finish();
        (said, problems)
    }

    #[test]
    fn an_entry_stands_on_the_lines_that_it_is_written_on() {
        let (said, problems) = read(
            "[[faq]]\nquestion = \"How?\"\nanswer = \"\"\"\nSo.\n\"\"\"\nplaces = [\"a/b.rs:3-9\", \"./d.rs#L3-L9\", \"c\"]\n\n[directories]\n\"src/net\" = \"Sockets.\"\n",
        );
        assert_eq!(problems, Vec::<String>::new());
        let it = &said.faq[0];
        assert_eq!(
            (it.question.as_str(), it.answer.as_str(), it.at.lines),
            ("How?", "So.", (2, 6))
        );
        assert_eq!(it.places[0], FaqPlace { path: "a/b.rs".to_owned(), lines: Some((3, 9)) });
        assert_eq!(it.places[1], FaqPlace { path: "d.rs".to_owned(), lines: Some((3, 9)) });
        assert!(it.at.text.starts_with("question = ") && it.at.text.ends_with("\"c\"]"));
        assert_eq!(
            (said.directories[0].directory.as_str(), said.directories[0].at.lines),
            ("src/net/", (9, 9))
        );
    }

    #[test]
    fn what_is_wrong_names_file_line_field_and_remedy() {
        let check = |text: &str, expect: &[&str]| {
            let (_, problems) = read(text);
            assert_eq!(problems.len(), 1, "{text}: {problems:?}");
            for it in expect {
                assert!(problems[0].contains(it), "{it}: {problems:?}");
            }
        };
        check(
            "[[faq]]\nquestion = \"a\"\nanser = \"b\"\n",
            &[".foreword/a.toml:3:", "anser", "answer"],
        );
        check("[[faq]]\nquestion = \"a\"\nanswer = \"\"\n", &[":2:", "answer", "empty"]);
        check("x = [", &[".foreword/a.toml:1:"]);
        check("[tags.hot]\n", &[":1:", "tags.hot", "give paths"]);
        check("[tags.hot]\ntext = \"(\"\n", &["tags.hot: text", "regular expression"]);
        check("[tags.hot]\nkinds = [\"klass\"]\n", &["klass", "there are module, class"]);
        check("[tags.hot]\npaths = [\"a\"]\nweight = 9\n", &["weight: from 0.1 to 3"]);
        check("[tags.test]\npaths = [\"a\"]\n", &["built in"]);
        check("[paths]\npin = [\"a{\"]\n", &["paths.pin", "a{"]);
        check("[directories]\n\"../x\" = \"a\"\n", &["../x", "below the root"]);
        check(
            "[[faq]]\nquestion = \"a\"\nanswer = \"b\"\nplaces = [\"/etc/passwd:1\"]\n",
            &[":4:", "/etc/passwd"],
        );
        let faq = "[[faq]]\nquestion = \"a\"\nanswer = \"b\"\n";
        check(&format!("{faq}places = [\"a.rs:9-3\"]\n"), &[":4:", "from a first to a last"]);
        check(&format!("{faq}places = \"a.rs\"\n"), &[":4:", "places = [\"a\", \"b\"]"]);
        check("[faq]\nquestion = \"a\"\nanswer = \"b\"\n", &[":1:", "write [[faq]]"]);
        check("[[faq]]\nquestion = 3\nanswer = \"b\"\n", &[":2:", "question: ", "string"]);
        check("[paths]\npin = \"src\"\n", &[":2:", "pin = ["]);
    }

    #[test]
    fn a_broken_file_costs_itself_only() {
        let mut reader = Reader::default();
        reader.read("a.toml", "[[faq]\n");
        reader.read("b.toml", "[[faq]]\nquestion = \"a\"\nanswer = \"b\"\n");
        let (said, _, problems) = reader.finish();
        assert_eq!((said.faq.len(), problems.len()), (1, 1));
    }
}
