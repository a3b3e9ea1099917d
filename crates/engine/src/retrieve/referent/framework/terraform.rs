//! Blocks of Terraform that a path names: `var.region`, `data.aws_ami.ubuntu`, `module.shop`, `module.shop.output`.

use foreword_chunk::{Definition, Span};

use super::super::Resolution;
use super::super::at::{DefinitionPlace, DefinitionsAt};
use super::super::code_file::CodeFile;
use super::tokens::MAX_NAME;
use crate::index::{DefinitionSite, FileId};
use crate::retrieve::names::place::is_name;
use crate::source::directory_of;

/// The first word of a path, and that of the block which declares its second one. After any other word, a type, a
/// resource of that type is meant.
const BLOCKS: &[(&str, &str)] = &[("var", "variable"), ("module", "module"), ("output", "output")];
/// Ends of the paths of files of which a module consists.
const FILES: &[&str] = &[".tf", ".tofu"];

/// The block or local value that a path names.
struct Path<'t> {
    /// The type of the resource, or the word that stands for another kind of block.
    root: &'t str,
    is_data: bool,
    name: &'t str,
}

impl Resolution<'_> {
    /// The block or local value of the same module that a path around a byte names.
    pub(super) fn block_at(&self, file: &CodeFile, at: usize) -> Option<DefinitionsAt> {
        let text = &*file.text;
        let start = word_start(text, at);
        let rest = &text[start..text.floor_char_boundary(text.len().min(at + MAX_NAME))];
        let name = Span::new(start, start + rest.find(|it| !is_part(it)).unwrap_or(rest.len()));
        let before = text[..start].strip_suffix('.')?;
        let before =
            before.strip_suffix(']').map_or(before, |it| &it[..it.rfind('[').unwrap_or(0)]);
        let (around, root) = before.split_at(word_start(text, before.len()));
        let is_data = around.ends_with("data.");
        let module = around.strip_suffix("module.").filter(|it| !it.ends_with('.'));
        let is_inner = around.ends_with('.') && !is_data && module.is_none();
        if root.is_empty() || is_inner {
            return None;
        }
        let found = match module {
            Some(_) => self.output_of(file, root, name.of(text)),
            None => {
                let path = Path { root, is_data, name: name.of(text) };
                self.declared_by(&self.files_beside(file), &path)
            }
        };
        let sure: Vec<_> = found.into_iter().map(DefinitionPlace::Listed).collect();
        (!sure.is_empty()).then_some(DefinitionsAt { name, sure, possible: Vec::new() })
    }

    /// The output of a module that a file calls.
    fn output_of(&self, file: &CodeFile, module: &str, name: &str) -> Vec<DefinitionSite> {
        let call = Path { root: "module", is_data: false, name: module };
        let calls = self.declared_by(&self.files_beside(file), &call);
        let Some(call) = calls.first() else { return Vec::new() };
        let theirs = self.file(call.file);
        let block = theirs.definition(call.definition).span;
        let imports = &theirs.record.symbols.imports;
        let Some(source) = imports.iter().position(|it| block.contains(it.span)) else {
            return Vec::new();
        };
        let own = directory_of(self.snapshot.path(theirs.id));
        let Some(directory) = directory_from(own, &imports[source].module) else {
            return Vec::new();
        };
        let files = self.files_in(&directory);
        self.declared_by(&files, &Path { root: "output", is_data: false, name })
    }

    /// The files of the module to which a file belongs.
    fn files_beside(&self, file: &CodeFile) -> Vec<FileId> {
        self.files_in(directory_of(self.snapshot.path(file.id)))
    }

    fn files_in(&self, directory: &str) -> Vec<FileId> {
        let is_there = |it: &FileId| {
            let path = self.snapshot.path(*it);
            directory_of(path) == directory && FILES.iter().any(|it| path.ends_with(it))
        };
        self.snapshot.files().filter(is_there).collect()
    }

    fn declared_by(&self, files: &[FileId], path: &Path<'_>) -> Vec<DefinitionSite> {
        let in_file = |it: &FileId| {
            let theirs = self.file(*it);
            let all = 0..theirs.record.symbols.definitions.len() as u32;
            let is_it = |it: &u32| path.is_declared_by(theirs.definition(*it), &theirs.text);
            all.filter(is_it).map(|it| theirs.site(it)).collect::<Vec<_>>()
        };
        files.iter().flat_map(in_file).collect()
    }
}

impl Path<'_> {
    fn is_declared_by(&self, it: &Definition, text: &str) -> bool {
        if it.name.of(text).trim_matches('"') != self.name {
            return false;
        }
        let head = it.span.of(text).split(|it| !is_part(it)).next().unwrap_or_default();
        match BLOCKS.iter().find(|it| it.0 == self.root) {
            Some((_, block)) => head == *block,
            None if self.root == "local" => head == self.name,
            None => {
                let own = it.qualifier.map_or("", |it| it.of(text).trim_matches('"'));
                own == self.root && head == if self.is_data { "data" } else { "resource" }
            }
        }
    }
}

/// The directory that a path from another one leads to: `a` for `../` from `a/b`; `None` for the source of a library.
fn directory_from(directory: &str, path: &str) -> Option<String> {
    if !path.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = directory.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn is_part(it: char) -> bool {
    is_name(it) || it == '-'
}

/// Where the word begins that ends at a byte or goes on there.
fn word_start(text: &str, at: usize) -> usize {
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_NAME));
    from + text[from..at].trim_end_matches(is_part).len()
}
