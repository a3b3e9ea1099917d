//! Names that shells complete. Others are accepted too: a server has models of its own, languages have second names, and
//! the commands say better than the parser what is wrong.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use foreword_chunk::{Kind, Language};
use foreword_engine::compose::Format;

/// Which names are completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Of languages with a grammar.
    Languages,
    /// Of kinds of definition.
    Kinds,
    /// Of prompt formats.
    Formats,
    /// Of prompt formats, and `embedded`.
    Models,
}

impl Names {
    fn all(self) -> Vec<&'static str> {
        let formats = || Format::ALL.iter().map(|it| it.name);
        match self {
            Self::Languages => Language::ALL.iter().map(|it| it.name()).collect(),
            Self::Kinds => Kind::ALL.into_iter().map(Kind::name).collect(),
            Self::Formats => formats().collect(),
            Self::Models => std::iter::once("embedded").chain(formats()).collect(),
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
