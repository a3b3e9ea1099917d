//! Settings of chunking.

/// The method that cuts a file into chunks.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// Split-then-merge over the syntax tree (cAST, arXiv 2506.15655), merged across the recursion's borders.
    Cast,
    /// cAST as its authors describe it: merged greedily from left to right, only among the children of one node. A
    /// baseline.
    CastSiblings,
    /// The split step of cAST alone: every node that fits is a chunk. A baseline.
    CastUnmerged,
    /// One chunk for each outermost definition (class, function, …); the text between definitions is packed as in
    /// `Cast`.
    Definition,
    /// One chunk for each function or method; the text between them is packed as in `Cast`.
    Method,
    /// The whole file.
    File,
    /// A fixed number of lines.
    Lines(u32),
}

impl Granularity {
    /// The names that [`Self::from_name`] accepts, for messages.
    pub const NAMES: &str = "cast, definition, method, file, or lines=N";

    /// The granularity with this name in settings; `None` for any other text. Baselines have no name.
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
    /// Maximum number of non-whitespace characters in a chunk (ignored by `File` and `Lines`). Default 2000, as in
    /// cAST.
    pub max_size: u32,
    /// The method. Default [`Granularity::Cast`].
    pub granularity: Granularity,
    /// Number of whole lines of the previous chunk in [`Chunk::overlap`](crate::Chunk::overlap). Default 0.
    pub overlap_lines: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { max_size: 2000, granularity: Granularity::Cast, overlap_lines: 0 }
    }
}
