//! Attributes of elements in JSX: properties of a component, and of what `IntrinsicElements` declares.

use foreword_chunk::{Language, Span};

use super::super::names::place::is_name;
use super::code_file::{CodeFile, is_function};
use super::declaration::{Origin, last_name, path_of};
use super::object::{Object, types};
use super::shape::{opening_angle, parameter_at};
use super::{Referent, Resolution};
use crate::index::DefinitionSite;

/// Bytes before an attribute in which its element begins.
const ELEMENT_BYTES: usize = 2000;
/// Types whose last argument is that of the properties.
const COMPONENTS: [&str; 6] =
    ["FC", "FunctionComponent", "ComponentType", "VFC", "ForwardRefExoticComponent", "Component"];

impl Resolution<'_> {
    /// The properties of the element of which a name is an attribute; `None` if it is none.
    pub(super) fn of_element_attribute(&self, file: &CodeFile, name: Span) -> Option<Object> {
        if !matches!(file.language, Some(Language::Tsx | Language::JavaScript)) {
            return None;
        }
        let text = &*file.text;
        let after = text[name.range().end..].trim_start_matches(is_name);
        let is_one = text[..name.range().start].ends_with(char::is_whitespace)
            && (after.starts_with(['=', '>'])
                && !after.starts_with("==")
                && !after.starts_with("=>")
                || after.starts_with("/>")
                || after.starts_with([' ', '\n', '\r']));
        let tag = if is_one { element_before(text, name.range().start)? } else { return None };
        let path = path_of(&text[tag..]);
        let tag = last_name(text, path);
        let word = tag.of(text);
        let sites = match word.starts_with(|it: char| it.is_ascii_lowercase()) && word == path {
            true => self.elements(word),
            false => match self.refer(file, tag) {
                Referent::Known(sites) => sites,
                _ => return Some(Object::Unknown),
            },
        };
        if word == path && word.starts_with(|it: char| it.is_ascii_lowercase()) {
            return Some(self.of_sites(&sites));
        }
        Some(sites.iter().find_map(|it| self.properties(*it)).unwrap_or(Object::Unknown))
    }

    /// The properties of a component.
    fn properties(&self, site: DefinitionSite) -> Option<Object> {
        let file = self.file(site.file);
        let it = file.definition(site.definition);
        let rest = &file.text[it.name.range().end..it.span.range().end];
        if is_function(it.kind) {
            let found = parameter_at(&file.text, rest, 0)?;
            return Some(self.of_declared(&file, found));
        }
        // `const It: FC<Props> = …`, `class It extends Component<Props>`.
        let end = rest.find(['=', '{']).unwrap_or(rest.len());
        let declared = rest[..end].trim_end();
        let open = declared.ends_with('>').then(|| opening_angle(declared)).flatten()?;
        let path = declared[..open].rsplit([' ', ':']).next()?;
        let component = path.rsplit('.').next()?;
        if !COMPONENTS.contains(&component) {
            return None;
        }
        let arguments = &declared[open + 1..declared.len() - 1];
        let first = path_of(arguments.trim_start());
        if first.is_empty() {
            return None;
        }
        let found = self.of_declared(&file, Origin::Type(last_name(&file.text, first)));
        match found {
            Object::Types(found) => Some(types(found)),
            _ => None,
        }
    }
}

/// Where the name of the element begins in whose opening tag a byte is.
fn element_before(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0_i32;
    let bytes = text.as_bytes();
    for back in 1..=at.min(ELEMENT_BYTES) {
        let here = at - back;
        match bytes[here] {
            b'}' => depth += 1,
            b'{' => depth -= 1,
            b'<' if depth == 0 => {
                let is_open = text[here + 1..].starts_with(|it: char| it.is_ascii_alphabetic());
                let is_generic = text[..here].ends_with(is_name);
                return (is_open && !is_generic).then_some(here + 1);
            }
            b'>' | b';' | b'(' | b')' if depth == 0 => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::at::tests::check as check_in;

    #[test]
    fn attributes_are_properties_of_the_component_or_of_what_elements_have() {
        let shop = "import { FC } from 'react';\nexport interface Props {\n  name: string;\n}\nexport function Shop({ name }: Props) {}\nexport const Door: FC<Props> = g();\nexport namespace JSX {\n  export interface Meta {\n    name: string;\n  }\n  export interface IntrinsicElements {\n    meta: Meta;\n  }\n}\n";
        let check = |markup: &str, expect: &[&str]| {
            let user = format!(
                "import {{ Door, Shop }} from './shop';\nexport const it = () => {markup};\n"
            );
            check_in(&[("a.tsx", &user), ("shop.tsx", shop)], expect);
        };
        check("<Shop name‸='a' />", &["shop.tsx:3"]);
        check("<Door f={() => g({ a: 1 })} name‸={n}>a</Door>", &["shop.tsx:3"]);
        check("<meta name‸='a' />", &["shop.tsx:9"]);
        check("<p>the name‸ = a</p>", &["shop.tsx:3?", "shop.tsx:9?"]);
    }
}
