//! Members that a base of a type demands and the type does not have.

use std::rc::Rc;

use foreword_chunk::{Definition, Kind, Language, Span};

use super::super::draft::{
    Draft, cite, cite_place, end_of, has_word, like, member, uses_only_members_of,
};
use super::super::facts::{Facts, Place};
use super::super::view::{FileView, is_function, last_part};
use super::super::words::Rename;
use crate::speculate::{ForecastForm, ForecastKind};

/// Bases of bases are looked at as deep as this.
const DEEPEST: usize = 4;

/// What the types of a file lack.
pub(in super::super) fn members<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    let types = view.definitions().filter(|it| must_be_complete(view, it.1)).map(|it| it.0);
    types.flat_map(|idx| of_type(facts, &Place { view: Rc::clone(view), idx })).collect()
}

/// Whether it is a type of which objects are made, or an implementation block.
fn must_be_complete(view: &FileView<'_>, it: &Definition) -> bool {
    let head = view.of(it.signature);
    let is_partial =
        ["abstract", "sealed", "declare", "by", "mixin"].iter().any(|it| has_word(head, it));
    match view.language {
        Some(Language::Rust) => it.kind == Kind::Implementation && head.contains(" for "),
        Some(
            Language::Go | Language::C | Language::Ruby | Language::Elixir | Language::Haskell,
        ) => false,
        Some(_) => it.kind == Kind::Class && !is_partial && it.body.is_some(),
        None => false,
    }
}

fn of_type<'s>(facts: &Facts<'s>, own: &Place<'s>) -> Vec<Draft> {
    let view = &own.view;
    let mut chain = Vec::new();
    if !bases_of(facts, own, 0, &mut chain) {
        return Vec::new();
    }
    // What demands members itself, or is derived from, need not have all of them.
    let demands = view.children(Some(own.idx)).any(|it| is_demanded(view, own.idx, it.1));
    let is_base =
        || view.language != Some(Language::Rust) && !facts.subtypes(own.name(), view).is_empty();
    if demands || is_base() {
        return Vec::new();
    }
    let Some((line, indent)) = end_of(view, own.idx) else { return Vec::new() };
    let mut res = Vec::new();
    for base in &chain {
        for (idx, it) in base.view.children(Some(base.idx)) {
            let name = base.view.name(idx);
            if is_demanded(&base.view, base.idx, it)
                && !res.iter().any(|it: &Draft| it.name == name)
                && !is_there(facts, own, &chain, name)
            {
                let demanded = Place { view: Rc::clone(&base.view), idx };
                res.push(draft(facts, own, base, &demanded, (line, &indent)));
            }
        }
    }
    res
}

/// The bases of a type and theirs, as far as the repository has them; false if there are none, or if one that it does not
/// have may bring members.
fn bases_of<'s>(
    facts: &Facts<'s>,
    own: &Place<'s>,
    depth: usize,
    chain: &mut Vec<Place<'s>>,
) -> bool {
    for (span, name) in own.view.bases(own.idx) {
        let Some(base) = facts.type_named(&own.view, name, span) else {
            if brings_members(&own.view, own.idx, span) {
                return false;
            }
            continue;
        };
        let is_same = |it: &Place<'_>| it.view.file == base.view.file && it.idx == base.idx;
        if depth > DEEPEST || is_same(own) || chain.iter().any(is_same) {
            continue;
        }
        chain.push(base.clone());
        if !bases_of(facts, &base, depth + 1, chain) {
            return false;
        }
    }
    !chain.is_empty() || depth > 0
}

/// Whether a base that is not in the repository may have members that count, by how it is written.
fn brings_members(view: &FileView<'_>, idx: u32, base: Span) -> bool {
    let Some(it) = view.definition(idx) else { return true };
    let before = view.of(Span { start: it.span.start, end: base.start });
    let after = view.text.get(base.end as usize..).unwrap_or("");
    let name = last_part(view.of(base));
    match view.language {
        Some(Language::Rust) => false,
        Some(Language::Java | Language::TypeScript | Language::Tsx | Language::Php) => {
            it.kind != Kind::Interface && !has_word(before, "implements")
        }
        Some(Language::CSharp) => {
            let mut name = name.chars();
            !(name.next() == Some('I') && name.next().is_some_and(char::is_uppercase))
        }
        Some(Language::Kotlin) => {
            after.trim_start_matches(|it| !matches!(it, '(' | ',' | '{')).starts_with('(')
        }
        Some(Language::Python) => !matches!(name, "ABC" | "Generic" | "Protocol" | "object"),
        Some(Language::Swift) => it.kind == Kind::Class,
        _ => true,
    }
}

