//! A prompt format: the order of its parts, its special tokens, and the source of this information.

/// Prompt format of a model family: a row of the table.
#[derive(Debug, PartialEq)]
pub struct Format {
    /// Name in configuration, such as `qwen2.5-coder`.
    pub name: &'static str,
    /// Alternative names in configuration.
    pub aliases: &'static [&'static str],
    /// The models, for people.
    pub title: &'static str,
    /// Patterns of names of models with this format; see [`Format::of_model`].
    pub models: &'static [Model],
    /// Patterns of names that match `models` but belong to models without fill-in-the-middle training.
    pub not: &'static [&'static str],
    /// Order of the text before and after the cursor.
    pub order: Order,
    /// Steps of the whole prompt.
    pub template: &'static [Step],
    /// Steps of one piece of context, repeated at [`Step::Parts`].
    pub part: &'static [Step],
    /// Stop sequences.
    pub stop: &'static [&'static str],
    /// Context window in tokens, if the server does not report it.
    pub window: usize,
    /// Which end of a too long prompt usual servers keep.
    pub keep: Keep,
    /// Replaces an empty suffix: many models fill better before a line feed than before nothing.
    pub empty_suffix: &'static str,
    /// Reliability of the template.
    pub evidence: Evidence,
    /// A note for people, one or two sentences.
    pub note: &'static str,
    /// Special tokens of the tokenizer, as written in text. The first character of each occurs only once in it, so one
    /// pass of [`crate::compose::neutralise`] is enough.
    pub specials: &'static [&'static str],
    /// Text that reads as structure at the start of a line, although it is not a special token.
    pub line_guards: &'static [&'static str],
}

/// A pattern of model names and their context window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Consecutive words; `*` stands for any words between.
    pub pattern: &'static str,
    /// In tokens.
    pub window: usize,
}

/// Order of the text around the hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Prefix, suffix, middle (PSM).
    PrefixFirst,
    /// Suffix, prefix, middle (SPM).
    SuffixFirst,
    /// Prefix only, last; no suffix.
    PrefixOnly,
}

/// The end of a prompt that a server keeps when the prompt is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The beginning is cut: the best piece is last.
    End,
    /// The end is cut: the best piece is first.
    Start,
}

/// Reliability of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// From the model's documentation or paper, or from several programs that use it.
    Confirmed,
    /// From other programs.
    SecondHand,
    /// Not checked against a source.
    Memory,
}

impl Evidence {
    /// For people.
    pub fn as_str(self) -> &'static str {
        match self {
            Evidence::Confirmed => "confirmed",
            Evidence::SecondHand => "second-hand",
            Evidence::Memory => "from memory",
        }
    }
}

/// One step of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Special tokens.
    Mark(&'static str),
    /// Plain text.
    Plain(&'static str),
    /// The start of a comment line, then this text.
    Comment(&'static str),
    /// Name of the repository.
    Repository,
    /// Path of the piece within a piece, otherwise of the edited file.
    Path,
    /// Language of the edited file.
    Language,
    /// All pieces.
    Parts,
    /// Text of the piece.
    Text,
    /// Text of the piece, with each line commented.
    CommentedText,
    /// A line feed, unless the prompt ends with one.
    EndLine,
    /// A Markdown fence longer than any in the text, with the path's extension.
    OpenFence,
    /// The closing fence.
    CloseFence,
    /// Text before the cursor.
    Prefix,
    /// Text after the cursor.
    Suffix,
    /// Steps if there are pieces.
    IfParts(&'static [Step]),
    /// Steps if the repository has a name.
    IfRepository(&'static [Step]),
    /// Steps if the language is known.
    IfLanguage(&'static [Step]),
}

impl Format {
    /// Special tokens that the template writes.
    pub fn marks(&self) -> Vec<&'static str> {
        let mut marks = Vec::new();
        collect_marks(self.template, &mut marks);
        collect_marks(self.part, &mut marks);
        let used = |special: &&str| marks.iter().any(|mark| mark.contains(special));
        self.specials.iter().copied().filter(used).collect()
    }

    /// Whether the prompt contains the text after the cursor.
    pub fn shows_suffix(&self) -> bool {
        self.order != Order::PrefixOnly
    }
}

fn collect_marks(steps: &[Step], into: &mut Vec<&'static str>) {
    for step in steps {
        match *step {
            Step::Mark(mark) => into.push(mark),
            Step::IfParts(steps) | Step::IfRepository(steps) | Step::IfLanguage(steps) => {
                collect_marks(steps, into);
            }
            _ => {}
        }
    }
}
