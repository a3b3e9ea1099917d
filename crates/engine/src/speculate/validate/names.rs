//! Checks that forecasts define the names that they claim, duplicate nothing, and use only known names.

use std::collections::BTreeSet;
use std::ops::Range;

use foreword_chunk::{Definition, Language, Reference, Span, Symbols};

use super::super::plan::Forecast;
use super::library::is_library_name;
use super::parse::ParsedSplice;
use super::related::Relation;
use super::shell::is_of_environment;
use super::splice::Splice;
use super::type_parameters::declares_type;
use super::{Flaw, Surroundings};
use crate::index::terms::identifiers;
use crate::retrieve::is_builtin;

/// A file with inserted forecasts, and its symbols.
struct NameCheck<'a> {
    surroundings: &'a Surroundings<'a>,
    text: &'a str,
    ranges: &'a [Range<usize>],
    symbols: &'a Symbols,
    language: Language,
    relation: Relation<'a>,
    /// The identifiers of the file without the forecasts.
    others: BTreeSet<&'a str>,
}

/// The forecasts for the file that were checked before.
#[derive(Default)]
struct Earlier<'a> {
    /// Their definitions, accepted or not.
    keys: BTreeSet<DefinitionKey>,
    /// The names of the accepted ones.
    names: BTreeSet<&'a str>,
}

/// Checks the names of each forecast for a file that parses with them.
pub(super) fn check_names(
    surroundings: &Surroundings<'_>,
    parsed: &ParsedSplice,
    forecasts: &[&Forecast],
) -> Vec<Option<Flaw>> {
    let ParsedSplice { splice: Splice { text, ranges, .. }, symbols, language } = parsed;
    let language = language.of_code();
    let others = others(text, ranges);
    let path = forecasts.first().map_or("", |it| it.target.path.as_str());
    let relation = Relation { surroundings, path, text, symbols, language };
    let it = NameCheck { surroundings, text, ranges, symbols, language, relation, others };
    let mut earlier = Earlier::default();
    let mut check = |(forecast, range): (&&Forecast, &Range<usize>)| {
        let flaw = it.check(forecast, range, &mut earlier).err();
        if flaw.is_none() {
            earlier.names.extend(it.outermost(range).map(|own| own.name.of(text)));
        }
        flaw
    };
    forecasts.iter().zip(ranges).map(&mut check).collect()
}

/// The identifiers of a text outside of some ranges.
fn others<'t>(text: &'t str, ranges: &[Range<usize>]) -> BTreeSet<&'t str> {
    let mut res = BTreeSet::new();
    identifiers(text, |start, end| {
        if !ranges.iter().any(|it| it.contains(&start)) {
            res.insert(&text[start..end]);
        }
    });
    res
}

/// A definition by its parent, its name, and what tells it from its namesakes.
type DefinitionKey = (Option<u32>, String, Vec<String>);

