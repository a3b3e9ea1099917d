//! Shows the parser the items that a macro of Rust wraps: `cfg_rt! { pub fn spawn() {} }`, and the arms of `cfg_if!`.
//!
//! The grammar reads the arguments of a macro as tokens, without definitions. Where the braces of a macro among items
//! hold nothing but items, the parser reads `extern` in place of the macro's name, and so a block of items. No byte
//! moves, so chunks, names and texts are unaffected.

use std::ops::Range;

use super::Language;
use super::tokens::{Token, Tokens};

/// What the parser reads before the braces.
pub(super) const BLOCK: &[u8] = b"extern";
/// Maximum depth of macros in macros.
const MAX_DEPTH: usize = 8;

/// The words to replace by [`BLOCK`] and blanks, in any order; shorter ranges become blank.
pub(super) fn macros(text: &[u8]) -> Vec<Range<usize>> {
    let has = |it: &[u8]| memchr::memmem::find(text, it).is_some();
    if !has(b"! {") && !has(b"!{") {
        return Vec::new();
    }
    let file = Frame::new(Content::Items, 0);
    let mut scan = Scan { text, stack: vec![file], depth: 0, found: Vec::new() };
    for (token, range) in Tokens::new(text, Language::Rust) {
        scan.step(token, range);
    }
    // Braces that are still open wrap nothing yet.
    let open = scan.stack.iter().find(|it| matches!(it.content, Content::Wrapped { .. }));
    let known = open.map_or(scan.found.len(), |it| it.found);
    scan.found.truncate(known);
    scan.found
}

/// What brackets hold.
enum Content {
    /// The items of a file, module, implementation or trait.
    Items,
    /// Perhaps the items of a macro or of an arm in one; with the text before the brace.
    Wrapped { head: Range<usize>, is_arm: bool },
    /// Other tokens; with the opening bracket.
    Tokens(u8),
}

/// The part of an item that comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// An attribute, visibility, modifier, or the keyword.
    Start,
    /// What follows `extern`.
    Extern,
    /// The name after a keyword.
    Name(Keyword),
    /// What follows the name.
    Named(Keyword),
    /// The rest, to a semicolon or block.
    Rest(Keyword),
    /// The rest of a macro's path or of an arm's label, which began here.
    Path(usize),
    /// The arguments of the macro whose path began here.
    Bang(usize),
    /// The condition of the arm that began here.
    Condition(usize),
}

/// Items by their form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Fn,
    Struct,
    Enum,
    Mod,
    /// `impl`, `trait`.
    Holder,
    /// `const`, `static`.
    Value,
    /// `use`, `type`, `extern crate`: ends at a semicolon.
    Line,
    /// `macro_rules`, and macros without wrapped items: ends at either.
    Macro,
}

struct Frame {
    content: Content,
    state: State,
    /// Whether all tokens so far were those of items.
    fits: bool,
    /// Whether there was an item.
    has_item: bool,
    /// Number of macros found before it.
    found: usize,
}

impl Frame {
    fn new(content: Content, found: usize) -> Self {
        Self { content, state: State::Start, fits: true, has_item: false, found }
    }
}

struct Scan<'t> {
    text: &'t [u8],
    stack: Vec<Frame>,
    /// Number of open macros and arms.
    depth: usize,
    found: Vec<Range<usize>>,
}

