//! Analyses a question: its kinds, the names, paths and places in it, and the words to search for.

use foreword_chunk::Kind;

use super::activity::activity_question;
use super::pasted::{self, Origin, Place};
use super::resolve::{Resolver, function};
use super::types::{AskRequest, QuestionKind};
use super::whole::is_about_whole;
use crate::index::terms::identifiers;
use crate::index::{DefinitionSite, FileId, Snapshot};
use crate::preset::constants::ask::{COMMON_NAME_DEFINITIONS, LEADING_MATCHES};
use crate::retrieve::query::{is_code, is_plain, names_code};

/// Names of a question that are looked up.
const MAX_NAMES: usize = 6;

/// An analysed question.
pub(super) struct Understanding {
    pub(super) kinds: Vec<QuestionKind>,
    /// Files and line ranges, those of the pasted text first.
    pub(super) places: Vec<PlaceMention>,
    /// Symbol names, as written, in the question's order.
    pub(super) names: Vec<SymbolMention>,
    /// Text to search for.
    pub(super) query: String,
    /// Error messages in the pasted text.
    pub(super) messages: Vec<String>,
}

/// A symbol name in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SymbolMention {
    pub(super) name: String,
    /// The qualifier: `Context` of `Context.Next`.
    pub(super) qualifier: Option<String>,
}

/// A place in the repository that a question mentions.
pub(super) struct PlaceMention {
    pub(super) file: FileId,
    /// The lines; `None` for the whole file.
    pub(super) lines: Option<(u32, u32)>,
    /// The function that was named with it. It finds the lines where they are those of another version.
    pub(super) function: Option<String>,
    /// The source of the place; `None` for the question itself.
    pub(super) origin: Option<Origin>,
    pub(super) message: Option<String>,
}

impl Understanding {
    pub(super) fn new(snapshot: &Snapshot, request: &AskRequest<'_>) -> Self {
        let text = format!("{}\n{}", request.question, request.pasted);
        let read = pasted::read(&text);
        let paths = paths_in(request.question);
        let written = read.places.iter().map(|it| it.path.as_str()).chain(paths.iter().copied());
        let resolver = Resolver::new(snapshot, request.repository, written);
        let mut places: Vec<PlaceMention> =
            read.places.iter().filter_map(|it| pasted_place(snapshot, &resolver, it)).collect();
        for path in paths {
            let Some(file) = resolver.file(path, "") else { continue };
            if !places.iter().any(|it| it.file == file) {
                places.push(PlaceMention {
                    file,
                    lines: None,
                    function: None,
                    origin: None,
                    message: None,
                });
            }
        }
        let names = names_in(snapshot, request.question);
        let query = query(request, &read.messages);
        let kinds = kinds(request, &places, &names, &read.messages);
        Self { kinds, places, names, query, messages: read.messages }
    }

