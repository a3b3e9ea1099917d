//! Definitions that a piece of code uses, with high precision.
//!
//! The signal `symbol` answers the same question at a cursor and weighs uncertain matches. Here a definition counts
//! only if the file identifies it: it is imported, in the same file or package, or belongs to the type of the receiver.
//! Otherwise a unique definition of the name counts, unless it implements an interface of another library.

use foreword_chunk::{Kind, Language, Span};

use super::names::{CodeWords, NameConfig, NameUse, Reach, has_bare_members, needs_imports};
use crate::index::{DefinitionSite, FileId, FileRecord, Snapshot};
use crate::scope::{Cursor, Scope, View};

/// A definition that a piece of code uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UsedDefinition {
    /// The definition.
    pub(crate) site: DefinitionSite,
    /// Byte offset of the first use.
    pub(crate) at: u32,
}

/// Names with more definitions are skipped.
const MAX_DEFINITIONS: usize = 64;

/// Definitions outside of `span` that the code in `span` uses, by first use.
pub(crate) fn used_in(
    snapshot: &Snapshot,
    file: FileId,
    span: Span,
    config: &NameConfig,
) -> Vec<UsedDefinition> {
    let text = snapshot.text(file);
    let end = text.floor_char_boundary((span.end as usize).min(text.len()));
    let Ok(cursor) = Cursor::new(snapshot.path(file), &*text, end) else { return Vec::new() };
    let scope = View::with_overlay(snapshot, None).scope(&cursor);
    let words = CodeWords::new(&cursor, &scope, config);
    let user = User { snapshot, file, span, text: cursor.text(), scope: &scope };
    let mut res: Vec<UsedDefinition> = Vec::new();
    let references = snapshot.references_in(file);
    for it in references.iter().filter(|it| span.contains(it.name)) {
        let Some(used) = words.use_at(it.name.start as usize, it.name.end as usize) else {
            continue;
        };
        let site = user.definition(&used);
        res.extend(
            site.filter(|site| !res.iter().any(|known| known.site == *site))
                .map(|site| UsedDefinition { site, at: it.name.start }),
        );
    }
    res
}

/// The code that uses the definitions.
struct User<'u> {
    snapshot: &'u Snapshot,
    file: FileId,
    span: Span,
    text: &'u str,
    scope: &'u Scope,
}

impl User<'_> {
    /// The definition that a name refers to.
    fn definition(&self, used: &NameUse<'_>) -> Option<DefinitionSite> {
        let mut found = self.snapshot.definitions_up_to(used.name, MAX_DEFINITIONS)?;
        let is_outside = |it: &DefinitionSite| {
            it.file != self.file
                || self
                    .scope
                    .record
                    .symbols
                    .definitions
                    .get(it.definition as usize)
                    .is_some_and(|it| !self.span.contains(it.span))
        };
        found.retain(|it| !matches!(it.kind, Kind::Section | Kind::Implementation));
        found.retain(is_outside);
        let only = if found.len() == 1 { found.first().copied() } else { None };
        let meant = match &used.reach {
            Reach::Import(number, _) => {
                let files = &self.scope.imports[*number].files;
                found.iter().find(|it| files.contains(&it.file)).copied().or(only)
            }
            Reach::Within(owner) | Reach::Member(Some(owner)) => {
                found.iter().find(|it| self.belongs(it, owner)).copied()
            }
            Reach::Member(None) => self.member(&found).or(only.filter(|it| self.is_own_idea(it))),
            Reach::Outermost | Reach::Anywhere => self.bare(&found, only),
        };
        meant.filter(|it| it.kind != Kind::Module)
    }

    /// A member whose receiver is unknown or the object itself: in the enclosing type, otherwise in the file.
    fn member(&self, found: &[DefinitionSite]) -> Option<DefinitionSite> {
        let own = found.iter().filter(|it| it.file == self.file && is_member(it.kind));
        let around = |it: &&DefinitionSite| self.is_beside(it);
        own.clone().find(around).or(own.clone().next().filter(|_| own.count() == 1)).copied()
    }

    /// An unqualified name.
    fn bare(
        &self,
        found: &[DefinitionSite],
        only: Option<DefinitionSite>,
    ) -> Option<DefinitionSite> {
        let language = self.scope.language;
        let can_be_member = language.is_some_and(has_bare_members);
        let is_outermost = |it: &&DefinitionSite| !is_member(it.kind);
        let own = found.iter().filter(|it| it.file == self.file);
        let here =
            own.clone().find(|it| !is_member(it.kind) || can_be_member && self.is_beside(it));
        let imported = |it: &&DefinitionSite| {
            self.scope.imports.iter().any(|import| import.files.contains(&it.file))
        };
        let in_package = |it: &&DefinitionSite| self.scope.package.contains(&it.file);
        let free = || !language.is_some_and(needs_imports);
        let elsewhere = || {
            let outer = || found.iter().filter(is_outermost);
            let near =
                outer().find(imported).or_else(|| outer().find(in_package).filter(|_| free()));
            near.copied().or_else(|| only.filter(|it| !is_member(it.kind) && free()))
        };
        here.copied().or_else(elsewhere)
    }

    /// Whether a definition of this file has the same parent as the code.
    fn is_beside(&self, it: &DefinitionSite) -> bool {
        let symbols = &self.scope.record.symbols;
        let own = symbols.definitions.iter().find(|known| known.span == self.span);
        let other = symbols.definitions.get(it.definition as usize);
        let (Some(own), Some(other)) = (own, other) else { return false };
        own.parent == other.parent
            && own.qualifier.map(|it| it.of(self.text))
                == other.qualifier.map(|it| it.of(self.text))
    }

    /// Whether a definition belongs to a type or module of this name.
    fn belongs(&self, it: &DefinitionSite, owner: &str) -> bool {
        let (text, record) = self.snapshot.contents(it.file);
        let name = record.dotted_name(&text, it.definition);
        let mut outer = name.rsplit(['.', ':']).skip(1);
        let path = self.snapshot.path(it.file);
        let mut parts = path.rsplit(['/', '.']).skip(1).take(2);
        outer.any(|it| it == owner) || !is_member(it.kind) && parts.any(|it| it == owner)
    }

    /// Whether a member was named by the repository rather than by a trait of another library.
    fn is_own_idea(&self, it: &DefinitionSite) -> bool {
        let (text, record) = self.snapshot.contents(it.file);
        let is_rust = record.language == Some(Language::Rust);
        is_member(it.kind) && !(is_rust && implements(&record, &text, it.definition))
    }
}

