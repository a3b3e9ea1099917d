//! Inputs known to crash or hang a grammar.
//!
//! The scanners of grammars are C code that was not written for hostile texts or for texts that end inside a construct:
//! one loops for ever, some abort the process, others take quadratic memory or time. `docs/grammars.md` names each
//! fault. Faults that show in the text are detected here, in one pass: the text is rejected, or if a single byte is the
//! cause, the grammar reads a blank instead.
//!
//! The limits are far beyond real code: of 30,806 files of 27 grammars, from 26 repositories and Python's library, none
//! was rejected.

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

/// The text that the grammar of `language` may read; `None` if the text is rejected.
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
    // Languages with blanks must not be parsed incrementally (`previous::STABLE_RECOVERY`): the old tree may have had
    // other blanks.
    let blanks = match language {
        Language::Kotlin => kotlin::blanks(text),
        Language::Ruby => ruby::blanks(text)?,
        _ => Vec::new(),
    };
    Some(View::new(text, blanks))
}
