//! Start of a completion: the preceding tokens, and the typed part of the first token.

use crate::ngram::lexer::{Kind, Renderer, Token};
use crate::ngram::{FileText, History, Model};

/// The relevant part of the text before the cursor.
#[derive(Debug)]
pub(super) struct Start {
    /// All tokens except an unfinished one.
    pub(super) history: History,
    /// Indentation of the last line of the history.
    pub(super) indent: String,
    /// Indentation of the cursor's line.
    pub(super) line_indent: String,
    pub(super) partial: TypedPart,
}

/// Typed part of the first token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypedPart {
    Nothing,
    /// The beginning of a word or number, and the whitespace before it.
    Word(String, String),
    /// Whitespace on the token's line.
    Gap(String),
    /// A line break and the indentation so far.
    Break(String),
}

impl Start {
    /// Parses the text before the cursor; `history` are the tokens of the file's head.
    pub(super) fn new(model: &mut Model, file: &FileText<'_>, history: History) -> Self {
        let (prefix, mut lexer, mut history) = (file.prefix, file.before(), history);
        let mut held: Option<(Token<'_>, String, usize)> = None;
        loop {
            let at = held.as_ref().map_or(file.head, |it| it.0.end);
            let indent = lexer.indent().to_owned();
            let Some(token) = lexer.next() else { break };
            if let Some((before, ..)) = held.replace((token, indent, at)) {
                model.push(&mut history, &before);
            }
        }
        let line_indent = lexer.indent().to_owned();
        let Some((last, indent, at)) = held else {
            return Self {
                history,
                indent: String::new(),
                line_indent,
                partial: TypedPart::Nothing,
            };
        };
        let partial = match last.kind {
            Kind::Word | Kind::Number => {
                TypedPart::Word(last.text.to_string(), last.gap.to_owned())
            }
            Kind::Blank => TypedPart::Gap(last.text.to_string()),
            Kind::Break => TypedPart::Break(prefix[at..].to_owned()),
            Kind::Mark => TypedPart::Nothing,
        };
        if partial == TypedPart::Nothing {
            model.push(&mut history, &last);
        }
        Self { history, indent, line_indent, partial }
    }

    /// A renderer that continues the history.
    pub(super) fn renderer(&self) -> Renderer {
        Renderer::after(&self.indent)
    }

    /// Whether a token of this spelling can come first.
    pub(super) fn admits(&self, spelling: &str) -> bool {
        let is_break = spelling.contains('\n');
        match &self.partial {
            TypedPart::Nothing => true,
            TypedPart::Gap(_) => !is_break,
            TypedPart::Word(typed, _) => spelling.starts_with(typed.as_str()),
            TypedPart::Break(typed) => {
                let mut renderer = self.renderer();
                renderer.push("", spelling);
                is_break && renderer.text().starts_with(typed.as_str())
            }
        }
    }

    /// Whitespace before the first token, if it is typed.
    pub(super) fn gap(&self) -> Option<&str> {
        match &self.partial {
            TypedPart::Word(_, gap) | TypedPart::Gap(gap) => Some(gap),
            TypedPart::Nothing | TypedPart::Break(_) => None,
        }
    }

    /// Whether any token can come first.
    pub(super) fn is_free(&self) -> bool {
        self.partial == TypedPart::Nothing
    }

    /// Removes the typed text from the start of the rendered tokens.
    pub(super) fn strip(&self, rendered: &str) -> String {
        let typed = match &self.partial {
            TypedPart::Nothing => String::new(),
            TypedPart::Word(typed, gap) => format!("{gap}{typed}"),
            TypedPart::Gap(typed) | TypedPart::Break(typed) => typed.clone(),
        };
        rendered.strip_prefix(&typed).unwrap_or(rendered).to_owned()
    }
}
