//! Lists and their elements, by the methods that give them; bounds and arguments of types.

use foreword_chunk::Span;

use super::super::names::place::{Before, is_name, what_is_before};
use super::code_file::CodeFile;
use super::declaration::{Origin, last_name, made, matching, path_of};
use super::object::Object;
use super::{Resolution, after_dot};
use crate::index::DefinitionSite;

/// Methods of containers that give one element.
const ONE: [&str; 14] = [
    "get",
    "at",
    "pop",
    "shift",
    "find",
    "findLast",
    "first",
    "last",
    "next",
    "get_mut",
    "unwrap",
    "expect",
    "first_mut",
    "last_mut",
];
/// Methods of containers that give a container of the same elements.
const SAME: [&str; 17] = [
    "filter",
    "slice",
    "sort",
    "reverse",
    "concat",
    "values",
    "iter",
    "into_iter",
    "iter_mut",
    "toSorted",
    "toReversed",
    "copy",
    "splice",
    "rev",
    "take",
    "skip",
    "flat",
];
/// Type arguments that are looked at.
const MAX_ARGUMENTS: usize = 4;

impl Resolution<'_> {
    /// A container as it is written.
    pub(super) fn of_list(
        &self,
        file: &CodeFile,
        container: Option<Span>,
        element: Span,
    ) -> Object {
        if let Some(container) = container
            && let own @ Object::Types(_) = self.of_declared(file, Origin::Type(container))
        {
            return own;
        }
        match self.of_declared(file, Origin::Type(element)) {
            Object::Types(types) => Object::List(types),
            other => other,
        }
    }

    /// What a method of a container returns; `None` if it is another call.
    pub(super) fn of_list_call(&self, file: &CodeFile, name: Span) -> Option<Object> {
        let (text, word) = (&*file.text, name.of(&file.text));
        let at = name.range().start;
        if what_is_before(text, after_dot(text, at)) == Before::Nothing {
            return None;
        }
        if ["Object.values", "Array.from"].iter().any(|it| text[..name.range().end].ends_with(it)) {
            let argument = text[name.range().end..].strip_prefix('(')?;
            let end = matching(&text[name.range().end..])?.checked_sub(2)?;
            let found = made(text, &argument[..end])?;
            return Some(self.of_declared(file, found));
        }
        let (is_one, is_same) = (ONE.contains(&word), SAME.contains(&word));
        if !is_one && !is_same {
            return None;
        }
        match self.object_before(file, at) {
            Object::List(types) if is_one => Some(Object::Types(types)),
            list @ Object::List(_) => Some(list),
            _ => None,
        }
    }

    /// The types in the arguments of a type: what an alias adds to them is among its own members, or theirs.
    pub(super) fn arguments(&self, file: &CodeFile, name: Span) -> Vec<DefinitionSite> {
        let after = &file.text[name.range().end..];
        let mut res = Vec::new();
        let Some(mut rest) = after.strip_prefix('<') else { return res };
        for _ in 0..MAX_ARGUMENTS {
            rest = rest.trim_start_matches(|it: char| !is_name(it) && !">=({;\n".contains(it));
            let path = path_of(rest);
            if path.is_empty() || !self.may_go_on() {
                break;
            }
            let name = last_name(&file.text, path);
            let word = name.of(&file.text);
            if word.len() > 1
                && word.starts_with(char::is_uppercase)
                && let Object::Types(found) = self.of_declared(file, Origin::Type(name))
            {
                res.extend(found);
            }
            rest = &rest[path.len()..];
        }
        res
    }
}

#[cfg(test)]
mod tests {
    use super::super::at::tests::check as check_in;

    const STORE: &str = "export interface Store { name: string; doors: Door[]; by: Map<string, Door> }\nexport interface Door {\n  open(): void;\n}\nexport class Other {\n  open() {}\n}\nexport type With<S> = Other2 & S;\nexport interface Other2 { close(): void }\nexport function make(): With<Store> {}\n";

    #[track_caller]
    fn check(line: &str, expect: &[&str]) {
        let user = format!(
            "import {{ make, Door, Store, With }} from './store';\nfunction f<T extends Store>(store: Store, it: T, own: With<Store>) {{\n  {line}\n}}\n"
        );
        check_in(&[("a.ts", &user), ("store.ts", STORE)], expect);
    }

    #[test]
    fn elements_of_lists_are_followed_through_loops_subscripts_calls_and_callbacks() {
        let door = ["store.ts:3"];
        check("for (const d of store.doors) { d.open‸(); }", &door);
        check("for (const d of store.doors.filter(g)) { d.open‸(); }", &door);
        check("for (const d of Object.values(store.by)) { d.open‸(); }", &door);
        check("store.doors.map((d) => d.open‸());", &door);
        check("store.doors.slice(1).forEach(async (d, i) => d.open‸());", &door);
        check("store.doors[0].open‸();", &door);
        check("const d = store.doors[0]!; d.open‸();", &door);
        check("store.by.get('a')!.open‸();", &door);
        check("const all: Array<Door> = g(); all.pop()?.open‸();", &door);
        // A list is no door, and nothing is known of what it is a list of.
        check("store.doors.open‸();", &["store.ts:3?", "store.ts:6?"]);
        check("for (const k in store.doors) { k.open‸(); }", &["store.ts:3?", "store.ts:6?"]);
    }

    #[test]
    fn bounds_of_type_parameters_and_arguments_of_aliases_have_members() {
        check("it.name‸;", &["store.ts:1"]);
        check("own.name‸;", &["store.ts:1"]);
        check("own.close‸();", &["store.ts:9"]);
        check("const own = make(); own.name‸;", &["store.ts:1"]);
    }
}
