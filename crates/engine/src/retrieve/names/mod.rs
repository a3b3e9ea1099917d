//! Selects words at a cursor that other files may define, and weighs them.
//!
//! A name is an identifier in code, excluding words of comments and strings, local bindings, and builtins. Its
//! qualifier (`io.`, `Engine::`, a receiver of known type) limits where it can be defined.

mod builtins;
pub(super) mod imports;
pub(super) mod place;

use foreword_chunk::{Language, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use self::builtins::builtins;
pub(crate) use self::builtins::is_builtin;
pub use self::imports::ImportedUse;
pub(super) use self::imports::imported_names;
use self::place::{Before, is_called, receiver_type, root_of, what_is_before};
use crate::scope::{Cursor, Scope};

/// Weights of names at a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameConfig {
    /// Weight of a name that is neither called nor imported nor capitalised like a type, relative to one that is.
    pub plain: f32,
    /// Weight of a name that would need an import and has none.
    pub unbound: f32,
    /// Weight of definitions that contradict the qualifier of the name.
    pub misfit: f32,
    /// Exponent of a name's rarity (its idf as a fraction of the maximum).
    pub rarity: f32,
    /// Weight of an imported name that the file does not use yet.
    pub unused: f32,
    /// Weight of an imported name that every function of the file uses.
    pub usual: f32,
}

/// A name with its weight and nearest occurrence.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name at its definition; may differ from an alias in the text.
    pub name: String,
    /// Weight in the query.
    pub weight: f32,
    /// Lines from the cursor; 0 in a question.
    pub distance: u32,
    /// Where it can be defined.
    pub reach: Reach,
}

/// Where a name can be defined, as far as its qualifier tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// Anywhere.
    Anywhere,
    /// Outside of types: the name has no qualifier, and members need one.
    Outermost,
    /// In the files that an import leads to, by its index in [`Scope::imports`]. A name that is imported but unused
    /// occurs nowhere else in the file.
    Import(usize, ImportedUse),
    /// In this type; `None` is a type that is not known.
    Member(Option<String>),
    /// In the type or module before the name.
    Within(String),
}

/// Finds the words of the cursor's file that other files may define.
pub(super) struct CodeWords<'t> {
    text: &'t str,
    language: Option<Language>,
    keywords: &'static [&'static str],
    prose: &'t [Span],
    /// Import statements; their words are not uses.
    imports: Vec<Span>,
    locals: FxHashSet<&'t str>,
    /// Builtins of the language.
    builtins: FxHashSet<&'static str>,
    /// By local name: the import that leads to the definition, and the name there.
    imported: FxHashMap<&'t str, (usize, &'t str)>,
    /// Modules of the repository, by local name.
    modules: FxHashMap<&'t str, usize>,
    /// Local names of libraries outside the repository and of names imported from them.
    foreign: FxHashSet<&'t str>,
    config: &'t NameConfig,
}

/// A use of a name.
pub(super) struct NameUse<'t> {
    pub(super) name: &'t str,
    pub(super) reach: Reach,
    /// Weight relative to a name that is called.
    pub(super) factor: f32,
}

impl<'t> CodeWords<'t> {
    pub(super) fn new(cursor: &'t Cursor, scope: &'t Scope, config: &'t NameConfig) -> Self {
        let text = cursor.text();
        let mut res = Self {
            text,
            language: scope.language,
            keywords: scope.language.map_or(&[][..], Language::keywords),
            prose: &scope.mentions.prose,
            imports: scope.record.symbols.imports.iter().map(|it| it.span).collect(),
            locals: scope.mentions.locals.iter().map(|it| it.of(text)).collect(),
            builtins: scope.language.into_iter().flat_map(builtins).collect(),
            imported: FxHashMap::default(),
            modules: FxHashMap::default(),
            foreign: FxHashSet::default(),
            config,
        };
        res.note_imports(scope);
        res
    }

    /// Whether a word is a keyword or too short to query.
    pub(super) fn says_nothing(&self, word: &str) -> bool {
        word.len() < 2
            || word.as_bytes()[0].is_ascii_digit()
            || self.keywords.binary_search(&word).is_ok()
    }

