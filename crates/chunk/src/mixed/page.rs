//! Pages: HTML with scripts and styles, and with template tags if there are any.

use super::markup::{self, Dialect};
use super::raw::{host_without, raw_parts};
use super::{MixedText, template};
use crate::language::Language;

/// Splits a page. `{{ }}` and `{% %}` are treated as template tags.
pub(super) fn split_languages(text: &[u8]) -> MixedText {
    if memchr::memmem::find(text, b"{%").or_else(|| memchr::memmem::find(text, b"{{")).is_some() {
        return template::split_languages(text, Language::Html);
    }
    let host = text.to_vec();
    let markup = markup::scan(text, 0, Dialect::Html);
    let parts = raw_parts(text, &markup, Language::JavaScript);
    MixedText { host: Some(host_without(host, &markup)), parts, ..MixedText::default() }
}