    /// Whether the question has this kind.
    pub(super) fn is(&self, kind: QuestionKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Number of places of the search that lead the answer as they are. Who asks for a name asks for its definition.
    pub(super) fn leading(&self) -> usize {
        if self.names.is_empty() { LEADING_MATCHES } else { 0 }
    }
}

fn pasted_place(snapshot: &Snapshot, resolver: &Resolver<'_>, it: &Place) -> Option<PlaceMention> {
    if it.path.is_empty() {
        let (file, lines) = function(snapshot, it.function.as_deref()?)?;
        let (lines, function) = (Some(lines), None);
        return Some(PlaceMention {
            file,
            lines,
            function,
            origin: Some(it.origin),
            message: None,
        });
    }
    let file = resolver.file(&it.path, it.function.as_deref().unwrap_or_default())?;
    Some(PlaceMention {
        file,
        lines: Some((it.first, it.last)),
        function: it.function.clone(),
        origin: Some(it.origin),
        message: it.message.clone(),
    })
}

/// Words of a question that look like file paths.
fn paths_in(question: &str) -> Vec<&str> {
    let is_end =
        |it: char| it.is_whitespace() || matches!(it, '`' | '"' | '\'' | '(' | ')' | ',' | '?');
    let word = |it: &&str| {
        let it = it.trim_end_matches(['.', ':', ';', '!']);
        let name = it.rsplit('/').next().unwrap_or(it);
        let dot = name.rfind('.').filter(|at| *at > 0 && (1..=5).contains(&(name.len() - at - 1)));
        (it.contains('/') && it.len() > 2 || dot.is_some()) && !it.contains("://")
    };
    question
        .split(is_end)
        .filter(word)
        .map(|it| it.trim_end_matches(['.', ':', ';', '!']))
        .collect()
}

/// Symbol names in the question: words in backticks, before parentheses, spelled like code, or alone. Of `a.b` the last
/// part is the name, if it has a definition.
fn names_in(snapshot: &Snapshot, question: &str) -> Vec<SymbolMention> {
    let is_alone = question.split_whitespace().count() == 1;
    let mut res: Vec<SymbolMention> = Vec::new();
    let mut before: Option<(&str, usize)> = None;
    identifiers(question, |start, end| {
        let word = &question[start..end];
        let qualifier =
            before.filter(|it| is_joint(&question[it.1..start])).map(|it| it.0.to_owned());
        before = Some((word, end));
        let is_quoted = question[..start].ends_with(['`', '#']) || question[end..].starts_with('(');
        let is_capital =
            (start > 0 || is_code(word)) && word.len() > 2 && word.starts_with(char::is_uppercase);
        // An acronym may be an ordinary word.
        let is_acronym = !word.contains('_') && !word.contains(char::is_lowercase);
        let is_code = is_code(word) && !is_acronym;
        let is_alone = is_alone && (!is_plain(word) || names_type(snapshot, word));
        let is_written = is_alone || is_quoted || qualifier.is_some() || is_code;
        let is_name = is_written || is_capital && names_type(snapshot, word);
        let is_known = res.iter().any(|it| it.name == word);
        if is_name && res.len() < MAX_NAMES && !is_known && is_defined(snapshot, word) {
            // A qualifier is not a name of its own.
            res.retain(|it| qualifier.as_ref().is_none_or(|qualifier| it.name != *qualifier));
            res.push(SymbolMention { name: word.to_owned(), qualifier });
        }
    });
    res
}

/// Whether the text between two words joins them to one name.
fn is_joint(text: &str) -> bool {
    matches!(text, "." | "::" | "#" | "->" | "\\")
}

/// Whether the name has a definition other than a section, and not too many.
fn is_defined(snapshot: &Snapshot, name: &str) -> bool {
    let is_asked = |it: &DefinitionSite| it.kind != Kind::Section;
    let most = if is_code(name) { usize::MAX } else { COMMON_NAME_DEFINITIONS };
    snapshot.definitions_up_to(name, most).is_some_and(|it| it.iter().any(is_asked))
}

/// Whether the project's own code has a type or function of that name. A word with a capital may be something else
/// (`Python`, `PID`) that only a test or a field is called by.
fn names_type(snapshot: &Snapshot, name: &str) -> bool {
    names_code(snapshot, name, COMMON_NAME_DEFINITIONS)
}

/// The search text: the question without filler words, then the pasted text.
fn query(request: &AskRequest<'_>, messages: &[String]) -> String {
    let asked: Vec<&str> = request.question.split(' ').filter(|it| !is_filler(it)).collect();
    let mut res = match asked.iter().all(|it| it.trim().is_empty()) {
        true => request.question.to_owned(),
        false => asked.join(" "),
    };
    if res.trim().is_empty() {
        res = messages.first().cloned().unwrap_or_default();
    }
    if !request.pasted.is_empty() {
        // Enough for the places and messages of any traceback.
        let end = request.pasted.floor_char_boundary(MAX_PASTED);
        res = format!("{res}\n\n```\n{}\n```\n", &request.pasted[..end]);
    }
    res
}

/// Bytes of a pasted text that are searched for.
const MAX_PASTED: usize = 8_000;

/// Filler words of questions about code.
const FILLER: [&str; 17] = [
    "describe",
    "does",
    "exactly",
    "explain",
    "give",
    "happens",
    "how",
    "overview",
    "please",
    "tell",
    "through",
    "understand",
    "walk",
    "what",
    "where",
    "work",
    "works",
];

fn is_filler(word: &str) -> bool {
    let word = word.trim_matches(|it: char| it.is_ascii_punctuation() && it != '`');
    FILLER.binary_search(&word.to_ascii_lowercase().as_str()).is_ok()
}

fn kinds(
    request: &AskRequest<'_>,
    places: &[PlaceMention],
    names: &[SymbolMention],
    messages: &[String],
) -> Vec<QuestionKind> {
    let mut res = Vec::new();
    let of = |origin| places.iter().any(|it| it.origin == Some(origin));
    let lower = request.question.to_lowercase();
    if is_about_whole(request.question, request.repository)
        && names.is_empty()
        && places.is_empty()
        && request.pasted.is_empty()
    {
        res.push(QuestionKind::Overview);
    }
    if of(Origin::Traceback) {
        res.push(QuestionKind::Traceback);
    }
    if of(Origin::Message) || !messages.is_empty() {
        res.push(QuestionKind::Message);
    }
    if of(Origin::Diff) {
        res.push(QuestionKind::Diff);
    }
    if of(Origin::Coverage) {
        res.push(QuestionKind::Coverage);
    }
    if places.iter().any(|it| it.origin.is_none()) {
        res.push(QuestionKind::Path);
    }
    if !names.is_empty() {
        res.push(QuestionKind::Symbol);
    }
    let is_activity = || res.is_empty() && activity_question(request).is_some();
    if asks_how_to(&lower) || is_activity() {
        res.push(QuestionKind::HowTo);
    }
    if res.is_empty() {
        res.push(QuestionKind::Behaviour);
    }
    res
}

/// Phrases of questions about usage.
const HOW_TO: [&str; 9] = [
    "how do i ",
    "how do you ",
    "how do we ",
    "how can i ",
    "how can we ",
    "how to ",
    "how should i ",
    "how should we ",
    "example of using",
];

/// Beginnings of requests about usage. Within a question they are what it is about: "what happens if it is not installed".
const TO_DO: [&str; 6] =
    ["build the ", "configure", "contribute", "install", "run the tests", "set up"];

/// True for a question, in lower case, about how something is used.
fn asks_how_to(lower: &str) -> bool {
    let begins = |it: &&str| lower.starts_with(*it) || lower.contains(&format!(" to {it}"));
    HOW_TO.iter().any(|it| lower.contains(it)) || TO_DO.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    fn understand(question: &str, pasted: &str) -> (Vec<QuestionKind>, Vec<String>, String) {
        let text =
            "class Stock:\n    def take_one(self):\n        return 1\n\n\ndef run():\n    pass\n";
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("shop/stock.py", text),
            source(
                "shop/state.ts",
                "export interface State {\n  Error: string\n  PID: number\n}\n",
            ),
            source("tests/test_stock.py", "class Apple:\n    pass\n"),
        ];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let request = AskRequest { question, pasted, ..AskRequest::default() };
        let it = Understanding::new(&snapshot, &request);
        (it.kinds, it.names.into_iter().map(|it| it.name).collect(), it.query)
    }