    /// The name that the word at bytes `start..end` refers to; `None` if no other file can define it.
    pub(super) fn use_at(&self, start: usize, end: usize) -> Option<NameUse<'t>> {
        let word = &self.text[start..end];
        if self.says_nothing(word) || is_in(self.prose, start) || is_in(&self.imports, start) {
            return None;
        }
        let before = what_is_before(self.text, start);
        let (name, reach) = match before {
            Before::Nothing => self.bare(word, start)?,
            Before::Member(receiver) => self.member(word, receiver, start)?,
        };
        let is_type = word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase);
        let tells = is_type || is_called(self.text, end) || matches!(reach, Reach::Import(..));
        let mut factor = if tells { 1.0 } else { self.config.plain };
        if reach == Reach::Outermost && self.language.is_some_and(needs_imports) {
            factor *= self.config.unbound;
        }
        Some(NameUse { name, reach, factor })
    }

    /// The name that the word at bytes `start..end` of a signature refers to, if it is a type in quotes (Python).
    pub(super) fn quoted_type(&self, start: usize, end: usize) -> Option<NameUse<'t>> {
        let word = &self.text[start..end];
        let is_type = word.starts_with(char::is_uppercase) && !self.says_nothing(word);
        let is_quoted = self.language == Some(Language::Python) && is_in(self.prose, start);
        let (name, reach) = self.bare(word, start).filter(|_| is_type && is_quoted)?;
        Some(NameUse { name, reach, factor: 1.0 })
    }

    /// Whether a type of the text belongs to another library.
    fn is_foreign(&self, owner: &str) -> bool {
        let start = owner.as_ptr() as usize - self.text.as_ptr() as usize;
        self.foreign.contains(owner) || self.foreign.contains(root_of(self.text, start))
    }

    /// An unqualified name.
    fn bare(&self, word: &'t str, start: usize) -> Option<(&'t str, Reach)> {
        if let Some((import, name)) = self.imported.get(word) {
            return Some((name, Reach::Import(*import, ImportedUse::Used)));
        }
        let is_own = self.foreign.contains(word)
            || self.modules.contains_key(word)
            || self.locals.contains(word)
            || self.builtins.contains(word)
            || self.text[..start].ends_with("package ");
        let reach = if self.language.is_some_and(has_bare_members) {
            Reach::Anywhere
        } else {
            Reach::Outermost
        };
        (!is_own).then_some((word, reach))
    }

    /// A name behind a receiver or a path.
    fn member(
        &self,
        word: &'t str,
        receiver: Option<&'t str>,
        start: usize,
    ) -> Option<(&'t str, Reach)> {
        let Some(receiver) = receiver else { return Some((word, Reach::Member(None))) };
        let root = root_of(self.text, start);
        if let Some(import) = self.modules.get(receiver).or_else(|| self.modules.get(root)) {
            return Some((word, Reach::Import(*import, ImportedUse::Used)));
        }
        let is_foreign = self.foreign.contains(root) && !self.locals.contains(root);
        if is_foreign || self.builtins.contains(root) {
            return None;
        }
        if let Some((_, name)) = self.imported.get(receiver) {
            return Some((word, Reach::Within((*name).to_owned())));
        }
        if receiver.starts_with(char::is_uppercase) {
            return Some((word, Reach::Within(receiver.to_owned())));
        }
        if self.keywords.binary_search(&receiver).is_ok() {
            return Some((word, Reach::Member(None)));
        }
        let known = receiver_type(self.text, start, receiver).filter(|it| *it != receiver);
        match known {
            Some(owner) if self.is_foreign(owner) => None,
            owner => Some((word, Reach::Member(owner.map(str::to_owned)))),
        }
    }
}

/// Whether byte `at` is in one of the spans, which are sorted and disjoint.
fn is_in(spans: &[Span], at: usize) -> bool {
    let next = spans.partition_point(|it| it.end as usize <= at);
    spans.get(next).is_some_and(|it| it.start as usize <= at)
}

/// Whether an unqualified name must be bound in the same file unless it is a builtin.
pub(super) fn needs_imports(language: Language) -> bool {
    use Language::{Elixir, JavaScript, Python, Rust, Tsx, TypeScript};
    matches!(language, Elixir | JavaScript | Python | Rust | Tsx | TypeScript)
}

/// Whether members of the enclosing type can be named without a qualifier.
pub(super) fn has_bare_members(language: Language) -> bool {
    use Language::{CSharp, Cpp, Haskell, Java, Kotlin, Ruby, Scala, Swift};
    matches!(language, CSharp | Cpp | Haskell | Java | Kotlin | Ruby | Scala | Swift)
}

#[cfg(test)]
mod tests;
