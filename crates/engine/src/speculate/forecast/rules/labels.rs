//! What an arm of a match, a case of a switch or an entry of a table is for, read from its first line.

use foreword_chunk::Language;

/// What an arm is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Label {
    /// The variants that it names; empty for the arm of everything else.
    pub(super) names: Vec<VariantName>,
    /// Whether it is for everything else, or for more than the names say.
    pub(super) is_rest: bool,
    /// Whether it is an arm or a case, and not an entry of a list or table.
    pub(super) is_arm: bool,
}

/// A variant as an arm names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VariantName {
    /// What is written before it: `Shape` of `Shape::Circle`.
    pub(super) of: Option<String>,
    pub(super) variant: String,
}

/// The label of the statement `whole`, whose first line is `line`; `None` if it is none.
pub(super) fn label_of(line: &str, whole: &str, language: Language) -> Option<Label> {
    let line = line.trim();
    let rest = |is_rest| Label { names: Vec::new(), is_rest, is_arm: true };
    if has_cases(language) {
        if line.starts_with("default") || line.starts_with("@unknown default") {
            return Some(rest(true));
        }
        if let Some(pattern) = line.strip_prefix("case ") {
            let pattern = whole.trim_start().strip_prefix("case ").unwrap_or(pattern);
            return Some(arm(pattern_of(pattern, language), language));
        }
    }
    let sign = arrow(language)?;
    let arrow = whole.find(sign).filter(|_| !sign.is_empty());
    if let Some(at) = arrow {
        let pattern = whole[..at].trim();
        let is_pattern = !pattern.is_empty() && !pattern.contains([';', '=']);
        return is_pattern.then(|| arm(pattern, language));
    }
    entry(line)
}

fn has_cases(language: Language) -> bool {
    matches!(
        language,
        Language::C
            | Language::Cpp
            | Language::Java
            | Language::CSharp
            | Language::Go
            | Language::JavaScript
            | Language::TypeScript
            | Language::Tsx
            | Language::Swift
            | Language::Php
            | Language::Python
            | Language::Scala
            | Language::Dart
    )
}

/// What stands between a pattern and its arm, apart from cases; empty if there is nothing but lists.
fn arrow(language: Language) -> Option<&'static str> {
    Some(match language {
        Language::Rust | Language::Php | Language::CSharp | Language::Dart => "=>",
        Language::Kotlin => "->",
        Language::Python
        | Language::TypeScript
        | Language::Tsx
        | Language::Swift
        | Language::Java => "",
        _ => return None,
    })
}

/// What stands between `case` and its end.
fn pattern_of(text: &str, language: Language) -> &str {
    let arrow = text.find("=>").or_else(|| text.find("->"));
    let colon = text.match_indices(':').map(|it| it.0).find(|at| {
        let (before, after) = (&text[..*at], &text[at + 1..]);
        !before.ends_with(':') && !after.starts_with(':')
    });
    let end = match language {
        Language::Scala => arrow,
        Language::Java | Language::Dart | Language::CSharp => match (arrow, colon) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        },
        _ => colon,
    };
    &text[..end.unwrap_or(text.len())]
}

fn arm(pattern: &str, language: Language) -> Label {
    let mut res = Label { is_arm: true, ..Label::default() };
    for it in alternatives(pattern) {
        match path_of(it) {
            Some(name) if !is_binding(&name, language) => res.names.push(name),
            _ if is_rest(it, language) => res.is_rest = true,
            _ => {
                // A literal, a guard, a tuple: not one enumeration's variants alone.
                res.is_rest = true;
            }
        }
    }
    res
}

