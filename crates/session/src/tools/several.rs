//! One answer of several repositories, to a call that names none of them: a section for each that has results. Scores of
//! different repositories cannot be compared, so sections are in the order of the repositories, which may be on this
//! machine or on a cluster.

use serde_json::{Map, Value, json};

use super::arguments;
use super::page::ToolAnswer;
use super::request::Request;
use super::target::BudgetScope;
use crate::answer::tokens;
use crate::usage::{UsageError, usage};

/// The least tokens of a section.
const MIN_SECTION: usize = 200;

/// Tokens reserved for the heading of a section.
const HEADING: usize = 20;

/// Answers a request from the repository of this number, and returns what a further answer from the same state needs.
pub(super) type Ask<'m, V> = &'m mut dyn FnMut(usize, &Request) -> anyhow::Result<(V, ToolAnswer)>;

/// Repositories that answer one call, and how.
pub(super) struct Members<'m, V> {
    pub(super) names: &'m [String],
    pub(super) first: Ask<'m, V>,
    /// Answers from the same state again.
    pub(super) again: &'m dyn Fn(usize, &V, &Request) -> anyhow::Result<ToolAnswer>,
}

/// A repository that has answered.
struct Section<V> {
    member: usize,
    name: String,
    state: V,
    answer: ToolAnswer,
}

/// Repositories without results, and what is said of them.
#[derive(Default)]
struct Rest {
    /// Answers that say that nothing was found.
    empty: Vec<ToolAnswer>,
    names: Vec<String>,
    /// Sentences about repositories that could not answer.
    failed: Vec<String>,
    /// The first error.
    error: Option<anyhow::Error>,
}

/// The answer of all repositories, within the budget of one.
pub(super) fn answer<V>(
    members: Members<'_, V>,
    request: &mut Request,
    counted: BudgetScope,
) -> anyhow::Result<ToolAnswer> {
    let Members { names, first, again } = members;
    let budget = arguments::budget(*request.tokens(), request.default_tokens());
    let (mut sections, mut rest) = ask(names, request, first);
    if sections.is_empty() {
        return nothing(names, rest);
    }
    let shown = (budget / (MIN_SECTION + HEADING)).clamp(1, sections.len());
    if shown > 1 {
        *request.tokens() = Some(budget / shown - HEADING);
        for it in &mut sections[..shown] {
            it.answer = again(it.member, &it.state, request)?;
        }
    }
    let cut = sections.split_off(shown);
    rest.failed.extend(cut.iter().map(|it| format!("{}: more tokens would show it", it.name)));
    let text = text(&sections, &rest);
    let mut structured = structured(&sections);
    if counted == BudgetScope::TextAndStructured {
        shorten(&mut structured, budget)?;
    }
    let evidence = sections.into_iter().flat_map(|it| it.answer.evidence).collect();
    Ok(ToolAnswer { text, structured, evidence })
}

/// Asks every repository with the whole budget: most questions are about one of them.
fn ask<V>(names: &[String], request: &Request, first: Ask<'_, V>) -> (Vec<Section<V>>, Rest) {
    let (mut sections, mut rest) = (Vec::new(), Rest::default());
    for (member, name) in names.iter().cloned().enumerate() {
        match first(member, request) {
            Ok((state, answer)) if has_results(&answer) => {
                sections.push(Section { member, name, state, answer });
            }
            Ok((_, answer)) => {
                rest.empty.push(answer);
                rest.names.push(name);
            }
            Err(error) => {
                // The file that a call names is in one of them.
                if !error.is::<UsageError>() {
                    rest.failed.push(format!("{name}: {error:#}"));
                }
                rest.error.get_or_insert(error);
            }
        }
    }
    (sections, rest)
}

fn has_results(answer: &ToolAnswer) -> bool {
    answer.structured["results"].as_array().is_some_and(|it| !it.is_empty())
}

/// The answer if no repository has results: what each says, or why none answers.
fn nothing(names: &[String], rest: Rest) -> anyhow::Result<ToolAnswer> {
    let mut empty = rest.empty.into_iter();
    let Some(mut answer) = empty.next() else {
        let error = rest.error.unwrap_or_else(|| usage("there is no repository"));
        return Err(match error.is::<UsageError>() {
            true => usage(format!("{error}; so in all of {}", names.join(", "))),
            false => error,
        });
    };
    for it in empty {
        answer.text.push_str(&it.text);
    }
    for it in rest.failed {
        answer.text.push_str(&format!("{it}\n"));
    }
    Ok(answer)
}

/// The sections under the names of their repositories, then the repositories without one.
fn text<V>(sections: &[Section<V>], rest: &Rest) -> String {
    let mut text = String::new();
    for it in sections {
        if sections.len() > 1 {
            text.push_str(&format!("## {}\n", it.name));
        }
        text.push_str(&it.answer.text);
    }
    if !rest.names.is_empty() {
        text.push_str(&format!("nothing in {}\n", rest.names.join(", ")));
    }
    for it in &rest.failed {
        text.push_str(&format!("{it}\n"));
    }
    text
}

/// The values of all sections as one; each result says its repository.
fn structured<V>(sections: &[Section<V>]) -> Value {
    if let [one] = sections {
        return one.answer.structured.clone();
    }
    let mut res = Map::new();
    let mut results = Vec::new();
    for it in sections {
        let value = &it.answer.structured;
        for result in value["results"].as_array().into_iter().flatten() {
            let mut result = result.clone();
            result["repository"] = value["repository"].clone();
            results.push(result);
        }
    }
    let of = |key: &str| sections.iter().map(|it| &it.answer.structured[key]).collect::<Vec<_>>();
    let texts = |key: &str| of(key).into_iter().filter_map(Value::as_str).collect::<Vec<_>>();
    let sum = |key: &str| of(key).into_iter().map(Value::as_u64).sum::<Option<u64>>();
    let all = |key: &str| of(key).into_iter().all(|it| *it == json!(true));
    res.insert("results".to_owned(), results.into());
    res.insert("total".to_owned(), sum("total").into());
    res.insert("next_cursors".to_owned(), texts("next_cursor").into());
    res.insert("note".to_owned(), texts("note").join("; ").into());
    for key in ["repository", "snapshot"] {
        res.insert(key.to_owned(), texts(key).join(", ").into());
    }
    res.insert("answered_from".to_owned(), texts("answered_from").first().copied().into());
    for key in ["fresh", "complete"] {
        res.insert(key.to_owned(), all(key).into());
    }
    res.insert("files".to_owned(), sum("files").into());
    res.retain(|_, value| !value.is_null() && *value != json!("") && *value != json!([]));
    Value::Object(res)
}

/// Drops the last results until the value is within the budget.
fn shorten(structured: &mut Value, budget: usize) -> anyhow::Result<()> {
    let counter = tokens::general()?;
    while counter.count(&structured.to_string()) > budget {
        if structured["results"].as_array_mut().and_then(Vec::pop).is_none() {
            break;
        }
    }
    Ok(())
}
