//! Where a completion begins: what is remembered, and what of its first token is there already.

use crate::ngram::lexer::{Kind, Lexer, Renderer, Token};
use crate::ngram::{History, Model};

/// The text before the cursor as far as it matters.
#[derive(Debug)]
pub(super) struct Start {
    /// All tokens but one that is not finished.
    pub(super) history: History,
    /// The indentation of the line that the history ends in.
    pub(super) indent: String,
    /// The indentation of the cursor's line.
    pub(super) line_indent: String,
    pub(super) typed: Typed,
}

/// What is there of the first token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// Nothing.
    Nothing,
    /// The beginning of a word or number, and the blanks before it.
    Word(String, String),
    /// The blanks before it, on its line.
    Gap(String),
    /// A line break and the indentation so far.
    Break(String),
}

impl Start {
    /// Reads the text before the cursor.
    pub(super) fn new(model: &mut Model, prefix: &str) -> Self {
        let mut lexer = Lexer::new(prefix);
        let mut history = History::default();
        let mut held: Option<(Token<'_>, String, usize)> = None;
        loop {
            let (indent, at) = (lexer.indent().to_owned(), held.as_ref().map_or(0, |it| it.0.end));
            let Some(token) = lexer.next() else { break };
            if let Some((before, ..)) = held.replace((token, indent, at)) {
                model.push(&mut history, &before);
            }
        }
        let line_indent = lexer.indent().to_owned();
        let Some((last, indent, at)) = held else {
            return Self { history, indent: String::new(), line_indent, typed: Typed::Nothing };
        };
        let typed = match last.kind {
            Kind::Word | Kind::Number => Typed::Word(last.text.to_string(), last.gap.to_owned()),
            Kind::Blank => Typed::Gap(last.text.to_string()),
            Kind::Break => Typed::Break(prefix[at..].to_owned()),
            Kind::Mark => Typed::Nothing,
        };
        if typed == Typed::Nothing {
            model.push(&mut history, &last);
        }
        Self { history, indent, line_indent, typed }
    }

    /// A renderer that continues the history.
    pub(super) fn renderer(&self) -> Renderer {
        Renderer::after(&self.indent)
    }

    /// Whether a token can be the first, by its spelling.
    pub(super) fn admits(&self, spelling: &str) -> bool {
        let is_break = spelling.contains('\n');
        match &self.typed {
            Typed::Nothing => true,
            Typed::Gap(_) => !is_break,
            Typed::Word(typed, _) => spelling.starts_with(typed.as_str()),
            Typed::Break(typed) => {
                let mut renderer = self.renderer();
                renderer.push("", spelling);
                is_break && renderer.text().starts_with(typed.as_str())
            }
        }
    }

    /// The blanks before the first token where they are there already.
    pub(super) fn gap(&self) -> Option<&str> {
        match &self.typed {
            Typed::Word(_, gap) | Typed::Gap(gap) => Some(gap),
            Typed::Nothing | Typed::Break(_) => None,
        }
    }

    /// Whether any token can be the first.
    pub(super) fn is_free(&self) -> bool {
        self.typed == Typed::Nothing
    }

    /// What is to be inserted: the rendered tokens without what is there.
    pub(super) fn strip(&self, rendered: &str) -> String {
        let typed = match &self.typed {
            Typed::Nothing => String::new(),
            Typed::Word(typed, gap) => format!("{gap}{typed}"),
            Typed::Gap(typed) | Typed::Break(typed) => typed.clone(),
        };
        rendered.strip_prefix(&typed).unwrap_or(rendered).to_owned()
    }
}
