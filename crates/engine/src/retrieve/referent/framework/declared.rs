//! Names that strings declare: `path('', show, name='shop')`, `Route::get('/', …)->name('shop')`, `resources :shops`.

use foreword_chunk::{Language, Span};

use super::tokens::{Token, Tokens};

/// How names are declared.
pub(super) struct Declaration {
    /// The language of the files.
    pub(super) language: Language,
    /// A part of their paths, in lower case.
    pub(super) path: &'static str,
    /// Words before the string. One that ends with a dot begins the names in the braces behind it.
    pub(super) before: &'static [&'static str],
    /// The calls around it; none where any will do.
    pub(super) calls: &'static [&'static str],
    /// Words before a string that declares several names, and the ends of these.
    pub(super) several: (&'static [&'static str], &'static [&'static str]),
}

/// The place of a declared name.
pub(super) struct NamePlace {
    pub(super) at: Span,
    /// Whether the name is the whole one, and not its end: what includes the file may put a prefix before it.
    pub(super) is_whole: bool,
}

/// The places of a text that declare a name.
pub(super) fn declared_in(text: &str, rule: &Declaration, name: &str) -> Vec<NamePlace> {
    let mut reader = Reader {
        text,
        rule,
        name,
        prefix: String::new(),
        braces: Vec::new(),
        statement: Vec::new(),
        calls: Vec::new(),
        before: None,
        found: Vec::new(),
    };
    for token in Tokens::new(text, rule.language) {
        match token {
            Token::Word(it) => reader.before = Some(it),
            Token::String(it) => reader.string(it),
            Token::Mark(it) => reader.mark(it),
        }
    }
    reader.found
}

struct Reader<'t> {
    text: &'t str,
    rule: &'t Declaration,
    name: &'t str,
    /// Before the names in the braces around.
    prefix: String,
    /// The lengths of the prefix before the braces.
    braces: Vec<usize>,
    /// The names in the statement.
    statement: Vec<&'t str>,
    /// The words before the open parentheses.
    calls: Vec<Option<Span>>,
    /// The word or string before, over marks of calls and keys.
    before: Option<Span>,
    found: Vec<NamePlace>,
}

impl Reader<'_> {
    fn string(&mut self, it: Span) {
        let word = self.before.map_or("", |it| it.of(self.text));
        let call = self.calls.last().and_then(|it| *it).map_or("", |it| it.of(self.text));
        self.before = Some(it);
        let own = it.of(self.text);
        let is_call = self.rule.calls.is_empty() || self.rule.calls.contains(&call);
        let mut fits = None;
        if self.rule.before.contains(&word) && is_call {
            fits = self.fit(self.name, own);
            self.statement.push(own);
        }
        let (words, ends) = self.rule.several;
        if words.contains(&word) {
            let base = own.rsplit('/').next().unwrap_or_default();
            let begin = |end: &&str| self.name.strip_suffix(*end)?.strip_suffix('.');
            fits = ends.iter().filter_map(begin).find_map(|it| self.fit(it, base));
        }
        self.found.extend(fits.map(|is_whole| NamePlace { at: it, is_whole }));
    }

    /// Whether a name behind the prefix is the asked one; `Some(false)` if it is that without its first part.
    fn fit(&self, asked: &str, own: &str) -> Option<bool> {
        let before = asked.strip_suffix(own).filter(|_| !own.is_empty())?;
        let rest = before.strip_suffix(&*self.prefix)?;
        (rest.is_empty() || rest.find('.') == Some(rest.len() - 1)).then_some(rest.is_empty())
    }

    fn mark(&mut self, mark: u8) {
        match mark {
            b'(' => self.calls.push(self.before),
            b'=' | b'>' | b':' | b'[' => {}
            _ => self.before = None,
        }
        match mark {
            b')' => drop(self.calls.pop()),
            b'{' => {
                self.braces.push(self.prefix.len());
                let names = self.statement.drain(..);
                self.prefix.extend(names.filter(|it| it.ends_with('.')));
            }
            b'}' => {
                self.prefix.truncate(self.braces.pop().unwrap_or_default());
                self.statement.clear();
            }
            b';' => self.statement.clear(),
            _ => {}
        }
    }
}
