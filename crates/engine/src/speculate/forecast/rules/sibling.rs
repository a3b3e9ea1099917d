//! What every sibling has: members of types with the same base, and functions of files in the same directory.

use std::collections::BTreeMap;
use std::rc::Rc;

use foreword_chunk::{Kind, Language};

use super::super::draft::{Draft, cite_place, end_of, like, parameters_in, uses_only_members_of};
use super::super::facts::{Facts, Place, directory, extension, stem};
use super::super::view::{FileView, is_function, is_type, last_part};
use super::super::words::Rename;
use crate::index::{FileId, FileRole, INDEX_STEMS};
use crate::speculate::{ForecastForm, ForecastKind};

/// At least so many siblings must have it…
const LEAST: usize = 3;
/// …and this share of them.
const SHARE: f32 = 0.8;
/// No more siblings are looked at.
const MOST: usize = 24;

/// Something with a name that siblings have: each of them, with the sibling's name.
type Usual<'s> = BTreeMap<String, Vec<(Place<'s>, String)>>;

/// What the types of a file and the file itself lack, and their siblings have.
pub(in super::super) fn siblings<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    let types = view.definitions().filter(|it| is_type(it.1.kind) && it.1.body.is_some());
    let types = types.map(|it| Place { view: Rc::clone(view), idx: it.0 });
    let of_types = types.flat_map(|it| of_type(facts, &it));
    of_types.chain(of_file(facts, view)).collect()
}

/// Members that types with the same base have.
fn of_type<'s>(facts: &Facts<'s>, own: &Place<'s>) -> Vec<Draft> {
    let view = &own.view;
    let Some(base) = view.bases(own.idx).first().map(|it| it.1) else { return Vec::new() };
    let kind = view.definition(own.idx).map(|it| it.kind);
    let mut others = facts.subtypes(base, view);
    others.retain(|it| {
        (it.view.file, it.idx) != (view.file, own.idx)
            && it.view.definition(it.idx).map(|it| it.kind) == kind
            && it.view.bases(it.idx).first().is_some_and(|it| it.1 == base)
    });
    others.truncate(MOST);
    let Some((line, indent)) = end_of(view, own.idx).filter(|_| others.len() >= LEAST) else {
        return Vec::new();
    };
    let name = last_part(own.name()).to_owned();
    let is_missing = |member: &str| {
        !view.children(Some(own.idx)).any(|it| view.name(it.0) == member)
            && !facts.is_common(member)
            && !facts.has_member(view, &name, member)
    };
    let usual = usual_members(&others).into_iter().filter(|it| is_missing(&it.0));
    let draft = |(member, has): (String, Vec<(Place<'s>, String)>)| {
        let code = has.iter().find_map(|(it, of)| {
            let rename = Rename::new(last_part(of), &name);
            let code = like(it, &rename.into_iter().collect::<Vec<_>>(), &indent)?;
            uses_only_members_of(&code, facts, view, own.idx).then_some(code)
        });
        let what = format!("types derived from {base} have it");
        draft(member, code, line, &has, (others.len(), &what))
    };
    usual.filter_map(draft).collect()
}

/// The members that most types have and that take the same in at least half of them.
fn usual_members<'s>(types: &[Place<'s>]) -> Usual<'s> {
    let mut res: Usual<'s> = BTreeMap::new();
    for of in types {
        for (idx, it) in of.view.children(Some(of.idx)) {
            if !is_function(it.kind) {
                continue;
            }
            let has = res.entry(of.view.name(idx).to_owned()).or_default();
            if has.last().is_none_or(|last| last.1 != of.name()) {
                has.push((Place { view: Rc::clone(&of.view), idx }, of.name().to_owned()));
            }
        }
    }
    res.retain(|_, has| {
        has.len() >= LEAST && has.len() as f32 >= SHARE * types.len() as f32 && is_agreed(has)
    });
    res
}

/// Whether at least half of the members take the same.
fn is_agreed(has: &[(Place<'_>, String)]) -> bool {
    let takes = |it: &Place<'_>| {
        parameters_in(it.view.definition(it.idx).map_or("", |of| it.view.of(of.signature)))
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    has.iter().for_each(|it| *counts.entry(takes(&it.0)).or_default() += 1);
    counts.values().max().is_some_and(|it| it * 2 >= has.len())
}

/// Functions that the files beside a file have, each one of that name.
fn of_file<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    let files = files_beside(facts, view);
    if files.len() <= LEAST {
        return Vec::new();
    }
    let mut usual: Usual<'s> = BTreeMap::new();
    for file in &files {
        let other = facts.view(*file);
        for (idx, _) in other.children(None).filter(|it| it.1.kind == Kind::Function) {
            let has = usual.entry(other.name(idx).to_owned()).or_default();
            if has.last().is_none_or(|it| it.0.view.file != other.file) {
                has.push((Place { view: Rc::clone(&other), idx }, stem(other.path).to_owned()));
            }
        }
    }
    usual.retain(|name, has| {
        has.len() > LEAST
            && has.len() as f32 >= SHARE * files.len() as f32
            && is_agreed(has)
            && !view.definitions().any(|it| view.name(it.0) == name)
    });
    let line = view.lines.count() + 1;
    let draft = |(name, has): (String, Vec<(Place<'s>, String)>)| {
        let rename = Rename::new(&has[0].1, stem(view.path));
        let code = like(&has[0].0, &rename.into_iter().collect::<Vec<_>>(), "");
        draft(name, code, line, &has, (files.len(), "files beside this one have it"))
    };
    usual.into_iter().filter_map(draft).collect()
}

/// The files of the same directory and kind, in languages in which each may define the same names.
fn files_beside(facts: &Facts<'_>, view: &FileView<'_>) -> Vec<FileId> {
    let role = facts.snapshot.role(view.file);
    let may_repeat = matches!(
        view.language,
        Some(
            Language::Python
                | Language::Rust
                | Language::JavaScript
                | Language::TypeScript
                | Language::Tsx
                | Language::Lua
                | Language::Bash
        )
    );
    if !may_repeat || role == FileRole::Test || INDEX_STEMS.contains(&stem(view.path)) {
        return Vec::new();
    }
    let own = directory(view.path);
    let prefix = if own.is_empty() { String::new() } else { format!("{own}/") };
    let is_beside = |it: &FileId| {
        let path = facts.snapshot.path(*it);
        *it != view.file
            && directory(path) == own
            && extension(path) == extension(view.path)
            && !INDEX_STEMS.contains(&stem(path))
            && facts.snapshot.role(*it) == role
    };
    facts.snapshot.files_under(&prefix).filter(is_beside).take(MOST).collect()
}

fn draft(
    name: String,
    code: Option<String>,
    line: u32,
    has: &[(Place<'_>, String)],
    (of, what): (usize, &str),
) -> Option<Draft> {
    let first = &has.first()?.0;
    Some(Draft {
        kind: ForecastKind::SiblingPart,
        form: ForecastForm::Code,
        name,
        code: code?,
        line,
        evidence: vec![cite_place(first, format!("{} of {of} {what}", has.len()))],
        fit: has.len() as f32 / of as f32,
    })
}
