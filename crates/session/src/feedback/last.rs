//! The last shown answer about a repository, which gives the numbers of `foreword feedback good 2` their meaning.

use std::path::PathBuf;

use anyhow::Context as _;
use foreword_load::{Workspace, open_regular};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{About, Place, file_of};
use crate::setup::{FeedbackUse, Setup};
use crate::usage::usage;

/// The parts of an answer that votes refer to.
#[derive(Debug, Deserialize, Serialize)]
pub struct ShownAnswer {
    /// The kind of answer.
    pub about: About,
    /// The question.
    pub question: String,
    /// The pieces, in the order of their numbers.
    pub pieces: Vec<ShownPiece>,
    /// The numbers, from 1, of the cited pieces.
    #[serde(default)]
    pub cited: Vec<usize>,
}

/// A piece of an answer.
#[derive(Debug, Deserialize, Serialize)]
pub struct ShownPiece {
    /// Empty for a result of a search.
    #[serde(default)]
    pub id: String,
    /// Its lines.
    #[serde(flatten)]
    pub place: Place,
}

fn path_of(workspace: &Workspace) -> Option<PathBuf> {
    Some(file_of(workspace)?.with_extension("last.json"))
}

impl ShownAnswer {
    /// Stores the answer if feedback is on. A write error is only logged.
    pub fn remember(&self, setup: &Setup, workspace: &Workspace) {
        let is_on = setup.feedback != FeedbackUse::Off;
        let Some(path) = path_of(workspace).filter(|_| is_on) else { return };
        let write = || -> anyhow::Result<()> {
            let directory = path.parent().context("no directory")?;
            std::fs::create_dir_all(directory)?;
            let file = tempfile::NamedTempFile::new_in(directory)?;
            serde_json::to_writer(&file, self)?;
            file.persist(&path)?;
            Ok(())
        };
        if let Err(error) = write() {
            tracing::debug!("the answer is not remembered: {error:#}");
        }
    }

    /// The last answer about a repository.
    pub fn last(workspace: &Workspace) -> Option<Self> {
        let file = open_regular(&path_of(workspace)?).ok()?;
        serde_json::from_reader(std::io::BufReader::new(file)).ok()
    }

    /// Deletes the stored answer.
    pub fn forget(workspace: &Workspace) {
        if let Some(path) = path_of(workspace) {
            // It need not exist.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Parses the output of `ask --json` or `search --json`.
    pub fn parse(name: &str, text: &str) -> anyhow::Result<Self> {
        let wrong = |why: &str| {
            usage(format!(
                "--answer {name}: {why}; pass the output of `foreword ask --json` or `foreword search --json`"
            ))
        };
        let value: Value =
            serde_json::from_str(text.trim()).map_err(|it| wrong(&it.to_string()))?;
        let (about, key) = match value["evidence"].is_array() {
            true => (About::Ask, "evidence"),
            false => (About::Search, "results"),
        };
        let all = value[key].as_array().ok_or_else(|| wrong("no `evidence` and no `results`"))?;
        let question = match about {
            About::Ask => &value["question"],
            _ => &value["searched"]["query"],
        };
        let piece = |it: &Value| serde_json::from_value(it.clone());
        let pieces = all.iter().map(piece).collect::<Result<_, _>>();
        let cited = value["answer"]["cited"].as_array().into_iter().flatten();
        Ok(Self {
            about,
            question: question.as_str().unwrap_or_default().to_owned(),
            pieces: pieces.map_err(|it| wrong(&it.to_string()))?,
            cited: cited.filter_map(|it| Some(it.as_u64()? as usize)).collect(),
        })
    }
}