impl Scan<'_> {
    fn step(&mut self, token: Token, range: Range<usize>) {
        match token {
            Token::Sign(open @ (b'{' | b'(' | b'[')) => self.open(open, range.start),
            Token::Sign(close @ (b'}' | b')' | b']')) => self.close(close),
            _ => self.token(token, range),
        }
    }

    fn frame(&mut self) -> &mut Frame {
        self.stack.last_mut().expect("the frame of the file is never closed")
    }

    /// A token that is no bracket.
    fn token(&mut self, token: Token, range: Range<usize>) {
        let word = if token == Token::Word { &self.text[range.clone()] } else { b"" };
        let frame = self.stack.last_mut().expect("the frame of the file is never closed");
        if matches!(frame.content, Content::Tokens(_)) {
            return;
        }
        let is_wrapped = matches!(frame.content, Content::Wrapped { .. });
        let next = match (frame.state, token) {
            (State::Start, Token::Word) if is_wrapped && matches!(word, b"if" | b"else") => {
                Some(State::Condition(range.start))
            }
            (State::Start | State::Extern, Token::Word) => start(frame.state, word, &range),
            (State::Start, Token::Sign(b'#' | b'!' | b';')) => Some(State::Start),
            (State::Start, Token::Sign(b',')) if is_wrapped => {
                self.found.push(range);
                Some(State::Start)
            }
            (State::Extern, Token::Literal) => Some(State::Extern),
            (State::Name(Keyword::Value), Token::Word) if word == b"mut" || word == b"ref" => {
                Some(frame.state)
            }
            (State::Name(Keyword::Value), Token::Word) if modifies(word) || word == b"fn" => {
                start(State::Start, word, &range)
            }
            (State::Name(keyword), Token::Word) => Some(State::Named(keyword)),
            (State::Name(it @ (Keyword::Holder | Keyword::Line | Keyword::Macro)), _) => {
                Some(State::Rest(it))
            }
            (State::Named(keyword), _) => named(keyword, token, word),
            (State::Rest(_) | State::Bang(_), Token::Sign(b';')) => Some(State::Start),
            (State::Rest(_) | State::Condition(_), _) => Some(frame.state),
            (State::Path(start), Token::Sign(b'!')) => Some(State::Bang(start)),
            (State::Path(_), Token::Word | Token::Sign(b':')) => Some(frame.state),
            (State::Bang(_), Token::Word) => Some(State::Rest(Keyword::Macro)),
            _ => None,
        };
        frame.has_item |= matches!(next, Some(State::Name(_)));
        frame.fits &= next.is_some();
        frame.state = next.unwrap_or(State::Rest(Keyword::Macro));
    }

    fn open(&mut self, bracket: u8, at: usize) {
        let content = match self.frame().content {
            Content::Tokens(_) => Content::Tokens(bracket),
            _ => self.wrapped(bracket, at).unwrap_or_else(|| self.inside(bracket)),
        };
        self.depth += usize::from(matches!(content, Content::Wrapped { .. }));
        let found = self.found.len();
        self.stack.push(Frame::new(content, found));
    }

    /// The block of a macro or of an arm of one; `None` for other brackets.
    fn wrapped(&mut self, bracket: u8, at: usize) -> Option<Content> {
        let (text, depth) = (self.text, self.depth);
        let frame = self.frame();
        let is_wrapped = matches!(frame.content, Content::Wrapped { .. });
        let is_label = |start: usize| text[start..at].trim_ascii_end().ends_with(b":");
        let (start, is_arm) = match frame.state {
            _ if bracket != b'{' => return None,
            State::Bang(start) => (start, false),
            State::Condition(start) => (start, true),
            State::Path(start) if is_wrapped && is_label(start) => (start, true),
            _ => return None,
        };
        // `} else {` needs the blank before it.
        let start = start - usize::from(is_arm && text[..start].ends_with(b" "));
        let has_room = at - start >= BLOCK.len() && !text[start..][..BLOCK.len()].contains(&b'\n');
        let fits = has_room && depth < MAX_DEPTH;
        frame.fits &= fits || !is_arm;
        Some(if fits {
            Content::Wrapped { head: start..at, is_arm }
        } else {
            Content::Tokens(bracket)
        })
    }

    /// What a bracket in an item holds.
    fn inside(&mut self, bracket: u8) -> Content {
        let is_block = bracket == b'{';
        let frame = self.frame();
        let next = match frame.state {
            State::Extern => Some(State::Rest(Keyword::Holder)),
            State::Rest(_) | State::Condition(_) => Some(frame.state),
            State::Start if !is_block => Some(frame.state),
            State::Bang(_) => Some(State::Rest(Keyword::Line)),
            State::Name(keyword @ (Keyword::Line | Keyword::Holder)) => Some(State::Rest(keyword)),
            State::Named(keyword) => named(keyword, Token::Sign(bracket), b""),
            _ => None,
        };
        frame.fits &= next.is_some();
        frame.state = next.unwrap_or(State::Rest(Keyword::Macro));
        let holds_items = matches!(frame.state, State::Rest(Keyword::Mod | Keyword::Holder));
        if is_block && holds_items { Content::Items } else { Content::Tokens(bracket) }
    }

    /// Closes the innermost pair of such brackets; of other brackets only those inside a pair of braces.
    fn close(&mut self, bracket: u8) {
        let opens = if bracket == b')' { b'(' } else { bracket - 2 };
        let is_pair = |it: &Frame| match it.content {
            Content::Tokens(open) => open == opens,
            _ => bracket == b'}',
        };
        while self.stack.len() > 1 {
            let is_inner = matches!(self.frame().content, Content::Tokens(b'(' | b'['));
            let is_last = is_pair(self.frame());
            if !(is_last || is_inner && bracket == b'}') {
                return;
            }
            self.leave(bracket);
            if is_last {
                return;
            }
        }
    }

    /// Leaves a frame; `}` may end the item around it.
    fn leave(&mut self, bracket: u8) {
        let Some(inner) = self.stack.pop() else { return };
        let mut wrapped = matches!(inner.content, Content::Items).then_some((true, false));
        if let Content::Wrapped { head, is_arm } = inner.content {
            self.depth -= 1;
            let fits = inner.fits && inner.has_item && inner.state == State::Start;
            match fits {
                true => self.found.push(head),
                false => self.found.truncate(inner.found),
            }
            wrapped = Some((fits, is_arm));
        }
        let frame = self.frame();
        frame.has_item |= wrapped.is_some_and(|it| it.0);
        frame.fits &= wrapped.is_none_or(|(fits, is_arm)| fits || !is_arm);
        let goes_on = matches!(frame.state, State::Rest(Keyword::Line | Keyword::Value));
        if bracket == b'}' && !goes_on {
            frame.state = State::Start;
        }
    }
}

