//! A call whose arguments have been checked.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::arguments::{self, CommonArguments};
use super::tool::Tool;
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
pub(super) struct Call {
    /// The repository's directory or name; `None` for the default one.
    pub(super) repository: Option<String>,
    /// Maximum wait for indexing, in milliseconds.
    pub(super) wait_ms: Option<u64>,
    pub(super) request: Request,
}

impl Call {
    /// Reads the arguments of a call of the tool `name`.
    pub(super) fn parse(name: &str, arguments: Value) -> anyhow::Result<Self> {
        let tool = Tool::named(name, &Tool::ALL)?;
        let Value::Object(mut arguments) = arguments else {
            return Err(usage(format!("{name}: the arguments are not a JSON object")));
        };
        for (field, value) in &arguments {
            let text = value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed);
            check_length(&format!("{name}: {field}"), &text)?;
        }
        let CommonArguments { repository, wait_ms } = arguments::take_common(&mut arguments)?;
        Ok(Self { repository, wait_ms, request: Request::parse(tool, arguments)? })
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
}
