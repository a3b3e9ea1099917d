//! Names of symbols in SCIP: `scip-python python flask 3.1 `flask.app`/Flask#run().`
//!
//! A symbol is `scheme manager package version descriptors`, each part but the last followed by a space (a space inside is
//! doubled). A descriptor is a name, in backticks if it is no simple one, and a suffix that tells its kind.

/// What the suffix of a descriptor says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suffix {
    /// `/`: a package, module or file.
    Namespace,
    /// `#`
    Type,
    /// `.`: a variable, constant or field.
    Term,
    /// `().`
    Method,
    /// `!`
    Macro,
    /// Parameters, type parameters and whatever an indexer adds.
    Other,
}

impl Suffix {
    /// Whether such a symbol is something that is looked up by its name.
    pub(super) fn is_named(self) -> bool {
        matches!(self, Self::Type | Self::Term | Self::Method | Self::Macro)
    }
}

/// A descriptor of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Descriptor {
    pub(super) name: String,
    pub(super) suffix: Suffix,
}

/// The descriptors of a symbol, outermost first; `None` for a local or malformed one.
pub(super) fn descriptors(symbol: &str) -> Option<Vec<Descriptor>> {
    if symbol.starts_with("local ") {
        return None;
    }
    let mut rest = after_package(symbol)?;
    let mut res = Vec::new();
    while !rest.is_empty() {
        let (descriptor, after) = descriptor(rest)?;
        res.push(descriptor);
        rest = after;
    }
    (!res.is_empty()).then_some(res)
}

/// The names of descriptors. rust-analyzer calls a block `impl` and has its type and trait in brackets behind that:
/// ``impl#[`Store<T>`][Clone]clone().`` is `Store`, `clone`.
pub(super) fn names_of(descriptors: &[Descriptor]) -> Vec<(&str, Suffix)> {
    let (mut res, mut rest) = (Vec::new(), descriptors);
    while let [first, after @ ..] = rest {
        rest = after;
        let is_block = first.name == "impl" && first.suffix == Suffix::Type;
        match after.first().filter(|it| is_block && it.suffix == Suffix::Other) {
            Some(of) => {
                let name = of.name.split('<').next().unwrap_or_default();
                let name = name.rsplit([' ', ':', '&']).next().unwrap_or_default();
                res.push((name, Suffix::Type));
                let brackets = after.iter().take_while(|it| it.suffix == Suffix::Other).count();
                rest = &after[brackets..];
            }
            None => res.push((first.name.as_str(), first.suffix)),
        }
    }
    res
}

/// The symbol as it is stored: without the version of its package, which is another one after every commit for some
/// indexers, and with modules named as uses name them: scip-python takes the folder `src` of a file's path for a part of
/// the module's name where it is defined, and not where it is used.
pub(super) fn stored(symbol: &str) -> Option<String> {
    let descriptors = after_package(symbol)?;
    let version = {
        let before = &symbol[..symbol.len() - descriptors.len()];
        let at = before.trim_end_matches(' ').rfind(' ')?;
        &before[..=at]
    };
    let descriptors = match descriptors.strip_prefix("`src.") {
        Some(module) if symbol.starts_with("scip-python ") => format!("`{module}"),
        _ => descriptors.to_owned(),
    };
    Some(format!("{version}. {descriptors}"))
}

/// What follows the four parts of the package.
fn after_package(symbol: &str) -> Option<&str> {
    let bytes = symbol.as_bytes();
    let (mut at, mut parts) = (0, 0);
    while parts < 4 {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b' ', Some(b' ')) => at += 2,
            (b' ', _) => {
                parts += 1;
                at += 1;
            }
            _ => at += 1,
        }
    }
    symbol.get(at..)
}

fn descriptor(text: &str) -> Option<(Descriptor, &str)> {
    let other = |close: char| {
        let (name, after) = name(&text[1..])?;
        let descriptor = Descriptor { name, suffix: Suffix::Other };
        Some((descriptor, after.strip_prefix(close)?))
    };
    match text.as_bytes().first()? {
        b'(' => return other(')'),
        b'[' => return other(']'),
        _ => {}
    }
    let (name, after) = name(text)?;
    let suffix = match after.as_bytes().first()? {
        b'/' => Suffix::Namespace,
        b'#' => Suffix::Type,
        b'.' => Suffix::Term,
        b'!' => Suffix::Macro,
        b':' => Suffix::Other,
        b'(' => {
            let after = &after[after.find(')')? + 1..];
            let descriptor = Descriptor { name, suffix: Suffix::Method };
            return Some((descriptor, after.strip_prefix('.')?));
        }
        _ => return None,
    };
    Some((Descriptor { name, suffix }, &after[1..]))
}

/// A name, in backticks or simple, and what follows it.
fn name(text: &str) -> Option<(String, &str)> {
    let Some(mut rest) = text.strip_prefix('`') else {
        let is_simple = |it: char| it.is_alphanumeric() || matches!(it, '_' | '+' | '-' | '$');
        let end = text.find(|it| !is_simple(it))?;
        return (end > 0).then(|| (text[..end].to_owned(), &text[end..]));
    };
    let mut res = String::new();
    loop {
        let end = rest.find('`')?;
        res.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        // A doubled backtick is one of the name.
        match rest.strip_prefix('`') {
            Some(after) => rest = after,
            None => return Some((res, rest)),
        }
        res.push('`');
    }
}

/// Whether a name stands in source text as it is: `app`, not `<constructor>`.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_word)
}

/// Whether a character is a part of names.
pub(super) fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_' || it == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_has_a_package_and_descriptors() {
        use Suffix::{Method, Namespace, Other, Term, Type};

        let check = |symbol: &str, expect: &[(&str, Suffix)]| {
            let found = descriptors(symbol).unwrap_or_default();
            let found: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.suffix)).collect();
            assert_eq!(found, expect, "{symbol}");
        };
        check(
            "scip-python python flask 3.1 `src.flask.app`/Flask#run().(host)",
            &[("src.flask.app", Namespace), ("Flask", Type), ("run", Method), ("host", Other)],
        );
        check(
            "scip-typescript npm a  b . src/`x``y.ts`/C#`<constructor>`().",
            &[("src", Namespace), ("x`y.ts", Namespace), ("C", Type), ("<constructor>", Method)],
        );
        check(
            "scip-go gomod m v1 `m/p`/T#f(+1).",
            &[("m/p", Namespace), ("T", Type), ("f", Method)],
        );
        check("a b c d x.", &[("x", Term)]);
        check("a b c d C#[T]", &[("C", Type), ("T", Other)]);
        for malformed in
            ["local 3", "", "a b c", "a b c d ", "a b c d `x/", "a b c d x(", "a b c d x"]
        {
            check(malformed, &[]);
        }
    }

    #[test]
    fn the_version_of_a_package_and_the_folder_src_of_python_are_left_out() {
        let stored = |it| stored(it).unwrap();
        assert_eq!(stored("scip-go gomod m v1 `m/p`/T#"), stored("scip-go gomod m v2 `m/p`/T#"));
        assert_eq!(
            stored("scip-python python p 1 `src.p.a`/C#"),
            stored("scip-python python p 1 `p.a`/C#")
        );
        assert_eq!(stored("scip-go gomod m  n v1 `src.p`/T#"), "scip-go gomod m  n . `src.p`/T#");
    }
}
