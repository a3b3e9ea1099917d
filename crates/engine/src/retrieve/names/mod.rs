//! Which words at a cursor are names that another file may define, and how much each tells.
//!
//! A name is an identifier in code: no word of a comment or a string, nothing that the file binds for itself, nothing of
//! the language or its standard library, as far as the imports say what that is. What is written before a name (`io.`,
//! `Engine::`, a receiver whose type the file tells) says where it can be defined.

mod builtins;
mod imports;
mod place;

use foreword_chunk::{Language, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use self::builtins::builtins;
pub(crate) use self::builtins::is_builtin;
pub use self::imports::ImportedUse;
pub(super) use self::imports::imported_names;
use self::place::{Before, is_called, receiver_type, root_of, what_is_before};
use crate::scope::{Cursor, Scope};

/// How much the names at a cursor tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameConfig {
    /// The weight of a name that is neither called nor imported nor written like a type, against one that is.
    pub plain: f32,
    /// The weight of a name that would have to be imported and is not.
    pub unbound: f32,
    /// The weight of definitions that do not fit what is written before the name.
    pub misfit: f32,
    /// How much the rarity of a name counts: its idf, by the highest possible, to this power.
    pub rarity: f32,
    /// The weight of an imported name that the file does not use yet.
    pub unused: f32,
    /// The weight of an imported name that all functions of the file use.
    pub usual: f32,
}

/// A name as written, where it was last met, and its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name where it is defined; an alias is another name for it here.
    pub name: String,
    /// Its weight.
    pub weight: f32,
    /// Lines from the hole; 0 in a question.
    pub distance: u32,
    /// Where it can be defined.
    pub reach: Reach,
}

/// Where a name can be defined, by how it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// Anywhere.
    Anywhere,
    /// Outside of types: nothing is written before it, and members need something.
    Outermost,
    /// In the files that an import leads to, by its number in [`Scope::imports`]. An unused name is in no other place of
    /// the file.
    Import(usize, ImportedUse),
    /// In a type, which is known or not; if not, in any type.
    Member(Option<String>),
    /// In what is written before it, a type or a module.
    Within(String),
}

/// The words of the cursor's file that are names of other files.
pub(super) struct CodeWords<'t> {
    text: &'t str,
    language: Option<Language>,
    keywords: &'static [&'static str],
    prose: &'t [Span],
    /// Statements that import, whose words are no uses.
    imports: Vec<Span>,
    locals: FxHashSet<&'t str>,
    /// Names that the language provides.
    builtins: FxHashSet<&'static str>,
    /// By its name in this file: the import that leads to its file, and its name there.
    imported: FxHashMap<&'t str, (usize, &'t str)>,
    /// Modules of the repository, by their name in this file.
    modules: FxHashMap<&'t str, usize>,
    /// Names of modules and of what they define that are not in the repository.
    foreign: FxHashSet<&'t str>,
    config: &'t NameConfig,
}

/// A use of a name.
pub(super) struct NameUse<'t> {
    pub(super) name: &'t str,
    pub(super) reach: Reach,
    /// How much it tells, against a name that is called.
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

    /// Whether a word is a keyword or too short to be looked for.
    pub(super) fn says_nothing(&self, word: &str) -> bool {
        word.len() < 2
            || word.as_bytes()[0].is_ascii_digit()
            || self.keywords.binary_search(&word).is_ok()
    }

    /// What the word at bytes `start..end` is a name of; `None` if of nothing that another file defines.
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

    /// What the word at bytes `start..end` of a signature is the name of, if it is a type in a string (Python).
    pub(super) fn quoted_type(&self, start: usize, end: usize) -> Option<NameUse<'t>> {
        let word = &self.text[start..end];
        let is_type = word.starts_with(char::is_uppercase) && !self.says_nothing(word);
        let is_quoted = self.language == Some(Language::Python) && is_in(self.prose, start);
        let (name, reach) = self.bare(word, start).filter(|_| is_type && is_quoted)?;
        Some(NameUse { name, reach, factor: 1.0 })
    }

    /// Whether a type, which is a part of the text, is of another library.
    fn is_foreign(&self, owner: &str) -> bool {
        let start = owner.as_ptr() as usize - self.text.as_ptr() as usize;
        self.foreign.contains(owner) || self.foreign.contains(root_of(self.text, start))
    }

    /// A name with nothing before it.
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

/// Whether byte `at` is in one of some spans, which are in order and apart from each other.
fn is_in(spans: &[Span], at: usize) -> bool {
    let next = spans.partition_point(|it| it.end as usize <= at);
    spans.get(next).is_some_and(|it| it.start as usize <= at)
}

/// Whether a name with nothing before it must be bound in the same file, if the language does not provide it.
pub(super) fn needs_imports(language: Language) -> bool {
    use Language::{Elixir, JavaScript, Python, Rust, Tsx, TypeScript};
    matches!(language, Elixir | JavaScript | Python | Rust | Tsx | TypeScript)
}

/// Whether a member of the type around can be named with nothing before it.
pub(super) fn has_bare_members(language: Language) -> bool {
    use Language::{CSharp, Cpp, Haskell, Java, Kotlin, Ruby, Scala, Swift};
    matches!(language, CSharp | Cpp | Haskell | Java | Kotlin | Ruby | Scala | Swift)
}

#[cfg(test)]
mod tests;
