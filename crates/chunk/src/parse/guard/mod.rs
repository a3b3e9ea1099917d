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
    let safe = match by_grammar(language) {
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

/// The language that a grammar was written for: components and templates are read by HTML's, notebooks by JSON's.
fn by_grammar(language: Language) -> Language {
    use Language::{Astro, Blade, Eex, Ejs, Erb, Html, Jinja, Json, Notebook, Svelte, Vue};
    match language {
        Vue | Svelte | Astro | Erb | Ejs | Eex | Blade | Jinja => Html,
        Notebook => Json,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_elements_are_hazardous_in_components_and_templates() {
        use crate::{Parse, ParseOutcome};
        for text in ["<a>", "<<A\n", "<div>"] {
            let text = text.repeat(8192);
            for language in [Language::Html, Language::Vue, Language::Astro, Language::Erb] {
                let outcome = Parse::new(text.as_bytes(), Some(language)).outcome();
                assert_eq!(outcome, ParseOutcome::Hazardous, "{language:?}");
            }
        }
    }

    #[test]
    fn languages_with_one_grammar_have_one_guard() {
        for &language in Language::ALL.iter().filter(|it| it.has_grammar()) {
            let first = Language::ALL.iter().filter(|it| by_grammar(**it) == **it);
            let same = first.filter(|it| it.grammar() == language.grammar());
            let same: Vec<Language> = same.copied().collect();
            assert_eq!(same, [by_grammar(language)], "{language:?}");
        }
    }
}
