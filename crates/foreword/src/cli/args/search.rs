//! The arguments of `search`, and the tags shared with `ask`.

use clap::Args as ClapArgs;

use super::cluster::ClusterArgs;
use super::names::Names;

#[derive(Debug, ClapArgs)]
pub(in super::super) struct SearchArgs {
    /// Question, words, name of a symbol, or pattern: '"exact text"', '/regular expression/'
    #[arg(required = true)]
    pub(in super::super) query: Vec<String>,
    /// Maximum number of results [default: 10, for patterns 1000]
    #[arg(short = 'k', short_alias = 'n', long, value_name = "N")]
    pub(in super::super) limit: Option<usize>,
    /// Only this file or files below this path, relative to the working directory or the root; may be repeated
    #[arg(short, long, value_name = "PATH")]
    pub(in super::super) path: Vec<String>,
    /// Only files of this language; may be repeated
    #[arg(short, long, value_name = "LANGUAGE", value_parser = Names::Languages, hide_possible_values = true)]
    pub(in super::super) lang: Vec<String>,
    /// Only chunks with a title of this kind (function, class, …); may be repeated
    #[arg(
        long, value_name = "KIND", conflicts_with_all = ["regex", "exact"],
        value_parser = Names::Kinds, hide_possible_values = true
    )]
    pub(in super::super) kind: Vec<String>,
    #[command(flatten)]
    pub(in super::super) tags: TagArgs,
    /// Maximum tokens of all results together
    #[arg(short, long, value_name = "N")]
    pub(in super::super) tokens: Option<usize>,
    /// Treat the query as a regular expression
    #[arg(long, conflicts_with = "exact")]
    pub(in super::super) regex: bool,
    /// Treat the query as literal text
    #[arg(long)]
    pub(in super::super) exact: bool,
    /// Patterns: match whole words only
    #[arg(short, long)]
    pub(in super::super) word: bool,
    /// Patterns: ignore case [default: if the pattern has no capital letter]
    #[arg(short, long)]
    pub(in super::super) ignore_case: bool,
    /// Patterns: match case
    #[arg(short = 's', long, conflicts_with = "ignore_case")]
    pub(in super::super) case_sensitive: bool,
    /// Patterns: lines of context
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(in super::super) around: u32,
    /// Print locations without text
    #[arg(long, conflicts_with = "explain")]
    pub(in super::super) brief: bool,
    /// Print why each result was found, and its score
    #[arg(long, conflicts_with_all = ["regex", "exact"])]
    pub(in super::super) explain: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in super::super) json: bool,
    #[command(flatten)]
    pub(in super::super) at: ClusterArgs,
}

/// Tags that results must have.
#[derive(Debug, ClapArgs)]
pub(in super::super) struct TagArgs {
    /// Only results with this tag; prefix a tag with ! to exclude it: async, commented, deprecated, public, test, or a
    /// tag of the team; may be repeated
    #[arg(long, value_name = "TAG", value_parser = Names::Tags, hide_possible_values = true)]
    pub(in super::super) tag: Vec<String>,
}
