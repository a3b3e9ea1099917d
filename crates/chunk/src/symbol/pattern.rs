//! Patterns: the subset of tree-sitter's query language used by the query files, and its parser.
//!
//! tree-sitter's query engine gives the same matches, which a test checks. But it takes up to a quarter of a second to
//! compile a query (it proves that each pattern can match), and two fifths of the parse time before the first pattern
//! matches. These patterns parse in microseconds and are tried only at nodes of their kind.
//!
//! Supported: `(kind …)`, `(_)`, `"token"`, `[alternatives]`, `field: …`, `!field`, the anchor `.`, `@captures`, and
//! after a pattern in parentheses the predicates of [`Predicate`] and `#set!`. There are no quantifiers.

use std::num::NonZeroU16;

use tree_sitter::Language as Grammar;

/// The string delimiter.
const QUOTE: char = '\u{22}';

/// One pattern of a query file.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) root: NodePattern,
    pub(super) predicates: Vec<(Predicate, u16, Vec<Box<str>>)>,
    /// Its `#set!` properties.
    pub(super) properties: Vec<(Box<str>, Box<str>)>,
}

/// Conditions on a node.
#[derive(Debug, Default)]
pub(super) struct NodePattern {
    /// Accepted kinds; empty for any named node.
    pub(super) kinds: Vec<u16>,
    /// Indices of its captures.
    pub(super) captures: Vec<u16>,
    /// Required children, in this order.
    pub(super) children: Vec<Child>,
    /// Whether the last required child must be the node's last named child.
    pub(super) ends: bool,
    /// Forbidden fields.
    pub(super) absent: Vec<NonZeroU16>,
}

impl NodePattern {
    /// The pattern requires or forbids fields.
    pub(super) fn names_fields(&self) -> bool {
        let is_named = |it: &Child| {
            it.field.is_some() || it.alternatives.iter().any(NodePattern::names_fields)
        };
        !self.absent.is_empty() || self.children.iter().any(is_named)
    }
}

/// A required child.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) field: Option<NonZeroU16>,
    /// Whether it must directly follow the previous required child, or be first; only anonymous nodes may come between.
    pub(super) follows: bool,
    /// Patterns of which one must match.
    pub(super) alternatives: Vec<NodePattern>,
}

/// A condition on the text of a capture, with words as arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predicate {
    /// `#any-of?`, `#eq?`: equals one of the words.
    AnyOf,
    /// `#not-any-of?`: equals none of the words.
    NotAnyOf,
    /// `#not-contains?`: contains none of the words.
    NotContains,
    /// `#not-lowercase?`: contains an upper-case letter.
    NotLowercase,
}

/// Parses the patterns in `source`; also returns the names of their captures.
pub(super) fn parse(
    grammar: &Grammar,
    source: &str,
) -> Result<(Vec<Pattern>, Vec<String>), String> {
    let mut parser = Parser { grammar, source, at: 0, captures: Vec::new() };
    let mut patterns = Vec::new();
    while parser.peek().is_some() {
        patterns.push(parser.pattern().map_err(|error| parser.located(&error))?);
    }
    Ok((patterns, parser.captures))
}

/// Whether a node kind is written as a name or as a quoted token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeClass {
    Named,
    Token,
}

struct Parser<'s> {
    grammar: &'s Grammar,
    source: &'s str,
    at: usize,
    captures: Vec<String>,
}

