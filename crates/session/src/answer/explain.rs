//! The prompt at a cursor with its reasons, as Markdown for editors.

use foreword_engine::compose::Format;
use foreword_engine::pipeline::Control;
use foreword_engine::preset::Preset;
use foreword_engine::prompt::{PromptAnswer, Target, prompt};
use foreword_engine::scope::{Cursor, View};
use foreword_engine::trim::{DroppedCandidate, Piece};
use foreword_model::TokenCounter;

use super::complete::ContextSource;
use super::tokens;

/// Maximum number of listed dropped candidates.
const MAX_DROPPED: usize = 20;

/// Composes the prompt in the format without sentinels, with reasons, and says where the context came from.
pub fn explain(
    view: View<'_>,
    cursor: &Cursor,
    (repository, source): (&str, ContextSource),
    preset: &Preset,
) -> anyhow::Result<String> {
    let format = Format::named("none")
        .ok_or_else(|| anyhow::anyhow!("the format `none` is in the table"))?;
    let counter = tokens::general()?;
    let count = |text: &str| counter.count(text);
    let target = Target { format, repository, count: &count };
    let answer = prompt(view, cursor, preset, target, &mut Control::default())?;
    let note = match source {
        ContextSource::Index => "",
        ContextSource::Cluster => "\nFrom the cluster, while this clone is indexed.\n",
    };
    Ok(page(cursor, &answer, (preset.budget.total, note), &counter))
}

fn page(
    cursor: &Cursor,
    answer: &PromptAnswer,
    (budget, note): (usize, &str),
    counter: &TokenCounter,
) -> String {
    let prefix = cursor.prefix();
    let line = prefix.matches('\n').count() + 1;
    let column = prefix.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let PromptAnswer { prompt, selection, tokens, base_tokens } = answer;
    let mut res = format!(
        "# foreword: context at {}:{line}:{column}\n\n{tokens} of {budget} tokens ({}): {base_tokens} around the cursor, the rest in {} pieces.\n{note}",
        cursor.path(),
        tokens::accuracy(counter),
        selection.pieces.len()
    );
    res.push_str("\n## What is shown, and why\n\n");
    selection.pieces.iter().for_each(|it| res.push_str(&selected(it)));
    if selection.pieces.is_empty() {
        res.push_str("Nothing but the text around the cursor.\n");
    }
    if !selection.dropped.is_empty() {
        res.push_str(&format!("\n## Dropped: {}\n\n", selection.dropped.len()));
    }
    selection.dropped.iter().take(MAX_DROPPED).for_each(|it| res.push_str(&dropped(it)));
    let fence = "`".repeat(longest_run(&prompt.text).max(2) + 1);
    res.push_str(&format!("\n## The prompt\n\n{fence}\n{}\n{fence}\n", prompt.text));
    res
}

fn selected(it: &Piece) -> String {
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

fn dropped(it: &DroppedCandidate) -> String {
    format!("- {}:{}-{}: {}\n", it.path, it.start_line, it.end_line, it.why)
}

/// The longest run of backticks: a fence must be longer.
fn longest_run(text: &str) -> usize {
    text.split(|it| it != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::{IndexConfig, Snapshot};
    use foreword_engine::preset;
    use foreword_engine::source::Source;

    use super::*;

    #[test]
    fn the_page_lists_pieces_and_reasons_and_no_fence_breaks_it() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let registry = "def register_handler(registry, name):\n    \"\"\"````\"\"\"\n";
        let text = "from registry import register_handler\n\nregister_handler(";
        let sources = vec![source("registry.py", registry), source("a.py", text)];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let cursor = Cursor::at_end("a.py", text);
        let view = View::new(&snapshot, &cursor).unwrap();
        let page =
            explain(view, &cursor, ("it", ContextSource::Index), &preset::context()).unwrap();
        assert!(page.starts_with("# foreword: context at a.py:3:18\n"), "{page}");
        assert!(page.contains("- **registry.py:1-2**") && page.contains("imported"), "{page}");
        assert!(page.ends_with("\n``````\n"), "{page}");
    }
}
