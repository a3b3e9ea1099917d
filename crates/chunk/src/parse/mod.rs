//! Parses within a budget of work. Never fails, and gives the same result on every run.

mod budget;
mod defects;
mod embedded;
mod guard;
mod outcome;
mod previous;
mod script;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use tree_sitter::{Parser, Tree};

use self::embedded::EmbeddedTrees;
pub use self::outcome::ParseOutcome;
pub use self::previous::PreviousParse;
pub use self::script::Script;
use crate::chunk::Chunk;
use crate::config::Config;
use crate::language::Language;
use crate::mixed::{self, MixedText};
use crate::outline::{Outline, OutlineWalk};
use crate::span::Span;
use crate::split::{self, SyntaxTree};
use crate::symbol::{self, SymbolCandidates, Symbols, UnchangedNodes};

/// Maximum length, in bytes. Longer texts are data, logs or bundles.
const MAX_LENGTH: usize = 16 << 20;
/// Minimum number of nodes in a construct that identifies its language: more than in a string or a call with one
/// argument.
const MIN_CONSTRUCT_NODES: usize = 8;

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// A text and its syntax tree, if it has one.
pub struct Parse<'t> {
    text: &'t [u8],
    outcome: ParseOutcome,
    language: Option<Language>,
    /// The text that the parser read: of the same length, without some macros and some syntax of Kotlin.
    shown: Cow<'t, [u8]>,
    /// Where it differs.
    hidden: Vec<Range<usize>>,
    tree: Option<(Language, Tree)>,
    /// Nodes unchanged since the previous version.
    unchanged: Option<UnchangedNodes<'t>>,
    /// Symbol candidates and the outline, which one walk computes on first use.
    walked: OnceCell<(SymbolCandidates, Outline)>,
    /// The embedded languages.
    embedded: Option<EmbeddedTrees>,
}

impl<'t> Parse<'t> {
    /// Parses `text`. There is no tree if the language is unknown, if the text is over 16 MiB, if the parse exceeds its
    /// budget of work, or if most of the text is invalid in the language. (Texts over 4 GiB are truncated.)
    pub fn new(text: &'t [u8], language: Option<Language>) -> Self {
        Self::after(text, language, None)
    }

    /// Parses `text` incrementally if `previous` is the parse of nearly the same text; about ten times faster.
    ///
    /// For complete code the result equals that of [`Parse::new`]. On an unfinished line error recovery may differ: it
    /// did after 2 of 12,000 keystrokes in real files.
    pub fn after(
        text: &'t [u8],
        language: Option<Language>,
        previous: Option<&'t PreviousParse>,
    ) -> Self {
        let text = &text[..text.len().min(u32::MAX as usize)];
        if let Some(mixed) = language
            .filter(|_| text.len() <= MAX_LENGTH)
            .and_then(|it| mixed::split_languages(text, it))
        {
            return Self::of_mixed(text, language, mixed);
        }
        let (shown, hidden) =
            language.map_or((Cow::Borrowed(text), Vec::new()), |it| it.parser_text(text));
        let old = language.and_then(|it| previous?.with_edit(&shown, it));
        let old_tree = old.as_ref().map(|it| &it.tree);
        let parsed = language
            .ok_or(ParseOutcome::NoGrammar)
            .and_then(|it| Ok((it, parse(&shown, it, old_tree)?)));
        let outcome = parsed.as_ref().err().copied().unwrap_or(ParseOutcome::Parsed);
        let tree = parsed.ok();
        let unchanged = old.and_then(|it| Some(it.unchanged(&tree.as_ref()?.1)));
        let walked = OnceCell::new();
        Self { text, language, shown, hidden, outcome, tree, unchanged, walked, embedded: None }
    }

    /// Parses a text with embedded languages: each part, and the host text.
    fn of_mixed(text: &'t [u8], language: Option<Language>, mixed: MixedText) -> Self {
        let embedded = EmbeddedTrees::new(mixed.parts, mixed.tags, language);
        let host = mixed.host.zip(language);
        let parsed = match &host {
            Some((host, language)) => parse(host, *language, None).map(|it| (*language, it)),
            None => Err(ParseOutcome::Invalid),
        };
        // One tree suffices to find names.
        let outcome = match &parsed {
            Err(outcome) if !embedded.has_tree() => embedded.failure().unwrap_or(*outcome),
            _ => ParseOutcome::Parsed,
        };
        Self {
            text,
            language,
            shown: host.map_or(Cow::Borrowed(text), |it| Cow::Owned(it.0)),
            hidden: Vec::new(),
            outcome,
            tree: parsed.ok(),
            unchanged: None,
            walked: OnceCell::new(),
            embedded: Some(embedded),
        }
    }

    /// The state from which the next version of the text can be parsed. `None` without a tree and for texts with
    /// embedded languages, which are always parsed anew.
    pub fn into_previous(self) -> Option<PreviousParse> {
        if self.embedded.is_some() {
            return None;
        }
        self.walked();
        let (language, tree) = self.tree?;
        let (candidates, _) = self.walked.into_inner().unwrap_or_default();
        Some(PreviousParse::new(&self.shown, language, tree, candidates))
    }

    /// Whether there is a syntax tree.
    pub fn has_tree(&self) -> bool {
        self.outcome.is_parsed()
    }

