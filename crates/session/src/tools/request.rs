//! A call whose arguments have been checked.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::arguments::{self, CommonArguments, Mode};
use super::cursor;
use super::search;
use super::tool::Tool;
use crate::answer::symbols::last_part;
use crate::usage::{check_length, usage};

/// The request of a call.
pub(super) enum Request {
    Search(arguments::SearchArguments),
    Context(arguments::ContextArguments),
    Symbols(arguments::SymbolsArguments),
    Map(arguments::MapArguments),
    ReadLines(arguments::ReadLinesArguments),
}

/// A request, and the repository that it is about.
pub struct Call {
    /// The repository's directory or name; `None` for the default one.
    pub repository: Option<String>,
    /// Maximum wait for indexing, in milliseconds.
    pub(super) wait_ms: Option<u64>,
    pub(super) request: Request,
}

impl Call {
    /// Reads the arguments of a call of the tool `name`.
    pub fn parse(name: &str, arguments: Value) -> anyhow::Result<Self> {
        let tool = Tool::named(name, &Tool::ALL)?;
        let Value::Object(mut arguments) = arguments else {
            return Err(usage(format!("{name}: the arguments are not a JSON object")));
        };
        for (field, value) in &arguments {
            let text = value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed);
            check_length(&format!("{name}: {field}"), &text)?;
        }
        let CommonArguments { repository, wait_ms } = arguments::take_common(&mut arguments)?;
        let mut request = Request::parse(tool, arguments)?;
        let continued = request.take_repository_of_cursor();
        Ok(Self { repository: repository.or(continued), wait_ms, request })
    }
}

/// The words or the name that a call looks for in repositories that it does not name.
pub enum Topic<'c> {
    /// The words of a question, or those that matches of a pattern have, of which there may be none.
    Words(String),
    /// The last part of a name.
    Name(&'c str),
}

impl Call {
    /// The name whose definitions and uses it asks for.
    pub fn symbol(&self) -> Option<&str> {
        match &self.request {
            Request::Symbols(it) if it.file.is_none() => it.name.as_deref(),
            _ => None,
        }
    }

    /// What the call looks for; `None` for one that must name its repository.
    pub fn topic(&self) -> Option<Topic<'_>> {
        match &self.request {
            Request::Search(it) if it.mode == Mode::Symbol => {
                Some(Topic::Name(last_part(&it.query)))
            }
            Request::Search(it) => Some(Topic::Words(search::words_of(it))),
            Request::Symbols(it) => it.name.as_deref().map(last_part).map(Topic::Name),
            Request::Context(_) | Request::Map(_) | Request::ReadLines(_) => None,
        }
    }
}

impl Request {
    fn parse(tool: Tool, arguments: Map<String, Value>) -> anyhow::Result<Self> {
        let (name, properties) = (tool.name(), &tool.properties());
        Ok(match tool {
            Tool::Search => Self::Search(arguments::parse(name, arguments, properties)?),
            Tool::Context => Self::Context(arguments::parse(name, arguments, properties)?),
            Tool::Symbols => Self::Symbols(arguments::parse(name, arguments, properties)?),
            Tool::Map => Self::Map(arguments::parse(name, arguments, properties)?),
            Tool::ReadLines => Self::ReadLines(arguments::parse(name, arguments, properties)?),
        })
    }

    /// Removes the name of the repository from the cursor.
    fn take_repository_of_cursor(&mut self) -> Option<String> {
        let given = match self {
            Self::Search(it) => &mut it.cursor,
            Self::Symbols(it) => &mut it.cursor,
            Self::Context(_) | Self::Map(_) | Self::ReadLines(_) => return None,
        };
        let (rest, name) = cursor::split(given.as_deref()?);
        let (rest, name) = (rest.to_owned(), name.map(str::to_owned));
        *given = Some(rest);
        name
    }

    /// Whether it can be answered from parts of a repository. Patterns, maps and next edits need all texts, or the history.
    pub(super) fn is_of_parts(&self) -> bool {
        match self {
            Self::Search(it) => !search::is_pattern(it),
            Self::Context(it) => !it.next,
            Self::Symbols(_) | Self::ReadLines(_) => true,
            Self::Map(_) => false,
        }
    }

    /// The budget of the answer.
    pub(super) fn tokens(&mut self) -> &mut Option<usize> {
        match self {
            Self::Search(it) => &mut it.tokens,
            Self::Context(it) => &mut it.tokens,
            Self::Symbols(it) => &mut it.tokens,
            Self::Map(it) => &mut it.tokens,
            Self::ReadLines(it) => &mut it.tokens,
        }
    }

    /// The budget of an answer whose call names none.
    pub(super) fn default_tokens(&self) -> usize {
        match self {
            Self::Search(_) | Self::Symbols(_) | Self::ReadLines(_) => 2000,
            Self::Context(_) => 4000,
            Self::Map(_) => 1500,
        }
    }
}
