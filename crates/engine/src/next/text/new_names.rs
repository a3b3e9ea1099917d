//! Where a new name is written in place of the old one.

use foreword_chunk::Import;

use crate::next::change::{ChangeKind, words};
use crate::next::group::OneFile;
use crate::next::hit::{Hit, Mention};
use crate::next::reason::NextReason;
use crate::preset::constants::next::SHORTEST_SHARED;

/// Position, old and new name where a use refers to a renamed definition, and the rest of its line is likely to stay.
pub(super) fn renamed<'h>(file: &OneFile<'_>, hit: &'h Hit) -> Option<(usize, &'h str, &'h str)> {
    let NextReason::Name { name, change: ChangeKind::Renamed(new) } = &hit.reason else {
        return None;
    };
    let is_sure = matches!(hit.mention, Mention::Sure | Mention::Broken) && hit.has_new_name;
    let rest = file.text[hit.at..].strip_prefix(name.as_str()).filter(|_| is_sure)?;
    let is_call = rest.trim_start_matches('!').trim_start().starts_with('(');
    let mut imports = file.record.symbols.imports.iter();
    let mut is_import = || imports.any(|it| it.span.range().contains(&hit.at));
    // An import is known by its module, and a call by its arguments, too.
    let is_plain = || {
        is_call
            || !has_other_spelling(&file.text[hit.line.clone()], name)
                && !is_of_another_module(file, hit.at)
    };
    let is_only_renamed = || file.context.replacements.are_only_renamed(name, new);
    let is_proposed = is_import() || is_plain() && is_only_renamed();
    is_proposed.then_some((hit.at, name, new))
}

/// Whether a line has a name in another spelling, too, as variables are named after their type (`Selection selection`,
/// `ScanInfo info`, `IsDead is_dead`): it is seldom left as it is, so the line changes further.
fn has_other_spelling(line: &str, name: &str) -> bool {
    let flat = |it: &str| it.replace('_', "").to_lowercase();
    let (whole, last) = (flat(name), last_word(name));
    words(line).into_iter().filter(|it| *it != name).any(|it| {
        let it = flat(it);
        it == whole || last.as_ref() == Some(&it)
    })
}

/// The last word of a name of several words, in lower case: `info` of `ScanInfo`, `fee` of `late_fee`.
fn last_word(name: &str) -> Option<String> {
    let start = name
        .char_indices()
        .rev()
        .find(|it| it.1 == '_' || it.1.is_uppercase())
        .map(|(at, it)| if it == '_' { at + 1 } else { at })?;
    let word = name[start..].to_lowercase();
    (start > 0 && word.len() >= SHORTEST_SHARED).then_some(word)
}

/// Whether what stands before a name with `.` or `::` is not of the repository: a module of a library may have a type of the
/// same name.
fn is_of_another_module(file: &OneFile<'_>, at: usize) -> bool {
    let before = &file.text[..at];
    let Some(path) = before.strip_suffix("::").or_else(|| before.strip_suffix('.')) else {
        return false;
    };
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let qualifier = &path[path.trim_end_matches(is_part).len()..];
    if qualifier.is_empty() || matches!(qualifier, "self" | "this" | "crate" | "super") {
        return false;
    }
    let symbols = &file.record.symbols;
    let snapshot = file.context.snapshot;
    let binds = |it: &&Import| {
        let module = it.alias.as_deref().or(it.module.rsplit(['.', '/', ':', '\\']).next());
        let mut names = it.names.iter().map(|it| it.alias.as_deref().unwrap_or(&it.name));
        module == Some(qualifier) || names.any(|it| it == qualifier)
    };
    let mut imports = symbols.imports.iter().filter(binds);
    if let Some(import) = imports.next() {
        let path = snapshot.path(file.file);
        let language = snapshot.language(file.file);
        return file.context.resolver.resolve(snapshot, path, language, import).is_empty();
    }
    let locals = snapshot.mentions_in(file.file);
    let is_local = locals.locals.iter().any(|it| file.text.get(it.range()) == Some(qualifier));
    !is_local && snapshot.definitions(qualifier).is_empty()
}
