//! Where a completion begins: its history, and what of its first token is already typed.

use crate::ngram::lexer::{Kind, Lexer, Renderer, Token};
use crate::ngram::{History, Model};

/// What of the text before the cursor matters.
#[derive(Debug)]
pub(super) struct Start {
    /// All tokens but one that is not finished.
    pub(super) history: History,
    /// The indentation of the line that the history ends in.
    pub(super) indent: String,
    /// The indentation of the cursor's line.
    pub(super) line_indent: String,
    pub(super) partial: Partial,
}

/// What is typed of the first token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Partial {
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
            return Self { history, indent: String::new(), line_indent, partial: Partial::Nothing };
        };
        let partial = match last.kind {
            Kind::Word | Kind::Number => Partial::Word(last.text.to_string(), last.gap.to_owned()),
            Kind::Blank => Partial::Gap(last.text.to_string()),
            Kind::Break => Partial::Break(prefix[at..].to_owned()),
            Kind::Mark => Partial::Nothing,
        };
        if partial == Partial::Nothing {
            model.push(&mut history, &last);
        }
        Self { history, indent, line_indent, partial }
    }

    /// A renderer that continues the history.
    pub(super) fn renderer(&self) -> Renderer {
        Renderer::after(&self.indent)
    }

    /// Whether a token can be the first, by its spelling.
    pub(super) fn admits(&self, spelling: &str) -> bool {
        let is_break = spelling.contains('\n');
        match &self.partial {
            Partial::Nothing => true,
            Partial::Gap(_) => !is_break,
            Partial::Word(typed, _) => spelling.starts_with(typed.as_str()),
            Partial::Break(typed) => {
                let mut renderer = self.renderer();
                renderer.push("", spelling);
                is_break && renderer.text().starts_with(typed.as_str())
            }
        }
    }

    /// The blanks before the first token where they are there already.
    pub(super) fn gap(&self) -> Option<&str> {
        match &self.partial {
            Partial::Word(_, gap) | Partial::Gap(gap) => Some(gap),
            Partial::Nothing | Partial::Break(_) => None,
        }
    }

    /// Whether any token can be the first.
    pub(super) fn is_free(&self) -> bool {
        self.partial == Partial::Nothing
    }

    /// What is to be inserted: the rendered tokens without what is there.
    pub(super) fn strip(&self, rendered: &str) -> String {
        let typed = match &self.partial {
            Partial::Nothing => String::new(),
            Partial::Word(typed, gap) => format!("{gap}{typed}"),
            Partial::Gap(typed) | Partial::Break(typed) => typed.clone(),
        };
        rendered.strip_prefix(&typed).unwrap_or(rendered).to_owned()
    }
}
