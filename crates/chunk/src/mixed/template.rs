//! Templates: pages with tags that contain code of another language.

use super::markup::{self, Dialect};
use super::raw::{host_without, raw_parts};
use super::tags::{self, Delimiter, Tag, TagKind};
use super::{MixedText, Part, PartRole, blade, jinja};
use crate::language::Language;
use crate::line::line_start;
use crate::symbol::Symbols;

/// Splits a template.
pub(super) fn split_languages(text: &[u8], language: Language) -> MixedText {
    let found = tags::tags(text, delimiters(language));
    let page = tags::without(text, &found);
    let markup = markup::scan(&page, 0, Dialect::Html);
    let mut parts = raw_parts(&page, &markup, Language::JavaScript);
    let mut tags = Symbols::default();
    match language {
        Language::Erb => parts.push(code(text, &found, Language::Ruby, b'\n')),
        Language::Eex => parts.push(code(text, &found, Language::Elixir, b'\n')),
        Language::Ejs => parts.push(code(text, &found, Language::JavaScript, b';')),
        Language::Blade => {
            tags = blade::symbols(text);
            parts.push(blade::code(text, &found));
        }
        _ => {
            tags = jinja::symbols(text, &found);
            parts.push(jinja::expressions(text, &found));
        }
    }
    parts.retain(|it| !it.regions.is_empty());
    MixedText { host: Some(host_without(page, &markup)), parts, tags }
}

fn delimiters(language: Language) -> &'static [Delimiter] {
    match language {
        Language::Erb | Language::Ejs | Language::Eex => tags::ANGLE,
        Language::Blade => tags::BLADE,
        _ => tags::JINJA,
    }
}

/// The code of all tags as one text, with `separator` after each. A tag that is first on its line includes its
/// indentation, so that a cut before the code is a cut before the line.
fn code(text: &[u8], found: &[Tag], language: Language, separator: u8) -> Part {
    let mut part = Part::new(text, language, PartRole::Code);
    for it in found.iter().filter(|it| it.kind != TagKind::Comment) {
        let line = line_start(text, it.range.start).unwrap_or(it.range.start);
        part.reach(line..it.range.end);
        part.shown[it.inner.clone()].copy_from_slice(&text[it.inner.clone()]);
        part.put(it.range.end - 1, separator);
    }
    part
}
