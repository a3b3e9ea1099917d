//! Files that are routes by their place: Next.js, SvelteKit.

use super::pattern::{Pattern, Syntax};

/// Directories whose files are routes.
struct Place {
    /// A directory, and what stands before its addresses.
    directory: &'static str,
    before: &'static str,
    /// The names of its files without their ends; any for none.
    stems: &'static [&'static str],
}

const PLACES: &[Place] = &[
    Place { directory: "app/", before: "", stems: &["route"] },
    Place { directory: "pages/api/", before: "api/", stems: &[] },
    Place { directory: "routes/", before: "", stems: &["+server"] },
];
const EXTENSIONS: &[&str] = &["ts", "js", "tsx", "jsx", "mjs"];

/// The address of a file that is a route.
pub(super) fn page_route(path: &str) -> Option<Pattern> {
    let (whole, extension) = path.rsplit_once('.')?;
    let end = whole.rsplit('.').next().unwrap_or_default();
    let is_route = EXTENSIONS.contains(&extension) && !matches!(end, "d" | "test" | "spec");
    let stem = whole.rsplit('/').next().unwrap_or(whole);
    let fits = |it: &&Place| it.stems.is_empty() || it.stems.contains(&stem);
    let place = PLACES.iter().filter(|_| is_route).filter(fits).find_map(|it| {
        let is_whole = |at: &usize| *at == 0 || whole[..*at].ends_with('/');
        let at = whole.match_indices(it.directory).map(|it| it.0).find(is_whole)?;
        Some((it, &whole[at + it.directory.len()..]))
    });
    let (place, inner) = place?;
    let inner = if place.stems.is_empty() { inner } else { &inner[..inner.len() - stem.len()] };
    let is_group = |it: &&str| it.starts_with('(') || it.starts_with('@');
    let parts = inner.split('/').filter(|it| !is_group(it) && !matches!(*it, "index" | ""));
    let parts: Vec<String> = parts.map(parameter).collect();
    let plain = format!("{}{}", place.before, parts.join("/"));
    Some(Pattern::of(&[(&plain, Syntax::Brackets)]))
}

/// `{id}` of `[id]`, `{*id}` of `[...id]`.
fn parameter(part: &str) -> String {
    let (start, rest) = part.split_once('[').unwrap_or((part, ""));
    let Some((inner, end)) = rest.rsplit_once(']') else { return part.to_owned() };
    let inner = inner.trim_matches(['[', ']']);
    let name = inner.strip_prefix("...").map_or_else(|| inner.to_owned(), |it| format!("*{it}"));
    let name = name.split('=').next().unwrap_or(&name);
    format!("{start}{{{name}}}{end}")
}
