//! Arguments of `search`, and the tags that `ask` takes, too.

use clap::Args as ClapArgs;

use super::names::Names;

#[derive(Debug, ClapArgs)]
pub(in super::super) struct SearchArgs {
    /// A question, words, the name of a symbol, or a pattern (--regex, --exact)
    pub(in super::super) query: String,
    /// The most results [default: 10, for patterns 1000]
    #[arg(short = 'k', long, value_name = "N")]
    pub(in super::super) limit: Option<usize>,
    /// Only this file or files below this path, relative to the working directory or to the root; may be given several
    /// times
    #[arg(short, long, value_name = "PATH")]
    pub(in super::super) path: Vec<String>,
    /// Only files of this language; may be given several times
    #[arg(short, long, value_name = "LANGUAGE", value_parser = Names::Languages, hide_possible_values = true)]
    pub(in super::super) lang: Vec<String>,
    /// Only chunks whose title is of this kind (function, class, …); may be given several times
    #[arg(
        long, value_name = "KIND", conflicts_with_all = ["regex", "exact"],
        value_parser = Names::Kinds, hide_possible_values = true
    )]
    pub(in super::super) kind: Vec<String>,
    #[command(flatten)]
    pub(in super::super) tags: TagArgs,
    /// The most tokens of all results together
    #[arg(short, long, value_name = "N")]
    pub(in super::super) tokens: Option<usize>,
    /// The query is a regular expression
    #[arg(long, conflicts_with_all = ["exact", "fuzzy"])]
    pub(in super::super) regex: bool,
    /// The query is literal text
    #[arg(long, conflicts_with = "fuzzy")]
    pub(in super::super) exact: bool,
    /// Search for similar words in place of those that occur nowhere
    #[arg(long)]
    pub(in super::super) fuzzy: bool,
    /// With --regex or --exact: whole words only
    #[arg(short, long)]
    pub(in super::super) word: bool,
    /// With --regex or --exact: ignore case [default: if the pattern has no capital]
    #[arg(short, long)]
    pub(in super::super) ignore_case: bool,
    /// With --regex or --exact: match case
    #[arg(short = 's', long, conflicts_with = "ignore_case")]
    pub(in super::super) case_sensitive: bool,
    /// With --regex or --exact: lines of context
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(in super::super) around: u32,
    /// Print locations only, no text
    #[arg(long)]
    pub(in super::super) brief: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in super::super) json: bool,
}

/// Which tags results must have.
#[derive(Debug, ClapArgs)]
pub(in super::super) struct TagArgs {
    /// Only results with this tag; prefix it with ! to exclude it: async, commented, deprecated, public, test, or one of
    /// the team's own (docs/customise.md); may be given several times
    #[arg(long, value_name = "TAG")]
    pub(in super::super) tag: Vec<String>,
}
