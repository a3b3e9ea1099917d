//! The calls, decorators and annotations of a text in any language with brackets, as far as routes need them.

use foreword_chunk::{Language, Span};

use super::super::tokens::{Token, Tokens};

/// Words and strings of one call that are kept.
const MAX_ITEMS: usize = 64;

/// A call, or a decorator or annotation, also one without parentheses.
pub(super) struct Call {
    pub(super) callee: Span,
    /// The name before the dot, arrow or colons; `None` behind another call.
    pub(super) receiver: Option<Span>,
    /// Behind its arguments.
    pub(super) end: usize,
    /// The call around it.
    pub(super) parent: Option<usize>,
    /// The call before it in a chain.
    pub(super) previous: Option<usize>,
    /// The variable that has the value of the chain.
    pub(super) variable: Option<Span>,
    /// The variable that has the list around an outermost call.
    pub(super) list: Option<Span>,
    /// Whether it is a decorator or an annotation.
    pub(super) is_mark: bool,
    pub(super) items: Vec<Item>,
}

/// A word, a string or a call in the arguments of a call, and not in the body of a function there.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) span: Span,
    /// The name before a colon or equals sign, also before the brackets around it.
    pub(super) key: Option<Span>,
    pub(super) is_string: bool,
    /// The number of the argument.
    pub(super) argument: usize,
    /// The number of the call whose name it is.
    pub(super) call: Option<usize>,
}

/// The calls of a text, in the order of their names.
pub(super) fn calls_in(text: &str, language: Language) -> Vec<Call> {
    let mut reader = Reader {
        text,
        language,
        calls: Vec::new(),
        open: Vec::new(),
        last: [Piece::Mark(b';', 0); 4],
        start: Piece::Mark(b';', 0),
        variable: None,
        generic: None,
        bare: None,
        here: 0,
    };
    for token in Tokens::new(text, language) {
        reader.read(token);
    }
    reader.calls
}

#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Word(Span),
    String(Span),
    /// Its byte, and of a closing bracket one more than the number of its call.
    Mark(u8, usize),
}

/// A bracket that is open.
enum Bracket {
    Call {
        number: usize,
        argument: usize,
        key: Option<Span>,
    },
    /// Of a list, an object or a group, with the key and the variable before it.
    Group {
        mark: u8,
        key: Option<Span>,
        /// The key before the bracket.
        around: Option<Span>,
        variable: Option<Span>,
        is_marks: bool,
    },
    /// Of a function or a block.
    Body,
}

