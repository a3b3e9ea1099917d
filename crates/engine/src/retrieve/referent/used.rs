//! Definitions that a piece of code uses, with high precision.
//!
//! Of names that are not resolved, a unique definition counts, unless it implements an interface of another library.

use foreword_chunk::{Kind, Language, Span};

use super::{Referent, Resolution, is_member};
use crate::index::{DefinitionSite, FileId, FileRecord, Snapshot};

/// A definition that a piece of code uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UsedDefinition {
    /// The definition.
    pub(crate) site: DefinitionSite,
    /// Byte offset of the first use.
    pub(crate) at: u32,
}

/// Definitions outside of `span` that the code in `span` uses, by first use.
pub(crate) fn used_in(snapshot: &Snapshot, file: FileId, span: Span) -> Vec<UsedDefinition> {
    let resolution = Resolution::new(snapshot);
    let file = resolution.file(file);
    let is_outside = |it: &DefinitionSite| {
        it.file != file.id || !span.contains(file.definition(it.definition).span)
    };
    let mut res: Vec<UsedDefinition> = Vec::new();
    for it in file.mentions.references.iter().filter(|it| span.contains(it.name)) {
        let site = match resolution.referent(&file, it.name) {
            Referent::Known(sites) => sites.into_iter().find(is_outside),
            Referent::Unknown => match resolution.definitions(it.name.of(&file.text)).as_slice() {
                [only] => Some(*only).filter(|it| is_outside(it) && is_own_idea(snapshot, it)),
                _ => None,
            },
            Referent::Undefined | Referent::Other => None,
        };
        let site = site.filter(|it| it.kind != Kind::Module);
        let site = site.filter(|site| !res.iter().any(|known| known.site == *site));
        res.extend(site.map(|site| UsedDefinition { site, at: it.name.start }));
    }
    res
}

/// Whether a member was named by the repository rather than by a trait of another library.
fn is_own_idea(snapshot: &Snapshot, it: &DefinitionSite) -> bool {
    let (text, record) = snapshot.contents(it.file);
    let is_rust = record.language == Some(Language::Rust);
    is_member(it.kind) && !(is_rust && implements(&record, &text, it.definition))
}

/// Whether a definition is in an `impl Trait for Type`.
fn implements(record: &FileRecord, text: &str, definition: u32) -> bool {
    let definitions = &record.symbols.definitions;
    let parent = definitions.get(definition as usize).and_then(|it| it.parent);
    let parent = parent.and_then(|it| definitions.get(it as usize));
    parent.is_some_and(|it| it.signature.of(text).contains(" for "))
}

#[cfg(test)]
mod tests {
    use super::super::at::tests::snapshot_of;
    use super::*;

    /// Names of the definitions that function `f` of the first file uses.
    #[track_caller]
    fn check(files: &[(&str, &str)], expect: &[&str]) {
        let snapshot = snapshot_of(files);
        let file = snapshot.file(files[0].0).unwrap();
        let (text, record) = snapshot.contents(file);
        let is_f = |it: &&foreword_chunk::Definition| it.name.of(&text) == "f";
        let span = record.symbols.definitions.iter().find(is_f).unwrap().span;
        let found = used_in(&snapshot, file, span);
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
        let user = "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) f(s *Stock) int {\n\tc.log()\n\treturn s.Take(1)\n}\n\nfunc (c *Cart) log() {\n}\n\nfunc (o *Other) log() {\n}\n";
        let stock = "package shop\n\ntype Stock struct{}\n\nfunc (b *Box) Take(n int) int {\n\treturn 0\n}\n\nfunc (s *Stock) Take(n int) int {\n\treturn n\n}\n";
        check(
            &[("cart.go", user), ("stock.go", stock)],
            &["cart.go Cart", "stock.go Stock", "cart.go Cart.log", "stock.go Stock.Take"],
        );
    }

    #[test]
    fn type_parameters_types_of_libraries_and_implementations_of_traits_are_not_meant() {
        let user = "use std::collections::HashMap;\n\npub fn f<P: AsRef<Path>>(path: P, seen: HashMap<u8, u8>) {\n    let path = path.as_ref();\n    strip(path);\n}\n\nfn strip(path: &Path) {\n    drop(path);\n}\n";
        let other = "impl<P: Visit> Build for &mut P {\n    fn build(&self) {}\n}\n\npub type HashMap = u8;\n\nimpl AsRef<Glob> for Glob {\n    fn as_ref(&self) -> &Glob {\n        self\n    }\n}\n";
        check(&[("src/user.rs", user), ("src/other.rs", other)], &["src/user.rs strip"]);
    }
}