    #[test]
    fn a_question_has_the_kinds_that_its_words_tell() {
        use QuestionKind::{Behaviour, HowTo, Message, Overview, Path, Symbol, Traceback};
        let check = |question, kinds: &[QuestionKind]| {
            assert_eq!(understand(question, "").0, kinds, "{question}");
        };
        check("How is the code organized? Give me an overview of the architecture", &[Overview]);
        check("where are items counted", &[Behaviour]);
        check("what calls take_one", &[Symbol]);
        check("what does Stock.take_one do", &[Symbol]);
        assert_eq!(understand("what does Stock.take_one do", "").1, ["take_one"]);
        check("what does `run` do", &[Symbol]);
        check("run", &[Symbol]);
        check("how does the run go", &[Behaviour]);
        // `Error` is a field, and `Apple` a class in a test.
        check("what is done when an Error comes", &[Behaviour]);
        check("where does Apple come from", &[Behaviour]);
        check("where is the Stock counted", &[Symbol]);
        check("locked by PID 12", &[Behaviour]);
        check("PID", &[Symbol]);
        check("how do i run the tests", &[HowTo]);
        check("install on windows", &[HowTo]);
        check("steps to set up tls", &[HowTo]);
        check("what happens if the version is not installed", &[Behaviour]);
        check("default install dir", &[Behaviour]);
        check("where is logging configured", &[Behaviour]);
        check("what is in shop/stock.py?", &[Path]);
        check(
            "why KeyError\nFile \"/x/shop/stock.py\", line 3, in take_one\nKeyError: 'a'",
            &[Traceback, Message, Symbol],
        );
    }

    #[test]
    fn only_the_words_that_say_what_it_is_about_are_searched_for() {
        assert_eq!(understand("Explain how routing works", "").2, "routing");
        assert_eq!(understand("how does it work?", "").2, "it");
        assert_eq!(understand("works", "").2, "works");
    }
}