/// The parts of a pattern between `|` and `,` outside of brackets.
fn alternatives(pattern: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0_i32, 0);
    let mut res = Vec::new();
    for (at, it) in pattern.char_indices() {
        match it {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            '|' | ',' if depth == 0 => {
                res.push(&pattern[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    res.push(&pattern[start..]);
    res.retain(|it| !it.trim().is_empty());
    res
}

/// The path at the beginning of a pattern: `Shape::Circle` of `Shape::Circle(r) if r > 0`.
fn path_of(pattern: &str) -> Option<VariantName> {
    let pattern = pattern.trim().trim_start_matches(['&', '.']);
    let pattern = pattern.strip_prefix("let ").unwrap_or(pattern).trim_start_matches('.');
    let is_path = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | ':' | '\\');
    let end = pattern.find(|it| !is_path(it)).unwrap_or(pattern.len());
    let path = pattern[..end].trim_end_matches(':');
    let after = pattern[end..].trim_start();
    let is_whole = after.is_empty() || after.starts_with(['(', '{', '@']) && !path.is_empty();
    let is_guarded = after.starts_with("if ") || after.starts_with("when ");
    let start = path.rfind(['.', ':', '\\']).map_or(0, |it| it + 1);
    let variant = &path[start..];
    let begins = variant.chars().next().is_some_and(|it| it.is_alphabetic() || it == '_');
    let of = path[..start].trim_end_matches(['.', ':', '\\']);
    let of = of.rsplit(['.', ':', '\\']).next().filter(|it| !it.is_empty()).map(str::to_owned);
    (begins && (is_whole || is_guarded)).then(|| VariantName { of, variant: variant.to_owned() })
}

/// Whether a name without a path binds instead of naming a variant.
fn is_binding(name: &VariantName, language: Language) -> bool {
    let begins_low = name.variant.starts_with(|it: char| it.is_lowercase() || it == '_');
    let is_word = matches!(
        name.variant.as_str(),
        "else" | "default" | "null" | "nil" | "true" | "false" | "_"
    );
    is_word
        || name.of.is_none()
            && begins_low
            && matches!(language, Language::Rust | Language::Python | Language::Scala)
}

fn is_rest(pattern: &str, _language: Language) -> bool {
    matches!(pattern.trim(), "_" | "else" | "default" | "..")
}

/// An element of a list, or a key of a table: `Shape::Circle,`, `Shape.Circle: 1,`.
fn entry(line: &str) -> Option<Label> {
    let end = line.find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '.')))?;
    let after = &line[end..];
    let name = path_of(&line[..end])?;
    let is_entry = matches!(after, ",") || after.starts_with(": ") && line.ends_with(',');
    let is_upper = name.of.as_ref()?.starts_with(char::is_uppercase);
    (is_entry && is_upper).then(|| Label { names: vec![name], is_rest: false, is_arm: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, line: &str, expect: &[&str]) {
        let label = label_of(line, line, language);
        let label = label.unwrap_or_else(|| panic!("{line} is an arm"));
        let name = |it: &VariantName| match &it.of {
            Some(of) => format!("{of}/{}", it.variant),
            None => it.variant.clone(),
        };
        let mut names: Vec<String> = label.names.iter().map(name).collect();
        names.extend(label.is_rest.then(|| "*".to_owned()));
        assert_eq!(names, expect, "{line}");
    }

    #[test]
    fn an_arm_names_the_variants_that_it_is_for() {
        check(Language::Rust, "Shape::Circle(r) => r * r,", &["Shape/Circle"]);
        check(Language::Rust, "a::Shape::A | a::Shape::B { .. } => 1,", &["Shape/A", "Shape/B"]);
        check(Language::Rust, "Self::A if x > 1 => {", &["Self/A"]);
        check(Language::Rust, "_ => 2,", &["*"]);
        check(Language::Rust, "other => other.area(),", &["*"]);
        check(Language::Rust, "Some(Shape::A) => 1,", &["Some"]);
        check(Language::Go, "case Circle, Square:", &["Circle", "Square"]);
        check(Language::Go, "default:", &["*"]);
        check(Language::TypeScript, "case Shape.Circle:", &["Shape/Circle"]);
        check(Language::Java, "case CIRCLE -> area(r);", &["CIRCLE"]);
        check(Language::Swift, "case .circle(let r):", &["circle"]);
        check(Language::Kotlin, "Shape.CIRCLE -> area()", &["Shape/CIRCLE"]);
        check(Language::Kotlin, "else -> 0", &["*"]);
        check(Language::Php, "Shape::Circle => 1,", &["Shape/Circle"]);
        check(Language::C, "case SHAPE_CIRCLE: return 1;", &["SHAPE_CIRCLE"]);
        check(Language::Python, "case Shape.CIRCLE:", &["Shape/CIRCLE"]);
        check(Language::Python, "Shape.CIRCLE: 1,", &["Shape/CIRCLE"]);
    }

    #[test]
    fn what_is_no_arm_has_no_label() {
        for line in ["let f = |x| x + 1;", "foo(a, b);", "x.y = 1,", "return Shape::A;"] {
            assert_eq!(label_of(line, line, Language::Rust), None, "{line}");
        }
        assert_eq!(label_of("self.a: int = 1", "self.a: int = 1", Language::Python), None);
    }
}