    /// Outcome of parsing: a syntax tree, or the reason why there is none.
    pub fn outcome(&self) -> ParseOutcome {
        self.outcome
    }

    /// Levels of lines and starts of statements; empty without a tree, for documents and data, and for templates and
    /// notebooks. Of components and pages, scripts and styles have an outline.
    pub fn outline(&self) -> Outline {
        match &self.embedded {
            Some(embedded) => embedded.outline(self.text),
            None => self.walked().map_or_else(Outline::default, |it| it.1.clone()),
        }
    }

    /// Syntax errors: unparsed text, and empty spans where a token is missing. `None` without a tree and for files of
    /// several languages.
    pub fn defects(&self) -> Option<Vec<Span>> {
        let tree = self.tree.as_ref().filter(|_| self.embedded.is_none());
        tree.map(|it| defects::defects(&it.1))
    }

    /// The scripts of a page or a component, by language; none for other files, and none that has no tree.
    pub fn scripts(&self) -> Vec<Script> {
        self.embedded.as_ref().map(EmbeddedTrees::scripts).unwrap_or_default()
    }

    /// The definitions, references and imports. Without a tree they come from patterns of lines.
    pub fn symbols(&self) -> Symbols {
        match &self.embedded {
            Some(embedded) => embedded.symbols(self.own_symbols()),
            None => self.own_symbols(),
        }
    }

    /// The symbols of the host language.
    fn own_symbols(&self) -> Symbols {
        match (&self.tree, self.walked()) {
            (Some((language, _)), Some((candidates, _))) => Symbols::new(
                self.text, *language, candidates,
            )
            .with_macros(self.text, *language, &self.hidden),
            _ => self.language.map_or_else(Symbols::default, |it| symbol::by_lines(self.text, it)),
        }
    }

    #[cfg(test)]
    pub(crate) fn tree(&self) -> Option<(Language, &Tree)> {
        let is_all = self.embedded.is_none();
        self.tree.as_ref().filter(|_| is_all).map(|it| (it.0, &it.1))
    }

    fn walked(&self) -> Option<&(SymbolCandidates, Outline)> {
        let (language, tree) = self.tree.as_ref()?;
        let walk = || {
            let is_all = self.embedded.is_none();
            let outline = is_all.then(|| OutlineWalk::new(self.text, *language)).flatten();
            symbol::find(self.text, *language, tree, self.unchanged.as_ref(), outline)
        };
        Some(self.walked.get_or_init(walk))
    }

    /// The chunks. `symbols` are those of this file, or empty, which leaves chunks without scopes.
    pub fn chunks(&self, symbols: &Symbols, config: &Config) -> Vec<Chunk> {
        let own = self.tree.iter().map(|(language, tree)| {
            let text = if self.embedded.is_some() { &self.shown[..] } else { self.text };
            SyntaxTree { text, language: *language, tree, regions: None }
        });
        let trees: Vec<_> =
            own.chain(self.embedded.iter().flat_map(EmbeddedTrees::trees)).collect();
        split::chunks(self.text, &trees, symbols, config)
    }
}

/// Parses within the budget. Rejects a tree that is mostly errors.
fn parse(text: &[u8], language: Language, old: Option<&Tree>) -> Result<Tree, ParseOutcome> {
    if text.len() > MAX_LENGTH {
        return Err(ParseOutcome::TooLong);
    }
    let view = guard::view(text, language).ok_or(ParseOutcome::Hazardous)?;
    let grammar = language.grammar().ok_or(ParseOutcome::NoGrammar)?;
    let tree = PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar).map_err(|_| ParseOutcome::NoGrammar)?;
        let tree = budget::parse(parser, &view, old);
        if tree.is_none() {
            parser.reset();
        }
        tree.ok_or(ParseOutcome::OverBudget)
    })?;
    let (errors, comments) = error_bytes(&tree);
    // Some grammars report an error for an empty text, which is valid in every language.
    let is_valid =
        text.trim_ascii().is_empty() || errors * 2 <= text.len() - comments.min(text.len());
    if is_valid { Ok(tree) } else { Err(ParseOutcome::Invalid) }
}

/// Returns the number of bytes in error nodes outside parsed constructs, and the number of comment bytes among them,
/// which say nothing about the language.
///
/// A file with one bracket too many may be a single error node that still contains all its functions; a text in another
/// language is an error node full of stray tokens.
fn error_bytes(tree: &Tree) -> (usize, usize) {
    let mut cursor = tree.walk();
    let mut errors: usize = 0;
    let mut comments: usize = 0;
    // For each node on the path, whether it is or lies in an error.
    let mut parents: Vec<bool> = Vec::new();
    loop {
        let node = cursor.node();
        let in_error = parents.last() == Some(&true);
        if node.is_error() && !in_error {
            errors += node.byte_range().len();
        } else if in_error && node.is_extra() && node.is_named() {
            comments += node.byte_range().len();
            errors = errors.saturating_sub(node.byte_range().len());
        } else if in_error && !node.has_error() && node.descendant_count() >= MIN_CONSTRUCT_NODES {
            errors = errors.saturating_sub(node.byte_range().len());
        }
        if node.has_error() && cursor.goto_first_child() {
            parents.push(in_error || node.is_error());
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (errors, comments);
            }
            parents.pop();
        }
    }
}
