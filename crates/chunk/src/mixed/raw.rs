//! Scripts and styles: the elements of a page whose contents are in another language.

use super::markup::{self, Markup};
use super::{Part, PartRole, erase};
use crate::language::Language;

/// Removes the contents of scripts and styles from the host text.
pub(super) fn host_without(mut host: Vec<u8>, markup: &Markup) -> Vec<u8> {
    markup.raw.iter().for_each(|it| erase(&mut host, it.content.clone()));
    host
}

/// The scripts of a text, one part for each language, and its styles. `default` is the language of scripts that name
/// none.
pub(super) fn raw_parts(text: &[u8], markup: &Markup, default: Language) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for it in &markup.raw {
        let attributes = &text[it.attributes.clone()];
        let language = match it.is_script {
            true => markup::script_language(attributes, default),
            false => markup::is_css(attributes).then_some(Language::Css),
        };
        let Some(language) = language.filter(|_| !text[it.content.clone()].trim_ascii().is_empty())
        else {
            continue;
        };
        let at = parts.iter().position(|it| it.language == language).unwrap_or_else(|| {
            parts.push(Part::new(text, language, PartRole::Code));
            parts.len() - 1
        });
        parts[at].show(text, it.content.clone());
    }
    parts
}