/// Whether a type demands a member of what is derived from it.
fn is_demanded(view: &FileView<'_>, owner: u32, it: &Definition) -> bool {
    let Some(of) = view.definition(owner) else { return false };
    let is_interface = of.kind == Kind::Interface;
    let end = it.body.map_or(it.span.end, |body| body.start);
    let head = view.of(Span { start: it.span.start, end });
    let has = |word: &str| has_word(head, word);
    if !is_function(it.kind) || it.kind == Kind::Constructor {
        return false;
    }
    match view.language {
        None => false,
        Some(Language::Rust | Language::Scala) => is_interface && it.body.is_none(),
        Some(Language::Python) => has("abstractmethod"),
        Some(Language::TypeScript | Language::Tsx) => {
            let after = view.text.get(it.name.end as usize..).unwrap_or("");
            (is_interface || has("abstract")) && !after.starts_with('?') && it.body.is_none()
        }
        Some(Language::Cpp) => {
            let text = view.of(it.span).trim_end_matches(';').trim_end();
            it.body.is_none() && (text.ends_with("= 0") || text.ends_with("=0"))
        }
        Some(Language::Swift) => is_interface && it.body.is_none() && !has("optional"),
        Some(_) if is_interface => {
            it.body.is_none() && !["default", "static", "private"].iter().any(|it| has(it))
        }
        Some(_) => it.body.is_none() && has("abstract"),
    }
}

/// Whether a type, or one that it is derived from, has a member that does something.
fn is_there(facts: &Facts<'_>, own: &Place<'_>, chain: &[Place<'_>], name: &str) -> bool {
    let view = &own.view;
    // Fields, constructor parameters and what macros write may be what is demanded.
    let text = view.slice(view.lines_of(own.idx));
    if has_word(text, name) {
        return true;
    }
    if view.language == Some(Language::Rust) {
        return view.children(Some(own.idx)).next().is_none() && text.contains('!');
    }
    let is_concrete = |base: &Place<'_>| {
        let same = base.view.children(Some(base.idx)).filter(|it| base.view.name(it.0) == name);
        let mut concrete = same.map(|it| !is_demanded(&base.view, base.idx, it.1));
        concrete.next() == Some(true) || is_extended(facts, base, name)
    };
    facts.is_common(name)
        || facts.has_member(view, last_part(own.name()), name)
        || chain.iter().any(is_concrete)
}

/// Whether an extension gives the member of a protocol a body.
fn is_extended(facts: &Facts<'_>, base: &Place<'_>, name: &str) -> bool {
    facts.sites(name, base.view.language).iter().any(|it| {
        let view = facts.view(it.file);
        let is_in = view.definition(it.definition).and_then(|it| it.parent);
        let is_other = is_in != Some(base.idx) || it.file != base.view.file;
        is_other && view.owner(it.definition) == Some(base.name())
    })
}

fn draft<'s>(
    facts: &Facts<'s>,
    own: &Place<'s>,
    base: &Place<'s>,
    demanded: &Place<'s>,
    (line, indent): (u32, &str),
) -> Draft {
    let name = demanded.name().to_owned();
    let mut evidence = vec![
        cite_place(demanded, format!("{} demands {name}", base.name())),
        cite_place(own, format!("{} is derived from {}", own.name(), base.name())),
    ];
    let siblings = facts.subtypes(base.name(), &own.view).into_iter();
    let others = siblings.filter(|it| it.name() != own.name());
    let analogous = others.filter_map(|it| Some((member(&it, &name)?, it))).find_map(|(of, it)| {
        let rename = Rename::new(last_part(it.name()), last_part(own.name()));
        let code = like(&of, &rename.into_iter().collect::<Vec<_>>(), indent)?;
        let fits = uses_only_members_of(&code, facts, &own.view, own.idx);
        fits.then(|| (code, cite(&of.view, of.line(), format!("{} has it", it.name()))))
    });
    let (code, form) = match analogous {
        Some((code, citation)) => {
            evidence.push(citation);
            (code, ForecastForm::Code)
        }
        None => (format!("{indent}{}", signature(demanded)), ForecastForm::Signature),
    };
    Draft { kind: ForecastKind::MissingMember, form, name, code, line, evidence, fit: 1.0 }
}

/// The signature that an implementation has of what is demanded.
fn signature(demanded: &Place<'_>) -> String {
    let view = &demanded.view;
    let Some(it) = view.definition(demanded.idx) else { return String::new() };
    let text = view.of(it.signature).trim_end().trim_end_matches([';', ',']).trim_end();
    let bare = text.replace("abstract ", "");
    let has = |words: &[&str]| words.iter().any(|it| has_word(&bare, it));
    match view.language {
        Some(Language::Java | Language::CSharp) if !has(&["public", "protected", "internal"]) => {
            format!("public {bare}")
        }
        Some(Language::Kotlin | Language::Scala) if !has(&["override"]) => {
            format!("override {bare}")
        }
        Some(Language::Cpp) => {
            let bare = bare.trim_end_matches('0').trim_end().trim_end_matches('=').trim_end();
            format!("{} override", bare.strip_prefix("virtual ").unwrap_or(bare))
        }
        _ => bare,
    }
}
