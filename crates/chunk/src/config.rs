//! How a file is cut into chunks.

/// What a chunk is.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// Split-then-merge over the syntax tree (cAST, arXiv 2506.15655), merged across the recursion's borders.
    Cast,
    /// The same as its authors describe it: merged from left to right, and only among the children of one node. To be
    /// compared with.
    CastSiblings,
    /// cAST's split alone: every node that fits is a chunk. To be compared with.
    CastUnmerged,
    /// One chunk for each outermost definition (class, function, …); what lies between is packed as in `Cast`.
    Definition,
    /// One chunk for each function or method; what lies between is packed as in `Cast`.
    Method,
    /// The whole file.
    File,
    /// A fixed number of lines.
    Lines(u32),
}

impl Granularity {
    /// The names that [`Self::from_name`] takes, as a message says them.
    pub const NAMES: &str = "cast, definition, method, file, or lines=N";

    /// A granularity by its name in settings; `None` for any other text. Those to be compared with have no name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "cast" => Some(Self::Cast),
            "definition" => Some(Self::Definition),
            "method" => Some(Self::Method),
            "file" => Some(Self::File),
            _ => {
                let lines = name.strip_prefix("lines=")?.parse().ok();
                lines.filter(|it| *it > 0).map(Self::Lines)
            }
        }
    }
}

/// How a file is cut into chunks.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// The most non-whitespace characters that a chunk may hold (not for `File` and `Lines`). Default 2000, cAST's.
    pub max_size: u32,
    /// What a chunk is. Default [`Granularity::Cast`].
    pub granularity: Granularity,
    /// How many whole lines of the previous chunk [`Chunk::overlap`](crate::Chunk::overlap) reaches back. Default 0.
    pub overlap_lines: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { max_size: 2000, granularity: Granularity::Cast, overlap_lines: 0 }
    }
}
