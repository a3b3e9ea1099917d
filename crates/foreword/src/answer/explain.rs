//! The prompt at a cursor and why it is what it is, as a page of Markdown that an editor can show.

use foreword_engine::compose::Format;
use foreword_engine::context::{Found, Situation};
use foreword_engine::preset;
use foreword_engine::prompt::{Composed, Target, prompt};
use foreword_engine::scope::Cursor;
use foreword_engine::trim::{Dropped, Piece};
use foreword_model::TokenCounter;

use super::tokens;

/// Of what fell out, so much is listed.
const DROPPED: usize = 20;

/// Composes what a reader without a format of its own would see, and says why.
pub(crate) fn explain(
    situation: &Situation<'_>,
    cursor: &Cursor,
    repository: &str,
) -> anyhow::Result<String> {
    let format = Format::named("none")
        .ok_or_else(|| anyhow::anyhow!("the format `none` is in the table"))?;
    let counter = tokens::general()?;
    let count = |text: &str| counter.count(text);
    let preset = preset::context();
    let Found { scope, ranked, window } = situation.find(cursor, &preset, &count);
    let target = Target { format, repository, count: &count };
    let composed = prompt(situation, cursor, &scope, &window, &ranked, &preset, target)?;
    Ok(page(cursor, &composed, preset.budget.total, &counter))
}

fn page(cursor: &Cursor, composed: &Composed, budget: usize, counter: &TokenCounter) -> String {
    let prefix = cursor.prefix();
    let line = prefix.matches('\n').count() + 1;
    let column = prefix.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let Composed { prompt, choice, tokens, base_tokens } = composed;
    let mut res = format!(
        "# foreword: context at {}:{line}:{column}\n\n{tokens} of {budget} tokens ({}): {base_tokens} around the cursor, the rest in {} pieces.\n",
        cursor.path,
        tokens::accuracy(counter),
        choice.pieces.len()
    );
    res.push_str("\n## What is shown, and why\n\n");
    choice.pieces.iter().for_each(|it| res.push_str(&chosen(it)));
    if choice.pieces.is_empty() {
        res.push_str("Nothing but the text around the cursor.\n");
    }
    if !choice.dropped.is_empty() {
        res.push_str(&format!("\n## What fell out: {}\n\n", choice.dropped.len()));
    }
    choice.dropped.iter().take(DROPPED).for_each(|it| res.push_str(&left_out(it)));
    let fence = "`".repeat(longest_run(&prompt.text).max(2) + 1);
    res.push_str(&format!("\n## The prompt\n\n{fence}\n{}\n{fence}\n", prompt.text));
    res
}

fn chosen(it: &Piece) -> String {
    let mut reasons: Vec<String> = Vec::new();
    for reason in it.reasons.iter().map(ToString::to_string) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    format!(
        "- **{}:{}-{}**, {} of {} tokens, score {:.2}: {}\n",
        it.path,
        it.start_line,
        it.end_line,
        it.form.name(),
        it.tokens,
        it.score,
        reasons.join("; ")
    )
}

fn left_out(it: &Dropped) -> String {
    format!("- {}:{}-{}: {}\n", it.path, it.start_line, it.end_line, it.why)
}

/// The longest run of backticks: a fence must be longer.
fn longest_run(text: &str) -> usize {
    text.split(|it| it != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::{IndexConfig, Snapshot};
    use foreword_engine::source::Source;

    use super::*;

    #[test]
    fn the_page_says_what_is_shown_and_why_and_no_fence_breaks_it() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let registry = "def register_handler(registry, name):\n    \"\"\"````\"\"\"\n";
        let text = "from registry import register_handler\n\nregister_handler(";
        let sources = vec![source("registry.py", registry), source("a.py", text)];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let offset = text.len();
        let (path, text) = ("a.py".to_owned(), text.to_owned());
        let cursor = Cursor { path, text, offset, resume: offset, ..Cursor::default() };
        let situation = Situation::new(&snapshot, &cursor).unwrap();
        let page = explain(&situation, &cursor, "it").unwrap();
        assert!(page.starts_with("# foreword: context at a.py:3:18\n"), "{page}");
        assert!(page.contains("- **registry.py:1-2**") && page.contains("imported"), "{page}");
        assert!(page.ends_with("\n``````\n"), "{page}");
    }
}
