//! Texts that a grammar cannot bear.
//!
//! The scanners of grammars are C code that was not written for hostile texts, nor for texts that end in the middle of a
//! construct: one loops for ever, some abort the process, others take memory or time that grows with the square of the
//! text. `docs/grammars.md` names each fault. What can be seen in the text is seen here, in one pass over it: a text gets
//! no tree if it holds more of something than the grammar bears, and where a single byte does the harm the grammar reads
//! a blank in its place.
//!
//! The limits are far beyond real code: of 30,806 files of 27 grammars, from 26 repositories and Python's library, none lost its tree.

mod angle;
mod html;
mod kotlin;
mod nesting;
mod python;
mod ruby;
mod view;
mod yaml;

pub(super) use self::view::View;
use crate::language::Language;

/// What the grammar of `language` may see of `text`; `None` if it must not see it.
pub(super) fn view(text: &[u8], language: Language) -> Option<View<'_>> {
    let safe = match language {
        Language::Yaml => yaml::is_safe(text),
        Language::Python => python::is_safe(text),
        Language::Html => html::is_safe(text),
        Language::Java | Language::CSharp | Language::Cpp | Language::Dart => angle::is_safe(text),
        _ => true,
    };
    if !safe || !nesting::is_safe(text, language) {
        return None;
    }
    // Languages with blanks must not be parsed incrementally (`previous::UNSTABLE_RECOVERY`): the old tree may be that of
    // other blanks.
    let blanks = match language {
        Language::Kotlin => kotlin::blanks(text),
        Language::Ruby => ruby::blanks(text)?,
        _ => Vec::new(),
    };
    Some(View::new(text, blanks))
}
