//! An object whose type nothing says, by other variables of its name: in one repository these mostly have one type.

use std::cmp::Reverse;

use foreword_chunk::Span;

use super::super::names::place::{name_that_ends_at, owner_end};
use super::at::DefinitionPlace;
use super::code_file::CodeFile;
use super::declaration::declarations;
use super::object::Object;
use super::{Referent, Resolution, after_dot};
use crate::index::{DefinitionSite, FileId};
use crate::sorting::sort_by_key;

/// Files in which declarations of the name are searched.
const MAX_FILES: usize = 32;
/// Declarations in a file that are followed.
const MAX_DECLARATIONS: usize = 16;

impl Resolution<'_> {
    /// The members of the types with which variables of the receiver's name are declared, the most frequent first: in the
    /// file, in those that it imports, and in those that define the member.
    pub(super) fn by_receiver(&self, file: &CodeFile, name: Span) -> Vec<DefinitionPlace> {
        let (word, at) = (name.of(&file.text), name.range().start);
        let Some(end) = owner_end(&file.text, after_dot(&file.text, at)) else { return Vec::new() };
        let Some(receiver) = name_that_ends_at(&file.text, end) else { return Vec::new() };
        let mut files: Vec<FileId> = vec![file.id];
        let all = self.definitions(word);
        let others = self.files_in_reach(file).into_iter().chain(all.iter().map(|it| it.file));
        for it in others {
            if files.len() < MAX_FILES && !files.contains(&it) {
                files.push(it);
            }
        }
        let mut found: Vec<(DefinitionPlace, usize)> = Vec::new();
        for it in files.into_iter().flat_map(|it| self.declared_in(it, receiver, word)) {
            match found.iter_mut().find(|known| known.0 == it) {
                Some(known) => known.1 += 1,
                None => found.push((it, 1)),
            }
        }
        sort_by_key(&mut found, |it| Reverse(it.1));
        found.into_iter().map(|it| it.0).collect()
    }

    /// How many declarations of variables of the receiver's name have a type whose member is accepted, and how many another
    /// type, in some files.
    pub(super) fn declared_types(
        &self,
        files: &[FileId],
        receiver: &str,
        word: &str,
        is_target: &dyn Fn(&DefinitionSite) -> bool,
    ) -> (u32, u32) {
        let mut counts = (0, 0);
        for file in files.iter().take(MAX_FILES) {
            let file = self.file(*file);
            for it in declarations(&file.text, receiver).take(MAX_DECLARATIONS) {
                self.steps.set(0);
                let found = match self.of_declared(&file, it) {
                    Object::Types(types) => self.member_of(&types, word),
                    Object::Foreign | Object::List(_) => Referent::Other,
                    Object::Files(_) | Object::Unknown => continue,
                };
                match found {
                    Referent::Known(sites) if sites.iter().any(is_target) => counts.0 += 1,
                    _ => counts.1 += 1,
                }
            }
        }
        counts
    }

    fn declared_in(&self, file: FileId, receiver: &str, word: &str) -> Vec<DefinitionPlace> {
        let file = self.file(file);
        let mut res = Vec::new();
        for it in declarations(&file.text, receiver).take(MAX_DECLARATIONS) {
            self.steps.set(0);
            let Object::Types(types) = self.of_declared(&file, it) else { continue };
            res.extend(self.member_places(&types, word));
        }
        res
    }
}