impl Parser<'_> {
    /// A pattern, alone or in parentheses with its predicates.
    fn pattern(&mut self) -> Result<Pattern, String> {
        let begin = self.at;
        let grouped = self.eat('(') && self.peek() == Some('(');
        if !grouped {
            self.at = begin;
        }
        let mut pattern = Pattern {
            root: NodePattern::default(),
            predicates: Vec::new(),
            properties: Vec::new(),
        };
        let mut roots = self.alternatives(&mut pattern)?;
        pattern.root =
            roots.pop().filter(|_| roots.is_empty()).ok_or("a pattern begins with one node")?;
        while grouped && !self.eat(')') {
            self.predicate(&mut pattern)?;
        }
        Ok(pattern)
    }

    /// The alternatives for one node: a node, a token, or several in brackets.
    fn alternatives(&mut self, pattern: &mut Pattern) -> Result<Vec<NodePattern>, String> {
        let mut found = Vec::new();
        if self.eat('[') {
            while !self.eat(']') {
                found.append(&mut self.alternatives(pattern)?);
            }
        } else if self.peek() == Some(QUOTE) {
            let token = self.string()?;
            found.push(NodePattern {
                kinds: vec![self.kind(&token, NodeClass::Token)?],
                ..NodePattern::default()
            });
        } else {
            found.push(self.node(pattern)?);
        }
        while self.eat('@') {
            let capture = self.capture();
            found.iter_mut().for_each(|it| it.captures.push(capture));
        }
        Ok(found)
    }

    fn node(&mut self, pattern: &mut Pattern) -> Result<NodePattern, String> {
        self.expect('(')?;
        let kind = self.word()?;
        let mut node = NodePattern::default();
        if kind != "_" {
            node.kinds.push(self.kind(&kind, NodeClass::Named)?);
        }
        while !self.eat(')') {
            if self.eat('.') {
                node.ends = true;
            } else if self.eat('!') {
                let field = self.word()?;
                node.absent.push(self.field(&field)?);
            } else if self.source[self.at..].trim_start().starts_with("(#") {
                self.predicate(pattern)?;
            } else {
                let mut child = self.child(pattern)?;
                child.follows = std::mem::take(&mut node.ends);
                node.children.push(child);
            }
        }
        Ok(node)
    }

    /// A child that may come anywhere after the previous one.
    fn child(&mut self, pattern: &mut Pattern) -> Result<Child, String> {
        let mut field = None;
        if self.peek().is_some_and(|it| it.is_ascii_alphabetic()) {
            let name = self.word()?;
            self.expect(':')?;
            field = Some(self.field(&name)?);
        }
        Ok(Child { field, follows: false, alternatives: self.alternatives(pattern)? })
    }

    fn predicate(&mut self, pattern: &mut Pattern) -> Result<(), String> {
        self.expect('(')?;
        self.expect('#')?;
        let name = self.word()?;
        if name == "set!" {
            let key = self.word()?;
            pattern.properties.push((key.into(), self.string()?.into()));
            return self.expect(')');
        }
        let predicate = match name.as_str() {
            "eq?" | "any-of?" => Predicate::AnyOf,
            "not-any-of?" => Predicate::NotAnyOf,
            "not-contains?" => Predicate::NotContains,
            "not-lowercase?" => Predicate::NotLowercase,
            _ => return Err(format!("no predicate is called #{name}")),
        };
        self.expect('@')?;
        let capture = self.capture();
        let mut words = Vec::new();
        while !self.eat(')') {
            words.push(self.string()?.into());
        }
        pattern.predicates.push((predicate, capture, words));
        Ok(())
    }

    fn capture(&mut self) -> u16 {
        let end = |it: char| !(it.is_ascii_alphanumeric() || it == '_' || it == '.');
        let rest = &self.source[self.at..];
        let name = &rest[..rest.find(end).unwrap_or(rest.len())];
        self.at += name.len();
        let known = self.captures.iter().position(|it| it == name);
        known.unwrap_or_else(|| {
            self.captures.push(name.to_owned());
            self.captures.len() - 1
        }) as u16
    }

    fn kind(&self, kind: &str, class: NodeClass) -> Result<u16, String> {
        let id = self.grammar.id_for_node_kind(kind, class == NodeClass::Named);
        if id == 0 { Err(format!("the grammar has no node {kind}")) } else { Ok(id) }
    }

    fn field(&self, name: &str) -> Result<NonZeroU16, String> {
        self.grammar
            .field_id_for_name(name)
            .ok_or_else(|| format!("the grammar has no field {name}"))
    }

    /// The next character outside whitespace and comments.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = self.source[self.at..].trim_start();
            self.at = self.source.len() - rest.len();
            if !rest.starts_with(';') {
                return rest.chars().next();
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.at += usize::from(found) * expected.len_utf8();
        found
    }

    fn expect(&mut self, expected: char) -> Result<(), String> {
        if self.eat(expected) { Ok(()) } else { Err(format!("expected {expected}")) }
    }

    /// A name: of a node, a field, a predicate, a property.
    fn word(&mut self) -> Result<String, String> {
        self.peek();
        let rest = &self.source[self.at..];
        let end = rest
            .find(|it: char| it.is_whitespace() || "()[]:\"@;".contains(it))
            .unwrap_or(rest.len());
        self.at += end;
        if end == 0 { Err("expected a name".to_owned()) } else { Ok(rest[..end].to_owned()) }
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect(QUOTE)?;
        let mut text = String::new();
        let mut chars = self.source[self.at..].char_indices();
        while let Some((idx, it)) = chars.next() {
            match it {
                QUOTE => {
                    self.at += idx + 1;
                    return Ok(text);
                }
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                _ => text.push(it),
            }
        }
        Err("a string without end".to_owned())
    }

    fn located(&self, error: &str) -> String {
        let line = self.source[..self.at].rsplit('\n').next().unwrap_or("");
        format!("{error}, after {line:?}")
    }
}