impl Bracket {
    fn mark(&self) -> u8 {
        match self {
            Self::Call { .. } => b'(',
            Self::Group { mark, .. } => *mark,
            Self::Body => b'{',
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    language: Language,
    calls: Vec<Call>,
    open: Vec<Bracket>,
    /// The pieces before, latest last.
    last: [Piece; 4],
    /// The piece before the chain that is read.
    start: Piece,
    /// The variable to which the chain is assigned.
    variable: Option<Span>,
    /// The call whose type arguments are read: `get` of `get<User>(`.
    generic: Option<(Span, Option<Span>, Option<usize>)>,
    /// An annotation of which it is not known whether it has arguments.
    bare: Option<Span>,
    /// The end of the latest word or string.
    here: usize,
}

impl Reader<'_> {
    fn read(&mut self, token: Token) {
        let piece = match token {
            Token::Word(it) => self.word(it),
            Token::String(it) => self.string(it),
            Token::Mark(mark) => self.mark(mark),
        };
        if let Piece::Word(it) | Piece::String(it) = piece {
            self.here = it.range().end;
        }
        self.last.rotate_left(1);
        self.last[3] = piece;
    }

    fn word(&mut self, it: Span) -> Piece {
        self.end_bare();
        let before = self.last[3];
        let is_continued = self.is_access() || self.is_prefix_word(before);
        if !is_continued {
            self.start = before;
            self.variable = self.assigned();
        }
        if self.is_marked(before) {
            self.bare = Some(it);
        }
        self.push_item(Piece::Word(it));
        Piece::Word(it)
    }

    fn string(&mut self, it: Span) -> Piece {
        self.end_bare();
        // The letter before a string of Python or C# is a part of it.
        if let Piece::Word(word) = self.last[3]
            && word.range().end + 1 == it.range().start
            && word.range().len() <= 2
        {
            self.pop_item(word);
        }
        self.push_item(Piece::String(it));
        Piece::String(it)
    }

    fn mark(&mut self, mark: u8) -> Piece {
        if mark == b'(' && self.opens_call() {
            return Piece::Mark(mark, 0);
        }
        if mark != b'.' {
            self.end_bare();
        }
        let mut closed = 0;
        match mark {
            b'(' | b'[' => self.open_group(mark),
            b'{' => self.open_brace(),
            b')' | b']' | b'}' => closed = self.close(mark),
            b',' => self.next_argument(),
            b':' | b'=' => self.add_key(),
            b'<' => self.generic = self.callee(),
            b';' => self.generic = None,
            _ => {}
        }
        Piece::Mark(mark, closed)
    }

    /// Whether the piece before is an access to a member.
    fn is_access(&self) -> bool {
        match (self.last[2], self.last[3]) {
            (_, Piece::Mark(b'.', _)) => true,
            (Piece::Mark(a, _), Piece::Mark(b, _)) => matches!((a, b), (b':', b':') | (b'-', b'>')),
            _ => false,
        }
    }

    fn is_prefix_word(&self, before: Piece) -> bool {
        matches!(before, Piece::Word(it) if matches!(it.of(self.text), "new" | "await"))
    }

    /// The variable before an equals sign that has just been read.
    fn assigned(&self) -> Option<Span> {
        if self.last[3] != Piece::Mark(b'=', 0) {
            return None;
        }
        match (self.last[0], self.last[1], self.last[2]) {
            // A type stands before the sign: `router: Router = …`.
            (Piece::Word(it), Piece::Mark(b':', _), Piece::Word(_))
            | (_, Piece::Word(it), Piece::Mark(b':' | b'+', _))
            | (_, _, Piece::Word(it)) => Some(it),
            _ => None,
        }
    }

    /// Whether an annotation begins behind a piece.
    fn is_marked(&self, before: Piece) -> bool {
        match before {
            Piece::Mark(b'@', _) => true,
            Piece::Mark(b'[' | b',', _) => {
                matches!(self.open.last(), Some(Bracket::Group { is_marks: true, .. }))
            }
            _ => false,
        }
    }

    /// The name before a parenthesis, with its receiver and the call before it.
    fn callee(&self) -> Option<(Span, Option<Span>, Option<usize>)> {
        let Piece::Word(it) = self.last[3] else { return None };
        let owner = match (self.last[1], self.last[2]) {
            (owner, Piece::Mark(b'.', _)) => Some(owner),
            (Piece::Mark(a, _), Piece::Mark(b, _))
                if matches!((a, b), (b':', b':') | (b'-', b'>')) =>
            {
                Some(self.last[0])
            }
            _ => None,
        };
        Some(match owner {
            Some(Piece::Word(owner)) => (it, Some(owner), None),
            Some(Piece::Mark(b')', n)) => (it, None, n.checked_sub(1)),
            _ => (it, None, None),
        })
    }

    fn opens_call(&mut self) -> bool {
        let is_generic = self.last[3] == Piece::Mark(b'>', 0);
        let found = if is_generic { self.generic.take() } else { self.callee() };
        let Some((callee, receiver, previous)) = found else { return false };
        self.bare = None;
        let number = self.add_call(callee, receiver, previous);
        self.open.push(Bracket::Call { number, argument: 0, key: None });
        true
    }

    fn add_call(&mut self, callee: Span, receiver: Option<Span>, previous: Option<usize>) -> usize {
        let number = self.calls.len();
        let parent = self.open.iter().rev().take(MAX_ITEMS).find_map(|it| match it {
            Bracket::Call { number, .. } => Some(*number),
            _ => None,
        });
        let list = match self.open.last() {
            Some(Bracket::Group { variable, .. }) if parent.is_none() => *variable,
            _ => None,
        };
        let variable = match previous {
            Some(it) => self.calls[it].variable,
            None => self.variable,
        };
        let is_mark = self.is_marked(self.start);
        if let Some(item) = self.last_item().filter(|it| it.span == callee) {
            item.call = Some(number);
        }
        let end = self.text.len();
        let items = Vec::new();
        self.calls.push(Call {
            callee,
            receiver,
            end,
            parent,
            previous,
            variable,
            list,
            is_mark,
            items,
        });
        number
    }

    /// Ends an annotation that has no arguments.
    fn end_bare(&mut self) {
        let Some(it) = self.bare.take() else { return };
        if self.last[3] == Piece::Word(it) {
            let number = self.add_call(it, None, None);
            self.calls[number].is_mark = true;
            self.calls[number].end = it.range().end;
        }
    }

    fn open_group(&mut self, mark: u8) {
        let before = self.last[3];
        let starts = match before {
            Piece::Mark(mark, _) => matches!(mark, b'{' | b'}' | b';' | b']' | b'#'),
            // `#nullable enable`
            Piece::Word(it) => matches!(it.of(self.text), "enable" | "disable" | "restore"),
            Piece::String(_) => false,
        };
        let is_marks = mark == b'[' && self.language == Language::CSharp && starts;
        let (key, variable) = (self.key(), self.assigned());
        self.open.push(Bracket::Group { mark, key, around: key, variable, is_marks });
    }

    fn open_brace(&mut self) {
        let is_body = match (self.last[2], self.last[3]) {
            (_, Piece::Mark(b')', _)) => true,
            (Piece::Mark(b'=' | b'-', _), Piece::Mark(b'>', _)) => true,
            // The type of a result: `function (): void {`.
            (_, Piece::Word(_)) => true,
            _ => false,
        };
        let key = self.key();
        let group =
            Bracket::Group { mark: b'{', key, around: key, variable: None, is_marks: false };
        self.open.push(if is_body { Bracket::Body } else { group });
    }

    /// Closes a bracket and what is open in it; one more than the number of its call.
    fn close(&mut self, mark: u8) -> usize {
        self.generic = None;
        let opening = match mark {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        // A bracket that has no other one stands in a regular expression.
        let deepest = self.open.len().saturating_sub(MAX_ITEMS);
        let found = self.open[deepest..].iter().rposition(|it| it.mark() == opening);
        let Some(found) = found else { return 0 };
        let mut closed = 0;
        for it in self.open.drain(deepest + found..).rev() {
            closed = 0;
            if let Bracket::Call { number, .. } = it {
                self.calls[number].end = self.here;
                closed = number + 1;
            }
        }
        closed
    }

    fn next_argument(&mut self) {
        match self.open.last_mut() {
            Some(Bracket::Call { argument, key, .. }) => {
                *argument += 1;
                *key = None;
            }
            Some(Bracket::Group { key, around, .. }) => *key = *around,
            Some(Bracket::Body) | None => {}
        }
    }

    /// Makes the latest item of a call the key of what follows.
    fn add_key(&mut self) {
        let (Piece::Word(it) | Piece::String(it)) = self.last[3] else { return };
        if self.pop_item(it)
            && let Some(key) = self.open_key()
        {
            *key = Some(it);
        }
    }

    fn key(&self) -> Option<Span> {
        self.open.last().and_then(|it| match it {
            Bracket::Call { key, .. } | Bracket::Group { key, .. } => *key,
            Bracket::Body => None,
        })
    }

    fn open_key(&mut self) -> Option<&mut Option<Span>> {
        match self.open.last_mut()? {
            Bracket::Call { key, .. } | Bracket::Group { key, .. } => Some(key),
            Bracket::Body => None,
        }
    }

    /// The call whose arguments are read, with the number of the argument; `None` in the body of a function.
    fn inner(&self) -> Option<(usize, usize)> {
        for it in self.open.iter().rev().take(MAX_ITEMS) {
            match it {
                Bracket::Call { number, argument, .. } => return Some((*number, *argument)),
                Bracket::Group { .. } => {}
                Bracket::Body => return None,
            }
        }
        None
    }

    fn push_item(&mut self, piece: Piece) {
        let (Piece::Word(span) | Piece::String(span)) = piece else { return };
        let is_string = matches!(piece, Piece::String(_));
        let Some((number, argument)) = self.inner() else { return };
        let key = self.key();
        let items = &mut self.calls[number].items;
        if items.len() < MAX_ITEMS {
            items.push(Item { span, key, is_string, argument, call: None });
        }
    }

    fn last_item(&mut self) -> Option<&mut Item> {
        let (number, _) = self.inner()?;
        self.calls[number].items.last_mut()
    }

    fn pop_item(&mut self, span: Span) -> bool {
        let Some((number, _)) = self.inner() else { return false };
        let items = &mut self.calls[number].items;
        let is_it = items.last().is_some_and(|it| it.span == span);
        if is_it {
            items.pop();
        }
        is_it
    }
}
