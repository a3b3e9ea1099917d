//! Types: what they contain and what they extend.

use foreword_chunk::{Kind, Language, ReferenceKind, Span};

use super::code_file::CodeFile;
use super::shape::{aliased, generic_bases};
use super::{Bases, Referent, Resolution, is_type};
use crate::index::DefinitionSite;
use crate::source::directory_of;

/// Types that are visited for one member.
const MAX_TYPES: usize = 24;

impl Resolution<'_> {
    /// The member that one of the types, or else a type that it extends, defines.
    pub(super) fn member_of(&self, types: &[DefinitionSite], word: &str) -> Referent {
        if types.is_empty() {
            return Referent::Unknown;
        }
        let mut res = Referent::Undefined;
        for it in types {
            match self.member_of_one(*it, word) {
                Referent::Undefined => {}
                Referent::Known(found) => return Referent::Known(found),
                other => res = other,
            }
        }
        res
    }

    fn member_of_one(&self, ty: DefinitionSite, word: &str) -> Referent {
        let all = self.definitions(word);
        let mut visited = vec![ty];
        let mut at = 0;
        let mut is_foreign = false;
        while let Some(owner) = visited.get(at).copied().filter(|_| at < MAX_TYPES) {
            let own = all.iter().copied().filter(|it| self.is_in(it, &owner));
            let own: Vec<DefinitionSite> = own.collect();
            if !own.is_empty() {
                return Referent::Known(own);
            }
            let (bases, foreign) = self.bases(&[owner]);
            is_foreign |= foreign;
            if owner.kind == Kind::Type && bases.len() > 1 {
                // Each of the types that an alias joins may have it.
                let found = self.members_of_each(&bases, word);
                if !found.is_empty() {
                    return Referent::Known(found);
                }
            }
            visited.extend(bases.into_iter().filter(|it| *it != ty));
            at += 1;
        }
        if is_foreign { Referent::Other } else { Referent::Undefined }
    }

    /// The members that any of the types, or what it extends, defines.
    fn members_of_each(&self, types: &[DefinitionSite], word: &str) -> Vec<DefinitionSite> {
        let mut res = Vec::new();
        for ty in types.iter().filter(|_| self.may_go_on()) {
            if let Referent::Known(found) = self.member_of(&[*ty], word) {
                res.extend(found);
            }
        }
        res.sort_unstable();
        res.dedup();
        res
    }

    /// The types with all that they extend, and whether some of that belongs to a library.
    pub(super) fn with_bases(&self, types: &[DefinitionSite]) -> Bases {
        let mut res = types.to_vec();
        let (mut at, mut is_foreign) = (0, false);
        while let Some(owner) = res.get(at).copied().filter(|_| at < MAX_TYPES) {
            let (bases, foreign) = self.bases(&[owner]);
            is_foreign |= foreign;
            for it in bases {
                if !res.contains(&it) {
                    res.push(it);
                }
            }
            at += 1;
        }
        (res, is_foreign)
    }

    /// What the types extend, and whether some of it belongs to a library.
    pub(super) fn bases(&self, types: &[DefinitionSite]) -> Bases {
        let (mut res, mut is_foreign) = (Vec::new(), false);
        for ty in types {
            let key = (ty.file, ty.definition);
            let known = self.bases.borrow().get(&key).cloned();
            let (bases, foreign) = known.unwrap_or_else(|| {
                // A type that extends itself has no bases while they are searched.
                self.bases.borrow_mut().insert(key, (Vec::new(), false));
                let steps = self.steps.replace(0);
                let found = self.bases_of(ty);
                self.steps.set(steps);
                self.bases.borrow_mut().insert(key, found.clone());
                found
            });
            res.extend(bases);
            is_foreign |= foreign;
        }
        (res, is_foreign)
    }

    fn bases_of(&self, ty: &DefinitionSite) -> Bases {
        let (mut res, mut is_foreign) = (Vec::new(), false);
        let file = self.file(ty.file);
        let definition = file.definition(ty.definition);
        let span = definition.span;
        let first = file.mentions.references.partition_point(|it| it.name.start < span.start);
        let inside =
            file.mentions.references[first..].iter().take_while(|it| it.name.start < span.end);
        let is_own = |at: Span| {
            let mut around = file.around(at.start as usize);
            around.find(|it| is_type(it.kind)).is_some_and(|it| it.span == span)
        };
        let inside = inside.filter(|it| it.kind == ReferenceKind::Base && is_own(it.name));
        let mut names: Vec<Span> = inside.map(|it| it.name).collect();
        if file.language == Some(Language::Python) {
            names.extend(generic_bases(&file.text, definition.signature));
        }
        if definition.kind == Kind::Type {
            let after = &file.text[definition.name.range().end..span.range().end];
            names.extend(aliased(&file.text, after));
        }
        for name in names {
            match self.refer(&file, name) {
                Referent::Known(all) => res.extend(all.into_iter().filter(|it| is_type(it.kind))),
                Referent::Other => is_foreign = true,
                Referent::Unknown | Referent::Undefined => {}
            }
        }
        (res, is_foreign)
    }

    /// The types around a byte, by the innermost definition that has one.
    pub(super) fn enclosing_types(&self, file: &CodeFile, at: usize) -> Vec<DefinitionSite> {
        self.owners(file, file.record.symbols.enclosing(at))
    }

    /// The types to which a definition or one around it belongs; itself if it is a type.
    pub(super) fn owners(&self, file: &CodeFile, idx: Option<u32>) -> Vec<DefinitionSite> {
        let mut next = idx;
        while let Some(idx) = next {
            let it = file.definition(idx);
            next = it.parent;
            let named = match it.kind {
                _ if it.qualifier.is_some() && !is_type(it.kind) => it.qualifier,
                Kind::Implementation => Some(it.name),
                kind if is_type(kind) => return vec![file.site(idx)],
                _ => continue,
            };
            let Some(name) = named.and_then(|it| type_name(&file.text, it)) else {
                return Vec::new();
            };
            return match self.refer(file, name) {
                Referent::Known(found) => found.into_iter().filter(|it| is_type(it.kind)).collect(),
                // A block for a type of a library stands for it.
                _ if is_type(it.kind) => vec![file.site(idx)],
                _ => Vec::new(),
            };
        }
        Vec::new()
    }

    /// Whether a definition is a direct member of a type.
    fn is_in(&self, it: &DefinitionSite, owner: &DefinitionSite) -> bool {
        let (file, types) = (self.file(it.file), self.file(owner.file));
        let definition = file.definition(it.definition);
        if it.file == owner.file && definition.parent == Some(owner.definition) {
            return true;
        }
        let parent = definition.parent.map(|idx| file.definition(idx));
        let named = match (definition.qualifier, parent) {
            (Some(qualifier), _) => qualifier,
            (None, Some(parent)) if parent.kind == Kind::Implementation => parent.name,
            (None, Some(parent)) if is_type(parent.kind) && has_open_types(file.language) => {
                parent.name
            }
            _ => return false,
        };
        let name = types.definition(owner.definition).name.of(&types.text);
        let is_named = type_name(&file.text, named).is_some_and(|it| it.of(&file.text) == name);
        let directory = |it: &DefinitionSite| directory_of(self.snapshot.path(it.file)).to_owned();
        is_named && (file.language != Some(Language::Go) || directory(it) == directory(owner))
    }
}

/// Whether the members of a type may stand in several places.
fn has_open_types(language: Option<Language>) -> bool {
    matches!(language, Some(Language::CSharp | Language::Ruby | Language::Swift))
}

/// The last name of a type's path, without its arguments: `B` in `&mut a::B<T>`.
fn type_name(text: &str, path: Span) -> Option<Span> {
    let whole = path.of(text);
    let start = whole.find(|it: char| it.is_alphabetic() || it == '_')?;
    let end = whole[start..].find(['<', '[', ' ', '(']).map_or(whole.len(), |it| start + it);
    let name = whole[start..end].rsplit(['.', ':', '\\']).next().unwrap_or_default();
    let end = path.start as usize + end;
    Some(Span::new(end - name.len(), end))
}
