//! Arguments of runs over holes, shared by `context`, `leakage` and the experiments.

use std::path::PathBuf;

use crate::baselines::Baseline;
use crate::runs::completion::{CompletionSettings, Detail, Protocol, SessionUse};
use crate::runs::overrides::apply;
use crate::tasks::split::Split;
use anyhow::{Context as _, Result};
use foreword_engine::preset::{self, Preset};

use super::corpora::CorporaArgs;
use super::tasks::TaskArgs;

/// Holes, and the settings of their run.
#[derive(clap::Args)]
pub struct CompletionArgs {
    /// Tasks, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    #[command(flatten)]
    corpora: CorporaArgs,
    #[command(flatten)]
    selection: TaskArgs,
    /// Tokens for pieces besides the text around the cursor; `own` for each method's own budget.
    #[arg(
        long,
        value_name = "TOKENS",
        value_delimiter = ',',
        default_value = "1000,2000,4000,8000"
    )]
    budget: Vec<String>,
    /// Whether the text after the cursor is known.
    #[arg(long, value_enum, default_value_t)]
    protocol: Protocol,
    /// Whether methods know the edits of earlier commits.
    #[arg(long, value_enum, default_value_t)]
    session: SessionUse,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

impl CompletionArgs {
    /// The settings of the run and the preset.
    pub fn settings(
        self,
        baselines: Vec<Baseline>,
        detail: Detail,
    ) -> Result<(CompletionSettings, Preset)> {
        let preset = apply(preset::context(), &self.sets)?;
        let budgets: Vec<Option<usize>> =
            self.budget.iter().map(|it| budget(it)).collect::<Result<_>>()?;
        let settings = CompletionSettings {
            tasks: self.selection.select(self.tasks, Split::All),
            corpora: self.corpora.into(),
            baselines,
            variants: Vec::new(),
            budgets,
            protocol: self.protocol,
            session: self.session,
            detail,
            model: None,
        };
        Ok((settings, preset))
    }
}

fn budget(text: &str) -> Result<Option<usize>> {
    if text == "own" {
        return Ok(None);
    }
    let tokens = text
        .parse()
        .with_context(|| format!("`{text}` is not a budget; write a number of tokens, or `own`"))?;
    Ok(Some(tokens))
}
