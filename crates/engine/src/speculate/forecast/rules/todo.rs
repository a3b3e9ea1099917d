//! What a comment says is to be done, where it names a function that does not exist.

use std::rc::Rc;

use foreword_chunk::Language;

use super::super::draft::{Draft, cite};
use super::super::facts::Facts;
use super::super::view::{FileView, indentation};
use crate::speculate::{ForecastForm, ForecastKind};

const MARKS: &[&str] = &["TODO", "FIXME", "XXX"];

/// The functions that the comments of a file say are missing.
pub(in super::super) fn todos<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    let prose = view.mentions().prose.clone();
    let lines = prose.iter().flat_map(|it| {
        let first = view.line_of(it.start);
        (0..).zip(view.of(*it).lines()).map(move |(n, text)| (first + n, text.to_owned()))
    });
    lines.filter_map(|(line, text)| todo(facts, view, line, &text)).collect()
}

fn todo(facts: &Facts<'_>, view: &FileView<'_>, line: u32, text: &str) -> Option<Draft> {
    let at = MARKS.iter().find_map(|it| text.find(it).map(|at| at + it.len()))?;
    let said = &text[at..];
    let is_wish = ["add", "implement", "write", "provide", "introduce", "need"];
    let lower = said.to_lowercase();
    if !is_wish.iter().any(|it| lower.split(|it: char| !it.is_alphabetic()).any(|word| word == *it))
    {
        return None;
    }
    let name = called_in(said)?.to_owned();
    if facts.is_defined(&name)
        || view.language.is_some_and(|it| it.keywords().contains(&name.as_str()))
    {
        return None;
    }
    let indent = indentation(view.line(line)).to_owned();
    let signature = declaration(view.language?, &name, "")?;
    Some(Draft {
        kind: ForecastKind::Todo,
        form: ForecastForm::Signature,
        code: format!("{indent}{signature}"),
        line: line + 1,
        evidence: vec![cite(view, line, format!("says that {name} is to be written"))],
        fit: 0.5,
        name,
    })
}

/// The first word of a text that is written like a call: `parse()`.
fn called_in(text: &str) -> Option<&str> {
    let at = text.find('(')?;
    let start =
        text[..at].rfind(|it: char| !(it.is_alphanumeric() || it == '_')).map_or(0, |it| it + 1);
    let name = &text[start..at];
    (name.len() > 2 && name.starts_with(|it: char| it.is_alphabetic() || it == '_')).then_some(name)
}

/// The declaration of a function with these parameters.
pub(super) fn declaration(language: Language, name: &str, parameters: &str) -> Option<String> {
    Some(match language {
        Language::Python => format!("def {name}({parameters}):"),
        Language::Rust => format!("fn {name}({parameters})"),
        Language::Go => format!("func {name}({parameters})"),
        Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Php => {
            format!("function {name}({parameters})")
        }
        Language::Ruby => format!("def {name}({parameters})"),
        Language::Lua => format!("function {name}({parameters})"),
        _ => return None,
    })
}