/// Whether a definition is in an `impl Trait for Type`.
fn implements(record: &FileRecord, text: &str, definition: u32) -> bool {
    let definitions = &record.symbols.definitions;
    let parent = definitions.get(definition as usize).and_then(|it| it.parent);
    let parent = parent.and_then(|it| definitions.get(it as usize));
    parent.is_some_and(|it| it.signature.of(text).contains(" for "))
}

fn is_member(kind: Kind) -> bool {
    matches!(kind, Kind::Method | Kind::Field | Kind::Constructor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    const NAMES: NameConfig =
        NameConfig { plain: 0.5, unbound: 0.3, misfit: 0.3, rarity: 1.0, unused: 1.0, usual: 0.5 };

    /// Names of the definitions that function `f` of the first file uses.
    #[track_caller]
    fn check(files: &[(&str, &str)], expect: &[&str]) {
        let source =
            |(path, text): &(&str, &str)| Source { path: (*path).into(), text: (*text).into() };
        let sources = files.iter().map(source).collect();
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let file = snapshot.file(files[0].0).unwrap();
        let (text, record) = snapshot.contents(file);
        let is_f = |it: &&foreword_chunk::Definition| it.name.of(&text) == "f";
        let span = record.symbols.definitions.iter().find(is_f).unwrap().span;
        let found = used_in(&snapshot, file, span, &NAMES);
        let name = |it: &UsedDefinition| {
            let (text, record) = snapshot.contents(it.site.file);
            let name = record.dotted_name(&text, it.site.definition);
            format!("{} {name}", snapshot.path(it.site.file))
        };
        assert_eq!(found.iter().map(name).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn what_is_imported_is_meant_and_nothing_else_of_that_name() {
        let user = "from shop.prices import price_of\nimport json\n\n\ndef f(name):\n    json.dumps(name)\n    other(name)\n    return price_of(name)\n";
        check(
            &[
                ("shop/user.py", user),
                ("shop/prices.py", "def price_of(name):\n    return 1\n"),
                ("old/prices.py", "def price_of(name):\n    return 1\n"),
                (
                    "shop/dumps.py",
                    "def dumps(name):\n    return 1\n\n\ndef other(x):\n    return 1\n",
                ),
            ],
            &["shop/prices.py price_of"],
        );
    }

    #[test]
    fn methods_of_the_own_type_and_of_a_known_receiver_are_meant() {
        let user = "package shop\n\nfunc (c *Cart) f(s *Stock) int {\n\tc.log()\n\treturn s.Take(1)\n}\n\nfunc (c *Cart) log() {\n}\n\nfunc (o *Other) log() {\n}\n";
        let stock = "package shop\n\ntype Stock struct{}\n\nfunc (b *Box) Take(n int) int {\n\treturn 0\n}\n\nfunc (s *Stock) Take(n int) int {\n\treturn n\n}\n";
        check(
            &[("cart.go", user), ("stock.go", stock)],
            &["stock.go Stock", "cart.go Cart.log", "stock.go Stock.Take"],
        );
    }

    #[test]
    fn type_parameters_types_of_libraries_and_implementations_of_traits_are_not_meant() {
        let user = "use std::collections::HashMap;\n\npub fn f<P: AsRef<Path>>(path: P, seen: HashMap<u8, u8>) {\n    let path = path.as_ref();\n    strip(path);\n}\n\nfn strip(path: &Path) {\n    drop(path);\n}\n";
        let other = "impl<P: Visit> Build for &mut P {\n    fn build(&self) {}\n}\n\npub type HashMap = u8;\n\nimpl AsRef<Glob> for Glob {\n    fn as_ref(&self) -> &Glob {\n        self\n    }\n}\n";
        check(&[("src/user.rs", user), ("src/other.rs", other)], &["src/user.rs strip"]);
    }
}
