//! Pages: HTML with scripts and styles, and with the tags of a template language where there are any.

use super::markup::{self, Dialect, Markup};
use super::{MixedText, Part, PartRole, erase};
use crate::language::Language;

/// The page taken apart. `{{ }}` and `{% %}` in it are taken for the tags of a template.
pub(super) fn take_apart(text: &[u8]) -> MixedText {
    if memchr::memmem::find(text, b"{%").or_else(|| memchr::memmem::find(text, b"{{")).is_some() {
        return super::template::take_apart(text, Language::Html);
    }
    let host = text.to_vec();
    let markup = markup::scan(text, 0, Dialect::Html);
    let parts = raw_parts(text, &markup, Language::JavaScript);
    MixedText { host: Some(host_without(host, &markup)), parts, ..MixedText::default() }
}

/// The host text without what scripts and styles contain.
pub(super) fn host_without(mut host: Vec<u8>, markup: &Markup) -> Vec<u8> {
    markup.raw.iter().for_each(|it| erase(&mut host, it.content.clone()));
    host
}

/// The scripts of a text, one part for each language, and its styles. A script without a language is in `default`.
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