/// The state after a word at the start of an item.
fn start(state: State, word: &[u8], range: &Range<usize>) -> Option<State> {
    Some(match word {
        b"fn" => State::Name(Keyword::Fn),
        b"struct" | b"union" => State::Name(Keyword::Struct),
        b"enum" => State::Name(Keyword::Enum),
        b"mod" => State::Name(Keyword::Mod),
        b"impl" | b"trait" => State::Name(Keyword::Holder),
        b"const" | b"static" => State::Name(Keyword::Value),
        b"use" | b"type" => State::Name(Keyword::Line),
        b"macro_rules" => State::Name(Keyword::Macro),
        b"extern" => State::Extern,
        b"crate" if state == State::Extern => State::Rest(Keyword::Line),
        _ if modifies(word) => State::Start,
        b"if" | b"else" | b"let" | b"match" | b"return" | b"for" | b"while" | b"loop" => {
            return None;
        }
        _ => State::Path(range.start),
    })
}

/// Whether the word may stand before the keyword of an item.
fn modifies(word: &[u8]) -> bool {
    matches!(word, b"pub" | b"async" | b"unsafe" | b"default" | b"extern" | b"safe" | b"auto")
}

/// The state after the token that follows the name of an item; `None` if no such item has it.
fn named(keyword: Keyword, token: Token, word: &[u8]) -> Option<State> {
    let sign = if let Token::Sign(it) = token { it } else { b' ' };
    let is_where = word == b"where";
    let fits = match keyword {
        Keyword::Fn => matches!(sign, b'(' | b'<'),
        Keyword::Struct => is_where || matches!(sign, b'{' | b'(' | b'<' | b';'),
        Keyword::Enum => is_where || matches!(sign, b'{' | b'<'),
        Keyword::Mod => matches!(sign, b'{' | b';'),
        Keyword::Value => sign == b':',
        Keyword::Holder | Keyword::Line | Keyword::Macro => true,
    };
    let next = if sign == b';' { State::Start } else { State::Rest(keyword) };
    fits.then_some(next)
}

#[cfg(test)]
mod tests {
    use crate::language::{Language, check_parser_text};

    #[track_caller]
    fn check(text: &str, shown: &str) {
        check_parser_text(Language::Rust, text, shown);
    }

    #[test]
    fn items_in_the_braces_of_a_macro_are_a_block() {
        check("cfg_rt! {\n#[a] pub fn f() { g!{} }\n}", "extern  {\n#[a] pub fn f() { g!{} }\n}");
        check(
            "impl A { doc_it! { pub(crate) const fn f() {} } }",
            "impl A { extern  { pub(crate) const fn f() {} } }",
        );
        check("lazy! { static ref A: u8 = { 1 }; }", "extern{ static ref A: u8 = { 1 }; }");
        check(
            "mod m { a::outer! { inner! { use b::{c}; } } }",
            "mod m { extern    { extern { use b::{c}; } } }",
        );
    }

    #[test]
    fn the_arms_of_a_macro_are_blocks() {
        check(
            "cfg_if! { if #[cfg(unix)] { mod a; } else { mod b; } }",
            "extern  {extern           { mod a; }extern{ mod b; } }",
        );
        check(
            "variant! { stable: { fn f() {} }, other: { fn f() {} }, }",
            "extern   {extern   { fn f() {} } extern  { fn f() {} }  }",
        );
    }

    #[test]
    fn other_arguments_and_statements_stay() {
        for text in [
            "flags! { struct A: u32 { const B = 1; } }",
            "enum_of! { Foo => Bar, Baz => Qux }",
            "fn f() { select! { struct A; } }",
            "macro_rules! m { () => { fn f() {} } }",
            "names! { fn, struct }",
            "open_macro! { fn f() {}",
            "abc!{ fn f() {} }",
            "html_of! { <p>{ \"}\" }</p> }",
            "empty_one! {}",
            "let_it! { let x = 1; }",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn quotes_lifetimes_and_comments_hide_no_brace() {
        let inner =
            "{ fn f<'a>(_: &'a str) { ('{', b'}', r#\"\"}\"#, \"\\\"}\"); /* } /* } */ */ } } // }";
        check(&format!("wrap_it! {inner}"), &format!("extern   {inner}"));
    }
}