impl NameCheck<'_> {
    fn check(
        &self,
        forecast: &Forecast,
        range: &Range<usize>,
        earlier: &mut Earlier<'_>,
    ) -> Result<(), Flaw> {
        let own: Vec<&Definition> = self.outermost(range).collect();
        if !forecast.name.is_empty() && !own.iter().any(|it| self.name(it) == forecast.name) {
            return Err(Flaw::OtherName);
        }
        for it in &own {
            let key = (it.parent, self.name(it).to_owned(), self.distinction(it));
            if !earlier.keys.insert(key) || self.is_defined(it) {
                return Err(Flaw::Duplicate);
            }
        }
        if self.is_copy(forecast) {
            return Err(Flaw::Duplicate);
        }
        self.check_references(range)?;
        match self.is_related(forecast, range, &earlier.names) {
            true => Ok(()),
            false => Err(Flaw::Unrelated),
        }
    }

    fn name(&self, it: &Definition) -> &str {
        it.name.of(self.text)
    }

    /// The definitions of a forecast that are not nested in another one.
    fn outermost<'s>(&'s self, range: &'s Range<usize>) -> impl Iterator<Item = &'s Definition> {
        let is_own = |it: &Definition| is_in(it.name, range);
        let symbols = self.symbols;
        symbols.definitions.iter().filter(move |it| {
            let parent = it.parent.and_then(|it| symbols.definitions.get(it as usize));
            is_own(it) && !parent.is_some_and(is_own)
        })
    }

    /// What tells a definition from others of its parent with its name: its decorators and attributes (`@name.setter`,
    /// `#[cfg(unix)]`), whether it gets or sets, and in languages with overloading its signature with its guards.
    fn distinction(&self, it: &Definition) -> Vec<String> {
        let part = |from: u32, to: u32| self.text.get(from as usize..to as usize);
        let mut res = tokens(part(it.span.start, it.signature.start).unwrap_or_default());
        let before_name = tokens(part(it.signature.start, it.name.start).unwrap_or_default());
        res.extend(before_name.into_iter().filter(|it| matches!(it.as_str(), "get" | "set")));
        let overloads = matches!(
            self.language,
            Language::Java
                | Language::Kotlin
                | Language::CSharp
                | Language::Cpp
                | Language::Swift
                | Language::Scala
                | Language::TypeScript
                | Language::Tsx
                | Language::Elixir
                | Language::Haskell
        );
        if overloads {
            res.extend(tokens(it.signature.of(self.text)));
        }
        // Guards of a head: `when is_map(it)`.
        let guards = matches!(self.language, Language::Elixir | Language::Haskell);
        if let Some(body) = it.body.filter(|_| guards) {
            res.extend(tokens(part(it.signature.end, body.start).unwrap_or_default()));
        }
        res
    }

    /// Whether the code has a name of its file or of an accepted forecast for it, is named alike, or uses what stands beside
    /// the file. True in an empty file.
    fn is_related(
        &self,
        forecast: &Forecast,
        range: &Range<usize>,
        accepted: &BTreeSet<&str>,
    ) -> bool {
        let own = forecast.name.as_str();
        self.others.is_empty()
            || self.relation.shares(range, own, &self.others)
            || self.relation.shares(range, own, accepted)
            || self
                .outermost(range)
                .any(|it| self.relation.is_named_alike(self.name(it), &self.others))
            || self.relation.uses_neighbours(range, own)
    }

    /// Whether the file already has a definition with this parent and name that nothing tells from it. A declaration
    /// without a body announces one, and branches of the preprocessor may each have one.
    fn is_defined(&self, own: &Definition) -> bool {
        let distinction = self.distinction(own);
        let has_branches = matches!(self.language, Language::C | Language::Cpp)
            && ["#else", "#elif"].iter().any(|it| self.text.contains(it));
        !has_branches
            && self.symbols.definitions.iter().any(|it| {
                it.parent == own.parent
                    && it.name != own.name
                    && (it.body.is_some() || own.body.is_none())
                    && self.name(it) == self.name(own)
                    && !self.ranges.iter().any(|range| is_in(it.name, range))
                    && it.qualifier.map(|it| it.of(self.text))
                        == own.qualifier.map(|it| it.of(self.text))
                    && self.distinction(it) == distinction
            })
    }

    /// Whether the file has the same code with another name.
    fn is_copy(&self, forecast: &Forecast) -> bool {
        let nameless = |text: &str, name: &str| -> Vec<String> {
            let mut tokens = tokens(text);
            let at = tokens.iter().position(|it| it == name);
            at.into_iter().for_each(|it| drop(tokens.remove(it)));
            tokens
        };
        let own = nameless(&forecast.code, &forecast.name);
        own.len() > MIN_COPY
            && self.symbols.definitions.iter().any(|it| {
                !self.ranges.iter().any(|range| is_in(it.name, range))
                    && it.span.len() <= forecast.code.len() * 2
                    && nameless(it.span.of(self.text), self.name(it)) == own
            })
    }

    fn check_references(&self, range: &Range<usize>) -> Result<(), Flaw> {
        let mut unknown = self.symbols.references.iter().filter(|it| is_in(it.name, range));
        match unknown.find(|it| !self.is_known(it) && !self.is_type_of(range, it)) {
            Some(it) => Err(Flaw::UnknownName(it.name.of(self.text).to_owned())),
            None => Ok(()),
        }
    }

    /// Whether a definition of the forecast declares a type parameter of this name.
    fn is_type_of(&self, range: &Range<usize>, it: &Reference) -> bool {
        let name = it.name.of(self.text);
        let mut own = self.symbols.definitions.iter().filter(|it| is_in(it.name, range));
        own.any(|it| declares_type(self.text, it, name))
    }

    /// Whether a name is defined or used in the repository, bound in this file, defined by another forecast, built in, of a
    /// common library, imported, or a type parameter.
    fn is_known(&self, it: &Reference) -> bool {
        let name = it.name.of(self.text);
        let snapshot = self.surroundings.snapshot;
        let in_text = |span: &Span| span.of(self.text) == name;
        self.surroundings.expected.contains(name)
            || self.language.keywords().binary_search(&name).is_ok()
            || is_builtin(self.language, name)
            || is_type_parameter(name)
            || is_library_name(self.language, name)
            || is_of_environment(self.language, name)
            || self.symbols.locals.iter().any(in_text)
            || self.symbols.definitions.iter().any(|it| in_text(&it.name))
            || snapshot.definitions_up_to(name, 0).is_none()
            || !snapshot.references(name).is_empty()
            || self.is_imported(it)
    }

    /// Whether a name is imported, or is a member of an imported name.
    fn is_imported(&self, it: &Reference) -> bool {
        let name = it.name.of(self.text);
        let before =
            self.text[..it.name.start as usize].trim_end_matches(['.', ':', '?', '>', '-']);
        let is_member = before.len() < it.name.start as usize;
        let start = before.rfind(|it: char| !(it.is_alphanumeric() || it == '_'));
        let root = &before[start.map_or(0, |it| it + 1)..];
        self.symbols.imports.iter().any(|import| {
            let module = import.alias.as_deref().or(import.module.rsplit(['.', '/', ':']).next());
            let binds = |wanted: &str| {
                module == Some(wanted)
                    || import
                        .names
                        .iter()
                        .any(|it| it.alias.as_deref().unwrap_or(&it.name) == wanted)
            };
            binds(name) || is_member && !root.is_empty() && binds(root)
        })
    }
}

/// Whether a name is written as type parameters are: `T`, `K2`.
fn is_type_parameter(name: &str) -> bool {
    let mut letters = name.bytes();
    letters.next().is_some_and(|it| it.is_ascii_uppercase())
        && letters.next().is_none_or(|it| it.is_ascii_digit())
        && letters.next().is_none()
}

/// Shorter code, in tokens, may be equal by chance.
const MIN_COPY: usize = 12;

fn is_in(span: Span, range: &Range<usize>) -> bool {
    range.start <= span.start as usize && span.end as usize <= range.end
}

/// The identifiers and punctuation of a text.
fn tokens(text: &str) -> Vec<String> {
    let mut res = Vec::new();
    let mut end = 0;
    let signs = |text: &str| -> Vec<String> {
        text.chars().filter(|it| !it.is_whitespace()).map(String::from).collect()
    };
    identifiers(text, |start, stop| {
        res.extend(signs(&text[end..start]));
        res.push(text[start..stop].to_owned());
        end = stop;
    });
    res.extend(signs(&text[end..]));
    res
}
