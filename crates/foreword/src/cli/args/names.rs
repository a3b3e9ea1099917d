//! Names for shell completion. Other values are accepted, too: servers have their own models, languages have aliases,
//! and commands give better errors than the parser.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use foreword_chunk::{Kind, Language};
use foreword_engine::compose::Format;
use foreword_engine::compose::edit::EditFormat;
use foreword_engine::custom::BUILT_IN;

use crate::cli::setup::clients::CLIENTS;

/// Stands for branches and tags in a generated script.
pub(in crate::cli) const REVISIONS: &str = "FOREWORD_REVISIONS";

/// Kinds of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Languages with a grammar.
    Languages,
    /// Kinds of definitions.
    Kinds,
    /// Prompt formats.
    Formats,
    /// Prompt formats and `embedded`.
    Models,
    /// Prompt formats of next-edit models.
    EditFormats,
    /// Tags of definitions.
    Tags,
    /// What a completion script replaces by the branches and tags of the repository.
    Revisions,
    /// Agents and editors that `foreword setup` knows.
    Clients,
}

impl Names {
    fn all(self) -> Vec<&'static str> {
        let formats = || Format::ALL.iter().map(|it| it.name);
        match self {
            Self::Languages => Language::ALL.iter().map(|it| it.name()).collect(),
            Self::Kinds => Kind::ALL.into_iter().map(Kind::name).collect(),
            Self::Formats => formats().collect(),
            Self::Models => std::iter::once("embedded").chain(formats()).collect(),
            Self::EditFormats => EditFormat::ALL.iter().map(|it| it.name).collect(),
            Self::Tags => BUILT_IN.iter().map(|it| it.0).collect(),
            Self::Revisions => vec![REVISIONS],
            Self::Clients => CLIENTS.iter().map(|it| it.id).collect(),
        }
    }
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.all().into_iter().map(PossibleValue::new)))
    }
}
