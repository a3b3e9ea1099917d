//! Definitions that are whole files: components, and the templates, pages and controllers that frameworks find by name.
//!
//! `component` follows imports and tags to the files of components, `template` holds the table of the frameworks whose
//! strings name files, `users` finds the code that leads to a file. `rules` holds the table of what strings name
//! that other strings and keys declare, `named` finds it, and `named_users` the way back. `route` leads from addresses to
//! what answers them.

mod component;
mod declared;
mod named;
mod named_users;
mod nested;
mod rails;
mod route;
mod rules;
mod template;
mod terraform;
#[cfg(test)]
mod tests;
mod tokens;
mod users;

pub(super) use self::component::is_component;
pub use self::named_users::uses_of_declaration;
pub(super) use self::route::Routes;
pub use self::users::{FileUser, files_called, is_whole, users_of_file};
use foreword_chunk::Span;

use super::Resolution;
use super::at::{DefinitionPlace, name_around};
use super::code_file::CodeFile;
#[cfg(test)]
use super::users::Certainty;

impl Resolution<'_> {
    /// The name at a byte, in code, a tag or a string, with the files that it means; none of them where it means no file.
    pub(super) fn name_at(&self, file: &CodeFile, at: usize) -> (Span, Vec<DefinitionPlace>) {
        let at = file.text.floor_char_boundary(at.min(file.text.len()));
        if let Some(found) = self.named_in_literal(file, at) {
            return found;
        }
        if let Some(tag) = component::tag_around(file, at) {
            return (tag, self.component_places(file, tag));
        }
        (name_around(file, at), Vec::new())
    }
}
